// A list with decisions: finds it again in the sheet by its titles, reads, filters and sorts it.

import * as z from 'zod/mini';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import {
  type Area,
  columnLetters,
  type GrowthOutcome,
  type Presentation,
  type Sheet,
  type SheetCell,
  type SheetPlatform,
  type SheetSize,
} from '../platform/ports';
import { cellTextSchema } from '../platform/sheet-schemas';
import { DEFAULT_MARKET, type Market } from '../product/market';
import { allCells, productReader } from '../table/barcodes';
import {
  type Cells,
  type ColumnKey,
  HEADER_DRIFT_ROWS,
  type KnownColumn,
  located,
  otherTitles,
  titleOf,
} from '../table/columns';
import { listPositionSchema } from '../table/list-position';
import { productOf, type Row, type RowRule, readRow } from '../table/row';

/** Where a list was when its titles were read. */
export const listPlaceSchema = lazySchema(() =>
  z.strictObject({
    ...listPositionSchema().shape,
    /**
     * Titles by column, '' where there is none. Columns that have moved since are found by their
     * titles.
     */
    titles: z.array(cellTextSchema()),
  }),
);

export type ListPlace = Fits<typeof listPlaceSchema>;

/** A cell's value for the page: a date as ISO 8601; null: blank. */
export type ListCell = string | number | boolean | null;

export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  readonly title: string;
}

/** A tab as the page receives it. */
export interface ReadTab {
  readonly sheetId: number;
  readonly name: string;
  /** Cells from A1 on. */
  readonly cells: readonly (readonly ListCell[])[];
}

/** The tab of the rules with the rows of its named cells, because people may change the labels. */
export interface ReadRules extends ReadTab {
  readonly rows: Readonly<Record<string, number>>;
}

/** What decisions need to know about a list, as it is in the sheet. */
export interface ListInspection {
  readonly sheet: { readonly id: number; readonly name: string };
  /** The number of rows with content in the product column. */
  readonly rows: number;
  /** The headers by column. They are sent back with every call that concerns the list. */
  readonly titles: readonly string[];
  /** Columns with a header, including those of runs and decisions. */
  readonly columns: readonly ListColumn[];
  /** The columns among them that a run fills; they never hold the buyer's own costs. */
  readonly figures: readonly (ListColumn & { readonly key: ColumnKey })[];
  /** The columns that runs fill for other markets of the same list. */
  readonly beside: ListInspection['figures'];
  /**
   * The value of an ROI of 100 % in the list: 1 if ROI is a fraction; null: the service's unit is
   * not known yet, and then a missing sell price is only derived if there is a buy price.
   */
  readonly roiScale: 1 | null;
  /** The tab with the cell named DEAL_PROFILE, for rules-tab to read; null: there is none. */
  readonly rules: ReadRules | null;
  /** The formulas of the first row by column, '' where there is none; absent: they were not read. */
  readonly formulas?: readonly string[] | undefined;
}

/** A row with a product, and its cells in the requested columns. */
export interface ListRow {
  readonly row: number;
  /** null: the cell cannot be read as a product. */
  readonly product: { readonly asin: string; readonly market: Market } | null;
  readonly cells: readonly ListCell[];
}

export interface ReadRows {
  readonly rows: readonly ListRow[];
  /** The first and last row of the first selected area; null: another sheet is active. */
  readonly selected: readonly [number, number] | null;
}

export interface DealPlatform extends SheetPlatform {
  readonly presentation: Presentation;
}

/** A list as it is now. */
export interface FoundList {
  readonly sheet: Sheet;
  readonly size: SheetSize;
  readonly headerRow: number;
  readonly titles: readonly string[];
  /** The present column by the column at the time of the inspection. */
  readonly now: ReadonlyMap<number, number>;
  /** Rows with content in the product column. */
  readonly rows: readonly Row[];
}

/**
 * @param columns the columns that must still exist, by their position at the time of the
 * inspection.
 */
