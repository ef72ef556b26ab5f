// Clock and chance of Apps Script.

import type { Clock, Random } from '../ports';
import { serviceCall } from './service-call';

/** `Utilities.sleep` refuses more than five minutes. */
const SLEEP_MS_MAX = 300_000;

export function appsScriptClock(): Clock {
  return {
    nowMs: () => Date.now(),
    sleep(durationMs) {
      const untilMs = Date.now() + Math.min(Math.ceil(durationMs), SLEEP_MS_MAX);
      // A call that failed may have slept: only what is left is slept again.
      serviceCall(() => {
        const leftMs = untilMs - Date.now();
        if (leftMs > 0) Utilities.sleep(leftMs);
      });
    },
  };
}

export function appsScriptRandom(): Random {
  return { next: () => Math.random() };
}
