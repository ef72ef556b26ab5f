// The columns of a list: where products and markets are, and the output columns, which are found by
// their titles.

import * as z from 'zod/mini';
import { isFailure } from '../failures/failure';
import type { Fits } from '../platform/lazy-schema';
import type { SheetCell } from '../platform/ports';
import { isBarcode, isBlank, readAsin } from '../product/asin';
import { seenText } from '../product/cell-text';
import { BETTER_TITLE } from '../product/deal-formulas';
import { nameForm } from '../product/fields';
import { readMarket } from '../product/market';
import { type OutputKey, outputColumn } from './output-columns';

export type Cells = readonly (readonly SheetCell[])[];

/** Headers are searched for in this many rows, below any letterhead. */
const HEADER_ROWS_MAX = 60;

/** This many cells below a product show whether the products begin there. */
const START_CELLS = 5;

/**
 * The share of a column's filled cells that must be products; less is enough if the title says so.
 */
const SHARE_MIN = 0.5;
const SHARE_MIN_NAMED = 0.2;
const MARKET_SHARE_MIN = 0.8;

const PRODUCT_NAMES: readonly (readonly [RegExp, bonus: number])[] = [
  [/^(amazon )?asins?$/i, 1],
  [/asin|isbn/i, 0.7],
  [/product.?(id|link|url|page)|^(link|url|id)$|amazon/i, 0.3],
];
/** Columns of products beside the one that is sold. */
const BESIDE_NAME =
  /(^|[^a-z])(parent|competitor|old|previous|former|similar|related|compared?|alternative|replaced)([^a-z]|$)/i;
const BESIDE_BONUS = 0.1;
const MARKET_NAME =
  /^(amazon )?(market ?places?|markets?|countr(y|ies)|sites?|regions?|domains?)$/i;

export interface Found {
  /** 0: there is no header, and the first row is a product. */
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
}

export interface NotFound {
  /** The row that looks most like titles; 0: none does. */
  readonly headerRow: number;
  /** The column that comes closest, and how many of its filled cells name a product. */
  readonly nearest: {
    readonly column: number;
    readonly products: number;
    readonly sampled: number;
  };
}

export const isMarketTitle = (title: string): boolean => MARKET_NAME.test(title);

const isAsin = (cell: SheetCell | undefined) => !isFailure(readAsin(cell));
const isProduct = (cell: SheetCell | undefined) => isAsin(cell) || isBarcode(cell);
/** Not one of the ten letters and digits that may as well be a stock number. */
const isUsualProduct = (cell: SheetCell | undefined) => {
  const reading = readAsin(cell);
  return isFailure(reading) ? isBarcode(cell) : reading.repair !== 'unsure';
};
const column = (cells: Cells, at: number) => cells.map((row) => row[at] ?? '');

interface Candidate {
  readonly at: number;
  /** How many of the filled cells name a product, and how many of them for certain. */
  readonly products: number;
  readonly usual: number;
  readonly filled: number;
  readonly bonus: number;
}

const shareOf = ({ usual, filled }: Candidate) => usual / Math.max(1, filled);

const scoreOf = (one: Candidate) => shareOf(one) + one.bonus;

const isNamed = ({ bonus }: Candidate) => bonus > 0.5;

function isFit(one: Candidate): boolean {
  // A list with a title and no rows yet counts as one as well.
  if (one.filled === 0) return isNamed(one);
  return isNamed(one)
    ? one.products > 0 && one.products >= SHARE_MIN_NAMED * one.filled
    : one.usual > 0 && shareOf(one) >= SHARE_MIN;
}

/**
 * @param cells the sheet's first rows, from row 1 and column 1 on.
 * @returns null if the sheet is empty.
 */
export function findColumns(cells: Cells): Found | NotFound | null {
  const width = Math.max(0, ...cells.map((row) => row.length));
  const candidates = Array.from({ length: width }, (_, at) => candidateOf(cells, at));
  const [best, ...others] = candidates
    .filter((one) => one.filled > 0 || one.bonus > 0)
    .sort(
      (a, b) =>
        Number(isFit(b)) - Number(isFit(a)) || scoreOf(b) - scoreOf(a) || b.products - a.products,
    );
  if (best === undefined) return null;
  if (!isFit(best) || others.some((other) => isAsGood(other, best, cells)))
    return {
      headerRow: isFit(best) ? headerRowOf(cells, best.at) : likelyHeaderRow(cells),
      nearest: { column: best.at + 1, products: best.products, sampled: best.filled },
    };
  const headerRow = headerRowOf(cells, best.at);
  return {
    headerRow,
    productColumn: best.at + 1,
    marketColumn: marketColumnOf(cells, headerRow, best.at, width),
  };
}

