// A list with decisions: reads it for the page, filters and sorts it.

import * as z from 'zod/mini';
import type { AnalysisRow } from '../analysis/analysis-row';
import { type Failure, isFailure, runProblem, sentences } from '../failures/failure';
import { areaOf, columnLetters, type SheetCell } from '../google/cells';
import { filterRows } from '../google/presentation';
import type { Sheet } from '../google/sheet';
import { cellTextSchema, sheetIdSchema } from '../google/sheet-schemas';
import { activeSheet, namedCell, namedRows, selectedAreas, sheetById } from '../google/spreadsheet';
import { findColumns, titleOf } from '../list/find-columns';
import { refusalOf } from '../list/lookup-cells';
import {
  type GroupMarket,
  type LookupGroup,
  type LookupRole,
  type MarkedList,
  markedLists,
  readMarks,
} from '../list/marked-list';
import { type KnownRows, productOf, type ListRow as ReadRow, readRows } from '../list/rows';
import type { Product } from '../product/asin';
import type { Figures } from '../product/fields';
import { MARKETS } from '../product/market';
import { type Fits, lazySchema } from '../schema/stored-record';
import { costColumn, decidedColumns, decisionColumn, decisionMarks } from './decision-marks';
import {
  COST_KEYS,
  type CostColumns,
  type CostKey,
  costColumnsOf,
  costInUse,
  DECISION_ROLES,
  type DecisionRole,
  decisionTitle,
  type ListColumn,
  nameColumnOf,
  PACK_USES,
} from './decision-plan';
import { sortList } from './sort-list';

export type { ListColumn };

/** A cell's value for the page: a date as ISO 8601; null: blank. */
export type ListCell = string | number | boolean | null;

export const listIdSchema = lazySchema(() =>
  z.strictObject({ sheetId: sheetIdSchema(), listId: cellTextSchema() }),
);

/** A list as metadata names it. */
export type ListId = Fits<typeof listIdSchema>;

export const shownListSchema = lazySchema(() =>
  z.strictObject({
    /** null: the list of the active sheet. */
    list: z.nullable(listIdSchema()),
    /** Which market to show of a list that has both; null: the first one. */
    market: z.nullable(z.literal(MARKETS)),
    /** The column that the person chose for the cost. */
    cost: z.nullable(
      z.strictObject({
        sheetId: sheetIdSchema(),
        title: cellTextSchema(),
        pack: z.exactOptional(z.literal(PACK_USES)),
      }),
    ),
    /** Whether rows come with the figures that the Analysis tab has. */
    hasFigures: z.boolean(),
  }),
);

type Shown = Fits<typeof shownListSchema>;

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
  readonly listId: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
  /** The market of the figures and decisions below, and all that the list has. */
  readonly market: GroupMarket;
  readonly markets: readonly GroupMarket[];
  /** The number of rows with content in the product column. */
  readonly rows: number;
  /** The person's own columns that have a header, but those of products and markets. */
  readonly columns: readonly ListColumn[];
  readonly figures: readonly (ListColumn & { readonly key: LookupRole })[];
  readonly decisions: { readonly [Role in DecisionRole]?: ListColumn };
  /** The columns that decisions read; null: nobody has decided on this list yet. */
  readonly costsInUse: CostColumns | null;
  readonly rules: ReadRules | null;
  /**
   * The value of an ROI of 100 %: 1 once the service's unit is known, because figures are then
   * fractions.
   */
  readonly roiScale: 1 | null;
}

/** What the Analysis tab has about a row. */
export type KnownFigures = Pick<AnalysisRow, 'status' | 'analyzedMs'> & {
  readonly figures: Figures;
};

/** A row with content in the product column. */
export interface ListRow {
  readonly row: number;
  /** The text of the product cell, shortened. */
  readonly shown: string;
  /** null: the cell names none. */
  readonly product: Product | null;
  /** Why it names none. */
  readonly problem?: string;
  /** Cells by the keys of `ReadList`. */
  readonly cells: readonly ListCell[];
  readonly known?: KnownFigures;
}

