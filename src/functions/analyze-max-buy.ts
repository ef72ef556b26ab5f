// =ANALYZE_MAX_BUY: the highest price at which a product still meets the targets of Buy.

import { isFailure } from '../failures/failure';
import { isBlank } from '../product/asin';
import { mostToPay } from '../product/deal-rules';
import { readTargetRoi } from '../product/estimate';
import { estimates, needProduct } from './answer-cells';

/**
 * Estimates the most you can pay for a product and still make the target ROI, and the least profit and margin of the tab Deal rules, rounded down to the penny. Its VAT, returns, prep and shipping count. Assumes that fees stay as they are.
 *
 * @param {A2:A100} asin The product: an ASIN, an ISBN or an Amazon link. A range gives one row each.
 * @param {"US"} market Optional: where it is sold, such as "US", or a cell for each product. Left out: the link's market, else the default.
 * @param {30%} target_roi Optional: the ROI to make, such as 30%, or a cell for each product. Left out: the least ROI of the tab Deal rules.
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
    paired: [['target ROIs', target_roi]],
    read(_, cell) {
      const minRoi = isBlank(cell) ? null : readTargetRoi(cell);
      return isFailure(minRoi) ? minRoi : { minRoi };
    },
    work(analysis, { minRoi }, rules, rowMarket) {
      const price = mostToPay(analysis, minRoi, rules, rowMarket);
      return isFailure(price) ? price : [price];
    },
  });
}
