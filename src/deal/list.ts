// A list that is decided on: found again in the sheet by its titles, read, filtered and put in order.

import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
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
import { productOf, type Row, type RowRule, readRow } from '../table/row';

/** Where a list stood when its titles were read. */
export interface ListPlace {
  readonly sheetId: number;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly market:
    | { readonly kind: 'one'; readonly market: Market }
    | { readonly kind: 'column'; readonly column: number };
  /** By column, '' where there is none. Columns that moved since are followed by their titles. */
  readonly titles: readonly string[];
}

/** What a page is shown of a cell: a date as its moment in ISO 8601; null: nothing. */
export type ListCell = string | number | boolean | null;

export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  readonly title: string;
}

/** A tab as a page reads it. */
export interface ReadTab {
  readonly sheetId: number;
  readonly name: string;
  /** From A1 on. */
  readonly cells: readonly (readonly ListCell[])[];
}

/** The tab of the rules, with the rows of its named cells: labels are anybody's to change. */
export interface ReadRules extends ReadTab {
  readonly rows: Readonly<Record<string, number>>;
}

/** What decisions need to know of a list, as it stands in the sheet. */
export interface ListInspection {
  readonly sheet: { readonly id: number; readonly name: string };
  /** Rows with something in the column of products. */
  readonly rows: number;
  /** The headers by column: part of the place that is sent with whatever is done with the list. */
  readonly titles: readonly string[];
  /** Columns with a header, those of runs and decisions included. */
  readonly columns: readonly ListColumn[];
  /** Of those, the ones that a run fills: they are never the buyer's own costs. */
  readonly figures: readonly (ListColumn & { readonly key: ColumnKey })[];
  /** Those of other markets that the list has as well. */
  readonly beside: ListInspection['figures'];
  /**
   * What ROI in the list is of: 1, a fraction; null: the service's unit is not known yet, and an
   * absent sell price is derived only where there is a buy price.
   */
  readonly roiScale: 1 | null;
  /** The tab with the cell named DEAL_PROFILE, for rules-tab to read; null: there is none. */
  readonly rules: ReadRules | null;
}

/** A row with a product, and its cells of the columns that were asked for. */
export interface ListRow {
  readonly row: number;
  /** null: what stands there cannot be read as a product. */
  readonly product: { readonly asin: string; readonly market: Market } | null;
  readonly cells: readonly ListCell[];
}

export interface ReadRows {
  readonly rows: readonly ListRow[];
  /** First and last row of the first area that is selected; null: another sheet is on view. */
  readonly selected: readonly [number, number] | null;
}

export interface DealPlatform extends SheetPlatform {
  readonly presentation: Presentation;
}

/** A list as it stands now. */
export interface FoundList {
  readonly sheet: Sheet;
  readonly size: SheetSize;
  readonly headerRow: number;
  readonly titles: readonly string[];
  /** By column at the time of the look. */
  readonly now: ReadonlyMap<number, number>;
  /** Rows with something in the column of products. */
  readonly rows: readonly Row[];
}

/** @param columns those that have to be there, as they were at the time of the look. */
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
    read: productReader(sheet),
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

/** The tab that has the rules: the one with this named cell. */
const RULES_CELL = 'DEAL_PROFILE';

/** @param outputsOf columns of a run among the first cells of a sheet: of the list's market, then of others. */
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
  // A run's buy price is money in its format; under the same title stand people's own costs.
  const row = found.rows[0]?.row ?? found.headerRow + 1;
  const isRuns = ({ key, column }: KnownColumn) =>
    key !== 'buy_price' ||
    sheet.formats({ row, column, rowCount: 1, columnCount: 1 })?.[0]?.[0]?.startsWith('[$');
  const [figures = [], ...others] = outputsOf(sheet).map((columns) =>
    columns.filter(isRuns).map(({ key, column, title }) => ({ ...shown(column, title), key })),
  );
  return {
    sheet: { id: sheet.id, name: sheet.name() ?? '' },
    rows: found.rows.length,
    titles,
    columns: titles.flatMap((title, at) => (title === '' ? [] : shown(at + 1, title))),
    figures,
    // Where nothing tells whose columns without a market are, they are this one's.
    beside: others.flat().filter(({ column }) => figures.every((one) => one.column !== column)),
    rules: rulesTab(platform),
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

/** From the header to the last product, as wide as the sheet is filled. */
const areaOf = ({ headerRow, rows, size }: FoundList) => ({
  ...{ row: headerRow, column: 1, columnCount: size.lastColumn },
  rowCount: (rows[rows.length - 1]?.row ?? headerRow) - headerRow + 1,
});

export interface Done {
  readonly rows: number;
}

/** @param only null: all rows are on view again, as far as other columns' filters let them. */
export function filterList(
  platform: DealPlatform,
  place: ListPlace,
  column: number,
  only: string | null,
): Done | Failure {
  const found = findList(platform, place, [column]);
  if (isFailure(found)) return found;
  const at = found.now.get(column) ?? column;
  const outcome = platform.presentation.filter(found.sheet.id, areaOf(found), at, only);
  return refusalOf(outcome) ?? { rows: found.rows.length };
}

export function sortList(platform: DealPlatform, place: ListPlace, column: number): Done | Failure {
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
  // What is no number goes last so, whatever Google takes an empty text for in the other order.
  return sort(below, true) ?? highestFirst() ?? { rows: found.rows.length };
}

/** Why nothing was written; null: it was. */
export function refusalOf(outcome: GrowthOutcome): Failure | null {
  if (outcome === 'written') return null;
  if (outcome === 'protected') return fail({ kind: 'protected' });
  return outcome === 'full' ? runProblem('full') : runProblem('sheet-gone');
}
