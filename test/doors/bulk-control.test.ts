// What people do to a run: pause it, go on, stop it, retry what failed, and start a second one.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { FailedRows } from '../../src/sidebar/api/runs';
import { failedWords } from '../../src/sidebar/page/analyze/texts';
import {
  choiceOf,
  granted,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from './bulk-list';
import { createWorld, type World, type WorldOptions } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(100, 200);

async function worldWith(sheet: Sheet, sandbox: WorldOptions['sandbox'] = {}): Promise<World> {
  world = createWorld({
    sandbox: { ...SANDBOX, ...sandbox },
    host: { documents: [sheet.document] },
  });
  await world.connect();
  return world;
}

const list = () => sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);

/** Starts a call while a slice is under way, `afterMs` after it began, and gives both envelopes. */
async function during(jobId: unknown, afterMs: number, method: string) {
  const rpc = (name: string, payload: object) =>
    ({ functionName: 'rpc', args: [name, payload], door: 'sidebar' }) as const;
  const beganMs = world.host.nowMs();
  const slice = world.host.start(rpc('bulk.run', { jobId, lane: 0, maxMs: 300_000 }));
  const call = world.host.start(rpc(method, { jobId }), beganMs + afterMs);
  await world.host.run();
  const [sliceEnd, callEnd] = [await slice, await call];
  return { sliceEnd, callEnd };
}

describe('a pause', () => {
  it('ends the slice soon, with what was answered written, and the run goes on from there', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { jobId } = await startRun(world);
    const { sliceEnd, callEnd } = await during(jobId, 8_000, 'bulk.pause');
    expect(sliceEnd.endedMs - callEnd.endedMs).toBeLessThan(2_500);
    const paused = granted(await world.rpc('bulk.status'));
    expect(paused).toMatchObject({ state: 'paused', rows: 100 });
    expect(Number(paused.answered)).toBeGreaterThan(20);
    expect(granted(await world.rpc('bulk.resume', { jobId }))).toMatchObject({ state: 'running' });
    const end = await runOn(world, jobId);
    expect(end).toMatchObject({ state: 'finished', answered: 100, calls: 100 });
  });
});

describe('a stop', () => {
  it('keeps what was written, takes the marks away and is noted in the log', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { jobId } = await startRun(world);
    await during(jobId, 8_000, 'bulk.stop');
    const { runs } = granted(await world.rpc('bulk.history'));
    expect(runs).toMatchObject([{ outcome: 'stopped', isMine: true, rows: 100 }]);
    const statuses = sheet
      .values()
      .slice(1)
      .map((row) => String(row[6]).replace(/ .*/, ''));
    expect(new Set(statuses)).toEqual(new Set(['OK', '']));
    expect((await world.rpc('bulk.run', { jobId, lane: 0, maxMs: 1_000 })).value).toMatchObject({
      againInMs: null,
    });
  });
});

