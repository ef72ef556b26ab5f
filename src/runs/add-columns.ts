// Adds the output columns that a run lacks, and makes its plan agree with the sheet as it is.

import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import type { GrowthOutcome, Sheet, SheetPlatform, SheetSize } from '../platform/ports';
import { PRODUCT_TITLE } from '../product/fields';
import type { Market } from '../product/market';
import {
  type Cells,
  type ColumnKey,
  type KnownColumn,
  type Layout,
  located,
  otherTitles,
  titleOf,
} from '../table/columns';
import { compareAndWrite } from '../table/compare-and-write';
import { headersOf } from '../table/formats';
import { productOf } from '../table/row';
import {
  areStill,
  columnOrigins,
  frameAround,
  isWithin,
  type Origins,
  type View,
  viewBefore,
} from '../table/snapshot';
import { readStatus } from '../table/status';
import { type OwnColumns, ownColumns, readSample, roomFor } from './inspect';
import { type Plan, planOf, type RowPicker } from './preflight';
import type { Choice } from './run';

/** Columns may move while others are added, but rarely more often than this. */
const TRIES_MAX = 8;

/** The number of empty columns beside the new ones that are read as well. */
const MARGIN = 6;

export interface Preparation {
  readonly plan: Plan;
  readonly choice: Choice;
  /** The headers at the moment when the choice was valid. */
  readonly seen: View;
  /** The columns of a start that failed, which are used again even if they were renamed. */
  readonly left: Layout | null;
}

/** The layout for the run, and which of its columns are new. */
export interface Made {
  readonly layout: Layout;
  readonly keys: readonly ColumnKey[];
}

export function prepareColumns(preparation: Preparation): Made | Failure {
  const { plan, seen, left } = preparation;
  const { sheet } = plan;
  let { choice } = preparation;
  let before = seen;
  // The plan is only moments old. If it still holds, nothing is read twice.
  const soon =
    left === null && choice.headerRow > 0
      ? addColumns(sheet, choice, plan.columns, seen, plan.size)
      : 'moved';
  if (soon !== 'moved') return isFailure(soon) ? soon : made(soon, plan.columns);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const size = sheet.size();
    const now = headersOf(sheet, choice.headerRow, size);
    if (now === null) return gone();
    const moved = movedChoice(choice, columnOrigins(before, now, choice.headerRow));
    if (moved === null) return sheetBusy();
    const tight = moved.headerRow === 0 ? refusalOf(sheet.addRowOnTop()) : null;
    if (tight !== null) return tight;
    choice = { ...moved, headerRow: Math.max(1, moved.headerRow) };
    const withHeader = moved.headerRow === 0 ? headersOf(sheet, 1) : now;
    if (withHeader === null) return gone();
    before = withHeader;
    const sample = readSample(sheet, moved.headerRow === 0 ? sheet.size() : size);
    const columns = adopted(ownColumns(sheet, sample, choice), left, before, sample);
    const layout = addColumns(sheet, choice, columns, before, sheet.size());
    if (layout === 'moved') continue;
    return isFailure(layout) ? layout : made(layout, columns);
  }
  return sheetBusy();
}

const made = (layout: Layout, { added }: OwnColumns): Made => ({
  layout,
  keys: added.map(({ key }) => key),
});

/**
 * The layout if all columns exist; null: columns have to be added, or the titles differ from the
 * plan. Columns that move after this are found by their titles.
 */
function columnsThere(
  choice: Choice,
  { sheet, size, columns }: Plan,
  seen: View,
): Layout | Failure | null {
  const { headerRow } = choice;
  const titles = seen.top[headerRow - 1] ?? [];
  const isThere = ({ column, title }: KnownColumn) => titleOf(titles[column - 1]) === title;
  if (columns.added.length > 0 || !columns.existing.every(isThere)) return null;
  const { canEdit } = roomFor(sheet, size, headerRow, columns);
  return canEdit ? layoutIn(seen, choice, columns, 0) : fail({ kind: 'protected' });
}

const gone = (): Failure => runProblem('sheet-gone');

/** Why there is no room; null: there is, or something was deleted, which the next reading shows. */
function refusalOf(outcome: GrowthOutcome): Failure | null {
  if (outcome === 'protected') return fail({ kind: 'protected' });
  return outcome === 'full' ? runProblem('full') : null;
}

const sheetBusy = (): Failure => runProblem('sheet-busy', 'the headers');

/** The choice with its columns where they are now; null: one of them cannot be identified. */
function movedChoice(choice: Choice, origins: Origins): Choice | null {
  const places = new Map([...origins].map(([to, from]) => [from, to]));
  const productColumn = places.get(choice.productColumn);
  if (productColumn === undefined) return null;
  if (choice.market.kind === 'one') return { ...choice, productColumn };
  const column = places.get(choice.market.column);
  return column === undefined
    ? null
    : { ...choice, productColumn, market: { kind: 'column', column } };
}

/**
 * Includes the columns that an earlier start left behind, identified by title and place. If that
 * fails, marks that remain in rows reveal the status column, so that no second set of columns is
 * made.
 */
function adopted(
  columns: OwnColumns,
  left: Layout | null,
  { top }: View,
  sample: Cells,
): OwnColumns {
  if (left === null) return columns;
  const now = located(left, top);
  const there = typeof now === 'string' ? markedColumns(sample, top, left.headerRow) : now.columns;
  const known = there.filter(({ key }) => columns.added.some((one) => one.key === key));
  const isKnown = (key: ColumnKey) => known.some((one) => one.key === key);
  return {
    ...columns,
    existing: [...columns.existing, ...known],
    added: columns.added.filter(({ key }) => !isKnown(key)),
  };
}

