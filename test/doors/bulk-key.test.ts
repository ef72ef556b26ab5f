// The key is taken back or replaced while a run is at work: nothing more is spent on the old one.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, runOn, sheetOf, startRun, US_ASINS } from './bulk-list';
import { history, schedule, shownNow, worldWith } from './schedule-list';
import { BASE_URL, type World } from './world';

let world: World;
afterEach(() => world.stop());

const list = () => sheetOf([['ASIN'], ...US_ASINS.slice(0, 500).map((asin) => [asin])]);

/** The change itself takes a second, and is heard within another or two, at five calls a second. */
const CALLS_MORE = 20;

const HOUR_MS = 3_600_000;

const NEW_KEY = {
  ...{ baseUrl: BASE_URL, sharing: 'me', apiKey: 'demo-key-20-per-second' },
  quota: { calls: 20, perSeconds: 1, burst: 20 },
};

const call = (method: string, payload: object = {}) =>
  ({ functionName: 'rpc', args: [method, payload], door: 'sidebar' }) as const;

describe('taken back', () => {
  it('ends the slice, and the run waits for a connection', async () => {
    world = await worldWith(list());
    const { jobId } = await startRun(world);
    const slice = world.host.start(call('bulk.run', { jobId, lane: 0, maxMs: 300_000 }));
    await world.host.run(world.host.nowMs() + 10_000);
    const before = world.service().arrived;
    const cleared = world.host.start(call('connection.clear'));
    await world.host.run();
    const [end, clear] = [await slice, await cleared];
    expect(before).toBeGreaterThan(20);
    expect(world.service().arrived).toBeLessThan(before + CALLS_MORE);
    expect(end.endedMs - clear.endedMs).toBeLessThan(4_000);
    const stuck = await runOn(world, jobId);
    expect(stuck).toMatchObject({ state: 'stuck', problem: { kind: 'no-connection' } });
    granted(await world.connect());
    granted(await world.rpc('bulk.resume', { jobId }));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: 500 });
    expect(world.service().arrived).toBe(500);
  });

  it('ends what the clock is at, which then says why', async () => {
    world = await worldWith(list());
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
    await world.host.run(Math.ceil(world.host.nowMs() / HOUR_MS) * HOUR_MS + 1_000);
    void world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
    await world.host.run(world.host.nowMs() + 20_000);
    const before = world.service().arrived;
    void world.host.start(call('connection.clear'));
    await world.host.run();
    expect(before).toBeGreaterThan(20);
    expect(world.service().arrived).toBeLessThan(before + CALLS_MORE);
    expect((await history(world)).at(-1)).toMatchObject({ outcome: 'part' });
    await world.host.run(world.host.nowMs() + HOUR_MS);
    expect((await shownNow(world)).problem?.kind).toBe('no-connection');
  });
});

it('replaced: the run goes on with the new one', async () => {
  world = await worldWith(list());
  const { jobId } = await startRun(world);
  void world.host.start(call('bulk.run', { jobId, lane: 0, maxMs: 300_000 }));
  await world.host.run(world.host.nowMs() + 10_000);
  void world.host.start(call('connection.save', NEW_KEY));
  await world.host.run();
  expect(world.service().arrived).toBeLessThan(100);
  expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', failed: 0 });
});
