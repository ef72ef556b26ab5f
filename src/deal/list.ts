// A list with its columns, costs, rules and offers, read once for decisions, the summary, the shopping
// list and the page.

import * as z from 'zod/mini';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import {
  areaOf,
  cellTextSchema,
  columnLetters,
  type SheetCell,
  sheetIdSchema,
} from '../google/cells';
import { activeSheet, selectedAreas } from '../google/spreadsheet';
import { isSameTitle, type Rebound, reboundIn } from '../list/bound-titles';
import { most } from '../list/column-values';
import {
  type ColumnsMeant,
  type CostColumns,
  type CostMeant,
  type CostQuestion,
  type ListColumn,
  NO_COLUMN,
  PACK_USES,
  type PackUse,
} from '../list/cost-choice';
import {
  costsToChoose,
  hasCosts,
  nameColumnsIn,
  type OfferColumns,
  offerColumns,
} from '../list/cost-columns';
import {
  type Binding,
  filledColumns,
  formulaColumn,
  type GroupMarket,
  type LookupGroup,
  listsAmong,
  type MarkedList,
  markedList,
  markedLists,
  marketsIn,
  readMarks,
} from '../list/marked-list';
import { type KnownRows, type ListRow, readRows, shownOf } from '../list/rows';
import { readAsin } from '../product/asin';
import { titleOf } from '../product/cell-text';
import { COST_KEYS, QUANTITY_READINGS, type QuantityReading, RATE_READINGS } from '../product/cost';
import type { DecisionRole } from '../product/deal-formulas';
import { USUAL } from '../product/deal-rules';
import { FIELDS, type Field, PRODUCT_TITLE } from '../product/fields';
import {
  BASE_CURRENCY,
  type Currency,
  MARKETS,
  type Market,
  marketRow,
  VAT_MARKETS,
  type VatMarket,
} from '../product/market';
import { type CostTerms, paidIn } from '../product/offer-costs';
import { TITLES_OK } from '../product/own-row';
import { vatGaps } from '../product/vat';
import { type Fits, lazySchema } from '../schema/stored-record';
import { type CellOf, inPacks, type Offer, offerIn, summaryOf } from './offers';
import { type DealRules, readRules } from './rules';

/** A list as metadata names it. */
export const listIdSchema = lazySchema(() =>
  z.strictObject({ sheetId: sheetIdSchema(), listId: cellTextSchema() }),
);

export type ListId = Fits<typeof listIdSchema>;

/** What a person chose of the columns of a sheet, by their titles because they may move. */
export const chosenCostSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    /** Of the cost; left out: what the titles say. */
    title: z.exactOptional(cellTextSchema()),
    /** Where it was, for one of several with that title. */
    column: z.exactOptional(z.int()),
    pack: z.exactOptional(z.literal(PACK_USES)),
    /** Of the pack size that `pack` is about. */
    packTitle: z.exactOptional(cellTextSchema()),
    /** Of other roles; `NO_COLUMN`: none of the list's. */
    others: z.exactOptional(z.partialRecord(z.literal(COST_KEYS), cellTextSchema())),
    /** How discounts are read. */
    discountAs: z.exactOptional(z.literal(RATE_READINGS)),
    /** What a quantity counts. */
    quantityAs: z.exactOptional(z.literal(QUANTITY_READINGS)),
  }),
);

export type ChosenCost = Fits<typeof chosenCostSchema>;

/** What a person has chosen about a list. */
export const selectionSchema = lazySchema(() =>
  z.strictObject({
    /** null: the list of the active sheet. */
    list: z.nullable(listIdSchema()),
    /** Which market to show of a list that has both; null: the first one. */
    market: z.nullable(z.union([z.literal('column'), z.literal(MARKETS)])),
    cost: z.nullable(chosenCostSchema()),
  }),
);

export type ListSelection = Fits<typeof selectionSchema>;

