// The totals of a list with decisions: verdicts, money needed and earned, and why other products
// fail. Pure.

import { seenText } from '../product/cell-text';
import {
  COST_KINDS,
  type CostCell,
  type Costs,
  OPTIONAL_COSTS,
  type OptionalCost,
  unitCost,
} from '../product/cost';
import { NO_RATE } from '../product/deal-formulas';
import { type Currency, DEFAULT_MARKET, marketRow } from '../product/market';
import { readTypedCost } from '../product/typed-cost';
import { ESTIMATED, type Verdict } from '../product/verdict';
import { readStatus, unmarked } from '../table/status';
import { type CostColumns, type CostKey, decisionColumnsOf } from './decision-plan';
import type { ListCell, ListInspection, ListRow } from './list';
import type { Profile } from './rules-tab';

const DECIDED = ['myProfit', 'myRoi', 'maxBuy', 'verdict', 'why'] as const;
const COSTS = ['cost', 'quantity', ...OPTIONAL_COSTS] as const;

/** Possible titles of the column with product names. */
const NAME = /^(product )?(title|name|description|item|product)( name| title| description)?$/i;

/**
 * Figures that a run writes. In a row with one of them, our formula for the verdict is never blank.
 */
const FILLED = ['profit', 'fees', 'sell_price', 'at'] as const;

type Key = (typeof DECIDED)[number] | (typeof FILLED)[number] | CostKey | 'name' | 'status';

/** The meaning of each cell of a row. */
export interface AskedColumns {
  /** The columns that `deals.rows` is asked for. */
  readonly columns: readonly number[];
  readonly keys: readonly Key[];
}

/** The column with product names, if there is one. */
export const nameColumnOf = ({ columns }: Pick<ListInspection, 'columns'>): number | undefined =>
  columns.find(({ title }) => NAME.test(seenText(title)))?.column;

export function askedColumns(look: ListInspection, costs: CostColumns): AskedColumns {
  const decided = decisionColumnsOf(look);
  const asked: readonly (readonly [Key, number | undefined])[] = [
    ...DECIDED.map((key) => [key, decided[key]?.column] as const),
    ...COSTS.map((key) => [key, costs[key]?.column] as const),
    ['name', nameColumnOf(look)],
    ...[...FILLED, 'status' as const].map(
      (key) => [key, look.figures.find((one) => one.key === key)?.column] as const,
    ),
  ];
  const there = asked.flatMap(([key, column]) => (column === undefined ? [] : [{ key, column }]));
  return { columns: there.map(({ column }) => column), keys: there.map(({ key }) => key) };
}

/** A row of the list with its decision. */
export interface DecidedRow {
  readonly row: number;
  readonly product: ListRow['product'];
  readonly name: string;
  /** null as well if it is about a product that stood in the row before. */
  readonly verdict: Verdict | null;
  /** Whether the row has figures but no decision. */
  readonly isLacking: boolean;
  readonly reasons: readonly string[];
  readonly myProfit: number | null;
  /** The supplier's price of a pack. */
  readonly cost: number | null;
  /** The number of packs; 1 if the list does not say. */
  readonly quantity: number;
  readonly pack: number;
  /** The number of units that are sold as one. */
  readonly multipack: number;
  /** The landed cost of one unit. */
  readonly unitCost: number | null;
}

/** How many sales the packs of a row make. */
const salesOf = ({ quantity, pack, multipack }: DecidedRow): number =>
  (quantity * pack) / multipack;

/** The currency in which a row's costs are. @param all that of all rows, if they have one. */
export const currencyIn = (
  product: ListRow['product'],
  all: Currency | null | undefined,
): Currency | null =>
  all === undefined ? marketRow(product?.market ?? DEFAULT_MARKET).currency : all;

const VERDICTS: readonly Verdict[] = ['Buy', 'Maybe', 'Skip', 'No verdict'];

const numberIn = (cell: ListCell): number | null => (typeof cell === 'number' ? cell : null);
const positive = (cell: ListCell, otherwise: number) =>
  typeof cell === 'number' && cell > 0 ? cell : otherwise;

/**
 * The costs of an offer.
 *
 * @param cell the cell of a cost column; undefined: the list has no such column.
 * @param inUse the rules in use, which supply costs that the list has no column for.
 * @param currency of costs; null: it is not chosen.
 */
export function costsOf(
  cell: (key: CostKey) => ListCell | undefined,
  inUse: Profile['values'],
  currency: Currency | null,
): Costs {
  const costOf = (key: 'cost' | OptionalCost): CostCell => {
    const own = cell(key);
    const ofRules = key === 'cost' || key === 'multipack' ? undefined : inUse[key];
    return own === undefined ? (ofRules ?? null) : readTypedCost(own, COST_KINDS[key], currency);
  };
  return {
    ...{ cost: costOf('cost'), pack: costOf('pack'), multipack: costOf('multipack') },
    ...{ discount: costOf('discount'), vat: costOf('vat') },
    ...{ prep: costOf('prep'), shipping: costOf('shipping') },
    isVatReclaimed: inUse.vatReclaimed === true,
  };
}

/**
 * Whether the row's figures, and the verdict on them, are still those of a product that stood there
 * before: its status names that product until the next run.
 */
export function isOfAnother(product: ListRow['product'], status: ListCell | undefined): boolean {
  const said = unmarked(readStatus(status ?? ''));
  const analyzed = said.kind === 'ok' || said.kind === 'failed' ? said.product : null;
  return product !== null && analyzed !== null && analyzed.asin !== product.asin;
}

