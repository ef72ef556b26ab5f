// What people do while a run is being started: marking a long list takes seconds, in which others see it.

import { afterEach, describe, expect, it } from '@jest/globals';
import { choiceOf, granted, runOn, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { schedule, shownNow, worldWith } from './schedule-list';
import type { Envelope, World } from './world';

let world: World;
afterEach(() => world.stop());

const OTHER = 'other@example.com';
const listOf = (rows: number) =>
  sheetOf([['ASIN'], ...US_ASINS.slice(0, rows).map((asin) => [asin])]);

/** Begins a call and does not wait for it. */
async function begin(method: string, payload: object, userEmail = 'owner@example.com') {
  const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar', userEmail };
  return (await world.host.start(call as never)).value as Envelope;
}

const pass = (ms: number) => world.host.run(world.host.nowMs() + ms);

/** The run as somebody else sees it, who looks now; no later than their look is through. */
async function seenByOther(): Promise<{ readonly jobId: string }> {
  let seen: Envelope | undefined;
  void begin('bulk.look', {}, OTHER).then((envelope) => {
    seen = envelope;
  });
  while (seen === undefined) await pass(50);
  return granted(seen).run as { jobId: string };
}

const marksIn = (sheet: Sheet) =>
  sheet.values().filter((row) => row.some((cell) => String(cell).startsWith('Queued'))).length;

/** Starts a run; somebody else sees it `afterMs` later and calls this. */
async function whileStarting(sheet: Sheet, afterMs: number, method: string) {
  world = await worldWith(sheet);
  const started = begin('bulk.start', await choiceOf(world));
  await pass(afterMs);
  const { jobId } = await seenByOther();
  const called = begin(method, { jobId }, OTHER);
  await world.host.run();
  return { jobId, started: await started, called: await called };
}

describe('a stop', () => {
  it.each([2_500, 4_000, 6_000])('%i ms into the start is kept', async (afterMs) => {
    const sheet = listOf(2_000);
    const { jobId, started, called } = await whileStarting(sheet, afterMs, 'bulk.stop');
    expect(granted(called)).toMatchObject({ state: 'stopped' });
    expect(started.failure?.message).toBe('This run is over. Start a new one.');
    expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'stopped' });
    expect(marksIn(sheet)).toBe(0);
    const { runs } = granted(await world.rpc('bulk.history'));
    expect(runs).toMatchObject([{ outcome: 'stopped' }]);
    expect(await runOn(world, jobId)).toMatchObject({ state: 'stopped', calls: 0 });
    // Nothing of it is in the way of the next one, and its columns are found again.
    const next = granted(await world.rpc('bulk.start', await choiceOf(world)));
    expect(next).toMatchObject({ state: 'running', rows: 2_000 });
    expect(sheet.values()[0]?.filter((title) => title === 'Analysis status')).toHaveLength(1);
  });

  it('is in the way of the next run until its marks are gone', async () => {
    const sheet = listOf(2_000);
    world = await worldWith(sheet);
    const choice = await choiceOf(world);
    const first = begin('bulk.start', choice);
    await pass(2_500);
    const { jobId } = await seenByOther();
    const stop = begin('bulk.stop', { jobId }, OTHER);
    await pass(1_000);
    const second = begin('bulk.start', choice, OTHER);
    await world.host.run();
    expect(granted(await stop)).toMatchObject({ state: 'stopped' });
    expect((await first).ok || (await second).ok).toBe(false);
    expect(marksIn(sheet)).toBe(0);
  });
});

describe('a pause', () => {
  it('is kept, and the run goes on when it is resumed', async () => {
    const sheet = listOf(300);
    const { jobId, started, called } = await whileStarting(sheet, 2_000, 'bulk.pause');
    expect([called.ok, started.ok]).toEqual([true, true]);
    expect(await runOn(world, jobId)).toMatchObject({ state: 'paused', calls: 0 });
    granted(await world.rpc('bulk.resume', { jobId }));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: 300 });
  });
});

