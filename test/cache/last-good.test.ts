// The last good analyses: thousands in a small store, found under their own product and connection.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { lastGood } from '../../src/cache/last-good';
import { Refused, type Store } from '../../src/platform/ports';
import type { Analysis } from '../../src/product/analysis';
import { figuresBy } from '../../src/product/fields';
import { type MemoryStore, memoryStore } from '../memory-store';

const NOW = 1_760_000_000_000;
const STORE_BYTES = 500 * 1_024;

/** What is left to connections, jobs and schedules. */
const OTHERS_BYTES = 100 * 1_024;

/** An analysis with figures as long as real ones are. */
function analysisOf(number: number, more: Partial<Analysis> = {}): Analysis {
  const figures = {
    ...figuresBy(() => null),
    profit: 1_000 + number / 100,
    roi: 0.8565,
    fees: 11.64,
    eligible: number % 2 === 0,
    rank_drops_30d: 66,
    buy_price: 11.5,
    sell_price: 32.99,
  };
  return { figures, extras: [], roiUnit: 'fraction', fetchedAtMs: NOW + number * 1_000, ...more };
}

const keyOf = (i: number) => `B0${String(i).padStart(8, '0')}|US`;
const manyOf = (count: number, first = 0, more: Partial<Analysis> = {}) =>
  new Map(Array.from({ length: count }, (_, i) => [keyOf(first + i), analysisOf(first + i, more)]));

function bytesOf({ values }: MemoryStore): number {
  return [...values].reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
}

describe('an analysis', () => {
  it('comes back as it was saved, its time to the second', () => {
    const store = memoryStore();
    const full = analysisOf(1, {
      extras: [
        ['currency', 'US\tD\n'],
        ['n', 5],
        ['x', null],
      ],
    });
    const { roiUnit: _, ...bare } = analysisOf(2, { fetchedAtMs: NOW + 2_345 });
    lastGood(store, 'f1').save(
      new Map([
        [keyOf(1), full],
        [keyOf(2), bare],
      ]),
    );
    const found = lastGood(store, 'f1').find([keyOf(1), keyOf(2), keyOf(3)]);
    expect(found).toEqual(
      new Map<string, Analysis>([
        [keyOf(1), full],
        [keyOf(2), { ...bare, fetchedAtMs: NOW + 2_000 }],
      ]),
    );
  });

  it('takes the place of an older one, and leaves the others', () => {
    const store = memoryStore();
    lastGood(store, 'f1').save(manyOf(500));
    lastGood(store, 'f1').save(new Map([[keyOf(7), analysisOf(9_000)]]));
    const found = lastGood(store, 'f1').find([...manyOf(500).keys()]);
    expect(found).toEqual(new Map([...manyOf(500), [keyOf(7), analysisOf(9_000)]]));
  });

  it('is found by the execution that saved it, whatever it had read before', () => {
    const good = lastGood(memoryStore(), 'f1');
    expect(good.find([keyOf(1), keyOf(2)]).size).toBe(0);
    good.save(manyOf(3));
    expect(good.find([keyOf(1), keyOf(2)]).size).toBe(2);
  });

  it('never crosses from one connection or way of reading to another', () => {
    // A bracket parts a connection from its way of reading, so no fingerprint has one.
    const scope = fc.string({ minLength: 1, maxLength: 180 }).filter((text) => !text.includes('['));
    const scopes = fc.uniqueArray(scope, { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(scopes, (names) => {
        const store = memoryStore();
        names.forEach((scope, i) => {
          lastGood(store, scope).save(new Map([[keyOf(1), analysisOf(i)]]));
        });
        names.forEach((scope, i) => {
          expect(
            lastGood(store, scope)
              .find([keyOf(1)])
              .get(keyOf(1)),
          ).toEqual(analysisOf(i));
        });
        expect(lastGood(store, 'another').find([keyOf(1)]).size).toBe(0);
      }),
    );
  });

  it('outlives a try in vain, which the next answer ends', () => {
    const store = memoryStore();
    const key = keyOf(1);
    const tried = { failure: { kind: 'not-found' } as const, atMs: NOW + 5_000 };
    lastGood(store, 'f1').save(manyOf(3));
    lastGood(store, 'f1').saveTried(new Map([[key, tried]]));
    expect(lastGood(store, 'f1').find([key]).get(key)).toEqual(analysisOf(1));
    expect(lastGood(store, 'f1').findTried([key, keyOf(2)])).toEqual(new Map([[key, tried]]));
    expect(lastGood(store, 'f2').findTried([key]).size).toBe(0);
    lastGood(store, 'f1').save(new Map([[key, analysisOf(9)]]));
    expect(lastGood(store, 'f1').findTried([key]).size).toBe(0);
  });

  it('of one connection too many makes the page forget the others', () => {
    const store = memoryStore();
    for (let i = 0; i <= 10; i++) lastGood(store, `f${i}`).save(manyOf(1));
    expect(lastGood(store, 'f10').find([keyOf(0)]).size).toBe(1);
    expect(lastGood(store, 'f1').find([keyOf(0)]).size).toBe(0);
  });
});

describe('the store', () => {
  it('holds 5,000 products with their figures, and leaves room for the others', () => {
    const store = memoryStore();
    lastGood(store, '0123456789abcdef').save(manyOf(5_000));
    const found = lastGood(store, '0123456789abcdef').find([...manyOf(5_000).keys()]);
    expect(found.size).toBeGreaterThanOrEqual(4_950);
    expect(bytesOf(store)).toBeLessThan(STORE_BYTES - OTHERS_BYTES);
  });

  it('drops the oldest when there are more', () => {
    const store = memoryStore();
    for (let first = 0; first < 9_000; first += 500) lastGood(store, 'f1').save(manyOf(500, first));
    const good = lastGood(store, 'f1');
    expect(good.find([...manyOf(4_000, 5_000).keys()]).size).toBeGreaterThanOrEqual(3_990);
    expect(good.find([...manyOf(1_500).keys()]).size).toBeLessThan(30);
    expect(bytesOf(store)).toBeLessThan(STORE_BYTES - OTHERS_BYTES);
  });

  it('gives up what was sent besides figures first, of the oldest first', () => {
    const store = memoryStore();
    const extras: Analysis['extras'] = [['title', '界'.repeat(100)]];
    for (let first = 0; first < 4_000; first += 500)
      lastGood(store, 'f1').save(manyOf(500, first, { extras }));
    const found = lastGood(store, 'f1').find([...manyOf(4_000).keys()]);
    expect(found.size).toBe(4_000);
    const withExtras = [...found.values()].filter((one) => one.extras.length > 0);
    expect(withExtras.length).toBeGreaterThan(100);
    expect(Math.min(...withExtras.map((one) => one.fetchedAtMs))).toBeGreaterThan(NOW + 2_000_000);
  });

  it('keeps no extras that would take the place of many products', () => {
    const store = memoryStore();
    const extras: Analysis['extras'] = [['title', 'x'.repeat(1_200)]];
    lastGood(store, 'f1').save(new Map([[keyOf(1), analysisOf(1, { extras })]]));
    expect(
      lastGood(store, 'f1')
        .find([keyOf(1)])
        .get(keyOf(1)),
    ).toEqual(analysisOf(1));
  });

  it('is called once to find, and twice to save, however many there are', () => {
    const store = memoryStore();
    lastGood(store, 'f1').save(manyOf(300));
    expect(store.calls()).toBe(2);
    lastGood(store, 'f1').find([keyOf(1)]);
    expect(store.calls()).toBe(3);
    const good = lastGood(store, 'f1');
    good.find([...manyOf(300).keys()]);
    good.find([...manyOf(300).keys()]);
    expect(store.calls()).toBe(4);
  });

  it('that Google closes for the day harms nobody', () => {
    const closed: Store = {
      ...memoryStore(),
      readAll: () => ({}),
      writeAll: () => false,
    };
    const good = lastGood(closed, 'f1');
    good.save(manyOf(3));
    expect(good.find([keyOf(1), keyOf(2)]).size).toBe(0);
  });

  it('that Google does not give stays as it is, and is not written without what was in it', () => {
    const store = memoryStore();
    lastGood(store, 'f1').save(manyOf(3));
    const refusing: Store = {
      ...store,
      readAll: () => {
        throw new Refused({ kind: 'google-busy', words: 'Service error' });
      },
    };
    lastGood(refusing, 'f1').save(new Map([[keyOf(1), analysisOf(9)]]));
    expect(lastGood(store, 'f1').find([...manyOf(3).keys()])).toEqual(manyOf(3));
  });

  it('with any text in it counts as an empty one, and is mended by the next analysis', () => {
    const texts = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom('\n', '#', '\t', '"f1"', '0', keyOf(1), 'zz', '[[', ']', 'null'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const store = memoryStore();
        lastGood(store, 'f1').save(manyOf(3));
        for (const name of store.values.keys()) store.write(name, text);
        expect(lastGood(store, 'f1').find([keyOf(1)]).size).toBe(0);
        lastGood(store, 'f1').save(manyOf(3));
        expect(lastGood(store, 'f1').find([...manyOf(3).keys()])).toEqual(manyOf(3));
      }),
    );
  });
});

