// The columns of a decision in a list: writes their formulas row by row and leaves alone what
// people typed.

import * as z from 'zod/mini';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { pixelsSchema, textMarkSchema } from '../platform/new-tab';
import type { Area, Sheet, SheetCell } from '../platform/ports';
import { columnLetters } from '../platform/ports';
import { cellTextSchema } from '../platform/sheet-schemas';
import { isBlank } from '../product/asin';
import {
  BETTER_TITLE,
  DEAL_TITLES,
  formulaAt,
  OWN_SUFFIX,
  suffixOf,
  titlesOfOurs,
} from '../product/deal-formulas';
import { DEFAULT_MARKET } from '../product/market';
import { columnOf, type Layout, titleOf } from '../table/columns';
import { compareAndWrite } from '../table/compare-and-write';
import { AUTOMATIC, moneyIn, PERCENT, WIDTH_AS_NEW } from '../table/output-columns';
import { productOf, type Row, stretchesOf } from '../table/row';
import { areStill, frameAround, type View, viewBefore } from '../table/snapshot';
import {
  columnBelow,
  type DealPlatform,
  type FoundList,
  findList,
  type ListPlace,
  refusalOf,
  topOf,
} from './list';

const decisionColumnSchema = lazySchema(() =>
  z.strictObject({
    title: cellTextSchema(),
    /**
     * "{3}" stands for the cell in column 3 of the list, "{Verdict}" for the cell of that decision.
     */
    formula: cellTextSchema(),
    kind: z.literal(['money', 'ratio', 'text']),
    width: pixelsSchema(),
  }),
);

export type DecisionColumn = Fits<typeof decisionColumnSchema>;

export const decisionsSchema = lazySchema(() =>
  z.strictObject({
    /** From left to right; a missing column is added at the end. */
    columns: z.array(decisionColumnSchema()),
    /** The title of the column whose texts are highlighted. */
    marked: cellTextSchema(),
    marks: z.array(textMarkSchema()),
  }),
);

export type Decisions = Fits<typeof decisionsSchema>;

export interface Decided {
  /** The number of rows with a product. */
  readonly rows: number;
  /** The number of cells that people have typed into, which stay as they are. */
  readonly kept: number;
  /** The titles of columns that were added. */
  readonly added: readonly string[];
}

/** Every formula of ours refers to a named cell of the rules. */
const isOurs = (formula: string) => formula.includes('DEAL_');

/**
 * A column with our title belongs to somebody else if none of its first filled cells, up to this
 * many, has a formula of ours.
 */
const SAMPLE_ROWS = 20;

/** The number of rows read in one call; a formula has 1,000 to 2,700 characters. */
const FORMULAS_AT_ONCE = 1_000;

/** Columns may move while others are added, so the work is repeated, at most this many times. */
const TRIES_MAX = 5;

/** A decision column in the sheet, and its cells in rows with a product. */
interface Standing {
  readonly column: number;
  /** Rows with a blank cell, and rows with a formula of ours. */
  readonly blank: readonly number[];
  readonly ours: readonly number[];
  readonly kept: number;
}

const cellsOf = (column: number, row: number, rowCount: number): Area => ({
  ...{ row, column, rowCount, columnCount: 1 },
});

/** The cells of a column in these ascending rows, as areas without gaps. */
const areasIn = (column: number, rows: readonly number[]): readonly Area[] =>
  stretchesOf(rows.map((row) => ({ row }))).map((stretch) =>
    cellsOf(column, stretch[0]?.row ?? 0, stretch.length),
  );

/** The contents of an area one column wide. */
const each = <Cell>({ row, rowCount }: Area, cell: (row: number) => Cell): Cell[][] =>
  Array.from({ length: rowCount }, (_, down) => [cell(row + down)]);

/** The formulas of a column in these ascending rows; '' for a cell without one. */
function formulasBeside(sheet: Sheet, column: number, rows: readonly number[]) {
  const found = new Map<number, string>();
  for (let at = 0; at < rows.length; ) {
    const first = rows[at] ?? 0;
    const near = rows.filter((row) => row >= first && row < first + FORMULAS_AT_ONCE);
    const rowCount = (near[near.length - 1] ?? first) - first + 1;
    const formulas = sheet.formulas(cellsOf(column, first, rowCount));
    for (const row of near) found.set(row, formulas?.[row - first]?.[0] ?? '');
    at += near.length;
  }
  return found;
}

