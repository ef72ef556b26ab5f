// Estimates worked out by hand: prices behind an analysis, the highest buy price, and other prices.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isFailure } from '../../src/failures/failure';
import { mostToPay, type RuleValues, saleTerms } from '../../src/product/deal-rules';
import {
  pricesOf,
  readPrice,
  readTargetRoi,
  type SaleTerms,
  whatIf,
} from '../../src/product/estimate';
import { type Analysis, type Figures, figuresBy } from '../../src/product/fields';

/** Bought at 11.50 and sold at 32.99: fees 11.64, profit 9.85, ROI 9.85 ÷ 11.50 = 85.65 %. */
const MUG: Figures = {
  ...figuresBy(() => null),
  profit: 9.85,
  roi: 0.8565,
  fees: 11.64,
  eligible: true,
  rank_drops_30d: 66,
  buy_price: 11.5,
  sell_price: 32.99,
};

function analysis(figures: Partial<Figures> = {}, roiUnit?: 'fraction'): Analysis {
  const unit = roiUnit === undefined ? {} : { roiUnit };
  return { figures: { ...MUG, ...figures }, extras: [], fetchedAtMs: 0, ...unit };
}

/** Nothing is owed on a sale, and nothing comes on top of the price. */
const PLAIN: SaleTerms = {
  vat: { isSaid: true, cost: 1, sale: 1, fees: 1 },
  extras: 0,
};

const NO_PRICES = { buy_price: null, sell_price: null };

describe('the prices behind an analysis', () => {
  it("are the service's where it gave both", () => {
    expect(pricesOf(analysis())).toEqual({ buy: 11.5, sell: 32.99 });
    const bare = analysis({ profit: null, roi: null, fees: null });
    expect(pricesOf(bare)).toEqual({ buy: 11.5, sell: 32.99 });
  });

  it.each([
    // 11.50 + 11.64 + 9.85 = 32.99
    ['the sell price', { sell_price: null }],
    // 32.99 - 11.64 - 9.85 = 11.50
    ['the buy price', { buy_price: null }],
  ])('follow from the others without %s', (_, figures) => {
    const prices = pricesOf(analysis(figures));
    if (isFailure(prices)) throw new Error(prices.kind);
    expect(prices.buy).toBeCloseTo(11.5, 10);
    expect(prices.sell).toBeCloseTo(32.99, 10);
  });

  it('follow from ROI where its unit is settled', () => {
    // 10 ÷ 0.4 = 25 to buy; 25 + 5 + 10 = 40 to sell.
    const figures = { ...NO_PRICES, profit: 10, fees: 5 };
    const derived = { buy: 25, sell: 40 };
    expect(pricesOf(analysis({ ...figures, roi: 0.4 }, 'fraction'))).toEqual(derived);
  });

  it.each([
    ['the unit of ROI', analysis(NO_PRICES), 'buy or sell price'],
    ['ROI', analysis({ ...NO_PRICES, roi: null }, 'fraction'), 'buy or sell price'],
    ['an ROI other than 0', analysis({ ...NO_PRICES, roi: 0 }, 'fraction'), 'buy or sell price'],
    ['profit', analysis({ sell_price: null, profit: null }), 'profit or fees'],
    ['fees', analysis({ buy_price: null, fees: null }), 'profit or fees'],
  ])('are not made up without %s', (_, one, what) => {
    expect(pricesOf(one)).toEqual({ kind: 'no-price', what });
  });

  it('are never derived as less than nothing', () => {
    // A loss with a gain's ROI contradicts itself: -5 ÷ 0.5 would be a buy price of -10.
    const odd = analysis({ ...NO_PRICES, profit: -5, fees: 3, roi: 0.5 }, 'fraction');
    expect(isFailure(pricesOf(odd))).toBe(true);
  });
});

/** In the US, where nothing is owed on a sale. @param rules all that there are. */
const most = (figures: Partial<Figures>, minRoi: number | null, rules: RuleValues = {}) =>
  mostToPay(analysis(figures), minRoi, (key) => rules[key], 'US');

describe('the highest buy price', () => {
  it('leaves the target, down to the penny', () => {
    // (32.99 - 11.64) ÷ 1.3 = 16.423...; bought at that, 4.926... of profit is 30 %.
    expect(most({}, 0.3)).toBe(16.42);
    expect(most({}, 0)).toBe(21.35);
    // 10.675
    expect(most({}, 1)).toBe(10.67);
  });

  it('leaves what the rules ask for, whatever the target', () => {
    // 21.35 - 6.50; 21.35 - 40 % of 32.99 = 8.154
    expect(most({}, 0.3, { minProfit: 6.5 })).toBe(14.85);
    expect(most({}, 0.3, { minProfit: 6.5, minMargin: 0.4 })).toBe(8.15);
    expect(most({}, null, { minRoi: 1, minProfit: 6.5 })).toBe(10.67);
  });

  it('bought at, makes the target, which a penny more would not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), (percent) => {
        const buy = most({}, percent / 100);
        if (isFailure(buy)) throw new Error(buy.kind);
        const roiAt = (price: number): number => {
          const result = whatIf(analysis(), price, null, PLAIN);
          if (isFailure(result)) throw new Error(result.kind);
          return result.roi;
        };
        expect(roiAt(buy)).toBeGreaterThan(percent / 100 - 1e-7);
        expect(roiAt(buy + 0.01)).toBeLessThan(percent / 100);
      }),
    );
  });

  it('is 0, and never less, where no price makes the target', () => {
    // Sold at 10 with fees of 11.64, even a gift is a loss.
    expect(most({ sell_price: 10 }, 0.3)).toBe(0);
  });

  it('needs no other price than the one it is sold at', () => {
    expect(most({ buy_price: null, profit: null }, 0.3)).toBe(16.42);
  });

  it('is not worked out without fees or prices', () => {
    expect(most({ fees: null }, 0.3)).toEqual({ kind: 'no-price', what: 'fees' });
    expect(most(NO_PRICES, 0.3)).toMatchObject({ kind: 'no-price' });
  });
});

