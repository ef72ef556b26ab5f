// A schedule over a list, as the trigger fires: what it asks, writes and tells.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { HostOptions } from 'apps-script-host/host';
import { ASINS, choiceOf, granted, startJob } from '../doors/bulk-list';
import {
  analyzedWorld,
  history,
  type Scheduled,
  schedule,
  scheduledWorld,
  shownNow,
  strike,
} from '../doors/schedule-list';

const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 5 };

let world: Scheduled;
afterEach(() => world.stop());

const calls = () => world.asins.map((asin) => world.callsOf(asin));
const lastRun = async () => (await history(world))[0];

/** In the world it is Monday, 5 January 2026, 9:00 in London. */
const at = (text: string) => world.host.run(Date.parse(text));

describe('a schedule for every morning', () => {
  it('refreshes every product each morning, at one call each, and has one trigger', async () => {
    world = await scheduledWorld();
    await schedule(world);
    expect(world.host.stores.triggers.all()).toHaveLength(1);
    expect(await shownNow(world)).toMatchObject({
      name: 'Every day at 6:00 AM',
      isUnderWay: false,
    });
    await at('2026-01-06T05:59:00Z');
    expect(calls()).toEqual(world.asins.map(() => 0));
    await at('2026-01-06T07:10:00Z');
    expect(calls()).toEqual(world.asins.map(() => 1));
    expect(await lastRun()).toMatchObject({ outcome: 'done', refreshed: 12, failed: 0, calls: 12 });
    for (const row of world.tab()) {
      expect(row).toMatchObject({ Status: 'OK', 'Wanted since': '' });
      expect(Number(row['Analyzed at'])).toBeGreaterThan(Date.parse('2026-01-06T06:00:00Z'));
    }
    await at('2026-01-08T09:00:00Z');
    expect(calls()).toEqual(world.asins.map(() => 3));
  });

  it('comes when its hour is over, if Google has missed it', async () => {
    world = await scheduledWorld();
    world.host.stores.triggers.disable('owner@example.com');
    await at('2026-01-06T13:20:00Z');
    await strike(world);
    expect(calls()).toEqual(world.asins.map(() => 1));
    await at('2026-01-06T14:20:00Z');
    await strike(world);
    expect(calls()).toEqual(world.asins.map(() => 1));
    await at('2026-01-09T02:20:00Z');
    await strike(world);
    expect(calls()).toEqual(world.asins.map(() => 2));
  });

  it('costs few calls of the stores when nothing is due', async () => {
    let calls = 0;
    const observe: HostOptions['observe'] = ({ operation }) => {
      if (operation.startsWith('properties.')) calls += 1;
    };
    world = await scheduledWorld({}, { host: { observe } });
    await at('2026-01-05T12:00:00Z');
    calls = 0;
    await strike(world);
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThanOrEqual(5);
  });
});

describe('what is due', () => {
  it('is what is older than the schedule allows, and a new row, which gets its formulas', async () => {
    world = await scheduledWorld(HOURLY);
    const fresh = String(ASINS[40]);
    world.sheet.grid.write(world.sheet.id, 14, 1, [[fresh]]);
    await at('2026-01-05T10:30:00Z');
    expect(world.callsOf(fresh)).toBe(1);
    expect(calls()).toEqual(world.asins.map(() => 0));
    expect(world.shownOf(fresh)).toMatchObject({ 'Analysis status': 'OK' });
    await at('2026-01-05T15:30:00Z');
    expect(calls()).toEqual(world.asins.map(() => 1));
  });

  it('is not what a column headed "Skip" leaves out', async () => {
    const asins = ASINS.slice(0, 6);
    const rows = [['ASIN', 'Skip'], ...asins.map((asin, row) => [asin, row === 0 ? 'x' : ''])];
    world = await analyzedWorld({ rows, count: 6 });
    await schedule(world, 's1', {}, HOURLY);
    await at('2026-01-05T18:30:00Z');
    expect(calls()).toEqual([0, 1, 1, 1, 1, 1]);
  });

  it('is a product that failed for now, in the next hour, and not one that was not found', async () => {
    const [asin = '', unknown] = [ASINS[0], 'B000000000'];
    world = await analyzedWorld({ rows: [['ASIN'], [asin], [unknown]], count: 1 });
    await schedule(world, 's1', {}, HOURLY);
    await at('2026-01-05T20:30:00Z');
    expect([world.callsOf(asin), world.callsOf(unknown)]).toEqual([2, 2]);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
  });
});

describe('a budget', () => {
  it('is kept in each hour, and the rest goes on in the next one, the stalest first', async () => {
    world = await scheduledWorld({ ...HOURLY, callsPerHour: 5 });
    await at('2026-01-05T14:30:00Z');
    const spent = () => calls().reduce((sum, one) => sum + one, 0);
    expect(spent()).toBe(5);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: true, last: { outcome: 'part' } });
    expect(world.tab().filter((row) => row['Wanted since'] !== '')).toEqual([]);
    await at('2026-01-05T15:30:00Z');
    expect(spent()).toBe(10);
    await at('2026-01-05T16:30:00Z');
    expect(calls()).toEqual(world.asins.map(() => 1));
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: { outcome: 'done' } });
  });
});

it('quiet hours put off what comes in them', async () => {
  world = await scheduledWorld({ quiet: { fromHour: 22, toHour: 8 } });
  await at('2026-01-06T07:59:00Z');
  expect(calls()).toEqual(world.asins.map(() => 0));
  await at('2026-01-06T09:10:00Z');
  expect(calls()).toEqual(world.asins.map(() => 1));
});

