// =ANALYZE_WHAT_IF: profit and ROI of a product at other prices.

import { firstCell, isLeftOut } from '../analysis/cells';
import { readPrice, whatIf } from '../analysis/estimate';
import { analysisOf, orThrow } from './estimates';

/**
 * Estimates profit and ROI of a product at another buy price, and another sell price if you give one. Assumes that fees stay as they are.
 *
 * @param {A2} asin The product: an ASIN, an ISBN or an Amazon link.
 * @param {"US"} market "US" or "UK". Left blank, it is the link's market, else the default.
 * @param {12.5} buy_price The price to buy at, in the market's currency.
 * @param {29.9} sell_price Optional: the price to sell at. Left out, it is the analysis's own.
 * @param {H1} refresh Optional: any cell. When it changes, the service is asked again.
 * @return Profit and ROI, in two cells side by side.
 * @customfunction
 */
export function ANALYZE_WHAT_IF(
  asin: unknown,
  market: unknown,
  buy_price: unknown,
  sell_price?: unknown,
  refresh?: unknown,
) {
  if (isLeftOut(asin)) return null;
  const buy = orThrow(readPrice(firstCell(buy_price), 'buy price'));
  const sell = isLeftOut(sell_price)
    ? null
    : orThrow(readPrice(firstCell(sell_price), 'sell price'));
  const analysis = analysisOf(asin, market, refresh);
  if (analysis === null) return null;
  const { profit, roi } = orThrow(whatIf(analysis, buy, sell));
  return [[profit, roi]];
}
