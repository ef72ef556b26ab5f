// What a list shows, and in which order: its Buys alone, the rows behind a number of the page, or its rows by
// ROI, unless sorting them would move what is no product or tear cells apart.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { type Area, addressOf, areaOf, type SheetCell, stretches } from '../google/cells';
import { filterRows, sortRows } from '../google/presentation';
import type { Sheet } from '../google/sheet';
import { rowsOf } from '../list/our-cells';
import type { ListRow } from '../list/rows';
import { mayHaveProduct } from '../list/rows';
import { showRows } from '../list/show-rows';
import { filledColumns, readTags } from '../list/tagged-list';
import { type DecisionRole, decisionTitle } from '../product/deal-formulas';
import { refusalOf } from '../sheet/refusal';
import { type DealList, decisionColumn, type ListSelection, openList } from './list';
import { offersOf, productRows, type ReadTab } from './offer-rows';
import { isCountedAs } from './offers';

/** The list and its column of this decision; a failure if the column is gone. */
function withDecision(
  selection: ListSelection,
  role: DecisionRole,
): { readonly deal: DealList; readonly column: number } | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  const column = deal === null ? undefined : decisionColumn(deal, role);
  return deal === null || column === undefined
    ? runProblem('look-again', decisionTitle(role))
    : { deal, column };
}

/** @param only the verdict to show; null: all rows are shown again as far as other filters allow. */
export function filterList(selection: ListSelection, only: string | null): Failure | null {
  const found = withDecision(selection, 'verdict');
  if (isFailure(found)) return found;
  const { sheet, headerRow } = found.deal.list;
  // What stands below the last product is no part of the list.
  const { count = 0 } = rowsOf(found.deal.list) ?? {};
  const area = areaOf(headerRow, 1, count + 1, sheet.size()?.lastColumn ?? 1);
  return refusalOf(filterRows(sheet, area, found.column, only));
}

/**
 * Selects the rows that a number of the page counts.
 *
 * @param words their verdict, or a reason against buying; null: those without a decision.
 * @returns how many rows are selected.
 */
export function showCounted(
  selection: ListSelection,
  words: string | null,
  readTab: ReadTab,
): number | Failure {
  const found = withDecision(selection, 'verdict');
  if (isFailure(found)) return found;
  const offers = offersOf(found.deal, readTab);
  if (isFailure(offers)) return offers;
  const counted = offers.filter((offer) => isCountedAs(offer, words));
  return showRows(
    found.deal.list.sheet,
    counted.map(({ row }) => row),
  );
}

