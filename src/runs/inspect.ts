// Inspects a sheet: where its products are, which output columns it has, and where there is room to
// write.

import { isFailure } from '../failures/failure';
import type { Area, Sheet, SheetCell, SheetPlatform, SheetSize } from '../platform/ports';
import { cleaned, isBarcode, isBlank } from '../product/asin';
import { DEFAULT_FIELDS, FIELDS, type Field, fieldTitle } from '../product/fields';
import type { Market } from '../product/market';
import { type ProductReader, productReader } from '../table/barcodes';
import {
  type Cells,
  type ColumnKey,
  existingColumns,
  findColumns,
  type KnownColumn,
  newTitle,
  plainTitle,
  titleOf,
} from '../table/columns';
import { wantedKeys } from '../table/output-columns';
import { readStatus, unmarked } from '../table/status';
import type { Choice, ChoiceByHand, RowSelection } from './run';
import { currentColumn, recall, remember } from './saved-choice';

/** The number of rows that are read. */
const SAMPLE_ROWS = 200;

/** Columns to the right of the first ones are read in fewer rows; they may be those of a run. */
const SAMPLE_COLUMNS = 100;
const SAMPLE_TITLE_ROWS = 20;

/** A column with at least this share of foreign values beside products belongs to somebody else. */
const TAKEN_SHARE = 0.3;

export interface Inspection {
  readonly sheet: Sheet;
  readonly name: string;
  /**
   * The number of rows with content in the product column; without a product column, of rows below
   * the header.
   */
  readonly listRows: number;
  /** Titles by column, from the first column on; '' where there is none. */
  readonly titles: readonly string[];
  /** Columns with content. */
  readonly filled: readonly number[];
  readonly choice: Choice | null;
  /**
   * The rest of a choice for a column that a person picks if none was found; null in an empty
   * sheet.
   */
  readonly byHand: ChoiceByHand | null;
  readonly nearest: {
    readonly column: number;
    readonly products: number;
    readonly sampled: number;
  } | null;
  readonly fields: readonly {
    readonly field: Field;
    readonly title: string;
    readonly column: number | null;
  }[];
  /** The number of them that are selected. */
  readonly selectedRows: number;
  /**
   * The number of cells in the product column that hold more than the ASIN, hold it as a number, or
   * hold a barcode.
   */
  readonly toClean: number;
}

const ALL_ROWS: RowSelection = { kind: 'all' };

/**
 * @param counts whether the number of products is needed; for a long column that takes a reading of
 * its own.
 */