export type RowKey = 'name' | CostKey | DecisionRole;

export interface ReadList {
  readonly look: ListInspection;
  readonly costs: CostColumns;
  readonly keys: readonly RowKey[];
  readonly rows: readonly ListRow[];
  /** While the cost is unclear: the cells of the first product's row, as an example. */
  readonly example: readonly ListCell[];
  /** The first and last selected row; null: another sheet is active. */
  readonly selected: readonly [number, number] | null;
}

/** The active sheet has no list that was analyzed. */
export interface NoList {
  readonly look: null;
  /** Whether it has products all the same. */
  readonly hasProducts: boolean;
}

/** The list may be on any sheet. */
export function listById({ sheetId, listId }: ListId): MarkedList | Failure {
  const sheet = sheetById(sheetId);
  const list = sheet && markedLists(sheet).find(({ id }) => id === listId);
  return list ?? runProblem('sheet-gone');
}

/** Of several lists in the active sheet, the one whose products stand at the left of the selection. */
function listInView(): MarkedList | null {
  const lists = markedLists(activeSheet()).filter(({ groups }) => groups.length > 0);
  const [area] = selectedAreas();
  const left = lists.filter(({ productColumn }) => productColumn <= (area?.column ?? 1));
  return left[left.length - 1] ?? lists[0] ?? null;
}

/** Enough rows to see whether a sheet has products. */
const SAMPLE_ROWS = 200;

function hasProducts(sheet: Sheet): boolean {
  const size = sheet.size();
  if (size === null || size.lastRow === 0) return false;
  const rowCount = Math.min(SAMPLE_ROWS, size.lastRow);
  const area = areaOf(1, 1, rowCount, size.lastColumn);
  const found = findColumns(sheet.values(area) ?? []);
  return found !== null && 'productColumn' in found;
}

/** The titles of a list's sheet by column, from the first one on. */
export function titlesIn({ sheet, headerRow }: Pick<MarkedList, 'sheet' | 'headerRow'>) {
  const columnCount = Math.max(1, sheet.size()?.lastColumn ?? 0);
  const [titles = []] = sheet.values(areaOf(headerRow, 1, 1, columnCount)) ?? [];
  return titles.map(titleOf);
}

/** The columns that we fill in a sheet, whichever list they belong to. */
function filledColumns(sheet: Sheet): ReadonlySet<number> {
  const lookups = (readMarks(sheet) ?? []).filter(({ mark }) => 'defaultMarket' in mark);
  return new Set([...lookups.map(({ at }) => at), ...decidedColumns(sheet)]);
}

function inspect(
  list: MarkedList,
  { market, columns }: LookupGroup,
): Omit<ListInspection, 'rows' | 'roiScale'> {
  const { sheet, id, headerRow, productColumn, marketColumn, groups } = list;
  const titles = titlesIn(list);
  const marks = decisionMarks(sheet, id);
  const at = (column: number): ListColumn => ({
    ...{ column, letter: columnLetters(column), title: titles[column - 1] ?? '' },
  });
  const ours = filledColumns(sheet);
  const isOwn = (column: number) =>
    !ours.has(column) && column !== productColumn && column !== marketColumn;
  const decisions = DECISION_ROLES.flatMap((role) => {
    const column = decisionColumn(marks, role, market) ?? decisionColumn(marks, role, 'both');
    return column === undefined ? [] : [[role, at(column)] as const];
  });
  const costs = COST_KEYS.flatMap((key) => {
    const column = costColumn(marks, key);
    return column === undefined ? [] : [[key, at(column)] as const];
  });
  return {
    ...{ sheet: { id: sheet.id, name: sheet.name() ?? '' }, listId: id },
    ...{ headerRow, productColumn, marketColumn, market },
    markets: groups.map((group) => group.market),
    columns: titles.flatMap((title, place) =>
      title !== '' && isOwn(place + 1) ? [at(place + 1)] : [],
    ),
    figures: [...columns].map(([key, column]) => ({ ...at(column), key })),
    decisions: Object.fromEntries(decisions),
    costsInUse: marks.decisions.length === 0 ? null : Object.fromEntries(costs),
    rules: rulesTab(),
  };
}

