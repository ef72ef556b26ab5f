// Rows with a star: those with anything in a column that is headed so.

import { isBlank } from '../../analysis/asin';
import { nameForm } from '../../analysis/fields';
import type { Listed } from '../preflight';

const TITLES: readonly string[] = ['star', 'starred', '★', '⭐'];

/** What an unticked box holds is no star. */
const isMarked = (cell: unknown) => !isBlank(cell) && cell !== false && cell !== 'FALSE';

/** Their numbers; none where no column is headed so. At most one call. */
export function starredRows({ sheet, headerRow, titles, lastRow }: Listed): ReadonlySet<number> {
  if (lastRow <= headerRow) return new Set();
  const at = titles.findIndex((title) => TITLES.includes(nameForm(String(title))));
  if (at < 0) return new Set();
  const below = { row: headerRow + 1, column: at + 1, rowCount: lastRow - headerRow };
  const cells = sheet.values({ ...below, columnCount: 1 }) ?? [];
  return new Set(cells.flatMap(([cell], down) => (isMarked(cell) ? [headerRow + 1 + down] : [])));
}
