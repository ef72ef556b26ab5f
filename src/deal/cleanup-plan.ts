// Plans, in the page, which cells of the product column to clean up.

import { type Failure, isFailure, sentences } from '../failures/failure';
import { type AsinReading, gtinOf, readAsin } from '../product/asin';
import { DEFAULT_MARKET, readMarket } from '../product/market';
import { type BarcodeLine, openLines } from './barcodes-tab';
import type { Change } from './cleanup';
import type { ListPlace, ListRow } from './list';

/**
 * The most changes in one step, all of which can be undone. The rest of a longer column follows in
 * the next step.
 */
export const CHANGES_MAX = 2_000;

/** The longest text that we write, so a longer one could not be restored. */
const CHANGED_CHARS_MAX = 1_000;

interface Wanted extends Change {
  readonly why: NonNullable<AsinReading['repair']> | 'other-market' | 'number' | 'typed';
  /** Whether the change may be wrong. */
  readonly isUnsure: boolean;
}

/** A cell that stays as it is, and why: one of our codes or a sentence. */
interface Left {
  readonly row: number;
  readonly shown: string;
  readonly why: string;
}

export interface Cleanup {
  readonly titles: readonly string[];
  /** Changes that may be wrong come last. */
  readonly changes: readonly Wanted[];
  /** The number of further changes. */
  readonly more: number;
  /** The number of cells whose product is already in an earlier row. */
  readonly repeated: number;
  readonly left: readonly Left[];
  /** Barcodes for which the tab has no ASIN, each once. */
  readonly barcodes: readonly BarcodeLine[];
}

/** How the sheet reads the row; the tab "Barcodes" or a link may supply the product. */
function readingOf({ product, cells: [seen] }: ListRow): AsinReading | Failure {
  const reading = readAsin(seen);
  const isFromTab = product !== null && (isFailure(reading) || reading.asin !== product.asin);
  const repair = gtinOf(seen) === null ? 'link' : 'barcode';
  return isFromTab ? { asin: product.asin, repair, market: null } : reading;
}

/**
 * @param rows the cells of the product column and, if there is one, of the market column; the last
 * cell of a row may describe the product.
 * @param isOfBoth whether the list has the figures of both markets, so that no link leads to
 * another market.
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
    // Replacing a link by its ASIN loses the market that the link names.
    const isOther = !isOfBoth && reading.market !== null && reading.market !== own;
    const usual = repair ?? (typeof seen === 'number' ? 'number' : 'typed');
    const why = isOther ? 'other-market' : usual;
    // Several products may share one barcode, such as a pack or an older edition.
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

/** The plan without rows that formulas fill; their cells are listed as staying. */
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

/**
 * Changes moved to the present rows of their cells. A change is dropped if its cell is gone or
 * several cells could be meant.
 */
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
