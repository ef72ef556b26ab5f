// The invented products: believable, consistent, and the same under the same seed.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isAsin } from '../../../playground/api/asin';
import { createCatalogue, findProduct } from '../../../playground/api/catalogue';
import { figuresOf, type SandboxProduct } from '../../../playground/api/product';
import { SAMPLE_PRODUCTS } from '../../../playground/api/samples';

const MARKETS = ['US', 'UK'] as const;

function productsOf(seed: number, perMarket?: number): readonly SandboxProduct[] {
  const catalogue = createCatalogue(seed, perMarket);
  return MARKETS.flatMap((market) =>
    [...catalogue.asins[market]].map((asin) => findProduct(catalogue, asin, market)),
  ).filter((product) => product !== undefined);
}

const anyProduct = fc
  .record({ seed: fc.integer(), nth: fc.nat(), market: fc.constantFrom(...MARKETS) })
  .map(({ seed, nth, market }) => {
    const catalogue = createCatalogue(seed, 20);
    const asins = [...catalogue.asins[market]];
    const asin = asins[nth % asins.length] as string;
    return findProduct(catalogue, asin, market) as SandboxProduct;
  });

describe('every product', () => {
  it('has a profit that is the sell price less the buy price less the fees', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const { buy, sell, fees, profit } = figuresOf(product);
        const known = buy !== null && sell !== null && fees !== null;
        expect(profit).toBe(known ? sell - buy - fees : null);
      }),
    );
  });

  it('has an ROI that is the profit in proportion to the buy price', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const { buy, profit, roi } = figuresOf(product);
        expect(roi === null).toBe(profit === null);
        if (roi !== null && buy !== null && profit !== null)
          expect(roi * buy).toBeCloseTo(profit, 6);
      }),
    );
  });

  it('has fees that are the sum of their parts, in whole hundredths, none negative', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        const parts = product.feeParts === null ? null : Object.values(product.feeParts);
        expect(figuresOf(product).fees).toBe(parts?.reduce((sum, part) => sum + part, 0) ?? null);
        expect((parts ?? []).every((part) => Number.isInteger(part) && part >= 0)).toBe(true);
      }),
    );
  });

  it('has prices in whole hundredths above zero', () => {
    fc.assert(
      fc.property(anyProduct, ({ buy, sell }) => {
        const prices = [buy, sell].filter((price) => price !== null);
        expect(prices.every((price) => Number.isInteger(price) && price > 0)).toBe(true);
      }),
    );
  });

  it('has as many rank drops as its thirty days of ranks show', () => {
    fc.assert(
      fc.property(anyProduct, (product) => {
        let drops = 0;
        for (let at = 1; at < product.ranks.length; at += 1) {
          if ((product.ranks[at] as number) < (product.ranks[at - 1] as number)) drops += 1;
        }
        expect(figuresOf(product).rankDrops).toBe(product.ranks.length === 0 ? null : drops);
        expect(product.ranks.every((rank) => Number.isInteger(rank) && rank >= 1)).toBe(true);
      }),
    );
  });

  it('pays VAT in the UK alone, and none on books', () => {
    fc.assert(
      fc.property(anyProduct, ({ market, asin, sell, feeParts }) => {
        const rated = market === 'UK' && asin.startsWith('B');
        if (sell !== null) expect(feeParts?.vat).toBe(rated ? Math.round(sell / 6) : 0);
      }),
    );
  });
});

