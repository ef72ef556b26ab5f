// The result cache: an answer is found under its own product, connection and freshness, or not at all.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  answerOf,
  bucketsOf,
  type Entry,
  entryIn,
  entryOf,
  mergeBucket,
  resultCache,
} from '../../src/cache/result-cache';
import type { Failure } from '../../src/failures/failure';
import type { Cache } from '../../src/google/platform';
import {
  type Analysis,
  type Answer,
  answered,
  figuresBy,
  unanswered,
} from '../../src/product/fields';
import { memoryCache } from '../memory-store';

const NOW = 1_760_000_000_000;

const HOUR = 3_600_000;

// The result cache: an answer is found under its own product, connection and freshness, or not at all.
describe('the result cache', () => {
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

  function cacheOf(cache: Cache, scope: string) {
    return resultCache(cache, scope);
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

    it('of a wave is found though its execution died before anything was read', () => {
      const shared = memoryCache();
      const wave = new Map(Array.from({ length: 20 }, (_, i) => [`B${i}|US`, worth(i)] as const));
      const dying: Cache = {
        ...shared,
        getAll: () => {
          throw new Error('ended');
        },
      };
      expect(() => cacheOf(dying, 'f1').keep(wave, {}, NOW)).toThrow('ended');
      expect(cacheOf(shared, 'f1').find([...wave.keys()], {}, NOW).size).toBe(20);
      cacheOf(shared, 'f1').keep(new Map([...wave].slice(0, 2)), {}, NOW);
      expect(cacheOf(shared, 'f1').find([...wave.keys()], {}, NOW).size).toBe(2);
    });

    it('of a wave that is not settled is found, also once others have kept theirs', () => {
      const shared = memoryCache();
      const waveOf = (at: number) =>
        new Map(Array.from({ length: 20 }, (_, i) => [`B${at + i}|US`, worth(i)] as const));
      const all = [0, 20, 40, 60].map(waveOf);
      const keys = all.flatMap((wave) => [...wave.keys()]);
      const [first = new Map(), second = new Map(), third = new Map(), fourth = new Map()] = all;
      const dying = cacheOf(shared, 'f1');
      expect(dying.store(first, {}, NOW)).toBe(true);
      expect(dying.store(second, {}, NOW)).toBe(true);
      const other = cacheOf(shared, 'f1');
      expect(other.find(keys, {}, NOW).size).toBe(40);
      other.keep(third, {}, NOW);
      other.store(fourth, {}, NOW);
      expect(cacheOf(shared, 'f1').find(keys, {}, NOW).size).toBe(80);
    });

    it('costs one cache call to find, and three to keep, however many there are', () => {
      const shared = memoryCache();
      const cache = cacheOf(shared, 'f1');
      const many = new Map(Array.from({ length: 300 }, (_, i) => [`B${i}|US`, worth(i)] as const));
      cache.keep(many, {}, NOW);
      expect(shared.calls()).toBe(3);
      cache.find([...many.keys()], {}, NOW);
      expect(shared.calls()).toBe(4);
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
});

// Buckets of cached answers: which a product is in, how they stay small, and what an entry is good for.
describe('buckets of answers', () => {
  const CACHE_VALUE_BYTES = 100 * 1_024;

  const ANALYSIS: Analysis = {
    figures: {
      ...figuresBy(() => null),
      profit: 9.85,
      roi: 0.8565,
      fees: 11.64,
      eligible: true,
      rank_drops_30d: 66,
      buy_price: 11.5,
      sell_price: 32.99,
    },
    extras: [],
    fetchedAtMs: NOW,
  };

  const entry = (at: number, more: Partial<Entry> = {}): Entry => ({
    at,
    until: at + 6 * HOUR,
    answer: answered(ANALYSIS),
    ...more,
  });

  describe('the buckets of a product', () => {
    it('are two different ones of 256, always the same', () => {
      fc.assert(
        fc.property(fc.string(), (key) => {
          const [first, second] = bucketsOf(key);
          expect(first).not.toBe(second);
          for (const one of [first, second])
            expect(Number.isInteger(one) && one >= 0 && one < 256).toBe(true);
          expect(bucketsOf(key)).toEqual([first, second]);
        }),
      );
    });

    it('are spread evenly, and seldom shared by two products', () => {
      const keys = Array.from({ length: 25_600 }, (_, i) => `B0${String(i).padStart(8, '0')}|US`);
      const counts = new Array<number>(256).fill(0);
      const pairs = new Set<string>();
      for (const key of keys) {
        const pair = bucketsOf(key);
        for (const one of pair) counts[one] = (counts[one] ?? 0) + 1;
        pairs.add([...pair].sort().join());
      }
      // 200 on average, with a spread of 14: seven spreads are no accident.
      expect(Math.min(...counts)).toBeGreaterThan(100);
      expect(Math.max(...counts)).toBeLessThan(300);
      // Of 32,640 pairs of buckets, 25,600 random products would hit 17,740.
      expect(pairs.size).toBeGreaterThan(17_000);
    });
  });

  describe('an entry', () => {
    it('tells what is left by now of the time that a service named', () => {
      const answer = unanswered({ kind: 'service-busy', status: 503, waitMs: 60_000 });
      const kept = entryOf(answer, 60_000, {}, NOW);
      const left = unanswered({ kind: 'service-busy', status: 503, waitMs: 20_000 });
      expect(answerOf(kept, {}, NOW + 40_000)).toEqual(left);
    });

    it('remembers the refresh text, and nothing where there was none', () => {
      expect(entryOf(answered(ANALYSIS), HOUR, { tag: 'monday' }, NOW)).toEqual({
        at: NOW,
        until: NOW + HOUR,
        tag: 'monday',
        answer: answered(ANALYSIS),
      });
      expect(entryOf(answered(ANALYSIS), HOUR, { notBeforeMs: 5 }, NOW)).not.toHaveProperty('tag');
    });
  });

  /** A bucket with these entries, each added by itself. */
  function bucketWith(entries: readonly (readonly [string, Entry])[], nowMs = NOW): string {
    return entries.reduce((bucket, one) => mergeBucket(bucket, new Map([one]), nowMs), '');
  }

  const keyOf = (i: number) => `B0${String(i).padStart(8, '0')}|US`;

  const extrasOf = (text: string) => Array.from({ length: 40 }, (_, i) => [`x${i}`, text] as const);

  describe('a bucket', () => {
    it('holds what was in it and what was added, the added one winning', () => {
      const before = bucketWith([
        ['a', entry(NOW)],
        ['b', entry(NOW)],
      ]);
      const added = new Map([
        ['b', entry(NOW + 1)],
        ['c', entry(NOW + 1, { tag: 'mon\tday\n' })],
      ]);
      const after = mergeBucket(before, added, NOW + 2);
      expect(entryIn(after, 'a')).toEqual(entry(NOW));
      expect(entryIn(after, 'b')).toEqual(entry(NOW + 1));
      expect(entryIn(after, 'c')).toEqual(entry(NOW + 1, { tag: 'mon\tday\n' }));
    });

    it('gives back any analysis and any failure as they were put in', () => {
      const value = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean());
      const analysis = fc.record({
        profit: fc.option(fc.double({ noDefaultInfinity: true, noNaN: true })),
        extras: fc.array(fc.tuple(fc.string(), fc.constant('x')), { maxLength: 3 }),
        roiUnit: fc.option(fc.constant('fraction' as const)),
        lagMs: fc.nat(60_000),
      });
      fc.assert(
        fc.property(analysis, fc.string(), value, (drawn, tag, what) => {
          const answer = answered({
            figures: { ...ANALYSIS.figures, profit: drawn.profit },
            extras: drawn.extras,
            ...(drawn.roiUnit === null ? {} : { roiUnit: drawn.roiUnit }),
            fetchedAtMs: NOW - drawn.lagMs,
          });
          const failure = unanswered({ kind: 'not-understood', what: String(what) });
          const bucket = bucketWith([
            ['a', entry(NOW, { answer, tag })],
            ['b', entry(NOW, { answer: failure })],
          ]);
          // -0 has no place in JSON, and none in a sheet.
          const asJson = JSON.parse(JSON.stringify({ answer, tag }));
          expect(entryIn(bucket, 'a')).toEqual({ at: NOW, until: NOW + 6 * HOUR, ...asJson });
          expect(entryIn(bucket, 'b')).toEqual(entry(NOW, { answer: failure }));
        }),
      );
    });

    it('never takes one key for another that begins or ends like it', () => {
      const bucket = bucketWith([['B0XKT7M4QN|US', entry(NOW)]]);
      for (const key of ['B0XKT7M4QN', 'B0XKT7M4QN|U', '0XKT7M4QN|US', 'US', '', 'B0XKT7M4QN|USA'])
        expect(entryIn(bucket, key)).toBeUndefined();
    });

    it('finds no key in what an answer says', () => {
      const text = '\nB000000000|US\tzzzzzzzz\tzzzzzzzz\t[0,{"kind":"not-found"}]';
      const answer = answered({ ...ANALYSIS, extras: [['note', text]] });
      const bucket = bucketWith([['a', entry(NOW, { answer, tag: text })]]);
      expect(entryIn(bucket, 'B000000000|US')).toBeUndefined();
      expect(entryIn(bucket, 'a')).toEqual(entry(NOW, { answer, tag: text }));
    });

    it('drops what is no longer good', () => {
      const bucket = bucketWith([['a', entry(NOW - 6 * HOUR + 1)]], NOW - 1);
      expect(entryIn(bucket, 'a')).toBeDefined();
      const merged = mergeBucket(bucket, new Map([['b', entry(NOW)]]), NOW + 1);
      expect(entryIn(merged, 'a')).toBeUndefined();
      expect(entryIn(merged, 'b')).toEqual(entry(NOW));
      expect(merged.length).toBeLessThan(bucket.length * 1.5);
    });

    it('drops the oldest when it grows too long', () => {
      const answer = answered({ ...ANALYSIS, extras: extrasOf('0123') });
      const keys = Array.from({ length: 300 }, (_, i) => keyOf(i));
      const bucket = bucketWith(keys.map((key, i) => [key, entry(NOW + i, { answer })]));
      const kept = keys.filter((key) => entryIn(bucket, key) !== undefined);
      expect(kept.length).toBeGreaterThan(100);
      expect(kept).toEqual(keys.slice(-kept.length));
    });

    it('has room for its share of more than 100,000 products', () => {
      // 200,000 entries in 256 buckets are 781 in each.
      const keys = Array.from({ length: 781 }, (_, i) => keyOf(i));
      const bucket = mergeBucket('', new Map(keys.map((key) => [key, entry(NOW)])), NOW);
      expect(keys.filter((key) => entryIn(bucket, key) === undefined)).toEqual([]);
    });

    it.each(['a', 'é', '界', '😀', '"', '\u0001'])(
      'stays below the limit of a cache value in bytes when full of %j',
      (character) => {
        const answer = answered({ ...ANALYSIS, extras: extrasOf(character.repeat(250)) });
        const entries = Array.from(
          { length: 20 },
          (_, i) => [keyOf(i), entry(NOW + i, { answer })] as const,
        );
        const text = bucketWith(entries);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CACHE_VALUE_BYTES);
        expect(entryIn(text, keyOf(19))).toEqual(entry(NOW + 19, { answer }));
      },
    );

    it('drops what answers carry besides figures before any figure, the oldest first', () => {
      const answer = answered({ ...ANALYSIS, extras: extrasOf('x'.repeat(250)) });
      const keys = Array.from({ length: 60 }, (_, i) => keyOf(i));
      const bucket = bucketWith(keys.map((key, i) => [key, entry(NOW + i, { answer })]));
      const found = keys.map((key) => entryIn(bucket, key)?.answer);
      const isWhole = found.map((one) => one?.ok === true && one.analysis.extras.length > 0);
      expect(found.every((one) => one?.ok && one.analysis.figures.profit === 9.85)).toBe(true);
      expect(isWhole.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => false));
      expect(isWhole[59]).toBe(true);
    });

    it('of any text reads as a bucket or as an empty one, and is mended by the next entry', () => {
      const line = mergeBucket('', new Map([['a', entry(NOW)]]), NOW);
      const texts = fc.oneof(
        fc.json(),
        fc.string(),
        fc
          .array(fc.constantFrom('\n', 'a', '\t', 'zzzz', '[0,', '[1]', ']', 'null'))
          .map((parts) => parts.join('')),
        fc.nat(line.length - 1).map((at) => line.slice(0, at)),
      );
      fc.assert(
        fc.property(texts, (text) => {
          for (const found of [entryIn(text, 'a'), entryIn(text, 'b')])
            expect(answerOf(found, {}, NOW)).toBeUndefined();
          expect(entryIn(mergeBucket(text, new Map(), NOW), 'a')).toBeUndefined();
          const mended = mergeBucket(text, new Map([['a', entry(NOW)]]), NOW);
          expect(entryIn(mended, 'a')).toEqual(entry(NOW));
        }),
      );
    });
  });
});
