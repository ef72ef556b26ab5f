// The rows a slice still has to settle: what is asked next, and which rows have their answers. Pure.

import type { Answer } from '../analysis/answer';
import { type Product, productKey } from '../analysis/product';
import { productOf } from './result';
import { identityOf, isMisplaced, type Row } from './rows';

/** Two chains take blocks of so many rows in turn: then each writes rows that stand together. */
const LANE_ROWS = 40;

/** Rows in one write; more would make a person wait too long to see something. */
export const WRITE_ROWS_MAX = 500;

export interface Lanes {
  readonly lane: number;
  readonly count: number;
  /** Rows of every lane, once the own ones are done and nobody is at the others. */
  readonly takesAll: boolean;
}

/**
 * Rows this slice may settle, in order.
 *
 * @param mends whether a row that holds another product's figures is to be mended. Such are left by
 *   rows that moved while they were written; a person may also have changed the product since.
 */
export function openRows(
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
  lanes: Lanes,
  mends: (row: Row) => boolean,
): readonly Row[] {
  return rows.filter((row) => {
    if (!isOpen(row) || (isMisplaced(row) && !mends(row))) return false;
    return lanes.takesAll || Math.floor(row.row / LANE_ROWS) % lanes.count === lanes.lane;
  });
}

/** The next rows to ask for: so many products, in the order of the rows. */
export function nextPage(
  queue: readonly Row[],
  productsMax: number,
  isKnown: (key: string) => boolean,
): { readonly rows: readonly Row[]; readonly products: readonly Product[] } {
  const products = new Map<string, Product>();
  const rows: Row[] = [];
  for (const row of queue) {
    const product = productOf(row);
    if (product !== null && !isKnown(productKey(product)))
      products.set(productKey(product), product);
    rows.push(row);
    if (products.size >= productsMax || rows.length >= productsMax * 4) break;
  }
  return { rows, products: [...products.values()] };
}

/** Of the rows those that can be written: answered, unreadable, or with figures that are not theirs. */
export function readyRows(
  rows: readonly Row[],
  answers: ReadonlyMap<string, Answer>,
): readonly Row[] {
  return rows.filter(
    (row) => row.content.kind !== 'product' || answers.has(identityOf(row)) || isMisplaced(row),
  );
}

/** The first of the rows, as far as one write reaches. */
export function nextChunk(ready: readonly Row[]): readonly Row[] {
  const first = ready[0]?.row ?? 0;
  return ready.filter(({ row }) => row < first + WRITE_ROWS_MAX);
}
