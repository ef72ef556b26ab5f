// Schedules are never silent: whatever keeps one from running is told, once, with the one thing to do.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  choiceOf,
  granted,
  runOn,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import { history, pass, schedule, shownNow, strike, worldWith } from '../doors/schedule-list';
import type { World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(600, 620);

/** Some minutes after the time at which a world begins. */
const OUTAGE_MS = Date.parse('2026-01-05T09:10:00Z');

const HOURLY = { recurrence: { kind: 'hourly' } };

const marked = (sheet: Sheet) =>
  sheet.values().filter((row) => row.some((cell) => String(cell).startsWith('Waiting')));

// Schedules are never silent: whatever keeps one from running is told, with the one thing to do.
describe('a problem', () => {
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
          message: expect.stringMatching(/Calls continue in about 2\d h/),
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
      expect(sheet.values().flat().join()).not.toContain('Waiting');
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
      const text = String(dialogs[0]).replaceAll('&#34;', '"');
      expect(text).toMatch(
        /PROBLEM {2}Schedules: 2; .*\n +"Every hour": .*\n +"Every hour": ran last .*, failed: .* No key is connected\./,
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
      const { runId } = await startRun(world);
      granted(await world.rpc('bulk.pause', { runId }));
      await pass(world, 1.5);
      expect(await shownNow(world)).toMatchObject({
        problem: {
          message: expect.stringMatching(/^A run over a list is paused, and the schedule waits/),
        },
      });
      granted(await world.rpc('bulk.resume', { runId }));
      await runOn(world, runId);
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
        problem: { message: expect.stringMatching(/^Its run of 5 Jan, 10:1\d was interrupted/) },
      });
      await strike(world);
      expect((await shownNow(world)).problem).toBeUndefined();
      const states = sheet
        .values()
        .slice(1)
        .map((row) => String(row.find((cell) => /^(OK|Waiting)/.test(String(cell)))).slice(0, 2));
      expect(new Set(states)).toEqual(new Set(['OK']));
      expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
    });
  });
});

// Google's services fail twice in a row while the clock is at work: no marks stay, and the report for support tells.
describe('services that fail twice in a row', () => {
  let dialogs: string[];

  const LIST = US_ASINS.slice(700, 712);

  const OWNER = 'owner@example.com';

  interface Morning {
    readonly sheet: Sheet;
    readonly operations: string[];
    /** So many calls were made when the first row was marked. */
    readonly markedAfter: () => number;
  }

  /** All rows are due; the clock strikes only when it is told to. */
  async function morning(): Promise<Morning> {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const operations: string[] = [];
    let markedAfter = Number.POSITIVE_INFINITY;
    const observe = ({ operation }: { readonly operation: string }) => {
      if (marked(sheet).length > 0) markedAfter = Math.min(markedAfter, operations.length);
      operations.push(operation);
    };
    dialogs = [];
    const screen = { onDialog: (html: string) => dialogs.push(html) };
    world = await worldWith(sheet, { host: { observe, screen } });
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' } });
    world.host.stores.triggers.disable(OWNER);
    await world.host.run(Date.UTC(2026, 0, 5, 12, 10));
    operations.length = 0;
    return { sheet, operations, markedAfter: () => markedAfter };
  }

  /** The places of a firing's calls that take the lock, in one that nothing befalls. The first call is 1. */
  async function calmLocks(): Promise<{
    readonly all: readonly number[];
    readonly marked: number;
  }> {
    const { operations, markedAfter } = await morning();
    await strike(world);
    const all = operations.flatMap((name, at) => (name === 'lock.tryLock' ? [at + 1] : []));
    await world.stop();
    return { all, marked: markedAfter() };
  }

  /** The clock strikes, and one call of the lock fails with the one that is made in its place. */
  const strikeWithout = (atCall = 0) =>
    strike(world, { faults: [{ atCall, when: 'before', times: 2 }] });

  async function report(): Promise<string> {
    void world.host.start({ functionName: 'runDiagnostics', args: [], door: 'menu' });
    await world.host.run();
    return dialogs.join();
  }

  it('takes its marks away where it could not note that its run has begun', async () => {
    const locks = await calmLocks();
    const { sheet } = await morning();
    await strikeWithout(locks.all.find((at) => at > locks.marked));
    expect(marked(sheet)).toEqual([]);
    expect(await history(world)).toMatchObject([{ outcome: 'failed', calls: 0 }]);
    await world.host.run(Date.UTC(2026, 0, 5, 13, 10));
    await strike(world);
    expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: LIST.length }, {}]);
  });

  it('says so where it could not begin to work on the rows it had marked, and does them the next time', async () => {
    const locks = await calmLocks();
    const { sheet } = await morning();
    // After the one that notes that its run has begun.
    await strikeWithout(locks.all.filter((at) => at > locks.marked)[1]);
    expect(marked(sheet)).toEqual([]);
    expect(await history(world)).toMatchObject([{ outcome: 'failed', calls: 0 }]);
    expect((await shownNow(world)).problem?.message).toMatch(/^Someone else is using the add-on/);
    await world.host.run(Date.UTC(2026, 0, 5, 13, 10));
    await strike(world);
    expect((await shownNow(world)).problem).toBeUndefined();
    expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: LIST.length }, {}]);
  });

  it.each([
    ['its visit', 0],
    ['that a schedule begins', 1],
  ])('tells in the report for support that it could not note %s', async (_, place) => {
    const { all } = await calmLocks();
    await morning();
    await strikeWithout(all[place]);
    expect(await history(world)).toEqual([]);
    expect(await report()).toContain('The clock: Schedule problem &#34;busy&#34;.');
  });
});

