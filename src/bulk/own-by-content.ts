// Finds a run's status and times under headers that somebody renamed: by what stands below them. Pure.

import { isBlank } from '../analysis/asin';
import type { SheetCell } from '../platform/sheet-ports';
import type { Cells } from './find-columns';
import { type ColumnKey, existingColumns, type KnownColumn } from './our-columns';
import { readStatus } from './row-status';
import { isDate } from './view';

/** Headers come first; only where one is missing do the cells tell. */
export function knownColumns(
  cells: Cells,
  headerRow: number,
  keys: readonly ColumnKey[],
  isTaken: (column: number) => boolean,
): ReadonlyMap<ColumnKey, KnownColumn> {
  const titles: readonly SheetCell[] = cells[headerRow - 1] ?? [];
  const found = new Map(existingColumns(titles, keys, isTaken));
  const add = (key: ColumnKey, column: number | null) => {
    const title = column === null ? '' : String(titles[column - 1] ?? '').trim();
    if (column !== null && title !== '') found.set(key, { key, title, column });
  };
  const status =
    existingColumns(titles, ['status'], () => false).get('status')?.column ??
    statusColumn(cells, headerRow);
  const timed = found.get('at')?.column ?? 0;
  // Without a status nothing tells that times are ours.
  if (status === null && cells.slice(headerRow).some((row) => !isBlank(row[timed - 1])))
    found.delete('at');
  if (keys.includes('status') && !found.has('status')) add('status', status);
  const isFree = (column: number) => [...found.values()].every((one) => one.column !== column);
  if (keys.includes('at') && !found.has('at') && status !== null && isFree(status + 1))
    add('at', timeColumn(cells, headerRow, status));
  return found;
}

/** Nobody else writes what a status says, so a column that holds nothing else is one. */
function statusColumn(cells: Cells, headerRow: number): number | null {
  const rows = cells.slice(headerRow);
  const isStatus = (at: number) => {
    const kinds = rows.map((row) => readStatus(row[at]).kind).filter((kind) => kind !== 'none');
    return kinds.length > 0 && !kinds.includes('foreign');
  };
  const width = Math.max(0, ...rows.map((row) => row.length));
  const at = Array.from({ length: width }, (_, column) => column).find(isStatus);
  return at === undefined ? null : at + 1;
}

/** Times stand right of the status, where runs put them, and in the very rows with an answer. */
function timeColumn(cells: Cells, headerRow: number, status: number): number | null {
  const rows = cells.slice(headerRow).filter((row) => readStatus(row[status - 1]).kind !== 'none');
  const answered = rows.filter((row) => readStatus(row[status - 1]).kind === 'ok');
  const isTime = (row: readonly SheetCell[]) => isDate(row[status]);
  const fits = answered.length > 0 && answered.every(isTime);
  return fits && rows.filter(isTime).length === answered.length ? status + 1 : null;
}