/**
 * Converts costs to the market's currency. @param rate see `costRate`; null: nothing can be said.
 */
export function costsIn(costs: Costs, rate: number | null): Costs {
  const exchanged = (cell: CostCell): CostCell =>
    typeof cell !== 'number' ? cell : rate === null ? NO_RATE : cell * rate;
  const { cost, prep, shipping } = costs;
  return {
    ...costs,
    ...{ cost: exchanged(cost), prep: exchanged(prep), shipping: exchanged(shipping) },
  };
}

/**
 * @param inUse the rules in use, which supply costs that the list has no column for.
 * @param rate see `costRate`.
 * @param currency of costs; undefined: that of each row's market.
 */
export function decidedRows(
  rows: readonly ListRow[],
  { keys }: AskedColumns,
  inUse: Profile['values'],
  rate: number | null = 1,
  currency?: Currency | null,
): readonly DecidedRow[] {
  return rows.map(({ row, product, cells }) => {
    const cell = (key: Key): ListCell => cells[keys.indexOf(key)] ?? null;
    const given = (key: CostKey) => (keys.includes(key) ? cell(key) : undefined);
    const costs = costsOf(given, inUse, currencyIn(product, currency));
    const isBlank = (key: Key) => (cell(key) ?? '') === '';
    const isOwn = !isOfAnother(product, cell('status'));
    return {
      ...{ row, product, name: String(cell('name') ?? '') },
      verdict: VERDICTS.find((one) => isOwn && one === cell('verdict')) ?? null,
      isLacking: isBlank('verdict') && !FILLED.every(isBlank),
      reasons: String(cell('why') ?? '')
        .split('; ')
        .filter((one) => one !== ''),
      myProfit: numberIn(cell('myProfit')),
      cost: numberIn(costs.cost),
      // A quantity of 0 buys nothing; a blank counts as one.
      quantity: cell('quantity') === 0 ? 0 : positive(cell('quantity'), 1),
      pack: positive(costs.pack, 1),
      multipack: positive(costs.multipack, 1),
      unitCost: unitCost(costsIn(costs, rate)),
    };
  });
}

/**
 * Whether the list has decisions, even if their formulas still show nothing for lack of figures.
 * Titles alone do not count.
 */
export const areDecided = (rows: readonly DecidedRow[]): boolean =>
  rows.some(({ verdict }) => verdict !== null) || !rows.some(({ isLacking }) => isLacking);

/** The totals of all Buys in one currency. */
export interface Money {
  readonly currency: string;
  readonly sign: string;
  readonly buys: number;
  /** The landed cost of all units. */
  readonly outlay: number;
  readonly profit: number;
}

export interface DealSummary {
  readonly rows: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Rows whose formula is missing or typed over, or that have no figures yet. */
  readonly undecided: number;
  /** One total for each currency; currencies are never added up. */
  readonly money: readonly Money[];
  /** For rows that are no Buy: each reason with its rows, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: readonly number[] }[];
}

/** Reasons with numbers are grouped under these words; other reasons are shown as they are. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^Profit .* under/, 'Profit too low'],
  [/^ROI .* under/, 'ROI too low'],
  [/^Rank drops .* under/, 'Too few rank drops'],
  [/^Fees .* over/, 'Fees too high'],
  [/^Figures are .* old/, 'Figures out of date'],
];

const reasonKind = (reason: string): string =>
  KINDS.find(([pattern]) => pattern.test(reason))?.[1] ?? reason;

export function summaryOf(rows: readonly DecidedRow[]): DealSummary {
  const counted = (verdict: Verdict) => rows.filter((one) => one.verdict === verdict).length;
  const reasons = new Map<string, number[]>();
  for (const { row, verdict, reasons: said } of rows) {
    if (verdict === 'Buy' || verdict === null) continue;
    for (const reason of new Set(said.filter((one) => one !== ESTIMATED).map(reasonKind)))
      reasons.set(reason, [...(reasons.get(reason) ?? []), row]);
  }
  return {
    rows: rows.length,
    verdicts: {
      Buy: counted('Buy'),
      Maybe: counted('Maybe'),
      Skip: counted('Skip'),
      'No verdict': counted('No verdict'),
    },
    undecided: rows.filter(({ verdict }) => verdict === null).length,
    money: moneyOf(buysOf(rows)),
    reasons: [...reasons]
      .map(([reason, found]) => ({ reason, rows: found }))
      .sort((a, b) => b.rows.length - a.rows.length),
  };
}

export type Buy = DecidedRow & { readonly product: NonNullable<DecidedRow['product']> };

export const buysOf = (rows: readonly DecidedRow[]): readonly Buy[] =>
  rows.filter((one): one is Buy => one.verdict === 'Buy' && one.product !== null);

const toPenny = (amount: number) => Math.round(amount * 100) / 100;

function moneyOf(buys: readonly Buy[]): readonly Money[] {
  const markets = [...new Set(buys.map(({ product }) => product.market))];
  return markets.map((market) => {
    const own = buys.filter(({ product }) => product.market === market);
    const sum = (amount: (one: Buy) => number | null) =>
      toPenny(own.reduce((total, one) => total + (amount(one) ?? 0) * salesOf(one), 0));
    const { currency, sign } = marketRow(market);
    return {
      ...{ currency, sign, buys: own.length },
      outlay: sum((one) => one.unitCost),
      profit: sum((one) => one.myProfit),
    };
  });
}