/** What the page knows of a list. */
export interface ListLook {
  readonly sheet: { readonly id: number; readonly name: string };
  readonly listId: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
  /** The market of the figures and decisions below, and all that the list has. */
  readonly market: GroupMarket;
  readonly markets: readonly GroupMarket[];
  /** Whether `market` is one of two, so that costs are in one currency of two. */
  readonly isOfBoth: boolean;
  /** The person's own columns that have a header, but those of products and markets. */
  readonly columns: readonly ListColumn[];
  /** The figures that stand beside the list. */
  readonly fields: readonly Field[];
  readonly rules: DealRules | null;
}

export interface DealList {
  readonly list: MarkedList;
  readonly group: LookupGroup;
  readonly look: ListLook;
  /** The titles of its sheet, from column A on. */
  readonly titles: readonly string[];
  /** Those of `look.columns` that belong to this list of several in a sheet. */
  readonly ownColumns: readonly ListColumn[];
  /** The columns that decisions read, or would. */
  readonly costs: CostColumns;
  readonly packUse: PackUse | undefined;
  readonly quantityAs: QuantityReading;
  /** What may be the cost, with each thing that the titles may mean. */
  readonly choices: readonly CostMeant[];
  /** What has to be said before rows are decided. */
  readonly questions: readonly CostQuestion[];
  /** Columns that a seller would count with and that nothing here does. */
  readonly unused: readonly ListColumn[];
  /** Columns whose titles say what a person says is nothing of the list's. */
  readonly ignored: readonly ListColumn[];
  /** Columns of a person's that have other titles than when they were bound. */
  readonly rebound: readonly Rebound[];
  readonly terms: CostTerms;
}

/** The list may be on any sheet. */
export const listById = (place: ListId): MarkedList | Failure =>
  markedList(place) ?? runProblem('sheet-gone');

/**
 * Of several lists in the active sheet, the one whose column of ours is selected, else the one whose
 * products stand at the left of the selection.
 */
function listInView(): MarkedList | null {
  const lists = markedLists(activeSheet()).filter(({ groups }) => groups.length > 0);
  const column = selectedAreas()[0]?.column ?? 1;
  const own = lists.find((list) => columnsOfOurs(list).includes(column));
  const left = lists.filter(({ productColumn }) => productColumn <= column);
  return own ?? left[left.length - 1] ?? lists[0] ?? null;
}

const columnsOfOurs = ({ groups, formulas }: MarkedList): readonly number[] => [
  ...groups.flatMap(({ columns }) => [...columns.values()]),
  ...formulas.map(({ at }) => at),
];

type SheetCells = readonly (readonly SheetCell[])[];

/** The titles of a list's sheet by column, from the first one on, and cells below them. */
function sampleOf({ sheet, headerRow }: MarkedList): readonly [readonly string[], SheetCells] {
  const rowCount = Math.max(1, (sheet.lastRow() ?? 0) - headerRow + 1);
  const columnCount = Math.max(1, sheet.lastColumn() ?? 0);
  const area = areaOf(headerRow, 1, Math.min(rowCount, SAMPLE_ROWS + 1), columnCount);
  const [titles = [], ...cells] = sheet.values(area) ?? [];
  return [titles.map(titleOf), cells];
}

