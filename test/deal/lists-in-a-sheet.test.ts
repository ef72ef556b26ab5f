// Two lists in one sheet, which may share a column of costs: each is decided on and summed up for itself.

import { afterEach, expect, it } from '@jest/globals';
import type { ListShown } from '../../src/sidebar/api/schedules';
import { granted, US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  type DealWorld,
  dealWorld,
  decide,
  lookAt,
  offersIn,
  remove,
  summarize,
} from '../doors/deal-list';
import { EVERY_MORNING, history } from '../doors/schedule-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const FIELDS = ['profit', 'fees', 'sell_price'];
const select = (column: number) =>
  made.sheet.grid.select({
    sheetId: made.sheet.id,
    rectangle: { row: 2, column, rowCount: 1, columnCount: 1 },
  });

it('have costs and names of their own, where they have them', async () => {
  const titles = ['Title', 'Cost', 'Qty'];
  const offer = (at: number) => [US_ASINS[at] ?? '', `Thing ${at}`, 1 + at, 1 + at];
  made = await dealWorld([
    ['ASIN', ...titles, 'Rival', ...titles],
    ...[0, 1].map((at) => [...offer(at), ...offer(2 + at)]),
  ]);
  const { world, sheet } = made;
  await analyze(world, { fields: FIELDS });
  await analyze(world, { fields: FIELDS, productColumn: 5, productTitle: 'Rival' });
  for (const [column, suffix, cost] of [
    [1, '', 1],
    [5, ' (Rival)', 3],
  ] as const) {
    select(column);
    granted(await decide(world));
    expect(sheet.byHeader(2)[`Landed cost${suffix}`]).toBe(cost);
    expect(await offersIn(world)).toMatchObject([
      { name: `Thing ${cost - 1}`, quantity: cost },
      { name: `Thing ${cost}`, quantity: cost + 1 },
    ]);
  }
});

it('keep their costs, whichever of them is decided on or taken back', async () => {
  made = await dealWorld([
    ['ASIN', 'Cost', 'Rival'],
    ...[0, 1, 2].map((at) => [US_ASINS[at] ?? '', 4 + at, US_ASINS[20 + at] ?? '']),
  ]);
  const { world, sheet } = made;
  await analyze(world, { fields: FIELDS });
  await analyze(world, { fields: FIELDS, productColumn: 3, productTitle: 'Rival' });
  for (const column of [1, 3]) {
    select(column);
    expect((await lookAt(world)).look.productColumn).toBe(column);
    granted(await decide(world));
  }
  for (const column of [1, 3, 3]) {
    select(column);
    granted(await summarize(world));
  }
  select(3);
  const tabs = sheet.grid.sheets().map(({ name }) => name);
  expect(tabs.filter((name) => name.startsWith('Summary'))).toEqual(['Summary', 'Summary 2']);
  const titles = sheet.values()[0] ?? [];
  expect(titles).toEqual(expect.arrayContaining(['Verdict', 'Verdict (Rival)']));
  expect((await lookAt(world)).look.columns.map(({ title }) => title)).toEqual(['ASIN', 'Cost']);
  const first = [2, 3, 4].map((row) => sheet.decision(row));
  // By its mark alone the column is known as that of the costs, once somebody has said so.
  sheet.type(1, 2, 'Aktion');
  granted(await remove(world));
  expect(sheet.values()[0]).not.toContain('Verdict (Rival)');
  select(1);
  const { sheet: active, listId } = (await lookAt(world)).look;
  const bound = { sheetId: active.id, listId, role: 'cost' };
  granted(await world.rpc('deals.keepBound', bound));
  expect((await lookAt(world)).costs.cost?.title).toBe('Aktion');
  expect(granted(await decide(world))).toMatchObject({ kept: 0 });
  expect([2, 3, 4].map((row) => sheet.decision(row))).toEqual(first);
});

it('have schedules that are told apart by their columns', async () => {
  made = await dealWorld([
    ['ASIN', 'Rival'],
    [US_ASINS[0] ?? '', US_ASINS[1] ?? ''],
  ]);
  const { world } = made;
  await analyze(world, { fields: FIELDS });
  await analyze(world, { fields: FIELDS, productColumn: 2, productTitle: 'Rival' });
  const lists = granted(await world.rpc('schedule.look')).lists as readonly ListShown[];
  for (const [at, { sheetId, listId }] of lists.entries()) {
    const task = { kind: 'list', sheetId, listId, rows: 'all' };
    granted(
      await world.rpc('schedule.save', { id: `s${at}`, settings: { ...EVERY_MORNING, task } }),
    );
    granted(await world.rpc('schedule.run', { id: `s${at}`, maxMs: 60_000, anyway: true }));
  }
  const places = ['Sheet1, column A', 'Sheet1, column B'];
  const { schedules } = granted(await world.rpc('schedule.look'));
  expect(schedules).toMatchObject(places.map((sheetName) => ({ sheetName })));
  expect(await history(world)).toMatchObject(
    [...places].reverse().map((place) => ({ name: `Every day at 6:00 AM, ${place}` })),
  );
});
