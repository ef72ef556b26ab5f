// The sum of an offer, line by line: what is paid, what a sale costs and leaves, and the most that a supplier may
// ask. Each line is stated once, for verdicts and for the formulas beside a list. Pure.
import { bracketed, least, minus, ONE, over, plus, rounded, type Term, times } from './term';

/** How a sale is made of what the supplier sells as one. */
export interface Units {
  /** Units in a case. */
  readonly pack: Term;
  /** Units in one sale. */
  readonly multipack: Term;
}

/** "cost × VAT × (1 − discount)" of those that count, from left to right: so sheets multiply, too. */
export const paid = (first: Term, ...factors: readonly Term[]): Term =>
  factors.reduce((product, factor) => times(product, factor), first);

/** What of a price, or of the tax on it, falls to one sale. */
const perSale = (ofCase: Term, { pack, multipack }: Units): Term =>
  times(over(ofCase, pack), multipack);

/**
 * The cost of what is sold as one.
 *
 * @param tax on what is paid, where the row says it. @param extras prep, shipping and other costs.
 */
export const costOfSale = (ofCase: Term, tax: Term | null, extras: Term, units: Units): Term =>
  plus(extras, perSale(tax === null ? ofCase : bracketed(plus(tax, ofCase)), units));

/** The inverse: the supplier's price at which a sale costs so much. @param share that is paid of it. */
export function priceBehind(
  landed: Term,
  share: Term,
  tax: Term | null,
  extras: Term,
  units: Units,
): Term {
  const onTop = tax === null ? extras : plus(extras, perSale(tax, units));
  return over(bracketed(minus(landed, bracketed(onTop))), bracketed(perSale(share, units)));
}

/** What remains of a sale to pay for the product, and to earn. @param net the sale after VAT and returns. */
export const leftOfSale = (net: Term, fees: Term): Term => minus(net, fees);

/**
 * The number that decides. An offer a penny over *Max buy* misses its target, though its profit may
 * be shown rounded up to it. A sum of doubles may be a hair off: 16 − 8.76 − 6.475.
 */
export const exact = (sum: Term): Term => rounded(rounded(sum, 10), 8);

export const profitOf = (left: Term, landed: Term): Term => exact(minus(left, landed));

/** A fraction. */
export const roiOf = (left: Term, landed: Term): Term =>
  exact(minus(over(bracketed(left), landed), ONE));

/** What a sale has to earn. */
export interface Targets {
  readonly minRoi: Term;
  readonly minProfit: Term;
  readonly leastByMargin: Term;
}

/** The highest cost of a sale that meets the targets. */
export const mostOfSale = (left: Term, { minRoi, minProfit, leastByMargin }: Targets): Term =>
  least(
    over(left, bracketed(plus(ONE, minRoi))),
    minus(left, minProfit),
    minus(left, leastByMargin),
  );
