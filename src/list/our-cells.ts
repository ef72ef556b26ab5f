// The cells of our columns beside a list: formulas filled in, and taken away. What people typed stays.

import type { AnalysisTab } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { type Area, addressOf, areaOf, type SheetCell, stretches } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { isBlank } from '../product/asin';
import { PRODUCT_TITLE } from '../product/fields';
import { isSameLayout } from '../sheet/marked-columns';
import { refusalOf } from '../sheet/refusal';
import { otherTitlesRow } from './list-end';
import {
  decisionsIn,
  isHelper,
  isOfOurs,
  isSameFormula,
  listOf,
  type MarkedList,
  movesIn,
  type OurColumn,
  ourColumns,
  type Placed,
  readMarks,
  type TabReferences,
  type TitleCell,
} from './marked-list';

export interface Filled {
  /** Rows whose cells got formulas. */
  readonly filled: number;
  /** Cells with something of a person's own, which stay. */
  readonly kept: number;
}

/**
 * Fills the formulas of all our columns in where a row down to the last product lacks them, and where
 * the list and the tab are by then. Formulas that name another column of the tab than was meant would
 * show other figures, so they are written again if its columns moved meanwhile.
 */
export function fillInNewRows(tab: AnalysisTab, list: MarkedList): Filled | Failure {
  let there: MarkedList | Failure = list;
  let named = tab;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (isFailure(there)) return there;
    const filled = fillOnce(there, ourColumns(there, named));
    if (isFailure(filled)) return filled;
    const tabNow = filled === 'moved' || filled.filled > 0 ? named.again() : named;
    if (isFailure(tabNow)) return tabNow;
    if (filled !== 'moved' && isSameTab(named, tabNow)) return filled;
    named = tabNow;
    there = listNow(list);
  }
  return runProblem('sheet-busy', 'the columns');
}

/**
 * Clears the formulas that work something out. The marks stay, because formulas are known by those of
 * the columns that they read.
 *
 * @returns the cells that people have typed into, by their column.
 */
export function clearFormulas(list: MarkedList): ReadonlyMap<number, number> | Failure {
  const { sheet } = list;
  const rows = rowsOf(list);
  const cells = rows && cellsOf(sheet, decisionsIn(list), rows);
  if (rows === null || cells === null) return runProblem('sheet-gone');
  const moved = movedFrom(list);
  if (moved !== null) return moved;
  const theirs = new Map<number, number>();
  for (const one of cells) {
    const kinds = kindsIn(one);
    theirs.set(one.column, kinds.filter((kind) => kind === 'theirs').length);
    for (const area of areasOf(rows.first, one.column, placesOfOurs(kinds))) {
      const refusal = refusalOf(sheet.write(area, blanksIn(area)), area);
      if (refusal !== null) return refusal;
    }
  }
  return theirs;
}

/** Columns may move while their cells are read, but rarely more often than this. */
export const TRIES_MAX = 5;

/** Fills in once more if columns of the tab moved as formulas that name them were written. */
export function followTab(tab: AnalysisTab, list: MarkedList): void {
  const tabNow = tab.again();
  if (!isFailure(tabNow) && !isSameTab(tab, tabNow)) fillInNewRows(tabNow, list);
}

const isSameTab = (one: TabReferences, other: TabReferences): boolean =>
  one.name === other.name && isSameLayout(one.layout, other.layout);

/** The list where it is by now. */
function listNow({ sheet, id }: MarkedList): MarkedList | Failure {
  const marks = marksNow(sheet);
  if (isFailure(marks)) return marks;
  return listOf(sheet, marks, id) ?? runProblem('look-again', PRODUCT_TITLE);
}

/** The marks of a sheet, or what data validation has refused before: Sheets tells it at a read. */
function marksNow(sheet: Sheet): readonly Placed[] | Failure {
  const marks = readMarks(sheet);
  if (marks !== null) return marks;
  const cell = sheet.rejected();
  return cell === null ? runProblem('sheet-gone') : runProblem('rejected', cell);
}

const isSamePlace = (one: MarkedList, other: MarkedList): boolean =>
  JSON.stringify(placesIn(one)) === JSON.stringify(placesIn(other));

const placesIn = (list: MarkedList) => [
  ...[list.headerRow, list.productColumn, list.marketColumn],
  ...list.groups.map(({ market, columns }) => [market, ...[...columns].sort()]),
  ...list.costs,
  ...list.formulas.map(({ mark, at }) => [mark.role, mark.market, at]),
];

/** Why the columns cannot be written where they were; null: they are still there. */
function movedFrom(list: MarkedList): Failure | null {
  const now = listNow(list);
  if (isFailure(now)) return now;
  return isSamePlace(list, now) ? null : runProblem('sheet-busy', 'the columns');
}

