// Reads the cells that formulas refer to: each column of a sheet once, however many formulas name it.

import { FORMULA_CELLS_MAX } from '../../../analysis/cells';
import type { Area, Sheet, SheetCell, Spreadsheet } from '../../../platform/sheet-ports';
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
  const columns = new Map<number, ReturnType<typeof columnReader>>();
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
    // Too large for any of the functions, which say so by its number of cells alone.
    if (area.rowCount * area.columnCount > FORMULA_CELLS_MAX)
      return Array.from({ length: FORMULA_CELLS_MAX + 1 }, () => ['']);
    const column = columns.get(on.sheet.id) ?? columnReader(on);
    columns.set(on.sheet.id, column);
    const rows = rowsOf(area, column);
    return area.rowCount * area.columnCount === 1 ? rows[0]?.[0] : rows;
  };
}

function rowsOf(area: Area, column: (number: number) => readonly SheetCell[]) {
  const columns = Array.from({ length: area.columnCount }, (_, right) =>
    column(area.column + right),
  );
  return Array.from({ length: area.rowCount }, (_, down) =>
    columns.map((cells) => cells[area.row - 1 + down] ?? ''),
  );
}

/** Columns side by side are read together, as many as make one read worth its time. */
function columnReader({ sheet, size }: FormulaSheet): (column: number) => readonly SheetCell[] {
  const { lastRow, lastColumn } = size;
  const together = Math.max(1, Math.floor(CELLS_PER_READ / Math.max(1, lastRow)));
  const groups = new Map<number, readonly (readonly SheetCell[])[]>();
  return (column) => {
    if (column > lastColumn) return [];
    const group = Math.floor((column - 1) / together);
    const known = groups.get(group) ?? readColumns(sheet, group * together + 1, together, size);
    groups.set(group, known);
    return known[(column - 1) % together] ?? [];
  };
}

function readColumns(
  sheet: Sheet,
  first: number,
  count: number,
  { lastRow, lastColumn }: FormulaSheet['size'],
): readonly (readonly SheetCell[])[] {
  const columnCount = Math.min(count, lastColumn - first + 1);
  const rows = sheet.values({ row: 1, column: first, rowCount: lastRow, columnCount }) ?? [];
  return Array.from({ length: columnCount }, (_, right) => rows.map((row) => row[right] ?? ''));
}
