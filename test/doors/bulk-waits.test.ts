// A run whose key rests for longer than a slice works: when its next call is due, and what waiting costs.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { SandboxKey } from '../../playground/api/keys';
import { granted, SANDBOX, sheetOf, startRun, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const MINUTE_MS = 60_000;
/** Two calls, and the next in half an hour. */
const SLOW_KEY: SandboxKey = {
  name: 'slow-key-2-per-hour',
  what: 'two calls an hour',
  quota: { kind: 'bucket', calls: 2, perSeconds: 3_600, burst: 2 },
};

async function slowRun(quota: object): Promise<unknown> {
  const sheet = sheetOf([['ASIN'], ...US_ASINS.slice(0, 20).map((asin) => [asin])]);
  const sandbox = { ...SANDBOX, keys: [SLOW_KEY] };
  world = createWorld({ sandbox, host: { documents: [sheet.document] } });
  await world.connect({ apiKey: SLOW_KEY.name, quota });
  return (await startRun(world)).jobId;
}

/** Works one slice, with a look at the run now and then. */
async function slice(jobId: unknown) {
  const call = (method: string, payload: object) =>
    ({ functionName: 'rpc', args: [method, payload], door: 'sidebar' }) as const;
  const beganMs = world.host.nowMs();
  const work = world.host.start(call('bulk.run', { jobId, lane: 0, maxMs: 5 * MINUTE_MS }));
  const looks = [30, 61, 92, 143, 204, 275].map((seconds) =>
    world.host.start(call('bulk.status', {}), beganMs + seconds * 1_000),
  );
  await world.host.run();
  const seen = await Promise.all(looks);
  const dueMs = seen.map(({ value }) => Number(granted(value as never).nextCallAtMs));
  return { beganMs, dueMs, ...(await work) };
}

describe('a key that rests for half an hour', () => {
  it.each([
    ['because its quota says so', { calls: 2, perSeconds: 3_600, burst: 2 }],
    ['because the service says so', { calls: 5, perSeconds: 1, burst: 10 }],
  ])('%s: the page is told that time throughout, and waiting takes few calls', async (_, quota) => {
    const jobId = await slowRun(quota);
    const first = await slice(jobId);
    const expectedMs = first.beganMs + 30 * MINUTE_MS;
    for (const dueMs of first.dueMs)
      expect(Math.abs(dueMs - expectedMs)).toBeLessThan(1.5 * MINUTE_MS);
    const second = await slice(jobId);
    for (const dueMs of second.dueMs)
      expect(Math.abs(dueMs - expectedMs)).toBeLessThan(1.5 * MINUTE_MS);
    expect(second.value).toMatchObject({ ok: true, value: { status: { state: 'running' } } });
    expect(second.serviceCalls).toBeLessThan(900);
    expect(second.endedMs - second.beganMs).toBeGreaterThan(4.9 * MINUTE_MS);
  });
});
