// The result cache: an answer is found under its own product, connection and freshness, or not at all.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { createRandom } from '../../playground/random';
import { lastGood } from '../../src/cache/last-good';
import { resultCache } from '../../src/cache/result-cache';
import type { Failure } from '../../src/failures/failure';
import type { Cache, Store } from '../../src/platform/ports';
import { type Analysis, type Answer, answered, unanswered } from '../../src/product/analysis';
import { figuresBy } from '../../src/product/fields';
import { memoryCache, memoryStore } from '../memory-store';

const NOW = 1_760_000_000_000;
const HOUR = 3_600_000;

/** An analysis that can be told from every other. */
function analysisWorth(profit: number): Analysis {
  const figures = {
    ...figuresBy(() => null),
    profit,
    roi: null,
    fees: null,
    eligible: null,
    rank_drops_30d: null,
    buy_price: null,
    sell_price: null,
  };
  return { figures, extras: [], fetchedAtMs: NOW };
}

function cacheOf(cache: Cache, scope: string, store: Store = memoryStore()) {
  return resultCache(cache, scope, {
    lastGood: lastGood(store, scope),
    random: { next: () => 0.5 },
    propertyCalls: () => 1,
    others: () => ({}),
  });
}

const worth = (profit: number): Answer => answered(analysisWorth(profit));
const failed = (failure: Failure): Answer => unanswered(failure);
const keys = fc.uniqueArray(fc.stringMatching(/^B[0-9A-Z]{9}\|(US|UK)$/), {
  minLength: 1,
  maxLength: 200,
});

describe('an answer', () => {
  it('is only ever found under its own product', () => {
    fc.assert(
      fc.property(keys, keys, (kept, others) => {
        const cache = cacheOf(memoryCache(), 'f1');
        cache.keep(new Map(kept.map((key, i) => [key, worth(i)])), {}, NOW);
        const found = cache.find([...kept, ...others], {}, NOW + 1);
        expect(found).toEqual(new Map(kept.map((key, i) => [key, worth(i)])));
      }),
    );
  });

  it('never crosses from one connection to another', () => {
    const shared = memoryCache();
    cacheOf(shared, 'f1').keep(new Map([['B0XKT7M4QN|US', worth(1)]]), {}, NOW);
    expect(cacheOf(shared, 'f2').find(['B0XKT7M4QN|US'], {}, NOW).size).toBe(0);
    expect(cacheOf(shared, 'f1:a///').find(['B0XKT7M4QN|US'], {}, NOW).size).toBe(0);
  });

  it('never crosses from one market to another', () => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([['B0XKT7M4QN|US', worth(1)]]), {}, NOW);
    expect(cache.find(['B0XKT7M4QN|UK'], {}, NOW).size).toBe(0);
  });

  it('is good for six hours', () => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    expect(cache.find(['A|US'], {}, NOW + 6 * HOUR - 1).size).toBe(1);
    expect(cache.find(['A|US'], {}, NOW + 6 * HOUR).size).toBe(0);
  });

  it('gives way to a newer one', () => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    cache.keep(new Map([['A|US', worth(2)]]), {}, NOW + 1);
    expect(cache.find(['A|US'], {}, NOW + 2).get('A|US')).toEqual(worth(2));
  });

  it('survives the loss of one of its two buckets, the newer one deciding', () => {
    const shared = memoryCache();
    const cache = cacheOf(shared, 'f1');
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    const names = [...shared.values.keys()].filter((name) => !name.includes(':-'));
    expect(names).toHaveLength(2);
    for (const name of names) {
      const lost = shared.values.get(name) ?? '';
      shared.values.delete(name);
      expect(cache.find(['A|US'], {}, NOW).get('A|US')).toEqual(worth(1));
      shared.values.set(name, lost);
    }
    const old = shared.values.get(names[0] ?? '') ?? '';
    cache.keep(new Map([['A|US', worth(2)]]), {}, NOW + 1);
    shared.values.set(names[0] ?? '', old);
    expect(cache.find(['A|US'], {}, NOW + 2).get('A|US')).toEqual(worth(2));
  });

  it('costs one cache call to find, and two to keep, however many there are', () => {
    const shared = memoryCache();
    const cache = cacheOf(shared, 'f1');
    const many = new Map(Array.from({ length: 300 }, (_, i) => [`B${i}|US`, worth(i)] as const));
    cache.keep(many, {}, NOW);
    expect(shared.calls()).toBe(2);
    cache.find([...many.keys()], {}, NOW);
    expect(shared.calls()).toBe(3);
  });

  it('fits the names of the cache, whatever the settings in its scope', () => {
    const scope = `0123456789abcdef:${'b'.repeat(60)}/${'s'.repeat(60)}/percent/${'u'.repeat(20)}`;
    const cache = cacheOf(memoryCache(), scope);
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    expect(cache.find(['A|US'], {}, NOW).size).toBe(1);
  });
});

