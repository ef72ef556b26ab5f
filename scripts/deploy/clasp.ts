// Runs the project's own clasp as a process and gives back what it said and how it ended.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

export interface ClaspRun {
  readonly exitCode: number;
  /** Both of its outputs: clasp writes some of its errors to the first. */
  readonly said: string;
}

const CLASP = resolve(__dirname, '../../node_modules/@google/clasp/build/src/index.js');

/** `folder` is the one with `.clasp.json`. There is nobody to answer questions. */
export function runClasp(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ClaspRun> {
  return new Promise((settle, fail) => {
    const clasp = spawn(process.execPath, [CLASP, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    const hear = (bytes: Buffer): void => void said.push(bytes.toString('utf8'));
    clasp.stdout.on('data', hear);
    clasp.stderr.on('data', hear);
    clasp.on('error', fail);
    clasp.on('close', (code) => settle({ exitCode: code ?? 1, said: said.join('').trim() }));
  });
}
