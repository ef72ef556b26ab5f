// A list with its columns, costs and rules, opened once for decisions, the summary, the shopping list and
// the page.

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
import { hasCosts } from '../list/cost-columns';
import { costsToChoose, type OfferColumns, offerColumns } from '../list/offer-columns';
import {
  type Binding,
  filledColumns,
  formulaColumn,
  listsAmong,
  type MarketBlock,
  type MarketSource,
  marketsIn,
  readTags,
  type TaggedList,
  taggedList,
  taggedLists,
} from '../list/tagged-list';
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
} from '../product/market';
import type { CostTerms } from '../product/offer-costs';
import { type Fits, lazySchema } from '../schema/stored-record';
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
export interface ListView {
  readonly sheet: { readonly id: number; readonly name: string };
  readonly listId: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
  /** The market of the figures and decisions below, and all that the list has. */
  readonly market: MarketSource;
  readonly markets: readonly MarketSource[];
  /** Whether `market` is one of two, so that costs are in one currency of two. */
  readonly isOfBoth: boolean;
  /** The person's own columns that have a header, without products and markets. */
  readonly columns: readonly ListColumn[];
  /** The figures that stand beside the list. */
  readonly fields: readonly Field[];
  readonly rules: DealRules | null;
}

export interface DealList {
  readonly list: TaggedList;
  readonly block: MarketBlock;
  readonly view: ListView;
  /** The titles of its sheet, from column A on. */
  readonly titles: readonly string[];
  /** Those of `view.columns` that belong to this list of several in a sheet. */
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
export const listById = (listId: ListId): TaggedList | Failure =>
  taggedList(listId) ?? runProblem('sheet-gone');

/**
 * Of several lists in the active sheet, the one whose column of ours is selected, else the one whose
 * products stand at the left of the selection.
 */
function listInView(): TaggedList | null {
  const lists = taggedLists(activeSheet()).filter(({ blocks }) => blocks.length > 0);
  const column = selectedAreas()[0]?.column ?? 1;
  const own = lists.find((list) => columnsOfOurs(list).includes(column));
  const left = lists.filter(({ productColumn }) => productColumn <= column);
  return own ?? left[left.length - 1] ?? lists[0] ?? null;
}

const columnsOfOurs = ({ blocks, formulas }: TaggedList): readonly number[] => [
  ...blocks.flatMap(({ columns }) => [...columns.values()]),
  ...formulas.map(({ at }) => at),
];

type SheetCells = readonly (readonly SheetCell[])[];

/** The titles of a list's sheet by column, from the first one on, and cells below them. */
function sampleOf({ sheet, headerRow }: TaggedList): readonly [readonly string[], SheetCells] {
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
  const [first] = list?.blocks ?? [];
  if (list === null || first === undefined) return null;
  const { sheet, id, headerRow, productColumn, marketColumn, blocks } = list;
  const block = blocks.find((candidate) => candidate.market === market) ?? first;
  const tags = readTags(sheet) ?? [];
  const ours = filledColumns(tags);
  const [titles, cells] = sampleOf(list);
  const rebound = reboundIn(list, titles);
  const all = titles.map(
    (title, at): ListColumn => ({ column: at + 1, letter: columnLetters(at + 1), title }),
  );
  const columns = all.filter(
    ({ column, title }) =>
      title !== '' && !ours.has(column) && column !== productColumn && column !== marketColumn,
  );
  const markets = blocks.map((shown) => shown.market);
  const view: ListView = {
    sheet: { id: sheet.id, name: sheet.name() ?? '' },
    listId: id,
    headerRow,
    productColumn,
    marketColumn,
    market: block.market,
    markets,
    columns,
    isOfBoth: block.market !== 'column' && marketsIn(list).length > 1,
    rules: readRules(),
    fields: FIELDS.filter((field) => block.columns.has(field)),
  };
  const own = ownOf(list, view, cells, columnsOf(view, listsAmong(sheet, tags)));
  const bound = list.bindings.filter(
    ({ column }) => !rebound.some((changed) => changed.column === column),
  );
  const inUse = boundColumns(bound, all);
  const isDecided = formulaColumn(list, 'verdict', block.market) !== undefined;
  const said = saidOf(view, cost);
  // Who chooses again means another column than the one that is bound.
  const meant = said.cost ?? inUse.cost;
  const isOfOther = meant !== undefined && !own.columns.some(isSame(meant.column));
  const read = isOfOther ? ownOf(list, view, cells, view.columns) : own;
  const others = { ...inUse.others, ...said.others };
  const offer = offerColumns(read, meant, others, {
    discountAs: said.discountAs ?? inUse.discountAs,
    quantityAs: said.quantityAs ?? inUse.quantityAs,
  });
  // What was open when the list was decided has been answered.
  const isAnswered =
    isDecided && rebound.length === 0 && said.cost === undefined && offer.costs.cost !== undefined;
  return {
    ...{ list, block, view, titles, rebound },
    ...{ costs: offer.costs, packUse: offer.packUse, quantityAs: offer.quantityAs },
    ...{ unused: offer.unused, ignored: offer.ignored },
    ownColumns: own.columns,
    choices: costsToChoose(read),
    questions: isAnswered ? [] : offer.questions,
    terms: termsOf(view, offer),
  };
}

const isSame = (a: ListColumn) => (b: ListColumn) => a.column === b.column;

/** Rows below the titles that are read to confirm them. */
const SAMPLE_ROWS = 200;

/** The columns with the cells below their titles. */
function ownOf(
  { sheet, headerRow, ignored }: TaggedList,
  view: ListView,
  cells: SheetCells,
  columns: readonly ListColumn[],
) {
  const valuesIn = (column: number) => cells.map((row) => row[column - 1] ?? '');
  const { market, isOfBoth, rules } = view;
  const isOfAsins = most(valuesIn(view.productColumn), (cell) => !isFailure(readAsin(cell)));
  const inTab = rules?.profiles.find(({ name }) => name === rules.profile)?.values;
  return {
    ...{ market, isOfBoth },
    ...(isOfAsins === true && { products: PRODUCT_TITLE }),
    hasCaseSize: typeof inTab?.pack === 'number',
    ignored: ignored.flatMap(({ column, title }) =>
      columns.some(
        (candidate) => candidate.column === column && isSameTitle(candidate.title, title),
      )
        ? [column]
        : [],
    ),
    columns: columns.map((column) => ({
      ...column,
      values: valuesIn(column.column),
      arePercent: () =>
        (sheet.formats(areaOf(headerRow + 1, column.column, Math.max(1, cells.length))) ?? []).map(
          ([format = '']) => format.includes('%'),
        ),
    })),
  };
}

/** What columns are bound as. */
function boundColumns(bindings: readonly Binding[], all: readonly ListColumn[]) {
  const boundAs = (role: Binding['role']) => {
    const bound = bindings.find((binding) => binding.role === role);
    return { column: all[(bound?.column ?? 0) - 1], as: bound?.as };
  };
  const { column, as } = boundAs('cost');
  const pack = PACK_USES.find((use) => use === as);
  const packColumn = pack && boundAs(pack === 'divides' ? 'pack' : 'multipack').column;
  const others = COST_KEYS.flatMap((role) => {
    const { column } = boundAs(role);
    return column === undefined || role === 'cost' || role === 'pack' ? [] : [[role, column]];
  });
  return {
    cost: column && {
      ...{ column, pack, isInUse: true as const },
      packColumn: pack === 'ignored' ? undefined : packColumn,
    },
    others: Object.fromEntries(others) as ColumnsMeant,
    discountAs: RATE_READINGS.find((reading) => reading === boundAs('discount').as),
    quantityAs: QUANTITY_READINGS.find((reading) => reading === boundAs('quantity').as),
  };
}

/**
 * The columns from a list's products to those of the next list at its right. If no cost is among
 * them, the lists share all columns of the sheet.
 */
function columnsOf(view: ListView, lists: readonly TaggedList[]): readonly ListColumn[] {
  const productColumns = lists.map((list) => list.productColumn);
  const isFirst = Math.min(...productColumns) === view.productColumn;
  const next = Math.min(...productColumns.filter((column) => column > view.productColumn));
  const columns = view.columns.filter(
    ({ column }) => column < next && (isFirst || column > view.productColumn),
  );
  return hasCosts({ ...view, columns }) ? columns : view.columns;
}

/** What a person has said about this sheet's columns, as far as they are there. */
function saidOf({ sheet, columns }: ListView, chosen: ChosenCost | null) {
  if (chosen === null || chosen.sheetId !== sheet.id) return { others: {} };
  const titled = (title: string | undefined) => columns.find((column) => column.title === title);
  const { title, pack, packTitle, others = {} } = chosen;
  const isChosen = (column: ListColumn) =>
    column.title === title && column.column === chosen.column;
  const column = columns.find(isChosen) ?? titled(title);
  const said = Object.entries(others).flatMap(([role, own]) => {
    const column = own === NO_COLUMN ? null : titled(own);
    return column === undefined ? [] : [[role, column]];
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
  view: ListView,
  { side, caseSize, included, discountAs }: OfferColumns,
): CostTerms {
  const { rules, market, markets, isOfBoth } = view;
  return {
    inUse: rules?.inUse ?? USUAL,
    currency: isOfBoth ? (rules?.currency ?? null) : undefined,
    rate: isOfBoth && market !== 'column' ? rateInto(market, rules) : 1,
    ratesOf:
      (isOfBoth ? VAT_MARKETS.find((vatMarket) => markets.includes(vatMarket)) : null) ?? null,
    ...{ side, caseSize, included, discountAs },
  };
}

/** What converts costs to the market's currency; null: the rules do not say. */
function rateInto(market: Market, rules: DealRules | null): number | null {
  const { currency, rates } = rules ?? {};
  if (!currency || !rates) return null;
  if (currency === marketRow(market).currency) return 1;
  const inBase = (money: Currency) => (money === BASE_CURRENCY ? 1 : rates[money]);
  const [given, wanted] = [inBase(currency), inBase(marketRow(market).currency)];
  return given && wanted ? given / wanted : null;
}

/** The column of a decision, for the market that the list was opened for; undefined: it has none. */
export const decisionColumn = ({ list, block }: DealList, role: DecisionRole): number | undefined =>
  formulaColumn(list, role, block.market) ?? formulaColumn(list, role, 'both');
