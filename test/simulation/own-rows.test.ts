// The first 200 worlds of `npm run simulate -- people`: every cell beside a product is that product's, whatever a
// person does with the sheet.

import { expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { summaryOf } from './own-rows/summary';
import { playWorlds } from './own-rows/worlds';

const SEEDS = Array.from({ length: 200 }, (_, at) => 1 + at);
const AT_ONCE = 25;

/** Worlds in which the sheet or its checker was wrong once. */
const MET = [675, 1980, 2194, 2818, 3120, 4126, 4340, 4390, 5300, 5447];

const chunks = Array.from({ length: SEEDS.length / AT_ONCE }, (_, at) => {
  const seeds = SEEDS.slice(at * AT_ONCE, (at + 1) * AT_ONCE);
  return { name: `${seeds[0]} to ${seeds.at(-1)}`, seeds };
});

it.each([{ name: MET.join(', '), seeds: MET }, ...chunks])(
  'rows show their own products, whatever people do: seeds $name',
  ({ seeds }) => {
    const seen = playWorlds(distIn(BUILT), seeds);
    expect(seen.states.open + seen.states.hidden).toBeGreaterThan(0);
    const { text, isKept } = summaryOf(seen);
    if (!isKept) throw new Error(text);
  },
  300_000,
);
