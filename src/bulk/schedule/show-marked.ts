// Shows the rows that a rule marked: found by what stands in the column "What changed".

import type { Failure } from '../../analysis/failure';
import type { Sheet, SheetPlatform } from '../../platform/sheet-ports';
import { existingColumns } from '../our-columns';
import { showRows } from '../show-rows';
import { marksSince } from './change-mark';
import type { ZoneOffset } from './recurrence';

/** A header further down than this is not looked for. */
const HEADER_ROWS_MAX = 20;

/** Columns of a list that are looked at. */
const COLUMNS_MAX = 200;

/**
 * Selects the rows marked since a moment, on the one of the sheets that has most of them; how many
 * were selected.
 *
 * @param words what the rule says.
 */
export function showMarked(
  platform: SheetPlatform,
  sheetIds: readonly number[],
  words: string,
  sinceMs: number,
  zone: ZoneOffset,
): number | Failure {
  const nowMs = platform.clock.nowMs();
  const found = [...new Set(sheetIds)].flatMap((id) => {
    const sheet = platform.spreadsheet.sheet(id);
    if (sheet === null) return [];
    const cells = markCells(sheet);
    const rows = cells.flatMap(({ row, cell }) =>
      marksSince(cell, words, sinceMs, nowMs, zone) ? [row] : [],
    );
    return rows.length === 0 ? [] : [{ id, rows }];
  });
  const [most] = found.sort((one, other) => other.rows.length - one.rows.length);
  return most === undefined ? 0 : showRows(platform, most.id, most.rows);
}

/** The cells below the header "What changed"; none where there is no such column. */
function markCells(sheet: Sheet) {
  const size = sheet.size();
  if (size === null || size.lastRow === 0) return [];
  const rowCount = Math.min(HEADER_ROWS_MAX, size.lastRow);
  const columnCount = Math.min(COLUMNS_MAX, size.lastColumn);
  const top = sheet.values({ row: 1, column: 1, rowCount, columnCount }) ?? [];
  for (const [at, titles] of top.entries()) {
    const column = existingColumns(titles, ['change'], () => false).get('change')?.column;
    if (column === undefined) continue;
    const rows = size.lastRow - at - 1;
    const area = { row: at + 2, column, rowCount: rows, columnCount: 1 };
    const cells = rows === 0 ? [] : (sheet.values(area) ?? []);
    return cells.map(([cell], down) => ({ row: at + 2 + down, cell }));
  }
  return [];
}
