// Ten schedules with everything a person can choose: all run, and what each came to is known.

import { afterEach, expect, it } from '@jest/globals';
import { FIELDS } from '../../src/analysis/fields';
import { granted, sheetOf, US_ASINS } from './bulk-list';
import { pass, type Shown, schedule, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const TEN = Array.from({ length: 10 }, (_, at) => `mi8x3k2${at}`);
const EVERYTHING = {
  recurrence: { kind: 'monthly', hour: 10, day: 5 },
  maxAgeHours: 8_760,
  callsPerHour: 10_000,
  quiet: { fromHour: 22, toHour: 6 },
  rules: [
    { kind: 'no-longer-eligible' },
    { kind: 'fell-under', field: 'roi', bound: 0.205 },
    { kind: 'fell-under', field: 'profit', bound: 3.55 },
    { kind: 'doubled', field: 'rank_drops_30d' },
  ],
};

it('ten schedules with everything run, and are told apart by what they came to', async () => {
  const rows = US_ASINS.slice(0, 3).map((asin) => [asin, 'GB', 'mine']);
  world = await worldWith(sheetOf([['ASIN of the product to buy', 'Country', 'Whose'], ...rows]));
  for (const id of TEN) await schedule(world, id, { fields: FIELDS }, EVERYTHING);
  await pass(world, 4);
  const { schedules } = granted(await world.rpc('schedule.look'));
  const all = schedules as readonly Shown[];
  expect(all.map(({ problem }) => problem)).toEqual(TEN.map(() => undefined));
  expect(all.map(({ last }) => last?.outcome)).toEqual(TEN.map(() => 'done'));
  expect(all.map(({ isUnderWay }) => isUnderWay)).toEqual(TEN.map(() => false));
});
