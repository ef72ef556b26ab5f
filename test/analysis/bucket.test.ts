// Buckets of cached answers: which a product is in, how they stay small, and what an entry is good for.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Analysis } from '../../src/analysis/analysis';
import { answered, unanswered } from '../../src/analysis/answer';
import {
  answerOf,
  bucketsOf,
  type Entry,
  entryOf,
  mergeBucket,
  parseBucket,
} from '../../src/analysis/bucket';

const NOW = 1_760_000_000_000;
const HOUR = 3_600_000;
const CACHE_VALUE_BYTES = 100 * 1_024;

const ANALYSIS: Analysis = {
  figures: {
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
  analysis: ANALYSIS,
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
  it('is good until its time has come', () => {
    expect(answerOf(entry(NOW), {}, NOW + 6 * HOUR - 1)).toEqual(answered(ANALYSIS));
    expect(answerOf(entry(NOW), {}, NOW + 6 * HOUR)).toBeUndefined();
  });

  it('will not do for who wants nothing older', () => {
    expect(answerOf(entry(NOW), { notBeforeMs: NOW + 1 }, NOW + 5)).toBeUndefined();
    expect(answerOf(entry(NOW), { notBeforeMs: NOW }, NOW + 5)).toEqual(answered(ANALYSIS));
  });

  it('asked under another refresh text will not do; without a text, any will', () => {
    const tagged = entry(NOW, { tag: 'monday' });
    expect(answerOf(tagged, { tag: 'monday' }, NOW)).toEqual(answered(ANALYSIS));
    expect(answerOf(tagged, { tag: 'tuesday' }, NOW)).toBeUndefined();
    expect(answerOf(entry(NOW), { tag: 'tuesday' }, NOW)).toBeUndefined();
    expect(answerOf(tagged, {}, NOW)).toEqual(answered(ANALYSIS));
  });

  it('that is not there, or holds nothing, is no answer', () => {
    expect(answerOf(undefined, {}, NOW)).toBeUndefined();
    expect(answerOf({ at: NOW, until: NOW + 1 }, {}, NOW)).toBeUndefined();
  });

  it('keeps a failure for as long as its kind allows', () => {
    const answer = unanswered({ kind: 'unreachable' });
    const kept = entryOf(answer, 15_000, {}, NOW);
    expect(answerOf(kept, {}, NOW + 14_999)).toEqual(answer);
    expect(answerOf(kept, {}, NOW + 15_000)).toBeUndefined();
    expect(entryOf(answer, 0, {}, NOW)).toBeUndefined();
  });

  it('remembers the refresh text, and nothing where there was none', () => {
    expect(entryOf(answered(ANALYSIS), HOUR, { tag: 'monday' }, NOW)).toEqual({
      at: NOW,
      until: NOW + HOUR,
      tag: 'monday',
      analysis: ANALYSIS,
    });
    expect(entryOf(answered(ANALYSIS), HOUR, { notBeforeMs: 5 }, NOW)).not.toHaveProperty('tag');
  });
});

describe('a bucket', () => {
  const merged = (...args: Parameters<typeof mergeBucket>) => parseBucket(mergeBucket(...args));

  it('holds what was in it and what was added, the added one winning', () => {
    const before = { a: entry(NOW), b: entry(NOW) };
    expect(merged(before, { b: entry(NOW + 1), c: entry(NOW + 1) }, NOW + 2)).toEqual({
      a: entry(NOW),
      b: entry(NOW + 1),
      c: entry(NOW + 1),
    });
  });

  it('drops what is no longer good', () => {
    expect(merged({ a: entry(NOW - 6 * HOUR), b: entry(NOW) }, {}, NOW)).toEqual({ b: entry(NOW) });
  });

  it('drops the oldest when it grows too long', () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, i) => [`B${i}|US`, entry(NOW + i)] as const),
    );
    const kept = merged(many, {}, NOW + 1_000);
    const ages = Object.values(kept).map(({ at }) => at - NOW);
    expect(ages.length).toBeGreaterThan(200);
    expect(Math.min(...ages)).toBe(1_000 - ages.length);
  });

  it.each(['a', 'é', '界', '😀', '"', '\u0001'])(
    'stays below the limit of a cache value in bytes when full of %j',
    (character) => {
      const extras = Array.from(
        { length: 40 },
        (_, i) => [`x${i}`, character.repeat(250)] as const,
      );
      const bucket = Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => {
          return [`B${i}|US`, entry(NOW + i, { analysis: { ...ANALYSIS, extras } })] as const;
        }),
      );
      const text = mergeBucket(bucket, {}, NOW);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CACHE_VALUE_BYTES);
      expect(parseBucket(text)).toHaveProperty(['B19|US']);
    },
  );

  it('does not lose the others to one that is too long by itself', () => {
    const extras = Array.from({ length: 40 }, (_, i) => [`x${i}`, '\u0001'.repeat(500)] as const);
    const long = entry(NOW + 1, { analysis: { ...ANALYSIS, extras } });
    expect(merged({ a: entry(NOW) }, { long }, NOW + 2)).toHaveProperty('a');
  });

  it('of any text reads as a bucket or as an empty one', () => {
    for (const text of [undefined, '', 'null', '5', '"x"', '{', '[1'])
      expect(parseBucket(text)).toEqual({});
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(() => mergeBucket(parseBucket(text), { a: entry(NOW) }, NOW)).not.toThrow();
        const one = Object.values(parseBucket(text))[0];
        expect(answerOf(one, {}, NOW)).toBeUndefined();
      }),
    );
  });
});