export function findList(
  { spreadsheet }: Pick<SheetPlatform, 'spreadsheet'>,
  { sheetId, headerRow, productColumn, market, titles: seen }: ListPlace,
  columns: readonly number[],
): FoundList | Failure {
  const sheet = spreadsheet.sheet(sheetId);
  const size = sheet?.size();
  if (!sheet || !size) return runProblem('sheet-gone');
  const wanted = [
    ...new Set([productColumn, ...(market.kind === 'column' ? [market.column] : []), ...columns]),
  ];
  const known = wanted.map(
    (column): KnownColumn => ({ key: 'product', column, title: seen[column - 1] ?? '' }),
  );
  const top = topOf(sheet, size, headerRow);
  const layout = located({ headerRow, columns: known, others: otherTitles(seen, known) }, top);
  if (typeof layout === 'string') return runProblem('look-again', layout);
  const now = new Map(wanted.map((column, at) => [column, layout.columns[at]?.column ?? column]));
  const read = (column: number) => columnBelow(sheet, size, layout.headerRow, now.get(column) ?? 0);
  const products = read(productColumn);
  const markets = market.kind === 'column' ? read(market.column) : [];
  const rule: RowRule = {
    ...(market.kind === 'one' ? market : { kind: 'cell', fallback: DEFAULT_MARKET }),
    read: productReader(sheet, now.get(productColumn) ?? 1, layout.headerRow),
  };
  const rows = products.map((product, down) => {
    const cells = { status: '', statusFormula: '', at: '' };
    return readRow(layout.headerRow + 1 + down, { ...cells, product, market: markets[down] }, rule);
  });
  return {
    ...{ sheet, size, headerRow: layout.headerRow, now },
    titles: (top[layout.headerRow - 1] ?? []).map(titleOf),
    rows: rows.filter(({ content }) => content.kind !== 'blank'),
  };
}

export function topOf(sheet: Sheet, { lastColumn, maxRows }: SheetSize, headerRow: number): Cells {
  const rowCount = Math.min(headerRow + HEADER_DRIFT_ROWS, maxRows);
  return sheet.values({ row: 1, column: 1, rowCount, columnCount: Math.max(1, lastColumn) }) ?? [];
}

export function columnBelow(
  sheet: Sheet,
  { lastRow }: SheetSize,
  headerRow: number,
  column: number,
): readonly SheetCell[] {
  const area = { row: headerRow + 1, column, rowCount: lastRow - headerRow, columnCount: 1 };
  return lastRow > headerRow ? (sheet.values(area) ?? []).map(([cell = '']) => cell) : [];
}

function cellShown(cell: SheetCell = ''): ListCell {
  if (typeof cell === 'object') return cell.toISOString();
  return cell === '' ? null : cell;
}

/** The named cell that identifies the tab of the rules. */
const RULES_CELL = 'DEAL_PROFILE';

/**
 * @param outputsOf finds the columns of a run in a sheet: those of the list's market, then those of
 * others.
 */
export function inspectList(
  platform: DealPlatform,
  place: Omit<ListPlace, 'titles'>,
  outputsOf: (sheet: Sheet) => readonly (readonly KnownColumn[])[],
): Omit<ListInspection, 'roiScale'> | Failure {
  const sheet = platform.spreadsheet.sheet(place.sheetId);
  const size = sheet?.size();
  if (!sheet || !size) return runProblem('sheet-gone');
  const titles = (topOf(sheet, size, place.headerRow)[place.headerRow - 1] ?? []).map(titleOf);
  const found = findList(platform, { ...place, titles }, []);
  if (isFailure(found)) return found;
  const shown = (column: number, title: string): ListColumn => ({
    ...{ column, letter: columnLetters(column), title },
  });
  const first = {
    ...{ row: found.rows[0]?.row ?? found.headerRow + 1, column: 1 },
    ...{ rowCount: 1, columnCount: titles.length },
  };
  // The buy price of a run has a money format; people's own costs may have the same title.
  const isRuns = ({ key, column }: KnownColumn) =>
    key !== 'buy_price' || sheet.formats(first)?.[0]?.[column - 1]?.startsWith('[$');
  const [figures = [], ...others] = outputsOf(sheet).map((columns) =>
    columns.filter(isRuns).map(({ key, column, title }) => ({ ...shown(column, title), key })),
  );
  return {
    sheet: { id: sheet.id, name: sheet.name() ?? '' },
    rows: found.rows.length,
    titles,
    columns: titles.flatMap((title, at) => (title === '' ? [] : shown(at + 1, title))),
    figures,
    // Columns without a market belong to this list's market if nothing else is known.
    beside: others.flat().filter(({ column }) => figures.every((one) => one.column !== column)),
    rules: rulesTab(platform),
    formulas: sheet.formulas(first)?.[0],
  };
}

