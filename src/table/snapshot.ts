// A snapshot of a part of the sheet: headers, rows, and what moved between two of them.

import type { Area, Sheet, SheetCell, SheetSize } from '../platform/ports';
import { type Cells, type ColumnKey, columnOf, HEADER_DRIFT_ROWS, type Layout } from './columns';
import { identityOf, isMisplaced, type Row, type RowRule, readRow } from './row';
import { withoutKept } from './status';

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
/** So many cells that need not be seen, in three readings, take no longer than the one that they save. */
const MORE_CELLS_MAX = 3_500;

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

/** What is to stand in a row, and for which product. */
export interface Result {
  readonly identity: string;
  readonly cells: ReadonlyMap<ColumnKey, SheetCell>;
}

/** From the first column of the layout to the last. */
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
  /** Rows that do not hold what was written: they moved, or took nothing. */
  readonly failed: readonly number[];
  /** What stands in rows whose mark was emptied although it was meant for another row. */
  readonly erased: readonly string[];
  /** A row that was only written back as it was has moved away, and another holds its figures now. */
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

/** By present place the earlier one; what is new, or cannot be told, is not in it. */
export type Origins = ReadonlyMap<number, number>;

export type IsWritten = (row: number, column: number) => boolean;

const textOf = (cell: SheetCell | undefined) => String(cell ?? '').trim();

/** Titles by column; '' where there is none, or a write has gone over it. */
function titlesOf({ top }: View, headerRow: number, width: number, isWritten: IsWritten) {
  return Array.from({ length: width }, (_, at) =>
    isWritten(headerRow, at + 1) ? '' : textOf(top[headerRow - 1]?.[at]),
  );
}

/** What stands in the first rows beside the title, by column, in whatever order. */
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
 * A column without a title, or whose title was written over, is known by the cells below it, unless
 * something was written into them: the same figures as before may have come. Where all others stand
 * where they stood, one of another title was renamed.
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

/** Whether all columns with a title, or without a header with anything, stand where they stood. */
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
