// Buckets of cached answers: which a product is in, how they stay small, and what an entry is good for.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  answerOf,
  bucketsOf,
  type Entry,
  entryIn,
  entryOf,
  mergeBucket,
} from '../../src/cache/bucket';
import { type Analysis, answered, figuresBy, unanswered } from '../../src/product/fields';

const NOW = 1_760_000_000_000;

const HOUR = 3_600_000;

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
    const keys = Array.from({ length: 1_200 }, (_, i) => keyOf(i));
    const bucket = bucketWith(keys.map((key, i) => [key, entry(NOW + i)]));
    expect(Buffer.byteLength(bucket)).toBeLessThanOrEqual(CACHE_VALUE_BYTES);
    const kept = keys.filter((key) => entryIn(bucket, key) !== undefined);
    expect(kept.length).toBeGreaterThan(781);
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
