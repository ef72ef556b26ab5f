// Reads the rows of a list: the product of each, the key by which it is looked up, and its row in the
// Analysis tab; and those that a choice covers.

import { foldedKey } from '../analysis/analysis-row';
import { type AnalysisTab, existingAnalysisTab, isFresh } from '../analysis/analysis-tab';
import type { AnalysisRow } from '../analysis/row-record';
import { DAY } from '../failures/duration';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { isFailureStatus } from '../failures/status';
import { type Area, areaOf, type SheetCell } from '../google/cells';
import type { Clock } from '../google/platform';
import { visibleRows } from '../google/presentation';
import type { Sheet, SheetSize } from '../google/sheet';
import { activeSheet, allSheets, selectedAreas, sheetById } from '../google/spreadsheet';
import {
  type AsinReading,
  isBarcode,
  isBlank,
  type Product,
  productKey,
  readAsin,
} from '../product/asin';
import { nameForm } from '../product/fields';
import { type Market, readMarket } from '../product/market';
import { type Choice, type ListLocation, locationOf, marketSourceOf } from './choice';
import { otherTitlesRow } from './list-end';
import { rowKey } from './row-formulas';
import { type MarketSource, type TaggedList, taggedLists } from './tagged-list';

/**
 * `foreign-link`: the link names a market other than the list's. `no-market`: the row should name a
 * market and does not, so the default one is used. `barcode`: a person has named the product in the
 * Analysis tab.
 */
export type Repair = AsinReading['repair'] | 'foreign-link' | 'no-market' | 'barcode';

export type RowContent =
  | { readonly kind: 'blank' }
  | { readonly kind: 'product'; readonly product: Product; readonly repair: Repair }
  | {
      readonly kind: 'unreadable';
      readonly failure: Failure;
      /** '' if that is what cannot be read. */
      readonly market: Market | '';
    };

export interface ListRow {
  readonly row: number;
  /** The text of the product cell, shortened. */
  readonly shown: string;
  /** What looks the row up in the Analysis tab; '' for a blank row. */
  readonly key: string;
  readonly content: RowContent;
  /** The row of the tab with this key; undefined: there is none. */
  readonly tabRow: AnalysisRow | undefined;
  /** Whether a person has marked it in a column titled "Skip". */
  readonly isLeftOut: boolean;
}

export type TabRows = ReadonlyMap<string, AnalysisRow>;

const SHOWN_CHARS = 40;

/** The part of a cell's text that is shown to a person and identifies it. */
export const shownOf = (cell: SheetCell | undefined): string =>
  String(cell ?? '').slice(0, SHOWN_CHARS);

/** Where the rows of a list are, and the market that they are for. */
export interface RowsLocation extends ListLocation {
  readonly market: MarketSource;
  /** That of rows that should name one and do not. */
  readonly defaultMarket: Market;
}

/**
 * The rows of a list down to the sheet's last one, blank ones included; null: they are gone. Those under
 * other titles are unreadable.
 *
 * @param tabRows every row of the Analysis tab.
 * @param size if it was measured a moment ago.
 */