describe('a catalogue', () => {
  it('is the same for the same seed and another for another', () => {
    expect(productsOf(11, 30)).toEqual(productsOf(11, 30));
    expect(productsOf(11, 30)).not.toEqual(productsOf(12, 30));
  });

  it('offers 300 generated products per market beside the samples, each with a valid ASIN', () => {
    const { asins } = createCatalogue(5);
    const samplesOn = (market: string) => SAMPLE_PRODUCTS.filter((one) => one.market === market);
    expect(asins.US.size).toBe(300 + samplesOn('US').length);
    expect(asins.UK.size).toBe(300 + samplesOn('UK').length);
    expect([...asins.US, ...asins.UK].filter((asin) => !isAsin(asin))).toEqual([]);
  });

  it('has books under their ISBN, some with leading zeros and some with an X', () => {
    const books = [...createCatalogue(5).asins.US].filter((asin) => !asin.startsWith('B'));
    expect(books.some((isbn) => isbn.startsWith('0'))).toBe(true);
    expect(books.some((isbn) => isbn.endsWith('X'))).toBe(true);
  });

  it('sells some products on both markets at two prices, and some on one only', () => {
    const catalogue = createCatalogue(5);
    const both = [...catalogue.asins.US].filter((asin) => catalogue.asins.UK.has(asin));
    const dearer = both.filter((asin) => {
      const [us, uk] = MARKETS.map((market) => findProduct(catalogue, asin, market)?.sell);
      return us !== uk;
    });
    expect(both.length).toBeGreaterThan(100);
    expect(both.length).toBeLessThan(catalogue.asins.US.size - 100);
    expect(dearer.length).toBeGreaterThan(both.length * 0.9);
  });

  it('has losses, great deals, unknown figures and every kind of restriction', () => {
    const products = productsOf(5);
    const rois = products.map((product) => figuresOf(product).roi);
    const share = (test: (roi: number | null) => boolean) => rois.filter(test).length / rois.length;
    expect(share((roi) => roi !== null && roi < 0)).toBeGreaterThan(0.1);
    expect(share((roi) => roi !== null && roi > 1)).toBeGreaterThan(0.03);
    expect(share((roi) => roi !== null && roi > 0 && roi < 1)).toBeGreaterThan(0.5);
    expect(share((roi) => roi === null)).toBeGreaterThan(0.01);
    expect(new Set(products.map((product) => product.restriction)).size).toBe(4);
    expect(products.some((product) => figuresOf(product).rankDrops === null)).toBe(true);
  });

  it('knows nothing of a product that only the other market sells', () => {
    const catalogue = createCatalogue(5);
    const onlyUs = [...catalogue.asins.US].find((asin) => !catalogue.asins.UK.has(asin)) ?? '';
    expect(findProduct(catalogue, onlyUs, 'UK')).toBeUndefined();
  });
});

describe('the samples', () => {
  it('have the same figures under every seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.constantFrom(...SAMPLE_PRODUCTS), (seed, { asin, market }) => {
        const usual = findProduct(createCatalogue(1, 1), asin, market);
        expect(usual).toBeDefined();
        expect(findProduct(createCatalogue(seed, 1), asin, market)).toEqual(usual);
      }),
    );
  });

  it('are twelve or more in the US, six or more in the UK, eligible and not', () => {
    for (const [market, least] of [
      ['US', 12],
      ['UK', 6],
    ] as const) {
      const here = SAMPLE_PRODUCTS.filter((sample) => sample.market === market);
      expect(here.length).toBeGreaterThanOrEqual(least);
      expect(here.some((sample) => sample.restriction === 'eligible')).toBe(true);
      expect(here.some((sample) => sample.restriction === 'not-eligible')).toBe(true);
      expect(here.filter((sample) => !isAsin(sample.asin))).toEqual([]);
    }
  });

  it('give the mug figures that can be checked by hand', () => {
    const mug = findProduct(createCatalogue(1), 'B0XKT7M4QN', 'US');
    // Referral 15 % of 32.99, fulfilment of a large parcel, storage of a large parcel.
    expect(mug?.feeParts).toEqual({
      referral: 495,
      fulfilment: 622,
      storage: 47,
      closing: 0,
      vat: 0,
    });
    expect(mug && figuresOf(mug)).toMatchObject({ buy: 1150, sell: 3299, fees: 1164, profit: 985 });
  });
});
