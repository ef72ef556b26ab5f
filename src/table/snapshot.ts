// A snapshot of a part of the sheet, with headers and rows, and what moved between two snapshots.

import type { Area, Sheet, SheetCell, SheetSize } from '../platform/ports';
import { type Cells, type ColumnKey, columnOf, HEADER_DRIFT_ROWS, type Layout } from './columns';
import { identityOf, isMisplaced, type Row, type RowRule, readRow } from './row';
import { withoutKept } from './status';

export interface Block {
  /** All columns from the layout's first to its last, with a margin. */
  readonly area: Area;
  readonly values: Cells;
  readonly formulas: readonly (readonly string[])[];
}

export interface View {
  /** The sheet's first rows from row 1 and column 1 on, including some below the header. */
  readonly top: Cells;
  readonly block: Block;
}

/** The area to read before and after a write. */
export interface Frame {
  readonly area: Area;
  readonly top: Area;
  /**
   * Whether the block includes the first rows, so that a single reading covers both at the same
   * instant.
   */
  readonly isWhole: boolean;
}

/**
 * The filled area may have grown since it was measured, as when columns are pasted beside a list.
 */
const EMPTY_MARGIN = 6;

/** Reading this many cells takes no longer than one more call, about 40 ms. */
const WHOLE_CELLS_MAX = 5_000;
/** Reading this many superfluous cells three times takes no longer than the call that it saves. */
const MORE_CELLS_MAX = 3_500;

/**
 * @param reach the last column whose header matters.
 * @param margin how many columns around the area are read, so that content that moves into it can
 * be restored.
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
  const part = areaOf(row, Math.max(1, column - margin), lastRow, lastColumn);
  const cells = height * width;
  const isWhole =
    cells <= WHOLE_CELLS_MAX || cells - part.rowCount * part.columnCount <= MORE_CELLS_MAX;
  return { top, isWhole, area: isWhole ? areaOf(1, 1, height, width) : part };
}

function areaOf(row: number, column: number, lastRow: number, lastColumn: number): Area {
  return { row, column, rowCount: lastRow - row + 1, columnCount: lastColumn - column + 1 };
}

/**
 * Reads the headers last, as close as possible to the write that follows. null: rows or columns
 * were deleted.
 *
 * @param known the headers as read a moment ago, which saves reading them separately.
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

/**
 * Reads the headers first: that call makes Google carry out buffered writes, so it shows the
 * headers as the write met them.
 */
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

/** A text that is equal for cells with the same content. */
export function cellKey(cell: SheetCell): string {
  if (typeof cell === 'string') return `'${cell}`;
  return typeof cell === 'object' ? `d${Number(cell)}` : String(cell);
}

/** The intended content of a row, and the product it is for. */
export interface Result {
  readonly identity: string;
  readonly cells: ReadonlyMap<ColumnKey, SheetCell>;
}

/** The area from the layout's first column to its last. */
export function blockArea({ columns }: Layout, firstRow: number, lastRow: number): Area {
  const places = columns.map(({ column }) => column);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const rowCount = lastRow - firstRow + 1;
  return { row: firstRow, column: first, rowCount, columnCount: last - first + 1 };
}

export function rowsOfBlock(block: Block, layout: Layout, rule: RowRule): readonly Row[] {
  const at = (key: ColumnKey) => (columnOf(layout, key) ?? 0) - block.area.column;
  return block.values.map((cells, down) =>
    readRow(
      block.area.row + down,
      {
        product: cells[at('product')],
        market: cells[at('market')],
        status: cells[at('status')],
        statusFormula: block.formulas[down]?.[at('status')],
        at: cells[at('at')],
      },
      rule,
    ),
  );
}

export interface Arrival {
  /** Rows that do not hold what was written, because they moved or rejected it. */
  readonly failed: readonly number[];
  /** The products of rows whose mark was erased by a write meant for another row. */
  readonly erased: readonly string[];
  /** A row that was only rewritten unchanged has moved, so another row now holds its figures. */
  readonly hasStrays: boolean;
}