/** Shares of products that differ by less say nothing about which column is meant. */
const SHARE_MARGIN = 0.2;

/** Whether only a person can say which of two columns is meant: other products beside the same. */
function isAsGood(one: Candidate, best: Candidate, cells: Cells): boolean {
  const isClose = scoreOf(best) - scoreOf(one) < SHARE_MARGIN && one.bonus === best.bonus;
  if (!isClose || !isFit(one) || one.usual === 0) return false;
  const both = cells.flatMap((row) => {
    const [mine, its] = [readAsin(row[best.at]), readAsin(row[one.at])];
    return isFailure(mine) || isFailure(its) ? [] : [mine.asin === its.asin];
  });
  return 2 * both.filter((isSame) => !isSame).length > both.length;
}

function candidateOf(cells: Cells, at: number): Candidate {
  const all = column(cells, at);
  const headerRow = headerRowOf(cells, at);
  const bonus = bonusOf(seenText(all[headerRow - 1]));
  const below = all.slice(headerRow);
  const first = below.find((cell) => !isBlank(cell));
  // Without a name or a product right below, it may be any row.
  const isTitled = bonus > 0 || isProduct(first);
  const filled = (isTitled ? below : all).filter((cell) => !isBlank(cell));
  const products = filled.filter(isProduct).length;
  const usual = filled.filter(isUsualProduct).length;
  // Barcodes are read only if a tab explains them, so every column of ASINs is preferred.
  const isOfBarcodes = products > 0 && !filled.some(isAsin);
  return { at, products, usual, filled: filled.length, bonus: isOfBarcodes ? bonus - 1 : bonus };
}

function bonusOf(title: string): number {
  if (title === '' || title.length > 60) return 0;
  const bonus = PRODUCT_NAMES.find(([pattern]) => pattern.test(title))?.[1] ?? 0;
  return BESIDE_NAME.test(title) ? Math.min(bonus, BESIDE_BONUS) : bonus;
}

/** Whether products begin in this row, so that it is no number of a letterhead. */
function isStart(products: readonly SheetCell[], at: number): boolean {
  if (!isProduct(products[at])) return false;
  const next = products.slice(at + 1).filter((cell) => !isBlank(cell));
  const near = next.slice(0, START_CELLS);
  return 2 * near.filter(isProduct).length >= near.length;
}

/**
 * The row of titles above the first product of a column; 0: there is none. A row that names the
 * column is preferred, then one with several titles, then the lowest.
 */
function headerRowOf(cells: Cells, productAt: number): number {
  const products = column(cells, productAt).slice(0, HEADER_ROWS_MAX + 1);
  const start = products.findIndex((_, at) => isStart(products, at));
  const above = cells.slice(0, Math.min(start < 0 ? cells.length : start, HEADER_ROWS_MAX));
  const rows = above.map((row, at) => {
    const filled = row.filter((cell) => !isBlank(cell)).length;
    return { at, filled, bonus: bonusOf(seenText(row[productAt])) };
  });
  const named = Math.max(0, ...rows.map(({ bonus }) => bonus));
  const fit = rows.filter(({ filled, bonus }) => filled > 0 && bonus === named);
  // Without products, only a name makes a row one of titles.
  if (start < 0 && named === 0) return 0;
  const several = fit.filter(({ filled }) => filled > 1);
  return ((several.length > 0 ? several : fit).pop()?.at ?? -1) + 1;
}

/** Without products: the first row that holds nothing but several texts and has rows below it. */
function likelyHeaderRow(cells: Cells): number {
  const filled = (row: Cells[number]) => row.filter((cell) => !isBlank(cell));
  const isTitles = (row: Cells[number]) =>
    filled(row).length > 0 &&
    filled(row).every((cell) => typeof cell === 'string' && !isProduct(cell));
  const widest = Math.max(0, ...cells.map((row) => filled(row).length));
  const top = cells.slice(0, Math.min(HEADER_ROWS_MAX, cells.length - 1));
  return top.findIndex((row) => isTitles(row) && 2 * filled(row).length >= widest) + 1;
}

