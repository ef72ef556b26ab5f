// What people do while schedules are at work: they change them, run them by hand and move rows.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LatencyLaw, MODELLED_LATENCY } from 'apps-script-host/latency';
import {
  granted,
  runAll,
  runOn,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import {
  history,
  pass,
  schedule,
  shownIn,
  shownNow,
  strike,
  worldWith,
} from '../doors/schedule-list';
import type { World } from '../doors/world';
import { okCell } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const HOURLY = { recurrence: { kind: 'hourly' } };

// What people do to schedules while the clock is at work on them, and what its visits leave behind.
describe('schedules that people change', () => {
  const LIST = US_ASINS.slice(700, 1_000);

  const OTHERS = US_ASINS.slice(1_000, 1_020);

  const HOUR_MS = 3_600_000;

  /** Two lists in a spreadsheet, each with a schedule; the first keeps the clock busy for a minute. */
  async function twoLists(): Promise<Sheet> {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const other = sheet.grid.addSheet('Other', 2);
    sheet.grid.write(other, 1, 1, [['Product'], ...OTHERS.map((asin) => [asin])]);
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, HOURLY);
    await schedule(world, 's2', { sheetId: other, headerRow: 1, productColumn: 1 }, HOURLY);
    return sheet;
  }

  /** The clock strikes when both are due, and has begun with the first. */
  async function begun(): Promise<void> {
    world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
    await world.host.run(world.host.nowMs() + 20_000);
    expect(world.service().arrived).toBeGreaterThan(10);
  }

  const settingsOf = async (id: string) => {
    const { schedules } = granted(await world.rpc('schedule.look'));
    return (schedules as readonly { id: string; settings: object }[]).find((one) => one.id === id)
      ?.settings;
  };

  async function dueSoon(): Promise<void> {
    await world.host.run(Math.ceil(world.host.nowMs() / HOUR_MS) * HOUR_MS + 1_000);
  }

  describe('while the clock is at work', () => {
    it('a schedule that is switched off makes no more calls', async () => {
      await twoLists();
      await dueSoon();
      await begun();
      const { arrived } = world.service();
      granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
      await pass(world, 2);
      expect(world.service().arrived).toBeLessThan(arrived + 2 * OTHERS.length);
      expect(await shownNow(world, 's1')).toMatchObject({ isOn: false, isUnderWay: false });
    });

    it('a schedule that is removed makes no more calls, and the next has its turn', async () => {
      const sheet = await twoLists();
      await dueSoon();
      await begun();
      const { arrived } = world.service();
      granted(await world.rpc('schedule.remove', { id: 's1' }));
      await pass(world, 2);
      expect(world.service().arrived).toBeLessThan(arrived + 2 * OTHERS.length);
      const runs = (await history(world)).filter(({ outcome }) => outcome === 'done');
      expect(runs.map(({ refreshed }) => refreshed)).toContain(OTHERS.length);
      const statuses = LIST.map((_, at) => String(sheet.byHeader(at + 2)['Analysis status']));
      expect(statuses.filter((text) => text !== '' && !text.startsWith('OK'))).toEqual([]);
    });

    it('one that waits for its turn and is switched off has none', async () => {
      await twoLists();
      await dueSoon();
      await begun();
      granted(await world.rpc('schedule.switch', { id: 's2', isOn: false }));
      await pass(world, 2);
      expect(await shownNow(world, 's2')).toMatchObject({ isOn: false, last: null });
      expect(world.service().arrived).toBe(LIST.length);
    });

    it('one that is given another list begins there, knowing nothing of the one before', async () => {
      await twoLists();
      const settings = await settingsOf('s2');
      granted(await world.rpc('schedule.remove', { id: 's2' }));
      await dueSoon();
      await begun();
      const { schedules } = granted(await world.rpc('schedule.save', { id: 's1', settings }));
      expect(shownIn(schedules).last).toBeNull();
      expect(await shownNow(world, 's1')).toMatchObject({ last: null, sheetName: 'Other' });
      await pass(world, 2);
      const done = (await history(world)).filter(({ outcome }) => outcome === 'done');
      expect(done.map(({ refreshed }) => refreshed)).toContain(OTHERS.length);
      expect(await shownNow(world, 's1')).not.toHaveProperty('problem');
    });
  });

  it('one that is switched off rests whenever it comes round', async () => {
    world = await worldWith(sheetOf([['ASIN'], ...OTHERS.map((asin) => [asin])]));
    await schedule(world, 's1', {}, HOURLY);
    granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
    await pass(world, 3);
    expect(world.service().arrived).toBe(0);
    const shown = await shownNow(world);
    expect(shown).toMatchObject({ isOn: false, last: null });
    expect(shown).not.toHaveProperty('problem');
  });

  describe('visits with nothing that is due', () => {
    it('are told once in the history, and are no news', async () => {
      world = await worldWith(sheetOf([['ASIN'], ...OTHERS.map((asin) => [asin])]));
      await schedule(world, 's1', {}, HOURLY);
      await pass(world, 12);
      expect(await history(world)).toMatchObject([
        { refreshed: 0, calls: 0, outcome: 'done' },
        { refreshed: OTHERS.length, outcome: 'done' },
      ]);
      expect(granted(await world.rpc('schedule.look')).digest).toMatchObject({ runs: 1 });
    });
  });

  describe('a run by hand', () => {
    it('that changed nothing is no news to whoever saw it end', async () => {
      world = await worldWith(sheetOf([['ASIN'], ...OTHERS.map((asin) => [asin])]));
      await schedule(world, 's1', {});
      granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
      expect(await history(world)).toMatchObject([{ refreshed: OTHERS.length, byHand: true }]);
      expect(granted(await world.rpc('schedule.look')).digest).toBeNull();
    });
  });
});

