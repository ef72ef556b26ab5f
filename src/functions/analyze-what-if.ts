// =ANALYZE_WHAT_IF: profit and ROI of a product at other prices.

import { isFailure } from '../failures/failure';
import { isLeftOut } from '../product/arguments';
import { isBlank } from '../product/asin';
import { saleTerms } from '../product/deal-rules';
import { readPrice, whatIf } from '../product/estimate';
import { estimates, needed, needProduct } from './answer-cells';

/**
 * Estimates profit and ROI of a product at another buy price, and sell price if you give one. Assumes that fees stay as they are. VAT, returns, prep and shipping of the tab Deal rules count.
 *
 * @param {A2:A100} asin The product: an ASIN, an ISBN or an Amazon link. A range gives one row each.
 * @param {"US"} market Where it is sold, such as "US", or a cell for each product. Left blank: the link's market, else the default.
 * @param {12.5} buy_price The price to buy at, in the market's currency, or a cell for each product.
 * @param {29.9} sell_price Optional: the price to sell at, or a cell for each product. Left out: the analysis's own.
 * @param {H1} refresh Optional: a cell. When it changes, the service is asked again. Not NOW(), TODAY() or RAND(): type a date.
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
  needProduct(asin, 'Its cell comes first, then the market and the buy price');
  if (buy_price === undefined && !isLeftOut(asin))
    needed('the buy price is missing. It comes third, after the market');
  return estimates({
    asin,
    market,
    refresh,
    columns: 2,
    paired: [
      ['buy prices', buy_price],
      ['sell prices', sell_price],
    ],
    read(rowMarket, buyCell, sellCell) {
      if (isBlank(buyCell)) return null;
      const buy = readPrice(buyCell, 'buy price', rowMarket);
      const sell = isBlank(sellCell) ? null : readPrice(sellCell, 'sell price', rowMarket);
      if (isFailure(buy)) return buy;
      return isFailure(sell) ? sell : { buy, sell };
    },
    work(analysis, { buy, sell }, rules, rowMarket) {
      const result = whatIf(analysis, buy, sell, saleTerms(rules, rowMarket));
      return isFailure(result) ? result : [result.profit, result.roi];
    },
  });
}