describe('days that Google counts by', () => {
  const DAY_MS = 86_400_000;
  const dayOf = (sinceMs: number) => JSON.stringify({ sinceMs, calls: 5, propertyCalls: 9 });

  it('are forgotten with the keys that nobody has used for a month', () => {
    const store = memoryStore();
    store.write('beside', JSON.stringify({ sinceMs: NOW, list: [] }));
    for (let day = 0; day < 90; day += 1) {
      const others = { [`key-day:key ${day}`]: dayOf(NOW + day * DAY_MS), answered: 'there' };
      lastGood(store, 'f1').save(manyOf(1, day), others);
    }
    const days = [...store.values.keys()].filter((name) => name.startsWith('key-day:'));
    expect(days).toEqual(Array.from({ length: 31 }, (_, at) => `key-day:key ${59 + at}`));
    expect(store.read('beside')).not.toBeNull();
    expect(lastGood(store, 'f1').find([keyOf(0), keyOf(89)]).size).toBe(2);
  });

  it('are left where Google does not take them away', () => {
    const store = memoryStore();
    store.write('key-day:old', dayOf(NOW));
    const refusing: Store = {
      ...store,
      remove: () => {
        throw new Refused({ kind: 'google-busy', words: 'no' });
      },
    };
    const others = { 'key-day:new': dayOf(NOW + 31 * DAY_MS) };
    lastGood(refusing, 'f1').save(manyOf(1), others);
    expect(lastGood(store, 'f1').find([keyOf(0)]).size).toBe(1);
  });
});
