// A row of the Analysis tab: its columns, its cells, and what becomes of rows that change. Pure.

import { DAY, SECOND } from '../failures/duration';
import { isFailure } from '../failures/failure';
import type { SheetCell } from '../google/cells';
import { isUsual, productKey, readAsin } from '../product/asin';
import { MOMENT } from '../product/cell-formats';
import {
  FIELDS,
  type Field,
  type Figures,
  fieldKind,
  fieldTitle,
  figuresBy,
} from '../product/fields';
import { isMarket } from '../product/market';

/** The columns beside the figures, by what they hold, with their titles. */
const OTHER_TITLES = {
  key: 'Key',
  asin: 'ASIN',
  market: 'Market',
  status: 'Status',
  analyzed_at: 'Analyzed at',
  tried_at: 'Tried at',
  wanted_since: 'Wanted since',
  changed: 'Changed',
  also_sent: 'Also sent',
} as const;

export type TabColumn = Field | keyof typeof OTHER_TITLES;

/** From left to right. */
export const TAB_COLUMNS: readonly TabColumn[] = [
  ...(['key', 'asin', 'market', 'status'] as const),
  ...FIELDS,
  ...(['analyzed_at', 'tried_at', 'wanted_since', 'changed', 'also_sent'] as const),
];

const isOther = (column: TabColumn): column is keyof typeof OTHER_TITLES => column in OTHER_TITLES;

export const tabTitle = (column: TabColumn): string =>
  isOther(column) ? OTHER_TITLES[column] : fieldTitle(column);

/**
 * For truth values and texts. A sheet writes a text with an apostrophe where it may be taken for
 * something else, and a cell whose format is that of text may keep the apostrophe.
 */
export const AUTOMATIC = '0.###############';
const FIGURE_FORMATS = {
  money: '#,##0.00',
  ratio: '0.0%',
  count: '0',
  flag: AUTOMATIC,
} as const;
const MOMENTS: readonly TabColumn[] = ['analyzed_at', 'tried_at', 'wanted_since'];

/** The number format of a column. Money has no sign, because the markets share the column. */
export function tabFormat(column: TabColumn): string {
  if (MOMENTS.includes(column)) return MOMENT;
  return isOther(column) ? AUTOMATIC : FIGURE_FORMATS[fieldKind(column)];
}

/** One row of the tab. */
export interface AnalysisRow {
  /** What lists look up: the product cell's text, "|" and the market's text. "B0…|US" */
  readonly key: string;
  /** '' while none is known: the product cell cannot be read, or it is a barcode. */
  readonly asin: string;
  /** "US"; '' if the market's text names none. */
  readonly market: string;
  /** A plain word of the table of failures, "OK", "Waiting", or ''. */
  readonly status: string;
  /** null where there is none. ROI is a fraction wherever its unit is known. */
  readonly figures: Figures;
  /** When the figures were fetched, ms since 1970, whole seconds; null: there are none. */
  readonly analyzedMs: number | null;
  /** When the service was last asked, whatever it said. */
  readonly triedMs: number | null;
  /** Since when the product waits to be asked; null: it does not. */
  readonly wantedMs: number | null;
  /** The rules that the latest change met. "No longer eligible · 21 Nov 06:04" */
  readonly changed: string;
  /** Further fields of the service. "sales_rank: 1200; brand: Acme" */
  readonly alsoSent: string;
}

/** Keys are compared as lookups compare them. */
export const foldedKey = (key: string): string => key.toLowerCase();

/** The folded key in a cell; '' in headers, blank cells and whatever else people put there. */
export function keyIn(cell: SheetCell | undefined): string {
  const text = String(cell ?? '');
  return text.includes('|') ? foldedKey(text) : '';
}

/** The status of a row whose product is to be asked and has no figures. */
const WAITING = 'Waiting';

/** A product that has to be asked, as if nothing were known of it. */
export const wantedRow = (
  key: string,
  asin: string,
  market: string,
  nowMs: number,
): AnalysisRow => ({
  key,
  asin,
  market,
  status: WAITING,
  figures: figuresBy(() => null),
  analyzedMs: null,
  triedMs: null,
  wantedMs: nowMs,
  changed: '',
  alsoSent: '',
});

/** Gives the cell of a column of one row; undefined where the tab lacks it. */
export type CellsOfRow = (column: TabColumn) => SheetCell | undefined;

/** The ASIN in a cell, in which people type those of barcodes; '' for none. */
function asinIn(cell: SheetCell | undefined): string {
  const text = String(cell ?? '');
  if (text === '' || isUsual(text)) return text;
  const reading = readAsin(cell);
  return isFailure(reading) ? '' : reading.asin;
}

const marketIn = (cell: SheetCell | undefined): string => (isMarket(cell) ? cell : '');

/** The product of a row by its cells, as a productKey; '' where it names none. */
export function productIn(asin: SheetCell | undefined, market: SheetCell | undefined): string {
  return keyOfProduct({ asin: asinIn(asin), market: marketIn(market) });
}

/** The product of a row, as a productKey; '' where it names none. */
export function keyOfProduct({ asin, market }: Pick<AnalysisRow, 'asin' | 'market'>): string {
  return asin !== '' && isMarket(market) ? productKey({ asin, market }) : '';
}

