// A row of the Analysis tab: its columns, its cells, and what becomes of it. Pure.

import { SECOND } from '../failures/duration';
import { type Failure, isFailure, lasts } from '../failures/failure';
import { failureStatus, OK_STATUS, WAITING_STATUS } from '../failures/status';
import type { SheetCell } from '../google/cells';
import { MOMENT } from '../google/moment-format';
import { isBarcode, isUsual, type Product, productKey, readAsin } from '../product/asin';
import {
  AUTOMATIC,
  figureFormat,
  LETTER_WIDTH,
  MOMENT_WIDTH,
  MONEY,
} from '../product/cell-formats';
import {
  type Analysis,
  type Answer,
  type ExtraField,
  FIELDS,
  type Field,
  type Figures,
  fieldTitle,
  figureCell,
  figuresBy,
} from '../product/fields';
import { isMarket, readMarket } from '../product/market';
import type { CellsOf, Recorded } from '../sheet/keyed-rows';
import { baselineOf, withBaseline } from './baseline';
import { type AnalysisRow, rowOfRecord } from './row-record';

/** The columns beside the figures, by what they hold, with their titles. */
const OTHER_TITLES = {
  /** As it is written in lists. */
  product: 'Product',
  /** All that the row says: see `recordOf`. */
  record: 'Record',
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

/**
 * From left to right. Record and key stand side by side between columns that people see, so that both go along,
 * or neither does, where they sort, shift or paste what they see.
 */
export const TAB_COLUMNS: readonly TabColumn[] = [
  ...(['product', 'record', 'key', 'asin', 'market', 'status'] as const),
  ...FIELDS,
  ...(['analyzed_at', 'tried_at', 'wanted_since', 'changed', 'also_sent'] as const),
];

/** Those that say nothing to a person. */
export const HIDDEN_COLUMNS: readonly TabColumn[] = ['record', 'key'];

const isOther = (column: TabColumn): column is keyof typeof OTHER_TITLES => column in OTHER_TITLES;

export const tabTitle = (column: TabColumn): string =>
  isOther(column) ? OTHER_TITLES[column] : fieldTitle(column);

const MOMENTS: readonly TabColumn[] = ['analyzed_at', 'tried_at', 'wanted_since'];

/** Those that a column of a new sheet is too narrow for, by their width in pixels. */
export const WIDE_COLUMNS: readonly (readonly [number, readonly TabColumn[]])[] = [
  [MOMENT_WIDTH, MOMENTS],
  [tabTitle('rank_drops_30d').length * LETTER_WIDTH, ['rank_drops_30d']],
];

/**
 * The number format of a column. Money has no sign, because the markets share the column. No column
 * is one of plain text: in it, a text may keep the apostrophe that it is written with, and a list
 * would show our formulas instead of working them out.
 */
export function tabFormat(column: TabColumn): string {
  if (MOMENTS.includes(column)) return MOMENT;
  return isOther(column) ? AUTOMATIC : figureFormat(column, MONEY, true);
}

/** Keys are compared as lookups compare them. */
export const foldedKey = (key: string): string => key.toLowerCase();

/** The folded key in a cell; '' in headers, blank cells and whatever else people put there. */
export function keyIn(cell: SheetCell | undefined): string {
  const text = String(cell ?? '');
  return text.includes('|') ? foldedKey(text) : '';
}

type CellsOfRow = CellsOf<TabColumn>;

/** The part of a key that names the product. */
const productPart = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('|')));

/** The ASIN in a cell, in which people name the product of a barcode; '' for none. */
function asinIn(cell: SheetCell | undefined): string {
  const text = String(cell ?? '');
  if (text === '' || isUsual(text)) return text;
  const reading = readAsin(cell);
  return isFailure(reading) ? '' : reading.asin;
}

/** The ASIN that a key is; '' for a barcode, and for the title of a link, which names no product at all. */
const asinOfKey = (key: string): string => asinIn(productPart(key));

