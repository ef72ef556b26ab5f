// Medians and percentiles of the tables, against sorted lists and the definition.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { median, p95, summaries } from '../../bench/figures';

const lists = fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 60 });

describe('the median', () => {
  it.each([
    [[3], 3],
    [[4, 1, 9], 4],
    [[4, 1, 9, 2], 3],
    [[10, 9, 1], 9],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('of no values is no number', () => {
    expect(median([])).toBeNaN();
  });

  it('has as many values on either side', () => {
    fc.assert(
      fc.property(lists, (values) => {
        const middle = median(values);
        const below = values.filter((value) => value < middle).length;
        const above = values.filter((value) => value > middle).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(values.length / 2);
      }),
    );
  });
});

describe('p95', () => {
  it.each([
    [[7], 7],
    [Array.from({ length: 100 }, (_, i) => i + 1), 95],
    [Array.from({ length: 20 }, (_, i) => 20 - i), 19],
  ])('of %j is %d', (values, expected) => {
    expect(p95(values)).toBe(expected);
  });

  it('is the smallest value that 95 % of all do not exceed', () => {
    fc.assert(
      fc.property(lists, (values) => {
        const limit = p95(values);
        const within = (most: number) => values.filter((value) => value <= most).length;
        expect(within(limit)).toBeGreaterThanOrEqual(0.95 * values.length);
        expect(within(limit - 1)).toBeLessThan(0.95 * values.length);
      }),
    );
  });
});

it('a summary over seeds holds the median and the worst of every metric that any seed has', () => {
  const seeds = [{ ratio: 1.02, refused: 0 }, { ratio: 1.01, refused: 3 }, { ratio: 1.05 }];
  expect(summaries(seeds)).toEqual([
    { metric: 'ratio', median: 1.02, most: 1.05 },
    { metric: 'refused', median: 1.5, most: 3 },
  ]);
});
