// Refusals that are not believed too early, and runs that nobody goes on with: what stops, for how long, and
// what a person's *Continue* does.

import { afterEach, describe, expect, test } from '@jest/globals';
import {
  ASINS,
  granted,
  type ListWorld,
  listWorld,
  runAll,
  setState,
  startJob,
  workOff,
} from '../doors/bulk-list';
import { schedule, shownNow } from '../doors/schedule-list';
import { reply } from '../doors/world';

let world: ListWorld;
afterEach(async () => world.stop());

const HOUR_MS = 3_600_000;
const LIST = ASINS.slice(0, 60);

type Said = Parameters<typeof reply>;

/** What the service says instead of its answer; undefined: its answer. */
let says: (asin: string, call: number) => Said | undefined;
let calls = 0;

/** A list of so many products, and a service that says what `says` gives. */
async function listWith(given: typeof says, draft: object = {}): Promise<void> {
  says = given;
  calls = 0;
  world = await listWorld(LIST, {
    says(asin, own) {
      calls += 1;
      const said = says(asin, calls);
      return said === undefined ? own() : reply(...said);
    },
    ...draft,
  });
}

const statuses = () => world.tab().map((row) => row.Status);
const count = (status: string) => statuses().filter((one) => one === status).length;
const statusNow = async () => granted(await world.rpc('jobs.status'));

describe('a brand that the key may not sell', () => {
  test.each<[number, string]>([
    [403, '{"error":"ASIN is restricted"}'],
    [410, 'Product no longer available'],
    [401, '{"error":"Not authorized for this ASIN"}'],
  ])('is ten products that are rejected, and all others are answered (%d %s)', async (...said) => {
    await listWith((asin) => (LIST.slice(20, 30).includes(asin) ? said : undefined));

    expect(await runAll(world)).toMatchObject({ state: 'done', answered: 50, failed: 10 });
    expect([count('OK'), count('Rejected')]).toEqual([50, 10]);
    expect(calls).toBe(60);
  });

  // The ten are a run of neighbours, each sixth, or the last of the list.
  test.each<[string, (at: number) => boolean]>([
    ['', (at) => at >= 20 && at < 30],
    ['{"message":"Forbidden"}', (at) => at % 6 === 3],
    ['{}', (at) => at >= 50],
  ])('is found out where the service gives no word for it but 403 %s', async (body, isGated) => {
    await listWith((asin) => (isGated(LIST.indexOf(asin)) ? [403, body] : undefined));

    await runAll(world);
    await world.pass(2);
    expect(await statusNow()).toMatchObject({ state: 'done', answered: 50, failed: 10 });
    expect([count('OK'), count('Rejected')]).toEqual([50, 10]);
    expect(calls).toBeLessThanOrEqual(80);
  });
});

describe('a key that has answered', () => {
  const INVALID: Said = [401, '{"error":"Invalid API key"}'];

  test('and is refused once among answers is asked again at once', async () => {
    await listWith((_asin, call) => (call === 23 ? INVALID : undefined));
    expect(await runAll(world)).toMatchObject({ state: 'done', answered: 60, failed: 0 });
    expect(calls).toBe(61);
  });

  test('and is refused twice in a row goes on by itself', async () => {
    await listWith((_asin, call) => (call > 20 && call <= 22 ? INVALID : undefined), {
      quota: { calls: 1, perSeconds: 1, burst: 1 },
    });
    const blocked = await runAll(world);
    expect(blocked).toMatchObject({ state: 'blocked', answered: 20 });
    expect(blocked.problem).toMatchObject({
      message: 'The service refused the key, which worked before.',
    });
    await world.pass(8);
    expect(await statusNow()).toMatchObject({ state: 'done', answered: 60, failed: 0 });
  });

  test('and is refused for one product alone, again and again, rejects that product', async () => {
    await listWith((asin) => (asin === LIST[59] ? INVALID : undefined), {
      quota: { calls: 1, perSeconds: 1, burst: 1 },
    });
    await runAll(world);
    await world.pass(4);
    expect(await statusNow()).toMatchObject({ state: 'done', answered: 59, failed: 1 });
    expect(count('Rejected')).toBe(1);
    expect(calls).toBeLessThan(70);
  });

  test('and was taken back is refused for good after a few calls, and Continue asks once', async () => {
    await listWith((_asin, call) => (call > 20 ? INVALID : undefined));
    const blocked = await runAll(world);
    await world.pass(12);
    const ended = await statusNow();
    expect(ended).toMatchObject({ state: 'blocked', problem: { kind: 'key-refused' } });
    expect(ended.resumesAtMs).toBeUndefined();
    expect(calls).toBeLessThan(40);

    const before = calls;
    const again = await setState(world, blocked.jobId, 'running');
    expect(again.status).toMatchObject({ state: 'blocked', problem: { kind: 'key-refused' } });
    expect(calls).toBe(before + 1);

    // It was a mistake after all.
    says = () => undefined;
    const on = await setState(world, blocked.jobId, 'running');
    expect(await workOff(world, on)).toMatchObject({ state: 'done', answered: 60 });
  });

  // The cache keeps for six hours that a cell was answered; what a check has heard is stored.
  test.each<[string, number, () => Promise<unknown>]>([
    ['a check', 7, () => world.rpc('connection.check')],
    ['a cell', 2, () => world.show('ANALYZE', LIST[0] ?? '', 'US')],
  ])('to %s, hours ago, is not refused for good by one 401', async (_, hours, answer) => {
    await listWith(() => undefined);
    await answer();
    await world.pass(hours);
    says = () => INVALID;
    const { error } = await world.show('ANALYZE', LIST[1] ?? '', 'US');
    expect(error?.message).toContain('refused the key, which worked before');
  });

  test('and is refused on one morning refreshes the list on all others', async () => {
    await listWith(() => undefined);
    granted(await world.rpc('connection.check'));
    await schedule(world);
    await world.pass(24);
    expect(await shownNow(world)).toMatchObject({ last: { outcome: 'done' } });
    const before = calls;
    says = (_asin, call) => (call === before + 3 ? INVALID : undefined);
    await world.pass(24);
    expect(await shownNow(world)).toMatchObject({ last: { outcome: 'done' } });
    let sinceMs = 0;
    says = () => {
      const nowMs = world.host.nowMs();
      sinceMs ||= nowMs;
      return nowMs < sinceMs + HOUR_MS / 2 ? INVALID : undefined;
    };
    await world.pass(24);
    expect(sinceMs).toBeGreaterThan(0);
    expect(await shownNow(world)).toMatchObject({ last: { outcome: 'done', refreshed: 60 } });
    expect(calls).toBeLessThan(before + 140);
  });
});

