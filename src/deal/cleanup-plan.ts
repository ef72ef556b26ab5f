// What is to be changed in the column of products, worked out in the page.

import { type Failure, isFailure, sentences } from '../failures/failure';
import { type AsinReading, readAsin } from '../product/asin';
import { DEFAULT_MARKET, readMarket } from '../product/market';
import { type BarcodeLine, openLines } from './barcodes-tab';
import type { ListPlace, ListRow } from './list';

/** Changes of one go, which is what can be undone: of longer columns the rest comes next. */
export const CHANGES_MAX = 2_000;

/** A sheet takes no longer texts from us, so that what is longer could not be put back. */
const CHANGED_CHARS_MAX = 1_000;

/** What stands in a cell, what is to stand there, and the number format that goes with it. */
export interface Change {
  readonly row: number;
  readonly seen: string | number | boolean;
  readonly put: string | number | boolean;
  readonly format: string;
}

interface Wanted extends Change {
  readonly why: NonNullable<AsinReading['repair']> | 'other-market' | 'number' | 'typed';
  /** It may be wrong. */
  readonly isUnsure: boolean;
}

/** A cell that stays as it is, with why: a word of ours, or a sentence. */
interface Left {
  readonly row: number;
  readonly shown: string;
  readonly why: string;
}

export interface Cleanup {
  readonly titles: readonly string[];
  /** Those that may be wrong go last. */
  readonly changes: readonly Wanted[];
  /** How many there are beyond these. */
  readonly more: number;
  /** Cells whose product stands in an earlier row. */
  readonly repeated: number;
  readonly left: readonly Left[];
  /** Those for which no tab has an ASIN, each once. */
  readonly barcodes: readonly BarcodeLine[];
}

/** As the sheet reads it, in which a tab may tell the product of a barcode. */
function readingOf({ product, cells: [seen] }: ListRow): AsinReading | Failure {
  const reading = readAsin(seen);
  const isFromTab = product !== null && (isFailure(reading) || reading.asin !== product.asin);
  return isFromTab ? { asin: product.asin, repair: 'barcode', market: null } : reading;
}

/**
 * @param rows with the cells of the column of products and, where there is one, of that of markets;
 *   the last of each may say what the product is.
 * @param isOfBoth whether the list has the figures of both markets: no link is to another one, then.
 */
export function planCleanup(
  { market, titles }: Pick<ListPlace, 'market' | 'titles'>,
  rows: readonly ListRow[],
  isOfBoth = false,
): Cleanup {
  const asins = new Set<string>();
  const [changes, left]: [Wanted[], Left[]] = [[], []];
  let repeated = 0;
  const titleAt = market.kind === 'one' ? 1 : 2;
  for (const one of rows) {
    const { row, cells } = one;
    const [seen, ofMarket] = cells;
    const marketCell = market.kind === 'one' ? null : ofMarket;
    const reading = readingOf(one);
    const shown = String(seen ?? '');
    if (isFailure(reading)) {
      left.push({ row, shown, why: sentences(reading).message });
      continue;
    }
    const { asin, repair } = reading;
    repeated += asins.has(asin) ? 1 : 0;
    asins.add(asin);
    if (asin === seen || (typeof seen !== 'string' && typeof seen !== 'number')) continue;
    if (shown.length > CHANGED_CHARS_MAX) {
      left.push({ row, shown, why: 'long' });
      continue;
    }
    const named = (marketCell ?? null) === null ? DEFAULT_MARKET : readMarket(marketCell);
    const own = market.kind === 'one' ? market.market : named;
    // With the link goes what it says of the market.
    const isOther = !isOfBoth && reading.market !== null && reading.market !== own;
    const usual = repair ?? (typeof seen === 'number' ? 'number' : 'typed');
    const why = isOther ? 'other-market' : usual;
    // One barcode may be on several products: a pack, an older edition.
    const isUnsure = isOther || repair === 'unsure' || repair === 'barcode';
    changes.push({ row, seen, put: asin, format: '@', why, isUnsure });
  }
  const sorted = [
    ...changes.filter(({ isUnsure }) => !isUnsure),
    ...changes.filter(({ isUnsure }) => isUnsure),
  ];
  const barcodes = openLines(rows, titleAt);
  const more = Math.max(0, sorted.length - CHANGES_MAX);
  return { titles, changes: sorted.slice(0, CHANGES_MAX), more, repeated, left, barcodes };
}

/** What is left of it where formulas fill these rows. */
export function withoutFormulas(cleanup: Cleanup, rows: readonly number[]): Cleanup {
  const filled = new Set(rows);
  const staying = cleanup.changes.filter(({ row }) => filled.has(row));
  return {
    ...cleanup,
    changes: cleanup.changes.filter(({ row }) => !filled.has(row)),
    left: [
      ...staying.map(({ row, seen }) => ({ row, shown: String(seen), why: 'formula' })),
      ...cleanup.left,
    ],
  };
}

/** Changes by where their cells stand now; without those that are gone, or that several can be. */
export function placed(changes: readonly Change[], rows: readonly ListRow[]): readonly Change[] {
  const keyOf = (cell: unknown) => typeof cell + String(cell);
  const keys = new Map(rows.map(({ row, cells: [cell] }) => [row, keyOf(cell)]));
  const isThere = ({ row, seen }: Change) => keys.get(row) === keyOf(seen);
  const there = changes.filter(isThere);
  const taken = new Set(there.map(({ row }) => row));
  const free = new Map<string, number[]>();
  for (const [row, key] of keys)
    if (!taken.has(row)) free.set(key, [...(free.get(key) ?? []), row]);
  const moved = new Map<string, Change[]>();
  for (const one of changes.filter((change) => !isThere(change)))
    moved.set(keyOf(one.seen), [...(moved.get(keyOf(one.seen)) ?? []), one]);
  const followed = [...moved].flatMap(([key, all]) => {
    const places = free.get(key) ?? [];
    return places.length === all.length
      ? all.map((one, at) => ({ ...one, row: places[at] ?? one.row }))
      : [];
  });
  return [...there, ...followed];
}
