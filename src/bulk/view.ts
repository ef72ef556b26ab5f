// A view of a part of the sheet: its headers, and a block of rows with what stands around them.

import type { Area, Sheet, SheetCell, SheetSize } from '../platform/sheet-ports';
import type { Cells } from './find-columns';
import { HEADER_DRIFT_ROWS } from './our-columns';

export interface Block {
  /** The columns of the layout, whatever stands between them, and some more. */
  readonly area: Area;
  readonly values: Cells;
  readonly formulas: readonly (readonly string[])[];
}

export interface View {
  /** The sheet's first rows, from row 1 and column 1 on, some more than the header's. */
  readonly top: Cells;
  readonly block: Block;
}

/** What is looked at, before a write and after it. */
export interface Frame {
  readonly area: Area;
  readonly top: Area;
  /** The block holds the first rows as well: one reading instead of two, and no instant between. */
  readonly isWhole: boolean;
}

/** What is filled may have grown since it was measured: columns are pasted beside a list. */
const EMPTY_MARGIN = 6;

/** Reading so many cells takes no longer than one more call, some 40 ms. */
const WHOLE_CELLS_MAX = 5_000;

/**
 * @param reach the last column whose header counts.
 * @param margin so many columns around the area are looked at: what moves into it can be put back.
 */
export function frameAround(
  { row, column, rowCount, columnCount }: Area,
  headerRow: number,
  reach: number,
  margin: number,
  { lastColumn: filled, maxRows, maxColumns }: SheetSize,
): Frame {
  const end = (last: number, around: number) =>
    Math.min(Math.max(last, Math.min(last + around, filled + EMPTY_MARGIN)), maxColumns);
  const lastRow = Math.min(row + rowCount - 1, maxRows);
  const lastColumn = end(column + columnCount - 1, margin);
  const topRows = Math.min(headerRow + HEADER_DRIFT_ROWS, maxRows);
  const width = end(Math.max(reach, column + columnCount - 1), EMPTY_MARGIN);
  const top = areaOf(1, 1, topRows, width);
  const height = Math.max(lastRow, topRows);
  const isWhole = height * width <= WHOLE_CELLS_MAX;
  if (isWhole) return { top, isWhole, area: areaOf(1, 1, height, width) };
  return { top, isWhole, area: areaOf(row, Math.max(1, column - margin), lastRow, lastColumn) };
}

function areaOf(row: number, column: number, lastRow: number, lastColumn: number): Area {
  return { row, column, rowCount: lastRow - row + 1, columnCount: lastColumn - column + 1 };
}

/**
 * The headers last: nothing is nearer to the write that follows. null: rows or columns went.
 *
 * @param known the headers as they were seen a moment ago: saves reading them by themselves.
 */
export function viewBefore(
  sheet: Sheet,
  { area, top, isWhole }: Frame,
  known: Cells | null = null,
): View | null {
  const formulas = sheet.formulas(area);
  const values = formulas && sheet.values(area);
  if (formulas === null || values === null) return null;
  const titles = isWhole ? values.slice(0, top.rowCount) : (known ?? sheet.values(top));
  return titles && { top: titles, block: { area, values, formulas } };
}

/** The headers first: the reading that empties the write buffer sees them as the write met them. */
export function viewAfter(sheet: Sheet, { area, top, isWhole }: Frame): View | null {
  const titles = isWhole ? [] : sheet.values(top);
  const values = titles && sheet.values(area);
  if (titles === null || values === null) return null;
  return {
    top: isWhole ? values.slice(0, top.rowCount) : titles,
    block: { area, values, formulas: [] },
  };
}

export function valueAt({ area, values }: Block, row: number, column: number): SheetCell {
  return values[row - area.row]?.[column - area.column] ?? '';
}

export function formulaAt({ area, formulas }: Block, row: number, column: number): string {
  return formulas[row - area.row]?.[column - area.column] ?? '';
}

export const rowsOf = ({ row, rowCount }: Area): readonly number[] =>
  Array.from({ length: rowCount }, (_, down) => row + down);

export const columnsOf = ({ column, columnCount }: Area): readonly number[] =>
  Array.from({ length: columnCount }, (_, right) => column + right);

export function isWithin({ row, column, rowCount, columnCount }: Area, at: number, across: number) {
  return at >= row && at < row + rowCount && across >= column && across < column + columnCount;
}

/** Equal for cells that hold the same. */
export function cellKey(cell: SheetCell): string {
  if (typeof cell === 'string') return `'${cell}`;
  return typeof cell === 'object' ? `d${Number(cell)}` : String(cell);
}

/** Dates of a sheet need not be made by this script's own `Date`. */
export const isDate = (cell: SheetCell | undefined): boolean =>
  Object.prototype.toString.call(cell) === '[object Date]';
