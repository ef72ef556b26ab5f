// Names that the build cuts short stay inside: nothing that the bundle stores or sends has one.

import { afterEach, expect, it } from '@jest/globals';
import { look, preview, runAll, sheetOf, US_ASINS, worldWith } from './bulk-list';
import { schedule } from './schedule-list';
import type { World } from './world';

/** A key of JSON, also of JSON that is a text in JSON. */
const INNER_KEY = /[{,]\\*"[A-Z][1-9]?\\*":/g;

const METHODS = [...['connection.status', 'jobs.status', 'schedule.look', 'schedule.history']];

let world: World | undefined;
afterEach(() => world?.stop());

it('stores and sends no such name in cells, a run, a schedule and the pages', async () => {
  const asins = US_ASINS.slice(0, 12);
  world = await worldWith(sheetOf(asins));
  await world.show('ANALYZE', asins[0], 'US', 'profit');
  const replies: unknown[] = [await look(world), await preview(world), await runAll(world)];
  await schedule(world, 's1', {}, { rules: [{ kind: 'doubled', field: 'roi' }] });
  await world.pass(24);
  for (const method of METHODS) replies.push(await world.rpc(method, {}));
  const all = world.crossed() + JSON.stringify(replies);
  expect(all).toContain('startedMs');
  expect(all.match(INNER_KEY)).toBeNull();
});
