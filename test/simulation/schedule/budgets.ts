// Calls of each schedule by the hour, from the service's book: a budget that runs out ends a firing.

import type { Call } from './month-world';
import type { SeenRow } from './rows';
import { isMeant, type LiveSchedule } from './rules';

const HOUR_MS = 3_600_000;
const hourOf = (atMs: number) => Math.floor(atMs / HOUR_MS);

/** A run tells what it has called every two seconds; what came later is unknown once it is cut off. */
const UNTOLD_MS = 4_000;

interface Judged {
  /** Those that may have made the calls. */
  readonly schedules: readonly LiveSchedule[];
  readonly calls: readonly Call[];
  /** What UrlFetchApp failed to send: it counts as called, as nobody can tell. */
  readonly unsent: readonly Pick<Call, 'asin' | 'atMs'>[];
  /** As they stood before and after. */
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

/** A run belongs to the hour in which it begins, so its calls count there, also those after the full hour. */
export function createBudgets(): Budgets {
  /** Calls that a schedule may have made, and those that nobody else can have, by id and hour. */
  const all = new Map<string, number>();
  const own = new Map<string, number>();
  const add = (counts: Map<string, number>, name: string, count: number) =>
    counts.set(name, (counts.get(name) ?? 0) + count);
  let hours: readonly number[] = [];

  function count({ schedules, calls, unsent, rows, isKilled, startedMs, endedMs }: Judged) {
    const first = hourOf(startedMs);
    hours = [...new Set([first, hourOf(endedMs)])];
    const toldMs = isKilled ? endedMs - UNTOLD_MS : endedMs;
    for (const call of [...calls, ...unsent]) {
      const { asin, atMs } = call;
      const about = rows.filter((row) => row.asin === asin);
      // A product that came and went during the firing was anybody's.
      const meant = schedules.filter(
        (one) => about.length === 0 || about.some((row) => isMeant(one, row)),
      );
      // Of a firing over the full hour nobody outside can tell when its later runs began.
      const counted = hourOf(atMs) === first ? [first] : hours;
      for (const { id } of meant) for (const hour of counted) add(all, `${id} ${hour}`, 1);
      const [only, ...others] = unsent.includes(call) ? [] : meant;
      if (only && others.length === 0 && counted.length === 1 && atMs <= toldMs)
        add(own, `${only.id} ${first}`, 1);
    }
    return schedules.flatMap(({ id, settings: { callsPerHour } }) => {
      const spent = own.get(`${id} ${first}`) ?? 0;
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
