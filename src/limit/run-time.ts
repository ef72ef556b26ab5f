// The run time of triggers: what Google allows in a day, and what is left of it.

import * as z from 'zod/mini';
import { DAY, HOUR, MINUTE } from '../failures/duration';
import type { Platform } from '../google/platform';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { isDayOver } from './cell-day';

/**
 * From Google's page "Quotas for Google services": the total run time of triggers, for a consumer
 * account and a Workspace account.
 */
const SMALL_RUN_TIME_MS = 90 * MINUTE;
const LARGE_RUN_TIME_MS = 6 * HOUR;

const NAME = 'run-time';

const runDaySchema = lazySchema(() =>
  z.object({
    sinceMs: z.number(),
    usedMs: z.number(),
    isLarge: z.exactOptional(z.literal(true)),
    /** When it was last tried whether more than the small allowance is given, ms since 1970. */
    triedMs: z.exactOptional(z.number()),
  }),
);

type RunDay = Fits<typeof runDaySchema>;

/** Kept free in the day's allowance for other scripts of the same person. */
const SPARE_MS = 5 * MINUTE;

/**
 * Google does not say which allowance an account has, and starts nothing once it is used up. So now and
 * then the spare time is used as well, and a little more: whoever is still started has the large one.
 */
const TRIAL_EACH_MS = 30 * DAY;
const TRIAL_MS = SMALL_RUN_TIME_MS + 5 * MINUTE;

/** Nothing is begun with less time than this, since reading and marking a list takes most of it. */
export const WORTHWHILE_MS = 25_000;

/** The store is the person's own, because the allowance is theirs. */
type RunTimeParts = Pick<Platform, 'userStore' | 'clock'>;

function today({ userStore, clock }: RunTimeParts): RunDay {
  const nowMs = clock.nowMs();
  const day = storedAs(userStore.read(NAME), runDaySchema());
  if (day !== null && !isDayOver(day, nowMs)) return day;
  const { isLarge, triedMs } = day ?? {};
  return {
    sinceMs: nowMs,
    usedMs: 0,
    ...(isLarge === true && { isLarge: true }),
    ...(triedMs !== undefined && { triedMs }),
  };
}

export interface RunTime {
  readonly usedMs: number;
  readonly perDayMs: number;
  readonly leftMs: number;
  /** When the next day begins. */
  readonly dayEndsMs: number;
  /** The same if nothing is left of this one; else null. */
  readonly goesOnMs: number | null;
  /** The time that is left shows which allowance the account has: see `noteTrial`. */
  readonly isTrial: boolean;
}

/** The run time of today. Costs one property call. */
export function runTimeToday(parts: RunTimeParts): RunTime {
  const { sinceMs, usedMs, isLarge, triedMs = 0 } = today(parts);
  const perDayMs = isLarge === true ? LARGE_RUN_TIME_MS : SMALL_RUN_TIME_MS;
  const safeMs = perDayMs - SPARE_MS - usedMs;
  const isDue = triedMs >= sinceMs || triedMs + TRIAL_EACH_MS <= parts.clock.nowMs();
  const isTrial = isLarge !== true && safeMs <= WORTHWHILE_MS && isDue && usedMs < TRIAL_MS;
  const leftMs = Math.max(0, isTrial ? TRIAL_MS - usedMs : safeMs);
  const dayEndsMs = sinceMs + DAY;
  const goesOnMs = leftMs > WORTHWHILE_MS ? null : dayEndsMs;
  return { usedMs, perDayMs, leftMs, dayEndsMs, goesOnMs, isTrial: isTrial && goesOnMs === null };
}

/** Noted before the time is used: with the small allowance Google ends the run, and nothing after it starts. */
export function noteTrial(parts: RunTimeParts): void {
  const day = today(parts);
  parts.userStore.write(NAME, JSON.stringify({ ...day, triedMs: parts.clock.nowMs() }));
}

/**
 * Counts a run by the clock that is about to end. If it could start although the small allowance was
 * used up, the account is a large one. Costs two property calls.
 */
export function noteRunTime(parts: RunTimeParts, durationMs: number): void {
  const day = today(parts);
  const next: RunDay = {
    ...day,
    usedMs: day.usedMs + durationMs,
    ...(day.usedMs >= SMALL_RUN_TIME_MS && { isLarge: true }),
  };
  parts.userStore.write(NAME, JSON.stringify(next));
}