function standingIn({ sheet, size, headerRow, rows }: FoundList, column: number): Standing {
  const cells = columnBelow(sheet, size, headerRow, column);
  const isEmpty = ({ row }: Row) => isBlank(cells[row - headerRow - 1]);
  const filled = rows.filter((row) => !isEmpty(row)).map(({ row }) => row);
  const formulas = formulasBeside(sheet, column, filled);
  const ours = filled.filter((row) => isOurs(formulas.get(row) ?? ''));
  const blank = rows.filter(isEmpty).map(({ row }) => row);
  return { column, blank, ours, kept: filled.length - ours.length };
}

/** The decision column of this title; null if it does not exist or belongs to somebody else. */
function placeOf(found: FoundList, title: string): number | null {
  for (const name of titlesOfOurs(title)) {
    const column = found.titles.indexOf(name) + 1;
    if (column === 0) continue;
    const { sheet, size, headerRow, rows } = found;
    const cells = columnBelow(sheet, size, headerRow, column);
    const filled = rows.map(({ row }) => row).filter((row) => !isBlank(cells[row - headerRow - 1]));
    const sample = filled.slice(0, SAMPLE_ROWS);
    const formulas = [...formulasBeside(sheet, column, sample).values()];
    if (sample.length === 0 || formulas.some(isOurs)) return column;
  }
  return null;
}

export function applyDecisions(
  platform: DealPlatform,
  place: ListPlace,
  { columns, marked, marks }: Decisions,
): Decided | Failure {
  const inputs = columns.flatMap(({ formula }) =>
    [...formula.matchAll(/\{(\d+)\}/g)].map(([, column]) => Number(column)),
  );
  const added = new Set<string>();
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const found = findList(platform, place, inputs);
    if (isFailure(found)) return found;
    if (found.headerRow === 0) return runProblem('look-again', 'ASIN');
    const places = columns.map(({ title }) => placeOf(found, title));
    const missing = columns
      .filter((_, at) => places[at] === null)
      .map(({ title }) => (found.titles.includes(title) ? title + OWN_SUFFIX : title));
    if (missing.length > 0) {
      const outcome = addTitles(found, missing);
      if (isFailure(outcome)) return outcome;
      if (outcome === 'written') for (const title of missing) added.add(title);
      continue;
    }
    const there = places.map((column) => standingIn(found, column ?? 0));
    const problem = write(found, columns, there);
    if (problem !== null) return problem;
    finish(platform, found, columns, there, { marked, marks, added });
    return {
      ...{ rows: found.rows.length, added: [...added] },
      kept: there.reduce((sum, { kept }) => sum + kept, 0),
    };
  }
  return runProblem('sheet-busy', 'the headers');
}

/** The rows with a product whose decision cell is written. */
const targetsOf = ({ blank, ours }: Standing) => [...blank, ...ours].sort((a, b) => a - b);

function write(
  found: FoundList,
  columns: readonly DecisionColumn[],
  there: readonly Standing[],
): Failure | null {
  const { sheet, rows, headerRow, titles, now, size } = found;
  const markets = new Map(rows.map((one) => [one.row, productOf(one)?.market ?? DEFAULT_MARKET]));
  const letters = new Map<string, string>([
    ...[...now].map(([was, column]) => [String(was), columnLetters(column)] as const),
    ...columns.map(({ title }, at) => [title, columnLetters(there[at]?.column ?? 0)] as const),
  ]);
  for (const [at, standing] of there.entries()) {
    const { formula = '', kind = 'text' } = columns[at] ?? {};
    const { column, blank } = standing;
    const targets = targetsOf(standing);
    const [first] = targets;
    if (first === undefined) continue;
    const text = formulaAt(first, formula, (name) => letters.get(name) ?? '');
    const outcome = sheet.writeFormulas(cellsOf(column, first, 1), [[text]]);
    const refusal = refusalOf(outcome) ?? copyDown(sheet, column, first, targets);
    if (refusal !== null) return refusal;
    const format = (row: number) =>
      kind === 'ratio' ? PERCENT : moneyIn(markets.get(row) ?? DEFAULT_MARKET);
    if (kind === 'text') continue;
    for (const area of areasIn(column, blank)) sheet.setFormats(area, each(area, format));
  }
  // If columns moved during the write, a formula may have overwritten another cell, and the failure
  // names the columns.
  const after = (topOf(sheet, size, headerRow)[headerRow - 1] ?? []).map(titleOf);
  const isStill = titles.every((title, at) => title === after[at]);
  const cells = there.map(({ column }) => columnLetters(column)).join(', ');
  return isStill ? null : runProblem('overwritten', cells);
}