describe('a key that has never answered', () => {
  test('is refused by one wave, also at an address where another key has answered', async () => {
    await listWith(() => undefined);
    granted(await world.rpc('connection.check'));
    // It is saved while the service is down, so it could not be tried before.
    says = () => [503, '{"error":"Unavailable"}'];
    granted(await world.connect({ apiKey: 'demo-key-second' }));
    const before = calls;
    says = () => [401, '{"error":"Unauthorized"}'];
    expect(await runAll(world)).toMatchObject({
      state: 'blocked',
      problem: { kind: 'key-refused', message: expect.stringContaining('refused the key') },
    });
    expect(calls - before).toBeLessThanOrEqual(5);
    await world.pass(4);
    expect(calls - before).toBeLessThanOrEqual(5);
  });
});

describe('a plan that is used up', () => {
  test('is asked for once at once when a person continues, and goes on after credits are bought', async () => {
    let isPaid = false;
    await listWith((_asin, call) => (call > 25 && !isPaid ? [402, 'No credits'] : undefined));
    const blocked = await runAll(world);
    expect(blocked).toMatchObject({ state: 'blocked', problem: { kind: 'plan-used-up' } });

    const before = calls;
    const still = await setState(world, blocked.jobId, 'running');
    expect(still.status).toMatchObject({ state: 'blocked', problem: { kind: 'plan-used-up' } });
    expect(calls).toBe(before + 1);

    isPaid = true;
    const on = await setState(world, blocked.jobId, 'running');
    expect(calls).toBe(before + 2);
    expect(await workOff(world, on)).toMatchObject({ state: 'done', left: 0 });
    expect(count('OK')).toBe(60);
  });
});

test('a pause that the service wants for nearly an hour is tried early, with one call, by a person who continues', async () => {
  const later: Said = [429, '{"error":"Too many requests"}', { 'Retry-After': '3000' }];
  let isHeld = true;
  await listWith((_asin, call) => (call > 20 && isHeld ? later : undefined));
  const { status, queue } = await startJob(world);
  const { jobId } = status;
  const asked = granted(await world.rpc('jobs.ask', { jobId, products: queue, maxMs: 20_000 }));
  granted(await world.rpc('jobs.record', { jobId, answers: asked.answers, calls: asked.calls }));
  expect(count('OK')).toBe(20);

  const before = calls;
  await setState(world, jobId, 'paused');
  await setState(world, jobId, 'running');
  expect(calls).toBe(before + 1);
  isHeld = false;
  await setState(world, jobId, 'paused');
  const on = await setState(world, jobId, 'running');
  expect(calls).toBe(before + 2);
  expect(await workOff(world, on)).toMatchObject({ state: 'done', answered: 60 });
});

describe('a run that nobody goes on with', () => {
  test('goes on within the hour where its page was closed as it began', async () => {
    await listWith(() => undefined);
    await startJob(world);
    expect(calls).toBe(0);
    await world.pass(1.2);
    expect(await statusNow()).toMatchObject({ state: 'done', answered: 60 });
  });

  test('is stopped after twelve hours of pause, with its progress kept, and schedules go on', async () => {
    await listWith(() => undefined);
    await schedule(world);
    const { status, queue } = await startJob(world);
    const { jobId } = status;
    const asked = granted(
      await world.rpc('jobs.ask', { jobId, products: queue.slice(0, 20), maxMs: 20_000 }),
    );
    granted(await world.rpc('jobs.record', { jobId, answers: asked.answers, calls: asked.calls }));
    await setState(world, jobId, 'paused');

    await world.pass(11);
    expect(await statusNow()).toMatchObject({ state: 'paused', answered: 20, left: 40 });
    await world.pass(2.5);
    const stopped = await statusNow();
    expect(stopped).toMatchObject({ jobId, state: 'stopped', answered: 20 });
    await world.pass(30);
    expect(await shownNow(world)).toMatchObject({ last: { outcome: 'done' } });
    expect(count('OK')).toBe(60);
  });
});