const isOfBarcode = ({ key }: Pick<AnalysisRow, 'key'>): boolean => isBarcode(productPart(key));

/** The market of a row; where a person has emptied its cell, or deleted the column, that of its key. */
function marketOfRow(key: SheetCell | undefined, cell: SheetCell | undefined): string {
  const text = String(key ?? '');
  const named = isMarket(cell) ? cell : readMarket(text.slice(text.lastIndexOf('|') + 1));
  return isFailure(named) ? '' : named;
}

/**
 * Which rows changes for these keys and products may concern, by their cells of key, ASIN and market. Where
 * barcodes show ASINs, those of other rows among them: see `withTyped`.
 *
 * @param keys folded. @param products productKeys.
 */
export function concernedBy(
  keys: ReadonlySet<string>,
  products: ReadonlySet<string>,
  all: readonly CellsOfRow[],
): (cells: CellsOfRow) => boolean {
  const keyOf = (cells: CellsOfRow) => String(cells('key') ?? '');
  const besideBarcodes = new Set(
    all.filter((cells) => isOfBarcode({ key: keyOf(cells) })).map((cells) => asinIn(cells('asin'))),
  );
  besideBarcodes.delete('');
  return (cells) => {
    const key = keyOf(cells);
    if (keys.has(foldedKey(key))) return true;
    const asin = asinOfKey(key);
    if (asin === '') return besideBarcodes.size > 0 && isOfBarcode({ key });
    if (besideBarcodes.has(asin) && asin !== asinIn(cells('asin'))) return true;
    return products.has(keyOfProduct({ asin, market: marketOfRow(key, cells('market')) }));
  };
}

/** The product of a row, as a productKey; '' where it names none. */
export function keyOfProduct({ asin, market }: Pick<AnalysisRow, 'asin' | 'market'>): string {
  return asin !== '' && isMarket(market) ? productKey({ asin, market }) : '';
}

/** A row as it stands in the tab. */
export interface RowSeen extends AnalysisRow {
  /** What it shows under *ASIN*, where people name the product of a barcode; '' for no ASIN. */
  readonly asinSeen: string;
}

/**
 * The row that these cells hold: what its record says. One whose record is of another key was torn apart, as by
 * sorting hidden columns alone: it is known by name only.
 */
export function rowIn(cells: CellsOfRow): RowSeen {
  const key = String(cells('key') ?? '');
  const asin = asinOfKey(key);
  const asinSeen = asinIn(cells('asin'));
  const row = rowOfRecord(String(cells('record') ?? ''));
  if (row !== null && foldedKey(row.key) === foldedKey(key))
    return { ...row, key, asin: asin || row.asin, asinSeen };
  const market = marketOfRow(cells('key'), cells('market'));
  return { ...newRow(key), asin, market, asinSeen };
}

/** A row with what a person has typed in it. */
export interface RowFound extends AnalysisRow {
  /** Its ASIN was moved there from another row: it must go before that row shows its own again. */
  readonly isAstray?: true;
}

/**
 * The rows with the products that people have typed beside barcodes. An ASIN of another row that shows it no
 * longer was pushed, sorted or dragged there and not typed: such a barcode has no product, so its row asks.
 */
function withTyped(rows: readonly RowSeen[]): readonly RowFound[] {
  const moved = new Set<string>();
  for (const { asin, asinSeen } of rows) if (asin !== asinSeen) moved.add(asin);
  return rows.map(({ asinSeen, ...row }) => {
    if (row.asin === asinSeen || !isOfBarcode(row)) return row;
    const isMoved = asinSeen !== '' && moved.has(asinSeen);
    return isMoved ? { ...row, asin: '', isAstray: true } : { ...row, asin: asinSeen };
  });
}