describe('of a schedule', () => {
  it.each<[string, object]>([
    ['schedule.save', { maxAgeHours: 10 }],
    ['schedule.switch', { isOn: false }],
    ['schedule.remove', {}],
  ])('%s ends it without a problem', async (method, change) => {
    const sheet = listOf(300);
    world = await worldWith(sheet);
    const made = await schedule(world);
    const run = begin('schedule.run', { id: 's1', maxMs: 300_000 });
    await pass(3_500);
    const settings = { settings: { ...made.settings, ...change } };
    const payload = method === 'schedule.save' ? settings : change;
    const reply = begin(method, { id: 's1', ...payload });
    await world.host.run();
    await run;
    expect((await reply).failure).toBeUndefined();
    expect(world.service().arrived).toBeLessThan(50);
    expect(marksIn(sheet)).toBe(0);
    if (method !== 'schedule.remove') expect(await shownNow(world)).not.toHaveProperty('problem');
  });
});

describe('in a second tab, on another sheet', () => {
  it.each([2_000, 4_000, 6_000])('a start %i ms later leaves the first one be', async (afterMs) => {
    const sheet = listOf(2_000);
    const other = sheet.grid.addSheet('Other', 2);
    sheet.grid.write(other, 1, 1, [['ASIN'], ...US_ASINS.slice(0, 10).map((asin) => [asin])]);
    world = await worldWith(sheet);
    const choice = await choiceOf(world);
    const one = begin('bulk.start', choice);
    await pass(afterMs);
    const two = begin('bulk.start', { ...choice, sheetId: other });
    await world.host.run();
    expect((await two).failure?.message).toContain('You have a run over 2000 rows of "Sheet1"');
    const { jobId } = granted(await one);
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', rows: 2_000 });
    expect(marksIn(sheet)).toBe(0);
  });
});

describe('a start that was cut off', () => {
  it('leaves columns that the next one uses, also where somebody renamed one of them', async () => {
    const sheet = listOf(2_000);
    world = await worldWith(sheet);
    const choice = await choiceOf(world);
    const call = { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar' };
    const cut = world.host.start({ ...call, killAtCall: 110 } as never);
    await world.host.run();
    expect((await cut).ended).toBe('killed');
    const eligible = sheet.values()[0]?.indexOf('Eligible') ?? -1;
    expect(eligible).toBeGreaterThan(0);
    sheet.grid.write(sheet.id, 1, eligible + 1, [['May I sell it?']]);
    await pass(120_000);
    const width = sheet.values()[0]?.length;
    granted(await world.rpc('bulk.start', await choiceOf(world)));
    expect(sheet.values()[0]).toHaveLength(width ?? 0);
    expect(sheet.values()[0]).not.toContain('Eligible');
  });

  it('by Google, while its new columns got their formats, leaves them in the same way', async () => {
    const sheet = listOf(20);
    const operations: string[] = [];
    const observe = ({ operation }: { readonly operation: string }) => operations.push(operation);
    world = await worldWith(sheet, { host: { observe } });
    const choice = await choiceOf(world);
    const before = operations.length;
    granted(await world.rpc('bulk.start', choice));
    const atCall = operations.indexOf('spreadsheet.write.setNumberFormats', before) - before + 1;
    expect(atCall).toBeGreaterThan(0);
    await world.stop();

    const list = listOf(20);
    world = await worldWith(list);
    const call = { functionName: 'rpc', args: ['bulk.start', choice], door: 'sidebar' };
    await choiceOf(world);
    const fault = { atCall, when: 'before', times: 2 };
    const failing = world.host.start({ ...call, faults: [fault] } as never);
    await world.host.run();
    expect((await failing).value).toMatchObject({ failure: { kind: 'google-busy' } });
    const titles = list.values()[0] ?? [];
    const profit = titles.indexOf('Profit');
    expect(profit).toBeGreaterThan(0);
    list.grid.write(list.id, 1, profit + 1, [['My profit']]);
    const { jobId } = granted(await world.rpc('bulk.start', await choiceOf(world)));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: 20 });
    expect(list.values()[0]).toEqual(titles.with(profit, 'My profit'));
    expect(
      list
        .values()
        .slice(1)
        .map((row) => typeof row[profit]),
    ).toEqual(Array(20).fill('number'));
  });
});