/** The row that these cells hold. What people typed over a figure and is none reads as none. */
export function rowIn(cells: CellsOfRow): AnalysisRow {
  const text = (column: TabColumn) => String(cells(column) ?? '');
  return {
    key: text('key'),
    asin: asinIn(cells('asin')),
    market: marketIn(cells('market')),
    status: text('status'),
    figures: figuresBy((field) => figureIn(field, cells(field))),
    analyzedMs: momentIn(cells('analyzed_at')),
    triedMs: momentIn(cells('tried_at')),
    wantedMs: momentIn(cells('wanted_since')),
    changed: text('changed'),
    alsoSent: text('also_sent'),
  };
}

function figureIn(field: Field, cell: SheetCell | undefined): Figures[Field] {
  if (fieldKind(field) !== 'flag') return typeof cell === 'number' ? cell : null;
  return typeof cell === 'boolean' || cell === 'needs approval' ? cell : null;
}

/** The day 1970-01-01 as sheets count days. */
const SERIAL_1970 = 25_569;

const wholeSeconds = (ms: number) => Math.round(ms / SECOND) * SECOND;

/**
 * A moment is a number where a person changed the column's format; the spreadsheet's time zone is
 * then left out of account.
 */
function momentIn(cell: SheetCell | undefined): number | null {
  // A sheet's dates may have been created by another script context's `Date`.
  if (Object.prototype.toString.call(cell) === '[object Date]') return wholeSeconds(Number(cell));
  return typeof cell === 'number' ? wholeSeconds((cell - SERIAL_1970) * DAY) : null;
}

/** Longer texts of services help no reader. */
const ALSO_SENT_CHARS_MAX = 1_000;

/** What a row holds in each column; '' for what is not known, which is never 0. */
export function cellOf(row: AnalysisRow, column: TabColumn): SheetCell {
  switch (column) {
    case 'analyzed_at':
      return momentCell(row.analyzedMs);
    case 'tried_at':
      return momentCell(row.triedMs);
    case 'wanted_since':
      return momentCell(row.wantedMs);
    case 'also_sent':
      return row.alsoSent.slice(0, ALSO_SENT_CHARS_MAX);
    default:
      return isOther(column) ? row[column] : (row.figures[column] ?? '');
  }
}

const momentCell = (ms: number | null): SheetCell =>
  ms === null ? '' : new Date(wholeSeconds(ms));

/** When a row was last written: of several rows with one key, the newest counts. */
export const writtenMs = ({ triedMs, wantedMs, analyzedMs }: AnalysisRow): number =>
  Math.max(triedMs ?? 0, wantedMs ?? 0, analyzedMs ?? 0);

/** The newest row of each folded key. */
export function newestByKey(rows: Iterable<AnalysisRow>): Map<string, AnalysisRow> {
  const newest = new Map<string, AnalysisRow>();
  for (const row of rows) {
    const key = foldedKey(row.key);
    const other = newest.get(key);
    if (other === undefined || writtenMs(row) > writtenMs(other)) newest.set(key, row);
  }
  return newest;
}

/** What a row becomes; null: it stays as it is. @param before null: the tab has no such row. */
export type RowChange = (before: AnalysisRow | null) => AnalysisRow | null;

/** A row as it was found and as it was written. */
export interface RecordedRow {
  readonly before: AnalysisRow | null;
  readonly after: AnalysisRow;
}

/** The rows that a change is for. */
export type RowsMeant =
  /** The row with this key, which is added if there is none. */
  | { readonly key: string }
  /** Every row of this product, whatever it is written like in lists. A productKey. */
  | { readonly product: string };

export type Changes = readonly (readonly [RowsMeant, RowChange])[];

/**
 * The rows that changes concern, by folded key, with their cells before and after. One change after
 * the other: a later one finds what an earlier one made.
 *
 * @param rows the rows that may be meant, by folded key.
 */
export function changedRows(
  changes: Changes,
  rows: ReadonlyMap<string, AnalysisRow>,
): ReadonlyMap<string, RecordedRow> {
  const now = new Map(rows);
  const changed = new Map<string, RecordedRow>();
  const keysOfProduct = new Map<string, Set<string>>();
  const noteProduct = (row: AnalysisRow, key: string) => {
    const product = keyOfProduct(row);
    keysOfProduct.set(product, (keysOfProduct.get(product) ?? new Set()).add(key));
  };
  for (const [key, row] of rows) noteProduct(row, key);
  const apply = (key: string, text: string, change: RowChange) => {
    const before = now.get(key) ?? null;
    const made = change(before);
    if (made === null) return;
    const after = { ...made, key: before?.key ?? text };
    now.set(key, after);
    noteProduct(after, key);
    changed.set(key, { before: rows.get(key) ?? null, after });
  };
  for (const [meant, change] of changes) {
    if ('key' in meant) {
      apply(foldedKey(meant.key), meant.key, change);
      continue;
    }
    for (const key of keysOfProduct.get(meant.product) ?? []) {
      const row = now.get(key);
      if (row !== undefined && keyOfProduct(row) === meant.product) apply(key, row.key, change);
    }
  }
  return changed;
}
