// Several people and one job: whose key pays, whose cap holds, and records that are damaged.

import { afterEach, describe, expect, test } from '@jest/globals';
import { countsOf } from '../../playground/api/state';
import {
  ASINS,
  granted,
  type ListWorld,
  listWorld,
  look,
  setState,
  startJob,
  workOff,
} from '../doors/bulk-list';
import { history, schedule } from '../doors/schedule-list';
import { BASE_URL, DEMO, EDITOR, plant, withPlant } from '../doors/world';

let world: ListWorld;
afterEach(async () => world.stop());

const THEIR_KEY = 'demo-key-20-per-second';
const HOUR_MS = 3_600_000;

/** Both people have keys of their own, and the first one has paused a job. */
async function pausedJob(): Promise<string> {
  world = await listWorld(ASINS.slice(0, 30), { sharing: 'me' });
  const draft = { baseUrl: BASE_URL, apiKey: THEIR_KEY, quota: null, sharing: 'me' };
  granted(await world.rpc('connection.save', draft, EDITOR));
  const { status, queue } = await startJob(world);
  const { jobId } = status;
  const asked = granted(await world.rpc('jobs.ask', { jobId, products: queue, maxMs: 1_000 }));
  granted(await world.rpc('jobs.record', { jobId, answers: asked.answers, calls: asked.calls }));
  await setState(world, jobId, 'paused');
  return jobId;
}

const callsOf = (key: string) => countsOf(world.service(), key).calls;

describe('a job that somebody else goes on with', () => {
  test('spends their key, and none of whoever began it', async () => {
    const jobId = await pausedJob();
    const before = callsOf(DEMO.apiKey);
    const rest = await setState(world, jobId, 'running', EDITOR);
    const { queue } = rest;
    expect(queue.length).toBeGreaterThan(0);
    const end = await workOff(world, rest, { user: EDITOR });
    expect(end).toMatchObject({ state: 'done', isMine: true, failed: 0 });
    expect(callsOf(THEIR_KEY)).toBeGreaterThanOrEqual(queue.length);
    expect(callsOf(DEMO.apiKey)).toBe(before);
  });

  test('and leaves is gone on with by their clock, not by that of whoever began it', async () => {
    const jobId = await pausedJob();
    const before = callsOf(DEMO.apiKey);
    await setState(world, jobId, 'running', EDITOR);
    await world.wait(10 * 60_000);
    const clock = { functionName: 'onSchedule', args: [], door: 'clock' } as const;
    const first = world.host.start(clock);
    await world.wait(60_000);
    expect((await first).ended).toBe('returned');
    expect(callsOf(DEMO.apiKey)).toBe(before);
    await world.pass(2);
    expect(granted(await world.rpc('jobs.status'))).toMatchObject({ state: 'done' });
    expect(callsOf(DEMO.apiKey)).toBe(before);
    expect(callsOf(THEIR_KEY)).toBeGreaterThan(0);
  });

  test('stays paused where they have no key to spend', async () => {
    world = await listWorld(ASINS.slice(0, 5), { sharing: 'me' });
    const { jobId } = (await startJob(world)).status;
    await setState(world, jobId, 'paused');
    const { failure } = await world.rpc('jobs.setState', { jobId, state: 'running' }, EDITOR);
    expect(failure).toMatchObject({ kind: 'no-connection' });
    expect(granted(await world.rpc('jobs.status'))).toMatchObject({ state: 'paused' });
  });
});

test('a job with a key that somebody else shared ends its day at the cap that they set, and says so', async () => {
  world = await listWorld(ASINS.slice(0, 30), { cellsPerDay: 12 });
  const { choice } = granted(await world.rpc('list.look', {}, EDITOR));
  expect(granted(await world.rpc('jobs.preview', choice as object, EDITOR))).toMatchObject({
    capCallsLeft: 12,
  });
  const end = await workOff(world, await startJob(world, {}, EDITOR), { user: EDITOR });
  expect(end).toMatchObject({ state: 'blocked', answered: 12, problem: { kind: 'cells-limit' } });
  expect(end.resumesAtMs).toBeGreaterThan(world.host.nowMs() + HOUR_MS);
});

describe('a damaged record', () => {
  async function analyzed(): Promise<void> {
    world = await listWorld(ASINS.slice(0, 3), { host: { dist: withPlant() } });
    await workOff(world, await startJob(world));
  }

  test('of the job is set aside and told once', async () => {
    await analyzed();
    await plant(world, { job: '{"version":1,"id":7}' });
    expect(await look(world)).toMatchObject({ job: null, isSetAside: true });
    expect(await look(world)).toMatchObject({ job: null, isSetAside: false });
    await workOff(world, await startJob(world));
  });

  test('in the history of schedules goes alone, and the others stay', async () => {
    await analyzed();
    await schedule(world, 's1', {}, { maxAgeHours: 0.5 });
    await world.pass(24);
    const name = 'schedule-runs';
    const text = String(world.host.stores.properties.read('document/sheet-1')[name]);
    await plant(world, { [name]: text.replace('[', '[{"startedMs":"x"},') });
    expect(await look(world)).toMatchObject({ isSetAside: true });
    expect(await history(world)).toMatchObject([{ refreshed: 3, outcome: 'done' }]);
  });
});
