// A run whose columns find no room: a spreadsheet holds ten million cells, and this one has them.

import { afterEach, expect, it } from '@jest/globals';
import { createPlainGrid } from '../../playground/host/sheet/plain-grid';
import { choiceOf, look, US_ASINS } from './bulk-list';
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
