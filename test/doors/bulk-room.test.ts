// Runs at the edge of what there is room for: a spreadsheet of ten million cells, a header that is an essay.

import { afterEach, expect, it } from '@jest/globals';
import { createPlainGrid } from '../../playground/host/sheet/plain-grid';
import { choiceOf, granted, look, runOn, sheetOf, US_ASINS } from './bulk-list';
import { worldWith } from './schedule-list';
import { documentOf, type World } from './world';

let world: World;
afterEach(() => world.stop());

it('is not started in a full spreadsheet, which says so and costs nothing', async () => {
  const grid = createPlainGrid({ maxRows: 399_000, maxColumns: 25 });
  const id = grid.sheets()[0]?.id ?? 0;
  const notes = Array.from({ length: 24 }, (_, at) => `Note ${at}`);
  grid.write(id, 1, 1, [['ASIN', ...notes]]);
  grid.write(
    id,
    2,
    1,
    US_ASINS.slice(0, 5).map((asin) => [asin]),
  );
  world = await worldWith({ document: { ...documentOf('sheet-1'), model: grid } });
  const arrived = world.service().arrived;
  const { ok, failure } = await world.rpc('bulk.start', await choiceOf(world));
  expect([ok, failure?.message]).toEqual([
    false,
    expect.stringMatching(/^The spreadsheet has no room for more columns/),
  ]);
  expect(world.service().arrived).toBe(arrived);
  expect((await look(world)).run).toBeNull();
});

it('is started under a header that is an essay, and finds its products when they move', async () => {
  const essay = `ASIN – ${'paste your products here, one in each row. '.repeat(240)}`;
  const sheet = sheetOf([[essay], ...US_ASINS.slice(0, 5).map((asin) => [asin])]);
  world = await worldWith(sheet);
  const { choice, byHand } = await look(world);
  const start = { ...((choice ?? byHand) as object), headerRow: 1, productColumn: 1 };
  const { jobId } = granted(await world.rpc('bulk.start', start));
  sheet.grid.insertColumns(sheet.id, 1, 2);
  expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: 5 });
});
