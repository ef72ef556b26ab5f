// Reads the columns of a list as rows: one call for each column, however wide the sheet is.

import type { Area, Sheet, SheetCell, SheetSize } from '../platform/sheet-ports';
import { type ColumnKey, OWN_KEYS } from './our-columns';
import { mergedRows } from './room';
import { type MarketRule, type Row, readRow } from './rows';

/** Rows may have come since the sheet was measured: so many more are read, as far as there are any. */
const MORE_ROWS = 20;

/**
 * All rows below the header, null if rows went while they were read. A column that is not there yet
 * reads as empty.
 *
 * @param locksMerged whether merged cells are looked for, as long as rows are still to be chosen.
 */
export function readRows(
  sheet: Sheet,
  { lastRow, maxRows }: SheetSize,
  headerRow: number,
  columnFor: (key: ColumnKey) => number | undefined,
  rule: MarketRule,
  locksMerged = false,
): readonly Row[] | null {
  const rowCount = Math.min(lastRow + MORE_ROWS, maxRows) - headerRow;
  if (lastRow <= headerRow) return [];
  let isWhole = true;
  const on = <T>(
    key: ColumnKey,
    look: (area: Area) => readonly (readonly T[])[] | null,
    columnCount = 1,
  ) => {
    const column = columnFor(key);
    if (column === undefined || !isWhole) return [];
    const cells = look({ row: headerRow + 1, column, rowCount, columnCount });
    isWhole = cells !== null;
    return cells ?? [];
  };
  const values = (key: ColumnKey, columnCount = 1) => on<SheetCell>(key, sheet.values, columnCount);
  const [products, markets] = [values('product'), values('market')];
  // These two stand side by side unless somebody moved one.
  const isPair = columnFor('at') === (columnFor('status') ?? 0) + 1;
  const statuses = values('status', isPair ? 2 : 1);
  const moments = isPair ? statuses.map((cells) => cells.slice(1)) : values('at');
  const formulas = on('status', sheet.formulas);
  if (!isWhole) return null;
  const columns = !locksMerged ? [] : OWN_KEYS.flatMap((key) => columnFor(key) ?? []);
  const merged = mergedRows(sheet, { row: headerRow + 1, rowCount }, columns);
  const lock = (row: Row) =>
    merged.has(row.row) ? { ...row, isLocked: true, isMerged: true } : row;
  return products.map(([product], down) => {
    const [market, status, at] = [markets[down]?.[0], statuses[down]?.[0], moments[down]?.[0]];
    const statusFormula = formulas[down]?.[0];
    const cells = { product, market, status, at, statusFormula };
    return lock(readRow(headerRow + 1 + down, cells, rule));
  });
}
