// What answers tell of the service: units and names, where something is sure, counted over executions.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parseConnection } from '../../src/connection/connection';
import { isFailure } from '../../src/failures/failure';
import { newsIn, type Observation, observationsIn } from '../../src/service/calibration';
import { observationLog, readObservations } from '../../src/service/observations';
import { type ReaderSettings, readAnalysis } from '../../src/service/parse-analysis';
import { memoryCache } from '../memory-store';

// What answers tell: units by arithmetic, names by what was sent, and nothing where nothing is sure.
describe('what an answer tells', () => {
  const ASIN = 'B0XKT7M4QN';

  const RECORD = {
    version: 2,
    baseUrl: 'https://api.example.com',
    apiKey: 'demo-key-12345678',
    quota: null,
    settings: {},
    fingerprint: '0123456789abcdef',
  };

  const MUG = {
    asin: ASIN,
    profit: 9.85,
    roi: 0.8565,
    fees: 11.64,
    buy_price: 11.5,
    sell_price: 32.99,
  };

  const PRODUCT = { asin: ASIN, market: 'US' } as const;

  function told(body: object, reading: ReaderSettings = {}) {
    const analysis = readAnalysis(body, PRODUCT, reading, 0);
    if (isFailure(analysis)) throw new Error(analysis.kind);
    return observationsIn(body, analysis, reading);
  }

  const toldValue = (all: readonly Observation[], setting: string) =>
    all.find((one) => one.setting === setting)?.value;

  describe('the unit of ROI', () => {
    const unitOf = (body: object, reading?: ReaderSettings) =>
      toldValue(told(body, reading), 'roiUnit');

    it.each<[string, object, string | undefined]>([
      ['profit divided by buy price', MUG, 'fraction'],
      ['a hundred times that', { ...MUG, roi: 85.65 }, 'percent'],
      ['a rounded percentage', { ...MUG, roi: 86 }, 'percent'],
      ['a return on all costs', { ...MUG, roi: 42.5 }, 'percent'],
      ['a loss', { ...MUG, profit: -2, roi: -0.174 }, 'fraction'],
      ['a loss in percent', { ...MUG, profit: -2, roi: -17.4 }, 'percent'],
      ['a return of 1,200 percent', { ...MUG, profit: 60, buy_price: 5, roi: 12 }, 'fraction'],
      [
        'the buy price that follows from the others',
        { ...MUG, buy_price: null, roi: 85.65 },
        'percent',
      ],
      [
        'no prices, but too much for a fraction',
        { profit: 9.85, fees: 11.64, roi: 85.65 },
        'percent',
      ],
      ['no prices, and it could be both', { profit: 9.85, fees: 11.64, roi: 0.8565 }, undefined],
      ['next to no profit', { ...MUG, profit: 0.02, roi: 0.17 }, undefined],
      ['no ROI', { ...MUG, roi: null }, undefined],
      ['no profit, no ROI', { ...MUG, profit: 0, roi: 0 }, undefined],
      ['signs that do not fit', { ...MUG, roi: -0.8565 }, undefined],
      ['a percent sign', { ...MUG, roi: '85.65%' }, 'fraction'],
    ])('by %s', (_, body, unit) => {
      expect(unitOf(body)).toBe(unit);
    });

    it('is the same for whoever reads it under a setting', () => {
      for (const roiUnit of ['fraction', 'percent'] as const) {
        expect(unitOf(MUG, { roiUnit })).toBe('fraction');
        expect(unitOf({ ...MUG, roi: 85.65 }, { roiUnit })).toBe('percent');
      }
    });

    it('is never the wrong one for what a service could send', () => {
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
            const unit = unitOf({ ...MUG, profit, buy_price: buy / 100, roi });
            expect([undefined, isPercent ? 'percent' : 'fraction']).toContain(unit);
          },
        ),
        { numRuns: 5_000 },
      );
    });
  });

  describe('the unit of money', () => {
    const unitOf = (body: object, reading?: ReaderSettings) =>
      toldValue(told(body, reading), 'moneyUnit');
    const pence = { ...MUG, profit: 985, fees: 1_164, buy_price: 1_150, sell_price: 3_299 };

    it.each<[string, object, string | undefined]>([
      ['parts of a unit', MUG, 'units'],
      ['whole numbers alone', pence, 'hundredths'],
      ['whole numbers as text', { ...pence, profit: '985', fees: '1164' }, 'hundredths'],
      [
        'whole fees and profit, without prices',
        { profit: 985, fees: 1_164, roi: 0.85 },
        'hundredths',
      ],
      [
        'whole amounts written with their hundredths',
        { profit: '220.00', fees: '180.00', buy_price: '800.00', sell_price: '1,200.00' },
        'units',
      ],
      [
        'whole amounts with a currency',
        { profit: '$220', fees: 180, buy_price: 800, sell_price: 1_200 },
        'units',
      ],
      [
        'whole amounts written with their thousands',
        { ...pence, profit: '985', sell_price: '3,299' },
        'units',
      ],
      ['whole amounts with the code of their currency', { ...pence, fees: '1164 USD' }, 'units'],
      ['fees in parts', { ...pence, fees: { referral: 494, fulfilment: 670 } }, 'hundredths'],
      ['a price that happens to be whole', { ...MUG, sell_price: 33 }, 'units'],
      [
        'whole units of a small thing',
        { profit: 10, fees: 12, buy_price: 11, sell_price: 33, roi: 0.9 },
        undefined,
      ],
      ['one whole number', { profit: 985, roi: 0.85 }, undefined],
      ['no money at all', { roi: 0.85, eligible: true }, undefined],
    ])('by %s', (_, body, unit) => {
      expect(unitOf(body)).toBe(unit);
    });

    it('is the same for whoever reads it under a setting', () => {
      for (const moneyUnit of ['units', 'hundredths'] as const) {
        expect(unitOf(MUG, { moneyUnit })).toBe('units');
        expect(unitOf(pence, { moneyUnit })).toBe('hundredths');
      }
    });
  });

  describe('names and forms', () => {
    const body = {
      profit: 9.85,
      fees: { total: 11.64 },
      eligible: 'yes',
      prices: { cogs: 11.5, bb_price: 32.99 },
    };

    it('are those that were sent, with how they came', () => {
      expect(told(body).filter(({ setting }) => setting.endsWith('Name'))).toEqual([
        { setting: 'buyPriceName', value: 'cogs', why: 'It came as a number.' },
        { setting: 'sellPriceName', value: 'bb_price', why: 'It came as a number.' },
        { setting: 'eligibleName', value: 'eligible', why: 'It came as text.' },
        { setting: 'feesName', value: 'fees', why: 'It came as an object of parts.' },
      ]);
    });

    it('are not told by what is not known or too long for a name', () => {
      const long = {
        ...MUG,
        [`${' '.repeat(60)}price`]: 3,
        sell_price: undefined,
        buy_price: null,
      };
      const names = told(long).map(({ setting }) => setting);
      expect(names).not.toContain('buyPriceName');
      expect(names).not.toContain('sellPriceName');
    });

    it('are found by arithmetic where nobody knows them', () => {
      const { buy_price: landed, sell_price: asking, ...six } = MUG;
      const names = (more: object) =>
        told({ ...six, ...more }).flatMap(({ setting, value }) =>
          setting.endsWith('PriceName') ? [value] : [],
        );
      expect(names({ landed, asking, rating: 4.5, rank: 3_299 })).toEqual(['landed', 'asking']);
      expect(names({ landed: '$11.50', asking: '32,99', roi: 85.65 })).toEqual([
        'landed',
        'asking',
      ]);
      expect(names({ landed, asking, lowest: asking })).toEqual([]);
      expect(names({ landed, asking: asking + 1 })).toEqual([]);
      expect(names({ landed: landed + 1, asking: asking + 1 })).toEqual([]);
      expect(names({ landed, asking, cost: 10 })).toEqual(['cost']);
    });
  });

  describe('whatever a service sends', () => {
    it('is told in words and names that a record can hold', () => {
      const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e21, -1e308, 5e-324));
      const value = fc.oneof(number, fc.string(), fc.constant(null), fc.array(fc.string()));
      const names = ['profit', 'roi', 'fees', 'eligible', 'cost', 'price', 'currency'];
      const body = fc.record(Object.fromEntries(names.map((name) => [name, value])), {
        requiredKeys: [],
      });
      fc.assert(
        fc.property(
          fc.array(fc.tuple(body, fc.string({ minLength: 1, maxLength: 80 }))),
          (bodies) => {
            for (const [one, feesName] of bodies) {
              const sent = { ...one, [feesName]: 3.5 };
              const analysis = readAnalysis(sent, PRODUCT, { feesName }, 0);
              const all = isFailure(analysis) ? [] : observationsIn(sent, analysis, { feesName });
              const entries = (part: 'value' | 'why') =>
                Object.fromEntries(all.map((t) => [t.setting, t[part]]));
              const record = { ...RECORD, found: entries('value'), reasons: entries('why') };
              expect(parseConnection(JSON.stringify(record)).kind).toBe('connection');
            }
          },
        ),
        { numRuns: 1_000 },
      );
    });
  });

  describe('news', () => {
    it('is what is not settled, and what contradicts what is', () => {
      const settings = (reading: ReaderSettings) =>
        newsIn(told(MUG, reading), reading).map(({ setting }) => setting);
      expect(settings({})).toEqual(['roiUnit', 'moneyUnit']);
      expect(
        settings({ roiUnit: 'fraction', moneyUnit: 'units', buyPriceName: 'buyPrice' }),
      ).toEqual([]);
      expect(settings({ roiUnit: 'percent', moneyUnit: 'units' })).toEqual(['roiUnit']);
      expect(settings({ roiUnit: 'fraction', moneyUnit: 'units', buyPriceName: 'cost' })).toEqual([
        'buyPriceName',
      ]);
    });
  });
});