/** null: the active sheet has no list that was analyzed. */
export function openList({ list: wanted, market, cost }: ListSelection): DealList | null | Failure {
  const list = wanted === null ? listInView() : listById(wanted);
  if (isFailure(list)) return list;
  const [first] = list?.groups ?? [];
  if (list === null || first === undefined) return null;
  const { sheet, id, headerRow, productColumn, marketColumn, groups } = list;
  const group = groups.find((one) => one.market === market) ?? first;
  const marks = readMarks(sheet) ?? [];
  const ours = filledColumns(marks);
  const [titles, cells] = sampleOf(list);
  const rebound = reboundIn(list, titles);
  const all = titles.map(
    (title, at): ListColumn => ({ column: at + 1, letter: columnLetters(at + 1), title }),
  );
  const columns = all.filter(
    ({ column, title }) =>
      title !== '' && !ours.has(column) && column !== productColumn && column !== marketColumn,
  );
  const markets = groups.map((one) => one.market);
  const look: ListLook = {
    sheet: { id: sheet.id, name: sheet.name() ?? '' },
    listId: id,
    headerRow,
    productColumn,
    marketColumn,
    market: group.market,
    markets,
    columns,
    isOfBoth: group.market !== 'column' && marketsIn(list).length > 1,
    rules: readRules(),
    fields: FIELDS.filter((field) => group.columns.has(field)),
  };
  const own = ownOf(list, look, cells, columnsOf(look, listsAmong(sheet, marks)));
  const bound = list.bindings.filter(({ column }) => !rebound.some((one) => one.column === column));
  const inUse = boundColumns(bound, all);
  const isDecided = formulaColumn(list, 'verdict', group.market) !== undefined;
  const said = saidOf(look, cost);
  // Who chooses again means another column than the one that is bound.
  const meant = said.cost ?? inUse.cost;
  const isOfOther = meant !== undefined && !own.columns.some(isSame(meant.column));
  const read = isOfOther ? ownOf(list, look, cells, look.columns) : own;
  const others = { ...inUse.others, ...said.others };
  const offer = offerColumns(read, meant, others, {
    discountAs: said.discountAs ?? inUse.discountAs,
    quantityAs: said.quantityAs ?? inUse.quantityAs,
  });
  // What was open when the list was decided has been answered.
  const isAnswered =
    isDecided && rebound.length === 0 && said.cost === undefined && offer.costs.cost !== undefined;
  return {
    ...{ list, group, look, titles, rebound },
    ...{ costs: offer.costs, packUse: offer.packUse, quantityAs: offer.quantityAs },
    ...{ unused: offer.unused, ignored: offer.ignored },
    ownColumns: own.columns,
    choices: costsToChoose(read),
    questions: isAnswered ? [] : offer.questions,
    terms: termsOf(look, offer),
  };
}

const isSame = (one: ListColumn) => (other: ListColumn) => one.column === other.column;

/** Rows below the titles that are read to confirm them. */
const SAMPLE_ROWS = 200;

/** The columns with the cells below their titles. */
function ownOf(
  { sheet, headerRow, ignored }: MarkedList,
  look: ListLook,
  cells: SheetCells,
  columns: readonly ListColumn[],
) {
  const valuesIn = (column: number) => cells.map((row) => row[column - 1] ?? '');
  const { market, isOfBoth, rules } = look;
  const isOfAsins = most(valuesIn(look.productColumn), (cell) => !isFailure(readAsin(cell)));
  const inTab = rules?.profiles.find(({ name }) => name === rules.profile)?.values;
  return {
    ...{ market, isOfBoth },
    ...(isOfAsins === true && { products: PRODUCT_TITLE }),
    hasCaseSize: typeof inTab?.pack === 'number',
    ignored: ignored.flatMap(({ column, title }) =>
      columns.some((one) => one.column === column && isSameTitle(one.title, title)) ? [column] : [],
    ),
    columns: columns.map((one) => ({
      ...one,
      values: valuesIn(one.column),
      arePercent: () =>
        (sheet.formats(areaOf(headerRow + 1, one.column, Math.max(1, cells.length))) ?? []).map(
          ([format = '']) => format.includes('%'),
        ),
    })),
  };
}

