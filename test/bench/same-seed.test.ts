// The bench is simulated, so that a seed is a measurement: told twice, its figures are the same.

import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Bundles, buildBundles } from '../../bench/bundles';
import { tellBulk, unknown } from '../../bench/gate/bulk';
import { tellCells } from '../../bench/gate/cells';
import { bucketOf } from '../../bench/gate/quotas';
import type { Telling } from '../../bench/gate/scenario';

/** Enough for refusals, for two workers that meet, and for cells that wait for their turn. */
const ROWS = 300;
const CELLS = 40;

const STORIES = [
  ['a bulk job with an unknown limit', (telling: Telling) => tellBulk(unknown(5, ROWS), telling)],
  ['cells at once', (telling: Telling) => tellCells(bucketOf(2), telling, { count: CELLS })],
] as const;

let bundles: Bundles;
beforeAll(async () => {
  bundles = await buildBundles();
});

describe.each(STORIES)('%s', (_, tell) => {
  it('has the same figures for the same seed, and others for another', async () => {
    const [first, again, other] = [
      await tell({ bundles, seed: 7, strategy: 'addOn' }),
      await tell({ bundles, seed: 7, strategy: 'addOn' }),
      await tell({ bundles, seed: 8, strategy: 'addOn' }),
    ];
    expect(first.ratio).toBeGreaterThan(0);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });
});
