// In which order a schedule takes what is due where it cannot take all: the stalest first, or starred ones before them.

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

/** Whether a product was called that comes after one that was left. The first of its rows counts. */
export function isOutOfOrder(schedule: LiveSchedule, { rows, left, calls }: Taken): boolean {
  const { task } = schedule.settings;
  if (task.kind !== 'list') return false;
  const starsFirst = task.order === 'starred';
  const turns = new Map<string, number>();
  for (const row of rows.filter((each) => isMeant(schedule, each))) {
    const isOwn = row.status.kind === 'ok' && row.status.asin === row.asin;
    const staleMs = isOwn ? (row.atMs ?? 0) : 0;
    const turn = starsFirst && row.isStarred ? staleMs - Number.MAX_SAFE_INTEGER / 2 : staleMs;
    turns.set(row.asin, Math.min(turn, turns.get(row.asin) ?? turn));
  }
  // What failed was tried, and its age is not that of its figures.
  const waiting = left
    .filter(({ status }) => status.kind !== 'failed')
    .map(({ asin }) => turns.get(asin) ?? Number.POSITIVE_INFINITY);
  const first = Math.min(Number.POSITIVE_INFINITY, ...waiting);
  return calls.some(({ asin }) => (turns.get(asin) ?? 0) > first);
}