/** What columns are bound as. */
function boundColumns(bindings: readonly Binding[], all: readonly ListColumn[]) {
  const boundAs = (role: Binding['role']) => {
    const one = bindings.find((binding) => binding.role === role);
    return { column: all[(one?.column ?? 0) - 1], as: one?.as };
  };
  const { column, as } = boundAs('cost');
  const pack = PACK_USES.find((one) => one === as);
  const packColumn = pack && boundAs(pack === 'divides' ? 'pack' : 'multipack').column;
  const others = COST_KEYS.flatMap((role) => {
    const { column: other } = boundAs(role);
    return other === undefined || role === 'cost' || role === 'pack' ? [] : [[role, other]];
  });
  return {
    cost: column && {
      ...{ column, pack, isInUse: true as const },
      packColumn: pack === 'ignored' ? undefined : packColumn,
    },
    others: Object.fromEntries(others) as ColumnsMeant,
    discountAs: RATE_READINGS.find((one) => one === boundAs('discount').as),
    quantityAs: QUANTITY_READINGS.find((one) => one === boundAs('quantity').as),
  };
}

/**
 * The columns from a list's products to those of the next list at its right. If no cost is among
 * them, the lists share all columns of the sheet.
 */
function columnsOf(look: ListLook, lists: readonly MarkedList[]): readonly ListColumn[] {
  const others = lists.map((one) => one.productColumn);
  const isFirst = Math.min(...others) === look.productColumn;
  const next = Math.min(...others.filter((one) => one > look.productColumn));
  const columns = look.columns.filter(
    ({ column }) => column < next && (isFirst || column > look.productColumn),
  );
  return hasCosts({ ...look, columns }) ? columns : look.columns;
}

/** What a person has said about this sheet's columns, as far as they are there. */
function saidOf({ sheet, columns }: ListLook, chosen: ChosenCost | null) {
  if (chosen === null || chosen.sheetId !== sheet.id) return { others: {} };
  const titled = (title: string | undefined) => columns.find((one) => one.title === title);
  const { title, pack, packTitle, others = {} } = chosen;
  const isChosen = (one: ListColumn) => one.title === title && one.column === chosen.column;
  const column = columns.find(isChosen) ?? titled(title);
  const said = Object.entries(others).flatMap(([role, own]) => {
    const one = own === NO_COLUMN ? null : titled(own);
    return one === undefined ? [] : [[role, one]];
  });
  return {
    cost: column && { column, pack, packColumn: titled(packTitle) },
    others: Object.fromEntries(said) as ColumnsMeant,
    discountAs: chosen.discountAs,
    quantityAs: chosen.quantityAs,
  };
}

/** What decides on all rows. Without the tab, the usual rules do. */
function termsOf(
  look: ListLook,
  { side, caseSize, included, discountAs }: OfferColumns,
): CostTerms {
  const { rules, market, isOfBoth } = look;
  return {
    inUse: rules?.inUse ?? USUAL,
    currency: isOfBoth ? (rules?.currency ?? null) : undefined,
    rate: isOfBoth && market !== 'column' ? rateInto(market, rules) : 1,
    ...{ side, caseSize, included, discountAs },
  };
}

/** What converts costs to the market's currency; null: the rules do not say. */
function rateInto(market: Market, rules: DealRules | null): number | null {
  const { currency, rates } = rules ?? {};
  if (!currency || !rates) return null;
  if (currency === marketRow(market).currency) return 1;
  const inBase = (one: Currency) => (one === BASE_CURRENCY ? 1 : rates[one]);
  const [given, wanted] = [inBase(currency), inBase(marketRow(market).currency)];
  return given && wanted ? given / wanted : null;
}

/** The column of a decision, for the market that the list was opened for; undefined: it has none. */
export const placeOf = ({ list, group }: DealList, role: DecisionRole): number | undefined =>
  formulaColumn(list, role, group.market) ?? formulaColumn(list, role, 'both');

/** Reads the Analysis tab. */
export type ReadTab = () => KnownRows | Failure;

/** Rows with content in the product column. Barcodes need the Analysis tab, and so do figures. */
export function productRows(
  { list, group }: DealList,
  hasFigures: boolean,
  readTab: ReadTab,
): readonly ListRow[] | Failure {
  const { market } = group;
  const read = (known: KnownRows) =>
    readRows({ ...list, market }, known)?.filter(({ content }) => content.kind !== 'blank');
  const plain = hasFigures ? null : read(new Map());
  const isUnread = plain?.some(({ content }) => content.kind === 'unreadable') === true;
  if (!hasFigures && !isUnread) return plain ?? runProblem('sheet-gone');
  const known = readTab();
  return isFailure(known) ? known : (read(known) ?? runProblem('sheet-gone'));
}

