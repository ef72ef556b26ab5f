// Ten schedules with everything a person can choose: all run, whatever the sheet holds, and are told apart.

import { afterEach, expect, it } from '@jest/globals';
import { FIELDS } from '../../src/product/fields';
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

it('headers and names of any length take no schedule its room', async () => {
  const long = (begin: string) => `${begin} ${'商品の長い見出し '.repeat(30)} ${begin}`;
  const titles = [
    'Product',
    ...Array.from({ length: 20 }, (_, at) => long(`Note ${at}`)),
    'Market',
  ];
  const headers = titles.map((title) => (title === 'Product' ? long('ASIN') : title));
  const rows = US_ASINS.slice(0, 3).map((asin) => [asin, ...Array(20).fill('mine'), 'US']);
  const sheet = sheetOf([headers, ...rows]);
  sheet.grid.renameSheet(sheet.id, '長い名前 '.repeat(19));
  world = await worldWith(sheet);
  const rules = Array.from({ length: 10 }, () => EVERYTHING.rules[1]);
  const task = { fields: FIELDS, headerRow: 1, productColumn: 1 };
  for (const id of TEN) await schedule(world, id, task, { ...EVERYTHING, rules });
  await pass(world, 4);
  // Columns are found again by such headers, too.
  world.host.act({ do: 'insertColumns', sheetId: sheet.id, first: 1, count: 1 });
  await pass(world, 24 * 31);
  const { schedules } = granted(await world.rpc('schedule.look'));
  const all = schedules as readonly Shown[];
  expect(all.map(({ problem }) => problem)).toEqual(TEN.map(() => undefined));
  expect(all.map(({ last }) => last?.outcome)).toEqual(TEN.map(() => 'done'));
  const payload = { id: 'eleventh', settings: { ...EVERYTHING, task: { kind: 'formulas' } } };
  expect((await world.rpc('schedule.save', payload)).failure).toMatchObject({
    message: expect.stringMatching(/has room for 10 schedules/),
  });
});

it('a day that short months do not have is told as what becomes of it', async () => {
  world = await worldWith(sheetOf([['ASIN'], [US_ASINS[0] ?? '']]));
  const named = async (day: number) =>
    (await schedule(world, 's1', {}, { recurrence: { kind: 'monthly', hour: 6, day } })).name;
  expect(await named(28)).toBe('Every month on day 28 at 6:00');
  expect(await named(29)).toBe('Every month on day 29, or its last, at 6:00');
  expect(await named(31)).toBe('Every month on day 31, or its last, at 6:00');
});
