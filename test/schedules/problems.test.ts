// Schedules are never silent: whatever keeps one from running is told, once, with the one thing to do.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, type Sheet, sheetOf, US_ASINS, worldWith } from '../doors/bulk-list';
import { history, schedule, shownNow, strike } from '../doors/schedule-list';
import type { World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(600, 620);

/** Some minutes after the time at which a world begins. */
const OUTAGE_MS = Date.parse('2026-01-05T09:10:00Z');

const HOURLY = { recurrence: { kind: 'hourly' } };

/** The rows of the Analysis tab with this status. */
function rowsWith({ grid }: Sheet, status: string): number {
  const id = grid.sheets().find(({ name }) => name === 'Analysis')?.id;
  if (id === undefined) return 0;
  const { lastRow, lastColumn } = grid.size(id);
  const all = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const [titles = [], ...rows] = grid.values(id, all);
  const place = titles.indexOf('Status');
  return rows.filter((cells) => cells[place] === status).length;
}

describe('a problem', () => {
  const list = () => sheetOf([['Note', 'ASIN'], ...LIST.map((asin) => ['x', asin])]);

  describe('a key', () => {
    it('that was cleared is told, and what was due goes on when there is one', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      await world.rpc('connection.clear');
      await world.pass(2.5);
      expect(await shownNow(world)).toMatchObject({
        isUnderWay: true,
        problem: { kind: 'no-connection', action: 'Enter the address and the key.' },
      });
      // Said once, not every hour.
      expect(await history(world)).toMatchObject([
        { outcome: 'failed', problem: { kind: 'no-connection' } },
      ]);
      await world.connect();
      await world.pass(1);
      expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
      expect((await shownNow(world)).problem).toBeUndefined();
    });

    it('that is refused is told, and nobody calls with it again', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, HOURLY);
      await world.connect({ apiKey: 'demo-key-nobody-knows' });
      await world.pass(3.5);
      expect(await shownNow(world)).toMatchObject({ problem: { kind: 'key-refused' } });
      expect(world.service().arrived).toBeLessThan(15);
    });

    it('whose plan is used up is told with the time it is tried again', async () => {
      world = await worldWith(list());
      await world.connect({ apiKey: 'demo-key-out-of-plan', quota: { calls: 5, perSeconds: 1 } });
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.2);
      expect(await shownNow(world)).toMatchObject({
        problem: { kind: 'plan-used-up', message: expect.stringMatching(/retry in about/) },
      });
    });
  });

  it("a service that is down is told, also where the hour's calls go into trying", async () => {
    const outages = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
    world = await worldWith(list(), { sandbox: { outages } });
    await schedule(world, 's1', {}, { ...HOURLY, callsPerHour: 3 });
    await world.pass(1.2);
    expect(world.service().arrived).toBe(3);
    expect(await shownNow(world)).toMatchObject({
      isUnderWay: true,
      problem: { message: 'The last 3 calls all failed. Try again later.' },
    });
  });

  it("Google's calls of a day that are spent are told, and go on with the next day", async () => {
    const sheet = list();
    world = await worldWith(sheet, { host: { limits: { urlFetchPerDay: 12 } } });
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 200 });
    await world.pass(2.5);
    expect(await shownNow(world)).toMatchObject({
      isUnderWay: true,
      problem: {
        kind: 'google-limit',
        message: expect.stringMatching(/Calls continue within 24 hours/),
      },
    });
    expect(rowsWith(sheet, 'OK')).toBeLessThan(LIST.length);
    const runs = await history(world);
    expect(runs).toContainEqual(
      expect.objectContaining({ problem: expect.objectContaining({ kind: 'google-limit' }) }),
    );
    expect(runs.length).toBeLessThan(4);
    expect(rowsWith(sheet, 'Waiting')).toBe(0);
    await world.pass(26);
    expect(rowsWith(sheet, 'OK')).toBe(LIST.length);
  });

  describe('the report for support', () => {
    it('tells what each schedule last came to, and what is wrong with it', async () => {
      const dialogs: string[] = [];
      const screen = { onDialog: (html: string) => dialogs.push(html) };
      world = await worldWith(list(), { host: { screen } });
      await schedule(world, 's1', {}, HOURLY);
      await world.pass(1.5);
      await world.rpc('connection.clear');
      await schedule(world, 's2', {}, HOURLY);
      await world.pass(1);
      void world.host.start({ functionName: 'runDiagnostics', args: [], door: 'menu' });
      await world.host.run();
      const text = String(dialogs[0]).replaceAll('&#34;', '"');
      expect(text).toMatch(
        /PROBLEM {2}Schedules: 2; .*\n +"Every hour": .*\n +"Every hour": ran last .*, failed: .* No key is connected\./,
      );
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

  it('a firing that was killed is made up for at the next one, at few calls more', async () => {
    const sheet = list();
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 5 });
    world.host.stores.triggers.disable('owner@example.com');
    await world.host.run(Date.UTC(2026, 0, 5, 10, 10));
    expect((await strike(world, { killAtCall: await callOfFirstWave() })).ended).toBe('killed');
    expect((await shownNow(world)).problem).toBeUndefined();
    await world.pass(1);
    expect(await shownNow(world)).toMatchObject({
      problem: {
        message: expect.stringMatching(/^Its run of Mon, Jan 5, 10:1\d AM was interrupted/),
      },
    });
    await strike(world);
    expect((await shownNow(world)).problem).toBeUndefined();
    expect(rowsWith(sheet, 'OK')).toBe(LIST.length);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
  });
});

