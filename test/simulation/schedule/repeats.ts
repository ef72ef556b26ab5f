// Products that the clock called twice within their max age, which only cut-off executions may.

import type { Call, MonthWorld } from './month-world';
import type { SeenRow } from './rows';
import { isMeant, type LiveSchedule, maxAgeMs } from './rules';

export interface Repeats {
  /** What was called although an answer was known that is young enough, in words. */
  readonly check: (asked: Asked) => readonly string[];
  /** An execution made these calls and was cut off. */
  readonly cutOff: (calls: readonly Call[]) => void;
  /** How many calls were repeated, explained or not. */
  readonly count: () => number;
}

interface Asked {
  readonly calls: readonly Call[];
  /** Those that may have asked. */
  readonly schedules: readonly LiveSchedule[];
  /** As they stood before and after. */
  readonly rows: readonly SeenRow[];
}

/**
 * No product is called while an answer younger than the max age is known, which is that of the
 * strictest schedule that keeps the product fresh. What an execution that was cut off had asked and
 * not saved is asked again, and no more calls than that for each execution.
 *
 * @param unsavedMax calls whose answers may be known to one execution alone.
 */
export function createRepeats(callsOf: MonthWorld['callsOf'], unsavedMax: number): Repeats {
  const unsaved: { left: number; readonly asins: ReadonlySet<string> }[] = [];
  let repeated = 0;
  return {
    check: ({ calls, schedules, rows }) =>
      calls.flatMap(({ asin, atMs }) => {
        const before = callsOf(asin).findLast((one) => one.atMs < atMs && one.isSettled);
        const ageMs = atMs - (before?.atMs ?? Number.NEGATIVE_INFINITY);
        const about = rows.filter((row) => row.asin === asin);
        // Of a product that came and went during the firing nobody knows whose it was.
        const meant = schedules.filter(
          (one) => about.length === 0 || about.some((row) => isMeant(one, row)),
        );
        if (ageMs >= Math.min(...meant.map(maxAgeMs))) return [];
        repeated += 1;
        const cut = unsaved.find(({ left, asins }) => left > 0 && asins.has(asin));
        if (cut !== undefined) cut.left -= 1;
        return cut === undefined ? [`${asin} was called after ${ageMs / 60_000} min again`] : [];
      }),
    cutOff: (calls) =>
      unsaved.push({ left: unsavedMax, asins: new Set(calls.map(({ asin }) => asin)) }),
    count: () => repeated,
  };
}