/** @param readTab reads the Analysis tab, where a row needs it. */
export function readDeals(
  { list: wanted, market, cost, hasFigures }: Shown,
  roiScale: 1 | null,
  readTab: () => KnownRows | Failure,
): ReadList | NoList | Failure {
  const list = wanted === null ? listInView() : listById(wanted);
  if (isFailure(list)) return list;
  const [first] = list?.groups ?? [];
  if (list === null || first === undefined)
    return { look: null, hasProducts: hasProducts(activeSheet()) };
  const group = list.groups.find((one) => one.market === market) ?? first;
  const found = productRows(list, group, hasFigures, readTab);
  if (isFailure(found)) return found;
  const seen = inspect(list, group);
  const look = { ...seen, rows: found.length, roiScale };
  const chosen = cost?.sheetId === look.sheet.id ? cost : null;
  const costs = costColumnsOf(look, costInUse(look, chosen));
  const asked = askedColumns(look, costs);
  const cellsOf = cellReader(
    list,
    asked.map(([, column]) => column),
  );
  const [area] = selectedAreas();
  const firstRow = costs.cost === undefined ? found[0]?.row : undefined;
  return {
    ...{ look, costs, keys: asked.map(([key]) => key) },
    example: firstRow === undefined ? [] : cellsOfRow(list, firstRow),
    selected: area ? [area.row, area.row + area.rowCount - 1] : null,
    rows: found.map((one) => rowOf(one, cellsOf(one.row), hasFigures)),
  };
}

/** Rows with content in the product column. Barcodes need the Analysis tab, and so do figures. */
function productRows(
  { sheet, headerRow, productColumn, marketColumn }: MarkedList,
  { market, defaultMarket }: LookupGroup,
  hasFigures: boolean,
  readTab: () => KnownRows | Failure,
): readonly ReadRow[] | Failure {
  const size = sheet.size();
  if (size === null) return runProblem('sheet-gone');
  const place = { headerRow, productColumn, marketColumn, market, defaultMarket };
  const read = (known: KnownRows) =>
    readRows(sheet, size, place, known)?.filter(({ content }) => content.kind !== 'blank');
  const plain = read(new Map());
  const isUnread = plain?.some(({ content }) => content.kind === 'unreadable') === true;
  const known = hasFigures || isUnread ? readTab() : null;
  if (isFailure(known)) return known;
  return (known === null ? plain : read(known)) ?? runProblem('sheet-gone');
}

/** The columns whose cells the page gets, with their meanings. */
function askedColumns(
  look: Pick<ListInspection, 'columns' | 'decisions'>,
  costs: CostColumns,
): readonly (readonly [RowKey, number])[] {
  const asked: readonly (readonly [RowKey, number | undefined])[] = [
    ['name', nameColumnOf(look)],
    ...COST_KEYS.map((key) => [key, costs[key]?.column] as const),
    ...DECISION_ROLES.map((role) => [role, look.decisions[role]?.column] as const),
  ];
  return asked.flatMap(([key, column]) => (column === undefined ? [] : [[key, column] as const]));
}

function cellsOfRow({ sheet }: MarkedList, row: number): readonly ListCell[] {
  const columnCount = Math.max(1, sheet.size()?.lastColumn ?? 1);
  return (sheet.values(areaOf(row, 1, 1, columnCount))?.[0] ?? []).map(cellShown);
}

/** Reads these columns at once; a list has a few dozen at most. */
function cellReader({ sheet, headerRow }: MarkedList, columns: readonly number[]) {
  const rowCount = (sheet.size()?.lastRow ?? 0) - headerRow;
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  const area = areaOf(headerRow + 1, left, rowCount, right - left + 1);
  const cells = rowCount > 0 && columns.length > 0 ? (sheet.values(area) ?? []) : [];
  return (row: number) =>
    columns.map((column) => cellShown(cells[row - headerRow - 1]?.[column - left]));
}

