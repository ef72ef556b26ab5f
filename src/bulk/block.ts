// One block of rows: what of the results may be written where, and whether it arrived. Pure.

import type { Area, SheetCell } from '../platform/sheet-ports';
import type { Cells } from './find-columns';
import { type ColumnKey, columnOf, type KnownColumn, type Layout, sideBySide } from './our-columns';
import { identityOf, isMisplaced, type MarketRule, type Row, readRow } from './rows';
import { markedCell } from './schedule/change-mark';
import { type Block, isDate, valueAt } from './view';

/** What is to stand in a row, and for which product. */
export interface Result {
  readonly identity: string;
  readonly cells: ReadonlyMap<ColumnKey, SheetCell>;
}

export interface WritePlan {
  readonly writes: readonly { readonly area: Area; readonly cells: Cells }[];
  /** Rows whose result is in the writes. */
  readonly rows: readonly number[];
  /** Rows that are not what they were: their results have to look for them. */
  readonly missed: readonly number[];
  /** Cells of somebody else's that stay. */
  readonly kept: number;
}

/** Between two rows to write so many others are written back as they are: one write instead of two. */
const BRIDGE_ROWS_MAX = 8;

/** From the first column of the layout to the last. */
export function blockArea({ columns }: Layout, firstRow: number, lastRow: number): Area {
  const places = columns.map(({ column }) => column);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const rowCount = lastRow - firstRow + 1;
  return { row: firstRow, column: first, rowCount, columnCount: last - first + 1 };
}

