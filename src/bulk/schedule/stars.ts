// Rows with a star: those with anything in a column that is headed so.

import { isBlank } from '../../analysis/asin';
import { nameForm } from '../../analysis/fields';
import type { Listed } from '../preflight';
import { type Row, shownOf } from '../rows';

const TITLES: readonly string[] = ['star', 'starred', '★', '⭐'];

/** What an unticked box holds is no star. */
const isMarked = (cell: unknown) => !isBlank(cell) && cell !== false && cell !== 'FALSE';

/**
 * Their numbers; none where no column is headed so. null: the rows are no longer as they were read,
 * so nobody knows which of them these stars belong to. At most two calls.
 */
export function starredRows(
  { sheet, headerRow, titles, lastRow, productColumn }: Listed,
  rows: readonly Row[],
): ReadonlySet<number> | null {
  const at = titles.findIndex((title) => TITLES.includes(nameForm(String(title))));
  if (at < 0 || lastRow <= headerRow) return new Set();
  const below = { row: headerRow + 1, rowCount: lastRow - headerRow, columnCount: 1 };
  const [stars = [], products = []] = [at + 1, productColumn].map(
    (column) => sheet.values({ ...below, column }) ?? [],
  );
  const isSame = ({ row, shown }: Row) => shownOf(products[row - below.row]?.[0]) === shown;
  if (!rows.every(isSame)) return null;
  return new Set(stars.flatMap(([cell], down) => (isMarked(cell) ? [below.row + down] : [])));
}
