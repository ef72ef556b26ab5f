// Our columns taken away and brought back, and the tab Analysis after it was deleted: no call is made.

import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { arrivalsOf } from '../../playground/api/state';
import { granted, US_ASINS } from '../doors/bulk-list';
import { analyze, type DealWorld, dealWorld, decide, lookAt } from '../doors/deal-list';

const OWN: readonly CellValue[][] = [
  ['ASIN', 'Cost', 'Sum of mine'],
  ...US_ASINS.slice(0, 12).map((asin, at) => [asin, 4 + at, '=B2*2']),
];

const OWN_COLUMNS = 3;

let deal: DealWorld;
beforeEach(async () => {
  deal = await dealWorld(OWN);
  await analyze(deal.world, { fields: ['profit', 'roi', 'fees', 'sell_price'] });
  granted(await decide(deal.world));
});
afterEach(() => deal.world.stop());

const calls = () => arrivalsOf(deal.world.service()).length;
const shown = () => deal.sheet.values();
const placeNow = async () => {
  const { look } = await lookAt(deal.world);
  if (look === null) throw new Error('There is no list.');
  return { sheetId: look.sheet.id, listId: look.listId };
};

test('columns of ours are taken away, those of a person stay, and all are added again without a call', async () => {
  const [before, made] = [shown(), calls()];
  const removed = granted(await deal.world.rpc('deals.removeColumns', await placeNow()));
  expect(removed).toMatchObject({ kept: 0, columns: (before[0]?.length ?? 0) - OWN_COLUMNS });
  expect(shown().map((row) => row.join(''))).toEqual(
    before.map((row) => row.slice(0, OWN_COLUMNS).join('')),
  );
  for (const choice of removed.shown as object[])
    granted(await deal.world.rpc('list.showColumns', choice));
  granted(await decide(deal.world));
  expect(shown()).toEqual(before);
  expect(calls()).toBe(made);
});

test('a cell that a person typed into one of them stays, with its title', async () => {
  const profit = (shown()[0]?.indexOf('Profit (service’s buy price)') ?? 0) + 1;
  deal.sheet.grid.write(deal.sheet.id, 3, profit, [[7]]);
  const removed = granted(await deal.world.rpc('deals.removeColumns', await placeNow()));
  expect(removed).toMatchObject({ kept: 1 });
  expect([0, 1, 2].map((row) => shown()[row]?.[profit - 1])).toEqual(['Profit', '', 7]);
});

test('the tab Analysis is named when it was deleted, and is back without a call', async () => {
  const [before, made] = [shown(), calls()];
  const { grid } = deal.sheet;
  const tab = grid.sheets().find(({ name }) => name === 'Analysis');
  createPeople(grid)({ do: 'deleteSheet', sheetId: tab?.id ?? -1 });
  expect(shown()).not.toEqual(before);
  expect(granted(await deal.world.rpc('list.look'))).toMatchObject({ isTabGone: true });
  expect(granted(await deal.world.rpc('list.bringBackTab'))).toEqual({ products: 12, missing: 0 });
  expect(granted(await deal.world.rpc('list.look'))).toMatchObject({
    isTabGone: false,
    newRows: 0,
  });
  expect(shown()).toEqual(before);
  expect(calls()).toBe(made);
});

test('what is no longer stored is counted, and left to be asked', async () => {
  const { grid } = deal.sheet;
  const tab = grid.sheets().find(({ name }) => name === 'Analysis');
  createPeople(grid)({ do: 'deleteSheet', sheetId: tab?.id ?? -1 });
  await deal.world.host.run(deal.world.host.nowMs() + 7 * 3_600_000);
  expect(granted(await deal.world.rpc('list.bringBackTab'))).toEqual({ products: 0, missing: 12 });
  const { choice } = granted(await deal.world.rpc('list.look')) as { choice: object };
  const rows = { kind: 'empty' };
  expect(granted(await deal.world.rpc('jobs.preview', { ...choice, rows }))).toMatchObject({
    products: 12,
    calls: 12,
  });
});