function markedColumns(sample: Cells, top: Cells, headerRow: number): readonly KnownColumn[] {
  const columns = sample.map(
    (row) => row.findIndex((cell) => readStatus(cell).kind === 'queued') + 1,
  );
  const column = columns.find((one) => one > 0);
  const title = titleOf(top[headerRow - 1]?.[Number(column) - 1]);
  return column === undefined ? [] : [{ key: 'status', column, title }];
}

/** `moved`: columns had moved, and nothing of ours remains. */
function addColumns(
  sheet: Sheet,
  choice: Choice,
  columns: OwnColumns,
  seen: View,
  size: SheetSize | null,
): Layout | Failure | 'moved' {
  if (size === null) return gone();
  const { added } = columns;
  const { headerRow, firstNew, canEdit } = roomFor(sheet, size, choice.headerRow, columns);
  if (!canEdit) return fail({ kind: 'protected' });
  const newOnes = added.map((_, at) => firstNew + at);
  const missing = firstNew + added.length - 1 - size.maxColumns;
  const tight = missing > 0 ? refusalOf(sheet.addColumns(size.maxColumns, missing)) : null;
  if (tight !== null) return tight;
  const wide = { ...size, maxColumns: Math.max(size.maxColumns, firstNew + added.length - 1) };
  const area = { row: headerRow, column: 1, rowCount: 1, columnCount: firstNew + added.length - 1 };
  const before = viewBefore(sheet, frameAround(area, headerRow, area.columnCount, MARGIN, wide));
  if (before === null || !areStill(seen, before, headerRow)) return 'moved';
  const titles = before.top[headerRow - 1] ?? [];
  const isFree = newOnes.every((column) => String(titles[column - 1] ?? '') === '');
  if (!isFree) return 'moved';
  const isUntitled = titles.every((title) => String(title) === '');
  const product = { column: choice.productColumn, titles: isUntitled ? [PRODUCT_TITLE] : [] };
  const wanted = [product, { column: firstNew, titles: added.map(({ title }) => title) }];
  const writes = wanted
    .filter((one) => one.titles.length > 0)
    .map(({ column, titles: cells }) => ({
      area: { row: headerRow, column, rowCount: 1, columnCount: cells.length },
      cells: [cells],
    }));
  // Columns that move after this reading are found by their titles.
  if (writes.length === 0) return layoutIn(before, choice, columns, firstNew);
  const isOurs = (row: number, column: number) =>
    writes.some((write) => isWithin(write.area, row, column));
  const place = {
    ...{ sheet, headerRow, reach: area.columnCount, area, margin: MARGIN, size: wide },
    isSame: (after: View) => areStill(before, after, headerRow, isOurs),
  };
  const { outcome, after, hasShifted, lost, rejected } = compareAndWrite(place, before, writes);
  if (rejected !== null) return runProblem('rejected', rejected);
  if (outcome === 'protected') return fail({ kind: 'protected' });
  if (lost !== '') return runProblem('overwritten', lost);
  if (hasShifted || after === null || outcome !== 'written') return 'moved';
  return layoutIn(after, choice, columns, firstNew);
}

function layoutIn(
  { top }: View,
  choice: Choice,
  { existing, added }: OwnColumns,
  firstNew: number,
): Layout {
  const { headerRow } = choice;
  const titles = top[headerRow - 1] ?? [];
  const titleAt = (column: number) => titleOf(titles[column - 1]);
  const known = (key: ColumnKey, column: number): KnownColumn => ({
    key,
    column,
    title: titleAt(column),
  });
  const columns = [
    known('product', choice.productColumn),
    ...(choice.market.kind === 'column' ? [known('market', choice.market.column)] : []),
    ...existing.map(({ key, column }) => known(key, column)),
    ...added.map(({ key, title }, at) => ({ key, title, column: firstNew + at })),
  ];
  return { headerRow, columns, others: otherTitles(titles, columns) };
}

/** Columns may move while a list is read, but rarely more often than this. */
const PLANS_MAX = 5;

/** A plan with the choice that it is valid for, and the sheet as read right after it. */
export interface Settled {
  readonly plan: Plan;
  readonly choice: Choice;
  readonly seen: View;
  /** The layout if no column has to be added. */
  readonly there: Layout | Failure | null;
}

/**
 * Makes a plan. If columns move while the list is read, it follows them and reads the list again.
 */
export function settledPlan(
  platform: SheetPlatform,
  first: Choice,
  fallback: Market,
  pick: RowPicker | undefined,
): Settled | Failure {
  const sheet = platform.spreadsheet.sheet(first.sheetId);
  let choice = first;
  for (let tries = 0; tries < PLANS_MAX; tries += 1) {
    const size = sheet?.size();
    const before = sheet && headersOf(sheet, choice.headerRow, size);
    const plan = planOf(platform, choice, fallback, pick, size);
    const seen = sheet && headersOf(sheet, choice.headerRow, size);
    if (before === null || seen === null) return isFailure(plan) ? plan : runProblem('sheet-gone');
    if (areStill(before, seen, choice.headerRow)) return checked(plan, choice, seen);
    choice = movedChoice(choice, columnOrigins(before, seen, choice.headerRow)) ?? choice;
  }
  return runProblem('sheet-busy', 'the headers');
}

/**
 * The column was chosen some time ago. If no products can be read in it, it is another column by
 * now.
 */
function checked(plan: Plan | Failure, choice: Choice, seen: View): Settled | Failure {
  if (isFailure(plan)) return plan;
  if (!plan.rows.some((row) => productOf(row) !== null)) return runProblem('no-rows');
  return { plan, choice, seen, there: columnsThere(choice, plan, seen) };
}
