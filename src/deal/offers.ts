// The offers of a list: the figures, costs and decision of each row, and what the list comes to. Pure.

import { isFailureStatus, sentences } from '../failures/failure';
import type { SheetCell } from '../google/cells';
import { type ListRow, productOf } from '../list/rows';
import type { Product } from '../product/asin';
import {
  COST_INPUT_KEYS,
  COST_INPUTS,
  type CostCell,
  type CostInput,
  type CostKey,
  type Costs,
} from '../product/cost';
import { CHECK_RULES, type RuleValues } from '../product/deal-rules';
import { figuresBy } from '../product/fields';
import { type Currency, DEFAULT_MARKET, MARKETS, type Market, marketRow } from '../product/market';
import { readTypedCost } from '../product/typed-cost';
import { type VatSide, vatFactors } from '../product/vat';
import { type DealFigures, ESTIMATED, VERDICTS, type Verdict } from '../product/verdict';

/** What is the same for all offers of a list. */
export interface CostTerms {
  /** The rules in use, which supply costs that the list has no column for, and VAT. */
  readonly inUse: RuleValues;
  /** The currency of costs; undefined: that of each row's market; null: it is not chosen. */
  readonly currency: Currency | null | undefined;
  /** What converts costs to the currency of the market; null: nothing can be said. */
  readonly rate: number | null;
  /** What the title of costs says of VAT. */
  readonly side: VatSide | null;
}

/** In whose currency the supplier's price is. */
const paidIn = ({ currency }: CostTerms, market: Market): Market =>
  MARKETS.find((one) => marketRow(one).currency === currency) ?? market;

/** What VAT makes of an offer's amounts. Its cost comes to the currency of the market as well. */
export function vatOf(terms: CostTerms, market: Market): Costs['vat'] {
  const { inUse, currency, side, rate } = terms;
  // While nobody has chosen a currency, costs bear no tax of the UK.
  const costs = currency === null ? 'US' : paidIn(terms, market);
  const factors = vatFactors((key) => inUse[key], { sale: market, costs }, side);
  return { ...factors, cost: factors.cost * (rate ?? 1) };
}

/** A row's cell by what it means; undefined: the list has no such column. */
export type CellOf = (
  key: CostKey | 'name' | 'verdict' | 'why' | 'myProfit' | 'landedCost',
) => SheetCell | undefined;

/**
 * The costs of an offer in the currency of its market, but for `cost`: that stays as the supplier
 * states it, and so does the highest cost that follows from it.
 *
 * @param market where the offer is sold.
 */
export function costsOf(cellOf: CellOf, terms: CostTerms, market: Market): Costs {
  const { inUse, currency, rate } = terms;
  const written = currency === undefined ? marketRow(market).currency : currency;
  const read = (key: CostInput): CostCell => {
    const own = cellOf(key);
    if (own === undefined) return key === 'cost' ? null : (inUse[key] ?? null);
    // A date is what Sheets makes of "6-12".
    const cell = typeof own === 'object' ? own.toISOString() : own;
    return readTypedCost(cell === '' ? null : cell, COST_INPUTS[key].kind, written);
  };
  const exchanged = (key: CostInput): CostCell => {
    const cell = read(key);
    return typeof cell === 'number' ? cell * (rate ?? 1) : cell;
  };
  const inputs = Object.fromEntries(COST_INPUT_KEYS.map((key) => [key, read(key)]));
  return {
    ...(inputs as Record<CostInput, CostCell>),
    ...(rate === null && typeof inputs.cost === 'number' ? { cost: CHECK_RULES } : {}),
    ...{ prep: exchanged('prep'), shipping: exchanged('shipping'), other: exchanged('other') },
    vat: vatOf(terms, market),
  };
}

/** A row with content in the product column. */
export interface Offer extends DealFigures {
  readonly row: number;
  /** The text of the product cell, shortened for a list. */
  readonly shown: string;
  /** null: the cell names none. */
  readonly product: Product | null;
  /** Why it names none. */
  readonly problem: string | null;
  readonly name: string;
  readonly costs: Costs;
  /** In whose currency the supplier's price is. */
  readonly paidIn: Market;
  /** What converts it to the currency of the product's market. */
  readonly rate: number;
  /** The number of packs; 1 if the list does not say. */
  readonly quantity: number;
  /** The status of the latest try, if it brought no figures: "Not found". */
  readonly failure: string | null;
  /** What the formulas say; null: they say nothing, or there are none. */
  readonly verdict: Verdict | null;
  readonly reasons: readonly string[];
  readonly myProfit: number | null;
  readonly landedCost: number | null;
}

