// Run time: how much of a day's allowance the runs by the clock have used, kept with their owner.

import type { Clock, Store } from '../platform/ports';
import { dayEndMs, isOver } from './google-day';

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
  /** When the next day can begin. */
  readonly endsMs: number;
}

export interface RunTime {
  /** One property call. */
  use(): RunTimeUse;
  /**
   * Counts a run by the clock that is about to end. Being started at all when the small allowance is
   * used up proves the large one. Two property calls.
   */
  took(durationMs: number): void;
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
    use() {
      const day = today();
      const perDayMs = day.isLarge === true ? LARGE_MS : SMALL_MS;
      return { usedMs: day.usedMs, perDayMs, endsMs: dayEndMs(day) };
    },
    took(durationMs) {
      const day = today();
      const usedMs = day.usedMs + durationMs;
      const next = { ...day, usedMs, ...(day.usedMs >= SMALL_MS ? { isLarge: true } : {}) };
      store.write(NAME, JSON.stringify(next));
    },
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