export function inspect(
  { spreadsheet, documentStore }: SheetPlatform,
  fallback: Market,
  counts = true,
): Inspection {
  const sheet = spreadsheet.active();
  const size = sheet.size() ?? { lastRow: 0, lastColumn: 0 };
  const cells = sample(sheet, size.lastRow, size.lastColumn);
  const found = findList(sheet, cells);
  const isFound = found !== null && 'productColumn' in found;
  const headerRow = found?.headerRow ?? 0;
  const titles = (cells[headerRow - 1] ?? []).map(titleOf);
  const width = Math.max(0, ...cells.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => at);
  const isTaken = (column: number) => isFull(cells, headerRow, column, found);
  const existing = existingColumns(titles, FIELDS, isTaken);
  const filled = columns.filter((at) => cells.some((row) => !isBlank(row[at])));
  const lastRow = filled.length === 0 ? 0 : size.lastRow;
  const marketColumn = isFound ? found.marketColumn : null;
  const market: Choice['market'] =
    marketColumn === null
      ? { kind: 'one', market: fallback }
      : { kind: 'column', column: marketColumn };
  // Decisions need the sell price, and nobody uses our title for a column of their own.
  const hasSellPrice = existing.get('sell_price')?.title === fieldTitle('sell_price');
  const fields = FIELDS.filter(
    (field) => DEFAULT_FIELDS.includes(field) || (hasSellPrice && field === 'sell_price'),
  );
  const usual = { sheetId: sheet.id, headerRow, market, rows: ALL_ROWS, fields };
  const remembered = recall(documentStore, sheet.id);
  const byHand = remember(usual, remembered, titles);
  const productColumn =
    currentColumn(remembered?.columns?.product, titles) ?? (isFound ? found.productColumn : null);
  const below = { row: headerRow + 1, rowCount: Math.max(0, lastRow - headerRow), columnCount: 1 };
  const isSampled = lastRow <= SAMPLE_ROWS && (productColumn ?? 0) <= SAMPLE_COLUMNS;
  const isCounted = counts && productColumn !== null && below.rowCount > 0;
  const products = !isCounted
    ? null
    : isSampled
      ? cells.slice(headerRow).map((row) => [row[productColumn - 1] ?? ''])
      : sheet.values({ ...below, column: productColumn });
  const isFilled = (row: number) => products === null || !isBlank(products[row - below.row]?.[0]);
  const selected = [...rowsIn(spreadsheet.selected(), below.row, lastRow)];
  return {
    sheet,
    name: sheet.name() ?? '',
    listRows: products?.filter(([cell]) => !isBlank(cell)).length ?? below.rowCount,
    titles: columns.map((at) => titles[at] ?? ''),
    filled: filled.map((at) => at + 1),
    choice: productColumn === null ? null : { ...byHand, productColumn },
    byHand: productColumn !== null || found === null ? null : byHand,
    nearest: found !== null && 'nearest' in found ? found.nearest : null,
    fields: FIELDS.map((field) => {
      const known = existing.get(field);
      return {
        field,
        title: known?.title ?? newTitle(field, titles),
        column: known?.column ?? null,
      };
    }),
    selectedRows: selected.filter(isFilled).length,
    toClean: products?.filter(([cell]) => cleaned(cell) !== null || isBarcode(cell)).length ?? 0,
  };
}

/** The columns of a list, by what cells show, else by where they lead. */
function findList(sheet: Sheet, cells: Cells): ReturnType<typeof findColumns> {
  const shown = findColumns(cells);
  if (shown === null || 'productColumn' in shown) return shown;
  const columnCount = Math.min(SAMPLE_COLUMNS, ...cells.map((row) => row.length));
  const links = sheet.links({ row: 1, column: 1, rowCount: cells.length, columnCount }) ?? [];
  if (links.every((row) => row.every((link) => link === ''))) return shown;
  const linked = findColumns(
    cells.map((row, down) => row.map((cell, right) => links[down]?.[right] || cell)),
  );
  return linked !== null && 'productColumn' in linked ? linked : shown;
}

function sample(sheet: Sheet, lastRow: number, lastColumn: number): Cells {
  if (lastRow === 0 || lastColumn === 0) return [];
  const rowCount = Math.min(lastRow, SAMPLE_ROWS);
  const columnCount = Math.min(lastColumn, SAMPLE_COLUMNS);
  const cells = sheet.values({ row: 1, column: 1, rowCount, columnCount }) ?? [];
  if (lastColumn === columnCount || cells.length === 0) return cells;
  const beside = {
    ...{ row: 1, rowCount: Math.min(rowCount, SAMPLE_TITLE_ROWS) },
    ...{ column: columnCount + 1, columnCount: lastColumn - columnCount },
  };
  const titles = sheet.values(beside) ?? [];
  return cells.map((row, at) => [...row, ...(titles[at] ?? [])]);
}

/**
 * Whether a column is full of somebody else's content: values in rows that we have not analyzed.
 */