const numberIn = (cell: SheetCell | null | undefined): number | null =>
  typeof cell === 'number' ? cell : null;

const positive = (cell: SheetCell | null | undefined): number =>
  Math.max(0, numberIn(cell) ?? 0) || 1;

/** The offer in a row. @param roiIsFraction whether the unit of ROI is known. */
export function offerIn(
  found: ListRow,
  cellOf: CellOf,
  terms: CostTerms,
  roiIsFraction: boolean,
): Offer {
  const { row, shown, content, known } = found;
  const product = productOf(found);
  const market = product?.market ?? DEFAULT_MARKET;
  const verdict = cellOf('verdict');
  return {
    ...{ row, shown, product, name: String(cellOf('name') ?? '') },
    problem: content.kind === 'unreadable' ? sentences(content.failure).message : null,
    figures: known?.figures ?? figuresBy(() => null),
    ...(roiIsFraction ? { roiUnit: 'fraction' as const } : {}),
    fetchedAtMs: known?.analyzedMs ?? null,
    failure: known !== undefined && isFailureStatus(known.status) ? known.status : null,
    costs: costsOf(cellOf, terms, market),
    paidIn: paidIn(terms, market),
    rate: terms.rate ?? 1,
    // A quantity of 0 buys nothing; a blank counts as one.
    quantity: cellOf('quantity') === 0 ? 0 : positive(cellOf('quantity')),
    verdict: VERDICTS.find((word) => word === verdict) ?? null,
    reasons: String(cellOf('why') ?? '')
      .split('; ')
      .filter((reason) => reason !== ''),
    myProfit: numberIn(cellOf('myProfit')),
    landedCost: numberIn(cellOf('landedCost')),
  };
}

export type Buy = Offer & { readonly product: Product };

export const buysOf = (offers: readonly Offer[]): readonly Buy[] =>
  offers.filter((one): one is Buy => one.verdict === 'Buy' && one.product !== null);

/** The number of units in a pack of the supplier's. */
export const packOf = ({ costs }: Offer): number => positive(costs.pack);

/** How many sales the packs of a row make. */
const salesOf = (offer: Offer): number =>
  (offer.quantity * packOf(offer)) / positive(offer.costs.multipack);

/** The totals of all Buys in one currency. */
export interface Money {
  readonly sign: string;
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
  /** For rows that are no Buy: each reason with its number of rows, the most frequent first. */
  readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
}

export function summaryOf(offers: readonly Offer[]): DealSummary {
  const counted = (verdict: Verdict) => offers.filter((one) => one.verdict === verdict).length;
  const reasons = new Map<string, number>();
  for (const { verdict, reasons: own } of offers) {
    if (verdict === 'Buy' || verdict === null) continue;
    for (const reason of new Set(own.filter((one) => one !== ESTIMATED)))
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return {
    rows: offers.length,
    verdicts: Object.fromEntries(VERDICTS.map((one) => [one, counted(one)])) as Counts,
    undecided: offers.filter(({ verdict }) => verdict === null).length,
    money: moneyOf(buysOf(offers)),
    reasons: [...reasons]
      .map(([reason, rows]) => ({ reason, rows }))
      .sort((a, b) => b.rows - a.rows),
  };
}

const toPenny = (amount: number) => Math.round(amount * 100) / 100;

function moneyOf(buys: readonly Buy[]): readonly Money[] {
  const markets = [...new Set(buys.map(({ product }) => product.market))];
  return markets.map((market) => {
    const own = buys.filter(({ product }) => product.market === market);
    const sum = (amount: (one: Buy) => number | null) =>
      toPenny(own.reduce((total, one) => total + (amount(one) ?? 0) * salesOf(one), 0));
    return {
      sign: marketRow(market).sign,
      outlay: sum((one) => one.landedCost),
      profit: sum((one) => one.myProfit),
    };
  });
}
