// Rows with a star: those with anything in a column that is headed so.

import { isBlank } from '../../analysis/asin';
import { nameForm } from '../../analysis/fields';
import type { SheetPlatform } from '../../platform/sheet-ports';
import type { ListTask } from './schedule';

const TITLES: readonly string[] = ['star', 'starred', '★', '⭐'];

/** What an unticked box holds is no star. */
const isMarked = (cell: unknown) => !isBlank(cell) && cell !== false && cell !== 'FALSE';

/** Their numbers; none where no column is headed so. Two calls. */
export function starredRows(
  { spreadsheet }: SheetPlatform,
  { sheetId, headerRow }: ListTask,
): ReadonlySet<number> {
  const sheet = spreadsheet.sheet(sheetId);
  const size = sheet?.size();
  if (!sheet || !size || headerRow === 0 || size.lastRow <= headerRow) return new Set();
  const header = { row: headerRow, column: 1, rowCount: 1, columnCount: size.lastColumn };
  const [titles = []] = sheet.values(header) ?? [];
  const at = titles.findIndex((title) => TITLES.includes(nameForm(String(title))));
  if (at < 0) return new Set();
  const below = { row: headerRow + 1, column: at + 1, rowCount: size.lastRow - headerRow };
  const cells = sheet.values({ ...below, columnCount: 1 }) ?? [];
  return new Set(cells.flatMap(([cell], down) => (isMarked(cell) ? [headerRow + 1 + down] : [])));
}
