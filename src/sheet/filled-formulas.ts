// Formulas of ours in the cells of columns: one text in R1C1 notation is the formula of a whole column. They
// are filled in and taken away where a cell is blank or holds a formula of ours; what people typed stays.

import { type Failure, runProblem } from '../failures/failure';
import { type Area, addressOf, areaOf, type SheetCell, stretches } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { isMarket } from '../product/market';
import { refusalOf } from './refusal';

export interface FormulaColumn {
  readonly column: number;
  readonly formula: string;
  /** What its cells held before, where that was another formula. */
  readonly former?: string;
  /**
   * The column that its formula reads: beside cells of a person's there, it would show another row. Such
   * columns come after all others, which would else read another row's figure as soon as it is written.
   */
  readonly helper?: number;
  /** Where it may not be written, the others are written all the same. */
  readonly isExtra?: boolean;
}

/** The rows that get formulas. */
export interface FormulaRows {
  readonly first: number;
  readonly count: number;
  /** Which rows count, by their offset from 0; beyond `count` formulas of ours are cleared. */
  readonly isFilled: readonly boolean[];
}

export interface Filled {
  /** Rows whose cells got formulas. */
  readonly filled: number;
  /** Cells with something of a person's own, which stay. */
  readonly kept: number;
}

/** Where formulas below the rows were cleared, a product that a row inserted above has moved there lost its own. */
type FilledOnce = Filled & { readonly hasCleared: boolean };

/** Cells above the rows, which are written with them: texts side by side, or a formula in R1C1 notation. */
export interface TitleCells {
  readonly area: Area;
  readonly is: readonly string[] | { readonly formula: string };
}

/**
 * Fills formulas in.
 *
 * @param isStill whether the columns are where they were; it is asked before the first write and after the last.
 * @returns `moved`: nothing was written, because they are elsewhere by now. `hasCleared`: look again.
 */
export function fillFormulas(
  sheet: Sheet,
  rows: FormulaRows,
  columns: readonly FormulaColumn[],
  titles: readonly TitleCells[],
  isStill: () => boolean | Failure,
): FilledOnce | 'moved' | Failure {
  // Values and formulas also stand in rows whose product was deleted since.
  const cells = columnCellsOf(sheet, columns, { ...rows, count: rows.isFilled.length });
  if (cells === null) return runProblem('sheet-gone');
  const { missing, surplus, outcome } = workIn(rows, cells);
  const hasWork = missing.length + surplus.length + titles.length > 0;
  if (!hasWork && outcome.kept === 0) return outcome;
  // The cells took time to read, and what follows is written where they were.
  const before = isStill();
  if (before !== true) return before === false ? 'moved' : before;
  if (!hasWork) return outcome;
  const first = missing.filter(({ isLast }) => !isLast);
  const last = missing.filter(({ isLast }) => isLast);
  const mayLack = !missing.every(({ column }) => column.isExtra);
  // A helper that comes last makes figures visible, which are where they should be by then.
  const needsReading =
    first.length > 0 && last.some(({ column }) => column.column === column.helper);
  // Each reading also brings what data validation has refused.
  const problem =
    writeTitles(sheet, titles) ??
    writeCells(sheet, first, mayLack) ??
    clearCells(sheet, surplus) ??
    (needsReading ? overwritten([...titles, ...first], isStill) : null) ??
    writeCells(sheet, last, mayLack) ??
    overwritten([...titles, ...missing], isStill);
  return problem ?? outcome;
}

/** What was written where columns have moved meanwhile; null: they are where they were. */
function overwritten(
  written: readonly { readonly area: Area }[],
  isStill: () => boolean | Failure,
): Failure | null {
  const now = isStill();
  if (now !== false) return now === true ? null : now;
  const cells = written.map(({ area }) => addressOf(area));
  return runProblem('overwritten', cells.slice(0, SHOWN_MAX).join(', '));
}

/** How many areas a message names. */
const SHOWN_MAX = 10;

/**
 * Clears the formulas of ours.
 *
 * @returns the cells that people have typed into, by their column.
 */
export function clearFormulas(
  sheet: Sheet,
  rows: FormulaRows,
  columns: readonly FormulaColumn[],
  isStill: () => boolean | Failure,
): ReadonlyMap<number, number> | Failure {
  const cells = columnCellsOf(sheet, columns, rows);
  if (cells === null) return runProblem('sheet-gone');
  const before = isStill();
  if (before !== true) return before === false ? runProblem('sheet-busy', 'the columns') : before;
  const theirs = new Map<number, number>();
  const ours = shapesOf(cells);
  for (const columnCells of cells) {
    const kinds = kindsIn(columnCells, ours);
    theirs.set(columnCells.column, kinds.filter((kind) => kind === 'theirs').length);
    for (const area of areasOf(rows.first, columnCells.column, offsetsOfOurs(kinds))) {
      const refusal = refusalOf(sheet.write(area, blanksIn(area)), area);
      if (refusal !== null) return refusal;
    }
  }
  return theirs;
}

