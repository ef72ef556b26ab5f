// The result cache: an answer is found under its own product, connection and freshness, or not at all.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { resultCache } from '../../src/cache/result-cache';
import type { Failure } from '../../src/failures/failure';
import type { Cache } from '../../src/google/platform';
import { type Answer, answered, figuresBy, unanswered } from '../../src/product/fields';
import { memoryCache } from '../memory-store';

const NOW = 1_760_000_000_000;

const HOUR = 3_600_000;

/** An answer that can be told from every other. */
const worth = (profit: number): Answer =>
  answered({ figures: { ...figuresBy(() => null), profit }, extras: [], fetchedAtMs: NOW });

const failed = (failure: Failure): Answer => unanswered(failure);

const keys = fc.uniqueArray(fc.stringMatching(/^B[0-9A-Z]{9}\|(US|UK)$/), {
  minLength: 1,
  maxLength: 200,
});

describe('an answer', () => {
  it('is only ever found under its own product', () => {
    fc.assert(
      fc.property(keys, keys, (kept, others) => {
        const cache = resultCache(memoryCache(), 'f1');
        cache.keep(new Map(kept.map((key, i) => [key, worth(i)])), {}, NOW);
        const found = cache.find([...kept, ...others], {}, NOW + 1);
        expect(found).toEqual(new Map(kept.map((key, i) => [key, worth(i)])));
      }),
    );
  });

  it('never crosses from one connection to another', () => {
    const shared = memoryCache();
    resultCache(shared, 'f1').keep(new Map([['B0XKT7M4QN|US', worth(1)]]), {}, NOW);
    expect(resultCache(shared, 'f2').find(['B0XKT7M4QN|US'], {}, NOW).size).toBe(0);
    expect(resultCache(shared, 'f1:a///').find(['B0XKT7M4QN|US'], {}, NOW).size).toBe(0);
  });

  it('is good for six hours', () => {
    const cache = resultCache(memoryCache(), 'f1');
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    expect(cache.find(['A|US'], {}, NOW + 6 * HOUR - 1).size).toBe(1);
    expect(cache.find(['A|US'], {}, NOW + 6 * HOUR).size).toBe(0);
  });

  it('gives way to a newer one', () => {
    const cache = resultCache(memoryCache(), 'f1');
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    cache.keep(new Map([['A|US', worth(2)]]), {}, NOW + 1);
    expect(cache.find(['A|US'], {}, NOW + 2).get('A|US')).toEqual(worth(2));
  });

  it('survives the loss of one of its two buckets, the newer one deciding', () => {
    const shared = memoryCache();
    const cache = resultCache(shared, 'f1');
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

  it('of a wave is found though its execution died before anything was read', () => {
    const shared = memoryCache();
    const wave = new Map(Array.from({ length: 20 }, (_, i) => [`B${i}|US`, worth(i)] as const));
    const dying: Cache = {
      ...shared,
      getAll: () => {
        throw new Error('ended');
      },
    };
    expect(() => resultCache(dying, 'f1').keep(wave, {}, NOW)).toThrow('ended');
    expect(resultCache(shared, 'f1').find([...wave.keys()], {}, NOW).size).toBe(20);
    resultCache(shared, 'f1').keep(new Map([...wave].slice(0, 2)), {}, NOW);
    expect(resultCache(shared, 'f1').find([...wave.keys()], {}, NOW).size).toBe(2);
  });

  it('of a wave that is not settled is found, also once others have kept theirs', () => {
    const shared = memoryCache();
    const waveOf = (at: number) =>
      new Map(Array.from({ length: 20 }, (_, i) => [`B${at + i}|US`, worth(i)] as const));
    const all = [0, 20, 40, 60].map(waveOf);
    const keys = all.flatMap((wave) => [...wave.keys()]);
    const [first = new Map(), second = new Map(), third = new Map(), fourth = new Map()] = all;
    const dying = resultCache(shared, 'f1');
    expect(dying.store(first, {}, NOW)).toBe(true);
    expect(dying.store(second, {}, NOW)).toBe(true);
    const other = resultCache(shared, 'f1');
    expect(other.find(keys, {}, NOW).size).toBe(40);
    other.keep(third, {}, NOW);
    other.store(fourth, {}, NOW);
    expect(resultCache(shared, 'f1').find(keys, {}, NOW).size).toBe(80);
  });

  it('costs one cache call to find, and three to keep, however many there are', () => {
    const shared = memoryCache();
    const cache = resultCache(shared, 'f1');
    const many = new Map(Array.from({ length: 300 }, (_, i) => [`B${i}|US`, worth(i)] as const));
    cache.keep(many, {}, NOW);
    expect(shared.calls()).toBe(3);
    cache.find([...many.keys()], {}, NOW);
    expect(shared.calls()).toBe(4);
  });

  it('fits the names of the cache, whatever the settings in its scope', () => {
    const scope = `0123456789abcdef:${'b'.repeat(60)}/${'s'.repeat(60)}/percent/${'u'.repeat(20)}`;
    const cache = resultCache(memoryCache(), scope);
    cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
    expect(cache.find(['A|US'], {}, NOW).size).toBe(1);
  });
});

describe('freshness', () => {
  const one = 'B0XKT7M4QN|US';

  it('by a moment takes only what was fetched since', () => {
    const cache = resultCache(memoryCache(), 'f1');
    cache.keep(new Map([[one, worth(1)]]), {}, NOW);
    expect(cache.find([one], { notBeforeMs: NOW + 1 }, NOW + 2).size).toBe(0);
    expect(cache.find([one], { notBeforeMs: NOW }, NOW + 2).size).toBe(1);
  });

  it('by a text takes only what was asked under it', () => {
    const cache = resultCache(memoryCache(), 'f1');
    cache.keep(new Map([[one, worth(1)]]), { tag: 'monday' }, NOW);
    expect(cache.find([one], { tag: 'monday' }, NOW + 1).size).toBe(1);
    expect(cache.find([one], { tag: 'tuesday' }, NOW + 1).size).toBe(0);
    expect(cache.find([one], {}, NOW + 1).size).toBe(1);
  });

  it('by a text that comes back after another one asks again, as a changed cell must', () => {
    const cache = resultCache(memoryCache(), 'f1');
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
    const cache = resultCache(memoryCache(), 'f1');
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
    resultCache(shared, 'f1').keep(new Map([['A|US', failed(failure)]]), {}, NOW);
    expect(shared.calls()).toBe(0);
  });
});

it('a damaged cache is an empty one', () => {
  const shared = memoryCache();
  const cache = resultCache(shared, 'f1');
  cache.keep(new Map([['A|US', worth(1)]]), {}, NOW);
  const old = `{"A|US":{"at":${NOW},"until":${NOW + HOUR}}}`;
  const broken = ['\nA|US', '\nA|US\tzzzzzzzz\tzzzzzzzz\t', '\nA|US\tzzzzzzzz\tzzzzzzzz\t[0,null]'];
  for (const text of ['null', '[null]', '{"A|US":null}', old, 'x', ...broken]) {
    for (const name of shared.values.keys()) shared.values.set(name, text);
    expect(cache.find(['A|US'], {}, NOW).size).toBe(0);
    expect(() => cache.keep(new Map([['A|US', worth(2)]]), {}, NOW)).not.toThrow();
    expect(cache.find(['A|US'], {}, NOW).get('A|US')).toEqual(worth(2));
  }
});