// Rows that somebody sorts while the clock is at work: only what a schedule is for is asked, and nothing twice.
describe('rows that somebody sorts', () => {
  const LIST = US_ASINS.slice(400, 412);

  const STARRED = LIST.filter((_, at) => at % 4 === 0);

  /** A firing over this list reads or writes cells about so often. */
  const LOOKS = 21;

  const list = () =>
    sheetOf([['ASIN', 'Star'], ...LIST.map((asin) => [asin, STARRED.includes(asin) ? 'x' : ''])]);

  /** All rows are three hours old, the starred ones may be two, and the list is sorted before a look at cells. */
  async function strikeSortedBefore(sheet: Sheet, sortedBefore: number): Promise<void> {
    let looks = Number.NEGATIVE_INFINITY;
    const betweenCalls = ({ operation }: { readonly operation: string }) => {
      if (!/Values|Formulas/.test(operation)) return [];
      looks += 1;
      const { lastRow, lastColumn } = sheet.grid.size(sheet.id);
      const rectangle = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
      const keys = [{ column: 1, ascending: false }];
      return looks === sortedBefore
        ? [{ do: 'sort' as const, sheetId: sheet.id, rectangle, keys }]
        : [];
    };
    world = await worldWith(sheet, { host: { betweenCalls } });
    await runAll(world);
    await schedule(world, 's1', { rows: 'starred' }, { maxAgeHours: 2, ...HOURLY });
    world.host.stores.triggers.disable('owner@example.com');
    await pass(world, 3);
    looks = 0;
    await strike(world);
  }

  const rowsOf = (sheet: Sheet) => LIST.map((_, at) => sheet.byHeader(at + 2));

  it.each(Array.from({ length: LOOKS }, (_, at) => at + 1))('before look %d', async (at) => {
    const sheet = list();
    await strikeSortedBefore(sheet, at);
    // What could not be done is left to the next visit.
    await pass(world, 1);
    await strike(world);
    expect(world.service().arrived).toBe(LIST.length + STARRED.length);
    for (const { ASIN, Star, 'Analysis status': status } of rowsOf(sheet)) {
      const own = okCell(ASIN);
      // A mark that met another row is taken away again, and what it covered is not known any more.
      expect(Star === 'x' ? [own] : [own, '']).toContain(status);
    }
  });

  /** With this key a firing has time for 23 of the new rows. */
  const SLOW = { calls: 5, perSeconds: 60, burst: 1 };

  const [FRESH, NEW] = [US_ASINS.slice(420, 430), US_ASINS.slice(430, 455)];

  it.each([1, 2, 3, 4])(
    'rows that came in before write %d stand for none that there was no time for',
    async (at) => {
      const sheet = sheetOf([['ASIN'], ...FRESH.map((asin) => [asin])]);
      let writes = Number.NEGATIVE_INFINITY;
      const betweenCalls = ({ operation }: { readonly operation: string }) => {
        writes += operation === 'spreadsheet.write.setValues' ? 1 : 0;
        if (writes !== at) return [];
        writes = Number.NEGATIVE_INFINITY;
        return [{ do: 'insertRows' as const, sheetId: sheet.id, first: 2, count: 2 }];
      };
      world = await worldWith(sheet, { host: { betweenCalls } });
      granted(await world.connect({ quota: SLOW }));
      await runAll(world);
      await schedule(world, 's1', {}, HOURLY);
      world.host.stores.triggers.disable('owner@example.com');
      const below = FRESH.length + 2;
      sheet.grid.write(
        sheet.id,
        below,
        1,
        NEW.map((asin) => [asin]),
      );
      await pass(world, 1);
      writes = 0;
      await strike(world);
      await strike(world);
      const rows = [...FRESH, ...NEW].map((_, place) => sheet.byHeader(place + 4));
      expect(rows.map(({ 'Analysis status': status }) => status)).toEqual(
        [...FRESH, ...NEW].map((asin) => okCell(asin)),
      );
    },
  );

  /** Of one product two rows, of which the lower is starred. */
  const TWICE = [LIST[0], LIST[0], LIST[1]];

  it.each(Array.from({ length: LOOKS }, (_, at) => at + 1))(
    'the starred one of two rows of a product is filled in, though one comes in before look %d',
    async (at) => {
      const sheet = sheetOf([
        ['ASIN', 'Star'],
        ...TWICE.map((asin, place) => [asin ?? '', place === 1 ? 'x' : '']),
      ]);
      let looks = Number.NEGATIVE_INFINITY;
      const betweenCalls = ({ operation }: { readonly operation: string }) => {
        looks += /Values|Formulas/.test(operation) ? 1 : 0;
        if (looks !== at) return [];
        looks = Number.NEGATIVE_INFINITY;
        return [{ do: 'insertRows' as const, sheetId: sheet.id, first: 2, count: 1 }];
      };
      world = await worldWith(sheet, { host: { betweenCalls } });
      await runAll(world);
      await schedule(world, 's1', { rows: 'starred' }, { maxAgeHours: 2, ...HOURLY });
      world.host.stores.triggers.disable('owner@example.com');
      await pass(world, 3);
      const struckMs = world.host.nowMs();
      looks = 0;
      await strike(world);
      // What could not be done is left to the next visit.
      await strike(world);
      const starred = [2, 3, 4, 5]
        .map((row) => sheet.byHeader(row))
        .find(({ Star }) => Star === 'x');
      expect(Number(starred?.['Analyzed at'])).toBeGreaterThan(struckMs);
    },
  );
});

