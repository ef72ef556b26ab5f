// What cells of a view ought to hold where a write met other cells than it was meant for. Pure.

import type { Area, CellContent } from '../platform/sheet-ports';
import { movedFormula } from './moved-formula';
import { cellKey, columnsOf, formulaAt, isWithin, rowsOf, type View, valueAt } from './view';
import { columnOrigins, type IsWritten, type Origins, rowOrigins, titleRowIn } from './whereabouts';

/** By row and then column. */
export type Debts = ReadonlyMap<number, ReadonlyMap<number, CellContent>>;

export interface Amends {
  readonly debts: Debts;
  /** The later view, with formulas as they ought to be. */
  readonly view: View;
  readonly headerRow: number;
  readonly columns: Origins;
  /** Rows in which something was overwritten that nobody has seen. */
  readonly strangers: readonly number[];
  /** Columns, by their earlier places, in which it was. */
  readonly unseen: ReadonlySet<number>;
}

export const NO_DEBTS: Debts = new Map();

/**
 * What the cells of `after` held before `areas` were written, wherever they stood then.
 *
 * @param before what was seen last before the write, and what was owed to its cells then: each such
 *   cell is in `areas`.
 */
export function amendsFor(
  before: View,
  owedBefore: Debts,
  areas: readonly Area[],
  after: View,
  headerRow: number,
): Amends {
  const isWritten: IsWritten = (row, column) => areas.some((area) => isWithin(area, row, column));
  const columns = columnOrigins(before, after, headerRow, isWritten);
  const rows = rowOrigins(before, after, columns, isWritten);
  const columnsNow = new Map([...columns].map(([to, from]) => [from, to]));
  const columnNow = (column: number) => columnsNow.get(column) ?? column;
  const debts = new Map<number, Map<number, CellContent>>();
  const strangers: number[] = [];
  const unseen = new Set<number>();
  const formulas = rowsOf(after.block.area).map((row) => {
    const from = rows.get(row);
    const isEmpty = columnsOf(after.block.area).every(
      (column) => isWritten(row, column) || valueAt(after.block, row, column) === '',
    );
    const hit: number[] = [];
    const line = columnsOf(after.block.area).map((column) => {
      const origin = { row: from, column: columns.get(column) };
      const isOwn = isWritten(row, column);
      const value = valueAt(after.block, row, column);
      if (isOwn && !isEmpty && from === undefined && origin.column !== undefined)
        hit.push(origin.column);
      const is = { value, formula: formulaAt(after.block, row, column) };
      const owed = owedTo(before, owedBefore, origin, isOwn, is, columnNow, row);
      if (owed.isDebt) {
        const { value: content, formula } = owed;
        debts.set(row, (debts.get(row) ?? new Map()).set(column, { value: content, formula }));
      }
      return owed.formula;
    });
    if (hit.length > 0) strangers.push(row);
    for (const column of hit) unseen.add(column);
    return line;
  });
  const view = { top: after.top, block: { ...after.block, formulas } };
  const titleRow = titleRowIn(after, headerRow, before.top[headerRow - 1] ?? []);
  return { debts, view, headerRow: titleRow, columns, strangers, unseen };
}

function owedTo(
  { block }: View,
  owedBefore: Debts,
  { row: from, column }: { readonly row: number | undefined; readonly column: number | undefined },
  isWritten: boolean,
  is: CellContent,
  columnNow: (column: number) => number,
  to: number,
): CellContent & { readonly isDebt: boolean } {
  if (from === undefined || column === undefined || !isWithin(block.area, from, column)) {
    return { value: '', formula: '', isDebt: isWritten && is.value !== '' };
  }
  const owed = owedBefore.get(from)?.get(column);
  const was = valueAt(block, from, column);
  const text = owed === undefined ? formulaAt(block, from, column) : owed.formula;
  const formula = text === '' ? '' : movedFormula(text, columnNow, { from, to });
  const right = owed === undefined ? was : owed.value;
  if (isWritten) {
    const isSame = formula === '' ? cellKey(right) === cellKey(is.value) : formula === is.formula;
    return { value: right, formula, isDebt: !isSame };
  }
  // Somebody may have changed it since; then it is theirs.
  const isUnpaid = owed !== undefined && cellKey(is.value) === cellKey(was);
  if (isUnpaid) return { value: owed.value, formula, isDebt: true };
  return { value: is.value, formula, isDebt: false };
}

export interface PutBack {
  readonly area: Area;
  readonly cells: readonly (readonly CellContent[])[];
}

/** Rows without debts between two with some are written as they are: fewer writes, fewer instants. */
const BRIDGE_ROWS_MAX = 20;

/** So are columns between, if nothing stands in them. */
const BRIDGE_COLUMNS_MAX = 3;

/** The debts as few rectangles: runs of columns with debts, in runs of rows with some. */
export function putBacks({ debts, view }: Amends): readonly PutBack[] {
  const columns = new Set([...debts.values()].flatMap((cells) => [...cells.keys()]));
  const isOpen = (column: number) =>
    columns.has(column) ||
    [...debts.keys()].every(
      (row) => valueAt(view.block, row, column) === '' && formulaAt(view.block, row, column) === '',
    );
  const across = runsOf([...columns], isOpen);
  return runsOf([...debts.keys()], () => true, BRIDGE_ROWS_MAX).flatMap(([firstRow, lastRow]) =>
    across.flatMap(([column, lastColumn]) => {
      const [rowCount, columnCount] = [lastRow - firstRow + 1, lastColumn - column + 1];
      const area = { row: firstRow, column, rowCount, columnCount };
      const isOwing = (row: number) => columnsOf(area).some((one) => debts.get(row)?.has(one));
      if (!rowsOf(area).some(isOwing)) return [];
      const content = (row: number, at: number) =>
        debts.get(row)?.get(at) ?? {
          value: valueAt(view.block, row, at),
          formula: formulaAt(view.block, row, at),
        };
      const cells = rowsOf(area).map((row) => columnsOf(area).map((at) => content(row, at)));
      return [{ area, cells }];
    }),
  );
}

/** Numbers as runs from first to last; between two of a run are only so many, and none but open ones. */
function runsOf(
  numbers: readonly number[],
  isOpen: (between: number) => boolean,
  between = BRIDGE_COLUMNS_MAX,
) {
  const runs: [first: number, last: number][] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const run = runs[runs.length - 1];
    const gap = run === undefined ? [] : numbersBetween(run[1], number);
    if (run !== undefined && gap.length <= between && gap.every(isOpen)) run[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}

const numbersBetween = (after: number, before: number) =>
  Array.from({ length: before - after - 1 }, (_, at) => after + 1 + at);
