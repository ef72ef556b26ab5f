// Runs an execution on the caller's own stack instead of a thread, because nothing runs in
// parallel.

import { onOwnStack } from '../own-stack';
import { inOrderOfEvaluation, type ScriptFile } from '../pushed-code';
import { realmSource } from '../realm-source';
import { RUNAWAY, type ThreadPool } from '../thread-pool';
import type { SteppedScheduler } from './stepped-scheduler';

/** A service call steps the host until the call's answer is there. */
export function inlinePool(files: readonly ScriptFile[], scheduler: SteppedScheduler): ThreadPool {
  const options = {
    sources: { realmSource: realmSource(), files: inOrderOfEvaluation(files) },
    nowMs: scheduler.nowMs,
    advance() {
      scheduler.step();
      return true;
    },
    acquireThread(): never {
      throw new Error('No execution has to leave the stack: nobody waits beside it.');
    },
    runaway: RUNAWAY,
  };
  return {
    acquire: (listen) => onOwnStack(options, listen, () => {}),
    stop: () => Promise.resolve(),
  };
}
