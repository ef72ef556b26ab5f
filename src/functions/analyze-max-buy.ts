// =ANALYZE_MAX_BUY: the highest price at which a product still meets a target.

import { isFailure } from '../failures/failure';
import { isBlank } from '../product/asin';
import { maxBuy, readTargetRoi } from '../product/estimate';
import { estimates, needProduct } from './answer-cells';

const DEFAULT_TARGET_ROI = 0.3;

/**
 * Estimates the most you can pay for a product and still make the target ROI, rounded down to the penny. Assumes that fees stay as they are. VAT, returns, prep, shipping and the least margin of the tab Deal rules count.
 *
 * @param {A2:A100} asin The product: an ASIN, an ISBN or an Amazon link. A range gives one row each.
 * @param {"US"} market Optional: "US" or "UK", or a cell for each product. Left out: the link's market, else the default.
 * @param {30%} target_roi Optional: the ROI to make, such as 30%, or a cell for each product. Left out: 30%.
 * @param {H1} refresh Optional: a cell. When it changes, the service is asked again. Not NOW(), TODAY() or RAND(): type a date.
 * @return The highest buy price, in the market's currency.
 * @customfunction
 */
export function ANALYZE_MAX_BUY(
  asin: unknown,
  market?: unknown,
  target_roi?: unknown,
  refresh?: unknown,
) {
  needProduct(asin, 'Name its cell, as in =ANALYZE_MAX_BUY(A2)');
  return estimates({
    asin,
    market,
    refresh,
    columns: 1,
    beside: [['target ROIs', target_roi]],
    read: (_, target) => (isBlank(target) ? DEFAULT_TARGET_ROI : readTargetRoi(target)),
    work(analysis, target, terms) {
      const price = maxBuy(analysis, target, terms);
      return isFailure(price) ? price : [price];
    },
  });
}
