// A few short worlds of `npm run simulate -- schedule`, played at every change.

import { describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { playMonth } from './schedule/month';

const dist = distIn(BUILT);

/** Seeds and days. */
const WORLDS: readonly (readonly [number, number])[] = [
  [1, 5],
  [2, 6],
  [3, 6],
  [4, 10],
];

describe('schedules among late, missing and cut-off firings', () => {
  it.each(WORLDS)('seed %d over %d days', async (seed, days) => {
    const { wrongs, firings, calls, changes } = await playMonth(dist, seed, days);
    expect(wrongs).toEqual([]);
    expect(firings).toBeGreaterThan(12 * days);
    expect(calls).toBeGreaterThan(20);
    expect(changes).toBeGreaterThan(20);
  });
});
