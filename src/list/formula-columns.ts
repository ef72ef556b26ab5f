// The columns of ours that work something out: added beside a list, filled with formulas, and taken away
// again. What people typed stays.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf, stretches } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { WIDTH_AS_NEW } from '../product/cell-formats';
import {
  type Filled,
  kindsBy,
  type Rows,
  refusalOf,
  rejection,
  rowsOf,
  TRIES_MAX,
  writeFormula,
} from './lookup-cells';
import { freeColumn, freeTitle, type ListPlace, type View, viewOf } from './lookup-columns';
import { addMark, type FormulaMark, listOf, type MarkedList, removeMark } from './marked-list';

/** A column of ours that works something out, and how it looks. */
export interface WantedFormula extends Omit<FormulaMark, 'list'> {
  readonly title: string;
  readonly width: number;
  readonly format: string;
  readonly isHidden: boolean;
}

const isSame = (one: Pick<FormulaMark, 'role' | 'market'>, other: typeof one): boolean =>
  one.role === other.role && one.market === other.market;

/** Adds the columns for formulas that the list lacks, with their titles. Their cells stay as they are. */
export function ensureFormulaColumns(
  { sheet, ...list }: MarkedList,
  wanted: readonly WantedFormula[],
): MarkedList | Failure {
  const place = { ...list, sheetId: sheet.id };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const seen = viewOf(sheet, place);
    const before = seen && listOf(sheet, seen.marks, list.id);
    if (seen === null || before === null) return runProblem('sheet-gone');
    const missing = wanted.filter((one) => !before.formulas.some(({ mark }) => isSame(mark, one)));
    const view = missing.length === 0 ? seen : markFree(seen, place, missing);
    if (isFailure(view)) return view;
    const made = view && listOf(sheet, view.marks, list.id);
    if (view === null || made === null) continue;
    return titleFormulas(view, made, wanted) ?? made;
  }
  return runProblem('sheet-busy', 'the headers');
}

/**
 * Marks free columns. null: columns moved in that instant, so that others were marked, which are no
 * longer.
 */
function markFree(
  view: View,
  place: ListPlace,
  missing: readonly WantedFormula[],
): View | Failure | null {
  const { sheet, id, headerRow, titles } = view;
  const first = freeColumn(view, missing.length);
  if (isFailure(first)) return first;
  for (const [at, { role, market, formula }] of missing.entries()) {
    const outcome = addMark(sheet, { list: id, role, market, formula }, first + at);
    const refusal = refusalOf(outcome, areaOf(headerRow, first + at));
    if (refusal !== null) return refusal;
  }
  const now = viewOf(sheet, place);
  const made = now && listOf(sheet, now.marks, id);
  if (now === null || made === null) return runProblem('sheet-gone');
  const placed = missing.map((one) => made.formulas.find(({ mark }) => isSame(mark, one)));
  const isStill =
    titles.every((title, at) => title === now.titles[at]) &&
    placed.every((one, at) => one?.at === first + at);
  if (isStill) return now;
  for (const one of placed) if (one !== undefined) removeMark(sheet, one);
  return null;
}

/** Gives columns that have no title their look and their title; null: all have them by now. */
function titleFormulas(
  { sheet, headerRow, titles, size }: View,
  { productColumn, groups, formulas }: MarkedList,
  wanted: readonly WantedFormula[],
): Failure | null {
  const bare = formulas
    .filter(({ at }) => (titles[at - 1] ?? '') === '')
    .flatMap(({ mark, at: column }) => {
      const look = wanted.find((one) => isSame(one, mark));
      return look === undefined ? [] : [{ look, column }];
    })
    .sort((a, b) => a.column - b.column);
  const taken = [...titles];
  const rowCount = Math.max(1, size.maxRows - headerRow);
  for (const stretch of stretches(bare, ({ column }) => column)) {
    const first = stretch[0]?.column ?? 0;
    for (const { look } of stretch) {
      const label = groups.find(({ market }) => market === look.market)?.label ?? '';
      taken.push(freeTitle(look.title, label, taken, 'deal'));
    }
    const formats = stretch.map(({ look }) => look.format);
    const below = areaOf(headerRow + 1, first, rowCount, stretch.length);
    sheet.setFormats(below, Array<readonly string[]>(rowCount).fill(formats));
    for (const { look, column } of stretch) if (look.isHidden) sheet.hideColumns(column, 1);
    const widths = stretch.map(({ look }) => look.width);
    sheet.styleColumns(headerRow, first, widths, productColumn);
    // Last, because what has a title counts as finished.
    const head = areaOf(headerRow, first, 1, stretch.length);
    const refusal = refusalOf(sheet.write(head, [taken.slice(-stretch.length)]), head);
    if (refusal !== null) return refusal;
  }
  return bare.length === 0 ? null : rejection(sheet);
}

/** Where a column of this role is shown for a market; undefined: nowhere. */
export const formulaColumn = (
  { formulas }: Pick<MarkedList, 'formulas'>,
  role: string,
  market: FormulaMark['market'],
): number | undefined => formulas.find(({ mark }) => isSame(mark, { role, market }))?.at;

/**
 * A formula in R1C1 notation, for the cells of this column. "{fees}" stands for the row's cell in the
 * column of that role, be it the list's, the market's or the whole list's; "{verdict UK}" for that of
 * another market.
 */
