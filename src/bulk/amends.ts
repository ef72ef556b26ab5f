// What cells of a view ought to hold where a write met other cells than it was meant for. Pure.

import type { Area, CellContent } from '../platform/sheet-ports';
import { movedFormula } from './moved-formula';
import { rowOrigins } from './row-origins';
import {
  cellKey,
  columnsOf,
  formulaAt,
  isDate,
  isWithin,
  rowsOf,
  type View,
  valueAt,
} from './view';
import { columnOrigins, type IsWritten, type Origins, titleRowIn } from './whereabouts';

export interface Debt extends CellContent {
  /** It is a number that stands there, but is shown as a date: only its format is owed. */
  readonly isThere: boolean;
}

/** By row and then column. */
export type Debts = ReadonlyMap<number, ReadonlyMap<number, Debt>>;

export interface Amends {
  readonly debts: Debts;
  /** The later view, with formulas as they ought to be. */
  readonly view: View;
  /** Its columns, where they came from. */
  readonly columns: Origins;
  readonly headerRow: number;
  /** What was written. */
  readonly areas: readonly Area[];
  /** Rows in which something was overwritten that nobody has seen. */
  readonly strangers: readonly number[];
  /** Columns in which it was. */
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
  const debts = new Map<number, Map<number, Debt>>();
  const strangers: number[] = [];
  const unseen = new Set<number>();
  const titleRow = titleRowIn(after, headerRow, before.top[headerRow - 1] ?? []);
  const titles = after.top[titleRow - 1] ?? [];
  const vacant = vacantColumns(before, owedBefore);
  const formulas = rowsOf(after.block.area).map((row) => {
    const from = rows.get(row);
    const isEmpty = columnsOf(after.block.area).every(
      (column) => isWritten(row, column) || valueAt(after.block, row, column) === '',
    );
    const own: number[] = [];
    let isTyped = false;
    const line = columnsOf(after.block.area).map((column) => {
      const origin = { row: from, column: columns.get(column) };
      const isOwn = isWritten(row, column);
      const value = valueAt(after.block, row, column);
      const is = { value, formula: formulaAt(after.block, row, column) };
      const owed = owedTo(before, owedBefore, origin, isOwn, is, columnNow, row);
      if (owed.isDebt) {
        const { value: content, formula, isThere = false } = owed;
        const debt = { value: content, formula, isThere };
        debts.set(row, (debts.get(row) ?? new Map()).set(column, debt));
      }
      isTyped ||= owed.isTyped === true;
      if (isOwn && origin.column !== undefined) own.push(column);
      return owed.formula;
    });
    // Who typed beside what was written may have typed under it.
    const isUnknown = from === undefined ? !isEmpty : isTyped;
    const isVacant = (column: number) =>
      titles[column - 1] === '' && vacant.has(columns.get(column) ?? 0);
    const hit = isUnknown ? own.filter((column) => !isVacant(column)) : [];
    if (hit.length > 0) strangers.push(row);
    for (const column of hit) unseen.add(column);
    return line;
  });
  const view = { top: after.top, block: { ...after.block, formulas } };
  return { debts, view, columns, headerRow: titleRow, areas, strangers, unseen };
}

/** Those in which nothing stood: nobody typed there either. */
function vacantColumns({ block }: View, owed: Debts): ReadonlySet<number> {
  const right = (row: number, column: number) =>
    owed.get(row)?.get(column)?.value ?? valueAt(block, row, column);
  const rows = rowsOf(block.area);
  const isVacant = (column: number) => rows.every((row) => right(row, column) === '');
  return new Set(columnsOf(block.area).filter(isVacant));
}

function owedTo(
  { block }: View,
  owedBefore: Debts,
  { row: from, column }: { readonly row: number | undefined; readonly column: number | undefined },
  isWritten: boolean,
  is: CellContent,
  columnNow: (column: number) => number,
  to: number,
): Partial<Debt> & CellContent & { readonly isDebt: boolean; readonly isTyped?: boolean } {
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
    const isStill = owed !== undefined && from === to && columnNow(column) === column;
    const isThere = isStill && typeof right === 'number' && isDate(is.value);
    return { value: right, formula, isDebt: !isSame, isThere };
  }
  // Somebody may have changed it since; then it is theirs.
  const isUnpaid = owed !== undefined && cellKey(is.value) === cellKey(was);
  if (isUnpaid) return { ...owed, formula, isDebt: true };
  const isTyped = ![was, right].map(cellKey).includes(cellKey(is.value)) && formula === '';
  return { value: is.value, formula, isDebt: false, isTyped };
}

export interface PutBack {
  readonly area: Area;
  readonly cells: readonly (readonly CellContent[])[];
}

/**
 * The debts as rectangles. Cells that were written as well may be in them, as they are; no others: who
 * types into one meanwhile keeps what was typed.
 */
export function putBacks(amends: Amends): readonly PutBack[] {
  const { debts, view } = amends;
  const { block } = view;
  const open: Area[] = [];
  for (const row of rowsOf(block.area)) {
    for (const run of owingRuns(amends, row)) {
      const above = open.find((one) => one.row + one.rowCount === row && isBeneath(one, run));
      if (above === undefined) open.push(run);
      else open[open.indexOf(above)] = { ...above, rowCount: above.rowCount + 1 };
    }
  }
  const contentOf = (row: number, column: number): CellContent => {
    const owed = debts.get(row)?.get(column);
    if (owed !== undefined) return { value: owed.value, formula: owed.formula };
    return { value: valueAt(block, row, column), formula: formulaAt(block, row, column) };
  };
  return open.map((area) => ({
    area,
    cells: rowsOf(area).map((row) => columnsOf(area).map((column) => contentOf(row, column))),
  }));
}

const isBeneath = (one: Area, other: Area) =>
  one.column === other.column && one.columnCount === other.columnCount;

/** Cells of a row side by side that were written or are owed, if one of them is owed. */
function owingRuns({ debts, view, areas }: Amends, row: number): readonly Area[] {
  const owed = debts.get(row);
  if (owed === undefined) return [];
  const runs: Area[] = [];
  for (const column of columnsOf(view.block.area)) {
    const isOpen = owed.has(column) || areas.some((area) => isWithin(area, row, column));
    if (!isOpen) continue;
    const last = runs[runs.length - 1];
    if (last !== undefined && last.column + last.columnCount === column)
      runs[runs.length - 1] = { ...last, columnCount: last.columnCount + 1 };
    else runs.push({ row, column, rowCount: 1, columnCount: 1 });
  }
  return runs.filter((run) => columnsOf(run).some((column) => owed.get(column)?.isThere === false));
}