// Observations ride along with the reads and writes of other things, and are counted over executions.
describe('observations', () => {
  const PERCENT: Observation = { setting: 'roiUnit', value: 'percent', why: 'ROI came as 85.65.' };

  it('cost no call of the cache', () => {
    const cache = memoryCache();
    const log = observationLog(cache, 'scope');
    log.cache.getAll(['a']);
    log.note('B0XKT7M4QN', [PERCENT]);
    log.cache.putAll({ a: '1' }, 60);
    expect(cache.calls()).toBe(2);
    expect(cache.values.get('a')).toBe('1');
    expect(readObservations(cache, 'scope')).toEqual([
      { ...PERCENT, count: 1, asin: 'B0XKT7M4QN' },
    ]);
  });

  it('are counted from one execution to the next, with the first product that showed them', () => {
    const cache = memoryCache();
    for (const asin of ['B0XKT7M4QN', 'B0RWD92FHC', 'B0TZ4LQ8KV']) {
      const log = observationLog(cache, 'scope');
      log.cache.getAll(['a']);
      log.note(asin, [PERCENT]);
      log.cache.putAll({ a: '1' }, 60);
    }
    expect(readObservations(cache, 'scope')).toEqual([
      { ...PERCENT, count: 3, asin: 'B0XKT7M4QN' },
    ]);
    expect(readObservations(cache, 'another')).toEqual([]);
  });

  it('write nothing where nothing was seen, and are few however much is seen', () => {
    const cache = memoryCache();
    const log = observationLog(cache, 'scope');
    log.cache.getAll(['a']);
    log.note('B0XKT7M4QN', []);
    log.cache.putAll({ a: '1' }, 60);
    expect([...cache.values.keys()]).toEqual(['a']);
    log.note(
      'B0XKT7M4QN',
      Array.from({ length: 50 }, (_, i) => ({ ...PERCENT, value: `v${i}` })),
    );
    log.cache.putAll({ a: '2' }, 60);
    expect(readObservations(cache, 'scope')).toHaveLength(12);
  });

  it.each(['', 'null', '{"a":1}', '[['])('that are damaged count as none (%j)', (text) => {
    const cache = memoryCache();
    cache.putAll({ 's:scope': text }, 60);
    expect(readObservations(cache, 'scope')).toEqual([]);
  });
});
