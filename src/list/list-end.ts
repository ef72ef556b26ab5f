// Which rows below a list's titles are the list's: those above another row of titles, whose columns hold
// something else.

import { areaOf, type SheetCell } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { titleOf } from '../product/cell-text';
import { isSameTitle } from './bound-titles';
import { filledColumns, readTags } from './tagged-list';

/** A title of products. */
const isProductTitle = (cell: SheetCell): boolean =>
  typeof cell === 'string' && /^\W*((amazon|product|child) )?(asin|isbn)s?\W*$/i.test(cell);

/**
 * The row of other titles that ends the list: "ASIN, Qty, Cost" below "ASIN, Cost, Qty"; null: none does.
 *
 * @param products the cells below the header, from the first one on.
 */
export function otherTitlesRow(
  { sheet, headerRow }: { readonly sheet: Sheet; readonly headerRow: number },
  products: readonly SheetCell[],
): number | null {
  const candidates = products.flatMap((cell, at) =>
    isProductTitle(cell) ? [headerRow + 1 + at] : [],
  );
  if (headerRow === 0 || candidates.length === 0) return null;
  const ours = filledColumns(readTags(sheet));
  const columnCount = Math.max(1, sheet.lastColumn() ?? 0);
  const titlesIn = (row: number) =>
    (sheet.values(areaOf(row, 1, 1, columnCount))?.[0] ?? []).map((cell, at) =>
      ours.has(at + 1) ? '' : titleOf(cell),
    );
  const own = titlesIn(headerRow);
  const isOther = (title: string, at: number) =>
    title !== '' &&
    !isSameTitle(title, own[at] ?? '') &&
    (own[at] !== '' || own.some((ownTitle) => isSameTitle(ownTitle, title)));
  return candidates.find((row) => titlesIn(row).some(isOther)) ?? null;
}