export function arrivalOf(
  back: Block,
  before: Block,
  layout: Layout,
  rule: RowRule,
  written: readonly number[],
  results: ReadonlyMap<number, Result>,
): Arrival {
  const rows = new Map(rowsOfBlock(back, layout, rule).map((row) => [row.row, row]));
  const isThere = (number: number) => {
    const [row, result] = [rows.get(number), results.get(number)];
    if (row === undefined || result === undefined || identityOf(row) !== result.identity)
      return false;
    return withoutKept(row.statusText.trim()) === String(result.cells.get('status') ?? '').trim();
  };
  const failed = written.filter((number) => !isThere(number));
  const erased = failed.flatMap((number) => {
    const row = rows.get(number);
    const isEmptied = (results.get(number)?.cells.get('status') ?? '') === '';
    return row?.status.kind === 'none' && isEmptied ? [identityOf(row)] : [];
  });
  const rowsBefore = new Map(rowsOfBlock(before, layout, rule).map((row) => [row.row, row]));
  const hasStrays = [...rows.values()].some((row) => {
    const one = rowsBefore.get(row.row);
    const isSame = one?.statusText === row.statusText && identityOf(one) === identityOf(row);
    return isMisplaced(row) && !isSame;
  });
  return { failed, erased, hasStrays };
}

/** The former column by present column. New columns and ambiguous ones are missing. */
export type Origins = ReadonlyMap<number, number>;

export type IsWritten = (row: number, column: number) => boolean;

const textOf = (cell: SheetCell | undefined) => String(cell ?? '').trim();

/** Titles by column; '' if there is none or a write has overwritten it. */
function titlesOf({ top }: View, headerRow: number, width: number, isWritten: IsWritten) {
  return Array.from({ length: width }, (_, at) =>
    isWritten(headerRow, at + 1) ? '' : textOf(top[headerRow - 1]?.[at]),
  );
}

/** By column, what the first rows hold apart from the title, in sorted order. */
function cellsOf({ top }: View, headerRow: number, width: number) {
  const rows = top.filter((_, at) => at + 1 !== headerRow);
  return Array.from({ length: width }, (_, at) =>
    rows
      .map((row) => textOf(row[at]))
      .sort()
      .join('\n')
      .trim(),
  );
}

const widthOf = ({ top }: View) => Math.max(0, ...top.map((row) => row.length));

const NOT_WRITTEN: IsWritten = () => false;

/**
 * The former place of each column. A column without a title, or with an overwritten one, is
 * identified by the cells below it, unless they were written to: the same figures may have been
 * written again. If all other columns are in place, a column with a different title was renamed.
 */
export function columnOrigins(
  before: View,
  after: View,
  headerRow: number,
  isWritten = NOT_WRITTEN,
): Origins {
  const width = Math.max(widthOf(before), widthOf(after));
  const titles = titlesOf(after, headerRow, width, isWritten);
  const oldTitles = titlesOf(before, headerRow, width, NOT_WRITTEN);
  const [cells, oldCells] = [after, before].map((view) => cellsOf(view, headerRow, width));
  const origins = new Map<number, number>();
  const match = (now: readonly string[] = [], was: readonly string[] = [], at: number) => {
    const text = now[at] ?? '';
    const isOnce = [now, was].every((all) => all.indexOf(text) === all.lastIndexOf(text));
    if (text !== '' && isOnce && was.includes(text)) origins.set(at + 1, was.indexOf(text) + 1);
  };
  const isOurs = (at: number) =>
    after.top.some((_, down) => down + 1 !== headerRow && isWritten(down + 1, at + 1));
  titles.forEach((title, at) => {
    if (title !== '') match(titles, oldTitles, at);
    else if (!isOurs(at)) match(cells, oldCells, at);
  });
  if ([...origins].some(([to, from]) => to !== from)) return origins;
  titles.forEach((title, at) => {
    const old = oldTitles[at] ?? '';
    const isRenamed = !titles.includes(old) && !oldTitles.includes(title);
    if (title !== '' && old !== '' && (title === old || isRenamed)) origins.set(at + 1, at + 1);
  });
  return origins;
}

/** Whether all columns with a title (or, without a header, with content) are where they were. */
export function areStill(
  before: View,
  after: View,
  headerRow: number,
  isWritten = NOT_WRITTEN,
): boolean {
  const origins = columnOrigins(before, after, headerRow, isWritten);
  const known =
    headerRow === 0
      ? cellsOf(before, headerRow, widthOf(before))
      : titlesOf(before, headerRow, widthOf(before), isWritten);
  return known.every((text, at) => text === '' || origins.get(at + 1) === at + 1);
}
