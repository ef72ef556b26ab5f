// Calls of each schedule by the hour, from the service's book: a budget that runs out ends a firing.

import type { Call } from './month-world';
import type { SeenRow } from './rows';
import { isMeant, type LiveSchedule } from './rules';

const HOUR_MS = 3_600_000;
const hourOf = (atMs: number) => Math.floor(atMs / HOUR_MS);

interface Judged {
  readonly schedules: readonly LiveSchedule[];
  readonly calls: readonly Call[];
  readonly rows: readonly SeenRow[];
  readonly isKilled: boolean;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface Budgets {
  /** Counts a firing's calls and tells what was overspent. */
  readonly count: (firing: Judged) => readonly string[];
  /** Whether nothing was left of this firing's hour. */
  readonly isSpent: (schedule: LiveSchedule) => boolean;
}

export function createBudgets(): Budgets {
  /** Calls about rows of a schedule, and those that were about rows of no other, by id and hour. */
  const all = new Map<string, number>();
  const own = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string, count: number) =>
    counts.set(name, (counts.get(name) ?? 0) + count);
  let hours: readonly number[] = [];

  function count({ schedules, calls, rows, isKilled, startedMs, endedMs }: Judged) {
    // A firing over the full hour may be counted in either.
    hours = [...new Set([hourOf(startedMs), hourOf(endedMs)])];
    for (const { asin } of calls) {
      const about = rows.filter((row) => row.asin === asin);
      const meant = schedules.filter((schedule) => about.some((row) => isMeant(schedule, row)));
      for (const { id } of meant) for (const hour of hours) add(all, `${id} ${hour}`, 1);
      const [only, ...others] = meant;
      // What was cut off could not be noted; what fell into two hours is in doubt.
      if (only && others.length === 0 && !isKilled && hours.length === 1)
        add(own, `${only.id} ${hours[0]}`, 1);
    }
    return schedules.flatMap(({ id, settings: { callsPerHour } }) => {
      const spent = own.get(`${id} ${hours[0]}`) ?? 0;
      return callsPerHour !== null && spent > callsPerHour && calls.length > 0
        ? [`${id} made ${spent} calls in an hour, of ${callsPerHour}`]
        : [];
    });
  }

  return {
    count,
    isSpent: ({ id, settings: { callsPerHour } }) =>
      callsPerHour !== null &&
      hours.some((hour) => (all.get(`${id} ${hour}`) ?? 0) >= callsPerHour),
  };
}
