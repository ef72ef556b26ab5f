// In which order a schedule takes what is due where it cannot take all: the stalest first.

import type { Call } from './month-world';
import type { SeenRow } from './rows';
import { isMeant, type LiveSchedule } from './rules';

interface Taken {
  /** As they stood when the clock struck. */
  readonly rows: readonly SeenRow[];
  /** Rows that were due and still are. */
  readonly left: readonly SeenRow[];
  readonly calls: readonly Call[];
}

/** Whether a product was called that is fresher than one that was left. The stalest of its rows counts. */
export function isOutOfOrder(schedule: LiveSchedule, { rows, left, calls }: Taken): boolean {
  const { task } = schedule.settings;
  if (task.kind !== 'list' || task.order !== 'stalest') return false;
  const ageOf = new Map<string, number>();
  for (const row of rows.filter((each) => isMeant(schedule, each))) {
    const isOwn = row.status.kind === 'ok' && row.status.asin === row.asin;
    const atMs = isOwn ? (row.atMs ?? 0) : 0;
    ageOf.set(row.asin, Math.min(atMs, ageOf.get(row.asin) ?? atMs));
  }
  // What failed was tried, and its age is not that of its figures.
  const leftMs = left
    .filter(({ status }) => status.kind !== 'failed')
    .map(({ asin }) => ageOf.get(asin) ?? Number.POSITIVE_INFINITY);
  const stalestMs = Math.min(Number.POSITIVE_INFINITY, ...leftMs);
  return calls.some(({ asin }) => (ageOf.get(asin) ?? 0) > stalestMs);
}
