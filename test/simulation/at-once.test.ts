// Worlds of `npm run simulate -- bulk --only "at once"`: everything that people and the clock do, at the same time.

import { afterAll, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { atOnce, closeThreads } from './at-once';

const dist = distIn(BUILT);

afterAll(closeThreads);

/** In the world of seed 20 the very first calls of a person come together. */
const SEEDS = Array.from({ length: 20 }, (_, at) => 1 + at);

it.each(SEEDS)(
  'formulas, runs, a schedule and decisions do not wait for each other, and what is cut off goes on: seed %d',
  async (seed) => {
    expect((await atOnce(dist, seed).run()).wrongs).toEqual([]);
  },
  300_000,
);
