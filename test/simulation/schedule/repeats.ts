// Products that the clock called twice within their max age, which only cut-off executions may.

import type { Call, MonthWorld } from './month-world';
import { type LiveSchedule, maxAgeMs } from './rules';

export interface Repeats {
  /** What a firing called although a younger answer was known, in words. */
  readonly check: (schedules: readonly LiveSchedule[], calls: readonly Call[]) => readonly string[];
  /** An execution made these calls and was cut off. */
  readonly cutOff: (calls: readonly Call[]) => void;
  /** How many calls were repeated, explained or not. */
  readonly count: () => number;
}

/**
 * No product is called while an answer younger than the max age is known. What an execution that was
 * cut off had asked and not saved is asked again: its last chunk, which is what comes between two
 * writes, and no more calls than that for each execution.
 */
export function createRepeats(callsOf: MonthWorld['callsOf'], chunkCalls: number): Repeats {
  const unsaved: { left: number; readonly asins: ReadonlySet<string> }[] = [];
  let repeated = 0;
  return {
    check(schedules, calls) {
      const youngestMs = Math.min(...schedules.filter(({ isOn }) => isOn).map(maxAgeMs));
      return calls.flatMap(({ asin, atMs }) => {
        const before = callsOf(asin).findLast((one) => one.atMs < atMs && one.isSettled);
        const ageMs = atMs - (before?.atMs ?? Number.NEGATIVE_INFINITY);
        if (ageMs >= youngestMs) return [];
        repeated += 1;
        const cut = unsaved.find(({ left, asins }) => left > 0 && asins.has(asin));
        if (cut !== undefined) cut.left -= 1;
        return cut === undefined ? [`${asin} was called after ${ageMs / 60_000} min again`] : [];
      });
    },
    cutOff: (calls) =>
      unsaved.push({ left: chunkCalls, asins: new Set(calls.map(({ asin }) => asin)) }),
    count: () => repeated,
  };
}
