// Run time: how much of a day's allowance the runs by the clock have used, kept with their owner.

import type { Clock, Store } from '../platform/ports';
import { dayEndMs, isOver, NEAR_SHARE } from './google-day';

/** "Quotas for Google services": triggers' total run time, for a consumer's account and a company's. */
const SMALL_MS = 90 * 60_000;
const LARGE_MS = 6 * 3_600_000;

const NAME = 'run-time';

interface RunDay {
  readonly sinceMs: number;
  readonly usedMs: number;
  readonly isLarge?: true;
}

export interface RunTimeUse {
  readonly usedMs: number;
  readonly perDayMs: number;
  /** Four fifths are used. */
  readonly isNear: boolean;
  /** Set where nothing is left: when the next day can begin. */
  readonly goesOnMs?: number;
}

export interface RunTime {
  /** One property call. */
  use(): RunTimeUse;
  /** When the next day can begin. One property call. */
  endsMs(): number;
  /**
   * For a run that the clock started: may it take `neededMs`? Being started at all when the small
   * allowance is used up proves the large one. The last run of a day may overshoot a little: a run
   * that Google let begin it also lets end.
   */
  mayTake(neededMs: number): { readonly ok: true } | { readonly ok: false; goesOnMs: number };
  /** Counts a run by the clock that is about to end. Two property calls. */
  took(durationMs: number): RunTimeUse;
}

/** @param store the user's own, as the allowance is. */
export function runTime(store: Store, clock: Clock): RunTime {
  function today(): RunDay {
    const nowMs = clock.nowMs();
    const day = parse(store.read(NAME));
    if (day !== undefined && !isOver(day, nowMs)) return day;
    return { sinceMs: nowMs, usedMs: 0, ...(day?.isLarge === true ? { isLarge: true } : {}) };
  }

  return {
    use: () => reportOf(today()),
    endsMs: () => dayEndMs(today()),
    mayTake(neededMs) {
      const day = today();
      const isSmall = day.usedMs < SMALL_MS;
      return isSmall || day.usedMs + neededMs <= LARGE_MS
        ? { ok: true }
        : { ok: false, goesOnMs: dayEndMs(day) };
    },
    took(durationMs) {
      const day = today();
      const wasUsedUp = day.usedMs >= SMALL_MS;
      const next: RunDay = {
        sinceMs: day.sinceMs,
        usedMs: day.usedMs + durationMs,
        ...(day.isLarge === true || wasUsedUp ? { isLarge: true } : {}),
      };
      store.write(NAME, JSON.stringify(next));
      return reportOf(next);
    },
  };
}

function reportOf(day: RunDay): RunTimeUse {
  const { usedMs, isLarge } = day;
  const perDayMs = isLarge === true ? LARGE_MS : SMALL_MS;
  return {
    usedMs,
    perDayMs,
    isNear: usedMs >= NEAR_SHARE * perDayMs,
    ...(usedMs >= perDayMs ? { goesOnMs: dayEndMs(day) } : {}),
  };
}

function parse(text: string | null): RunDay | undefined {
  try {
    const day = JSON.parse(text ?? 'null') as Partial<RunDay> | null;
    return Number.isFinite(day?.sinceMs) && Number.isFinite(day?.usedMs)
      ? (day as RunDay)
      : undefined;
  } catch {
    return undefined;
  }
}