/** What a row shows in each column; '' for what is not known, which is never 0. */
export function shownCell(row: AnalysisRow, column: Exclude<TabColumn, 'record'>): SheetCell {
  switch (column) {
    case 'analyzed_at':
      return momentCell(row.analyzedMs);
    case 'tried_at':
      return momentCell(row.triedMs);
    case 'wanted_since':
      return momentCell(row.wantedMs);
    case 'also_sent':
      return row.alsoSent;
    case 'product':
      return productPart(row.key);
    default:
      return isOther(column) ? row[column] : figureCell(row.figures[column]);
  }
}

const momentCell = (ms: number | null): SheetCell => (ms === null ? '' : new Date(ms));

/** When a row was last written: of several rows with one key, the newest counts. */
export const writtenMs = ({ triedMs, wantedMs, analyzedMs }: AnalysisRow): number =>
  Math.max(triedMs ?? 0, wantedMs ?? 0, analyzedMs ?? 0);

/** The newest row of each folded key, with what people have typed. */
export function newestByKey(rows: readonly RowSeen[]): Map<string, RowFound> {
  const newest = new Map<string, RowFound>();
  for (const row of withTyped(rows)) {
    const key = foldedKey(row.key);
    const other = newest.get(key);
    if (other === undefined || writtenMs(row) > writtenMs(other)) newest.set(key, row);
  }
  return newest;
}

/** What a row becomes; null: it stays as it is. @param before null: the tab has no such row. */
export type RowChange = (before: AnalysisRow | null) => AnalysisRow | null;

export type RecordedRow = Recorded<AnalysisRow>;

/** The rows that a change is for. */
export type RowsMeant =
  /** The row with this key, which is added if there is none. */
  | { readonly key: string }
  /** Every row that is of this product before the changes, whatever its key. A productKey. */
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
  rows: ReadonlyMap<string, RowFound>,
): ReadonlyMap<string, RecordedRow> {
  const now = new Map<string, AnalysisRow>(rows);
  const changed = new Map<string, RecordedRow>();
  const keysOfProduct = new Map<string, string[]>();
  for (const [key, row] of rows) {
    if (row.isAstray) changed.set(key, { before: row, after: row });
    const product = keyOfProduct(row);
    const keys = keysOfProduct.get(product);
    if (keys === undefined) keysOfProduct.set(product, [key]);
    else keys.push(key);
  }
  for (const [meant, change] of changes) {
    const isOne = 'key' in meant;
    const keys = isOne ? [foldedKey(meant.key)] : (keysOfProduct.get(meant.product) ?? []);
    for (const key of keys) {
      const before = now.get(key) ?? null;
      const made = change(before);
      if (made === null) continue;
      const after = { ...made, key: before?.key ?? (isOne ? meant.key : key) };
      now.set(key, after);
      changed.set(key, { before: rows.get(key) ?? null, after });
    }
  }
  return changed;
}

const NO_FIGURES = figuresBy(() => null);

/** The tab keeps times in whole seconds. */
const wholeSeconds = (ms: number): number => Math.floor(ms / SECOND) * SECOND;

/** A row that knows nothing yet. */
const newRow = (key: string): AnalysisRow => ({
  key,
  asin: '',
  market: '',
  status: '',
  figures: NO_FIGURES,
  analyzedMs: null,
  triedMs: null,
  wantedMs: null,
  changed: '',
  alsoSent: '',
  fetchedWith: '',
  told: '',
});

/** A product that has to be asked, as if nothing were known of it. */
export const lostRow = (
  key: string,
  { asin, market }: Pick<AnalysisRow, 'asin' | 'market'>,
  nowMs: number,
): AnalysisRow => ({
  ...newRow(key),
  asin,
  market,
  status: WAITING_STATUS,
  wantedMs: wholeSeconds(nowMs),
});

const isOf = (row: AnalysisRow | null, { asin, market }: Product): row is AnalysisRow =>
  row !== null && row.asin === asin && row.market === market;

/** The row of a product that nothing else is known of; null: it is there. */
export const nameRow = (
  before: AnalysisRow | null,
  key: string,
  product: Product,
): AnalysisRow | null => (isOf(before, product) ? null : { ...newRow(key), ...product });

