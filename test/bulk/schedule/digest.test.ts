// A digest adds up what ran since somebody looked last, however long they were away.

import { describe, expect, it } from '@jest/globals';
import {
  type DigestBook,
  type DigestEntry,
  digestOf,
  withRun,
} from '../../../src/schedules/digest';

const HOUR = 3_600_000;

const run = (atMs: number, more: Partial<DigestEntry> = {}): DigestEntry => ({
  ...{ atMs, runs: 1, refreshed: 10, failed: 1, calls: 9, changes: 3, marked: {} },
  ...more,
});
const bookOf = (...runs: readonly DigestEntry[]) =>
  runs.reduce<DigestBook>((book, entry) => withRun(book, entry), []);

describe('a digest', () => {
  it('is nothing where nothing ran since', () => {
    expect(digestOf([], 0)).toBeNull();
    expect(digestOf(bookOf(run(5), run(9)), 9)).toBeNull();
  });

  it('adds up runs since then, and what was marked, most rows first', () => {
    const book = bookOf(
      run(5, { marked: { 'Fees doubled': 50 } }),
      run(7, { marked: { 'No longer eligible': 1, 'Fees doubled': 1 } }),
      run(9, { marked: { 'No longer eligible': 2 } }),
    );
    expect(digestOf(book, 5)).toEqual({
      ...{ sinceMs: 5, runs: 2, refreshed: 20, failed: 2, calls: 18, changes: 6 },
      marked: [
        { words: 'No longer eligible', count: 3, rule: 'No longer eligible' },
        { words: 'Fees doubled', count: 1, rule: 'Fees doubled' },
      ],
    });
  });

  it('begins with the first run for who never put one away', () => {
    expect(digestOf(bookOf(run(5), run(9)), 0)).toMatchObject({ sinceMs: 5, runs: 2 });
  });

  it('has the latest problem', () => {
    const book = bookOf(
      run(1, { problem: { kind: 'unreachable' } }),
      run(2, { problem: { kind: 'timed-out' } }),
      run(3),
    );
    expect(digestOf(book, 0)?.problem).toEqual({ kind: 'timed-out' });
    expect(digestOf(book, 2)).not.toHaveProperty('problem');
  });

  it('loses no run of an hourly schedule in two months, and fits into a property', () => {
    const words = Array.from({ length: 8 }, (_, at) => `Sell price rose over ${at} · é`);
    const marked = Object.fromEntries(words.map((one) => [one, 1_000]));
    const problem = { kind: 'run', why: 'log-protected', what: 'ü'.repeat(80) } as const;
    const hours = Array.from({ length: 1_440 }, (_, at) => run(at * HOUR + 1, { marked, problem }));
    const book = bookOf(...hours);
    expect(Buffer.byteLength(JSON.stringify(book))).toBeLessThan(9 * 1_024);
    expect(digestOf(book, 0)).toMatchObject({ runs: 1_440, refreshed: 14_400, changes: 4_320 });
    expect(digestOf(book, 1_439 * HOUR)).toMatchObject({ runs: 1, refreshed: 10 });
  });
});
