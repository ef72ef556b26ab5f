// The run time of triggers: what Google allows in a day, and what is left of it.

import * as z from 'zod/mini';
import { DAY, HOUR, MINUTE } from '../failures/duration';
import type { Platform } from '../google/platform';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { isDayOver } from './gate';

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
  }),
);

type RunDay = Fits<typeof runDaySchema>;

/** Kept free in the day's allowance for other scripts of the same person. */
const SPARE_MS = 5 * MINUTE;

/** Nothing is begun with less time than this, since reading and marking a list takes most of it. */
export const WORTHWHILE_MS = 25_000;

/** The store is the person's own, because the allowance is theirs. */
type Parts = Pick<Platform, 'userStore' | 'clock'>;

function today({ userStore, clock }: Parts): RunDay {
  const nowMs = clock.nowMs();
  const day = storedAs(userStore.read(NAME), runDaySchema());
  if (day !== null && !isDayOver(day, nowMs)) return day;
  return { sinceMs: nowMs, usedMs: 0, ...(day?.isLarge === true && { isLarge: true }) };
}

export interface RunTime {
  readonly usedMs: number;
  readonly perDayMs: number;
  readonly leftMs: number;
  /** When the next day begins, if nothing is left of this one; else null. */
  readonly goesOnMs: number | null;
}

/** The run time of today. Costs one property call. */
export function runTimeToday(parts: Parts): RunTime {
  const { sinceMs, usedMs, isLarge } = today(parts);
  const perDayMs = isLarge === true ? LARGE_RUN_TIME_MS : SMALL_RUN_TIME_MS;
  const leftMs = Math.max(0, perDayMs - SPARE_MS - usedMs);
  return { usedMs, perDayMs, leftMs, goesOnMs: leftMs > WORTHWHILE_MS ? null : sinceMs + DAY };
}

/**
 * Counts a run by the clock that is about to end. If it could start although the small allowance was
 * used up, the account is a large one. Costs two property calls.
 */
export function noteRunTime(parts: Parts, durationMs: number): void {
  const day = today(parts);
  const next: RunDay = {
    ...day,
    usedMs: day.usedMs + durationMs,
    ...(day.usedMs >= SMALL_RUN_TIME_MS && { isLarge: true }),
  };
  parts.userStore.write(NAME, JSON.stringify(next));
}
