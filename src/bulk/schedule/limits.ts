// How long the clock may work in a day: Google's allowance, kept to with room to spare.

import type { Platform } from '../../platform/ports';
import type { GoogleDay } from '../../quota/google-day';
import { type RunTimeUse, runTime } from '../../quota/run-time';

const MINUTE_MS = 60_000;

/** Of the day's allowance: other scripts of the same person use it too. */
const SPARE_MS = 5 * MINUTE_MS;

/** "Quotas for Google services": triggers' total run time in a company's account, which has more of all. */
const LARGE_MS = 6 * 60 * MINUTE_MS;

/** With less than this nothing is begun: reading and marking a list takes most of it. */
export const WORTHWHILE_MS = 25_000;

export interface DayLeft {
  readonly leftMs: number;
  readonly use: RunTimeUse;
  /** When the next day can begin, where nothing is left of this one. */
  readonly goesOnMs: number | null;
}

/** What is left of today. One property call. */
export function dayLeft(
  { userStore, clock }: Pick<Platform, 'userStore' | 'clock'>,
  googleDay: GoogleDay | undefined,
): DayLeft {
  const use = runTime(userStore, clock).use();
  const perDayMs = googleDay?.isLarge ? Math.max(LARGE_MS, use.perDayMs) : use.perDayMs;
  const leftMs = Math.max(0, perDayMs - SPARE_MS - use.usedMs);
  return {
    leftMs,
    use: { ...use, perDayMs },
    goesOnMs: leftMs > WORTHWHILE_MS ? null : use.endsMs,
  };
}