/** Functions whose result may fill several cells, and lists in braces. */
const FILLS_CELLS =
  /\b(ARRAYFORMULA|ARRAY_CONSTRAIN|ANALYZE\w*|FILTER|SORTN?|UNIQUE|QUERY|SEQUENCE|RANDARRAY|IMPORT\w+|GOOGLEFINANCE|MAP|BY(ROW|COL)|SCAN|MAKEARRAY|LAMBDA|TRANSPOSE|[VH]STACK|TO(COL|ROW)|WRAP\w+|CHOOSE(COLS|ROWS)|FLATTEN|SPLIT|OFFSET|INDIRECT|FREQUENCY|MMULT|MINVERSE|MUNIT|LINEST|LOGEST|TREND|GROWTH)\s*\(|\{/i;

/** The highest ROI comes first; rows without one come last. */
export function sortByRoi(selection: ListSelection, readTab: ReadTab): Failure | null {
  const found = withDecision(selection, 'myRoi');
  if (isFailure(found)) return found;
  const { deal, column } = found;
  const { sheet } = deal.list;
  const rows = productRows(deal, false, readTab);
  if (isFailure(rows)) return rows;
  const products = rows.filter(mayHaveProduct);
  const first = products[0]?.row ?? 0;
  const last = products[products.length - 1]?.row ?? 0;
  if (last <= first) return null;
  const area = areaOf(first, 1, last - first + 1, sheet.size()?.lastColumn ?? 1);
  const ours = filledColumns(readTags(sheet));
  const problem =
    notAlone(rows, first, last) ??
    merged(sheet, area) ??
    filledDown(sheet, area, ours) ??
    readingOthers(sheet, area);
  if (problem !== null) return runProblem('not-sortable', problem);
  const sort = (part: Area, ascending: boolean) =>
    part.rowCount < 2 ? null : refusalOf(sortRows(sheet, part, column, ascending));
  const highestFirst = () => {
    const cells = sheet.values({ ...area, column, columnCount: 1 }) ?? [];
    const isNumber = ([cell]: readonly SheetCell[]) => typeof cell === 'number';
    const at = cells.findIndex(isNumber);
    return sort({ ...area, row: first + at, rowCount: cells.filter(isNumber).length }, false);
  };
  // Sorting twice puts values other than numbers last, wherever Google places empty texts in
  // descending order.
  return sort(area, true) ?? highestFirst();
}

/** A row between products that is none: a heading, a total, a blank row. */
function notAlone(rows: readonly ListRow[], first: number, last: number): string | null {
  const byRow = new Map(rows.map((listRow) => [listRow.row, listRow]));
  for (let row = first; row <= last; row += 1) {
    const found = byRow.get(row);
    if (found === undefined) return `row ${row} has no product`;
    if (!mayHaveProduct(found)) return `row ${row} ("${found.shown}") is no product`;
  }
  return null;
}

function merged(sheet: Sheet, area: Area): string | null {
  const [merge] = sheet.merges(area) ?? [];
  if (merge === undefined) return null;
  return `the cells ${addressOf(merge)} are merged`;
}

/** A formula of the person's whose result reaches down into the rows. */
function filledDown(
  sheet: Sheet,
  { row, rowCount, columnCount }: Area,
  ours: ReadonlySet<number>,
): string | null {
  const theirs = Array.from({ length: columnCount }, (_, at) => at + 1).filter(
    (column) => !ours.has(column),
  );
  const last = row + rowCount - 1;
  for (const stretch of stretches(theirs, (column) => column)) {
    const left = stretch[0] ?? 1;
    const area = areaOf(1, left, last, stretch.length);
    const formulas = sheet.formulas(area) ?? [];
    const values = sheet.values(area) ?? [];
    for (let at = 0; at < last - 1; at += 1)
      for (const [right] of stretch.entries()) {
        const isFilled = (values[at + 1]?.[right] ?? '') !== '' && !formulas[at + 1]?.[right];
        if (isFilled && FILLS_CELLS.test(formulas[at]?.[right] ?? ''))
          return `the formula in ${addressOf(areaOf(at + 1, left + right))} fills several rows`;
      }
  }
  return null;
}

/** Functions that read cells without a reference to them. */
const READS_ANY_CELL = /\b(OFFSET|INDIRECT)\s*\(/i;

/** A text; or the name of a sheet, and a reference in R1C1 notation with its rows. */
const REFERENCE =
  /"(?:[^"]|"")*"|(?:('(?:[^']|'')*'|[\p{L}\p{N}_.]+)!)?(?<![\p{L}\p{N}_.])R(\[-?\d+\]|\d+|)(?:C(?:\[-?\d+\]|\d+)?)?(?![\p{L}\p{N}_.(])(?::R(\[-?\d+\]|\d+|)(?:C(?:\[-?\d+\]|\d+)?)?)?/giu;

/**
 * A formula whose result would change with the order of the rows. Sheets moves a formula with its row
 * and leaves the distance to what it names: =D2+B3 would add the price of another product. Columns as a
 * whole and cells above or below the list stay the same.
 */
function readingOthers(sheet: Sheet, area: Area): string | null {
  const ownName = sheet.name() ?? '';
  for (const [down, line] of (sheet.formulasR1C1(area) ?? []).entries())
    for (const [right, formula] of line.entries()) {
      if (formula === '' || !readsOthers(formula, ownName, area)) continue;
      const cell = addressOf(areaOf(area.row + down, area.column + right));
      return `the formula in ${cell} reads other rows`;
    }
  return null;
}

function readsOthers(formula: string, ownName: string, { row, rowCount }: Area): boolean {
  if (READS_ANY_CELL.test(formula)) return true;
  const last = row + rowCount - 1;
  return [...formula.matchAll(REFERENCE)].some(([, sheetName, from, to = from]) => {
    if (from === undefined || to === undefined) return false;
    if (/^\d+$/.test(from) && /^\d+$/.test(to)) {
      const [top, end] = [Number(from), Number(to)];
      return isOwn(sheetName, ownName) && top <= last && end >= row && !(top <= row && end >= last);
    }
    const isSameRow = (part: string) => part === '' || part === '[0]';
    return !(isOwn(sheetName, ownName) && isSameRow(from) && isSameRow(to));
  });
}

const isOwn = (written: string | undefined, name: string): boolean =>
  written === undefined ||
  written.replace(/^'|'$/g, '').replace(/''/g, "'").toLowerCase() === name.toLowerCase();
