// The totals of a list with decisions: verdicts, money needed and earned, and why other products
// fail. Pure.

import {
  COST_INPUT_KEYS,
  COST_INPUTS,
  type CostCell,
  type CostInput,
  type Costs,
} from '../product/cost';
import { CHECK_RULES } from '../product/deal-rules';
import { type Currency, DEFAULT_MARKET, type Market, marketRow } from '../product/market';
import { readTypedCost } from '../product/typed-cost';
import { type VatSide, vatFactors } from '../product/vat';
import { ESTIMATED, type Verdict } from '../product/verdict';
import type { CostKey } from './decision-plan';
import type { ListCell, ListRow, ReadList, RowKey } from './list';
import type { Profile } from './rules-tab';

/** A row of the list with its decision. */
export interface DecidedRow {
  readonly row: number;
  readonly product: ListRow['product'];
  readonly name: string;
  readonly verdict: Verdict | null;
  readonly reasons: readonly string[];
  readonly myProfit: number | null;
  /** The supplier's price of a pack. */
  readonly cost: number | null;
  /** The number of packs; 1 if the list does not say. */
  readonly quantity: number;
  readonly pack: number;
  /** The number of units that are sold as one. */
  readonly multipack: number;
  /** The landed cost of what is sold as one, in the market's currency. */
  readonly landedCost: number | null;
}

/** How many sales the packs of a row make. */
const salesOf = ({ quantity, pack, multipack }: DecidedRow): number =>
  (quantity * pack) / multipack;

export const marketOf = (product: ListRow['product']): Market => product?.market ?? DEFAULT_MARKET;

/** From the best to the least. */
export const VERDICTS: readonly Verdict[] = ['Buy', 'Maybe', 'Skip', 'No verdict'];

const numberIn = (cell: ListCell | undefined): number | null =>
  typeof cell === 'number' ? cell : null;
const positive = (cell: ListCell | undefined, otherwise: number) =>
  typeof cell === 'number' && cell > 0 ? cell : otherwise;

/** What is the same for all offers of a list. */
export interface CostTerms {
  /** The rules in use, which supply costs that the list has no column for, and VAT. */
  readonly inUse: Profile['values'];
  /** The currency of costs; undefined: that of each row's market; null: it is not chosen. */
  readonly currency?: Currency | null | undefined;
  /** What the title of costs says of VAT. */
  readonly side: VatSide | null;
}

/**
 * The costs of an offer.
 *
 * @param cell the cell of a cost column; undefined: the list has no such column.
 * @param market where the offer is sold.
 */
export function costsOf(
  cell: (key: CostKey) => ListCell | undefined,
  { inUse, currency, side }: CostTerms,
  market: Market,
): Costs {
  const paidIn = currency === undefined ? marketRow(market).currency : currency;
  const costOf = (key: CostInput): CostCell => {
    const own = cell(key);
    const ofRules = key === 'cost' ? null : (inUse[key] ?? null);
    return own === undefined ? ofRules : readTypedCost(own, COST_INPUTS[key].kind, paidIn);
  };
  const costs = paidIn === 'GBP' ? 'UK' : 'US';
  const vat = vatFactors((key) => inUse[key], { sale: market, costs }, side);
  const inputs = COST_INPUT_KEYS.map((key) => [key, costOf(key)]);
  return { ...(Object.fromEntries(inputs) as Record<CostInput, CostCell>), vat };
}

/**
 * Costs that come to an amount in the market's currency. `cost` stays as the supplier states it, and
 * so does the highest cost that follows from it.
 *
 * @param rate see `costRate`; null: nothing can be said.
 */
export function costsIn(costs: Costs, rate: number | null): Costs {
  const exchanged = (cell: CostCell): CostCell =>
    typeof cell === 'number' ? cell * (rate ?? 1) : cell;
  const { cost, prep, shipping, other, vat } = costs;
  return {
    ...costs,
    cost: rate === null && typeof cost === 'number' ? CHECK_RULES : cost,
    ...{ prep: exchanged(prep), shipping: exchanged(shipping), other: exchanged(other) },
    vat: { ...vat, cost: vat.cost * (rate ?? 1) },
  };
}

/** A row's cells by their meanings; undefined: the list has no such column. */
export const cellReader =
  ({ keys }: Pick<ReadList, 'keys'>, { cells }: Pick<ListRow, 'cells'>) =>
  (key: RowKey): ListCell | undefined =>
    keys.includes(key) ? (cells[keys.indexOf(key)] ?? null) : undefined;

export function decidedRows(
  read: Pick<ReadList, 'keys' | 'rows'>,
  terms: CostTerms,
): readonly DecidedRow[] {
  return read.rows.map((one) => {
    const { row, product } = one;
    const cell = cellReader(read, one);
    const costs = costsOf(cell, terms, marketOf(product));
    const verdict = cell('verdict');
    return {
      ...{ row, product, name: String(cell('name') ?? '') },
      verdict: VERDICTS.find((word) => word === verdict) ?? null,
      reasons: String(cell('why') ?? '')
        .split('; ')
        .filter((reason) => reason !== ''),
      myProfit: numberIn(cell('myProfit')),
      cost: numberIn(costs.cost),
      // A quantity of 0 buys nothing; a blank counts as one.
      quantity: cell('quantity') === 0 ? 0 : positive(cell('quantity'), 1),
      pack: positive(costs.pack, 1),
      multipack: positive(costs.multipack, 1),
      landedCost: numberIn(cell('landedCost')),
    };
  });
}

/** The totals of all Buys in one currency. */
export interface Money {
  readonly currency: string;
  readonly sign: string;
  readonly buys: number;
  /** The landed cost of all units. */
  readonly outlay: number;
  readonly profit: number;
}

type Counts = Readonly<Record<Verdict, number>>;

export interface DealSummary {
  readonly rows: number;
  readonly verdicts: Counts;
  /** Rows whose formula is missing or typed over, or that have no figures yet. */
  readonly undecided: number;
  /** One total for each currency; currencies are never added up. */
  readonly money: readonly Money[];
  /** For rows that are no Buy: each reason with its rows, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: readonly number[] }[];
}

export function summaryOf(rows: readonly DecidedRow[]): DealSummary {
  const counted = (verdict: Verdict) => rows.filter((one) => one.verdict === verdict).length;
  const reasons = new Map<string, number[]>();
  for (const { row, verdict, reasons: said } of rows) {
    if (verdict === 'Buy' || verdict === null) continue;
    for (const reason of new Set(said.filter((one) => one !== ESTIMATED)))
      reasons.set(reason, [...(reasons.get(reason) ?? []), row]);
  }
  return {
    rows: rows.length,
    verdicts: Object.fromEntries(VERDICTS.map((one) => [one, counted(one)])) as Counts,
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
      outlay: sum((one) => one.landedCost),
      profit: sum((one) => one.myProfit),
    };
  });
}
