// Finds a list in a sheet: the row of its titles and the columns of its products and markets.

import { isFailure } from '../failures/failure';
import type { SheetCell } from '../google/cells';
import { isBarcode, isBlank, readAsin } from '../product/asin';
import { seenText, titleOf } from '../product/cell-text';
import { BETTER_TITLE } from '../product/deal-formulas';
import { readMarket } from '../product/market';

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

const PRODUCT_TITLES: readonly (readonly [RegExp, bonus: number])[] = [
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

export interface FoundColumns {
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

const isAsin = (cell: SheetCell | undefined) => !isFailure(readAsin(cell));
const isProduct = (cell: SheetCell | undefined) => isAsin(cell) || isBarcode(cell);
/** Not one of the ten letters and digits that may as well be a stock number. */
const isUsualProduct = (cell: SheetCell | undefined) => {
  const reading = readAsin(cell);
  return isFailure(reading) ? isBarcode(cell) : reading.repair !== 'unsure';
};
const column = (cells: Cells, at: number) => cells.map((row) => row[at] ?? '');

interface ColumnCandidate {
  readonly at: number;
  /** How many of the filled cells name a product, and how many of them for certain. */
  readonly products: number;
  readonly usual: number;
  readonly filled: number;
  readonly bonus: number;
}

const usualShare = ({ usual, filled }: ColumnCandidate) => usual / Math.max(1, filled);

const scoreOf = (candidate: ColumnCandidate) => usualShare(candidate) + candidate.bonus;

const isNamed = ({ bonus }: ColumnCandidate) => bonus > 0.5;

function isFit(candidate: ColumnCandidate): boolean {
  // A list with a title and no rows yet counts as one as well.
  if (candidate.filled === 0) return isNamed(candidate);
  return isNamed(candidate)
    ? candidate.products > 0 && candidate.products >= SHARE_MIN_NAMED * candidate.filled
    : candidate.usual > 0 && usualShare(candidate) >= SHARE_MIN;
}

/**
 * @param cells the sheet's first rows, from row 1 and column 1 on.
 * @returns null if the sheet is empty.
 */
export function findColumns(cells: Cells): FoundColumns | NotFound | null {
  const width = Math.max(0, ...cells.map((row) => row.length));
  const candidates = Array.from({ length: width }, (_, at) => candidateOf(cells, at));
  const [best, ...runnersUp] = candidates
    .filter((candidate) => candidate.filled > 0 || candidate.bonus > 0)
    .sort(
      (a, b) =>
        Number(isFit(b)) - Number(isFit(a)) || scoreOf(b) - scoreOf(a) || b.products - a.products,
    );
  if (best === undefined) return null;
  if (!isFit(best) || runnersUp.some((candidate) => isAsGood(candidate, best, cells)))
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
function isAsGood(candidate: ColumnCandidate, best: ColumnCandidate, cells: Cells): boolean {
  const isClose =
    scoreOf(best) - scoreOf(candidate) < SHARE_MARGIN && candidate.bonus === best.bonus;
  if (!isClose || !isFit(candidate) || candidate.usual === 0) return false;
  const both = cells.flatMap((row) => {
    const mine = readAsin(row[best.at]);
    const reading = readAsin(row[candidate.at]);
    return isFailure(mine) || isFailure(reading) ? [] : [mine.asin === reading.asin];
  });
  return 2 * both.filter((isSame) => !isSame).length > both.length;
}

function candidateOf(cells: Cells, at: number): ColumnCandidate {
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
  // A person has to name the product of each barcode, so every column of ASINs is preferred.
  const isOfBarcodes = products > 0 && !filled.some(isAsin);
  return { at, products, usual, filled: filled.length, bonus: isOfBarcodes ? bonus - 1 : bonus };
}

function bonusOf(title: string): number {
  if (title === '' || title.length > 60) return 0;
  const bonus = PRODUCT_TITLES.find(([pattern]) => pattern.test(title))?.[1] ?? 0;
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
  const indexes = Array.from({ length: width }, (_, at) => at).filter(
    (at) => at !== productAt && titleOf(titles[at]) !== BETTER_TITLE,
  );
  const named = indexes.find((at) => MARKET_NAME.test(seenText(titles[at])) && marketShare(at) > 0);
  const found = named ?? indexes.find((at) => marketShare(at) >= MARKET_SHARE_MIN);
  return found === undefined ? null : found + 1;
}
