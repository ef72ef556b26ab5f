// The prices behind a stored analysis, and the profit at other prices with what a sale bears by the
// rules. Pure.

// Not `isFailure`, with which the sidebar would hold the whole table of failures: 13 KB.
import { type Failure, fail } from '../failures/failure';
import { visibleText } from './cell-text';
import { VAT_NOT_SET, type VatFactors } from './cost';
import { type Analysis, asFigure, isPercentText, readAmount, readNumber } from './fields';
import { isOtherMoney, type Market } from './market';

interface BuyAndSell {
  readonly buy: number;
  readonly sell: number;
}

type Priced = Pick<Analysis, 'figures' | 'roiUnit'>;

/** A division may give slightly less than a whole number of pennies. */
const ROUNDING = 1e-6;

/**
 * The prices behind an analysis. Missing ones follow from the others: sell = buy + fees + profit,
 * and buy = profit / ROI if that is known to be a fraction.
 */
export function pricesOf({ figures, roiUnit }: Priced): BuyAndSell | Failure {
  const { profit, fees, roi, buy_price: buy, sell_price: sell } = figures;
  if (buy !== null && sell !== null) return { buy, sell };
  if (profit === null || fees === null) return missing('profit or fees');
  if (buy !== null) return derived(buy, buy + fees + profit);
  if (sell !== null) return derived(sell - fees - profit, sell);
  if (roiUnit === undefined || roi === null || roi === 0) return missing('buy or sell price');
  const paid = profit / roi;
  return derived(paid, paid + fees + profit);
}

/**
 * The service's sell price, else the one derived from other figures; null if none can be derived.
 */
export function sellPrice(analysis: Priced): number | null {
  const { sell_price: given } = analysis.figures;
  if (given !== null) return given;
  const prices = pricesOf(analysis);
  return 'sell' in prices ? prices.sell : null;
}

/**
 * Figures that lead to a negative price, or to none, contradict each other, so nothing follows from
 * them.
 */
function derived(buy: number, sell: number): BuyAndSell | Failure {
  const isPrice = (price: number) => price >= 0 && asFigure(price) !== undefined;
  return isPrice(buy) && isPrice(sell) ? { buy, sell } : missing('buy or sell price');
}

function missing(what: string): Failure {
  return { kind: 'no-price', what };
}

/**
 * The failure for a division whose result is no valid figure, which happens with a price close to
 * zero.
 */
const noFigure = () => fail({ kind: 'bad-argument', what: 'these prices are too far apart' });

/**
 * An ROI target from a cell: 0.3, 30 and "30%" all mean 30 %. A number below 3 is a fraction, one from 10
 * on a percentage. Between, as a cell that shows 300% holds 3, only a text says which.
 */
export function readTargetRoi(value: unknown): number | Failure {
  const target = readNumber(value) ?? -1;
  if (target <= -1) {
    const what = `"${String(value).slice(0, 20)}" is not a target ROI. Use a percentage, such as 30%`;
    return fail({ kind: 'bad-argument', what });
  }
  if (target < 3 || isPercentText(value)) return target;
  if (target >= 10) return target / 100;
  const what = `a target ROI of ${target} may be ${target}% or ${Math.round(target * 100)}%. Write it as text, such as "300%"`;
  return fail({ kind: 'bad-argument', what });
}

const vatNotSet = () =>
  fail({
    kind: 'bad-argument',
    what: `${VAT_NOT_SET}. On the List page, choose your VAT scheme and whether costs and fees are with VAT`,
  });

/** What a sale bears beside fees and the price that is paid. */
export interface SaleTerms {
  /** What VAT and returns make of each amount. */
  readonly vat: VatFactors;
  /** Prep, shipping and other costs of a sale. */
  readonly extras: number;
}

/** Why nothing can be estimated; null: all is known. @param sell null: the analysis's own. */
export function whyNoEstimate(
  analysis: Priced,
  { vat }: SaleTerms,
  sell: number | null = null,
): Failure | null {
  if (!vat.isSaid) return vatNotSet();
  const prices = (sell ?? sellPrice(analysis)) === null ? pricesOf(analysis) : null;
  if (prices !== null && !('sell' in prices)) return prices;
  return analysis.figures.fees === null ? missing('fees') : null;
}

/** An amount as a cell shows it. */
export const amountShown = (amount: number): number | Failure => asFigure(amount) ?? noFigure();

/** Rounds down to the penny, and never below 0. */
export function pennyDown(amount: number): number {
  return Math.max(0, Math.floor(100 * amount + ROUNDING) / 100);
}

export interface WhatIf {
  readonly profit: number;
  /** A fraction. */
  readonly roi: number;
}

/**
 * Profit and ROI at another buy price and, if given, another sell price. It is an estimate: fees are taken
 * as fixed, although some vary with prices.
 */
export function whatIf(
  analysis: Analysis,
  buy: number,
  sell: number | null,
  terms: SaleTerms,
): WhatIf | Failure {
  const unknown = whyNoEstimate(analysis, terms, sell);
  if (unknown !== null) return unknown;
  const { vat, extras } = terms;
  const sale = (sell ?? sellPrice(analysis) ?? 0) * vat.sale;
  const landed = buy * vat.cost + extras;
  const profit = asFigure(sale - landed - (analysis.figures.fees ?? 0) * vat.fees);
  const roi = profit === undefined ? undefined : asFigure(profit / landed);
  return profit === undefined || roi === undefined ? noFigure() : { profit, roi };
}

/**
 * A price that was typed into a cell. Typed with the sign of another currency than the market's, it
 * is none: "£12.50" are no dollars.
 *
 * @param market null: the spreadsheet's default, which is not known here.
 */
export function readPrice(value: unknown, name: string, market: Market | null): number | Failure {
  const price = readAmount(value) ?? 0;
  const text = visibleText(value);
  const isOther = market !== null && isOtherMoney(text.toUpperCase(), market);
  if (price > 0 && !isOther) return price;
  const given = text.slice(0, 20);
  return fail({ kind: 'bad-argument', what: `"${given}" is not a ${name}. Use a number above 0` });
}
