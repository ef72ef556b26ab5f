// Clock and chance of Apps Script.

import type { Clock, Random } from '../ports';

/** `Utilities.sleep` refuses more than five minutes. */
const SLEEP_MS_MAX = 300_000;

export function appsScriptClock(): Clock {
  return {
    nowMs: () => Date.now(),
    sleep(durationMs) {
      if (durationMs > 0) Utilities.sleep(Math.min(Math.ceil(durationMs), SLEEP_MS_MAX));
    },
  };
}

export function appsScriptRandom(): Random {
  return { next: () => Math.random() };
}
