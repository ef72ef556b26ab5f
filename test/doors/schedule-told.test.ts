// What comes to the same hour after hour is told once: in the history, and in the digest.

import { afterEach, expect, it } from '@jest/globals';
import { granted, sheetOf, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(600, 620);
const [BAD = ''] = LIST;

it('a row that fails in every hour leaves the history to the runs that came to something', async () => {
  const rows = LIST.map((asin) => [asin]);
  const faults = { [BAD]: 'crash' } as const;
  world = await worldWith(sheetOf([['ASIN'], ...rows]), { sandbox: { faults } });
  await schedule(world, 's1', {}, { recurrence: { kind: 'daily', hour: 11 } });
  await pass(world, 8);
  const run = { refreshed: LIST.length - 1, failed: 1 };
  expect(await history(world)).toMatchObject([{ ...run, outcome: 'part' }]);
  expect(granted(await world.rpc('schedule.look')).digest).toMatchObject({ ...run, runs: 1 });
  expect(await shownNow(world)).toMatchObject({ isUnderWay: true });
  // It was tried all the same, and by hand it is told of.
  expect(world.service().arrived).toBeGreaterThan(LIST.length + 10);
  granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
  expect(await history(world)).toMatchObject([{ failed: 1, byHand: true }, run]);
});

it('what the last try came to is told until the next one, also where an hour has no calls left', async () => {
  const rows = LIST.map((asin) => [asin]);
  const outages = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
  world = await worldWith(sheetOf([['ASIN'], ...rows]), { sandbox: { outages } });
  await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, callsPerHour: 5 });
  granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
  const { arrived } = world.service();
  const told = { problem: { message: expect.stringMatching(/calls all failed/) } };
  expect(await shownNow(world)).toMatchObject(told);
  await strike(world);
  expect(world.service().arrived).toBe(arrived);
  expect(await shownNow(world)).toMatchObject(told);
});