// A schedule that is run while it is at work already: from two tabs, and by hand while its clock strikes.
describe('a schedule that runs twice', () => {
  const ROWS = 60;

  let sheet: Sheet;

  beforeEach(async () => {
    sheet = sheetOf([['ASIN'], ...US_ASINS.slice(700, 700 + ROWS).map((asin) => [asin])]);
    world = await worldWith(sheet);
    await schedule(world);
  });

  const runNow = () =>
    world.host.start({
      ...{ functionName: 'rpc', door: 'sidebar' },
      args: ['schedule.run', { id: 's1', maxMs: 300_000 }],
    });

  const wait = (ms: number) => world.host.run(world.host.nowMs() + ms);

  const digest = async () => granted(await world.rpc('schedule.look')).digest;

  describe('a schedule that is at work', () => {
    it.each([0, 300, 1_000, 3_000, 8_000])(
      'is not run a second time %d ms after the first',
      async (ms) => {
        const first = runNow();
        await wait(ms);
        const second = runNow();
        await world.host.run();
        const replies = [(await first).value, (await second).value];
        expect(replies).toContainEqual(
          expect.objectContaining({
            ok: false,
            failure: expect.objectContaining({
              kind: 'schedule',
              message: expect.stringMatching(/already running/),
            }),
          }),
        );
        expect(replies).toContainEqual(expect.objectContaining({ ok: true }));
        expect(world.service().arrived).toBe(ROWS);
        expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: ROWS }]);
        const shown = await shownNow(world);
        expect(shown).toMatchObject({ isUnderWay: false, last: { refreshed: ROWS } });
        expect(shown).not.toHaveProperty('problem');
        expect(await digest()).toBeNull();
      },
    );

    it('goes on undisturbed when its clock strikes', async () => {
      await pass(world, 21);
      world.host.stores.cache.wipe();
      const byHand = runNow();
      await wait(3_000);
      await strike(world);
      await byHand;
      const runs = await history(world);
      expect(runs.every(({ outcome }) => outcome === 'done')).toBe(true);
    });
  });

  describe('a schedule that a paused run holds up', () => {
    it('says so in the digest, which has nothing else', async () => {
      const { runId } = await startRun(world);
      granted(await world.rpc('bulk.pause', { runId }));
      await runOn(world, runId);
      await pass(world, 24);
      expect(await digest()).toMatchObject({
        ...{ refreshed: 0, changes: 0, marked: [] },
        problem: {
          kind: 'schedule',
          message: expect.stringMatching(/a run over a list is paused/i),
        },
      });
    });

    it('is no news to who has just run it by hand', async () => {
      const { runId } = await startRun(world);
      granted(await world.rpc('bulk.pause', { runId }));
      await runOn(world, runId);
      const byHand = runNow();
      await world.host.run(world.host.nowMs() + 60_000);
      expect(await byHand).toMatchObject({ value: { value: { run: { outcome: 'failed' } } } });
      expect(await digest()).toBeNull();
    });
  });
});

