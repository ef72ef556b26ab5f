// Formulas that are refreshed again and again: nothing is asked twice within its age, and no cell wakes in vain.

import { afterEach, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld } from '../doors/formulas-list';

const HOUR = 3_600_000;
const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };
const [MUG = '', GONE = ''] = US_ASINS.slice(80);
const UNKNOWN = 'B0NOTFOUND';

let world: FormulaWorld;
afterEach(() => world.stop());

const calls = () => arrivalsOf(world.service()).length;
const passTime = (hours: number) => world.host.run(world.host.nowMs() + hours * HOUR);
/** As a schedule does whose figures may be so old. */
const refresh = (hours = 24) => world.refresh({ notBeforeMs: world.host.nowMs() - hours * HOUR });

async function worldOf(asins: readonly string[]): Promise<void> {
  const rows = asins.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of")`]);
  world = formulaWorld([['ASIN', 'As of'], ...rows], {
    sandbox: { ...SANDBOX, faults: { [GONE]: 'not-found' } },
  });
  await world.connect(FAST);
}

it('a product that the service does not know is asked for again when it is due, not before', async () => {
  await worldOf([MUG, GONE, UNKNOWN]);
  expect(await refresh()).toMatchObject({ refreshed: 1, failed: 2, left: 0, calls: 3 });
  for (const hours of [2, 6, 7, 8]) {
    await passTime(hours);
    expect(await refresh()).toMatchObject({ left: 0, calls: 0 });
  }
  expect(calls()).toBe(3);
  await passTime(2);
  expect(await refresh()).toMatchObject({ refreshed: 1, failed: 2, left: 0, calls: 3 });
  expect(calls()).toBe(6);
});

it('a list in which one product has news is not asked for before it is due', async () => {
  world = formulaWorld(
    [
      ['ASIN', 'As of'],
      [MUG, '=ANALYZE(A2:A3,"US","as_of")'],
      [UNKNOWN, ''],
    ],
    {
      sandbox: SANDBOX,
    },
  );
  await world.connect(FAST);
  expect(await refresh()).toMatchObject({ failed: 1, left: 0, calls: 2 });
  await passTime(10);
  await world.show('ANALYZE', MUG, 'US', 'profit');
  const before = calls();
  const executions = world.live.executions();
  expect(await refresh()).toMatchObject({ left: 0, calls: 0 });
  expect(world.live.executions()).toBe(executions);
  expect(calls()).toBe(before);
});

it('a product of a list without an answer is asked for again, it alone and for two hours', async () => {
  const asins = US_ASINS.slice(100, 104);
  const [, , broken = ''] = asins;
  const rows = asins.map((asin, i) => [asin, i === 0 ? '=ANALYZE(A2:A5,"US","as_of")' : '']);
  world = formulaWorld([['ASIN', 'As of'], ...rows], {
    sandbox: { ...SANDBOX, faults: { [broken]: 'crash' } },
  });
  await world.connect(FAST);
  expect(await refresh()).toMatchObject({ left: 1, calls: 6 });
  await passTime(1);
  expect(await refresh()).toMatchObject({ left: 1, calls: 3 });
  const again = arrivalsOf(world.service()).slice(6);
  expect(again.map(({ product }) => product)).toEqual(Array(3).fill(`US ${broken}`));
  for (const hours of [2, 5]) {
    await passTime(hours);
    expect(await refresh()).toMatchObject({ left: 0, calls: 0 });
  }
});

it('cells that are up to date are not worked out again', async () => {
  const asins = US_ASINS.slice(100, 140);
  await worldOf(asins);
  expect(await refresh()).toMatchObject({ refreshed: asins.length, left: 0 });
  const [executions, formulas] = [world.live.executions(), world.formulas(2, asins.length)];
  for (let hour = 0; hour < 20; hour += 5) {
    await passTime(5);
    expect(await refresh()).toMatchObject({ refreshed: 0, failed: 0, left: 0, calls: 0 });
  }
  expect(world.live.executions()).toBe(executions);
  expect(world.formulas(2, asins.length)).toEqual(formulas);
  await passTime(5);
  expect(await refresh()).toMatchObject({ refreshed: asins.length, calls: asins.length });
});

it('cells that were left without their figures are worked out again', async () => {
  await worldOf(US_ASINS.slice(100, 104));
  await refresh();
  await passTime(1);
  world.grid.setComputed(world.sheetId, 2, 2, '#ERROR!');
  world.grid.setComputed(world.sheetId, 3, 2, 'Loading...');
  world.grid.setComputed(world.sheetId, 4, 2, "Not analyzed: waiting for the key's limit");
  expect(await refresh()).toMatchObject({ refreshed: 3, left: 0, calls: 0 });
  expect(world.column(2, 4).every((shown) => shown instanceof Date)).toBe(true);
});

it('a product that something else heard of is shown without a call', async () => {
  await worldOf(US_ASINS.slice(100, 104));
  await refresh();
  await passTime(7);
  await world.show('ANALYZE', US_ASINS[100], 'US', 'profit');
  const before = calls();
  expect(await refresh()).toMatchObject({ refreshed: 1, left: 0, calls: 0 });
  const [first, second] = world.column(2, 2).map(Number);
  expect((first ?? 0) - (second ?? 0)).toBeGreaterThan(6 * HOUR);
  expect(calls()).toBe(before);
});
