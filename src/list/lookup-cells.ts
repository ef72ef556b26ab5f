// The cells of a list's columns: formulas filled in, kept as values, and made live again.

import { TAB_COLUMNS, type TabColumn } from '../analysis/analysis-row';
import type { AnalysisTab } from '../analysis/analysis-tab';
import type { Later } from '../analysis/tab-layout';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import {
  type Area,
  addressOf,
  areaOf,
  columnNumber,
  type SheetCell,
  stretches,
} from '../google/cells';
import type { GrowthOutcome, Sheet } from '../google/sheet';
import { isBlank } from '../product/asin';
import { PRODUCT_TITLE } from '../product/fields';
import {
  addMark,
  figureFormula,
  helperFormula,
  isOfOurs,
  isSameFormula,
  type LookupGroup,
  type LookupRole,
  listOf,
  type MarkedList,
  type Placed,
  placeOf,
  readMarks,
  removeMark,
} from './marked-list';

export interface Filled {
  /** Rows whose cells got formulas. */
  readonly filled: number;
  /** Cells with something of a person's own, which stay. */
  readonly kept: number;
}

/**
 * Fills the formulas of all groups in where a row down to the last product lacks them.
 *
 * @param lastRow the last row with content, if it was measured a moment ago.
 */
export function fillInNewRows(
  tab: AnalysisTab,
  list: MarkedList,
  lastRow = list.sheet.size()?.lastRow,
): Filled | Failure {
  return lastRow === undefined ? runProblem('sheet-gone') : fill(tab, list, lastRow, false);
}

/** The way back from values to formulas. A value that a person has typed since then stays. */
export function makeLive(tab: AnalysisTab, list: MarkedList): Filled | Failure {
  const size = list.sheet.size();
  if (size === null) return runProblem('sheet-gone');
  const filled = fill(tab, list, size.lastRow, true);
  const kept = placeOf(readMarks(list.sheet) ?? [], list.id, 'kept');
  if (!isFailure(filled) && kept !== undefined) removeMark(list.sheet, kept);
  return filled;
}

/**
 * Copies the columns over themselves as values, for sharing. Where that was interrupted, it goes on.
 *
 * @param tab tells values that an interrupted try has left from a person's own.
 */
