// Thirty days of rank: what counts as a drop, and that sales show in it.
import { describe, expect, it } from '@jest/globals';
import { createRandom } from 'apps-script-host/random';
import { countDrops, rankSeries } from '../../../playground/api/ranks';

describe('a rank drop', () => {
  it.each([
    ['no reading', [], 0],
    ['one reading', [500], 0],
    ['a rank that only rises', [500, 510, 520], 0],
    ['a rank that stays', [500, 500, 500], 0],
    ['a rank that falls once', [500, 510, 300, 310], 1],
    ['a rank that falls twice on end', [500, 300, 200], 2],
  ])('in %s', (_what, ranks, drops) => {
    expect(countDrops(ranks)).toBe(drops);
  });
});

describe('a rank series', () => {
  const ranksAt = (salesPerMonth: number) => rankSeries(createRandom(9), salesPerMonth);

  it('has a reading every two hours for thirty days', () => {
    expect(ranksAt(20)).toHaveLength(361);
  });

  it('has about as many drops as sales, and none without', () => {
    expect(countDrops(ranksAt(0))).toBe(0);
    // Three standard deviations of a hundred rare events are 30.
    expect(Math.abs(countDrops(ranksAt(100)) - 100)).toBeLessThan(30);
  });

  it('ranks what sells better lower', () => {
    const middle = (ranks: readonly number[]) => [...ranks].sort((a, b) => a - b)[180] as number;
    expect(middle(ranksAt(150))).toBeLessThan(middle(ranksAt(15)) / 3);
  });
});