export function rowsOfBlock(block: Block, layout: Layout, rule: MarketRule): readonly Row[] {
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

export function planWrites(
  block: Block,
  layout: Layout,
  rule: MarketRule,
  isOpen: (row: Row) => boolean,
  results: ReadonlyMap<number, Result>,
): WritePlan {
  const rows = rowsOfBlock(block, layout, rule);
  const fits = (row: Row) => results.get(row.row)?.identity === identityOf(row) && isOpen(row);
  const placed = rows.filter(fits);
  const rowsPlaced = placed.map(({ row }) => row);
  const plan = columnGroups(layout).flatMap((group) =>
    writesOf(group, block, rows, placed, results),
  );
  return {
    writes: plan.flatMap(({ writes }) => writes),
    rows: rowsPlaced,
    missed: [...results.keys()].filter((row) => !rowsPlaced.includes(row)),
    kept: plan.reduce((total, { kept }) => total + kept, 0),
  };
}

type Group = readonly KnownColumn[];

/** Our columns in runs side by side; the status goes last, because with it a row is done. */
function columnGroups({ columns }: Layout): readonly Group[] {
  const own = columns.filter(({ key }) => key !== 'product' && key !== 'market');
  const groups = sideBySide(own);
  const hasStatus = (group: Group) => group.some(({ key }) => key === 'status');
  return [...groups.filter((group) => !hasStatus(group)), ...groups.filter(hasStatus)];
}

/** A cell of a group as it is to be written; null: it stays untouched. */
type Line = readonly (SheetCell | null)[];

function writesOf(
  group: Group,
  block: Block,
  rows: readonly Row[],
  placed: readonly Row[],
  results: ReadonlyMap<number, Result>,
) {
  let kept = 0;
  const isPlaced = new Set(placed.map(({ row }) => row));
  const lines = rows.map((row, down): Line | null => {
    const there = (column: number) => block.values[down]?.[column - block.area.column] ?? '';
    const formula = (column: number) => block.formulas[down]?.[column - block.area.column] ?? '';
    if (!isPlaced.has(row.row)) {
      // Should it land in another row, only a status with a product in it tells so.
      // A cell that reads empty may be part of a merged one: emptied, that would lose its content.
      const isPlain = ({ column }: { column: number }) =>
        formula(column) === '' && there(column) !== '';
      const isBridge = row.status.kind === 'ok' && group.every(isPlain);
      return isBridge && row.atMs !== null ? group.map(({ column }) => there(column)) : null;
    }
    return group.map(({ key, column }) => {
      const news = results.get(row.row)?.cells.get(key);
      const isForeign = key !== 'status' && row.atMs === null && there(column) !== '';
      // A mark that stays is written back: left out, it would cut the row's write into pieces.
      const cell =
        key === 'change'
          ? markedCell(there(column), news, isMisplaced(row))
          : isForeign
            ? null
            : (news ?? '');
      if (cell === null || formula(column) !== '') {
        kept += 1;
        return null;
      }
      return cell;
    });
  });
  return { writes: rectangles(group, lines, block.area.row, isPlaced), kept };
}

/** Runs of lines without a hole, from one placed row to another; lines with holes alone, in pieces. */
function rectangles(
  group: Group,
  lines: readonly (Line | null)[],
  firstRow: number,
  isPlaced: ReadonlySet<number>,
) {
  const column = group[0]?.column ?? 1;
  const writes: { area: Area; cells: SheetCell[][] }[] = [];
  let run: { row: number; cells: SheetCell[][]; filled: number } | null = null;
  const close = () => {
    if (run !== null && run.filled > 0) {
      const cells = run.cells.slice(0, run.filled);
      const area = { row: run.row, column, rowCount: cells.length, columnCount: group.length };
      writes.push({ area, cells });
    }
    run = null;
  };
  lines.forEach((line, down) => {
    const row = firstRow + down;
    const wanted = isPlaced.has(row);
    const whole = line === null || line.includes(null) ? null : (line as SheetCell[]);
    if (whole === null) {
      close();
      if (wanted && line !== null) writes.push(...pieces(line, row, column));
      return;
    }
    if (run === null && !wanted) return;
    run ??= { row, cells: [], filled: 0 };
    run.cells.push(whole);
    if (wanted) run.filled = run.cells.length;
    else if (run.cells.length - run.filled > BRIDGE_ROWS_MAX) close();
  });
  close();
  return writes;
}

/** Cells around those that stay, one by one: there are few such rows. */
function pieces(line: Line, row: number, column: number) {
  return line.flatMap((cell, right) => {
    const area = { row, column: column + right, rowCount: 1, columnCount: 1 };
    return cell === null ? [] : [{ area, cells: [[cell]] }];
  });
}

export interface Arrival {
  /** Rows that do not hold what was written: they moved, or took nothing. */
  readonly failed: readonly number[];
  /** What stands in rows whose mark was emptied although it was meant for another row. */
  readonly erased: readonly string[];
  /** A row that was only written back as it was has moved away, and another holds its figures now. */
  readonly hasStrays: boolean;
  /** Cells in which a number is shown as a date, because one of a row that moved stood there. */
  readonly dated: readonly Area[];
}

export function arrivalOf(
  back: Block,
  before: Block,
  layout: Layout,
  rule: MarketRule,
  written: readonly number[],
  results: ReadonlyMap<number, Result>,
): Arrival {
  const rows = new Map(rowsOfBlock(back, layout, rule).map((row) => [row.row, row]));
  const isThere = (number: number) => {
    const [row, result] = [rows.get(number), results.get(number)];
    if (row === undefined || result === undefined || identityOf(row) !== result.identity)
      return false;
    return row.statusText.trim() === String(result.cells.get('status') ?? '').trim();
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
  return { failed, erased, hasStrays, dated: datedCells(back, layout, written, results) };
}

function datedCells(
  back: Block,
  { columns }: Layout,
  written: readonly number[],
  results: ReadonlyMap<number, Result>,
): readonly Area[] {
  return written.flatMap((row) =>
    columns.flatMap(({ key, column }) => {
      const isNumber = typeof results.get(row)?.cells.get(key) === 'number';
      const isShownAsDate = isNumber && isDate(valueAt(back, row, column));
      return isShownAsDate ? [{ row, column, rowCount: 1, columnCount: 1 }] : [];
    }),
  );
}
