// The tab "Barcodes" as the page makes it, and which barcodes of a list are to be filled in there. Pure.

import type { NewTab } from '../platform/ports';
import { columnLetters } from '../platform/ports';
import { gtinOf, isBarcode } from '../product/asin';
import { BARCODE_TITLES, BARCODES_TAB, barcodeTitles } from '../table/barcodes';
import type { ListCell, ListColumn, ListRow, ReadTab } from './list';
import { HEADER_STYLE } from './rules-tab';
import type { CellChanges } from './tabs';

/** A barcode, and what a list says of its product; '' where it says nothing. */
export interface BarcodeLine {
  readonly barcode: string;
  readonly title: string;
}

/** What a list says of a product, so that whoever fills in its ASIN knows it. */
const TITLE = /title|description|product|name|item/i;

export const titleColumnOf = (
  columns: readonly ListColumn[],
  productColumn: number,
): number | undefined =>
  columns.find(({ column, title }) => column !== productColumn && TITLE.test(title))?.column;

/** So long an EAN-8, a UPC and an EAN-13 are. */
const LENGTHS = [8, 12, 13];

/** With the zeros in front that a number has lost. */
function wholeBarcode(cell: ListCell): string {
  const gtin = gtinOf(cell) ?? '';
  const length = LENGTHS.find((one) => one >= gtin.length) ?? gtin.length;
  return gtin.padStart(length, '0');
}

/** Whether the cell is nothing but a barcode of which no tab tells the product. */
const isOpenBarcode = ({ product, cells }: Pick<ListRow, 'product' | 'cells'>): boolean =>
  product === null && isBarcode(cells[0]);

/**
 * Barcodes of which no tab tells the product, each once.
 *
 * @param titleAt where among its cells a row has what it says of the product.
 */
export function openLines(rows: readonly ListRow[], titleAt: number): readonly BarcodeLine[] {
  const lines = new Map<string, BarcodeLine>();
  for (const row of rows.filter(isOpenBarcode)) {
    const barcode = wholeBarcode(row.cells[0] ?? null);
    const title = String(row.cells[titleAt] ?? '');
    if (!lines.get(barcode)?.title) lines.set(barcode, { barcode, title });
  }
  return [...lines.values()];
}

/** How many barcodes there are among texts as they stand in cells. */
export const countBarcodes = (texts: readonly string[]): number =>
  new Set(texts.filter(isBarcode).map(wholeBarcode)).size;

const TITLES = ['Barcode', 'ASIN', 'Title'];

/** For `deals.tab`, where there is no such tab yet: its rows come in afterwards. */
export const BARCODES: NewTab = {
  title: BARCODES_TAB,
  cells: [TITLES],
  formulas: [],
  names: [],
  styles: [
    { at: 'A1:C1', ...HEADER_STYLE },
    { at: 'A2:B', format: '@' },
  ],
  widths: [130, 120, 320],
  frozenRows: 1,
};

/** Those of the lines that the tab does not have, for `deals.set`; the title of a column that it lacks. */
export function addedLines(
  { sheetId, cells }: Pick<ReadTab, 'sheetId' | 'cells'>,
  lines: readonly BarcodeLine[],
): (CellChanges & { readonly rows: readonly (readonly string[])[] }) | string {
  const [titles = [], ...rows] = cells;
  const names = barcodeTitles(titles);
  const lacking = BARCODE_TITLES.findIndex((title) => !names.includes(title));
  if (lacking >= 0) return TITLES[lacking] ?? '';
  const [barcodeAt, titleAt] = [names.indexOf('barcode'), names.indexOf('title')];
  const known = new Set(rows.map((row) => gtinOf(row[barcodeAt])));
  const fresh = lines.filter(({ barcode }) => !known.has(gtinOf(barcode)));
  const at = `${columnLetters(barcodeAt + 1)}1`;
  return {
    sheetId,
    seen: [{ at, value: String(titles[barcodeAt]) }],
    cells: [],
    rows: fresh.map(({ barcode, title }) =>
      names.map((_, column) => (column === barcodeAt ? barcode : column === titleAt ? title : '')),
    ),
  };
}
