// Lock of Apps Script: the spreadsheet's own, or the user's where a script runs outside of one.

import type { Clock, Lock, Random } from '../ports';
import { serviceCallOr } from './service-call';

/** Too many operations against the same script, which Google says with the service's name: come back after this. */
const CROWDED_MS = 200;
const CROWDED = /LockService/;

export function appsScriptLock(clock: Clock, random: Random): Lock {
  let opened: GoogleAppsScript.Lock.Lock | undefined;
  const lock = () => {
    opened ??= LockService.getDocumentLock() ?? LockService.getUserLock();
    return opened;
  };

  /** Tried again while there is time: a lock that a failed call took is had at once. */
  function acquire(untilMs: number): boolean {
    for (let faults = 0; ; ) {
      try {
        return lock().tryLock(Math.max(1, Math.round(untilMs - clock.nowMs())));
      } catch (error) {
        if (!CROWDED.test(String(error))) faults += 1;
        if (faults > 1 || clock.nowMs() + CROWDED_MS > untilMs) {
          // The call may have failed with the lock in hand.
          if (faults > 0) release();
          return false;
        }
        clock.sleep(CROWDED_MS * (1 + random.next()));
      }
    }
  }

  /** It ends with this execution all the same. */
  const release = () => serviceCallOr(undefined, () => lock().releaseLock());

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
