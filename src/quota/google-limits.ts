// Google's daily limits: external calls, property calls, and the run time of triggers.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Clock, Platform, Store } from '../platform/ports';
import { storedAs } from '../platform/stored-record';

/** A day begins with its first call. */
const DAY_MS = 24 * 3_600_000;

/**
 * From Google's page "Quotas for Google services": for a consumer account (small) and a Workspace
 * account (large).
 */
const CALLS_PER_DAY = { small: 20_000, large: 100_000 };
const PROPERTY_CALLS_PER_DAY = { small: 50_000, large: 500_000 };

/** From this share of an allowance on, a warning is shown. */
const NEAR_SHARE = 0.8;

export const googleDaySchema = lazySchema(() =>
  z.object({
    sinceMs: z.number(),
    /** External calls. */
    calls: z.number(),
    propertyCalls: z.number(),
    /** The calls among them that formulas made. */
    cellCalls: z.exactOptional(z.number()),
    /** Set once a day had more calls than a small account may make, which proves a large one. */
    isLarge: z.exactOptional(z.literal(true)),
  }),
);

export type GoogleDay = Fits<typeof googleDaySchema>;

export interface Use {
  readonly calls?: number;
  readonly propertyCalls?: number;
  readonly cellCalls?: number;
}

export interface Allowance {
  readonly usedToday: number;
  readonly perDay: number;
  /** Whether four fifths are used. */
  readonly isNear: boolean;
}

export interface Allowances {
  readonly calls: Allowance;
  readonly propertyCalls: Allowance;
}

/** The day with further use; a new day if the former one is over. */
export function withUse(day: GoogleDay | undefined, use: Use, nowMs: number): GoogleDay {
  const today = day === undefined || isOver(day, nowMs) ? undefined : day;
  const calls = (today?.calls ?? 0) + (use.calls ?? 0);
  const cellCalls = cellCallsIn(today, nowMs) + (use.cellCalls ?? 0);
  const isPassed = use.calls !== undefined && calls > CALLS_PER_DAY.small;
  const isLarge = day?.isLarge === true || isPassed;
  return {
    sinceMs: today?.sinceMs ?? nowMs,
    calls,
    propertyCalls: (today?.propertyCalls ?? 0) + (use.propertyCalls ?? 0),
    ...(cellCalls > 0 ? { cellCalls } : {}),
    ...(isLarge ? { isLarge } : {}),
  };
}

/** How many calls formulas have made today. */
export function cellCallsIn(day: GoogleDay | undefined, nowMs: number): number {
  return day === undefined || isOver(day, nowMs) ? 0 : (day.cellCalls ?? 0);
}

/**
 * The day in which Google refused a call. Our count may be too low, because nobody counts other
 * scripts. A refusal far below the large allowance means that the account is a small one.
 */
export function withRefusal(day: GoogleDay | undefined, nowMs: number): GoogleDay {
  const { isLarge: _, ...today } = withUse(day, {}, nowMs);
  return today.calls > CALLS_PER_DAY.large / 2 ? { ...today, isLarge: true } : today;
}

/** When the next day begins at the earliest. */
export function dayEndMs({ sinceMs }: Pick<GoogleDay, 'sinceMs'>): number {
  return sinceMs + DAY_MS;
}

export function allowancesOf(day: GoogleDay | undefined, nowMs: number): Allowances {
  const { calls, propertyCalls, isLarge } = withUse(day, {}, nowMs);
  const size = isLarge === true ? 'large' : 'small';
  return {
    calls: allowance(calls, CALLS_PER_DAY[size]),
    propertyCalls: allowance(propertyCalls, PROPERTY_CALLS_PER_DAY[size]),
  };
}

function allowance(usedToday: number, perDay: number): Allowance {
  return { usedToday, perDay, isNear: usedToday >= NEAR_SHARE * perDay };
}

/** A day that lies in the future was recorded by a wrong clock. */
function isOver(day: Pick<GoogleDay, 'sinceMs'>, nowMs: number): boolean {
  return nowMs >= dayEndMs(day) || nowMs < day.sinceMs;
}

/** A stored day; undefined for anything else. */
export const parseGoogleDay = (text: string | null | undefined): GoogleDay | undefined =>
  storedAs(text, googleDaySchema()) ?? undefined;

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
    if (day !== null && !isOver(day, nowMs)) return day;
    return { sinceMs: nowMs, usedMs: 0, ...(day?.isLarge === true ? { isLarge: true } : {}) };
  }

  return {
    use() {
      const day = today();
      const perDayMs = day.isLarge === true ? LARGE_RUN_TIME_MS : SMALL_RUN_TIME_MS;
      return { usedMs: day.usedMs, perDayMs, endsMs: dayEndMs(day) };
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

const MINUTE_MS = 60_000;

/** Kept free in the day's allowance for other scripts of the same person. */
const SPARE_MS = 5 * MINUTE_MS;

/** Nothing is begun with less time than this, since reading and marking a list takes most of it. */
export const WORTHWHILE_MS = 25_000;

export interface DayLeft {
  readonly leftMs: number;
  readonly use: RunTimeUse;
  /** When the next day begins, if nothing is left of this one; else null. */
  readonly goesOnMs: number | null;
}

/** What is left of today. Costs one property call. */
export function dayLeft(
  { userStore, clock }: Pick<Platform, 'userStore' | 'clock'>,
  googleDay: GoogleDay | undefined,
): DayLeft {
  const use = runTime(userStore, clock).use();
  const perDayMs = googleDay?.isLarge ? Math.max(LARGE_RUN_TIME_MS, use.perDayMs) : use.perDayMs;
  const leftMs = Math.max(0, perDayMs - SPARE_MS - use.usedMs);
  return {
    leftMs,
    use: { ...use, perDayMs },
    goesOnMs: leftMs > WORTHWHILE_MS ? null : use.endsMs,
  };
}
