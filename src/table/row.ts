// A row of a list: its product, its status, and whether a choice includes it. Pure.

import { type Failure, isFailure } from '../failures/failure';
import type { SheetCell } from '../platform/ports';
import { type AsinReading, isBlank, type Product, productKey, readAsin } from '../product/asin';
import { type Market, readMarket } from '../product/market';
import type { ProductReader } from './barcodes';
import { type RowStatus, readStatus, unmarked } from './status';

/**
 * `foreign-link`: the link names a market other than the list's. `no-market`: the row should name a
 * market and does not, so the default one is used.
 */
export type Repair = AsinReading['repair'] | 'foreign-link' | 'no-market';

export type RowContent =
  | { readonly kind: 'blank' }
  | { readonly kind: 'product'; readonly product: Product; readonly repair: Repair }
  | { readonly kind: 'unreadable'; readonly failure: Failure };

export interface Row {
  readonly row: number;
  readonly content: RowContent;
  /** The text of the product cell, shortened. */
  readonly shown: string;
  readonly status: RowStatus;
  readonly statusText: string;
  /** When the row's figures were fetched, ms since 1970; null: it has none of ours. */
  readonly atMs: number | null;
  /**
   * The row is not written, because its status holds a formula or a person's text, or because cells
   * in it are merged.
   */
  readonly isLocked: boolean;
  readonly isMerged: boolean;
}

/** How the market of a row is determined. */
export type MarketRule =
  | { readonly kind: 'one'; readonly market: Market }
  | { readonly kind: 'cell'; readonly fallback: Market };

/** The same for the rows of one snapshot, with a reader that also knows barcodes. */
export type RowRule = MarketRule & { readonly read?: ProductReader };

const SHOWN_CHARS = 40;

function readContent(row: number, product: unknown, market: unknown, rule: RowRule): RowContent {
  if (isBlank(product)) return { kind: 'blank' };
  const { read = readAsin } = rule;
  const reading = read(product, row);
  if (isFailure(reading)) return { kind: 'unreadable', failure: reading };
  const { asin, repair } = reading;
  if (rule.kind === 'one') {
    const isForeign = (reading.market ?? rule.market) !== rule.market;
    return found({ asin, market: rule.market }, isForeign ? 'foreign-link' : repair);
  }
  if (isBlank(market))
    return found({ asin, market: reading.market ?? rule.fallback }, repair ?? 'no-market');
  const named = readMarket(market);
  return isFailure(named)
    ? { kind: 'unreadable', failure: named }
    : found({ asin, market: named }, repair);
}

const found = (product: Product, repair: Repair): RowContent => ({
  kind: 'product',
  product,
  repair,
});

export interface RowCells {
  readonly product: SheetCell | undefined;
  readonly market: SheetCell | undefined;
  readonly status: SheetCell | undefined;
  readonly statusFormula: string | undefined;
  readonly at: SheetCell | undefined;
}

/**
 * Serial numbers of the first days of 2000 and 2100. A number between them is a date whose format
 * was changed.
 */
const [SERIAL_2000, SERIAL_2100] = [36_526, 73_051];
const SERIAL_1970 = 25_569;
const DAY_MS = 86_400_000;

function momentOf(cell: SheetCell | undefined): number | null {
  if (isDate(cell)) return Number(cell);
  if (typeof cell !== 'number' || cell < SERIAL_2000 || cell > SERIAL_2100) return null;
  return (cell - SERIAL_1970) * DAY_MS;
}

export const shownOf = (cell: SheetCell | undefined): string =>
  String(cell ?? '').slice(0, SHOWN_CHARS);

export function readRow(row: number, cells: RowCells, rule: RowRule): Row {
  const status = readStatus(cells.status);
  return {
    row,
    content: readContent(row, cells.product, cells.market, rule),
    shown: shownOf(cells.product),
    status,
    statusText: String(cells.status ?? ''),
    atMs: momentOf(cells.at),
    isLocked: status.kind === 'foreign' || (cells.statusFormula ?? '') !== '',
    isMerged: false,
  };
}

/** Identifies the content of a row, whatever its row number. */
export function identityOf({ content, shown }: Pick<Row, 'content' | 'shown'>): string {
  if (content.kind === 'product') return productKey(content.product);
  return content.kind === 'blank' ? '' : `?${shown}`;
}

/**
 * Whether the row's figures belong to another product, because rows moved between a reading and a
 * write.
 */
export function isMisplaced({ content, status }: Pick<Row, 'content' | 'status'>): boolean {
  if (status.kind !== 'ok' && status.kind !== 'failed') return false;
  if (status.product === null) return content.kind === 'blank';
  if (content.kind !== 'product') return true;
  return productKey(content.product) !== productKey(status.product);
}

export type RowFilter =
  | { readonly kind: 'all' }
  | { readonly kind: 'rows'; readonly rows: ReadonlySet<number> }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'failed';
      readonly kinds?: readonly string[] | undefined;
      readonly sinceMs?: number | undefined;
    }
  | { readonly kind: 'older'; readonly beforeMs: number };

/** Whether a row failed in one of these ways, at that time or later as far as the time is known. */
export const isOfKind = (
  { failure, triedMs }: Extract<RowStatus, { kind: 'failed' }>,
  { kinds, sinceMs = 0 }: Pick<Extract<RowFilter, { kind: 'failed' }>, 'kinds' | 'sinceMs'>,
): boolean => (kinds?.includes(failure) ?? true) && (triedMs ?? sinceMs) >= sinceMs;

/** The rows of a run. Blank rows are never included. */
export function chosenRows(rows: readonly Row[], filter: RowFilter): readonly Row[] {
  return rows.filter((row) => row.content.kind !== 'blank' && fits(row, filter));
}

function fits(one: Row, filter: RowFilter): boolean {
  const { row } = one;
  // A mark that was left behind says nothing about its row.
  const status = unmarked(one.status);
  // The row holds nothing of its present product.
  const isOthers = isMisplaced({ ...one, status });
  const atMs = isOthers ? null : one.atMs;
  switch (filter.kind) {
    case 'all':
      return true;
    case 'rows':
      return filter.rows.has(row);
    case 'empty':
      return isOthers || (atMs === null && status.kind !== 'failed' && status.kind !== 'ok');
    case 'failed':
      return status.kind === 'failed' && isOfKind(status, filter);
    case 'older':
      return atMs === null || atMs < filter.beforeMs;
  }
}

/** Groups of consecutive rows. @param rows in ascending order. */
export function stretchesOf<One extends { readonly row: number }>(
  rows: readonly One[],
): readonly (readonly One[])[] {
  const stretches: One[][] = [];
  for (const one of rows) {
    const stretch = stretches[stretches.length - 1];
    if (stretch?.[stretch.length - 1]?.row === one.row - 1) stretch.push(one);
    else stretches.push([one]);
  }
  return stretches;
}

/** A sheet's dates may have been created by another script context's `Date`. */
export const isDate = (cell: SheetCell | undefined): boolean =>
  Object.prototype.toString.call(cell) === '[object Date]';

export function productOf({ content }: Pick<Row, 'content'>): Product | null {
  return content.kind === 'product' ? content.product : null;
}