// A firing that is cut off while it marks rows or asks: what it leaves in the sheet, and what it has spent.
describe('a firing that is cut off', () => {
  const LIST = US_ASINS.slice(620, 700);

  const list = () => sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);

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

  it('takes its marks away in the quiet hours, too', async () => {
    const quiet = { quiet: { fromHour: 13, toHour: 20 } };
    const killAtCall = await callAtWhich(quiet, (_, sheet) => marked(sheet).length > 0);
    const sheet = list();
    world = await dueAt(12, sheet, quiet);
    expect((await strike(world, { killAtCall })).ended).toBe('killed');
    expect(marked(sheet)).toHaveLength(LIST.length);
    await pass(world, 1);
    await strike(world);
    expect(marked(sheet)).toHaveLength(0);
  });

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
    await pass(world, 0.1);
    await strike(world);
    await strike(world);
    // It tells what it has called every two seconds: the last wave may be unknown.
    expect(world.service().arrived).toBeLessThan(arrived + 1.5 * BUDGET);
  });
});

// What comes to the same hour after hour is told once: in the history, and in the digest.
describe('what comes to the same', () => {
  const [BAD = ''] = LIST;

  it('a row that fails in every hour leaves the history to the runs that came to something', async () => {
    const rows = LIST.map((asin) => [asin]);
    const faults = { [BAD]: 'crash' } as const;
    world = await worldWith(sheetOf([['ASIN'], ...rows]), { sandbox: { faults } });
    await schedule(world, 's1', {}, { recurrence: { kind: 'daily', hour: 11 } });
    await pass(world, 8);
    const run = { refreshed: LIST.length - 1, failed: 1 };
    expect(await history(world)).toMatchObject([{ ...run, outcome: 'part' }]);
    expect(granted(await world.rpc('schedule.look')).digest).toMatchObject({ ...run, runs: 1 });
    expect(await shownNow(world)).toMatchObject({ isUnderWay: true });
    // It was tried all the same, and by hand it is told of.
    expect(world.service().arrived).toBeGreaterThan(LIST.length + 10);
    granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
    expect(await history(world)).toMatchObject([{ failed: 1, byHand: true }, run]);
  });

  it('what the last try came to is told until the next one, also where an hour has no calls left', async () => {
    const rows = LIST.map((asin) => [asin]);
    const outages = [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }];
    world = await worldWith(sheetOf([['ASIN'], ...rows]), { sandbox: { outages } });
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, callsPerHour: 5 });
    granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
    const { arrived } = world.service();
    const told = { problem: { message: expect.stringMatching(/calls all failed/) } };
    expect(await shownNow(world)).toMatchObject(told);
    await strike(world);
    expect(world.service().arrived).toBe(arrived);
    expect(await shownNow(world)).toMatchObject(told);
  });

  it('also where only stored answers could be filled in meanwhile', async () => {
    const [asked = '', ...rest] = LIST;
    const sheet = sheetOf([['ASIN'], ...rest.map((asin) => [asin])]);
    const outages = [{ fromMs: OUTAGE_MS, toMs: Number.MAX_SAFE_INTEGER }];
    world = await worldWith(sheet, { sandbox: { outages } });
    await world.show('ANALYZE', asked);
    await world.host.run(OUTAGE_MS + 1_000);
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, callsPerHour: 5 });
    granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
    const { arrived } = world.service();
    const told = { problem: { message: expect.stringMatching(/calls all failed/) } };
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