function copyDown(
  sheet: Sheet,
  column: number,
  from: number,
  rows: readonly number[],
): Failure | null {
  for (const area of areasIn(column, rows)) {
    const refusal = refusalOf(sheet.copyFormula(cellsOf(column, from, 1), area));
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * Formats headers and verdicts and freezes the header. These are extras, so a refusal is no
 * failure.
 */
function finish(
  { presentation }: DealPlatform,
  { sheet, headerRow, titles, now }: FoundList,
  columns: readonly DecisionColumn[],
  there: readonly Standing[],
  { marked, marks, added }: Omit<Decisions, 'columns'> & { readonly added: ReadonlySet<string> },
): void {
  const isNew = ({ column }: Standing) => added.has(titles[column - 1] ?? '');
  const [product] = now.values();
  there.forEach((one, at) => {
    const { width = WIDTH_AS_NEW } = columns[at] ?? {};
    if (isNew(one)) sheet.dress(headerRow, one.column, [width], product ?? null);
  });
  const column = there[columns.findIndex(({ title }) => title === marked)]?.column;
  if (column !== undefined) presentation.mark(sheet.id, column, headerRow + 1, marks, true);
}

/** The number of empty columns beside the new ones that are read as well. */
const MARGIN = 6;

/** `moved`: columns had moved, and nothing of ours remains. */
function addTitles(
  { sheet, size, headerRow, titles }: FoundList,
  wanted: readonly string[],
): 'written' | 'moved' | Failure {
  const { lastColumn, lastRow, maxColumns } = size;
  const first = lastColumn + 1;
  const last = lastColumn + wanted.length;
  const place = { row: headerRow, column: first, columnCount: wanted.length };
  const missing = last - maxColumns;
  const grown = missing > 0 ? refusalOf(sheet.addColumns(maxColumns, missing)) : null;
  if (grown !== null) return grown;
  if (!sheet.canEdit({ ...place, rowCount: Math.max(1, lastRow - headerRow + 1) }))
    return fail({ kind: 'protected' });
  const wide = { ...size, maxColumns: Math.max(maxColumns, last) };
  const area = { row: headerRow, column: 1, rowCount: 1, columnCount: last };
  const before = viewBefore(sheet, frameAround(area, headerRow, last, MARGIN, wide));
  const seen = before?.top[headerRow - 1] ?? [];
  const isFree = (cell: SheetCell | undefined, at: number) => titleOf(cell) === (titles[at] ?? '');
  if (before === null || !seen.every(isFree)) return 'moved';
  const isWritten = (row: number, column: number) =>
    row === headerRow && column >= first && column <= last;
  const where = {
    ...{ sheet, headerRow, reach: last, area, margin: MARGIN, size: wide },
    isSame: (after: View) => areStill(before, after, headerRow, isWritten),
  };
  const cells = { area: { ...place, rowCount: 1 }, cells: [wanted] };
  const { outcome, hasShifted, after, lost, rejected } = compareAndWrite(where, before, [cells]);
  if (rejected !== null) return runProblem('rejected', rejected);
  if (lost !== '') return runProblem('overwritten', lost);
  // If Google failed temporarily, the next search shows whether the titles were written.
  if (hasShifted || after === null || outcome === 'unsure') return 'moved';
  return refusalOf(outcome) ?? 'written';
}

/** Removes our formulas and highlighting. A column that is then empty looks like a new one. */
export function removeDecisions(
  platform: DealPlatform,
  place: ListPlace,
  { columns, marked, marks }: Decisions,
): Decided | Failure {
  const { presentation } = platform;
  const found = findList(platform, place, []);
  if (isFailure(found)) return found;
  const { sheet, headerRow } = found;
  let keptCells = 0;
  for (const { title } of columns) {
    const column = placeOf(found, title);
    if (column === null) continue;
    const { ours, kept, blank } = standingIn(found, column);
    const rows = kept === 0 ? [headerRow, ...blank, ...ours].sort((a, b) => a - b) : ours;
    keptCells += kept;
    for (const area of areasIn(column, rows)) {
      const refusal = refusalOf(
        sheet.write(
          area,
          each(area, () => ''),
        ),
      );
      if (refusal !== null) return refusal;
      sheet.setFormats(
        area,
        each(area, () => AUTOMATIC),
      );
    }
    if (title === marked) presentation.mark(sheet.id, column, headerRow + 1, marks, false);
    if (kept > 0) continue;
    sheet.dress(headerRow, column, [WIDTH_AS_NEW], null);
  }
  return { rows: found.rows.length, kept: keptCells, added: [] };
}

/**
 * Copies the decision formulas to rows that have figures but no decision yet. It is called at the
 * end of a run; it costs nothing for a list without decisions, and what fails now is done by the
 * next run.
 */
export function extendDecisions(sheet: Sheet, layout: Layout): void {
  const suffix = suffixOf(layout.columns);
  const ours = [
    ...Object.values(DEAL_TITLES).map((title) => titlesOfOurs(title, suffix)),
    titlesOfOurs(BETTER_TITLE),
  ];
  const titles = ours.flat();
  const size = layout.others.some((title) => titles.includes(title)) ? sheet.size() : null;
  const at = columnOf(layout, 'at');
  if (size === null || at === undefined) return;
  const { headerRow } = layout;
  const there = (topOf(sheet, size, headerRow)[headerRow - 1] ?? []).map(titleOf);
  const placed = (some: readonly string[]) => some.map((one) => there.indexOf(one) + 1);
  const read = (column: number) => columnBelow(sheet, size, headerRow, column);
  const verdict = placed(titlesOfOurs(DEAL_TITLES.verdict, suffix)).find((column) => column > 0);
  if (
    verdict === undefined ||
    there[at - 1] !== layout.columns.find((one) => one.column === at)?.title
  )
    return;
  const [moments, verdicts] = [read(at), read(verdict)];
  const rowsWhere = (hasVerdict: boolean) =>
    moments.flatMap((moment, down) =>
      !isBlank(moment) && isBlank(verdicts[down]) !== hasVerdict ? [headerRow + 1 + down] : [],
    );
  const lacking = rowsWhere(false);
  const sample = rowsWhere(true).slice(0, SAMPLE_ROWS);
  if (lacking.length === 0) return;
  for (const some of ours) {
    for (const column of placed(some).filter((one) => one > 0)) {
      const formulas = formulasBeside(sheet, column, sample);
      const from = sample.find((row) => isOurs(formulas.get(row) ?? ''));
      if (from === undefined) continue;
      const cells = read(column);
      const rows = lacking.filter((row) => isBlank(cells[row - headerRow - 1]));
      copyDown(sheet, column, from, rows);
      giveFormats(sheet, layout, column, from, rows);
      break;
    }
  }
}

/**
 * Formats new cells: money like the figures of its row, everything else like the row that was
 * copied.
 */
function giveFormats(
  sheet: Sheet,
  layout: Layout,
  column: number,
  from: number,
  rows: readonly number[],
): void {
  const [[like = AUTOMATIC] = []] = sheet.formats(cellsOf(column, from, 1)) ?? [];
  const figure = columnOf(layout, 'profit') ?? columnOf(layout, 'fees');
  for (const area of areasIn(column, rows)) {
    const beside =
      figure && like.startsWith('[$') ? sheet.formats({ ...area, column: figure }) : null;
    sheet.setFormats(
      area,
      each(area, (row) => beside?.[row - area.row]?.[0] ?? like),
    );
  }
}
