// Rows far apart in a long list are a write each: the run stays alive and listens while it writes them.

import { afterEach, expect, it } from '@jest/globals';
import { granted, runOn, SANDBOX, sheetOf, startRun, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

/** More than one write reaches. */
const APART = 510;
const LIST = US_ASINS.slice(1_500, 1_550);
const ROWS = LIST.map((_, at) => 2 + at * APART);

/** A list in which only every 510th row holds a product. */
const farApart = () => {
  const cells = Array.from({ length: LIST.length * APART }, () => ['']);
  for (const [at, asin] of LIST.entries()) cells[at * APART] = [asin];
  return sheetOf([['ASIN'], ...cells]);
};

const rpc = (method: string, payload: object) =>
  ({ functionName: 'rpc', args: [method, payload], door: 'sidebar' }) as const;

async function started() {
  const sheet = farApart();
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
  const { jobId } = await startRun(world);
  const beganMs = world.host.nowMs();
  const slice = world.host.start(rpc('bulk.run', { jobId, lane: 0, maxMs: 300_000 }));
  return { sheet, jobId, beganMs, slice };
}

it('no other tab takes its place', async () => {
  const { sheet, jobId, beganMs, slice } = await started();
  const second = world.host.start(
    rpc('bulk.run', { jobId, lane: 0, maxMs: 300_000 }),
    beganMs + 25_000,
  );
  await world.host.run();
  const [first, other] = [await slice, await second];
  expect(first).toMatchObject({ ended: 'returned' });
  // It looks, and is told to come back later.
  expect(other.serviceCalls).toBeLessThan(20);
  expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: LIST.length });
  const rows = sheet.values();
  const statuses = ROWS.map((row) => rows[row - 1]?.[6]);
  expect(statuses).toEqual(LIST.map((asin) => `OK ${asin} US`));
});

it('what was answered when it is paused is written yet, and asked for once', async () => {
  const { jobId, beganMs, slice } = await started();
  const pause = world.host.start(rpc('bulk.pause', { jobId }), beganMs + 20_000);
  await world.host.run();
  expect(await pause).toMatchObject({ ended: 'returned' });
  expect(await slice).toMatchObject({ ended: 'returned' });
  expect(granted(await world.rpc('bulk.status'))).toMatchObject({
    state: 'paused',
    answered: LIST.length,
  });
  granted(await world.rpc('bulk.resume', { jobId }));
  expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: LIST.length });
  expect(world.service().arrived).toBe(LIST.length);
});