function marketColumnOf(
  cells: Cells,
  headerRow: number,
  productAt: number,
  width: number,
): number | null {
  const titles = cells[headerRow - 1] ?? [];
  const marketShare = (at: number) => {
    const filled = column(cells.slice(headerRow), at).filter((cell) => !isBlank(cell));
    const markets = filled.filter((cell) => !isFailure(readMarket(cell)));
    return filled.length === 0 ? 0 : markets.length / filled.length;
  };
  // The better market of a row, which our formula calculates, is not the market of its figures.
  const places = Array.from({ length: width }, (_, at) => at).filter(
    (at) => at !== productAt && titleOf(titles[at]) !== BETTER_TITLE,
  );
  const named = places.find((at) => MARKET_NAME.test(seenText(titles[at])) && marketShare(at) > 0);
  const found = named ?? places.find((at) => marketShare(at) >= MARKET_SHARE_MIN);
  return found === undefined ? null : found + 1;
}

/** The meaning of a column for a run. */
export type ColumnKey = 'product' | 'market' | OutputKey;

const isColumnKey = (key: unknown): key is ColumnKey =>
  key === 'product' || key === 'market' || outputColumn(String(key)) !== undefined;

/** A function of its own, which the build leaves out of the sidebar's page. */
export const knownColumnSchema = () =>
  z.object({
    key: z.custom<ColumnKey>(isColumnKey),
    /** The header as last seen; '' for a product column without one. */
    title: z.string(),
    column: z.int().check(z.minimum(1)),
  });

export type KnownColumn = Fits<typeof knownColumnSchema>;

export interface Layout {
  readonly headerRow: number;
  readonly columns: readonly KnownColumn[];
  /** Headers of other columns when the run began. None of those columns is ours. */
  readonly others: readonly string[];
}

/** The run's record has room for this many headers, each shortened. */
const OTHERS_MAX = 60;
const OTHER_CHARS = 30;

export function otherTitles(
  titles: readonly SheetCell[],
  columns: readonly KnownColumn[],
): readonly string[] {
  const others = titles.filter((_, at) => columns.every(({ column }) => column !== at + 1));
  const texts = others.map(titleOf).filter((title) => title !== '');
  return texts.slice(0, OTHERS_MAX).map((title) => title.slice(0, OTHER_CHARS));
}

/** Appended to our title if the sheet already has a column of somebody's own with that title. */
const OWN_SUFFIX = ' (analyzed)';

/**
 * The header is searched for down to this many rows below its former place. People insert rows
 * above it one at a time.
 */
export const HEADER_DRIFT_ROWS = 10;

/** A header may be very long, and the run's record holds 9 KB. */
const TITLE_CHARS = 250;

/** The part of a header that identifies it. */
export const titleOf = (cell: SheetCell | undefined) =>
  seenText(String(cell ?? '').slice(0, TITLE_CHARS));

export function columnOf({ columns }: Layout, key: ColumnKey): number | undefined {
  return columns.find((one) => one.key === key)?.column;
}

/** Whether all columns and the header are where they were. */
export function isSame(one: Layout, other: Layout): boolean {
  return (
    one.headerRow === other.headerRow &&
    one.columns.every(({ key, column }) => columnOf(other, key) === column)
  );
}

export const isRenamed = (before: Layout, { columns }: Layout): boolean =>
  columns.some(({ title }, at) => title !== before.columns[at]?.title);

