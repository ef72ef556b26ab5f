// A job whose key or service rests: it is blocked with the reason, asks nothing, and goes on.

import { afterEach, describe, expect, test } from '@jest/globals';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import { createState, handle } from '../../playground/api/handle';
import { runAll, SANDBOX, setState, workOff } from '../doors/bulk-list';
import { BASE_URL } from '../doors/world';
import { ASINS, type JobWorld, jobWorld, listOf, waitFor } from './job-world';

let world: JobWorld;
afterEach(async () => world.stop());

const HOUR_MS = 3_600_000;

const goOn = async (jobId: string) => workOff(world, await setState(world, jobId, 'running'));

test('a key that the service refuses blocks it until a person has another', async () => {
  world = await jobWorld(listOf(ASINS.slice(0, 20)), { apiKey: 'demo-key-revoked' });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked', left: 20, failed: 0 });
  expect(blocked.problem).toMatchObject({ kind: 'key-refused' });
  expect(blocked.resumesAtMs).toBeUndefined();
  const refused = world.asked().length;
  await waitFor(world, 3 * HOUR_MS);
  expect(world.asked()).toHaveLength(refused);

  await world.connect();
  expect(await goOn(blocked.jobId)).toMatchObject({ state: 'done', answered: 20 });
});

test('answers in other units than the connection decided block it until a check decides', async () => {
  const settings = { roiUnit: 'percent', moneyUnit: 'units' };
  world = await jobWorld(listOf(ASINS.slice(0, 60)), { settings });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked', failed: 0 });
  expect(blocked.problem).toMatchObject({ kind: 'other-units', action: 'Check the connection.' });
  expect(blocked.resumesAtMs).toBeUndefined();

  expect(await world.rpc('connection.check')).toMatchObject({ ok: true });
  expect(await goOn(blocked.jobId)).toMatchObject({ state: 'done', failed: 0 });
  expect(world.tab().every((row) => row.Status === 'OK')).toBe(true);
});

test('a plan that is used up blocks it with what is answered in the tab', async () => {
  world = await jobWorld(listOf(ASINS.slice(0, 40)), { apiKey: 'demo-key-plan-of-25' });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked', answered: 25, left: 15 });
  expect(blocked.problem).toMatchObject({ kind: 'plan-used-up' });
  expect(blocked.resumesAtMs).toBeGreaterThan(world.host.nowMs());
  expect(world.tab().filter((row) => row.Status === 'OK')).toHaveLength(25);
});

test("Google's day that is used up blocks it, and an hour later it tries again", async () => {
  const limits = { urlFetchPerDay: 12 };
  world = await jobWorld(listOf(ASINS.slice(0, 30)), { host: { limits } });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked' });
  expect(blocked.problem).toMatchObject({ kind: 'google-limit' });
  expect(blocked.resumesAtMs).toBeGreaterThan(world.host.nowMs());
  expect(blocked.answered).toBeGreaterThan(0);

  await waitFor(world, 26 * HOUR_MS);
  await waitFor(world, 26 * HOUR_MS);
  await waitFor(world, 26 * HOUR_MS);
  expect(world.tab().every((row) => row.Status === 'OK')).toBe(true);
  expect(world.service().arrived).toBe(30);
});

describe('a service that is down', () => {
  const state = { isDown: true };
  const { service } = withState(handle, createState(SANDBOX));
  const internet = createSandboxedInternet({
    [new URL(BASE_URL).host]: (request, nowMs) =>
      state.isDown
        ? { kind: 'answer', status: 503, headers: {}, body: 'down', delayMs: 50 }
        : service(request, nowMs),
  });

  test('blocks it after a few calls, and the clock goes on once it is back', async () => {
    state.isDown = true;
    world = await jobWorld(listOf(ASINS.slice(0, 60)), { host: { internet } });

    const blocked = await runAll(world);

    expect(blocked).toMatchObject({ state: 'blocked', answered: 0 });
    expect(blocked.left).toBeGreaterThan(30);
    expect(blocked.resumesAtMs).toBeGreaterThan(world.host.nowMs());
    state.isDown = false;
    await waitFor(world, 2.2 * HOUR_MS);
    const statuses = world.tab().map((row) => row.Status);
    expect(statuses.filter((status) => status === 'OK')).toHaveLength(Number(blocked.left));
    expect(statuses.filter((status) => status === 'Waiting')).toHaveLength(0);
  });
});
