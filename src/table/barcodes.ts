// The tab "Barcodes", which names the product of each barcode. A cell that needs it causes one
// reading for the whole snapshot.

import { type Failure, isFailure } from '../failures/failure';
import type { Sheet, SheetCell } from '../platform/ports';
import { type AsinReading, gtinOf, isBlank, readAsin } from '../product/asin';
import { type Cells, titleOf } from './columns';

export const BARCODES_TAB = 'Barcodes';

/** Its columns by the titles in its first row, in lower case. */
export const BARCODE_TITLES = ['barcode', 'asin'];

/** The titles of a tab in the form in which they are compared. */
export const barcodeTitles = (titles: readonly (SheetCell | null)[]): readonly string[] =>
  titles.map((title) => titleOf(title ?? '').toLowerCase());

type Reading = AsinReading | Failure;

/** @param row of the cell, whose link is read if its text names no product. */
export type ProductReader = (cell: unknown, row?: number) => Reading;

/**
 * Reads the product cells of one snapshot. The tab is read at the first barcode, and links at the
 * first text that names no product, and then remembered.
 *
 * @param column of the products.
 * @param headerRow links are read below it.
 */
export function productReader(beside: Sheet, column: number, headerRow: number): ProductReader {
  let known: ReturnType<typeof readTab> | undefined;
  const links = linkReader(beside, column);
  return (cell, row = 0) => {
    const seen = readAsin(cell);
    const isText = isFailure(seen) && typeof cell === 'string' && !isBlank(cell);
    const linked = isText && row > headerRow ? readAsin(links(row)) : seen;
    const reading = isFailure(linked) ? seen : linked;
    // A number of 8 or 10 digits may also be an ISBN. If the tab lists it, a person has said what
    // it is.
    const { repair } = isFailure(reading) ? { repair: 'unsure' } : reading;
    const gtin = repair === 'unsure' || repair === 'leading-zeros' ? gtinOf(cell) : null;
    if (gtin === null) return reading;
    known ??= readTab(beside);
    return known.get(gtin) ?? reading;
  };
}

/** Links are read for this many rows at once. */
const LINKS_AT_ONCE = 500;

/** Reads the links of a column, some rows at a time. */
function linkReader(sheet: Sheet, column: number): (row: number) => string {
  const known = new Map<number, string>();
  return (row) => {
    if (!known.has(row)) {
      const left = (sheet.size()?.lastRow ?? row) - row + 1;
      const rowCount = Math.max(1, Math.min(LINKS_AT_ONCE, left));
      const links = sheet.links({ row, column, rowCount, columnCount: 1 }) ?? [];
      for (let at = 0; at < rowCount; at += 1) known.set(row + at, links[at]?.[0] ?? '');
    }
    return known.get(row) ?? '';
  };
}

/** The whole content of a sheet, from its first cell on. */
export function allCells(sheet: Sheet | null): Cells {
  const { lastRow: rowCount = 0, lastColumn: columnCount = 0 } = sheet?.size() ?? {};
  return (rowCount > 0 && sheet?.values({ row: 1, column: 1, rowCount, columnCount })) || [];
}

function readTab({ named }: Sheet): ReadonlyMap<string | null, Reading | null> {
  const known = new Map<string | null, Reading | null>();
  const [titles = [], ...rows] = allCells(named(BARCODES_TAB));
  const names = barcodeTitles(titles);
  const [barcodeAt = -1, asinAt = -1] = BARCODE_TITLES.map((title) => names.indexOf(title));
  for (const row of rows) {
    const cell = row[asinAt];
    if (isBlank(cell)) continue;
    const gtin = gtinOf(row[barcodeAt]);
    const reading: Reading = { ...readAsin(cell), repair: 'barcode' };
    const there = known.get(gtin);
    // If the tab names two products for a barcode, only a person can decide.
    const isOther = there !== undefined && Object(there).asin !== Object(reading).asin;
    known.set(gtin, isOther ? null : reading);
  }
  return known;
}