/** The row waits to be asked. Figures of another product, which a person has typed over, go. */
export function wantRow(
  before: AnalysisRow | null,
  key: string,
  product: Product,
  nowMs: number,
): AnalysisRow {
  const row = isOf(before, product) ? before : newRow(key);
  return {
    ...row,
    ...product,
    key,
    status: row.analyzedMs === null ? WAITING_STATUS : row.status,
    wantedMs: wholeSeconds(nowMs),
  };
}

/** The row waits no longer, and nothing was answered. */
export function unwantRow(before: AnalysisRow): AnalysisRow | null {
  if (before.wantedMs === null) return null;
  const status = before.status === WAITING_STATUS ? '' : before.status;
  return { ...before, status, wantedMs: null };
}

/**
 * The row of a product cell that cannot be read; null: it is as it should be. What a person typed
 * under *ASIN* stays.
 */
export function unreadableRow(
  before: AnalysisRow | null,
  key: string,
  market: string,
  failure: Failure,
): AnalysisRow | null {
  const status = failureStatus(failure);
  const isSame =
    before?.status === status && before.market === market && before.analyzedMs === null;
  if (isSame && before.wantedMs === null) return null;
  return { ...newRow(key), asin: before?.asin ?? '', market, status };
}

/** The most characters of further fields that a row shows. */
const ALSO_SENT_CHARS_MAX = 500;

/** @return "sales_rank: 1200; brand: Acme" */
const alsoSentText = (extras: readonly ExtraField[]): string =>
  extras
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')
    .slice(0, ALSO_SENT_CHARS_MAX);

/** An answer, and whose it is. */
export interface GivenAnswer {
  readonly answer: Answer;
  /** When a failure was given; an analysis knows its own time. */
  readonly atMs: number;
  readonly fetchedWith: string;
}

/** The row with an answer for its product. */
export function answeredRow(before: AnalysisRow, given: GivenAnswer): AnalysisRow {
  const { answer, atMs, fetchedWith } = given;
  return answer.ok
    ? analyzedRow(before, answer.analysis, fetchedWith)
    : failedRow(before, answer.failure, wholeSeconds(atMs));
}

function analyzedRow(
  before: AnalysisRow,
  { figures, extras, fetchedAtMs }: Analysis,
  fetchedWith: string,
): AnalysisRow {
  const analyzedMs = wholeSeconds(fetchedAtMs);
  // Another execution has written a later answer meanwhile.
  const isOwn = before.fetchedWith === fetchedWith;
  if (isOwn && before.analyzedMs !== null && before.analyzedMs > analyzedMs)
    return { ...before, wantedMs: null };
  return {
    ...before,
    status: OK_STATUS,
    figures,
    analyzedMs,
    triedMs: analyzedMs,
    wantedMs: null,
    alsoSent: alsoSentText(extras),
    fetchedWith,
    told: withBaseline(isOwn ? before.told : withFigures(before), fetchedWith, null),
  };
}

/** What lasts takes the figures along; what passes leaves them with the word beside them. */
function failedRow(before: AnalysisRow, failure: Failure, triedMs: number): AnalysisRow {
  const failed = { status: failureStatus(failure), triedMs, wantedMs: null };
  if (!lasts(failure.kind)) return { ...before, ...failed };
  const told = withFigures(before);
  return {
    ...before,
    ...failed,
    ...{ figures: NO_FIGURES, analyzedMs: null, alsoSent: '', fetchedWith: '', told },
  };
}

/** What was told, with the figures that the row is about to lose. */
const withFigures = (row: AnalysisRow): string =>
  row.analyzedMs === null ? row.told : withBaseline(row.told, row.fetchedWith, row);

/** The last figures of a row's product that came with this key and were read in this way; null: none. */
export function lastFigures(row: AnalysisRow, fetchedWith: string): Figures | null {
  if (row.analyzedMs !== null && row.fetchedWith === fetchedWith) return row.figures;
  return baselineOf(row.told, fetchedWith)?.figures ?? null;
}