function writeTitles(sheet: Sheet, titles: readonly TitleCells[]): Failure | null {
  for (const { area, is } of titles) {
    const outcome = 'formula' in is ? sheet.writeR1C1(area, is.formula) : sheet.write(area, [is]);
    const refusal = refusalOf(outcome, area);
    if (refusal !== null) return refusal;
  }
  return null;
}

/** @param mayLack whether what is extra may be missing, because others are written. */
function writeCells(
  sheet: Sheet,
  missing: FormulaWork['missing'],
  mayLack: boolean,
): Failure | null {
  for (const { column, area } of missing) {
    const refusal = refusalOf(sheet.writeR1C1(area, column.formula), area);
    const isLeftOut = refusal?.kind === 'protected' && column.isExtra && mayLack;
    if (refusal !== null && !isLeftOut) return refusal;
  }
  return null;
}

function clearCells(sheet: Sheet, surplus: readonly Area[]): Failure | null {
  for (const area of surplus) {
    const refusal = refusalOf(sheet.write(area, blanksIn(area)), area);
    if (refusal !== null && refusal.kind !== 'protected') return refusal;
  }
  return null;
}

interface MissingCells {
  readonly column: FormulaColumn;
  readonly area: Area;
  /** Whether it is written after the others. */
  readonly isLast: boolean;
}

interface FormulaWork {
  /** Cells that lack a formula. */
  readonly missing: readonly MissingCells[];
  /** Cells below the last row that still hold one. */
  readonly surplus: readonly Area[];
  readonly outcome: FilledOnce;
}

const blanksIn = ({ rowCount }: Area) => Array.from({ length: rowCount }, () => ['']);

function workIn(rows: FormulaRows, cells: readonly ColumnCells[]): FormulaWork {
  const ours = shapesOf(cells);
  const kindsOf = new Map(
    cells.map((columnCells) => [columnCells.column, kindsIn(columnCells, ours)] as const),
  );
  const filled = new Set<number>();
  const missing: MissingCells[] = [];
  const surplus: Area[] = [];
  let kept = 0;
  for (const columnCells of cells) {
    const helper = kindsOf.get(columnCells.helper ?? 0);
    const lacking: number[] = [];
    const kinds = kindsOf.get(columnCells.column) ?? [];
    const below = rows.count > 0 ? offsetsOfOurs(kinds).filter((at) => at >= rows.count) : [];
    surplus.push(...areasOf(rows.first, columnCells.column, below));
    for (const [at, kind] of kinds.entries()) {
      if (kind === 'theirs' && rows.isFilled[at]) kept += 1;
      // Beside another helper, a formula would show another row of the tab.
      const isOpen = helper?.[at] !== 'theirs' && at < rows.count;
      if (isOpen && (kind === 'blank' || kind === 'stale')) lacking.push(at);
    }
    const isLast = isWrittenLast(columnCells, helper ?? []);
    for (const area of areasOf(rows.first, columnCells.column, lacking))
      missing.push({ column: columnCells, area, isLast });
    for (const at of lacking) filled.add(at);
  }
  return {
    missing,
    surplus,
    outcome: { filled: filled.size, kept, hasCleared: surplus.length > 0 },
  };
}

/**
 * Without its helper a figure is blank, wherever it has landed. So new rows get their helpers last. A new helper
 * comes first, because its figures would else be calculated twice.
 */
function isWrittenLast({ column, helper }: FormulaColumn, kinds: readonly CellKind[]): boolean {
  if (helper === undefined) return false;
  const isNew = offsetsOfOurs(kinds).length === 0;
  return (column === helper) !== isNew;
}

/** The cells of one of our columns, from the first of the rows on. */
interface ColumnCells extends FormulaColumn {
  readonly formulas: readonly string[];
  readonly values: readonly SheetCell[];
}

