// The digest: the lines of the log since a person last looked. Pure.

import { describe, expect, it } from '@jest/globals';
import type { LogLine } from '../../src/analysis/changes';
import { digestOf, productsMarked, withSeen } from '../../src/schedules/digest';

const line = (atMs: number, asin: string, marked = '', more: Partial<LogLine> = {}): LogLine => ({
  ...{ atMs, asin, marked, market: 'US', figure: 'ROI', before: 0.3, after: 0.1 },
  ...more,
});
/** Who has looked at this moment, when nothing had been logged. */
const seen = (atMs: number) => ({ atMs, lines: 0 });
const buy = (atMs: number, asin: string, before: string) =>
  line(atMs, asin, 'Now a Buy', { figure: 'Verdict', before, after: 'Buy' });

describe('a digest', () => {
  it('is nothing where nothing was logged since', () => {
    expect(digestOf([], seen(0), 0)).toBeNull();
    expect(digestOf([line(5, 'A')], seen(5), 1)).toBeNull();
  });

  it('counts lines, and by rule the products, the rule with the most first', () => {
    const lines = [
      line(9, 'A', 'ROI fell under 20%'),
      line(9, 'A', 'No longer eligible', { figure: 'Eligible' }),
      line(8, 'B', 'ROI fell under 20%; Profit fell under 3'),
      line(8, 'B', 'ROI fell under 20%'),
      line(4, 'C', 'No longer eligible'),
    ];
    expect(digestOf(lines, seen(4), 0)).toEqual({
      sinceMs: 4,
      atMs: 9,
      changes: 4,
      marked: [
        { rule: 'ROI fell under 20%', count: 2 },
        { rule: 'No longer eligible', count: 1 },
        { rule: 'Profit fell under 3', count: 1 },
      ],
      buys: [],
    });
    expect([...productsMarked(lines, 'No longer eligible')]).toEqual(['A|US', 'C|US']);
  });

  it('counts what was logged since, also what the log has lost', () => {
    const lines = [line(9, 'A'), line(8, 'B')];
    expect(digestOf(lines, { atMs: 5, lines: 100 }, 5_521)?.changes).toBe(5_421);
  });

  it('begins with the first line for who never looked', () => {
    expect(digestOf([line(9, 'A'), line(4, 'B')], seen(0), 2)?.sinceMs).toBe(4);
  });

  it('names five products that became a Buy, each once, the newest first', () => {
    const lines = [buy(9, 'A', 'Skip'), ...[...'BCDEFA'].map((asin) => buy(5, asin, 'Maybe'))];
    expect(digestOf(lines, seen(0), 0)?.buys).toEqual([
      'A US, was Skip',
      'B US, was Maybe',
      'C US, was Maybe',
      'D US, was Maybe',
      'E US, was Maybe',
    ]);
  });
});

it('a person has a moment for each of a hundred spreadsheets, the last used ones', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`s${at}`, seen(at)]));
  const moments = withSeen(many, 'new', seen(500));
  expect(Object.keys(moments)).toHaveLength(100);
  expect(moments).toMatchObject({ new: seen(500), s1: seen(1) });
  expect(moments.s0).toBeUndefined();
});