function rulesTab({ spreadsheet, presentation }: DealPlatform): ReadRules | null {
  const sheetId = presentation.sheetOfName(RULES_CELL);
  const tab = sheetId === null ? null : readTab(spreadsheet.sheet(sheetId));
  return tab?.cells.length ? { ...tab, rows: spreadsheet.namedRows(/DEAL_/) } : null;
}

export function readTab(sheet: Sheet | null): ReadTab | null {
  const cells = allCells(sheet).map((row) => row.map(cellShown));
  return sheet && { sheetId: sheet.id, name: sheet.name() ?? '', cells };
}

export function readList(
  platform: DealPlatform,
  place: ListPlace,
  columns: readonly number[],
): ReadRows | Failure {
  const found = findList(platform, place, columns);
  if (isFailure(found)) return found;
  const { sheet, size, headerRow, now } = found;
  const read = columns.map((column) => columnBelow(sheet, size, headerRow, now.get(column) ?? 0));
  const { spreadsheet } = platform;
  const [area] = spreadsheet.active().id === sheet.id ? spreadsheet.selected() : [];
  return {
    selected: area ? [area.row, area.row + area.rowCount - 1] : null,
    rows: found.rows.map((one) => ({
      row: one.row,
      product: productOf(one),
      cells: read.map((cells) => cellShown(cells[one.row - headerRow - 1])),
    })),
  };
}

/** The whole list, from the header to the last product, over all filled columns. */
const areaOf = ({ headerRow, rows, size }: FoundList) => ({
  ...{ row: headerRow, column: 1, columnCount: size.lastColumn },
  rowCount: (rows[rows.length - 1]?.row ?? headerRow) - headerRow + 1,
});

/** @param only the text to show; null: all rows are shown again as far as other filters allow. */
export function filterList(
  platform: DealPlatform,
  place: ListPlace,
  column: number,
  only: string | null,
): Failure | null {
  const found = findList(platform, place, [column]);
  if (isFailure(found)) return found;
  const at = found.now.get(column) ?? column;
  return refusalOf(platform.presentation.filter(found.sheet.id, areaOf(found), at, only));
}

export function sortList(platform: DealPlatform, place: ListPlace, column: number): Failure | null {
  const found = findList(platform, place, [column]);
  if (isFailure(found)) return found;
  const at = found.now.get(column) ?? column;
  const { row, rowCount, ...area } = areaOf(found);
  const below = { ...area, row: row + 1, rowCount: rowCount - 1 };
  const sort = (part: Area, ascending: boolean) =>
    part.rowCount < 2
      ? null
      : refusalOf(platform.presentation.sort(found.sheet.id, part, at, ascending));
  const highestFirst = () => {
    const cells = columnBelow(found.sheet, found.size, row, at).slice(0, below.rowCount);
    const isNumber = (cell: SheetCell) => typeof cell === 'number';
    const first = below.row + cells.findIndex(isNumber);
    return sort({ ...below, row: first, rowCount: cells.filter(isNumber).length }, false);
  };
  // Sorting twice puts values other than numbers last, wherever Google places empty texts in
  // descending order.
  return sort(below, true) ?? highestFirst();
}

/** The failure of a write; null: it succeeded. */
export function refusalOf(outcome: GrowthOutcome): Failure | null {
  if (outcome === 'written') return null;
  if (outcome === 'protected') return fail({ kind: 'protected' });
  return outcome === 'full' ? runProblem('full') : runProblem('sheet-gone');
}
