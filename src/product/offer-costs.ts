// The costs of an offer, from its cells and from what is the same for all offers of a list. Pure.

import {
  COST_INPUT_KEYS,
  COST_INPUTS,
  type CostCell,
  type CostInput,
  type Costs,
  type ExtraCost,
  isRuleCost,
  type RateReading,
} from './cost';
import { NO_EXCHANGE, type RuleKey, type RuleValues } from './deal-rules';
import { type Currency, type Market, marketOfMoney, marketRow, VAT_MARKETS } from './market';
import { readDiscount, readTypedCost, readVatRate } from './typed-cost';
import { type VatSide, vatFactors, vatRule } from './vat';

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
  /** Units in the case, where the title of costs says it: "Cost (per case of 12)". */
  readonly caseSize: number | null;
  /** How the column of discounts is read; null: nothing in it says so yet. */
  readonly discountAs: RateReading | null;
  /** Whose rates of VAT rows write; null: those of each row's market. */
  readonly ratesOf: Market | null;
  /** What the cost has in it already, by its title: "Landed cost", "Cost incl delivery". */
  readonly included: readonly ExtraCost[];
}

/** In whose currency the supplier's price is. */
export const paidIn = ({ currency }: CostTerms, market: Market): Market =>
  currency ? marketOfMoney(currency) : market;

/**
 * What VAT makes of an offer's amounts. Its cost comes to the currency of the market as well.
 *
 * @param ofRow the row's own rate of VAT in percent; what is no number: the rules say it.
 */
export function vatOf(terms: CostTerms, market: Market, ofRow: CostCell): Costs['vat'] {
  const { inUse, currency, side, rate } = terms;
  const taxed = { sale: market, costs: currency === null ? null : paidIn(terms, market) };
  const { isSaid } = vatFactors((key) => inUse[key], taxed, side);
  const own = typeof ofRow === 'number' ? ofRow / 100 : undefined;
  const isRate = (key: string) => VAT_MARKETS.some((market) => vatRule(market, 'Rate') === key);
  const ruled = (key: RuleKey) => (own !== undefined && isRate(key) ? own : inUse[key]);
  const factors = vatFactors(ruled, taxed, side);
  return { ...factors, isSaid, cost: factors.cost * (rate ?? 1) };
}

/**
 * The costs of an offer in the currency of its market, but for `cost`: that stays as the supplier
 * states it, and so does the highest cost that follows from it.
 *
 * @param cellOf the cell of a cost column; undefined: the list has no such column.
 * @param market where the offer is sold.
 */
export function costsOf(
  cellOf: (key: CostInput) => string | number | boolean | Date | undefined,
  terms: CostTerms,
  market: Market,
): Costs {
  const { inUse, currency, rate } = terms;
  const written = currency === undefined ? marketRow(market).currency : currency;
  const ofList = (key: CostInput): CostCell => {
    if (!isRuleCost(key)) return null;
    return (key === 'pack' ? terms.caseSize : null) ?? inUse[key] ?? null;
  };
  const read = (key: CostInput): CostCell => {
    if (terms.included.some((extra) => extra === key)) return null;
    const own = cellOf(key);
    if (own === undefined) return ofList(key);
    // A date is what Sheets makes of "6-12".
    const cell = typeof own === 'object' ? own.toISOString() : own === '' ? null : own;
    if (key === 'discount') return readDiscount(cell, terms.discountAs);
    if (key === 'vatRate') return readVatRate(cell, terms.ratesOf ?? market);
    return readTypedCost(cell, COST_INPUTS[key].kind, written);
  };
  const exchanged = (key: CostInput): CostCell => {
    const cell = read(key);
    return typeof cell === 'number' ? cell * (rate ?? 1) : cell;
  };
  const inputs = Object.fromEntries(COST_INPUT_KEYS.map((key) => [key, read(key)]));
  return {
    ...(inputs as Record<CostInput, CostCell>),
    ...(rate === null && typeof inputs.cost === 'number'
      ? { cost: NO_EXCHANGE[currency === null ? 'currency' : 'rate'] }
      : {}),
    salesTax: exchanged('salesTax'),
    prep: exchanged('prep'),
    shipping: exchanged('shipping'),
    other: exchanged('other'),
    vat: vatOf(terms, market, inputs.vatRate ?? null),
  };
}