export function readRows(
  location: RowsLocation,
  tabRows: TabRows,
  size = location.sheet.size(),
): readonly ListRow[] | null {
  if (size === null) return null;
  const { lastRow, lastColumn } = size;
  const { sheet, headerRow, productColumn, marketColumn, market, defaultMarket } = location;
  const rowCount = lastRow - headerRow;
  if (rowCount <= 0) return [];
  const below = { row: headerRow + 1, rowCount, columnCount: 1 };
  const products = sheet.values({ ...below, column: productColumn });
  const isNamed = market === 'column' && marketColumn !== null;
  const markets = isNamed ? sheet.values({ ...below, column: marketColumn }) : [];
  if (products === null || markets === null) return null;
  const [titles = []] = (headerRow > 0 && sheet.values(areaOf(headerRow, 1, 1, lastColumn))) || [];
  const skip = titles.findIndex((title) => nameForm(String(title)) === 'skip') + 1;
  const skips = skip === 0 ? [] : (sheet.values({ ...below, column: skip }) ?? []);
  const readProduct = productReader(sheet, productColumn);
  const end = otherTitlesRow(
    location,
    products.map(([product = '']) => product),
  );
  return products.map(([product = ''], at): ListRow => {
    const row = below.row + at;
    const shown = shownOf(product);
    const isLeftOut = isTicked(skips[at]?.[0] ?? '');
    const unknown = { row, shown, key: '', tabRow: undefined, isLeftOut };
    if (isBlank(product) || row === end) return { ...unknown, content: { kind: 'blank' } };
    if (end !== null && row > end) {
      const failure = fail({ kind: 'bad-asin', input: String(end), why: 'other-titles' });
      return { ...unknown, content: { kind: 'unreadable', failure, market: '' } };
    }
    const named = markets[at]?.[0] ?? '';
    const key = rowKey(product, named, market, defaultMarket);
    const tabRow = tabRows.get(foldedKey(key));
    const reading = readProduct(product, row, tabRow);
    const content = contentOf(reading, named, location);
    return { row, shown, key, content, tabRow, isLeftOut };
  });
}

/** An unticked checkbox is as good as a blank cell. */
const isTicked = (cell: SheetCell): boolean => !isBlank(cell) && cell !== false && cell !== 'FALSE';

/**
 * The rows of a tagged list that nobody leaves out, once for each market that its columns show; null:
 * they are gone.
 */
export function listRows(list: TaggedList, tabRows: TabRows): readonly ListRow[] | null {
  const all: ListRow[] = [];
  for (const { market } of list.blocks) {
    const rows = readRows({ ...list, market }, tabRows);
    if (rows === null) return null;
    all.push(...rows.filter(({ isLeftOut }) => !isLeftOut));
  }
  return all;
}

/** The folded keys of all rows of all lists in the spreadsheet. */
export function keysOfLists(): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const list of allSheets().flatMap(taggedLists))
    for (const { market } of list.blocks) {
      const products = cellsBelow(list, list.productColumn);
      const { marketColumn, defaultMarket } = list;
      const markets = marketColumn === null ? [] : cellsBelow(list, marketColumn);
      for (const [at, product] of products.entries())
        if (!isBlank(product))
          keys.add(foldedKey(rowKey(product, markets[at] ?? '', market, defaultMarket)));
    }
  return keys;
}

/** The cells of a column below a list's header. */
export function cellsBelow({ sheet, headerRow }: TaggedList, column: number): readonly SheetCell[] {
  const rowCount = (sheet.size()?.lastRow ?? 0) - headerRow;
  if (rowCount <= 0) return [];
  const area = areaOf(headerRow + 1, column, rowCount);
  return (sheet.values(area) ?? []).map(([cell = '']) => cell);
}

type ProductReading = (Omit<AsinReading, 'repair'> & { readonly repair: Repair }) | Failure;

function contentOf(
  reading: ProductReading,
  named: SheetCell,
  { market, defaultMarket, productColumn, marketColumn }: RowsLocation,
): RowContent {
  const linked = isFailure(reading) ? null : reading.market;
  const isOne = market !== 'column';
  const isByLink = productColumn === marketColumn && linked !== null;
  const isOpen = isBlank(named) || isByLink;
  const ofRow = isOne ? market : isOpen ? (linked ?? defaultMarket) : readMarket(named);
  if (isFailure(ofRow)) return { kind: 'unreadable', failure: ofRow, market: '' };
  if (isFailure(reading)) return { kind: 'unreadable', failure: reading, market: ofRow };
  const { asin, repair } = reading;
  const isForeign = isOne && (linked ?? ofRow) !== ofRow;
  const isUnnamed = !isOne && isBlank(named);
  return {
    kind: 'product',
    product: { asin, market: ofRow },
    repair: isForeign ? 'foreign-link' : (repair ?? (isUnnamed ? 'no-market' : null)),
  };
}

