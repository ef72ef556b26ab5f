// Makes the columns of a run: a header row where there is none, missing columns at the right, formats.

import { type Failure, fail } from '../analysis/failure';
import type { Sheet } from '../platform/sheet-ports';
import type { Choice, OwnColumns } from './look';
import { formatOf } from './number-formats';
import { type ColumnKey, type KnownColumn, type Layout, otherTitles } from './our-columns';
import { productOf } from './result';
import { roomFor } from './room';
import type { Row } from './rows';

/** The header of a product column that never had one. */
const PRODUCT_TITLE = 'ASIN';

export interface Preparation {
  readonly sheet: Sheet;
  readonly choice: Choice;
  readonly columns: OwnColumns;
  readonly rows: readonly Row[];
  readonly lastRow: number;
  /** Whether ROI comes as a fraction, which a sheet shows as a percentage. */
  readonly roiIsFraction: boolean;
}

/** The layout that a run keeps to from now on. */
export function prepareColumns(preparation: Preparation): Layout | Failure {
  const { sheet, choice, columns } = preparation;
  const size = sheet.size();
  if (size === null) return gone();
  const { headerRow, firstNew, canEdit } = roomFor(sheet, size, choice.headerRow, columns);
  if (!canEdit) return fail({ kind: 'protected' });
  const missing = firstNew + columns.added.length - 1 - size.maxColumns;
  const steps = [
    () => (choice.headerRow === 0 ? sheet.addRowOnTop() : 'written'),
    () => (missing > 0 ? sheet.addColumns(size.maxColumns, missing) : 'written'),
    () => writeTitles(sheet, choice, columns, firstNew),
    () => formatNew(preparation, headerRow, firstNew),
  ];
  for (const step of steps) {
    const outcome = step();
    if (outcome === 'protected') return fail({ kind: 'protected' });
    if (outcome === 'gone') return gone();
  }
  return layoutNow(sheet, choice, columns, headerRow, firstNew);
}

const gone = (): Failure => fail({ kind: 'run', why: 'sheet-gone', what: '' });

function writeTitles(sheet: Sheet, choice: Choice, { added }: OwnColumns, firstNew: number) {
  if (choice.headerRow === 0) {
    const first = { row: 1, column: choice.productColumn, rowCount: 1, columnCount: 1 };
    const outcome = sheet.write(first, [[PRODUCT_TITLE]]);
    if (outcome !== 'written') return outcome;
  }
  if (added.length === 0) return 'written';
  const row = Math.max(1, choice.headerRow);
  const area = { row, column: firstNew, rowCount: 1, columnCount: added.length };
  return sheet.write(area, [added.map(({ title }) => title)]);
}

/** Formats of rows move along with them, so each row gets that of its own market. */
function formatNew(preparation: Preparation, headerRow: number, firstNew: number) {
  const { sheet, columns, rows, lastRow, choice } = preparation;
  const shift = choice.headerRow === 0 ? 1 : 0;
  const rowCount = lastRow + shift - headerRow;
  if (columns.added.length === 0 || rowCount <= 0) return 'written';
  const markets = new Map(rows.map((row) => [row.row + shift, productOf(row)?.market]));
  const usual = rows.map((row) => productOf(row)?.market).find((market) => market) ?? 'US';
  const formats = Array.from({ length: rowCount }, (_, down) => {
    const market = markets.get(headerRow + 1 + down) ?? usual;
    return columns.added.map(({ key }) => formatOf(key, market, preparation.roiIsFraction));
  });
  const columnCount = columns.added.length;
  return sheet.setFormats({ row: headerRow + 1, column: firstNew, rowCount, columnCount }, formats);
}

function layoutNow(
  sheet: Sheet,
  choice: Choice,
  { existing, added }: OwnColumns,
  headerRow: number,
  firstNew: number,
): Layout | Failure {
  const columnCount = Math.max(firstNew + added.length - 1, 1);
  const titles = sheet.values({ row: headerRow, column: 1, rowCount: 1, columnCount })?.[0];
  if (titles === undefined) return gone();
  const titleAt = (column: number) => String(titles[column - 1] ?? '').trim();
  const known = (key: ColumnKey, column: number): KnownColumn => ({
    key,
    column,
    title: titleAt(column),
  });
  const columns = [
    known('product', choice.productColumn),
    ...(choice.market.kind === 'column' ? [known('market', choice.market.column)] : []),
    ...existing,
    ...added.map(({ key, title }, at) => ({ key, title, column: firstNew + at })),
  ];
  return { headerRow, columns, others: otherTitles(titles, columns) };
}
