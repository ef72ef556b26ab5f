// A firing that is cut off while it marks rows or asks: what it leaves in the sheet, and what it has spent.

import { afterEach, expect, it } from '@jest/globals';
import { type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { pass, schedule, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(620, 700);
const list = () => sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
const HOURLY = { recurrence: { kind: 'hourly' } };
const BUDGET = 40;

const marked = (sheet: Sheet) =>
  sheet.values().filter((row) => row.some((cell) => String(cell).startsWith('Queued')));

/** The rows are due at ten past the hour; the clock strikes only when it is told to. */
async function dueAt(hour: number, sheet: Sheet, more: object, host: object = {}): Promise<World> {
  const made = await worldWith(sheet, { host });
  await schedule(made, 's1', {}, { ...HOURLY, maxAgeHours: 1, ...more });
  made.host.stores.triggers.disable('owner@example.com');
  await made.host.run(Date.UTC(2026, 0, 5, hour, 10));
  return made;
}

/** The first call of such a firing at which something is so. */
async function callAtWhich(
  more: object,
  isSo: (world: World, sheet: Sheet) => boolean,
): Promise<number> {
  const sheet = list();
  let calls = Number.NEGATIVE_INFINITY;
  let found = 0;
  const betweenCalls = () => {
    calls += 1;
    if (found === 0 && calls > 0 && isSo(other, sheet)) found = calls;
    return [];
  };
  const other: World = await dueAt(12, sheet, more, { betweenCalls });
  calls = 0;
  await strike(other);
  await other.stop();
  return found;
}

it('takes its marks away in the quiet hours, too', async () => {
  const quiet = { quiet: { fromHour: 13, toHour: 20 } };
  const killAtCall = await callAtWhich(quiet, (_, sheet) => marked(sheet).length > 0);
  const sheet = list();
  world = await dueAt(12, sheet, quiet);
  expect((await strike(world, { killAtCall })).ended).toBe('killed');
  expect(marked(sheet)).toHaveLength(LIST.length);
  await pass(world, 1);
  await strike(world);
  expect(marked(sheet)).toHaveLength(0);
});

it('has spent what it called of its hour', async () => {
  const budget = { callsPerHour: BUDGET };
  let before: number | null = null;
  const killAtCall = await callAtWhich(budget, (other) => {
    before ??= other.service().arrived;
    return other.service().arrived >= before + BUDGET - 1;
  });
  const sheet = list();
  world = await dueAt(12, sheet, budget);
  const { arrived } = world.service();
  expect((await strike(world, { killAtCall })).ended).toBe('killed');
  expect(world.service().arrived).toBeGreaterThan(arrived + BUDGET / 2);
  await pass(world, 0.1);
  await strike(world);
  await strike(world);
  // It tells what it has called every two seconds: the last wave may be unknown.
  expect(world.service().arrived).toBeLessThan(arrived + 1.5 * BUDGET);
});