function isFull(
  cells: Cells,
  headerRow: number,
  column: number,
  found: ReturnType<typeof findColumns>,
): boolean {
  if (found === null) return false;
  const productColumn = 'nearest' in found ? found.nearest.column : found.productColumn;
  const atColumn = knownColumns(cells, headerRow, ['at'], () => false).get('at');
  // In columns far to the right only the first rows were read.
  const isSampled = (row: Cells[number]) => row.length >= column;
  const rows = cells
    .slice(headerRow)
    .filter((row) => isSampled(row) && !isBlank(row[productColumn - 1]));
  const foreign = rows.filter(
    (row) =>
      !isBlank(row[column - 1]) && (atColumn === undefined || isBlank(row[atColumn.column - 1])),
  );
  return rows.length > 0 && foreign.length / rows.length > TAKEN_SHARE;
}

/** The row numbers in areas, limited to the first and last row of a list. */
export function rowsIn(areas: readonly Area[], first: number, last: number): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { row, rowCount } of areas)
    for (let at = Math.max(row, first); at <= Math.min(row + rowCount - 1, last); at += 1)
      rows.add(at);
  return rows;
}

/** The columns of a run: existing ones, and the titles of those to add. */
export interface OwnColumns {
  readonly existing: readonly KnownColumn[];
  readonly added: readonly { readonly key: ColumnKey; readonly title: string }[];
  /** Whether they belong to one market alone, beside those of another. */
  readonly areApart: boolean;
}

export function ownColumns(
  sheet: Sheet,
  cells: Cells,
  choice: Omit<Choice, 'sheetId' | 'rows'>,
): OwnColumns {
  const { headerRow, productColumn } = choice;
  const titles = (cells[headerRow - 1] ?? []).map(titleOf);
  const found = { headerRow, productColumn, marketColumn: null };
  const keys: readonly ColumnKey[] = wantedKeys(choice);
  const byTitle = (wanted: OwnColumns['added']) =>
    wanted.flatMap(({ key, title }): [ColumnKey, KnownColumn][] => {
      const column = titles.indexOf(title) + 1;
      return column === 0 ? [] : [[key, { key, title, column }]];
    });
  const isTaken = (column: number) => isFull(cells, headerRow, column, found);
  const known = knownColumns(cells, headerRow, keys, isTaken);
  const named = (name: string) =>
    keys.map((key) => ({ key, title: `${plainTitle(key)} (${name})` }));
  const ofList = named(titles[productColumn - 1] ?? '');
  const second = new Map(byTitle(ofList));
  const read = productReader(sheet, productColumn, headerRow);
  const isSecond =
    second.has('status') || areOfOthers(cells, known.get('status'), productColumn, read);
  let existing: ReadonlyMap<ColumnKey, KnownColumn> = isSecond ? second : known;
  let wanted = isSecond ? ofList : keys.map((key) => ({ key, title: newTitle(key, titles) }));
  const { market, apart } = choice;
  let areApart = false;
  if (market.kind === 'one') {
    const ofMarket = named(
      isSecond ? `${titles[productColumn - 1]}, ${market.market}` : market.market,
    );
    const own = new Map(byTitle(ofMarket));
    const isOwn =
      own.has('status') ||
      areOfMarket(cells, existing.get('status'), productColumn, market.market, read) === 'other';
    areApart = apart ?? isOwn;
    if (areApart) [existing, wanted] = [own, ofMarket];
  }
  return {
    existing: [...existing.values()],
    added: wanted.filter(({ key }) => !existing.has(key)),
    areApart,
  };
}

/**
 * Existing columns by their headers. Without a status column nothing shows that a column of times
 * is ours.
 */
function knownColumns(
  cells: Cells,
  headerRow: number,
  keys: readonly ColumnKey[],
  isTaken: (column: number) => boolean,
): ReadonlyMap<ColumnKey, KnownColumn> {
  const titles = cells[headerRow - 1] ?? [];
  const found = new Map(existingColumns(titles, keys, isTaken));
  const timed = found.get('at')?.column ?? 0;
  const isOurs = existingColumns(titles, ['status'], () => false).size > 0;
  if (!isOurs && cells.slice(headerRow).some((row) => !isBlank(row[timed - 1]))) found.delete('at');
  return found;
}

