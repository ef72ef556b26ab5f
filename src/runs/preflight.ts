// The preview of a run: its rows, calls and columns, and anything that prevents it.

import { findAnswers } from '../engine/ask';
import type { Engine } from '../engine/engine';
import { type Failure, fail, isFailure, runProblem, sentences } from '../failures/failure';
import type { Sheet, SheetCell, SheetPlatform, SheetSize } from '../platform/ports';
import { type Product, productKey } from '../product/asin';
import { DEFAULT_MARKET, type Market } from '../product/market';
import type { Quota, Stop } from '../quota/rate';
import { failureOfStop } from '../service/response';
import type { ColumnKey, KnownColumn } from '../table/columns';
import {
  chosenRows,
  identityOf,
  type MarketRule,
  productOf,
  type Repair,
  type Row,
  type RowFilter,
} from '../table/row';
import { unmarked } from '../table/status';
import { readRows } from '../table/table';
import { type OwnColumns, ownColumns, readSample, roomFor, rowsIn } from './inspect';
import type { Choice } from './run';

/** At most this many rows of a list are shown. */
const LISTED_MAX = 200;

/** Why a row needs attention: a problem of its product cell, or how it was interpreted. */
export type RowWhy =
  | { readonly why: string }
  | { readonly repair: NonNullable<Repair>; readonly asin: string; readonly market: string }
  /** The row that has the same product first. */
  | { readonly first: number }
  /**
   * The row is left out, because cells in it are merged or its status cell holds something else.
   */
  | { readonly isMerged: boolean };

export type RowNote = { readonly row: number; readonly shown: string } & RowWhy;

const note = ({ row, shown }: Row, fact: RowWhy): RowNote => ({ row, shown, ...fact });

function unreadableNote(row: Row): readonly RowNote[] {
  const { content } = row;
  return content.kind === 'unreadable'
    ? [note(row, { why: sentences(content.failure).message })]
    : [];
}

const keptNote = (row: Row): readonly RowNote[] =>
  row.isLocked ? [note(row, { isMerged: row.isMerged })] : [];

function repairNote(row: Row): readonly RowNote[] {
  if (row.content.kind !== 'product' || row.content.repair === null) return [];
  const { repair, product } = row.content;
  return [note(row, { repair, ...product })];
}

export const shortList = (notes: readonly RowNote[]) => ({
  count: notes.length,
  rows: notes.slice(0, LISTED_MAX),
});

/** With more rows it would take too long to ask of each whether it is visible. */
const VISIBLE_ROWS_MAX = 20_000;

/**
 * The number of products looked up in the cache in one call. Answers are in 256 values, however
 * many there are.
 */
const LOOKED_UP = 20_000;

const DAY_MS = 86_400_000;

/** The rows of a choice in the sheet as it is. */
export interface Plan {
  readonly sheet: Sheet;
  readonly rows: readonly Row[];
  /** The whole list. */
  readonly all: readonly Row[];
  /** Includes rows that a schedule leaves for later. */
  readonly chosen: readonly Row[];
  readonly columns: OwnColumns;
  readonly rule: MarketRule;
  readonly size: SheetSize;
}

export interface Preflight {
  readonly plan: Plan;
  readonly products: readonly Product[];
  readonly fresh: number;
  /** The number of other products with an answer that cannot be reinterpreted in today's way. */
  readonly again: number;
  readonly expectedMs: number | null;
  readonly unreadable: readonly RowNote[];
  readonly repaired: readonly RowNote[];
  readonly duplicates: readonly RowNote[];
  readonly kept: readonly RowNote[];
  /**
   * The number of rows with figures of another market for the same product, which the run replaces.
   */
  readonly replaced: number;
  /** Why no calls are made with this key at present, if so. */
  readonly stop: Stop | undefined;
  /** Why a run cannot be started with this choice. */
  readonly problem: Failure | null;
}

const gone = (): Failure => runProblem('sheet-gone');
const noRows = (): Failure => runProblem('no-rows');

/** Why a list with products has none for this selection. */
const NONE_SUCH: Partial<Record<Choice['rows']['kind'], string>> = {
  empty: 'every row has its figures',
  failed: 'no row failed before',
  older: 'no row was analyzed so long ago',
};

function noneOf(all: readonly Row[], wish: Choice['rows']): Failure {
  const what = all.some((row) => productOf(row) !== null) ? NONE_SUCH[wish.kind] : undefined;
  return what === undefined ? noRows() : runProblem('no-matching-rows', what);
}

/** The list as it was read, for a picker of rows. */
export interface Listed {
  readonly sheet: Sheet;
  /** The columns of the run that already exist. */
  readonly columns: readonly KnownColumn[];
  readonly headerRow: number;
  readonly productColumn: number;
  readonly titles: readonly SheetCell[];
  readonly lastRow: number;
}

/** Picks some of the rows of a choice; used by schedules. */
export type RowPicker = (rows: readonly Row[], listed: Listed) => readonly Row[];

