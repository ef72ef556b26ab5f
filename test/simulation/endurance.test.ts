// Short periods of a team, as in `npm run simulate -- endurance`: stored data stays bounded.

import { describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { playEndurance } from './endurance/endurance';

const dist = distIn(BUILT);

describe('a team with ten schedules', () => {
  it('keeps all bounds over four days with 300 rows', async () => {
    const { lines } = await playEndurance({ dist, seed: 1, days: 4, rows: 300 });
    expect(lines.filter((line) => line.startsWith('OVER'))).toEqual([]);
  });
});
