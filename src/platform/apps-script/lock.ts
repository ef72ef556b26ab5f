// Lock of Apps Script: the spreadsheet's own, or the user's where a script runs outside of one.

import type { Clock, Lock, Random } from '../ports';

/** "There are too many LockService operations against the same script": come back after this. */
const CROWDED_MS = 200;

export function appsScriptLock(clock: Clock, random: Random): Lock {
  let opened: GoogleAppsScript.Lock.Lock | undefined;
  const lock = () => {
    opened ??= LockService.getDocumentLock() ?? LockService.getUserLock();
    return opened;
  };

  function acquire(untilMs: number): boolean {
    for (;;) {
      try {
        return lock().tryLock(Math.max(1, Math.round(untilMs - clock.nowMs())));
      } catch (error) {
        if (!isCrowded(error) || clock.nowMs() + CROWDED_MS > untilMs) {
          if (isCrowded(error)) return false;
          throw error;
        }
        clock.sleep(CROWDED_MS * (1 + random.next()));
      }
    }
  }

  function release(): void {
    try {
      lock().releaseLock();
    } catch (error) {
      // The lock ends with this execution all the same.
      if (!isCrowded(error)) throw error;
    }
  }

  return {
    run(waitMs, body) {
      if (!acquire(clock.nowMs() + waitMs)) return { held: false };
      try {
        return { held: true, value: body() };
      } finally {
        release();
      }
    },
  };
}

function isCrowded(error: unknown): boolean {
  return error instanceof Error && /too many LockService operations/i.test(error.message);
}
