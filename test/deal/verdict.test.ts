// The decision about an offer: own costs, targets on two levels, and the reasons in their order.
import { describe, expect, it } from '@jest/globals';
import type { CostCell, Costs } from '../../src/product/cost';
import { costBehind, costProblems, landedCost } from '../../src/product/cost';
import type { Figures } from '../../src/product/fields';
import { roundTo } from '../../src/product/term';
import { decide, type VerdictRule, verdict } from '../../src/product/verdict';

const NOW_MS = Date.UTC(2026, 0, 5, 9);
const DAY_MS = 86_400_000;

const FIGURES: Figures = {
  profit: 6,
  roi: 0.5,
  fees: 8,
  eligible: true,
  rank_drops_30d: 40,
  buy_price: 12,
  sell_price: 30,
};
const COSTS: Costs = {
  cost: 15,
  pack: null,
  multipack: null,
  discount: null,
  prep: null,
  shipping: null,
  other: null,
  vatRate: null,
  salesTax: null,
  vat: { isSaid: true, cost: 1, sale: 1, fees: 1 },
};
/** What is left out is not asked for. */
type Targets = { readonly [Key in VerdictRule]?: number | boolean | string };
const RULES: Targets = {
  ...{ minProfit: 3, minRoi: 0.3, minDrops: 10, maxFees: 20 },
  ...{ maybeProfit: 1, maybeRoi: 0.1 },
  eligibleOnly: true,
  staleDays: 7,
};

function deal(
  figures: Partial<Figures> = {},
  costs: Partial<Costs> = {},
  targets: Targets = RULES,
  days: number | null = 1,
) {
  const fetchedAtMs = days === null ? null : NOW_MS - days * DAY_MS;
  const analysis = { figures: { ...FIGURES, ...figures }, fetchedAtMs, market: 'US' as const };
  return verdict(analysis, { ...COSTS, ...costs }, (key) => targets[key], NOW_MS);
}

describe('what a sale costs', () => {
  it.each<[Partial<Costs>, number | null]>([
    [{}, 15],
    [{ pack: 3 }, 5],
    [{ discount: 0.1 }, 13.5],
    [{ multipack: 2 }, 30],
    [{ pack: 6, multipack: 2 }, 5],
    [{ vat: { isSaid: true, cost: 1.2, sale: 1, fees: 1 } }, 18],
    [{ prep: 1, shipping: 0.5, other: 0.25 }, 16.75],
    [{ cost: 120, pack: 10, discount: 0.25, prep: 0.3, shipping: 0.9 }, 10.2],
    [{ cost: null }, null],
    [{ cost: 0 }, null],
    [{ cost: '15 or so' }, null],
    [{ pack: 0 }, null],
    [{ pack: 10_000 }, 0.0015],
    [{ pack: 46_185 }, null],
    [{ discount: 1 }, null],
    [{ other: -1 }, null],
    [{ prep: 'free' }, null],
  ])('with %j is %p, and back again', (given, unit) => {
    const costs = { ...COSTS, ...given };
    const found = landedCost(costs);
    expect(found === null ? null : roundTo(found, 6)).toBe(unit);
    if (found !== null) expect(costBehind(costs, found)).toBeCloseTo(Number(costs.cost), 9);
  });

  it('says what cannot be used, all of it and in one order', () => {
    const of = (given: Partial<Costs>) => costProblems({ ...COSTS, ...given });
    expect(of({})).toEqual([]);
    expect(of({ cost: '' })).toEqual(['No cost']);
    const wrong: CostCell = 'x';
    const all = {
      cost: -1,
      pack: wrong,
      discount: 1,
      multipack: wrong,
      prep: true,
      shipping: -2,
    };
    expect(of(all)).toEqual([
      ...['Check cost', 'Check case size', 'Check multipack', 'Check discount', 'Check prep'],
      'Check shipping',
    ]);
  });
});

