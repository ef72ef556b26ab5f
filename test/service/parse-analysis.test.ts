// The contract's answer, read tolerantly: names, nesting, text, extras; and nonsense refused.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { ConnectionSettings } from '../../src/connection/connection';
import { type Failure, isFailure } from '../../src/failures/failure';
import { type Analysis, FIELDS } from '../../src/product/fields';
import { findAnalysis } from '../../src/service/find-analysis';
import { readAnalysis } from '../../src/service/parse-analysis';

describe('what is read', () => {
  const MUG = 'B0XKT7M4QN';

  const NOW = 1_760_000_000_000;

  /** As the contract shows it. */
  const SIX = {
    asin: MUG,
    profit: 9.85,
    roi: 0.8565,
    fees: 11.64,
    eligible: true,
    rank_drops_30d: 66,
  };

  const FIGURES = {
    profit: 9.85,
    roi: 0.8565,
    fees: 11.64,
    eligible: true,
    rank_drops_30d: 66,
    buy_price: null,
    sell_price: null,
  };

  const read = (body: unknown, settings: ConnectionSettings = {}) =>
    readAnalysis(findAnalysis(body, settings), { asin: MUG, market: 'US' }, settings, NOW);

  const readText = (json: string) => read(JSON.parse(json));

  function analysisOf(body: unknown, settings: ConnectionSettings = {}): Analysis {
    const reading: Analysis | Failure = read(body, settings);
    if (isFailure(reading)) throw new Error(JSON.stringify(reading));
    return reading;
  }

  describe('an answer', () => {
    it("of the contract's six fields is an analysis without prices", () => {
      expect(read(SIX)).toEqual({ figures: FIGURES, extras: [], fetchedAtMs: NOW });
    });

    it('keeps null and missing figures unknown, never 0 or false', () => {
      const nulls = { asin: MUG, profit: null, roi: null, fees: null, eligible: null };
      const unknown = Object.fromEntries(Object.keys(FIGURES).map((name) => [name, null]));
      expect(analysisOf(nulls).figures).toEqual(unknown);
      expect(analysisOf({ asin: MUG, profit: null }).figures).toEqual(unknown);
      expect(analysisOf({ profit: '' }).figures).toEqual(unknown);
    });

    it('keeps 0 and false', () => {
      const { figures } = analysisOf({ ...SIX, profit: 0, eligible: false, rank_drops_30d: 0 });
      expect(figures).toMatchObject({ profit: 0, eligible: false, rank_drops_30d: 0 });
    });

    it('has fees without a minus, and no price where -1 stands for none', () => {
      const { figures } = analysisOf({ ...SIX, fees: '-11.64', price: -1, cost: '-1', profit: -1 });
      expect(figures).toMatchObject({ fees: 11.64, profit: -1 });
      expect(figures).toMatchObject({ buy_price: null, sell_price: null });
    });

    it('has no price of 0, and fees of 0', () => {
      const { figures } = analysisOf({ ...SIX, fees: -0, price: 0, cost: '0.00' });
      expect(figures).toMatchObject({ fees: 0, buy_price: null, sell_price: null });
    });

    it('may come in text, with other names, in any order', () => {
      const body = {
        salesRankDrops30: '66',
        totalFees: '11,64',
        netProfit: '$9.85',
        ROI: '85.65%',
        Eligibility: 'yes',
        buyBoxPrice: '32.99',
        cost: '11.50',
        ASIN: MUG.toLowerCase(),
      };
      expect(analysisOf(body).figures).toEqual({
        ...FIGURES,
        roi: expect.closeTo(0.8565, 10),
        buy_price: 11.5,
        sell_price: 32.99,
      });
    });

    it.each([
      ['beside the figures', { ...SIX, prices: { buy: 11.5, sell: 32.99 } }],
      ['beside their container', { data: SIX, pricing: { buyPrice: 11.5, price: 32.99 } }],
      ['inside of it', { data: { ...SIX, prices: { cost: 11.5, buybox: 32.99 } } }],
    ])('may have its prices one level down, %s', (_, body) => {
      expect(analysisOf(body).figures).toEqual({ ...FIGURES, buy_price: 11.5, sell_price: 32.99 });
    });

    it('does not take what the product sells at for what it costs', () => {
      expect(analysisOf({ ...SIX, buyBoxPrice: 32.99 }).figures).toMatchObject({
        buy_price: null,
        sell_price: 32.99,
      });
    });

    it('is taken by its plain names before other names, whichever comes first', () => {
      const other = { price: 1, cost: 2, netProfit: 3, restrictions: [] };
      const plain = { ...SIX, sell_price: 32.99, buy_price: 11.5, eligible: false };
      const figures = { ...FIGURES, sell_price: 32.99, buy_price: 11.5, eligible: false };
      expect(analysisOf({ ...other, ...plain }).figures).toEqual(figures);
      expect(analysisOf({ ...plain, ...other }).figures).toEqual(figures);
    });

    it('is taken by the surer of two other names, whichever comes first', () => {
      const [price, buybox] = [{ selling_price: 32.99 }, { buybox: 31 }];
      expect(analysisOf({ ...SIX, ...buybox, ...price }).figures.sell_price).toBe(32.99);
      expect(analysisOf({ ...SIX, ...price, ...buybox }).figures.sell_price).toBe(32.99);
    });

    it('is taken from the body itself before anything inside of it', () => {
      expect(analysisOf({ data: { profit: 1 }, ...SIX }).figures.profit).toBe(9.85);
    });

    it('with restrictions instead of a flag is eligible when there are none', () => {
      expect(analysisOf({ profit: 1, restrictions: [] }).figures.eligible).toBe(true);
      expect(analysisOf({ profit: 1, restrictions: ['brand'] }).figures.eligible).toBe(false);
    });

    it('that says it is restricted is never eligible', () => {
      for (const restrictions of [true, 'yes', 1]) {
        const reading = read({ profit: 1, restrictions });
        if (!isFailure(reading)) expect(reading.figures.eligible).not.toBe(true);
      }
      expect(analysisOf({ profit: 1, restrictions: true }).extras).toEqual([
        ['restrictions', true],
      ]);
    });
  });

  describe('the settings of a connection', () => {
    it('name the prices outright, against every other name', () => {
      const body = { ...SIX, buy_price: 1, price: 2, landed_cost: 11.5, 'list price': 32.99 };
      const settings = { buyPriceName: 'landed_cost', sellPriceName: 'List_Price' };
      expect(analysisOf(body, settings).figures).toMatchObject({
        buy_price: 11.5,
        sell_price: 32.99,
      });
    });

    it('may give a name another meaning', () => {
      const settings = { buyPriceName: 'price' };
      expect(analysisOf({ ...SIX, price: 11.5 }, settings).figures).toMatchObject({
        buy_price: 11.5,
        sell_price: null,
      });
    });

    it('make fractions of percentages', () => {
      const percent = analysisOf({ ...SIX, roi: 85.65 }, { roiUnit: 'percent' });
      expect(percent.figures.roi).toBeCloseTo(0.8565, 10);
      expect(percent.roiUnit).toBe('fraction');
      const fraction = analysisOf(SIX, { roiUnit: 'fraction' });
      expect(fraction).toMatchObject({ figures: { roi: 0.8565 }, roiUnit: 'fraction' });
    });

    it('do not divide a percentage twice that says of itself that it is one', () => {
      const { figures } = analysisOf({ ...SIX, roi: '85.65%' }, { roiUnit: 'percent' });
      expect(figures.roi).toBeCloseTo(0.8565, 10);
    });

    it('are not needed for a percentage that says of itself that it is one', () => {
      expect(analysisOf({ ...SIX, roi: '85.65 %' }).roiUnit).toBe('fraction');
    });

    it('are not what a name says against the figures beside it', () => {
      const figures = { profit: 5, fees: 3, buy_price: 20 };
      const read25 = analysisOf({ ...figures, roi_percent: 25 });
      expect(read25).toMatchObject({ figures: { roi: 0.25 }, roiUnit: 'fraction' });
      const what = 'ROI came as 0.25';
      expect(read({ ...figures, roi_percent: 0.25 })).toEqual({ kind: 'other-units', what });
    });
  });

  describe('extras', () => {
    it('keep every field without a word of ours, under its own name', () => {
      const body = { ...SIX, currency: 'USD', 'Sales Rank': 4_211, hazmat: false, brand: null };
      expect(analysisOf(body).extras).toEqual([
        ['currency', 'USD'],
        ['Sales Rank', 4_211],
        ['hazmat', false],
        ['brand', null],
      ]);
    });

    it('may be called what they like', () => {
      const body = '{"profit":1,"__proto__":"p","constructor":"c","toString":"t","a":{"b":1}}';
      const reading = readText(body) as Analysis;
      expect(reading.extras.slice(0, 3)).toEqual([
        ['__proto__', 'p'],
        ['constructor', 'c'],
        ['toString', 't'],
      ]);
      expect(({} as Record<string, unknown>).p).toBeUndefined();
    });

    it('inside of a prototype change nothing', () => {
      const reading = readText('{"__proto__":{"profit":1,"eligible":true},"roi":0.5}') as Analysis;
      expect(reading.figures).toMatchObject({ profit: null, eligible: null, roi: 0.5 });
    });

    it('are few and short', () => {
      const many = Object.fromEntries(
        Array.from({ length: 500 }, (_, i) => [`x${i}`, 'y'.repeat(9e3)]),
      );
      const { extras } = analysisOf({ ...SIX, ...many });
      expect(extras.length).toBeGreaterThan(1);
      expect(extras.flat().join('').length).toBeLessThanOrEqual(1_000);
      const flags = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, true]));
      expect(analysisOf({ ...SIX, ...flags }).extras).toHaveLength(40);
    });
  });

  it("what was sent lists the body's own fields first, then those of its containers", () => {
    const body = { data: { profit: 1, prices: { cost: 2 } }, note: 'n', prices: 5, list: [1] };
    expect(findAnalysis(body, {}).sent).toEqual([
      ['note', 'n'],
      ['prices', 5],
      ['list', [1]],
      ['profit', 1],
      ['cost', 2],
    ]);
  });
});

