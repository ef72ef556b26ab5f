// A list under titles of a person's, analyzed, with the page over it.

import { afterEach } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import type { Market } from '../../src/product/market';
import { SANDBOX } from '../doors/bulk-list';
import { analyze, type DealWorld, dealsPage, dealWorld } from '../doors/deal-list';

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);

/** The lists of a file of tests, one at a time. */
export function titledLists() {
  let made: DealWorld;
  afterEach(() => made.world.stop());

  async function analyzeIn(market: Market): Promise<void> {
    const fields = ['profit', 'fees', 'sell_price'];
    await analyze(made.world, { fields, market: { kind: 'one', market } });
  }

  return {
    get made() {
      return made;
    },
    analyzeIn,
    /** @param rows what stands beside the products. */
    async open(
      titles: readonly string[],
      rows: readonly (readonly CellValue[])[],
      market: Market = 'US',
      options: Parameters<typeof dealWorld>[1] = {},
    ) {
      const products = [...asins[market]];
      const cells = rows.map((row, at) => [products[at] ?? '', ...row]);
      made = await dealWorld([['ASIN', ...titles], ...cells], options);
      await analyzeIn(market);
      return dealsPage(made.world);
    },
  };
}