describe('a verdict', () => {
  it('is Buy where every target is met', () => {
    expect(deal()).toEqual({
      ...{ verdict: 'Buy', reasons: [], profit: 7, roi: 0.46666667, maxBuy: 16.92, breakEven: 23 },
      // 7 of 30.
      margin: 0.23333333,
    });
  });

  it.each([0.33333, 1 / 3, 0.12345])(
    'is Buy at the highest price to pay, and not a penny above, for an ROI of %d',
    (minRoi) => {
      for (let sell = 5_000; sell < 30_000; sell += 137) {
        const [figures, targets] = [{ fees: 3.1, sell_price: sell / 100 }, { minRoi }];
        const most = deal(figures, { pack: 12 }, targets).maxBuy ?? Number.NaN;
        const at = (cost: number) => deal(figures, { pack: 12, cost }, targets).verdict;
        expect([at(most), at(most + 0.01)]).toEqual(['Buy', 'Maybe']);
      }
    },
  );

  it('is Maybe where those of that level are met, and says what Buy asks for', () => {
    const { verdict: word, reasons } = deal({}, { cost: 18 });
    expect([word, ...reasons]).toEqual(['Maybe', 'ROI under 30%']);
  });

  it('is Skip where neither is', () => {
    const { verdict: word, reasons } = deal({ rank_drops_30d: 4 }, { cost: 21.456 });
    expect([word, ...reasons]).toEqual([
      ...['Skip', 'Profit under $3', 'ROI under 30%', 'Rank drops under 10'],
    ]);
  });

  it.each<[string, Partial<Figures>, number | null, string, string]>([
    ['what may not be sold', { eligible: false }, 1, 'Skip', 'Not eligible'],
    ['an approval to be had', { eligible: 'Needs approval' }, 1, 'Maybe', 'Needs approval'],
    ['silence about that', { eligible: null }, 1, 'Maybe', 'Eligibility unknown'],
    ['silence about sales', { rank_drops_30d: null }, 1, 'Maybe', 'Rank drops unknown'],
    ['high fees', { fees: 21, sell_price: 50 }, 1, 'Maybe', 'Fees over $20'],
    ['old figures', {}, 9.5, 'Maybe', 'Figures older than 7 days'],
    ['fees far beyond', { fees: 26, sell_price: 60 }, 1, 'Skip', 'Fees over $20'],
    ['figures of the day before', {}, 1.2, 'Maybe', 'Figures older than 1 day'],
    ['figures of no known age', {}, null, 'Maybe', 'Figures older than 7 days'],
  ])('takes %s into account', (_what, figures, days, word, reason) => {
    const targets = { ...RULES, maybeFees: 25, ...(days === 1.2 ? { staleDays: 1 } : {}) };
    const found = deal(figures, { cost: 11 }, targets, days);
    expect([found.verdict, ...found.reasons]).toEqual([word, reason]);
  });

  it('asks for nothing but no loss where nothing is asked', () => {
    const figures = { eligible: false, rank_drops_30d: null } as const;
    expect(deal(figures, { cost: 20 }, {}, null).verdict).toBe('Buy');
    expect(deal(figures, { cost: 100 }, {}, null).verdict).toBe('Skip');
  });

  it('asks for no target that is no number', () => {
    const words = { minProfit: '99', minRoi: 'high', maxFees: '1', maybeFees: '', staleDays: '0' };
    expect(deal({}, {}, words).verdict).toBe('Buy');
    expect(deal({ rank_drops_30d: 0 }, {}, { ...words, minDrops: 'many' }, null).verdict).toBe(
      'Buy',
    );
  });

  it('leaves the age out where it is not to count', () => {
    const figures = { figures: FIGURES, market: 'US' as const };
    const old = { ...figures, fetchedAtMs: NOW_MS - 30 * DAY_MS };
    const unknown = { ...figures, fetchedAtMs: null };
    for (const analysis of [old, unknown])
      expect(decide(analysis, COSTS, (key) => RULES[key], null)).toMatchObject({
        ...{ verdict: 'Buy', reasons: [] },
      });
  });

  it('keeps to a target that is met exactly, whatever doubles make of it', () => {
    const costs = { cost: 1.1, prep: 1.2 };
    expect(deal({ sell_price: 10.4 }, costs, { minProfit: 0.1 }).verdict).toBe('Buy');
  });

  it('is none where something is missing, and says what', () => {
    const none = { sell_price: null, fees: null, profit: null };
    expect(deal(none, { cost: null, pack: 0 })).toEqual({
      verdict: 'No verdict',
      reasons: ['No cost', 'Check case size'],
      profit: null,
      roi: null,
      margin: null,
      maxBuy: null,
      breakEven: null,
    });
    expect(deal({}, { cost: null })).toMatchObject({ reasons: ['No cost'], maxBuy: 16.92 });
    const reasonsOf = (figures: Partial<Figures>, costs: Partial<Costs>) => {
      const { verdict: word, reasons } = deal(figures, costs);
      return [word, ...reasons];
    };
    expect(reasonsOf({}, { pack: 'x' })).toEqual(['No verdict', 'Check case size']);
    expect(reasonsOf({ fees: null }, {})).toEqual(['No verdict', 'No fees']);
    expect(deal({ fees: null }).maxBuy).toBeNull();
    expect(deal({}, { pack: 'x' }).maxBuy).toBeNull();
  });
});

