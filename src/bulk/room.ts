// Where a run has room to write: past merged cells, and in columns that this person may edit.

import type { Area, Sheet, SheetSize } from '../platform/sheet-ports';
import type { OwnColumns } from './look';

export interface Room {
  /** Where the titles stand or are to stand. */
  readonly headerRow: number;
  /** The first of the columns to be added. */
  readonly firstNew: number;
  /** Whether this person may write into all columns of the run, from the header down. */
  readonly canEdit: boolean;
}

/** @param headerRow 0: the list gets one on top. */
export function roomFor(
  sheet: Sheet,
  size: SheetSize,
  headerRow: number,
  { existing, added }: OwnColumns,
): Room {
  const top = Math.max(1, headerRow);
  const firstNew = added.length === 0 ? size.lastColumn + 1 : firstFreeColumn(sheet, size, top);
  const columns = [...existing.map(({ column }) => column), ...added.map((_, at) => firstNew + at)];
  return { headerRow: top, firstNew, canEdit: canEditColumns(sheet, size, top, columns) };
}

/** The first column that holds nothing and whose title is not part of merged cells. */
function firstFreeColumn(sheet: Sheet, size: SheetSize, headerRow: number): number {
  const { lastColumn, maxColumns } = size;
  const columnCount = maxColumns - lastColumn;
  if (columnCount === 0) return lastColumn + 1;
  const beside = { row: headerRow, column: lastColumn + 1, rowCount: 1, columnCount };
  const ends = (sheet.merges(beside) ?? []).map((merge) => merge.column + merge.columnCount);
  return Math.max(lastColumn + 1, ...ends);
}

function canEditColumns(
  sheet: Sheet,
  { lastRow, maxColumns }: SheetSize,
  headerRow: number,
  columns: readonly number[],
): boolean {
  const rowCount = Math.max(1, lastRow - headerRow + 1);
  const sorted = columns.filter((column) => column <= maxColumns).sort((a, b) => a - b);
  const starts = sorted.filter((column) => !sorted.includes(column - 1));
  return starts.every((column, at) => {
    const next = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const columnCount = sorted.filter((one) => one >= column && one < next).length;
    return sheet.canEdit({ row: headerRow, column, rowCount, columnCount });
  });
}

/**
 * Rows in which cells of a run are merged: what is written there lands elsewhere. A merge that takes
 * in somebody else's cell begins left of a run of columns, so only the first of each is asked about,
 * and the status, without which a row is never done.
 *
 * @param columns those of the run, the status first.
 */
export function mergedRows(
  sheet: Sheet,
  rows: Pick<Area, 'row' | 'rowCount'>,
  columns: readonly number[],
): ReadonlySet<number> {
  const asked = columns.filter((column, at) => at === 0 || !columns.includes(column - 1));
  const merges = asked.flatMap((column) => sheet.merges({ ...rows, column, columnCount: 1 }) ?? []);
  return new Set(
    merges.flatMap(({ row, rowCount }) => Array.from({ length: rowCount }, (_, at) => row + at)),
  );
}
