// A job whose key or service rests: it is blocked with the reason, asks nothing, and goes on.

import { afterEach, describe, expect, test } from '@jest/globals';
import { ASINS, type ListWorld, listWorld, runAll, setState, workOff } from '../doors/bulk-list';
import { reply, type Says } from '../doors/world';

let world: ListWorld;
afterEach(async () => world.stop());

const goOn = async (jobId: string) => workOff(world, await setState(world, jobId, 'running'));

test('a key that the service refuses blocks it until a person has another', async () => {
  world = await listWorld(ASINS.slice(0, 20), { apiKey: 'demo-key-revoked' });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked', left: 20, failed: 0 });
  expect(blocked.problem).toMatchObject({ kind: 'key-refused' });
  expect(blocked.resumesAtMs).toBeUndefined();
  const refused = world.asked().length;
  await world.pass(3);
  expect(world.asked()).toHaveLength(refused);

  await world.connect();
  expect(await goOn(blocked.jobId)).toMatchObject({ state: 'done', answered: 20 });
});

test('answers in other units than the connection decided block it until a check decides', async () => {
  const settings = { roiUnit: 'percent', moneyUnit: 'units' };
  world = await listWorld(ASINS.slice(0, 60), { settings });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked', failed: 0 });
  expect(blocked.problem).toMatchObject({ kind: 'other-units', action: 'Check the connection.' });
  expect(blocked.resumesAtMs).toBeUndefined();

  expect(await world.rpc('connection.check')).toMatchObject({ ok: true });
  expect(await goOn(blocked.jobId)).toMatchObject({ state: 'done', failed: 0 });
  expect(world.tab().every((row) => row.Status === 'OK')).toBe(true);
});

test('a plan that is used up blocks it with what is answered in the tab', async () => {
  world = await listWorld(ASINS.slice(0, 40), { apiKey: 'demo-key-plan-of-25' });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked', answered: 25, left: 15 });
  expect(blocked.problem).toMatchObject({ kind: 'plan-used-up' });
  expect(blocked.resumesAtMs).toBeGreaterThan(world.host.nowMs());
  expect(world.tab().filter((row) => row.Status === 'OK')).toHaveLength(25);
});

test("Google's day that is used up blocks it, and an hour later it tries again", async () => {
  const limits = { urlFetchPerDay: 12 };
  world = await listWorld(ASINS.slice(0, 30), { host: { limits } });

  const blocked = await runAll(world);

  expect(blocked).toMatchObject({ state: 'blocked' });
  expect(blocked.problem).toMatchObject({ kind: 'google-limit' });
  expect(blocked.resumesAtMs).toBeGreaterThan(world.host.nowMs());
  expect(blocked.answered).toBeGreaterThan(0);

  await world.pass(26);
  await world.pass(26);
  await world.pass(26);
  expect(world.tab().every((row) => row.Status === 'OK')).toBe(true);
  expect(world.service().arrived).toBe(30);
});

describe('a service that is down', () => {
  const state = { isDown: true };
  const says: Says = (_asin, own) => (state.isDown ? reply(503, 'down') : own());

  test('blocks it after a few calls, and the clock goes on once it is back', async () => {
    state.isDown = true;
    world = await listWorld(ASINS.slice(0, 60), { says });

    const blocked = await runAll(world);

    expect(blocked).toMatchObject({ state: 'blocked', answered: 0 });
    expect(blocked.left).toBeGreaterThan(30);
    expect(blocked.resumesAtMs).toBeGreaterThan(world.host.nowMs());
    state.isDown = false;
    await world.pass(2.2);
    const statuses = world.tab().map((row) => row.Status);
    expect(statuses.filter((status) => status === 'OK')).toHaveLength(Number(blocked.left));
    expect(statuses.filter((status) => status === 'Waiting')).toHaveLength(0);
  });
});