/** The decisions that offers repeat. */
const SHOWN = ['verdict', 'why', 'myProfit', 'myRoi', 'maxBuy', 'landedCost'] as const;

/** An offer with its row as it is, from column A on. */
interface OfferRow {
  readonly offer: Offer;
  readonly cells: readonly SheetCell[];
}

/** @param hasFigures whether offers have the figures of the Analysis tab; else they have none. */
function offerRows(
  deal: DealList,
  readTab: ReadTab,
  hasFigures: boolean,
  roiIsFraction: boolean,
): readonly OfferRow[] | Failure {
  const { list, ownColumns, costs, terms } = deal;
  const { sheet, headerRow } = list;
  const all = productRows(deal, hasFigures, readTab);
  if (isFailure(all)) return all;
  const rows = all.filter(({ isLeftOut }) => !isLeftOut);
  const { lastRow = 0, lastColumn = 0 } = sheet.size() ?? {};
  const rowCount = lastRow - headerRow;
  const cells = rowCount > 0 ? sheet.values(areaOf(headerRow + 1, 1, rowCount, lastColumn)) : [];
  const cellsIn = ({ row }: ListRow) => cells?.[row - headerRow - 1] ?? [];
  // A product must not get the cells of another row.
  const isMoved = (row: ListRow) => shownOf(cellsIn(row)[list.productColumn - 1]) !== row.shown;
  const moved = rows.find(isMoved);
  if (moved !== undefined) return runProblem('look-again', moved.shown);
  const columns: Readonly<Record<string, number | undefined>> = {
    ...Object.fromEntries(SHOWN.map((role) => [role, placeOf(deal, role)])),
    ...Object.fromEntries(Object.entries(costs).map(([key, { column }]) => [key, column])),
    ...nameColumnsIn(ownColumns),
  };
  return rows.map((row) => {
    const own = cellsIn(row);
    const cellOf: CellOf = (key) => {
      const column = columns[key];
      return column === undefined ? undefined : (own[column - 1] ?? '');
    };
    const offer = offerIn(row, cellOf, terms, roiIsFraction);
    return { offer: deal.quantityAs === 'units' ? inPacks(offer) : offer, cells: own };
  });
}

const withoutCells = ({ offer }: OfferRow): Offer => offer;

export function offersOf(deal: DealList, readTab: ReadTab): readonly Offer[] | Failure {
  const rows = offerRows(deal, readTab, false, false);
  return isFailure(rows) ? rows : rows.map(withoutCells);
}

/** A column that decisions read and that may be another one by now. */
export interface ChangedColumn {
  readonly role: Binding['role'];
  /** "C" */
  readonly letter: string;
  /** Its title when it was bound, and now. */
  readonly was: string;
  readonly now: string;
  /** Whether another column has that title by now. */
  readonly isElsewhere: boolean;
}

function changedIn(deal: DealList): readonly ChangedColumn[] | null {
  const { list, group, rebound, titles } = deal;
  const helper = group.columns.get('helper');
  if (helper === undefined || placeOf(deal, 'verdict') === undefined) return null;
  const guard = list.sheet.values(areaOf(list.headerRow, helper))?.[0]?.[0];
  if (guard === TITLES_OK) return null;
  return rebound.map(({ role, column, title, now }) => ({
    role,
    letter: columnLetters(column),
    was: title,
    now,
    isElsewhere: titles.some((other, at) => other === title && at !== column - 1),
  }));
}

/** A product to work out line by line. */
export interface Sample {
  readonly offer: Offer;
  /** Its row, from column A on; a date is blank. */
  readonly cells: readonly (string | number | boolean)[];
}

