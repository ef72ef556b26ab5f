// Reads the cells that formulas refer to: each column of a sheet once, however many formulas name it.

import { FORMULA_CELLS_MAX } from '../../../analysis/cells';
import type { Sheet, SheetCell, Spreadsheet } from '../../../platform/sheet-ports';
import type { FormulaSheet } from './find';
import { areaOf, type Reference } from './reference';

/** A read costs about a tenth of a second, whatever its size, and 10,000 cells about as much again. */
const CELLS_PER_READ = 20_000;

/** An argument that only Sheets can work out. */
export const UNKNOWN = Symbol('unknown');

/** What a reference in a formula on a sheet stands for, or `UNKNOWN`. */
export type CellReader = (reference: Reference, own: FormulaSheet) => unknown;

/** A single cell is its value and several are rows, as a custom function gets them. */
export function cellReader(spreadsheet: Spreadsheet): CellReader {
  const readers = new Map<number, ReturnType<typeof readerOf>>();
  let byName: ReadonlyMap<string, FormulaSheet> | undefined;

  function sheetOf(name: string): FormulaSheet | undefined {
    byName ??= new Map(
      spreadsheet.sheets().flatMap((sheet) => {
        const size = sheet.size();
        return size === null ? [] : [[String(sheet.name()).toLowerCase(), { sheet, size }]];
      }),
    );
    return byName.get(name.toLowerCase());
  }

  return (reference, own) => {
    const on = reference.sheetName === null ? own : sheetOf(reference.sheetName);
    const area = on && areaOf(reference, on.size);
    if (on === undefined || area === undefined || area === null) return UNKNOWN;
    const { row, column, rowCount, columnCount } = area;
    // Too large for any of the functions, which say so by its number of cells alone.
    if (rowCount * columnCount > FORMULA_CELLS_MAX)
      return Array.from({ length: FORMULA_CELLS_MAX + 1 }, () => ['']);
    const cellAt = readers.get(on.sheet.id) ?? readerOf(on);
    readers.set(on.sheet.id, cellAt);
    if (rowCount * columnCount === 1) return cellAt(row, column);
    return Array.from({ length: rowCount }, (_, down) =>
      Array.from({ length: columnCount }, (_, right) => cellAt(row + down, column + right)),
    );
  };
}

/** Columns side by side are read together, as many as make one read worth its time. */
function readerOf({ sheet, size }: FormulaSheet): (row: number, column: number) => SheetCell {
  const { lastRow: rowCount, lastColumn } = size;
  const together = Math.max(1, Math.floor(CELLS_PER_READ / Math.max(1, rowCount)));
  const groups = new Map<number, ReturnType<Sheet['values']>>();
  return (row, column) => {
    if (column > lastColumn) return '';
    const first = column - ((column - 1) % together);
    const columnCount = Math.min(together, lastColumn - first + 1);
    const known =
      groups.get(first) ?? sheet.values({ row: 1, column: first, rowCount, columnCount }) ?? [];
    groups.set(first, known);
    return known[row - 1]?.[column - first] ?? '';
  };
}