describe('freshness', () => {
  const one = 'B0XKT7M4QN|US';

  it('by a moment takes only what was fetched since', () => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([[one, worth(1)]]), {}, NOW);
    expect(cache.find([one], { notBeforeMs: NOW + 1 }, NOW + 2).size).toBe(0);
    expect(cache.find([one], { notBeforeMs: NOW }, NOW + 2).size).toBe(1);
  });

  it('by a text takes only what was asked under it', () => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([[one, worth(1)]]), { tag: 'monday' }, NOW);
    expect(cache.find([one], { tag: 'monday' }, NOW + 1).size).toBe(1);
    expect(cache.find([one], { tag: 'tuesday' }, NOW + 1).size).toBe(0);
    expect(cache.find([one], {}, NOW + 1).size).toBe(1);
  });

  it('by a text that comes back after another one asks again, as a changed cell must', () => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([[one, worth(1)]]), { tag: 'monday' }, NOW);
    cache.keep(new Map([[one, worth(2)]]), { tag: 'tuesday' }, NOW + 1);
    expect(cache.find([one], { tag: 'monday' }, NOW + 2).size).toBe(0);
    expect(cache.find([one], { tag: 'tuesday' }, NOW + 2).get(one)).toEqual(worth(2));
    expect(cache.find([one], {}, NOW + 2).get(one)).toEqual(worth(2));
  });
});

describe('a failure', () => {
  it.each([
    [{ kind: 'not-found' }, 6 * HOUR],
    [{ kind: 'rejected', excerpt: '' }, HOUR],
    [{ kind: 'not-understood', what: 'it is not JSON' }, 600_000],
    [{ kind: 'wrong-address', status: 404 }, 60_000],
    [{ kind: 'unreachable' }, 15_000],
  ] as const)('%j is remembered for its time and no longer', (failure, keepMs) => {
    const cache = cacheOf(memoryCache(), 'f1');
    cache.keep(new Map([['A|US', failed(failure)]]), {}, NOW);
    expect(cache.find(['A|US'], {}, NOW + keepMs - 1).get('A|US')).toEqual(failed(failure));
    expect(cache.find(['A|US'], {}, NOW + keepMs).size).toBe(0);
  });

  it.each([
    { kind: 'waiting' },
    { kind: 'key-refused' },
    { kind: 'plan-used-up', waitMs: 60_000 },
    { kind: 'google-limit' },
  ] as const)('$kind is not kept at all, and costs no cache call', (failure) => {
    const shared = memoryCache();
    cacheOf(shared, 'f1').keep(new Map([['A|US', failed(failure)]]), {}, NOW);
    expect(shared.calls()).toBe(0);
  });
});

describe('a damaged cache', () => {
  it('is an empty one', () => {
    const shared = memoryCache();
    const cache = cacheOf(shared, 'f1');
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    const old = `{"A|US":{"at":${NOW},"until":${NOW + HOUR}}}`;
    const broken = [
      '\nA|US',
      '\nA|US\tzzzzzzzz\tzzzzzzzz\t',
      '\nA|US\tzzzzzzzz\tzzzzzzzz\t[0,null]',
    ];
    for (const text of ['null', '[null]', '{"A|US":null}', old, 'x', ...broken]) {
      for (const name of shared.values.keys()) shared.values.set(name, text);
      expect(cache.find(['A|US'], {}, NOW).size).toBe(0);
      expect(() => cache.keep(new Map([['A|US', worth(2)]]), {}, NOW)).not.toThrow();
      expect(cache.find(['A|US'], {}, NOW).get('A|US')).toEqual(worth(2));
    }
  });
});

describe('property calls of cells that find their answers', () => {
  it('are counted without bias, and hardly ever at the price of a cache call', () => {
    const finds = 30_000;
    const runs = 12;
    let counted = 0;
    let cacheCalls = 0;
    for (let seed = 0; seed < runs; seed++) {
      const shared = memoryCache();
      const random = createRandom(seed);
      const cache = resultCache(shared, 'f1', {
        lastGood: lastGood(memoryStore(), 'f1'),
        random,
        propertyCalls: () => 1,
        others: () => ({}),
      });
      for (let i = 0; i < finds; i++) cache.find([], {}, NOW);
      cacheCalls += shared.calls() - finds;
      counted += cache.googleDay()?.propertyCalls ?? 0;
    }
    expect(counted / runs / finds).toBeGreaterThan(0.7);
    expect(counted / runs / finds).toBeLessThan(1.3);
    expect(cacheCalls / runs / finds).toBeLessThan(0.001);
  });
});
