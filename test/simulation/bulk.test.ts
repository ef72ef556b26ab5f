// A sample of the worlds of `npm run simulate -- bulk`: cut off at any call, among people, and of two.

import { expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { sampleOf } from '../sample';
import { amongPeople, killedEverywhere, type Plan, twoPeople } from './bulk';

const dist = distIn(BUILT);

/** Columns of the tab or of the list, or rows, move at the moment when they are named, marked or filled. */
const BROKE_ONCE = [32, 74, 105, 254, 255, 42, 523, 528, 987_677];

const SEEDS = Array.from({ length: 60 }, (_, at) => 1 + at);

async function brokenIn(plans: readonly Plan[]) {
  const broken: unknown[] = [];
  for (const { run } of plans) {
    const { name, wrongs } = await run();
    if (wrongs.length > 0) broken.push({ name, wrongs });
  }
  return broken;
}

/** All jobs of the rest, from beginning to end, on a machine that does other things beside. */
const LONG_MS = 900_000;

/** Nobody waits for one test of five hundred jobs: each part has every fourth call. */
const PARTS = 4;

it.each(Array.from({ length: PARTS }, (_, part) => part))(
  'a job that is cut off at any call goes on, and pays for nothing twice: part %i of the calls',
  async (part) => {
    const plans = await killedEverywhere(dist);
    expect(plans.length).toBeGreaterThan(100);
    const ours = plans.filter((_, at) => at % PARTS === part);
    expect(await brokenIn(sampleOf(`cut off ${part}`, ours, 1))).toEqual([]);
  },
  LONG_MS,
);

it(
  'figures stay beside their products among people who never stop',
  async () => {
    const seeds = [...sampleOf('people', SEEDS, 1), ...sampleOf('broke once', BROKE_ONCE, 1)];
    const plans = seeds.map((seed) => amongPeople(dist, seed));
    expect(await brokenIn(plans)).toEqual([]);
  },
  LONG_MS,
);

it(
  'two people analyze one list, and no key is asked too much',
  async () => {
    const plans = sampleOf('pairs', SEEDS, 1).map((seed) => twoPeople(dist, seed));
    expect(await brokenIn(plans)).toEqual([]);
  },
  LONG_MS,
);
