// A new list over an old one, and a run over some of its rows that is cut off: the others are left alone.

import { afterEach, expect, it } from '@jest/globals';
import { runAll, runOn, SANDBOX, type Sheet, sheetOf, startRun, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const OLD = US_ASINS.slice(1_600, 1_660);
const NEW = US_ASINS.slice(1_660, 1_720);
const CHOSEN = 20;

async function pastedOver(): Promise<Sheet> {
  const sheet = sheetOf([['ASIN'], ...OLD.map((asin) => [asin])]);
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
  await runAll(world);
  sheet.grid.write(
    sheet.id,
    2,
    1,
    NEW.map((asin) => [asin]),
  );
  const rectangle = { row: 2, column: 1, rowCount: CHOSEN, columnCount: 1 };
  sheet.grid.select({ sheetId: sheet.id, rectangle, others: [] });
  await world.host.run(world.host.nowMs() + 60_000);
  return sheet;
}

it.each([40, 60, 80])('cut off at call %d', async (killAtCall) => {
  const sheet = await pastedOver();
  const before = sheet.values();
  const { jobId } = await startRun(world, { rows: { kind: 'selection' } });
  const args = ['bulk.run', { jobId, lane: 0, maxMs: 300_000 }];
  const cut = world.host.start({ functionName: 'rpc', args, door: 'sidebar', killAtCall });
  await world.host.run();
  expect((await cut).ended).toBe('killed');
  await world.host.run(world.host.nowMs() + 120_000);
  expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', left: 0 });
  const after = sheet.values();
  expect(after.slice(1 + CHOSEN)).toEqual(before.slice(1 + CHOSEN));
  const statuses = after.slice(1, 1 + CHOSEN).map((row) => row[6]);
  expect(statuses).toEqual(NEW.slice(0, CHOSEN).map((asin) => `OK ${asin} US`));
  expect(world.service().arrived).toBeLessThanOrEqual(OLD.length + 2 * CHOSEN);
});