// Several people with schedules in one spreadsheet: none of their runs is lost, and everybody has their own news.
describe('several people', () => {
  const LIST = US_ASINS.slice(420, 430);

  const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

  const EDITORS = Array.from({ length: 6 }, (_, at) => `editor-${at}@example.com`);

  const [EDITOR = ''] = EDITORS;

  const OWNER = 'owner@example.com';

  /** A store that now and then takes its time, as Google's does: nobody is served in turn. */
  const UNEVEN: LatencyLaw = {
    ...MODELLED_LATENCY,
    callMs: (operation, random, cells) =>
      operation.startsWith('properties.')
        ? random.integer(20, 900)
        : MODELLED_LATENCY.callMs(operation, random, cells),
  };

  async function listFor(editors: readonly string[], host = {}): Promise<Sheet> {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const document = { ...sheet.document, editors: [...editors] };
    world = await worldWith({ ...sheet, document }, { host });
    return sheet;
  }

  const digestOf = async (person: string) =>
    granted(await world.rpc('schedule.look', {}, person)).digest;

  describe('the digest', () => {
    it('is news to each person until they put it away', async () => {
      await listFor([EDITOR]);
      await schedule(world, 's1', {}, HOURLY);
      await pass(world, 2.5);
      const first = await digestOf(OWNER);
      expect(first).toMatchObject({ refreshed: 20 });
      expect(await digestOf(EDITOR)).toEqual(first);
      granted(await world.rpc('schedule.seen', {}, OWNER));
      expect(await digestOf(OWNER)).toBeNull();
      expect(await digestOf(EDITOR)).toEqual(first);
      await pass(world, 2);
      const { runs } = (await digestOf(OWNER)) as { runs: number };
      expect(runs).toBeGreaterThan(0);
      expect(await digestOf(EDITOR)).toMatchObject({ runs: runs + 2, refreshed: 10 * runs + 20 });
    });
  });

  describe('schedules that several people make in the same second', () => {
    it('are all kept', async () => {
      await listFor(EDITORS, { latency: UNEVEN });
      const more = { callsPerHour: null, quiet: null, rules: [] };
      const settings = { ...HOURLY, task: { kind: 'formulas' }, ...more };
      for (const userEmail of EDITORS) {
        const args = ['schedule.save', { id: userEmail.slice(0, 8), settings }];
        void world.host.start({ functionName: 'rpc', args, door: 'sidebar', userEmail });
      }
      await world.host.run();
      const { schedules } = granted(await world.rpc('schedule.look'));
      expect(schedules).toHaveLength(EDITORS.length);
    });
  });

  describe('clocks that strike for several people in the same second', () => {
    it('leave a line each in the history', async () => {
      await listFor(EDITORS, { latency: UNEVEN });
      const settings = { ...HOURLY, task: { kind: 'formulas' } };
      const more = { callsPerHour: null, quiet: null, rules: [] };
      for (const editor of EDITORS) {
        const payload = { id: editor.slice(0, 8), settings: { ...settings, ...more } };
        granted(await world.rpc('schedule.save', payload, editor));
      }
      for (const editor of EDITORS) world.host.stores.triggers.uninstall(editor);
      await world.rpc('connection.clear');
      await world.host.run(world.host.nowMs() + 3_600_000);
      for (const userEmail of EDITORS)
        void world.host.start({ functionName: 'onSchedule', args: [], door: 'clock', userEmail });
      await world.host.run();
      expect(await history(world)).toHaveLength(EDITORS.length);
    });
  });

  describe('a sheet that is copied within its spreadsheet', () => {
    it('leaves the schedule with the one it was made for', async () => {
      const sheet = await listFor([]);
      await schedule(world, 's1', {}, HOURLY);
      await pass(world, 1.5);
      const other = sheet.grid.addSheet('Copy of Sheet1', 2);
      sheet.grid.write(other, 1, 1, sheet.values());
      const whole = {
        row: 1,
        column: 1,
        rowCount: 11,
        columnCount: sheet.values()[0]?.length ?? 1,
      };
      const before = JSON.stringify(sheet.grid.values(other, whole));
      const own = JSON.stringify(sheet.values());
      await pass(world, 2);
      expect(JSON.stringify(sheet.grid.values(other, whole))).toBe(before);
      expect(JSON.stringify(sheet.values())).not.toBe(own);
      expect(await shownNow(world)).toMatchObject({ sheetName: 'Sheet1' });
    });
  });
});