/** What is shown of a list: what it comes to, products line by line as well, or each of its offers. */
export const LIST_SHOWS = ['totals', 'sum', 'offers'] as const;

/** A list as the page shows it. */
export interface ShownList {
  readonly look: ListLook;
  readonly costs: CostColumns;
  readonly packUse: PackUse | undefined;
  readonly choices: readonly CostMeant[];
  /** What else has to be said before rows are decided. */
  readonly open: readonly CostQuestion[];
  readonly unused: readonly ListColumn[];
  /** What is the same for all offers. */
  readonly terms: CostTerms;
  /**
   * Why decisions say *Check columns*: the columns with other titles than when they were bound; none:
   * one of ours was changed; null: they do not.
   */
  readonly changed: readonly ChangedColumn[] | null;
  /** null: the list has no decisions yet. */
  readonly summary: ReturnType<typeof summaryOf> | null;
  /** Products to work out line by line, where something is to be decided or asked; else none. */
  readonly samples: readonly Sample[];
  /** For cards; else none. */
  readonly offers: readonly Offer[];
  /** The first and last selected row; null: another sheet is active. */
  readonly selected: readonly [number, number] | null;
}

/** The active sheet has no list that was analyzed. */
export interface NoList {
  readonly look: null;
}

export function showList(
  selection: ListSelection,
  shows: (typeof LIST_SHOWS)[number],
  roiIsFraction: boolean,
  readTab: ReadTab,
): ShownList | NoList | Failure {
  const deal = openList(selection);
  if (isFailure(deal)) return deal;
  if (deal === null) return { look: null };
  const { look, costs, terms } = deal;
  const isDecided = placeOf(deal, 'verdict') !== undefined;
  const open = VAT_MARKETS.filter((one) => areRowsOf(look, one) && hasVatGaps(terms, one));
  const isOpen = open.length > 0 || terms.currency === null;
  const isSum = shows === 'sum' || (shows === 'totals' && (!isDecided || isOpen));
  const rows = offerRows(deal, readTab, isSum || shows === 'offers', roiIsFraction);
  if (isFailure(rows)) return rows;
  const offers = rows.map(withoutCells);
  const [area] = selectedAreas();
  return {
    look,
    costs,
    packUse: deal.packUse,
    choices: deal.choices,
    open: deal.questions,
    unused: deal.unused,
    terms,
    changed: changedIn(deal),
    summary: isDecided ? summaryOf(offers) : null,
    samples: isSum ? samplesOf(rows, open) : [],
    offers: shows === 'offers' ? offers : [],
    selected: area ? [area.row, area.row + area.rowCount - 1] : null,
  };
}

/** Whether rows may be of the market. */
const areRowsOf = ({ markets }: ListLook, market: Market): boolean =>
  markets.some((one) => one === market || one === 'column');

/** Whether anything has to be said before offers on the market are decided. */
const hasVatGaps = (terms: CostTerms, market: VatMarket): boolean => {
  const taxed = { sale: market, costs: paidIn(terms, market) };
  return vatGaps((key) => terms.inUse[key], taxed, terms.side).length > 0;
};

const SAMPLES_MAX = 20;

/** The first products, those of which something is asked and those of which most is known before others. */
function samplesOf(rows: readonly OfferRow[], open: readonly Market[]): readonly Sample[] {
  const rank = ({ offer: { product, figures, costs } }: OfferRow): number =>
    (product !== null && open.includes(product.market) ? 4 : 0) +
    (figures.sell_price !== null && figures.fees !== null ? 2 : 0) +
    (typeof costs.cost === 'number' ? 1 : 0);
  return rows
    .filter(({ offer }) => offer.product !== null)
    .sort((one, other) => rank(other) - rank(one))
    .slice(0, SAMPLES_MAX)
    .map(({ offer, cells }) => ({
      offer,
      cells: cells.map((cell) => (typeof cell === 'object' ? '' : cell)),
    }));
}