describe('a sell price that the service does not give', () => {
  it.each<[string, Partial<Figures>, 'fraction' | undefined, number | null]>([
    ['buy price, fees and profit', { profit: 6, fees: 8, buy_price: 12 }, undefined, 26 - 8 - 15],
    ['ROI as a fraction', { buy_price: null, roi: 0.5 }, 'fraction', 26 - 8 - 15],
    ['ROI of no known unit', { buy_price: null, roi: 50 }, undefined, null],
    ['ROI of nothing', { buy_price: null, roi: 0 }, 'fraction', null],
    ['prices below zero', { buy_price: -20 }, undefined, null],
  ])('follows from %s', (_what, figures, roiUnit, profit) => {
    const all = { ...FIGURES, sell_price: null, ...figures };
    const unit = roiUnit === undefined ? {} : { roiUnit };
    const known = { figures: all, fetchedAtMs: NOW_MS, market: 'US' as const, ...unit };
    const found = verdict(known, COSTS, (key) => RULES[key], NOW_MS);
    expect(found.profit).toBe(profit);
    expect(found.reasons.includes('Sell price estimated')).toBe(profit !== null);
  });
});

it('breaks even at the sell price that leaves no profit, whatever is owed on the sale', () => {
  const vat = { isSaid: true, cost: 1.2, sale: 1 / 1.2, fees: 1.2 };
  const { breakEven } = deal({}, { vat });
  expect(breakEven).not.toBeNull();
  for (const [more, isLoss] of [
    [0, false],
    [-0.01, true],
  ] as const) {
    const { profit } = deal({ sell_price: (breakEven ?? 0) + more }, { vat });
    expect([more, (profit ?? 0) < 0]).toEqual([more, isLoss]);
  }
  expect(deal({ fees: null }).breakEven).toBeNull();
});

describe('the most to pay', () => {
  it('is what makes both targets, in the terms of the cost column', () => {
    const costs = { cost: null, pack: 10, discount: 0.25, prep: 0.3, shipping: 0.9 };
    const { maxBuy } = deal({}, costs);
    expect(maxBuy).toBe(209.64);
    expect(deal({}, { ...costs, cost: maxBuy }).verdict).toBe('Buy');
    expect(deal({}, { ...costs, cost: Number(maxBuy) + 0.01 }).verdict).toBe('Maybe');
  });

  it('is what makes the profit where that asks for more', () => {
    expect(deal({}, {}, { minProfit: 10, minRoi: 0.3 }).maxBuy).toBe(12);
    expect(deal({}, {}, { minRoi: 0.1 }).maxBuy).toBe(20);
    expect(deal({}, {}, {}).maxBuy).toBe(22);
  });

  it('is what makes the margin where that asks for more', () => {
    const targets = { minRoi: 0.3, minMargin: 0.2 };
    expect(deal({}, {}, targets).maxBuy).toBe(16);
    expect(deal({}, { cost: 16 }, targets).verdict).toBe('Buy');
    expect(deal({}, { cost: 16.01 }, targets)).toMatchObject({
      ...{ verdict: 'Maybe', reasons: ['Margin under 20%'], margin: 0.19966667 },
    });
  });

  it('is 0 where no price makes them', () => {
    expect(deal({ sell_price: 5 }).maxBuy).toBe(0);
  });
});

it.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [2.5, 0, 3],
  [-2.5, 0, -3],
  [0.1 + 0.2, 2, 0.3],
  // 0.555, a little below.
  [1.01 - 0.455, 2, 0.56],
  [1e-9, 2, 0],
  [1e21, 2, 1e21],
  [123_456_789.125, 2, 123_456_789.13],
  [0, 2, 0],
])('%p to %p places is %p', (value, places, rounded) => {
  expect(roundTo(value, places)).toBe(rounded);
});
