// The run time of triggers: what Google allows in a day, and what is left of it.

import * as z from 'zod/mini';
import { DAY, MINUTE } from '../failures/duration';
import type { Clock, Platform, Store } from '../google/platform';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { isDayOver } from './gate';

/**
 * From Google's page "Quotas for Google services": the total run time of triggers, for a consumer
 * account and a Workspace account.
 */
const SMALL_RUN_TIME_MS = 90 * 60_000;
const LARGE_RUN_TIME_MS = 6 * 3_600_000;

const NAME = 'run-time';

const runDaySchema = lazySchema(() =>
  z.object({
    sinceMs: z.number(),
    usedMs: z.number(),
    isLarge: z.exactOptional(z.literal(true)),
  }),
);

type RunDay = Fits<typeof runDaySchema>;

interface RunTimeUse {
  readonly usedMs: number;
  readonly perDayMs: number;
  /** When the next day begins at the earliest. */
  readonly endsMs: number;
}

export interface RunTime {
  /** Costs one property call. */
  use(): RunTimeUse;
  /**
   * Counts a run by the clock that is about to end. If it could start although the small allowance
   * was used up, the account is a large one. Costs two property calls.
   */
  took(durationMs: number): void;
}

/** @param store the person's own, because the allowance is theirs. */
export function runTime(store: Store, clock: Clock): RunTime {
  function today(): RunDay {
    const nowMs = clock.nowMs();
    const day = storedAs(store.read(NAME), runDaySchema());
    if (day !== null && !isDayOver(day, nowMs)) return day;
    return { sinceMs: nowMs, usedMs: 0, ...(day?.isLarge === true ? { isLarge: true } : {}) };
  }

  return {
    use() {
      const day = today();
      const perDayMs = day.isLarge === true ? LARGE_RUN_TIME_MS : SMALL_RUN_TIME_MS;
      return { usedMs: day.usedMs, perDayMs, endsMs: day.sinceMs + DAY };
    },
    took(durationMs) {
      const day = today();
      const usedMs = day.usedMs + durationMs;
      const next = {
        ...day,
        usedMs,
        ...(day.usedMs >= SMALL_RUN_TIME_MS ? { isLarge: true } : {}),
      };
      store.write(NAME, JSON.stringify(next));
    },
  };
}

/** Kept free in the day's allowance for other scripts of the same person. */
const SPARE_MS = 5 * MINUTE;

/** Nothing is begun with less time than this, since reading and marking a list takes most of it. */
export const WORTHWHILE_MS = 25_000;

export interface DayLeft {
  readonly leftMs: number;
  readonly use: RunTimeUse;
  /** When the next day begins, if nothing is left of this one; else null. */
  readonly goesOnMs: number | null;
}

/** What is left of today. Costs one property call. */
export function dayLeft({ userStore, clock }: Pick<Platform, 'userStore' | 'clock'>): DayLeft {
  const use = runTime(userStore, clock).use();
  const leftMs = Math.max(0, use.perDayMs - SPARE_MS - use.usedMs);
  return { leftMs, use, goesOnMs: leftMs > WORTHWHILE_MS ? null : use.endsMs };
}