/** Groups of adjacent columns, from left to right. */
export function sideBySide(columns: readonly KnownColumn[]): readonly (readonly KnownColumn[])[] {
  const groups: KnownColumn[][] = [];
  for (const one of [...columns].sort((a, b) => a.column - b.column)) {
    const last = groups[groups.length - 1];
    if (last?.[last.length - 1]?.column === one.column - 1) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** The title of a column that we add. */
export const plainTitle = (key: ColumnKey): string => outputColumn(key)?.title ?? '';

/** Whether a header belongs to this output column; `sure` if only we write such a header. */
function recognises(key: ColumnKey, title: string): 'sure' | 'maybe' | null {
  const column = outputColumn(key);
  if (title === '' || column === undefined) return null;
  if (title === column.title + OWN_SUFFIX) return 'sure';
  if (!column.isNamed(title)) return null;
  return column.titleIs === 'ours' ? 'sure' : 'maybe';
}

/**
 * Existing output columns by key. A key that is not in the result has to be added.
 *
 * @param isTaken whether a column holds somebody else's content, so that it is not for us.
 */
export function existingColumns(
  titles: readonly SheetCell[],
  keys: readonly ColumnKey[],
  isTaken: (column: number) => boolean,
): ReadonlyMap<ColumnKey, KnownColumn> {
  const found = new Map<ColumnKey, KnownColumn>();
  for (const key of keys) {
    const fits = titles.flatMap((cell, at) => {
      const sure = recognises(key, titleOf(cell));
      if (sure === null || (sure === 'maybe' && isTaken(at + 1))) return [];
      return [{ key, title: titleOf(cell), column: at + 1, sure }];
    });
    const best = fits.find(({ sure }) => sure === 'sure') ?? fits[0];
    if (best !== undefined) found.set(key, { key, title: best.title, column: best.column });
  }
  return found;
}

/** A title for a new column that no existing column has. */
export function newTitle(key: ColumnKey, titles: readonly SheetCell[]): string {
  const title = plainTitle(key);
  const isThere = titles.some((cell) => nameForm(titleOf(cell)) === nameForm(title));
  const isShared = isThere && outputColumn(key)?.titleIs !== 'ours';
  return isShared ? title + OWN_SUFFIX : title;
}

/**
 * The layout as it is now, or the title of a column that no longer exists.
 *
 * @param top the sheet's first rows from row 1 and column 1 on, including some below the header.
 */
export function located(layout: Layout, top: Cells): Layout | string {
  const { others } = layout;
  const headerRow = headerRowNow(layout, top);
  const titles = (top[headerRow - 1] ?? []).map(titleOf);
  const places = new Map<KnownColumn, number>();
  for (const known of layout.columns) {
    const column = columnByTitle(known, titles, others);
    if (column !== null) places.set(known, column);
  }
  const shifts = new Set([...places].map(([known, now]) => now - known.column));
  const taken = [...places.values()];
  for (const known of layout.columns) {
    if (places.has(known)) continue;
    // A renamed column is recognised by its place if all others are still in the same positions
    // relative to it.
    const [shift = 0] = shifts;
    const [now, title] = [known.column + shift, titles[known.column + shift - 1]];
    const isThere = title !== undefined && (title === '') === (known.title === '');
    const isTheirs = taken.includes(now) || others.includes(title?.slice(0, OTHER_CHARS) ?? '');
    if (shifts.size !== 1 || !isThere || isTheirs)
      return known.title === '' ? known.key : known.title;
    places.set(known, now);
  }
  const columns = layout.columns.map((known) => {
    const column = places.get(known) ?? known.column;
    return { ...known, column, title: titles[column - 1] ?? '' };
  });
  return { ...layout, headerRow, columns };
}

/** The row with the most of our titles; the former row is preferred. */
function headerRowNow({ headerRow, columns }: Layout, top: Cells): number {
  const hits = (row: number) => {
    const titles = new Set((top[row - 1] ?? []).map(titleOf));
    return columns.filter(({ title }) => title !== '' && titles.has(title)).length;
  };
  const rows = [headerRow, ...top.map((_, at) => at + 1)];
  return rows.reduce((best, row) => (hits(row) > hits(best) ? row : best), headerRow);
}

/**
 * The column with this title that is nearest to its former place. If somebody else's column had the
 * same title from the start, a column in another place may be that one.
 */
function columnByTitle(
  { title, column }: KnownColumn,
  titles: readonly string[],
  others: readonly string[],
): number | null {
  if (title === '') return null;
  const places = titles.flatMap((text, at) => (text === title ? [at + 1] : []));
  if (others.includes(title.slice(0, OTHER_CHARS)) && !places.includes(column)) return null;
  places.sort((a, b) => Math.abs(a - column) - Math.abs(b - column));
  return places[0] ?? null;
}
