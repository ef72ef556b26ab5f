// A run that everybody closed the sidebar on: whose clock goes on with it, and how soon.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createState, handle } from '../../playground/api/handle';
import type { HostOptions } from '../../playground/host/host-contract';
import { createSandboxedInternet, withState } from '../../playground/host/internet/sandboxed';
import { granted, runAll, SANDBOX, type Sheet, sheetOf, startRun, US_ASINS } from './bulk-list';
import { pass, schedule, shownNow } from './schedule-list';
import { BASE_URL, createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const MINUTE_MS = 60_000;
const OTHER = 'other@example.com';

async function leftAlone(host: Partial<HostOptions> = {}, sharing = 'me'): Promise<object> {
  const sheet = sheetOf([['ASIN'], ...US_ASINS.slice(0, 30).map((asin) => [asin])]);
  const document = { ...sheet.document, editors: [OTHER] };
  world = createWorld({ sandbox: SANDBOX, host: { ...host, documents: [document] } });
  await world.connect({ sharing });
  const run = await startRun(world);
  await world.host.run(world.host.nowMs() + 2 * MINUTE_MS);
  return run;
}

const status = async () => granted(await world.rpc('bulk.status'));

describe('a run that was left alone', () => {
  it('is gone on with within minutes where the script belongs to the spreadsheet', async () => {
    const limits = { firingsApartMs: MINUTE_MS, triggersPerDocument: 20 };
    expect(await leftAlone({ limits })).toMatchObject({ rescueMinutes: 10 });
    expect(await status()).toMatchObject({ state: 'interrupted', left: 30 });
    await world.host.run(world.host.nowMs() + 14 * MINUTE_MS);
    expect(await status()).toMatchObject({ state: 'finished', answered: 30 });
    expect(world.service().arrived).toBe(30);
  });

  it.each(['me', 'spreadsheet'])(
    "is left to the clock of its person, not to another's (key for %s)",
    async (sharing) => {
      await leftAlone({}, sharing);
      const clock = { functionName: 'onSchedule', args: [], door: 'clock' } as const;
      const ofOther = world.host.start({ ...clock, userEmail: OTHER });
      await world.host.run(world.host.nowMs() + MINUTE_MS);
      expect((await ofOther).ended).toBe('returned');
      expect(await status()).toMatchObject({ state: 'interrupted', left: 30 });
      const own = world.host.start(clock);
      await world.host.run(world.host.nowMs() + MINUTE_MS);
      expect((await own).ended).toBe('returned');
      expect(await status()).toMatchObject({ state: 'finished', answered: 30 });
    },
  );
});

/** A service that can be down. */
function unsteadyService() {
  const { service } = withState(handle, createState(SANDBOX));
  const state = { isDown: true };
  const internet = createSandboxedInternet({
    [new URL(BASE_URL).host]: (request, nowMs) =>
      state.isDown
        ? { kind: 'answer', status: 503, headers: {}, body: 'down', delayMs: 50 }
        : service(request, nowMs),
  });
  return { state, internet };
}

const LONG = US_ASINS.slice(0, 60);
const longList = (): Sheet => sheetOf([['ASIN'], ...LONG.map((asin) => [asin])]);

async function heldUp(): Promise<{ isDown: boolean }> {
  const { state, internet } = unsteadyService();
  world = createWorld({ sandbox: SANDBOX, host: { internet, documents: [longList().document] } });
  await world.connect();
  expect(await runAll(world)).toMatchObject({ state: 'stuck', isHeldUp: true, rescueMinutes: 60 });
  return state;
}

describe('a run that is held up by a service that is down', () => {
  it('is gone on with by the clock when the service is back', async () => {
    const state = await heldUp();
    state.isDown = false;
    await pass(world, 2.2);
    const end = await status();
    expect(end).toMatchObject({ state: 'finished', left: 0 });
    expect(Number(end.answered)).toBeGreaterThan(LONG.length / 2);
  });

  it('lets schedules go on afterwards, and until then they say so', async () => {
    const state = await heldUp();
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
    await pass(world, 1.2);
    expect(await shownNow(world)).toMatchObject({
      problem: { message: expect.stringContaining('held up and tried again every hour') },
    });
    state.isDown = false;
    await pass(world, 3);
    expect((await shownNow(world)).problem).toBeUndefined();
    expect(await status()).toMatchObject({ left: 0 });
  });

  it('stays as it is where its person has paused it', async () => {
    const state = await heldUp();
    const { jobId } = await status();
    granted(await world.rpc('bulk.pause', { jobId }));
    state.isDown = false;
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
    await pass(world, 3);
    expect(await status()).toMatchObject({ state: 'paused' });
    expect(await shownNow(world)).toMatchObject({
      problem: { message: expect.stringMatching(/a run over a list is paused/i) },
    });
  });
});