// A firing that is cut off while it asks: what it has spent.
describe('a firing that is cut off', () => {
  const LIST = US_ASINS.slice(620, 700);

  const list = () => sheetOf(LIST);

  const BUDGET = 40;

  /** The rows are due at ten past the hour; the clock strikes only when it is told to. */
  async function dueAt(
    hour: number,
    sheet: Sheet,
    more: object,
    host: object = {},
  ): Promise<World> {
    const made = await worldWith(sheet, { host });
    await schedule(made, 's1', {}, { ...HOURLY, maxAgeHours: 1, ...more });
    made.host.stores.triggers.disable('owner@example.com');
    await made.host.run(Date.UTC(2026, 0, 5, hour, 10));
    return made;
  }

  /** The first call of such a firing at which something is so. */
  async function callAtWhich(
    more: object,
    isSo: (world: World, sheet: Sheet) => boolean,
  ): Promise<number> {
    const sheet = list();
    let calls = Number.NEGATIVE_INFINITY;
    let found = 0;
    const betweenCalls = () => {
      calls += 1;
      if (found === 0 && calls > 0 && isSo(other, sheet)) found = calls;
      return [];
    };
    const other: World = await dueAt(12, sheet, more, { betweenCalls });
    calls = 0;
    await strike(other);
    await other.stop();
    return found;
  }

  it('has spent what it called of its hour', async () => {
    const budget = { callsPerHour: BUDGET };
    let before: number | null = null;
    const killAtCall = await callAtWhich(budget, (other) => {
      before ??= other.service().arrived;
      return other.service().arrived >= before + BUDGET - 1;
    });
    const sheet = list();
    world = await dueAt(12, sheet, budget);
    const { arrived } = world.service();
    expect((await strike(world, { killAtCall })).ended).toBe('killed');
    expect(world.service().arrived).toBeGreaterThan(arrived + BUDGET / 2);
    await world.pass(0.15);
    await strike(world);
    await strike(world);
    // It notes what it has called every half minute.
    expect(world.service().arrived).toBeLessThan(arrived + 1.5 * BUDGET);
  });
});

// What comes to the same hour after hour is told once in the history.
describe('what comes to the same', () => {
  const [BAD = ''] = LIST;
  const told = {
    problem: { message: expect.stringMatching(/the same answer: the service has a problem/) },
  };

  it('a row that fails in every hour leaves the history to the runs that came to something', async () => {
    const faults = { [BAD]: 'crash' } as const;
    world = await worldWith(sheetOf(LIST), { sandbox: { faults } });
    await schedule(world, 's1', {}, { recurrence: { kind: 'daily', hour: 11 } });
    await world.pass(8);
    const run = { refreshed: LIST.length - 1, failed: 1 };
    expect(await history(world)).toMatchObject([{ ...run, outcome: 'part' }]);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: true });
    // It was tried all the same, and by hand it is told of.
    expect(world.service().arrived).toBeGreaterThan(LIST.length + 10);
    granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
    expect(await history(world)).toMatchObject([{ failed: 1, byHand: true }, run]);
  });

  it('what the last try came to is told until the next one, also where an hour has no calls left', async () => {
    const outages = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
    world = await worldWith(sheetOf(LIST), { sandbox: { outages } });
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, callsPerHour: 5 });
    granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
    const { arrived } = world.service();
    expect(await shownNow(world)).toMatchObject(told);
    await strike(world);
    expect(world.service().arrived).toBe(arrived);
    expect(await shownNow(world)).toMatchObject(told);
  });

  it('also where only stored answers could be filled in meanwhile', async () => {
    const [asked = '', ...rest] = LIST;
    const sheet = sheetOf(rest);
    const outages = [{ fromMs: OUTAGE_MS, toMs: Number.MAX_SAFE_INTEGER }];
    world = await worldWith(sheet, { sandbox: { outages } });
    await world.show('ANALYZE', asked);
    await world.host.run(OUTAGE_MS + 1_000);
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
    granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
    const { arrived } = world.service();
    expect(await shownNow(world)).toMatchObject(told);
    // Somebody adds a product that a formula has had an answer for.
    sheet.grid.write(sheet.id, LIST.length + 1, 1, [[asked]]);
    await strike(world);
    expect(await shownNow(world)).toMatchObject({ ...told, last: { refreshed: 1, calls: 0 } });
    await strike(world);
    expect(await shownNow(world)).toMatchObject(told);
    expect(world.service().arrived).toBe(arrived);
  });
});