describe('rows that failed', () => {
  it('are retried alone, by kind', async () => {
    const [down = ''] = LIST;
    const sheet = list();
    await worldWith(sheet, { faults: { [down]: 'crash' } });
    const { jobId } = await startRun(world);
    const end = await runOn(world, jobId);
    const [failure] = end.failures as { kind: string }[];
    expect(end).toMatchObject({ answered: 99, failed: 1 });
    const again = await world.rpc('bulk.retry', { jobId, kinds: [failure?.kind] });
    expect(granted(again)).toMatchObject({ rows: 1, state: 'running' });
  });

  it('are told by kind, with what each needs', async () => {
    const faulty = ['B0NOTFOUND', 'B0EMPTY000', 'B0SILENCE0', 'B0REDIRECT', 'tea'];
    await worldWith(sheetOf([['ASIN'], ...[...LIST.slice(0, 9), ...faulty].map((one) => [one])]));
    const { jobId } = await startRun(world);
    const end = await runOn(world, jobId);
    expect(end).toMatchObject({ state: 'finished', answered: 9, failed: 5 });
    const told = (end.failures as FailedRows[])
      .map(failedWords)
      .map(({ kind, action, canRetry }) => [kind, canRetry, action]);
    expect(told).toHaveLength(5);
    expect(told).toEqual(
      expect.arrayContaining([
        ['bad-asin', false, 'Correct them, then run the rows that failed before.'],
        ['not-found', false, 'Check the ASIN and the market.'],
        ['not-understood', false, 'Ask the service operator.'],
        ['timed-out', true, 'Try again later.'],
        ['wrong-address', false, 'Check the connection.'],
      ]),
    );
  });

  it('are asked again at once, though the failure is still in the cache, and choices stay', async () => {
    const [down = ''] = LIST;
    await worldWith(list(), { faults: { [down]: 'crash' } });
    const { jobId } = await startRun(world);
    const end = await runOn(world, jobId);
    const kinds = (end.failures as { kind: string }[]).map(({ kind }) => kind);
    const { arrived } = world.service();
    const again = granted(await world.rpc('bulk.retry', { jobId, kinds }));
    await runOn(world, again.jobId);
    expect(world.service().arrived).toBeGreaterThan(arrived);
    expect(granted(await world.rpc('bulk.look'))).toMatchObject({
      choice: { rows: { kind: 'all' } },
    });
  });
});

describe('a second person', () => {
  it('is told who runs what', async () => {
    const sheet = list();
    const document = { ...sheet.document, editors: ['other@example.com'] };
    world = createWorld({ sandbox: SANDBOX, host: { documents: [document] } });
    await world.connect();
    const choice = await choiceOf(world);
    granted(await world.rpc('bulk.start', choice));
    const { failure } = await world.rpc('bulk.start', choice, 'other@example.com');
    expect(failure).toMatchObject({ kind: 'run' });
    expect(failure?.message).toMatch(
      /^Someone else has a run over 100 rows of "Sheet1", started about \d+ s ago/,
    );
  });
});

describe('a run that was left alone', () => {
  it('is gone on with by the clock, which asks nothing twice', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { jobId, rescueMinutes } = await startRun(world);
    expect(rescueMinutes).toBe(60);
    const slice = { functionName: 'rpc', args: ['bulk.run', { jobId, lane: 0, maxMs: 300_000 }] };
    const cut = world.host.start({ ...slice, door: 'sidebar', killAtCall: 120 });
    await world.host.run();
    expect((await cut).ended).toBe('killed');
    await world.host.run(world.host.nowMs() + 120_000);
    expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'interrupted' });
    const clock = world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
    await world.host.run();
    expect((await clock).ended).toBe('returned');
    expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'finished', left: 0 });
    expect(world.service().arrived).toBeLessThan(100 + 60);
  });
});

describe('a key without a burst', () => {
  it('is used by two chains, which share the rows', async () => {
    const sheet = list();
    await worldWith(sheet);
    await world.connect({ quota: { calls: 5, perSeconds: 1 } });
    const { jobId, lanes } = await startRun(world);
    expect(lanes).toBe(2);
    const beganMs = world.host.nowMs();
    const call = (lane: number) =>
      world.host.start({
        functionName: 'rpc',
        args: ['bulk.run', { jobId, lane, maxMs: 300_000 }],
        door: 'sidebar',
      });
    const both = [call(0), call(1)];
    await world.host.run();
    await Promise.all(both);
    const tookMs = world.host.nowMs() - beganMs;
    const end = await runOn(world, jobId);
    expect(end).toMatchObject({ state: 'finished', answered: 100, failed: 0 });
    expect(world.service().arrived).toBe(100);
    expect(tookMs).toBeLessThan(60_000);
    // What both did at a time counts once.
    expect(Number(end.workedMs) / tookMs).toBeGreaterThan(0.85);
    expect(Number(end.workedMs) / tookMs).toBeLessThan(1.1);
  });
});