describe('a run by hand', () => {
  it('takes what is due at once, and what is not old enough only where a person means it', async () => {
    world = await scheduledWorld();
    const run = async (more: object) =>
      granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000, ...more }));
    expect(await run({})).toMatchObject({
      run: { outcome: 'done', refreshed: 0, calls: 0, byHand: true },
      againInMs: null,
    });
    expect(await run({ anyway: true })).toMatchObject({ run: { outcome: 'done', refreshed: 12 } });
    expect(calls()).toEqual(world.asins.map(() => 1));
  });
});

describe('two schedules on one list', () => {
  it('ask for each product once where they come at the same hour', async () => {
    world = await scheduledWorld();
    await schedule(world, 's2');
    await at('2026-01-06T09:10:00Z');
    expect(calls()).toEqual(world.asins.map(() => 1));
    expect(await shownNow(world, 's2')).toMatchObject({ last: { outcome: 'done', calls: 0 } });
  });
});

describe('a job in the way', () => {
  it('that a person has paused goes first, and the schedule says so until it is over', async () => {
    world = await scheduledWorld(HOURLY);
    const more = ASINS.slice(50, 60).map((asin) => [asin]);
    world.sheet.grid.write(world.sheet.id, 14, 1, more);
    const { status } = await startJob(world);
    granted(await world.rpc('jobs.setState', { jobId: status.jobId, state: 'paused' }));
    await at('2026-01-05T15:30:00Z');
    expect(calls()).toEqual(world.asins.map(() => 0));
    expect(await shownNow(world)).toMatchObject({
      problem: { message: expect.stringContaining('is paused') },
    });
    granted(await world.rpc('jobs.setState', { jobId: status.jobId, state: 'stopped' }));
    await at('2026-01-05T16:30:00Z');
    expect(calls()).toEqual(world.asins.map(() => 1));
    expect((await shownNow(world)).problem).toBeUndefined();
  });

  it('of a schedule that was held up leaves nothing waiting, and nobody', async () => {
    world = await scheduledWorld();
    granted(await world.connect({ apiKey: 'demo-key-out-of-plan' }));
    const payload = { id: 's1', maxMs: 300_000, anyway: true };
    const { run } = granted(await world.rpc('schedule.run', payload));
    expect(run).toMatchObject({ problem: { kind: 'plan-used-up' } });
    expect(world.tab().filter((row) => row['Wanted since'] !== '')).toEqual([]);
    granted(await world.connect());
    expect(await world.rpc('jobs.start', await choiceOf(world))).toMatchObject({ ok: true });
  });

  it('of a schedule keeps a person from starting another only while it is worked on', async () => {
    world = await scheduledWorld(HOURLY);
    world.host.stores.triggers.disable('owner@example.com');
    await at('2026-01-05T15:30:00Z');
    void strike(world, { killAtCall: 150 });
    await world.wait(20_000);
    await world.wait(200_000);
    expect(await world.rpc('jobs.start', await choiceOf(world))).toMatchObject({ ok: true });
  });
});

describe('what is gone', () => {
  it.each<[string, () => void, RegExp]>([
    [
      'the column of products',
      () => world.sheet.grid.deleteColumns(world.sheet.id, 1, 1),
      /^The list on "Sheet1" is gone/,
    ],
    [
      'every column of ours',
      () => world.sheet.grid.deleteColumns(world.sheet.id, 2, world.sheet.values()[0]?.length ?? 1),
      /^The list on "Sheet1" is gone/,
    ],
    [
      'the sheet',
      () => {
        world.sheet.grid.addSheet('Another', 2);
        world.sheet.grid.deleteSheet(world.sheet.id);
      },
      /^The sheet "Sheet1" was deleted/,
    ],
  ])('%s is told by name, and nothing is asked', async (_, act, message) => {
    world = await scheduledWorld(HOURLY);
    act();
    await at('2026-01-05T15:30:00Z');
    expect(calls()).toEqual(world.asins.map(() => 0));
    expect(await shownNow(world)).toMatchObject({
      problem: { message: expect.stringMatching(message) },
    });
  });

  it('the Analysis tab is made again, from the answers that the cache has', async () => {
    world = await scheduledWorld(HOURLY);
    const { grid } = world.sheet;
    grid.deleteSheet(grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? -1);
    await at('2026-01-05T10:30:00Z');
    expect(calls()).toEqual(world.asins.map(() => 0));
    expect(world.tab()).toHaveLength(12);
    for (const asin of world.asins) expect(world.shownOf(asin)).toMatchObject({ Profit: 6 });
  });

  it('a figure of the list stays away, and its status comes back', async () => {
    world = await scheduledWorld(HOURLY);
    const { grid, id } = world.sheet;
    const titles = world.sheet.values()[0] ?? [];
    for (const title of ['Analysis status', 'Fees'])
      grid.deleteColumns(id, (world.sheet.values()[0] ?? []).indexOf(title) + 1, 1);
    await at('2026-01-05T15:30:00Z');
    const now = world.sheet.values()[0] ?? [];
    expect(titles).toContain('Fees');
    expect(now).not.toContain('Fees');
    expect(now).toContain('Profit');
    expect(world.shownOf(String(world.asins[0])).Profit).toBe(6);
  });
});