/** A title or several, side by side, that go into a list together with its formulas. */
export interface Heads {
  readonly area: Area;
  readonly texts: readonly string[];
}

interface Filling {
  /** Titles that are written first. */
  readonly heads?: readonly Heads[];
  /** Title cells that are no plain titles, written with them. */
  readonly guards?: readonly TitleCell[];
  /** The last row with content, if it was measured a moment ago. */
  readonly lastRow?: number;
}

/**
 * Fills formulas in down to the last product.
 *
 * @returns `moved`: nothing was written, because the columns are elsewhere by now.
 */
export function fillOnce(
  list: MarkedList,
  columns: readonly OurColumn[],
  { heads = [], guards = [], lastRow }: Filling = {},
): Filled | 'moved' | Failure {
  const { sheet } = list;
  const work = workIn(list, columns, lastRow);
  if (isFailure(work)) return work;
  const { missing, surplus, outcome } = work;
  const toWrite = missing.length + surplus.length;
  const isComplete = toWrite === 0 && outcome.kept === 0;
  const hasHeads = heads.length + guards.length > 0;
  if (isComplete && !hasHeads) return outcome;
  // The cells took time to read, and what follows is written where they were.
  const before = listNow(list);
  if (isFailure(before)) return before;
  if (!isSamePlace(list, before)) return 'moved';
  if (toWrite === 0 && !hasHeads) return outcome;
  const refusedHead = writeHeads(list, heads, guards);
  if (refusedHead !== null) return refusedHead;
  const hasFigures = columns.some(({ lookup }) => lookup !== undefined);
  for (const { column, area } of missing) {
    const refusal = refusalOf(sheet.writeR1C1(area, column.formula), area);
    // Who may not write decisions gets figures all the same.
    const isLeftOut = refusal?.kind === 'protected' && hasFigures && !column.lookup;
    if (refusal !== null && !isLeftOut) return refusal;
  }
  for (const area of surplus) {
    const refusal = refusalOf(sheet.write(area, blanksIn(area)), area);
    if (refusal !== null && refusal.kind !== 'protected') return refusal;
  }
  // This read also brings what data validation has refused.
  const now = listNow(list);
  if (isFailure(now) || isSamePlace(list, now)) return isFailure(now) ? now : outcome;
  const written = [...heads, ...missing].map(({ area }) => addressOf(area));
  return runProblem('overwritten', written.slice(0, SHOWN_MAX).join(', '));
}