/**
 * Reads product cells. A text that names no product and is linked to one is told apart: formulas cannot read
 * where a cell leads, so with another link they would show the former product.
 */
function productReader(sheet: Sheet, column: number) {
  const links = linkReader(sheet, column);
  return (cell: SheetCell, row: number, tabRow: AnalysisRow | undefined): ProductReading => {
    const seen = readAsin(cell);
    if (!isFailure(seen)) return seen;
    if (isBarcode(cell)) return readNamed(tabRow) ?? seen;
    const isLinked = typeof cell === 'string' && !isFailure(readAsin(links(row)));
    return isLinked ? fail({ kind: 'bad-asin', input: shownOf(cell), why: LINKED_TEXT }) : seen;
  };
}

const LINKED_TEXT = 'linked-text';

/** The product that a person has typed beside a barcode in the Analysis tab; null: none. */
function readNamed(tabRow: AnalysisRow | undefined): ProductReading | null {
  if (tabRow === undefined || isBlank(tabRow.asin)) return null;
  const reading = readAsin(tabRow.asin);
  return isFailure(reading) ? reading : { ...reading, market: null, repair: 'barcode' };
}

/** Links are read for this many rows at once. */
const LINKS_AT_ONCE = 500;

/** Reads the links of a column, some rows at a time. */
function linkReader(sheet: Sheet, column: number): (row: number) => string {
  const linksByRow = new Map<number, string>();
  return (row) => {
    if (!linksByRow.has(row)) {
      const left = (sheet.lastRow() ?? row) - row + 1;
      const rowCount = Math.max(1, Math.min(LINKS_AT_ONCE, left));
      const links = sheet.links({ row, column, rowCount, columnCount: 1 }) ?? [];
      for (let at = 0; at < rowCount; at += 1) linksByRow.set(row + at, links[at]?.[0] ?? '');
    }
    return linksByRow.get(row) ?? '';
  };
}

export const productOfRow = ({ content }: Pick<ListRow, 'content'>): Product | null =>
  content.kind === 'product' ? content.product : null;

/**
 * Whether the row's figures are as good as an answer of the cache. What a person has typed beside a
 * barcode may have changed since they were fetched.
 *
 * @param reader see `fetchedWith` of the engine.
 */
export function isFreshRow({ content, tabRow }: ListRow, reader: string, nowMs: number): boolean {
  if (content.kind !== 'product' || tabRow === undefined) return false;
  const { product, repair } = content;
  const isOwn = tabRow.asin === product.asin && tabRow.market === product.market;
  return isOwn && repair !== 'barcode' && isFresh(tabRow, reader, nowMs);
}

/** Products by key, in the order of their first rows. */
export function productsOf(rows: readonly ListRow[]): ReadonlyMap<string, Product> {
  const products = new Map<string, Product>();
  for (const row of rows) {
    const product = productOfRow(row);
    if (product !== null) products.set(productKey(product), product);
  }
  return products;
}

/** With more rows it would take too long to ask of each whether it is visible. */
const VISIBLE_ROWS_MAX = 20_000;

/** The rows that a choice covers. Blank rows never are, and those left out only where one is meant by itself. */
function chosenRows(
  sheet: Sheet,
  all: readonly ListRow[],
  wish: Choice['rows'],
  nowMs: number,
): readonly ListRow[] | Failure {
  const filled = all.filter(
    ({ content, isLeftOut }) => content.kind !== 'blank' && (!isLeftOut || wish.kind === 'product'),
  );
  const analyzedMs = ({ tabRow }: ListRow) => tabRow?.analyzedMs ?? null;
  switch (wish.kind) {
    case 'all':
      return filled;
    case 'selection': {
      const isInView = activeSheet().id === sheet.id;
      const last = filled[filled.length - 1]?.row ?? 0;
      const selected = isInView ? rowsIn(selectedAreas(), 1, last) : new Set<number>();
      return filled.filter(({ row }) => selected.has(row));
    }
    case 'visible': {
      if (filled.length > VISIBLE_ROWS_MAX) return tooManyRows();
      const visible = new Set(
        visibleRows(
          sheet,
          filled.map(({ row }) => row),
        ),
      );
      return filled.filter(({ row }) => visible.has(row));
    }
    case 'empty':
      return filled.filter((row) => analyzedMs(row) === null && !hasFailed(row));
    case 'failed':
      return filled.filter(hasFailed);
    case 'older': {
      const beforeMs = nowMs - wish.days * DAY;
      return filled.filter((row) => (analyzedMs(row) ?? 0) < beforeMs);
    }
    case 'product':
      return filled.filter((row) => {
        const product = productOfRow(row);
        return product !== null && productKey(product) === wish.product;
      });
    case 'products': {
      const keys = new Set(wish.products);
      return filled.filter((row) => {
        const product = productOfRow(row);
        return product !== null && keys.has(productKey(product));
      });
    }
  }
}

