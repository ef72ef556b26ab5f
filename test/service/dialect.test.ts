// What one answer decides about its service: units by arithmetic, names of prices, and questions where nothing is sure.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type ConnectionSettings, parseConnection } from '../../src/connection/connection';
import { isFailure } from '../../src/failures/failure';
import { type DialectSetting, decideDialect } from '../../src/service/dialect';
import { findAnalysis } from '../../src/service/find-analysis';
import { readAnalysis } from '../../src/service/parse-analysis';

const ASIN = 'B0XKT7M4QN';

const MUG = {
  asin: ASIN,
  profit: 9.85,
  roi: 0.8565,
  fees: 11.64,
  buy_price: 11.5,
  sell_price: 32.99,
};

const PRODUCT = { asin: ASIN, market: 'US' } as const;

function decided(body: object, setting: DialectSetting, before: ConnectionSettings = {}) {
  const { dialect, questions } = decideDialect(findAnalysis(body, before).sent, before);
  const asked = questions.find((one) => one.setting === setting);
  return [dialect[setting], asked?.options.map(({ value }) => value)];
}

describe('the unit of ROI', () => {
  it.each<[string, object, string]>([
    ['profit divided by buy price', MUG, 'fraction'],
    ['a hundred times that', { ...MUG, roi: 85.65 }, 'percent'],
    ['a rounded percentage', { ...MUG, roi: 86 }, 'percent'],
    ['a return on all costs', { ...MUG, roi: 42.5 }, 'percent'],
    ['a loss', { ...MUG, profit: -2, roi: -0.174 }, 'fraction'],
    ['a loss in percent', { ...MUG, profit: -2, roi: -17.4 }, 'percent'],
    ['a return of 1,200 percent', { ...MUG, profit: 60, buy_price: 5, roi: 12 }, 'fraction'],
    ['the buy price that follows', { ...MUG, buy_price: null, roi: 85.65 }, 'percent'],
    ['too much for a fraction', { profit: 9.85, fees: 11.64, roi: 85.65 }, 'percent'],
    ['a percent sign', { ...MUG, roi: '85.65%' }, 'fraction'],
  ])('is proved by %s', (_, body, unit) => {
    expect(decided(body, 'roiUnit')).toEqual([unit, undefined]);
    expect(decided(body, 'roiUnit', { roiUnit: 'fraction' })).toEqual([unit, undefined]);
    expect(decided(body, 'roiUnit', { roiUnit: 'percent' })).toEqual([unit, undefined]);
  });

  const open = { profit: 9.85, fees: 11.64 };

  it.each<[string, object, string]>([
    ['it could be both', { ...open, roi: 0.8565 }, 'fraction'],
    ['it is rather a percentage', { ...open, roi: 3.2 }, 'percent'],
    ['only its name says it', { ...open, roi_percent: 0.9 }, 'percent'],
    ['there is next to no profit', { ...MUG, profit: 0.02, roi: 0.17 }, 'fraction'],
    ['the signs do not fit', { ...MUG, roi: -0.8565 }, 'fraction'],
  ])('is asked with a guess where %s, once', (_, body, guess) => {
    expect(decided(body, 'roiUnit')).toEqual([guess, ['fraction', 'percent']]);
    expect(decided(body, 'roiUnit', { roiUnit: 'percent' })).toEqual(['percent', undefined]);
  });

  it.each([
    { ...MUG, roi: null },
    { ...MUG, profit: 0, roi: 0 },
  ])('is left alone in %j', (body) => {
    expect(decided(body, 'roiUnit')).toEqual([undefined, undefined]);
  });

  it('is never proved wrongly by what a service could send', () => {
    const cents = fc.integer({ min: 100, max: 50_000 });
    fc.assert(
      fc.property(
        cents,
        fc.integer({ min: -9_000, max: 50_000 }),
        fc.boolean(),
        (buy, gain, isPercent) => {
          const profit = gain / 100;
          const ratio = gain / buy;
          const roi = Number((isPercent ? ratio * 100 : ratio).toFixed(isPercent ? 2 : 4));
          const body = { ...MUG, profit, buy_price: buy / 100, roi };
          const [unit, asked] = decided(body, 'roiUnit');
          if (asked === undefined && roi !== 0)
            expect(unit).toBe(isPercent ? 'percent' : 'fraction');
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('the unit of money', () => {
  const pence = { ...MUG, profit: 985, fees: 1_164, buy_price: 1_150, sell_price: 3_299 };

  it.each<[string, object]>([
    ['parts of a unit', MUG],
    ['hundredths written out', { ...pence, fees: '180.00' }],
    ['thousands written out', { ...pence, sell_price: '3,299' }],
    ['a currency', { ...pence, profit: '$985' }],
    ['the code of a currency', { ...pence, fees: '1164 USD' }],
    ['one price that happens to be whole', { ...MUG, sell_price: 33 }],
  ])('is proved by %s', (_, body) => {
    expect(decided(body, 'moneyUnit')).toEqual(['units', undefined]);
    expect(decided(body, 'moneyUnit', { moneyUnit: 'hundredths' })).toEqual(['units', undefined]);
  });

  it.each<[string, object, string]>([
    ['whole numbers alone', pence, 'hundredths'],
    ['whole numbers as text', { ...pence, profit: '985', fees: '1164' }, 'hundredths'],
    ['fees in whole parts', { ...pence, fees: { referral: 494, fulfilment: 670 } }, 'hundredths'],
    ['one large whole number', { profit: 1_985, roi: 0.85 }, 'hundredths'],
    ['small whole numbers', { profit: 10, fees: 12, buy_price: 11, sell_price: 33 }, 'units'],
    ['a dear product in parts', { ...pence, fees: 180.25 }, 'units'],
  ])('is asked with a guess for %s, once', (_, body, guess) => {
    expect(decided(body, 'moneyUnit')).toEqual([guess, ['units', 'hundredths']]);
    expect(decided(body, 'moneyUnit', { moneyUnit: 'units' })).toEqual(['units', undefined]);
  });

  it('is left alone where no amount is', () => {
    expect(decided({ roi: 0.85, eligible: true }, 'moneyUnit')).toEqual([undefined, undefined]);
  });
});

describe('the names of the prices', () => {
  const { buy_price: landed, sell_price: asking, ...six } = MUG;
  const names = (more: object, before: ConnectionSettings = {}) => [
    decided({ ...six, ...more }, 'buyPriceName', before),
    decided({ ...six, ...more }, 'sellPriceName', before),
  ];
  const USUAL = [undefined, undefined];

  it('need no setting where one usual name is there', () => {
    expect(names({ buy_price: landed, cost: 3, sellPrice: asking, price: 40 })).toEqual([
      USUAL,
      USUAL,
    ]);
    expect(names({ cogs: landed, price: asking, buybox: asking })).toEqual([USUAL, USUAL]);
  });

  it('are found by arithmetic among names that nobody knows', () => {
    const found = [
      ['landed', undefined],
      ['asking', undefined],
    ];
    expect(names({ landed, asking, rating: 4.5, rank: 3_299 })).toEqual(found);
    expect(names({ landed: '$11.50', asking: '32,99', roi: 85.65 })).toEqual(found);
    expect(names({ landed, asking: asking + 1 })).toEqual([USUAL, USUAL]);
    expect(names({ landed: landed + 1, asking: asking + 1 })).toEqual([USUAL, USUAL]);
    expect(names({ cost: landed, asking, other: 7 })[1]).toEqual(['asking', undefined]);
  });

  it('are asked where several fit, and none of them is used before', () => {
    expect(names({ landed, asking, lowest: asking })).toEqual([
      ['landed', undefined],
      [undefined, ['', 'asking', 'lowest']],
    ]);
  });

  it('are decided by arithmetic among usual names, else asked', () => {
    const two = { cogs: landed, price: 35, buybox: asking };
    expect(names(two)[1]).toEqual(['buybox', undefined]);
    expect(names({ ...two, roi: null })[1]).toEqual(['price', ['price', 'buybox']]);
  });

  it('stay as they were chosen, as long as the answer has them', () => {
    const two = { cogs: landed, price: 35, buybox: asking };
    expect(names(two, { sellPriceName: 'Price' })[1]).toEqual(['Price', undefined]);
    expect(names(two, { sellPriceName: 'gone' })[1]).toEqual(['buybox', undefined]);
    expect(names({}, { sellPriceName: 'gone' })[1]).toEqual(['gone', undefined]);
  });
});

describe('whatever a service sends', () => {
  const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e21, -1e308, 5e-324));
  const value = fc.oneof(number, fc.string(), fc.constant(null), fc.array(fc.string()));
  const known = ['profit', 'roi', 'fees', 'eligible', 'cost', 'price', 'currency'];
  const body = fc.record(Object.fromEntries(known.map((name) => [name, value])), {
    requiredKeys: [],
  });
  const others = fc.dictionary(fc.string({ minLength: 1, maxLength: 80 }), value, { maxKeys: 3 });

  it('decides what a record can hold, and what reads the same answer', () => {
    fc.assert(
      fc.property(body, others, (some, more) => {
        const sent = { ...some, ...more };
        const { dialect } = decideDialect(findAnalysis(sent, {}).sent, {});
        const record = {
          ...{ baseUrl: 'https://api.example.com', apiKey: 'demo-key-12345678' },
          ...{ quota: null, settings: dialect, fingerprint: '0123456789abcdef' },
        };
        expect(parseConnection(JSON.stringify(record)).kind).toBe('connection');
        const read = readAnalysis(findAnalysis(sent, dialect), PRODUCT, dialect, 0);
        if (isFailure(read)) expect(read.kind).toBe('not-understood');
      }),
      { numRuns: 1_000 },
    );
  });
});
