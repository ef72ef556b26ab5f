// =ANALYZE_MAX_BUY: the most one can pay for a product and still make a target.

import { firstCell, isLeftOut } from '../analysis/cells';
import { maxBuy, readTargetRoi } from '../analysis/estimate';
import { analysisOf, orThrow } from './estimates';

const DEFAULT_TARGET_ROI = 0.3;

/**
 * Estimates the most you can pay for a product and still make the target ROI. Assumes that fees stay as they are.
 *
 * @param {A2} asin The product: an ASIN, an ISBN or an Amazon link.
 * @param {"US"} market Optional: "US" or "UK". Left out, it is the link's market, else the default.
 * @param {30%} target_roi Optional: the ROI to make, such as 30%. Left out, it is 30%.
 * @param {H1} refresh Optional: any cell. When it changes, the service is asked again.
 * @return The highest buy price, in the market's currency.
 * @customfunction
 */
export function ANALYZE_MAX_BUY(
  asin: unknown,
  market?: unknown,
  target_roi?: unknown,
  refresh?: unknown,
) {
  const target = isLeftOut(target_roi)
    ? DEFAULT_TARGET_ROI
    : orThrow(readTargetRoi(firstCell(target_roi)));
  const analysis = analysisOf(asin, market, refresh);
  return analysis === null ? null : orThrow(maxBuy(analysis, target));
}