function writeHeads(
  { sheet, headerRow }: MarkedList,
  heads: readonly Heads[],
  guards: readonly TitleCell[],
): Failure | null {
  for (const { area, texts } of heads) {
    const refusal = refusalOf(sheet.write(area, [texts]), area);
    if (refusal !== null) return refusal;
  }
  for (const { column, text, formula } of guards) {
    const area = areaOf(headerRow, column);
    const written =
      formula === undefined ? sheet.write(area, [[text ?? '']]) : sheet.writeR1C1(area, formula);
    const refusal = refusalOf(written, area);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** How many areas a message names. */
const SHOWN_MAX = 10;

interface Work {
  /** Cells that lack a formula. */
  readonly missing: readonly { readonly column: OurColumn; readonly area: Area }[];
  /** Cells below the last product that still hold one. */
  readonly surplus: readonly Area[];
  readonly outcome: Filled;
}

const blanksIn = ({ rowCount }: Area) => Array.from({ length: rowCount }, () => ['']);

function workIn(list: MarkedList, columns: readonly OurColumn[], lastRow?: number): Work | Failure {
  const rows = rowsOf(list, lastRow);
  // Values and formulas also stand in rows whose product was deleted since.
  const cells = rows && cellsOf(list.sheet, columns, { ...rows, count: rows.isFilled.length });
  if (rows === null || cells === null) return runProblem('sheet-gone');
  const helpers = new Map(cells.filter(isHelper).map((one) => [one.column, kindsIn(one)] as const));
  const filled = new Set<number>();
  const missing: { column: OurColumn; area: Area }[] = [];
  const surplus: Area[] = [];
  let kept = 0;
  for (const one of cells) {
    const helper = helpers.get(one.lookup?.helper ?? 0);
    const places: number[] = [];
    const kinds = kindsIn(one);
    const below = rows.count > 0 ? placesOfOurs(kinds).filter((at) => at >= rows.count) : [];
    surplus.push(...areasOf(rows.first, one.column, below));
    for (const [at, kind] of kinds.entries()) {
      if (kind === 'theirs' && rows.isFilled[at]) kept += 1;
      // Beside another helper, a formula would show another row of the tab.
      const isOpen = helper?.[at] !== 'theirs' && at < rows.count;
      if (isOpen && (kind === 'blank' || kind === 'stale')) places.push(at);
    }
    for (const area of areasOf(rows.first, one.column, places)) missing.push({ column: one, area });
    for (const at of places) filled.add(at);
  }
  return { missing, surplus, outcome: { filled: filled.size, kept } };
}

/** The rows of a list, from the first below its header to the last one with a product. */
export interface Rows {
  readonly first: number;
  readonly count: number;
  /** Whether a row of the list has content in the product column, by its place from 0; to the sheet's end. */
  readonly isFilled: readonly boolean[];
}

/** null: the sheet is gone. */
export function rowsOf(
  { sheet, headerRow, productColumn }: MarkedList,
  lastRow = sheet.lastRow(),
): Rows | null {
  if (lastRow === null) return null;
  const first = headerRow + 1;
  if (lastRow < first) return { first, count: 0, isFilled: [] };
  const cells = sheet.values(areaOf(first, productColumn, lastRow - headerRow));
  if (cells === null) return null;
  const end = otherTitlesRow(
    { sheet, headerRow },
    cells.map(([cell = '']) => cell),
  );
  const isOwn = (at: number) => end === null || first + at < end;
  const isFilled = cells.map(([cell], at) => isOwn(at) && !isBlank(cell));
  return { first, count: isFilled.lastIndexOf(true) + 1, isFilled };
}

/** How many rows with a product show nothing, because cells that their formulas name were moved. */
export function countMovedRows(list: MarkedList): number {
  const rows = rowsOf(list);
  if (rows === null || rows.count === 0) return 0;
  const moved = new Set<number>();
  for (const { column, isMoved } of movesIn(list)) {
    const formulas = list.sheet.formulasR1C1(areaOf(rows.first, column, rows.count)) ?? [];
    for (const [at, [formula = '']] of formulas.entries())
      if (rows.isFilled[at] && isMoved(formula)) moved.add(at);
  }
  return moved.size;
}

/** The cells of one of our columns, from the first row of the list on. */
interface ColumnCells extends OurColumn {
  readonly formulas: readonly string[];
  readonly values: readonly SheetCell[];
}

/**
 * The cells of columns; null: columns are gone. Decisions come first: one that names another row's
 * figure would read it as soon as that is written.
 */
function cellsOf(
  sheet: Sheet,
  columns: readonly OurColumn[],
  { first, count }: Rows,
): readonly ColumnCells[] | null {
  if (count === 0) return columns.map((one) => ({ ...one, formulas: [], values: [] }));
  const places = [...columns].sort((a, b) => a.column - b.column);
  const cells: ColumnCells[] = [];
  for (const stretch of stretches(places, ({ column }) => column)) {
    const area = areaOf(first, stretch[0].column, count, stretch.length);
    const formulas = sheet.formulasR1C1(area);
    const values = sheet.values(area);
    if (formulas === null || values === null) return null;
    for (const [at, place] of stretch.entries())
      cells.push({
        ...place,
        formulas: formulas.map((row) => row[at] ?? ''),
        values: values.map((row) => row[at] ?? ''),
      });
  }
  return cells.sort((a, b) => Number(a.lookup !== undefined) - Number(b.lookup !== undefined));
}

/** `current`: as it would be written now. `stale`: ours, to be written again. */
type CellKind = 'blank' | 'current' | 'stale' | 'theirs';

/** Tells the cells of a column apart. It holds the same few formulas in thousands of rows. */
function kindsIn({ formula, former, formulas, values }: ColumnCells): readonly CellKind[] {
  const known = new Map<string, CellKind>();
  const kindOf = (text: string): CellKind => {
    if (isSameFormula(text, formula)) return 'current';
    const isOurs = isOfOurs(text, formula) || (former !== undefined && isOfOurs(text, former));
    return isOurs ? 'stale' : 'theirs';
  };
  return values.map((value, at) => {
    const text = formulas[at] ?? '';
    if (text === '') return value === '' ? 'blank' : 'theirs';
    const kind = known.get(text) ?? kindOf(text);
    known.set(text, kind);
    return kind;
  });
}

/** Where the cells of a column hold a formula of ours. */
const placesOfOurs = (kinds: readonly CellKind[]): readonly number[] =>
  kinds.flatMap((kind, at) => (kind === 'current' || kind === 'stale' ? [at] : []));

/** The cells of a column at these ascending places, as areas without gaps. */
const areasOf = (first: number, column: number, places: readonly number[]): readonly Area[] =>
  stretches(places, (at) => at).map((stretch) =>
    areaOf(first + stretch[0], column, stretch.length),
  );