/** The row numbers in areas, limited to the first and last row of a list. */
export function rowsIn(areas: readonly Area[], first: number, last: number): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { row, rowCount } of areas)
    for (let at = Math.max(row, first); at <= Math.min(row + rowCount - 1, last); at += 1)
      rows.add(at);
  return rows;
}

const hasFailed = ({ tabRow }: ListRow): boolean => isFailureStatus(tabRow?.status ?? '');

const tooManyRows = (): Failure =>
  fail({
    kind: 'bad-argument',
    what: `more than ${VISIBLE_ROWS_MAX.toLocaleString('en-US')} rows. Select the visible ones`,
  });

export interface ChosenList {
  readonly sheet: Sheet;
  readonly size: SheetSize;
  /** null: there is none yet. */
  readonly tab: AnalysisTab | null;
  /** Every row of the tab. */
  readonly tabRows: TabRows;
  /** The rows of the choice. At least one of them has a product, or may get one. */
  readonly rows: readonly ListRow[];
}

/** @param defaultMarket the market of rows that should name one and do not. */
export function readChosenList(
  clock: Clock,
  choice: Choice,
  defaultMarket: Market,
): ChosenList | Failure {
  const sheet = sheetById(choice.sheetId);
  const size = sheet?.size();
  if (!sheet || !size) return runProblem('sheet-gone');
  const tab = existingAnalysisTab(clock);
  if (isFailure(tab)) return tab;
  const tabRows = tab === null ? new Map() : tab.read();
  if (isFailure(tabRows)) return tabRows;
  const location = { ...locationOf(sheet, choice), market: marketSourceOf(choice), defaultMarket };
  const all = readRows(location, tabRows, size);
  if (all === null) return runProblem('sheet-gone');
  const rows = chosenRows(sheet, all, choice.rows, clock.nowMs());
  if (isFailure(rows)) return rows;
  if (rows.some(mayHaveProduct)) return { sheet, size, tab, tabRows, rows };
  const why = all.some(mayHaveProduct) ? NONE_SUCH[choice.rows.kind] : undefined;
  if (why !== undefined) return runProblem('no-matching-rows', why);
  return rows.map(failureIn).find(isOfLinkedText) ?? runProblem('no-rows');
}

const failureIn = ({ content }: ListRow): Failure | null =>
  content.kind === 'unreadable' ? content.failure : null;

const isOfLinkedText = (failure: Failure | null): failure is Failure =>
  failure?.kind === 'bad-asin' && failure.why === LINKED_TEXT;

export const isBarcodeFailure = (failure: Failure | null): boolean =>
  failure?.kind === 'bad-asin' && failure.why === 'barcode';

/** A person can name the product of a barcode in the tab, where the job shows it. */
export const mayHaveProduct = (row: ListRow): boolean =>
  isBarcodeFailure(failureIn(row)) || productOfRow(row) !== null;

/** Why a list with products has none for this selection. */
const NONE_SUCH: Partial<Record<Choice['rows']['kind'], string>> = {
  empty: 'every row has its figures',
  failed: 'no row failed before',
  older: 'no row was analyzed so long ago',
  products: 'the rows that were selected are gone',
};
