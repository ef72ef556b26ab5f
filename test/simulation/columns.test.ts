// Worlds that once failed because columns or rows moved or were renamed while a run started or
// wrote.

import { beforeAll, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { interleaved, learnTruth } from './bulk';
import { twoPeople } from './pairs';
import { upheaval } from './upheavals';

const dist = distIn(BUILT);

const COLUMNS = [
  19, 22, 56, 71, 95, 111, 114, 477, 172, 234, 235, 309, 25367, 26161, 27280, 29567, 5025, 5047,
  7445, 50106, 50342, 51141, 51148, 51495, 53002, 53391, 54088, 70086, 70150, 71374, 72454, 90011,
  90041, 90243, 275, 600,
];

/** One truth for all worlds, as long as the longest of them. */
let truth: ReturnType<typeof learnTruth>;
beforeAll(() => {
  truth = learnTruth(dist);
});

/** Lists in which every product is typed over or deleted during the start. */
const ROWS = [63869, 64594];

/** A sample of worlds in which people paste, type over figures, filter and undo. */
const HANDS = [6, 12, 16, 17, 48, 161];

/** One of each kind. */
const UPHEAVALS = [1, 4, 6, 8, 9, 13];
const PAIRS = [1, 2];

it('lists stay whole among people who paste, type over figures and undo', () => {
  const worlds = HANDS.map((seed) => interleaved(dist, truth, 'hands', seed).run());
  expect(worlds.filter(({ wrongs }) => wrongs.length > 0)).toEqual([]);
});

it('lists and copies stay whole where columns, cells and tabs go or are copied in mid-run', () => {
  const worlds = UPHEAVALS.map((seed) => upheaval(dist, truth, seed).run());
  expect(worlds.filter(({ wrongs }) => wrongs.length > 0)).toEqual([]);
});

it('two people run over one list with keys of their own, and neither key is asked too much', () => {
  const worlds = PAIRS.map((seed) => twoPeople(dist, truth, seed).run());
  expect(worlds.filter(({ wrongs }) => wrongs.length > 0)).toEqual([]);
});

it('lists stay whole in worlds that broke once', () => {
  const worlds = [
    ...COLUMNS.map((seed) => interleaved(dist, truth, 'columns', seed)),
    ...ROWS.map((seed) => interleaved(dist, truth, 'rows', seed)),
  ];
  const broken = worlds.map(({ run }) => run()).filter(({ wrongs }) => wrongs.length > 0);
  expect(broken).toEqual([]);
});