/**
 * Whether the statuses name the products of another column of the sheet, which was analyzed before.
 */
function areOfOthers(
  cells: Cells,
  status: KnownColumn | undefined,
  productColumn: number,
  readProduct: ProductReader,
): boolean {
  if (status === undefined) return false;
  const places = cells.flatMap((row) => {
    const read = unmarked(readStatus(row[status.column - 1]));
    if (read.kind !== 'ok') return [];
    const names = (cell: SheetCell) => {
      const reading = readProduct(cell);
      return !isFailure(reading) && reading.asin === read.product.asin;
    };
    return [names(row[productColumn - 1] ?? '') ? 'here' : row.some(names) ? 'elsewhere' : ''];
  });
  const there = places.filter((place) => place === 'elsewhere').length;
  return !places.includes('here') && 2 * there > places.length;
}

/** Whose figures these are: this market's, entirely the other one's, or nobody's yet. */
function areOfMarket(
  cells: Cells,
  status: KnownColumn | undefined,
  productColumn: number,
  market: Market,
  readProduct: ProductReader,
): 'own' | 'other' | null {
  if (status === undefined) return null;
  const markets = cells.flatMap((row) => {
    const read = unmarked(readStatus(row[status.column - 1]));
    const product = read.kind === 'ok' || read.kind === 'failed' ? read.product : null;
    const reading = readProduct(row[productColumn - 1] ?? '');
    return product === null || isFailure(reading) || reading.asin !== product.asin
      ? []
      : [product.market];
  });
  if (markets.length === 0) return null;
  return markets.includes(market) ? 'own' : 'other';
}

/** @param size measured a moment ago, if that is recent enough. */
export const readSample = (sheet: Sheet, size: SheetSize | null = sheet.size()): Cells =>
  size === null ? [] : sample(sheet, size.lastRow, size.lastColumn);

export interface Room {
  /** The row of the titles, existing or to be added. */
  readonly headerRow: number;
  /** The first of the columns to add. */
  readonly firstNew: number;
  /** Whether this person may edit all columns of the run from the header down. */
  readonly canEdit: boolean;
}

/** @param headerRow 0: a header row is inserted at the top. */
export function roomFor(
  sheet: Sheet,
  size: SheetSize,
  headerRow: number,
  { existing, added }: OwnColumns,
): Room {
  const top = Math.max(1, headerRow);
  const firstNew = added.length === 0 ? size.lastColumn + 1 : firstFreeColumn(sheet, size, top);
  const columns = [...existing.map(({ column }) => column), ...added.map((_, at) => firstNew + at)];
  return { headerRow: top, firstNew, canEdit: canEditColumns(sheet, size, top, columns) };
}

/** The first empty column whose title cell is not part of merged cells. */
function firstFreeColumn(sheet: Sheet, size: SheetSize, headerRow: number): number {
  const { lastColumn, maxColumns } = size;
  const columnCount = maxColumns - lastColumn;
  if (columnCount === 0) return lastColumn + 1;
  const beside = { row: headerRow, column: lastColumn + 1, rowCount: 1, columnCount };
  const ends = (sheet.merges(beside) ?? []).map((merge) => merge.column + merge.columnCount);
  return Math.max(lastColumn + 1, ...ends);
}

function canEditColumns(
  sheet: Sheet,
  { lastRow, maxColumns }: SheetSize,
  headerRow: number,
  columns: readonly number[],
): boolean {
  const rowCount = Math.max(1, lastRow - headerRow + 1);
  const sorted = columns.filter((column) => column <= maxColumns).sort((a, b) => a - b);
  const starts = sorted.filter((column) => !sorted.includes(column - 1));
  return starts.every((column, at) => {
    const next = starts[at + 1] ?? Number.POSITIVE_INFINITY;
    const columnCount = sorted.filter((one) => one >= column && one < next).length;
    return sheet.canEdit({ row: headerRow, column, rowCount, columnCount });
  });
}