function rowOf(found: ReadRow, cells: readonly ListCell[], hasFigures: boolean): ListRow {
  const { row, shown, content, known } = found;
  return {
    ...{ row, shown, product: productOf(found), cells },
    ...(content.kind === 'unreadable' ? { problem: sentences(content.failure).message } : {}),
    ...(hasFigures && known !== undefined
      ? { known: { figures: known.figures, status: known.status, analyzedMs: known.analyzedMs } }
      : {}),
  };
}

function cellShown(cell: SheetCell = ''): ListCell {
  if (typeof cell === 'object') return cell.toISOString();
  return cell === '' ? null : cell;
}

/** The named cell that identifies the tab of the rules. */
const RULES_CELL = 'DEAL_PROFILE';

/** The names of rules, exchange rates and what follows from them. */
const NAMED_CELLS = /^(BUY|MAYBE|DEAL|FX|ROI)_/;

function rulesTab(): ReadRules | null {
  const sheet = namedCell(RULES_CELL)?.sheet;
  if (sheet === undefined) return null;
  const { lastRow: rowCount = 0, lastColumn: columnCount = 0 } = sheet.size() ?? {};
  const cells = rowCount > 0 ? sheet.values(areaOf(1, 1, rowCount, columnCount)) : null;
  return (
    cells && {
      ...{ sheetId: sheet.id, name: sheet.name() ?? '', rows: namedRows(NAMED_CELLS) },
      cells: cells.map((row) => row.map(cellShown)),
    }
  );
}

/** Where a decision stands; a failure says that it no longer does. */
function placedDecision(
  place: ListId,
  market: GroupMarket,
  role: DecisionRole,
): { readonly list: MarkedList; readonly column: number } | Failure {
  const list = listById(place);
  if (isFailure(list)) return list;
  const column = decisionColumn(decisionMarks(list.sheet, list.id), role, market);
  return column === undefined ? runProblem('look-again', decisionTitle(role)) : { list, column };
}

/** The rows of a list, from the first with a product to the last. */
function extentOf(list: MarkedList): { readonly first: number; readonly last: number } {
  const { sheet, headerRow, productColumn } = list;
  const size = sheet.size();
  const rowCount = (size?.lastRow ?? 0) - headerRow;
  const area = areaOf(headerRow + 1, productColumn, rowCount);
  const cells = rowCount > 0 ? (sheet.values(area) ?? []) : [];
  const isFilled = cells.map(([cell = '']) => cell !== '');
  const [first, last] = [isFilled.indexOf(true), isFilled.lastIndexOf(true)];
  return { first: headerRow + 1 + Math.max(0, first), last: headerRow + 1 + last };
}

/** @param only the text to show; null: all rows are shown again as far as other filters allow. */
export function filterList(
  place: ListId,
  market: GroupMarket,
  only: string | null,
): Failure | null {
  const found = placedDecision(place, market, 'verdict');
  if (isFailure(found)) return found;
  const { sheet, headerRow } = found.list;
  const { last } = extentOf(found.list);
  const columnCount = sheet.size()?.lastColumn ?? 1;
  const area = areaOf(headerRow, 1, last - headerRow + 1, columnCount);
  return refusalOf(filterRows(sheet, area, found.column, only));
}

/** @param readTab reads the Analysis tab, where a row needs it. */
export function sortByRoi(
  place: ListId,
  market: GroupMarket,
  readTab: () => KnownRows | Failure,
): Failure | null {
  const found = placedDecision(place, market, 'myRoi');
  if (isFailure(found)) return found;
  const { list, column } = found;
  const group = list.groups.find((one) => one.market === market);
  if (group === undefined) return runProblem('look-again', decisionTitle('myRoi'));
  const rows = productRows(list, group, false, readTab);
  if (isFailure(rows)) return rows;
  return sortList(list.sheet, {
    ...{ rows, column, ours: filledColumns(list.sheet) },
  });
}