export function keepAsValues(tab: AnalysisTab, list: MarkedList): Failure | null {
  const { sheet, id, headerRow } = list;
  const size = sheet.size();
  const rows = size && rowsOf(list, size.lastRow);
  if (rows === null) return runProblem('sheet-gone');
  if (!list.isKept) {
    const marked = addMark(sheet, { list: id, role: 'kept' }, headerRow);
    const refusal = refusalOf(marked, areaOf(headerRow, 1));
    if (refusal !== null) return refusal;
  }
  for (const group of rows.count === 0 ? [] : list.groups) {
    const refusal = keepGroup(tab, list, group, rows);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Columns may move while their cells are read, but rarely more often than this. */
export const TRIES_MAX = 5;

/**
 * Fills in where the list and the tab are by then. Formulas that name another column of the tab than
 * was meant would show other figures, so they are written again if its columns moved meanwhile.
 *
 * @param revives whether values that `keepAsValues` left become formulas again.
 */
function fill(
  tab: AnalysisTab,
  list: MarkedList,
  lastRow: number,
  revives: boolean,
): Filled | Failure {
  let there: MarkedList | Failure = list;
  let named = tab;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (isFailure(there)) return there;
    const filled = fillOnce(NO_HEADS, named, there, lastRow, revives);
    if (isFailure(filled)) return filled;
    const tabNow = filled === 'moved' || filled.filled > 0 ? named.again() : named;
    if (isFailure(tabNow)) return tabNow;
    if (filled !== 'moved' && isSameTab(named, tabNow)) return filled;
    named = tabNow;
    there = listNow(list);
  }
  return runProblem('sheet-busy', 'the columns');
}

/** Titles that go into a list together with its formulas. */
export interface Heads {
  readonly areas: readonly Area[];
  write(): Failure | null;
}

const NO_HEADS: Heads = { areas: [], write: () => null };

/**
 * Writes titles, and fills the formulas in down to the last product. Formulas that name another column
 * of the tab than was meant, because its columns moved in that instant, are written again later.
 *
 * @returns `moved`: nothing was written, because the columns are elsewhere by now.
 */
export function fillUnder(
  heads: Heads,
  tab: AnalysisTab,
  list: MarkedList,
  lastRow: number,
  later: Later,
): Filled | 'moved' | Failure {
  const filled = fillOnce(heads, tab, list, lastRow, false);
  if (filled === 'moved' || isFailure(filled)) return filled;
  later(() => {
    const tabNow = tab.again();
    if (!isFailure(tabNow) && !isSameTab(tab, tabNow)) fill(tabNow, list, lastRow, false);
  });
  return filled;
}

const isSameTab = (one: TabReferences, other: TabReferences): boolean =>
  one.name === other.name &&
  TAB_COLUMNS.every((column) => one.letter(column) === other.letter(column));

/** The list where it is by now. */
function listNow({ sheet, id }: MarkedList): MarkedList | Failure {
  const marks = marksNow(sheet);
  if (isFailure(marks)) return marks;
  return listOf(sheet, marks, id) ?? runProblem('look-again', PRODUCT_TITLE);
}

const isSamePlace = (one: MarkedList, other: MarkedList): boolean =>
  JSON.stringify(placesIn(one)) === JSON.stringify(placesIn(other));

const placesIn = ({ headerRow, productColumn, marketColumn, groups }: MarkedList) => [
  headerRow,
  productColumn,
  marketColumn,
  ...groups.map(({ market, columns }) => [market, ...[...columns].sort()]),
];

/** A formula that a column lacks, and in which cells. */
interface MissingFormula {
  readonly formula: string;
  readonly areas: readonly Area[];
}

interface Work {
  readonly missing: readonly MissingFormula[];
  readonly outcome: Filled;
}

function workIn(
  tab: AnalysisTab,
  list: MarkedList,
  lastRow: number,
  revives: boolean,
): Work | Failure {
  const rows = rowsOf(list, lastRow);
  if (rows === null) return runProblem('sheet-gone');
  // Values and formulas also stand in rows whose product was deleted since.
  const read = { ...rows, count: rows.isFilled.length };
  const filled = new Set<number>();
  const missing: MissingFormula[] = [];
  let kept = 0;
  for (const group of read.count === 0 ? [] : list.groups) {
    const formulaOf = formulasOf(list, group, tab);
    if (formulaOf === null) continue;
    const cells = cellsOf(list.sheet, group, read);
    if (cells === null) return runProblem('sheet-gone');
    const helpers = helpersOf(cells, formulaOf);
    for (const one of cells) {
      const formula = formulaOf(one.role);
      const { lacking, theirs } = sorted(one, formula, helpers, revives || !list.isKept);
      const places = lacking.filter((at) => at < rows.count || helpers.notes[at] !== null);
      kept += theirs.filter((at) => rows.isFilled[at]).length;
      missing.push({ formula, areas: areasOf(rows.first, one.column, places) });
      for (const at of places) filled.add(at);
    }
  }
  return { missing, outcome: { filled: filled.size, kept } };
}

/** @returns `moved`: nothing was written, because the columns are elsewhere by now. */
function fillOnce(
  heads: Heads,
  tab: AnalysisTab,
  list: MarkedList,
  lastRow: number,
  revives: boolean,
): Filled | 'moved' | Failure {
  const work = workIn(tab, list, lastRow, revives);
  if (isFailure(work)) return work;
  const { missing, outcome } = work;
  // The cells took time to read, and what follows is written where they were.
  const before = listNow(list);
  if (isFailure(before)) return before;
  if (!isSamePlace(list, before)) return 'moved';
  if (outcome.filled === 0 && heads.areas.length === 0) return outcome;
  const refused = heads.write();
  if (refused !== null) return refused;
  for (const { formula, areas } of missing) {
    const refusal = writeInto(list.sheet, areas, formula);
    if (refusal !== null) return refusal;
  }
  // This read also brings what data validation has refused.
  const now = listNow(list);
  if (isFailure(now) || isSamePlace(list, now)) return isFailure(now) ? now : outcome;
  const written = [...heads.areas, ...missing.flatMap(({ areas }) => areas)];
  return runProblem('overwritten', written.map(addressOf).slice(0, SHOWN_MAX).join(', '));
}

/** How many areas a message names. */
const SHOWN_MAX = 10;

/** The rows of a list, from the first below its header to the last one with a product. */
export interface Rows {
  readonly first: number;
  readonly count: number;
  /** Whether a row has content in the product column, by its place from 0; to the sheet's end. */
  readonly isFilled: readonly boolean[];
}

/** null: the sheet is gone. */
export function rowsOf(
  { sheet, headerRow, productColumn }: MarkedList,
  lastRow = sheet.size()?.lastRow ?? 0,
): Rows | null {
  const first = headerRow + 1;
  if (lastRow < first) return { first, count: 0, isFilled: [] };
  const cells = sheet.values(areaOf(first, productColumn, lastRow - headerRow));
  if (cells === null) return null;
  const isFilled = cells.map(([cell]) => !isBlank(cell));
  return { first, count: isFilled.lastIndexOf(true) + 1, isFilled };
}

/** The cells of one of our columns, from the first row of the list on. */
interface ColumnCells {
  readonly role: LookupRole;
  readonly column: number;
  readonly formulas: readonly string[];
  readonly values: readonly SheetCell[];
}

/**
 * The cells of a group; null: columns are gone. The helper's come last: while it holds a note, an
 * interrupted `makeLive` can be repeated.
 */
function cellsOf(
  sheet: Sheet,
  { columns }: LookupGroup,
  { first, count }: Rows,
): readonly ColumnCells[] | null {
  const places = [...columns].map(([role, column]) => ({ role, column }));
  places.sort((a, b) => a.column - b.column);
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
  return cells.sort((a, b) => Number(a.role === 'helper') - Number(b.role === 'helper'));
}

type FormulaOf = (role: LookupRole) => string;

type TabReferences = Pick<AnalysisTab, 'name' | 'letter'>;

/** The formulas of a group; null: it lacks its helper. */
function formulasOf(list: MarkedList, group: LookupGroup, tab: TabReferences): FormulaOf | null {
  const { productColumn: product, marketColumn: market } = list;
  const helper = group.columns.get('helper');
  if (helper === undefined) return null;
  const at = (column: TabColumn) => ({ name: tab.name, column: columnNumber(tab.letter(column)) });
  return (role) =>
    role === 'helper'
      ? helperFormula({ product, market }, group, at('key'))
      : figureFormula(product, helper, at(role));
}

/** `current`: as it would be written now. `stale`: ours, to be written again. */
type CellKind = 'blank' | 'current' | 'stale' | 'theirs';

/** Tells cells apart. A column holds the same few formulas in thousands of rows. */
export function kindsBy(ours: string): (formula: string, value: SheetCell) => CellKind {
  const known = new Map<string, CellKind>();
  const kindOf = (formula: string): CellKind => {
    if (isSameFormula(formula, ours)) return 'current';
    return isOfOurs(formula, ours) ? 'stale' : 'theirs';
  };
  return (formula, value) => {
    if (formula === '') return value === '' ? 'blank' : 'theirs';
    const kind = known.get(formula) ?? kindOf(formula);
    known.set(formula, kind);
    return kind;
  };
}

/** What the helper's cells say of their rows. */
interface Helpers {
  /** The note of `keepAsValues`; null: there is none. */
  readonly notes: readonly (Note | null)[];
  /** Whether a person has put something of their own there. */
  readonly isTheirs: readonly boolean[];
}

function helpersOf(cells: readonly ColumnCells[], formulaOf: FormulaOf): Helpers {
  const helper = cells.find(({ role }) => role === 'helper');
  const kindOf = kindsBy(formulaOf('helper'));
  const values = helper?.values ?? [];
  const notes = values.map(noteIn);
  const isTheirs = values.map(
    (value, at) => notes[at] === null && kindOf(helper?.formulas[at] ?? '', value) === 'theirs',
  );
  return { notes, isTheirs };
}

/** The places of a column's cells that lack our formula, and of those that are a person's. */
interface Sorted {
  readonly lacking: readonly number[];
  readonly theirs: readonly number[];
}

function sorted(
  { role, formulas, values }: ColumnCells,
  formula: string,
  { notes, isTheirs }: Helpers,
  revives: boolean,
): Sorted {
  const kindOf = kindsBy(formula);
  const lacking: number[] = [];
  const theirs: number[] = [];
  for (const [at, value] of values.entries()) {
    const note = notes[at] ?? null;
    const kind = kindOf(formulas[at] ?? '', value);
    const isOfNote = note !== null && isNoted(note, role, value);
    if (kind === 'theirs' && !isOfNote) theirs.push(at);
    // Beside another helper, a formula would show another row of the tab.
    else if (kind !== 'current' && (note === null ? !isTheirs[at] : revives)) lacking.push(at);
  }
  return { lacking, theirs };
}

/** Writes one formula into these rows of a column. */
export const writeFormula = (
  sheet: Sheet,
  { first }: Rows,
  column: number,
  places: readonly number[],
  formula: string,
): Failure | null => writeInto(sheet, areasOf(first, column, places), formula);

function writeInto(sheet: Sheet, areas: readonly Area[], formula: string): Failure | null {
  for (const area of areas) {
    const refusal = refusalOf(sheet.writeR1C1(area, formula), area);
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * Our formulas become values, and the helper's a note on which cells they were. Each cell is copied
 * over itself, so that a value stays in its row whatever people do meanwhile.
 */
function keepGroup(
  tab: AnalysisTab,
  list: MarkedList,
  group: LookupGroup,
  rows: Rows,
): Failure | null {
  const { sheet } = list;
  const formulaOf = formulasOf(list, group, tab);
  const before = cellsOf(sheet, group, rows);
  if (before === null) return runProblem('sheet-gone');
  if (formulaOf === null) return null;
  const ours = new Map(before.map((one) => [one.role, placesOfOurs(one, formulaOf(one.role))]));
  if (list.isKept) addLeftBehind(tab, before, ours);
  const moved = movedFrom(list);
  if (moved !== null) return moved;
  for (const { role, column } of before.filter((one) => one.role !== 'helper'))
    for (const area of areasOf(rows.first, column, [...(ours.get(role) ?? [])])) {
      const refusal = refusalOf(sheet.keepValues(area), area);
      if (refusal !== null) return refusal;
    }
  const after = cellsOf(sheet, group, rows);
  if (after === null) return runProblem('sheet-gone');
  const valuesAt = (at: number) =>
    after
      .filter(({ role }) => role !== 'helper' && ours.get(role)?.has(at))
      .map(({ role, values }) => [role, values[at] ?? ''] as const);
  const helper = group.columns.get('helper') ?? 0;
  const movedNow = movedFrom(list);
  if (movedNow !== null) return movedNow;
  for (const area of areasOf(rows.first, helper, [...(ours.get('helper') ?? [])])) {
    const notes = Array.from({ length: area.rowCount }, (_, down) => {
      const at = area.row + down - rows.first;
      return [rows.isFilled[at] ? noteOf(valuesAt(at)) : ''];
    });
    const refusal = refusalOf(sheet.write(area, notes), area);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** Why the columns cannot be written where they were; null: they are still there. */
function movedFrom(list: MarkedList): Failure | null {
  const now = listNow(list);
  if (isFailure(now)) return now;
  return isSamePlace(list, now) ? null : runProblem('sheet-busy', 'the columns');
}

/**
 * Adds the cells that an interrupted `keepAsValues` has made values: the row's helper is a formula
 * still, and the value is what the row of the tab holds.
 */
function addLeftBehind(
  tab: AnalysisTab,
  cells: readonly ColumnCells[],
  ours: ReadonlyMap<LookupRole, Set<number>>,
): void {
  const helper = cells.find(({ role }) => role === 'helper');
  // A product that the tab lacks shows blanks.
  const rowsInTab = (helper?.values ?? []).map((row) => (typeof row === 'number' ? row : 0));
  const last = rowsInTab.reduce((most, row) => Math.max(most, row), 1);
  for (const { role, formulas, values } of cells) {
    if (role === 'helper') continue;
    const held = tab.sheet.values(areaOf(1, columnNumber(tab.letter(role)), last)) ?? [];
    for (const at of ours.get('helper') ?? []) {
      const shown = held[(rowsInTab[at] ?? 0) - 1]?.[0];
      if (formulas[at] === '' && isSameValue(values[at], shown)) ours.get(role)?.add(at);
    }
  }
}

const isSameValue = (one: SheetCell = '', other: SheetCell = ''): boolean =>
  checksum(one) === checksum(other);

function placesOfOurs({ formulas }: ColumnCells, formula: string): Set<number> {
  const kindOf = kindsBy(formula);
  const isOurs = (text: string) => ['current', 'stale'].includes(kindOf(text, ''));
  return new Set(formulas.flatMap((text, at) => (isOurs(text) ? [at] : [])));
}

/** Which values of a row `keepAsValues` left, each as "profit:1x2y". */
type Note = ReadonlySet<string>;

/** A note begins with it. */
const NOTE = 'values';

/** "values profit:1x2y roi:zz", for the helper's cell. */
const noteOf = (cells: readonly (readonly [LookupRole, SheetCell])[]): string =>
  [NOTE, ...cells.map(([role, value]) => `${role}:${checksum(value)}`)].join(' ');

function noteIn(cell: SheetCell): Note | null {
  const [first, ...parts] = typeof cell === 'string' ? cell.split(' ') : [];
  return first === NOTE ? new Set(parts) : null;
}

/** Whether a value is one that the note names. The note itself stands in the helper's cell. */
const isNoted = (note: Note, role: LookupRole, value: SheetCell): boolean =>
  role === 'helper' || note.has(`${role}:${checksum(value)}`);

/** A short text that is the same for the same value (FNV-1a, 32 bits). */
function checksum(value: SheetCell): string {
  const text =
    typeof value === 'object'
      ? `date ${Math.round(Number(value) / 1_000)}`
      : `${typeof value} ${typeof value === 'number' ? Number(value.toPrecision(12)) : value}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The cells of a column at these ascending places, as areas without gaps. */
const areasOf = (first: number, column: number, places: readonly number[]): readonly Area[] =>
  stretches(places, (at) => at).map((stretch) =>
    areaOf(first + stretch[0], column, stretch.length),
  );

/** Why nothing was written; null: it was. @param area names the cells that may be protected. */
export function refusalOf(outcome: GrowthOutcome, area?: Area): Failure | null {
  if (outcome === 'protected')
    return fail({ kind: 'protected', ...(area && { cells: addressOf(area) }) });
  if (outcome === 'full') return runProblem('full');
  return outcome === 'gone' ? runProblem('sheet-gone') : null;
}

/** The marks of a sheet, or what data validation has refused before: Sheets tells it at a read. */
function marksNow(sheet: Sheet): readonly Placed[] | Failure {
  const marks = readMarks(sheet);
  if (marks !== null) return marks;
  const cell = sheet.rejected();
  return cell === null ? runProblem('sheet-gone') : runProblem('rejected', cell);
}

/** Sheets reports at the next read that data validation refused a write. */
export function rejection(sheet: Sheet): Failure | null {
  sheet.size();
  const cell = sheet.rejected();
  return cell === null ? null : runProblem('rejected', cell);
}
