// Tables of few long runs: which seeds a case is told by, and where a peer's figures stand.

import { expect, it } from '@jest/globals';
import type { Bundles } from '../../bench/bundles';
import { tellCases } from '../../bench/case-table';

const BUNDLES: Bundles = { code: '', html: {}, manifest: '', withBulk: '', peers: '' };

it('tells the add-on by five seeds and peers by three at most, the ideal last', async () => {
  const told: (readonly [string, number])[] = [];
  const figures = (who: string, seed: number) => {
    told.push([who, seed]);
    return { ratio: seed };
  };
  const cases = [
    {
      name: 'a',
      ideal: { ratio: 1 },
      tell: (_: Bundles, seed: number) => ({ a: figures('addOn', seed) }),
      tellPeer: async (_: Bundles, seed: number, peer: string) => ({ a: figures(peer, seed) }),
    },
    { name: 'b', ideal: {}, tell: () => ({ b: { errors: 0 } }) },
    { name: 'c', ideal: {}, tell: () => ({}) },
  ];
  const options = { bundles: BUNDLES, seeds: 10, firstSeed: 41, only: ['a', 'b'] };
  const rows = await tellCases('laws', cases, options);
  const seedsOf = (who: string) => told.flatMap(([by, seed]) => (by === who ? [seed] : []));
  expect(seedsOf('addOn')).toEqual([41, 42, 43, 44, 45]);
  for (const peer of ['backoff', 'sleep', 'lock']) expect(seedsOf(peer)).toEqual([41, 42, 43]);
  expect(rows.map((row) => [row.table, row.case, row.metric, row.value])).toEqual([
    ['laws', 'a', 'ratio', 43],
    ['laws: no throttle, backoff', 'a', 'ratio', 42],
    ['laws: sleep(1/r)', 'a', 'ratio', 42],
    ['laws: lock for each call', 'a', 'ratio', 42],
    ['laws: the ideal', 'a', 'ratio', 1],
    ['laws', 'b', 'errors', 0],
  ]);
});