// A run of a schedule that is cut off: what was answered by then is in the cache but for the newest answers.
describe('a run of a schedule that is cut off', () => {
  const LIST = US_ASINS.slice(0, 300);

  /** So many answers are kept together, and a wave of this key has hardly more than half of them. */
  const LOST_MAX = 60 + 40;

  it.each([150, 180])('at call %i loses no more than a few waves', async (killAtCall) => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = await worldWith(sheet);
    const quota = { calls: 20, perSeconds: 1, burst: 40 };
    granted(await world.connect({ apiKey: 'demo-key-20-per-second', quota }));
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 5 });
    const args = ['schedule.run', { id: 's1', maxMs: 300_000 }];
    void world.host.start({ functionName: 'rpc', args, door: 'sidebar', killAtCall });
    await world.host.run(world.host.nowMs() + 120_000);
    expect(world.service().arrived).toBeGreaterThan(60);
    expect(world.service().arrived).toBeLessThan(LIST.length);
    await pass(world, 3);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: { outcome: 'done' } });
    expect(world.service().arrived).toBeLessThanOrEqual(LIST.length + LOST_MAX);
  });

  it('and that somebody goes on with ends where its calls of the hour do', async () => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = await worldWith(sheet);
    const callsPerHour = 150;
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 5, callsPerHour });
    const args = ['schedule.run', { id: 's1', maxMs: 300_000 }];
    void world.host.start({ functionName: 'rpc', args, door: 'sidebar', killAtCall: 150 });
    await world.host.run(world.host.nowMs() + 60_000);
    const before = world.service().arrived;
    expect(before).toBeLessThan(callsPerHour);
    const { runId } = granted(await world.rpc('bulk.status'));
    expect(await runOn(world, runId)).toMatchObject({ state: 'running', isScheduled: true });
    expect(world.service().arrived).toBeGreaterThan(before);
    expect(world.service().arrived).toBeLessThanOrEqual(callsPerHour + LOST_MAX);
    await pass(world, 4);
    expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: { outcome: 'done' } });
  });
});
