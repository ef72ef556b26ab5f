// The real clasp in one process for many commands, which loading it anew for each would take two seconds.
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { CLASP, type Clasp, type ClaspRun } from '../../../scripts/deploy/clasp';

export interface ResidentClasp {
  readonly run: Clasp;
  stop(): void;
}

/** Which certificates it trusts, Node reads once: at the first command, from its environment. */
export function residentClasp(): ResidentClasp {
  let process: ChildProcess | null = null;
  return {
    run: (folder, args, env) =>
      new Promise<ClaspRun>((settle, fail) => {
        process ??= fork(join(__dirname, 'clasp-process.mjs'), { env, execArgv: [] });
        const child = process;
        const died = () => fail(new Error('clasp ended its process.'));
        child.once('exit', died).once('message', (answer) => {
          child.off('exit', died);
          settle(answer as ClaspRun);
        });
        child.send({ entry: CLASP, folder, args, env });
      }),
    stop: () => void process?.kill(),
  };
}