// Answers that are none: refused in words that name the trouble, and never read as figures.
describe('nonsense', () => {
  const readText = (json: string) =>
    readAnalysis(findAnalysis(JSON.parse(json), {}), { asin: 'B0XKT7M4QN', market: 'US' }, {}, 0);

  it.each([
    ['a figure that is no number', '{"profit":"lots"}', 'profit is not a figure'],
    ['a truth for a number', '{"profit":true}', 'profit is not a figure'],
    ['an object for a number', '{"roi":{"value":1}}', 'roi is not a figure'],
    ['a list for a number', '{"profit":[9.85]}', 'profit is not a figure'],
    ['a number without end', '{"profit":1e999}', 'profit is not a figure'],
    ['a text without end', '{"profit":"1e999"}', 'profit is not a figure'],
    ['half a drop', '{"rank_drops_30d":0.5}', 'rank_drops_30d is not a figure'],
    ['perhaps', '{"eligible":"perhaps"}', 'eligible is not a figure'],
    ['one wrong figure', '{"profit":null,"price":"ask"}', 'sell_price is not a figure'],
    ['a percentage for an amount', '{"profit":"12%"}', 'profit is not a figure'],
    ['a negative price', '{"profit":"?","price":-12.5}', 'profit is not a figure'],
  ])('such as %s is not understood', (_, json, what) => {
    expect(readText(json)).toEqual({ kind: 'not-understood', what });
  });

  it.each([
    '{}',
    '{"price":5}',
    '{"status":"ok","items":[1,2,3],"next":null}',
    '[{"profit":1}]',
    '"profit"',
    'null',
    '5',
  ])('such as %s holds no analysis', (json) => {
    expect(findAnalysis(JSON.parse(json), {}).analyses).toBe('none');
  });

  it('of any shape gives finite figures or words, and is never thrown', () => {
    const names = fc.constantFrom(...FIELDS, 'asin', 'price', 'cost', 'data', 'x', '__proto__');
    const body = fc.dictionary(names, fc.jsonValue({ maxDepth: 3 }));
    fc.assert(
      fc.property(body, (sent) => {
        const reading = readText(JSON.stringify(sent));
        if (isFailure(reading)) expect(reading.kind).toBe('not-understood');
        else {
          const { eligible, ...numbers } = reading.figures;
          expect([true, false, null, 'Needs approval']).toContain(eligible);
          for (const one of Object.values(numbers))
            expect(one === null || Number.isFinite(one)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
