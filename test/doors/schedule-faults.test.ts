// Google's services fail twice in a row while the clock is at work: no marks stay, and the report for support tells.

import { afterEach, expect, it } from '@jest/globals';
import { type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { history, schedule, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
let dialogs: string[];
afterEach(() => world.stop());

const LIST = US_ASINS.slice(700, 712);
const OWNER = 'owner@example.com';
const BUSY = 'Somebody else is changing the schedules right now. Try again';

const marked = (sheet: Sheet) =>
  sheet.values().filter((row) => row.some((cell) => String(cell).startsWith('Queued')));

interface Morning {
  readonly sheet: Sheet;
  readonly operations: string[];
  /** So many calls were made when the first row was marked. */
  readonly markedAfter: () => number;
}

/** All rows are due; the clock strikes only when it is told to. */
async function morning(): Promise<Morning> {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  const operations: string[] = [];
  let markedAfter = Number.POSITIVE_INFINITY;
  const observe = ({ operation }: { readonly operation: string }) => {
    if (marked(sheet).length > 0) markedAfter = Math.min(markedAfter, operations.length);
    operations.push(operation);
  };
  dialogs = [];
  const screen = { onDialog: (html: string) => dialogs.push(html) };
  world = await worldWith(sheet, { host: { observe, screen } });
  await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
  world.host.stores.triggers.disable(OWNER);
  await world.host.run(Date.UTC(2026, 0, 5, 12, 10));
  operations.length = 0;
  return { sheet, operations, markedAfter: () => markedAfter };
}

/** The places of a firing's calls that take the lock, in one that nothing befalls. The first call is 1. */
async function calmLocks(): Promise<{ readonly all: readonly number[]; readonly marked: number }> {
  const { operations, markedAfter } = await morning();
  await strike(world);
  const all = operations.flatMap((name, at) => (name === 'lock.tryLock' ? [at + 1] : []));
  await world.stop();
  return { all, marked: markedAfter() };
}

/** The clock strikes, and one call of the lock fails with the one that is made in its place. */
const strikeWithout = (atCall = 0) =>
  strike(world, { faults: [{ atCall, when: 'before', times: 2 }] });

async function report(): Promise<string> {
  void world.host.start({ functionName: 'runDiagnostics', args: [], door: 'menu' });
  await world.host.run();
  return dialogs.join();
}

it('takes its marks away where it could not note that its run has begun', async () => {
  const locks = await calmLocks();
  const { sheet } = await morning();
  await strikeWithout(locks.all.find((at) => at > locks.marked));
  expect(marked(sheet)).toEqual([]);
  expect(await history(world)).toMatchObject([{ outcome: 'failed', calls: 0 }]);
  await world.host.run(Date.UTC(2026, 0, 5, 13, 10));
  await strike(world);
  expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: LIST.length }, {}]);
});

it.each([
  ['its visit', 0],
  ['that a schedule begins', 1],
])('tells in the report for support that it could not note %s', async (_, place) => {
  const { all } = await calmLocks();
  await morning();
  await strikeWithout(all[place]);
  expect(await history(world)).toEqual([]);
  expect(await report()).toContain(`The clock: ${BUSY}`);
});
