// Finds the products in a sheet: which column holds them, where the header is, where the market. Pure.

import { isBlank, readAsin } from '../analysis/asin';
import { isFailure } from '../analysis/failure';
import { readMarket } from '../analysis/market';
import type { SheetCell } from '../platform/sheet-ports';

export type Cells = readonly (readonly SheetCell[])[];

/** A header further down than this is not looked for. */
const HEADER_ROWS_MAX = 10;

/** Of a column's filled cells so many are products, or fewer where its header says so. */
const SHARE_MIN = 0.5;
const SHARE_MIN_NAMED = 0.2;
const MARKET_SHARE_MIN = 0.8;

const PRODUCT_NAMES: readonly (readonly [RegExp, bonus: number])[] = [
  [/^(amazon )?asins?$/i, 1],
  [/asin|isbn/i, 0.7],
  [/product.?(id|link|url|page)|^(link|url|id)$|amazon/i, 0.3],
];
const MARKET_NAME =
  /^(amazon )?(market ?places?|markets?|countr(y|ies)|sites?|regions?|domains?)$/i;

export interface Found {
  /** 0: there is none, the first row is a product. */
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
}

export interface NotFound {
  /** The row that looks most like one of titles; 0: none does. */
  readonly headerRow: number;
  /** The column that comes nearest, with how many of its filled cells name a product. */
  readonly nearest: {
    readonly column: number;
    readonly products: number;
    readonly sampled: number;
  };
}

export const isMarketTitle = (title: string): boolean => MARKET_NAME.test(title);

const textOf = (cell: SheetCell | undefined) => String(cell ?? '').trim();
const isProduct = (cell: SheetCell | undefined) => !isFailure(readAsin(cell));
const column = (cells: Cells, at: number) => cells.map((row) => row[at] ?? '');

interface Candidate {
  readonly at: number;
  readonly products: number;
  readonly filled: number;
  readonly bonus: number;
}

/** @param cells the sheet's first rows, from row 1 and column 1 on. null: it is empty. */
export function findColumns(cells: Cells): Found | NotFound | null {
  const width = Math.max(0, ...cells.map((row) => row.length));
  const candidates = Array.from({ length: width }, (_, at) => candidateOf(column(cells, at), at));
  const filled = candidates.filter((one) => one.filled > 0 || one.bonus > 0);
  const share = ({ products, filled: cellCount }: Candidate) => products / Math.max(1, cellCount);
  const score = (one: Candidate) => share(one) + one.bonus;
  const [best] = [...filled].sort((a, b) => score(b) - score(a) || a.at - b.at);
  if (best === undefined) return null;
  const isNamed = ({ bonus }: Candidate) => bonus > 0.5;
  // A list that has a title and no rows yet is one, too.
  const isFit = (one: Candidate) =>
    one.filled === 0
      ? isNamed(one)
      : one.products > 0 && share(one) >= (isNamed(one) ? SHARE_MIN_NAMED : SHARE_MIN);
  const [product] = filled.filter(isFit).sort((a, b) => score(b) - score(a) || a.at - b.at);
  if (product === undefined)
    return {
      headerRow: likelyHeaderRow(cells),
      nearest: { column: best.at + 1, products: best.products, sampled: best.filled },
    };
  const headerRow = headerRowOf(cells, product.at);
  return {
    headerRow,
    productColumn: product.at + 1,
    marketColumn: marketColumnOf(cells, headerRow, product.at, width),
  };
}

function candidateOf(cells: readonly SheetCell[], at: number): Candidate {
  const names = cells.slice(0, HEADER_ROWS_MAX).filter((cell) => !isProduct(cell));
  const bonuses = names.map((cell) => bonusOf(textOf(cell)));
  const bonus = Math.max(0, ...bonuses);
  const below =
    bonus > 0 ? cells.slice(cells.indexOf(names[bonuses.indexOf(bonus)] ?? '') + 1) : cells;
  const filled = below.filter((cell) => !isBlank(cell));
  return { at, products: filled.filter(isProduct).length, filled: filled.length, bonus };
}

function bonusOf(title: string): number {
  if (title === '' || title.length > 60) return 0;
  return PRODUCT_NAMES.find(([pattern]) => pattern.test(title))?.[1] ?? 0;
}

/** The last row with a title above the first product; a row that names the products goes before. */
function headerRowOf(cells: Cells, productAt: number): number {
  const products = column(cells, productAt);
  const first = products.findIndex(isProduct);
  const above = cells.slice(0, Math.min(first < 0 ? cells.length : first, HEADER_ROWS_MAX));
  const named = above.findIndex((row) => bonusOf(textOf(row[productAt])) > 0);
  if (named >= 0) return named + 1;
  const filled = above.map((row) => row.some((cell) => textOf(cell) !== ''));
  return filled.lastIndexOf(true) + 1;
}

/** Without products to go by: the first row of several texts and nothing else, with rows below it. */
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
  const places = Array.from({ length: width }, (_, at) => at).filter((at) => at !== productAt);
  const named = places.find((at) => MARKET_NAME.test(textOf(titles[at])) && marketShare(at) > 0);
  const found = named ?? places.find((at) => marketShare(at) >= MARKET_SHARE_MIN);
  return found === undefined ? null : found + 1;
}
