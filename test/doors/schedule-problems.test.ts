// Schedules are never silent: whatever keeps one from running is told, with the one thing to do.

import { afterEach, describe, expect, it } from '@jest/globals';
import { choiceOf, granted, runOn, sheetOf, startRun, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(600, 620);
const HOURLY = { recurrence: { kind: 'hourly' } };

const list = () => sheetOf([['Note', 'ASIN'], ...LIST.map((asin) => ['x', asin])]);

describe('a key', () => {
  it('that was cleared is told, and what was due goes on when there is one', async () => {
    world = await worldWith(list());
    await schedule(world, 's1', {}, HOURLY);
    await world.rpc('connection.clear');
    await pass(world, 2.5);
    expect(await shownNow(world)).toMatchObject({
      isUnderWay: true,
      problem: { kind: 'no-connection', action: 'Enter the address and the key.' },
    });
    // Said once, not every hour.
    expect(await history(world)).toMatchObject([
      { outcome: 'failed', problem: { kind: 'no-connection' } },
    ]);
    await world.connect();
    await pass(world, 1);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
    expect((await shownNow(world)).problem).toBeUndefined();
  });

  it('that is refused is told, and nobody calls with it again', async () => {
    world = await worldWith(list());
    await schedule(world, 's1', {}, HOURLY);
    await world.connect({ apiKey: 'demo-key-nobody-knows' });
    await pass(world, 3.5);
    expect(await shownNow(world)).toMatchObject({ problem: { kind: 'key-refused' } });
    expect(world.service().arrived).toBeLessThan(15);
  });

  it('whose plan is used up is told with the time it is tried again', async () => {
    world = await worldWith(list());
    await world.connect({ apiKey: 'demo-key-out-of-plan', quota: { calls: 5, perSeconds: 1 } });
    await schedule(world, 's1', {}, HOURLY);
    await pass(world, 1.2);
    expect(await shownNow(world)).toMatchObject({
      problem: { kind: 'plan-used-up', message: expect.stringMatching(/retry in about/) },
    });
  });
});

describe('a service that is down', () => {
  it("is told, also where the hour's calls go into trying", async () => {
    const outages = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
    world = await worldWith(list(), { sandbox: { outages } });
    await schedule(world, 's1', {}, { ...HOURLY, callsPerHour: 3 });
    await pass(world, 1.2);
    expect(world.service().arrived).toBe(3);
    expect(await shownNow(world)).toMatchObject({
      isUnderWay: true,
      problem: { message: 'The last 3 calls all failed. Try again later.' },
    });
  });
});

describe("Google's calls of a day", () => {
  it('that are spent are told with the time they go on, and then they do', async () => {
    const sheet = list();
    world = await worldWith(sheet, { host: { limits: { urlFetchPerDay: 12 } } });
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 200 });
    await pass(world, 2.5);
    expect(await shownNow(world)).toMatchObject({
      isUnderWay: true,
      problem: {
        kind: 'google-limit',
        message: expect.stringMatching(/It goes on in about 2\d h/),
      },
    });
    const analyzed = () =>
      LIST.filter((_, at) => String(sheet.byHeader(at + 2)['Analysis status']).startsWith('OK'));
    expect(analyzed().length).toBeLessThan(LIST.length);
    const runs = await history(world);
    expect(runs).toContainEqual(
      expect.objectContaining({ problem: expect.objectContaining({ kind: 'google-limit' }) }),
    );
    expect(runs.length).toBeLessThan(4);
    expect(sheet.values().flat().join()).not.toContain('Queued');
    await pass(world, 26);
    expect(analyzed()).toEqual(LIST);
  });
});

describe('the report for support', () => {
  it('tells what each schedule last came to, and what is wrong with it', async () => {
    const dialogs: string[] = [];
    const screen = { onDialog: (html: string) => dialogs.push(html) };
    world = await worldWith(list(), { host: { screen } });
    await schedule(world, 's1', {}, HOURLY);
    await pass(world, 1.5);
    await world.rpc('connection.clear');
    await schedule(world, 's2', {}, HOURLY);
    await pass(world, 1);
    void world.host.start({ functionName: 'runDiagnostics', args: [], door: 'menu' });
    await world.host.run();
    const text = String(dialogs[0]).replaceAll('&quot;', '"');
    expect(text).toMatch(
      /PROBLEM {2}Schedule "Every hour": ran last .*, failed: .* No key is connected\./,
    );
  });
});