describe('other prices', () => {
  it('is not worked out without fees', () => {
    expect(whatIf(analysis({ fees: null }), 10, 30, PLAIN)).toEqual({
      kind: 'no-price',
      what: 'fees',
    });
  });
});

describe('a target', () => {
  it.each([
    [0.3, 0.3],
    [30, 0.3],
    ['30%', 0.3],
    ['30', 0.3],
    ['0,3', 0.3],
    [1, 1],
    [2.5, 2.5],
    [150, 1.5],
    [0, 0],
    [-0.1, -0.1],
    ['300%', 3],
  ])('%p is %d', (value, target) => {
    expect(readTargetRoi(value)).toBeCloseTo(target as number, 10);
  });

  it.each(['much', '', null, true, -1, -30, 3, 4.1, {}])('is not %p', (value) => {
    expect(readTargetRoi(value)).toMatchObject({ kind: 'bad-argument' });
  });
});

describe('a price', () => {
  it('is read as sheets and people write it', () => {
    expect(readPrice('$1,234.50', 'buy price', 'US')).toBe(1234.5);
    expect(readPrice('GBP 12.50', 'buy price', 'UK')).toBe(12.5);
    expect(readPrice(0.01, 'buy price', 'UK')).toBe(0.01);
  });

  it.each([
    ['£12.50', 'US'],
    ['12.50 GBP', 'US'],
    ['€12.50', 'US'],
    ['$12.50', 'UK'],
    ['US$12.50', 'UK'],
  ] as const)('is not %s in the %s', (typed, market) => {
    expect(readPrice(typed, 'buy price', market)).toMatchObject({ kind: 'bad-argument' });
  });

  it('may have the sign of either where the market is the default of the spreadsheet', () => {
    expect(readPrice('£12.50', 'buy price', null)).toBe(12.5);
  });

  it.each([0, -1, '', null, 'cheap', '30%', Number.NaN])('is not %p', (value) => {
    const failure = readPrice(value, 'buy price', 'US');
    expect(failure).toMatchObject({ kind: 'bad-argument' });
    expect((failure as { what: string }).what).toContain(
      'is not a buy price. Use a number above 0',
    );
  });
});

describe('an offer in the UK', () => {
  const [inc, ex] = ['With VAT', 'Without VAT'];
  const STANDARD = { ukScheme: 'Standard', ukRate: 0.2, ukCosts: ex, ukFees: ex };
  const OTHER = { ukScheme: 'Not registered', ukRate: 0.2, ukCosts: inc, ukFees: inc };
  const FLAT = { ...OTHER, ukScheme: 'Flat rate' };
  const SOLD = { sell_price: 24, fees: 6.2 };

  it.each<[string, RuleValues, Partial<Figures>, number, number | null]>([
    ['at a flat rate of 16.5 %', { ...FLAT, ukFlatRate: 16.5 }, SOLD, 13, 0.84],
    ['at a flat rate that nobody said', FLAT, SOLD, 13, null],
    ['without a scheme', { ...OTHER, ukScheme: '' }, SOLD, 10, null],
    ['at the standard rate', STANDARD, { ...SOLD, sell_price: 20 }, 10, 0.47],
    [
      'at a rate that is blank',
      { ...STANDARD, ukRate: null },
      { ...SOLD, sell_price: 20 },
      10,
      null,
    ],
    [
      'of no VAT, with fees that bear it',
      { ...OTHER, ukRate: 0, ukFees: ex },
      { sell_price: 18.8, fees: 5.5 },
      10,
      2.2,
    ],
    ['of no VAT, which fees have in them', { ...STANDARD, ukRate: 0, ukFees: inc }, SOLD, 10, 8.83],
    ['with VAT in the cost', OTHER, SOLD, 13.6, 4.2],
    ['without VAT in the cost', { ...OTHER, ukCosts: ex }, SOLD, 13.6, 1.48],
    ['with a cost of which nobody said it', { ...OTHER, ukCosts: null }, SOLD, 13.6, null],
  ])('%s earns what is left', (_, said, figures, cost, profit) => {
    const rules = (key: keyof RuleValues) => said[key];
    const result = whatIf(analysis(figures), cost, null, saleTerms(rules, 'UK'));
    const shown = isFailure(result) ? null : Math.round(result.profit * 100) / 100;
    expect(shown).toBe(profit);
    const price = mostToPay(analysis(figures), null, rules, 'UK');
    expect(isFailure(price)).toBe(profit === null);
  });

  it('of no VAT costs at most what leaves the least profit', () => {
    const said: RuleValues = { ...OTHER, ukRate: 0, ukFees: ex, minProfit: 3, minRoi: 0.3 };
    const one = analysis({ sell_price: 18.8, fees: 5.5 });
    expect(mostToPay(one, null, (key) => said[key], 'UK')).toBe(9.2);
  });
});
