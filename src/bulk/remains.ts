// What a run has left where nothing of it belongs, after columns moved under its writing. Pure.

import { columnOf, type Layout, located } from './our-columns';
import { readStatus } from './row-status';
import { columnsOf, rowsOf, type View, valueAt } from './view';

/**
 * Whether more statuses stand outside their column than before: nobody else writes such texts, so
 * something was not put back.
 */
export function hasRemains(layout: Layout, before: View, after: View | null): boolean {
  if (after === null) return true;
  const now = located(layout, after.top);
  if (typeof now === 'string') return false;
  return strayStatuses(after, now) > strayStatuses(before, layout);
}

function strayStatuses({ block }: View, layout: Layout): number {
  const columns = columnsOf(block.area).filter((column) => column !== columnOf(layout, 'status'));
  const isStatus = (row: number, column: number) =>
    ['ok', 'failed', 'queued'].includes(readStatus(valueAt(block, row, column)).kind);
  return rowsOf(block.area).reduce(
    (sum, row) => sum + columns.filter((column) => isStatus(row, column)).length,
    0,
  );
}