describe('a list', () => {
  it('whose sheet was deleted is told by its name', async () => {
    const sheet = list();
    const second = sheet.grid.addSheet('Second', 2);
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, HOURLY);
    await pass(world, 1.2);
    expect(second).toBeGreaterThan(0);
    world.host.act({ do: 'deleteSheet', sheetId: sheet.id });
    await pass(world, 30);
    expect(await shownNow(world)).toMatchObject({
      sheetName: 'Sheet1',
      problem: { message: expect.stringMatching(/^The sheet "Sheet1" was deleted\. Undo that/) },
    });
  });

  it('whose product column was deleted is told by its title, and nothing is written', async () => {
    const sheet = list();
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 1 });
    await pass(world, 1.2);
    world.host.act({ do: 'deleteColumns', sheetId: sheet.id, first: 2, count: 1 });
    const before = JSON.stringify(sheet.values());
    const { arrived } = world.service();
    await pass(world, 3);
    expect(await shownNow(world)).toMatchObject({
      problem: { message: expect.stringMatching(/^The column "ASIN" is no longer in the sheet/) },
    });
    expect(JSON.stringify(sheet.values())).toBe(before);
    expect(world.service().arrived).toBe(arrived);
  });
});

describe('a run that somebody paused', () => {
  it('goes before: the schedule waits, says so, and goes on when it is over', async () => {
    world = await worldWith(list());
    await schedule(world, 's1', {}, HOURLY);
    const { jobId } = await startRun(world);
    granted(await world.rpc('bulk.pause', { jobId }));
    await pass(world, 1.5);
    expect(await shownNow(world)).toMatchObject({
      problem: {
        message: expect.stringMatching(/^A run over a list is paused, and the schedule waits/),
      },
    });
    granted(await world.rpc('bulk.resume', { jobId }));
    await runOn(world, jobId);
    await pass(world, 1);
    expect((await shownNow(world)).problem).toBeUndefined();
  });
});

/** Of a firing over this list, the call just after the first that goes to the service. */
async function callOfFirstWave(): Promise<number> {
  const operations: string[] = [];
  const observe = (call: { operation: string }) => operations.push(call.operation);
  const other = await worldWith(list(), { host: { observe } });
  await schedule(other, 's1', {}, { ...HOURLY, maxAgeHours: 5 });
  other.host.stores.triggers.disable('owner@example.com');
  await other.host.run(Date.UTC(2026, 0, 5, 10, 10));
  operations.length = 0;
  await strike(other);
  await other.stop();
  return operations.findIndex((one) => one.startsWith('urlFetch')) + 3;
}

describe('a firing that was killed', () => {
  it('leaves nothing in the way of a person, and the next one goes on', async () => {
    world = await worldWith(list());
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 5 });
    world.host.stores.triggers.disable('owner@example.com');
    await world.host.run(Date.UTC(2026, 0, 5, 10, 10));
    const cut = await strike(world, { killAtCall: await callOfFirstWave() });
    expect(cut.ended).toBe('killed');
    expect(world.service().arrived).toBeGreaterThan(0);
    await world.host.run(world.host.nowMs() + 120_000);
    expect(granted(await world.rpc('bulk.start', await choiceOf(world)))).toMatchObject({
      rows: 20,
    });
  });

  it('is made up for at the next one, at few calls more', async () => {
    const sheet = list();
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 5 });
    world.host.stores.triggers.disable('owner@example.com');
    await world.host.run(Date.UTC(2026, 0, 5, 10, 10));
    expect((await strike(world, { killAtCall: await callOfFirstWave() })).ended).toBe('killed');
    expect((await shownNow(world)).problem).toBeUndefined();
    await world.host.run(world.host.nowMs() + 3_600_000);
    expect(await shownNow(world)).toMatchObject({
      problem: { message: expect.stringMatching(/^Its run of 5 Jan, 10:1\d was cut off/) },
    });
    await strike(world);
    expect((await shownNow(world)).problem).toBeUndefined();
    const states = sheet
      .values()
      .slice(1)
      .map((row) => String(row.find((cell) => /^(OK|Queued)/.test(String(cell)))).slice(0, 2));
    expect(new Set(states)).toEqual(new Set(['OK']));
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
  });
});