function formulaIn(
  list: MarkedList,
  { market }: FormulaMark,
  column: number,
  formula: string,
): string {
  const columnOf = (name: string): number | undefined => {
    const [role = '', other = market] = name.split(' ');
    const group = list.groups.find((one) => one.market === market) ?? list.groups[0];
    return (
      (role === 'product' ? list.productColumn : undefined) ??
      list.costs.get(role as never) ??
      formulaColumn(list, role, other as FormulaMark['market']) ??
      formulaColumn(list, role, 'both') ??
      group?.columns.get(role as never)
    );
  };
  return formula.replace(/\{([a-zA-Z][^}]*)\}/g, (_, name: string) => {
    const there = columnOf(name);
    if (there === undefined) return '#REF!';
    return there === column ? 'RC' : `RC[${there - column}]`;
  });
}

/** The cells of a column of ours, by their places from 0. */
interface OwnCells {
  readonly blank: readonly number[];
  /** They hold a formula of ours, but not the first of those that were asked for. */
  readonly stale: readonly number[];
  readonly current: readonly number[];
  readonly theirs: readonly number[];
}

/** @param formulas ours: the one that should stand there, then former ones. */
function cellsIn(
  sheet: Sheet,
  { first, count }: Rows,
  column: number,
  formulas: readonly string[],
): OwnCells | null {
  const cells = {
    blank: [] as number[],
    stale: [] as number[],
    current: [] as number[],
    theirs: [] as number[],
  };
  if (count === 0) return cells;
  const area = areaOf(first, column, count);
  const texts = sheet.formulasR1C1(area);
  const values = sheet.values(area);
  if (texts === null || values === null) return null;
  const [kindOf, ...formerKinds] = formulas.map(kindsBy);
  values.forEach(([value = ''], at) => {
    const text = texts[at]?.[0] ?? '';
    const kind = kindOf?.(text, value) ?? 'theirs';
    const isFormer = formerKinds.some((former) => former(text, value) !== 'theirs');
    cells[kind === 'theirs' && isFormer ? 'stale' : kind].push(at);
  });
  return cells;
}

/**
 * Writes formulas into cells of ours that are blank or hold another formula of ours.
 *
 * @param wanted what each column should hold; left out: what it was made for.
 */
export function fillFormulas(
  list: MarkedList,
  wanted: readonly Omit<FormulaMark, 'list'>[] = list.formulas.map(({ mark }) => mark),
): Filled | Failure {
  const { sheet } = list;
  const rows = rowsOf(list);
  if (rows === null) return runProblem('sheet-gone');
  const filled = new Set<number>();
  let kept = 0;
  for (const placed of list.formulas) {
    const { mark, at: column } = placed;
    const now = wanted.find((one) => isSame(one, mark));
    if (now === undefined) continue;
    const formula = formulaIn(list, mark, column, now.formula);
    const former = formulaIn(list, mark, column, mark.formula);
    const cells = cellsIn(sheet, rows, column, [formula, former]);
    if (cells === null) return runProblem('sheet-gone');
    kept += cells.theirs.filter((at) => rows.isFilled[at]).length;
    const places = [...cells.blank, ...cells.stale].sort((a, b) => a - b);
    const refusal = writeFormula(sheet, rows, column, places, formula);
    if (refusal !== null) return refusal;
    for (const at of places) filled.add(at);
    if (now.formula === mark.formula) continue;
    removeMark(sheet, placed);
    addMark(sheet, { ...mark, formula: now.formula }, column);
  }
  const refused = filled.size > 0 ? rejection(sheet) : null;
  return refused ?? { filled: filled.size, kept };
}

/**
 * Removes our formulas, and our titles where nothing is left below them. Returns how many cells
 * people have typed into. The marks stay, because formulas are known by those of the columns that they read.
 */
export function clearFormulas(list: MarkedList): number | Failure {
  const { sheet, headerRow } = list;
  const rows = rowsOf(list);
  if (rows === null) return runProblem('sheet-gone');
  let kept = 0;
  for (const { mark, at: column } of list.formulas) {
    const cells = cellsIn(sheet, rows, column, [formulaIn(list, mark, column, mark.formula)]);
    if (cells === null) return runProblem('sheet-gone');
    const ours = [...cells.current, ...cells.stale].sort((a, b) => a - b);
    kept += cells.theirs.length;
    const isEmpty = cells.theirs.length === 0;
    const refusal =
      clear(sheet, rows.first, column, ours) ??
      (isEmpty ? clear(sheet, headerRow, column, [0]) : null);
    if (refusal !== null) return refusal;
    if (!isEmpty) continue;
    sheet.styleColumns(headerRow, column, [WIDTH_AS_NEW], null);
    sheet.showColumns(column, 1);
  }
  return kept;
}

/** Clears the cells of a column at these ascending places. */
function clear(
  sheet: Sheet,
  first: number,
  column: number,
  places: readonly number[],
): Failure | null {
  for (const stretch of stretches(places, (at) => at)) {
    const area = areaOf(first + (stretch[0] ?? 0), column, stretch.length);
    const blanks = stretch.map(() => ['']);
    const refusal = refusalOf(sheet.write(area, blanks), area);
    if (refusal !== null) return refusal;
  }
  return null;
}