/** The cells of columns; null: columns are gone. */
function columnCellsOf(
  sheet: Sheet,
  columns: readonly FormulaColumn[],
  { first, count }: FormulaRows,
): readonly ColumnCells[] | null {
  if (count === 0) return columns.map((column) => ({ ...column, formulas: [], values: [] }));
  const inOrder = [...columns].sort((a, b) => a.column - b.column);
  const cells: ColumnCells[] = [];
  for (const stretch of stretches(inOrder, ({ column }) => column)) {
    const area = areaOf(first, stretch[0].column, count, stretch.length);
    const formulas = sheet.formulasR1C1(area);
    const values = sheet.values(area);
    if (formulas === null || values === null) return null;
    for (const [at, column] of stretch.entries())
      cells.push({
        ...column,
        formulas: formulas.map((row) => row[at] ?? ''),
        values: values.map((row) => row[at] ?? ''),
      });
  }
  return cells.sort((a, b) => Number(a.helper !== undefined) - Number(b.helper !== undefined));
}

/** `current`: as it would be written now. `stale`: ours, to be written again. */
type CellKind = 'blank' | 'current' | 'stale' | 'theirs';

/** The shapes of all formulas of ours: one that has landed in another column of ours is no person's. */
const shapesOf = (columns: readonly FormulaColumn[]): ReadonlySet<string> =>
  new Set(columns.flatMap(({ formula, former = formula }) => [formula, former]).map(shape));

/** Tells the cells of a column apart. It holds the same few formulas in thousands of rows. */
function kindsIn(
  { formula, formulas, values }: ColumnCells,
  ours: ReadonlySet<string>,
): readonly CellKind[] {
  const kinds = new Map<string, CellKind>();
  const kindOf = (text: string): CellKind => {
    if (isSameFormula(text, formula)) return 'current';
    return ours.has(shape(text)) ? 'stale' : 'theirs';
  };
  return values.map((value, at) => {
    const text = formulas[at] ?? '';
    if (text === '') return value === '' ? 'blank' : 'theirs';
    const kind = kinds.get(text) ?? kindOf(text);
    kinds.set(text, kind);
    return kind;
  });
}

/** Where the cells of a column hold a formula of ours. */
const offsetsOfOurs = (kinds: readonly CellKind[]): readonly number[] =>
  kinds.flatMap((kind, at) => (kind === 'current' || kind === 'stale' ? [at] : []));

/** The cells of a column at these ascending offsets, as areas without gaps. */
const areasOf = (first: number, column: number, offsets: readonly number[]): readonly Area[] =>
  stretches(offsets, (at) => at).map((stretch) =>
    areaOf(first + stretch[0], column, stretch.length),
  );

/** Texts in quotes, names of sheets in quotes, and what may be written in several ways. */
const WRITTEN = /("(?:[^"]|"")*")|'((?:[^']|'')*)'|\[0\]|\s+|;|[^"'\s;[]+|\[/g;

/** The formula in one way of writing: Sheets returns it with its own case, commas and quotes. */
function normal(formula: string): string {
  return formula
    .replace(WRITTEN, (part, text?: string, sheetName?: string) => {
      if (text !== undefined) return text;
      if (sheetName !== undefined) return sheetName.toUpperCase();
      if (part === '[0]' || /^\s/.test(part)) return '';
      return part === ';' ? ',' : part.toUpperCase();
    })
    .replace(/!C(\d+):C\1(?!\d)/g, '!C$1');
}

/** Whether two formulas say the same. */
const isSameFormula = (a: string, b: string): boolean => a === b || normal(a) === normal(b);

/** Texts in quotes, a reference that is lost, the sheet before a reference, and a reference. */
const REFERRING =
  /("(?:[^"]|"")*")|#REF!|(?:'(?:[^']|'')*'|[\p{L}\p{N}_.]+)!|(?<![\p{L}\p{N}_.])(?:R(?:\[-?\d+\]|\d+)?)?C(?:\[-?\d+\]|\d+)?(?![\p{L}\p{N}_.(])/giu;

/** The formula without what it refers to, and without the market that it names. */
function shape(formula: string): string {
  const open = formula.replace(REFERRING, (part, text?: string) => {
    if (text !== undefined) return isMarket(text.slice(1, -1)) ? '"market"' : text;
    return part !== '#REF!' && part.endsWith('!') ? '' : '#';
  });
  return normal(open).replace(/#:#/g, '#');
}

/**
 * Whether a formula is this one of ours, also where its references are lost or moved: the tab or
 * a column was deleted, a product was cut and pasted into another row, or the default market is
 * another one by now.
 */
export const isOfOurs = (formula: string, ours: string): boolean =>
  formula !== '' && (isSameFormula(formula, ours) || shape(formula) === shape(ours));

/** A formula without the columns of other tabs that it names. */
export const withoutTab = (formula: string): string =>
  normal(formula).replace(/[^;(]+!C\d+(:C\d+)?/g, '');