/** @param measured the sheet's size as measured a moment ago. */
export function planOf(
  platform: SheetPlatform,
  choice: Choice,
  fallback: Market,
  pick: RowPicker = (rows) => rows,
  measured?: SheetSize | null,
): Plan | Failure {
  const { headerRow } = choice;
  const sheet = platform.spreadsheet.sheet(choice.sheetId);
  const size = measured ?? sheet?.size();
  if (!sheet || !size) return gone();
  const cells = readSample(sheet, size);
  const columns = ownColumns(sheet, cells, choice);
  const rule: MarketRule =
    choice.market.kind === 'one' ? choice.market : { kind: 'cell', fallback };
  const columnFor = (key: ColumnKey) => {
    if (key === 'product') return choice.productColumn;
    if (key === 'market') return choice.market.kind === 'column' ? choice.market.column : undefined;
    return columns.existing.find((one) => one.key === key)?.column;
  };
  const all = readRows(sheet, size, headerRow, columnFor, rule, true);
  if (all === null) return runProblem('sheet-busy', 'the list');
  const filter = filterOf(platform, choice, sheet, all, size.lastRow);
  if (isFailure(filter)) return filter;
  const chosen = chosenRows(all, filter);
  const titles = cells[headerRow - 1] ?? [];
  const rows = pick(chosen, {
    ...{ sheet, headerRow, titles },
    productColumn: choice.productColumn,
    columns: columns.existing,
    lastRow: size.lastRow,
  });
  return rows.length === 0
    ? noneOf(all, choice.rows)
    : { sheet, rows, all, chosen, columns, rule, size };
}

function filterOf(
  { clock, spreadsheet }: SheetPlatform,
  { rows: wish, sheetId }: Choice,
  sheet: Sheet,
  all: readonly Row[],
  lastRow: number,
): RowFilter | Failure {
  switch (wish.kind) {
    case 'selection':
      if (spreadsheet.active().id !== sheetId) return noRows();
      return { kind: 'rows', rows: rowsIn(spreadsheet.selected(), 1, lastRow) };
    case 'visible': {
      const filled = all.filter(({ content }) => content.kind !== 'blank').map(({ row }) => row);
      const most = VISIBLE_ROWS_MAX.toLocaleString('en-US');
      if (filled.length > VISIBLE_ROWS_MAX)
        return fail({
          kind: 'bad-argument',
          what: `more than ${most} rows. Select the visible ones`,
        });
      return { kind: 'rows', rows: new Set(sheet.visibleRows(filled)) };
    }
    case 'product': {
      const found = all.filter((row) => identityOf(row) === wish.product);
      return { kind: 'rows', rows: new Set(found.map(({ row }) => row)) };
    }
    case 'older':
      return { kind: 'older', beforeMs: clock.nowMs() - wish.days * DAY_MS };
    default:
      return wish;
  }
}

export function preflight(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
): Preflight | Failure {
  const { defaultMarket = DEFAULT_MARKET } = engine.connection.settings;
  const plan = planOf(platform, choice, defaultMarket);
  if (isFailure(plan)) return plan;
  const distinct = new Map<string, Product>();
  const first = new Map<string, number>();
  const duplicates: RowNote[] = [];
  const rows = plan.rows.filter(({ isLocked }) => !isLocked);
  for (const row of rows) {
    const product = productOf(row);
    if (product === null) continue;
    const key = identityOf(row);
    const before = first.get(key);
    if (before !== undefined) duplicates.push(note(row, { first: before }));
    else first.set(key, row.row);
    distinct.set(key, product);
  }
  const products = [...distinct.values()];
  const misread = new Set<string>();
  const fresh = countFresh(engine, products, misread);
  const stop = engine.gate.stopped();
  // Other stops end by themselves: the run writes what is fresh and continues after them.
  const isForGood = stop?.reason === 'key-refused' || stop?.reason === 'copied';
  const isRefused = isForGood && fresh < products.length;
  const refused = isRefused ? failureOfStop(stop, platform.clock.nowMs()) : null;
  return {
    plan,
    products,
    fresh,
    again: misread.size,
    expectedMs: expectedMsOf(engine, products.length - fresh),
    unreadable: rows.flatMap(unreadableNote),
    repaired: rows.flatMap(repairNote),
    duplicates,
    stop,
    problem: refused ?? problemOf(plan, choice, products),
    kept: plan.rows.flatMap(keptNote),
    replaced: choice.market.kind === 'one' ? rows.filter(isOfOtherMarket).length : 0,
  };
}

function isOfOtherMarket({ content, status }: Row): boolean {
  const there = unmarked(status);
  if (content.kind !== 'product' || (there.kind !== 'ok' && there.kind !== 'failed')) return false;
  const { product } = there;
  return product?.asin === content.product.asin && product.market !== content.product.market;
}

function problemOf(
  { sheet, size, columns }: Plan,
  { headerRow }: Choice,
  products: readonly Product[],
): Failure | null {
  if (products.length === 0) return noRows();
  const { canEdit } = roomFor(sheet, size, headerRow, columns);
  return canEdit ? null : fail({ kind: 'protected' });
}

/** The number of products that a run does not ask for, because a cached answer will do. */
function countFresh(engine: Engine, products: readonly Product[], misread: Set<string>): number {
  let fresh = 0;
  for (let at = 0; at < products.length; at += LOOKED_UP) {
    const keys = products.slice(at, at + LOOKED_UP).map(productKey);
    fresh += findAnswers(engine, keys, { triesAgain: true }, misread).size;
  }
  return fresh;
}

/** null while the rate is still a guess. */
function expectedMsOf({ connection, gate }: Engine, calls: number): number | null {
  const learned = gate.learned();
  const quota: Quota | undefined | null = connection.quota ?? (learned?.sure ? learned : null);
  return quota ? (calls * quota.perSeconds * 1_000) / quota.calls : null;
}
