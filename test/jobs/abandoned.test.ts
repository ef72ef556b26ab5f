// A job that is left alone or cut off: the clock goes on, nothing is lost, nothing is paid for twice.

import { afterEach, describe, expect, test } from '@jest/globals';
import type { Execution } from 'apps-script-host/host-contract';
import {
  ASINS,
  granted,
  type ListWorld,
  listWorld,
  setState,
  startJob,
  workOff,
} from '../doors/bulk-list';
import { EDITOR } from '../doors/world';

let world: ListWorld;
afterEach(async () => world.stop());

const MINUTE_MS = 60_000;

const rpc = (method: string, payload: object): Execution => ({
  ...{ functionName: 'rpc', args: [method, payload], door: 'sidebar' },
});

const statusNow = async () => granted(await world.rpc('jobs.status'));

/** A job whose page was closed after its first record. */
async function leftAlone(): Promise<void> {
  world = await listWorld(ASINS.slice(0, 30));
  const { status, queue } = await startJob(world);
  const { jobId } = status;
  const asked = granted(await world.rpc('jobs.ask', { jobId, products: queue, maxMs: 1_000 }));
  const { answers, calls } = asked;
  granted(await world.rpc('jobs.record', { jobId, answers, calls }));
}

describe('a job whose page was closed', () => {
  test('is gone on with by the clock of its person, and asks nothing twice', async () => {
    await leftAlone();
    await world.wait(5 * MINUTE_MS);
    expect(await statusNow()).toMatchObject({ state: 'running', isWorkedOn: false });

    await world.pass(1.2);

    expect(await statusNow()).toMatchObject({ state: 'done', answered: 30, left: 0 });
    expect(world.asked()).toHaveLength(30);
  });

  test('is left alone by the clock of somebody else', async () => {
    await leftAlone();
    await world.wait(5 * MINUTE_MS);
    const before = world.asked().length;
    const clock = {
      functionName: 'onSchedule',
      args: [],
      door: 'clock',
      userEmail: EDITOR,
    } as const;
    const fired = world.host.start(clock);
    await world.wait(MINUTE_MS);
    expect((await fired).ended).toBe('returned');
    expect(world.asked()).toHaveLength(before);
  });

  test('stays paused where its person has paused it', async () => {
    await leftAlone();
    const { jobId } = await statusNow();
    await setState(world, String(jobId), 'paused');
    const before = world.asked().length;
    await world.pass(3);
    expect(await statusNow()).toMatchObject({ state: 'paused' });
    expect(world.asked()).toHaveLength(before);
  });
});

describe('a command', () => {
  test.each(['paused', 'stopped'])('(%s) is heard within two seconds', async (state) => {
    world = await listWorld(ASINS.slice(0, 60));
    const { status, queue } = await startJob(world);
    const { jobId } = status;
    const asking = world.host.start(rpc('jobs.ask', { jobId, products: queue, maxMs: 60_000 }));
    const beganMs = world.host.nowMs();
    const set = world.host.start(rpc('jobs.setState', { jobId, state }), beganMs + 4_000);
    await world.host.run();
    const setMs = (await set).endedMs;
    expect((await asking).endedMs).toBeLessThan(setMs + 3_000);
    const late = world.service().journal;
    expect(lastCallMs()).toBeLessThan(setMs + 2_000);
    expect(late).toBeDefined();
    expect(world.asked().length).toBeLessThan(40);
  });

  test('is heard by what is asked ahead of the job as well', async () => {
    world = await listWorld(ASINS.slice(0, 60), { quota: { calls: 1, perSeconds: 1 } });
    const { status, queue } = await startJob(world);
    const ahead = rpc('jobs.askAhead', { products: queue.slice(0, 30), maxMs: 16_000 });
    const asking = world.host.start(ahead);
    const pause = rpc('jobs.setState', { jobId: status.jobId, state: 'paused' });
    const set = world.host.start(pause, world.host.nowMs() + 4_000);
    await world.host.run();
    const { value } = await asking;
    expect(value).toMatchObject({ ok: true, value: { calls: world.asked().length } });
    expect(world.asked().length).toBeGreaterThan(2);
    expect(lastCallMs()).toBeLessThan((await set).endedMs + 2_000);
  });
});

/** When the service was last called. */
const lastCallMs = (): number => world.service().journal?.arrival.atMs ?? 0;

describe('an execution that is killed', () => {
  const LIST = ASINS.slice(0, 6);

  /** Kills one call of a job at one of its service calls, then goes on as the page does. */
  async function killed(method: 'start' | 'ask' | 'record', killAtCall: number) {
    world = await listWorld(LIST);
    const { choice } = granted(await world.rpc('list.look'));
    const cut = async (call: string, payload: object) => {
      const execution = await world.run({ ...rpc(call, payload), killAtCall });
      return execution.ended === 'killed';
    };
    let wasKilled = false;
    if (method === 'start') wasKilled = await cut('jobs.start', choice as object);
    const { jobId, state } = granted(
      (await begun(choice as object)) ?? (await world.rpc('jobs.status')),
    );
    expect(state).toBe('running');
    const rest = await setState(world, String(jobId), 'running');
    const ask = { jobId, products: rest.queue, maxMs: 20_000 };
    if (method === 'ask') wasKilled = await cut('jobs.ask', ask);
    if (method === 'record') {
      const { answers, calls } = granted(await world.rpc('jobs.ask', ask));
      wasKilled = await cut('jobs.record', { jobId, answers, calls });
    }
    const again = await setState(world, String(jobId), 'running');
    const end = await workOff(world, again);
    expect(end).toMatchObject({ state: 'done', left: 0, failed: 0 });
    expect(world.tab().map((row) => row.Status)).toEqual(LIST.map(() => 'OK'));
    expect(new Set(world.tab().map((row) => row.Key)).size).toBe(LIST.length);
    for (let row = 2; row < 2 + LIST.length; row += 1)
      expect(world.shown(row)).toMatchObject({ 'Analysis status': 'OK' });
    // Answers that were on their way when it was killed are in nobody's hands.
    const lost = world.asked().length - LIST.length;
    expect(new Set(world.asked())).toEqual(new Set(LIST));
    if (method !== 'ask') expect(lost).toBe(0);
    await world.stop();
    return { wasKilled, lost };
  }

  /** The start that a person repeats; null: the job is there. */
  async function begun(choice: object) {
    const { value } = await world.rpc('jobs.start', choice);
    return value === undefined ? null : { ok: true, value: value.status as never };
  }

  test.each(['start', 'ask', 'record'] as const)(
    'in jobs.%s, at any of its calls, loses nothing and pays for nothing twice',
    async (method) => {
      const step = { start: 11, ask: 1, record: 3 }[method];
      const ends: Awaited<ReturnType<typeof killed>>[] = [];
      for (let at = 1; ends[ends.length - 1]?.wasKilled !== false; at += step)
        ends.push(await killed(method, at));
      expect(ends.length).toBeGreaterThan(5);
      // Two waves, each from its sending until its answers are in the cache.
      expect(ends.filter(({ lost }) => lost > 0).length).toBeLessThanOrEqual(6);
      // One wave at most, of five calls to a service that has not answered yet.
      expect(Math.max(...ends.map(({ lost }) => lost))).toBeLessThanOrEqual(5);
    },
    120_000,
  );
});
