// The tab "Barcodes" as the page creates it, and the barcodes of a list that still need an ASIN
// there. Pure.

import type { NewTab } from '../platform/new-tab';
import { columnLetters } from '../platform/ports';
import { gtinOf, isBarcode } from '../product/asin';
import { BARCODE_TITLES, BARCODES_TAB, barcodeTitles } from '../table/barcodes';
import type { ListCell, ListColumn, ListRow, ReadTab } from './list';
import { HEADER_STYLE } from './rules-tab';
import type { CellChanges } from './tabs';

/** A barcode and the list's text for its product; '' if the list has none. */
export interface BarcodeLine {
  readonly barcode: string;
  readonly title: string;
}

/**
 * Titles of columns that describe the product, so that the person who fills in its ASIN recognises
 * it.
 */
const TITLE = /title|description|product|name|item/i;

export const titleColumnOf = (
  columns: readonly ListColumn[],
  productColumn: number,
): number | undefined =>
  columns.find(({ column, title }) => column !== productColumn && TITLE.test(title))?.column;

/** The lengths of an EAN-8, a UPC and an EAN-13. */
const LENGTHS = [8, 12, 13];

/** The barcode with the leading zeros that a number has lost. */
function wholeBarcode(cell: ListCell): string {
  const gtin = gtinOf(cell) ?? '';
  const length = LENGTHS.find((one) => one >= gtin.length) ?? gtin.length;
  return gtin.padStart(length, '0');
}

/** Whether the cell holds nothing but a barcode for which the tab has no product. */
const isOpenBarcode = ({ product, cells }: Pick<ListRow, 'product' | 'cells'>): boolean =>
  product === null && isBarcode(cells[0]);

/**
 * The barcodes for which the tab has no product, each once.
 *
 * @param titleAt the index of the cell that describes the product.
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

/** The number of different barcodes among the texts of cells. */
export const countBarcodes = (texts: readonly string[]): number =>
  new Set(texts.filter(isBarcode).map(wholeBarcode)).size;

const TITLES = ['Barcode', 'ASIN', 'Title'];

/** The tab for `deals.tab` if the spreadsheet has none yet. Its rows are added afterwards. */
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

/** The lines that the tab lacks, for `deals.set`; if the tab lacks a column, its title instead. */
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
