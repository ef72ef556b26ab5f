// What people do while schedules are at work: they change them, and run them by hand.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LatencyLaw, MODELLED_LATENCY } from 'apps-script-host/latency';
import { granted, type Sheet, sheetOf, US_ASINS, worldWith } from '../doors/bulk-list';
import { history, schedule, shownIn, shownNow, strike } from '../doors/schedule-list';
import type { World } from '../doors/world';

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
    const sheet = sheetOf(LIST);
    const other = sheet.grid.addSheet('Other', 2);
    sheet.grid.write(other, 1, 1, [['Product'], ...OTHERS.map((asin) => [asin])]);
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, HOURLY);
    const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
    sheet.grid.select({ sheetId: other, rectangle });
    await schedule(world, 's2', {}, HOURLY);
    return sheet;
  }

  /** The clock strikes when both are due, and has begun with the first. */
  async function begun(): Promise<void> {
    world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
    await world.wait(20_000);
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
      await world.pass(2);
      expect(world.service().arrived).toBeLessThan(arrived + 3 * OTHERS.length);
      expect(await shownNow(world, 's1')).toMatchObject({ isOn: false, isUnderWay: false });
    });

    it('a schedule that is removed makes no more calls, and the next has its turn', async () => {
      await twoLists();
      await dueSoon();
      await begun();
      const { arrived } = world.service();
      granted(await world.rpc('schedule.remove', { id: 's1' }));
      await world.pass(2);
      expect(world.service().arrived).toBeLessThan(arrived + 2 * OTHERS.length);
      const runs = (await history(world)).filter(({ outcome }) => outcome === 'done');
      expect(runs.map(({ refreshed }) => refreshed)).toContain(OTHERS.length);
    });

    it('one that waits for its turn and is switched off has none', async () => {
      await twoLists();
      await dueSoon();
      await begun();
      granted(await world.rpc('schedule.switch', { id: 's2', isOn: false }));
      await world.pass(2);
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
      await world.pass(2);
      const done = (await history(world)).filter(({ outcome }) => outcome === 'done');
      expect(done.map(({ refreshed }) => refreshed)).toContain(OTHERS.length);
      expect(await shownNow(world, 's1')).not.toHaveProperty('problem');
    });
  });

  it('one that is switched off rests whenever it comes round', async () => {
    world = await worldWith(sheetOf(OTHERS));
    await schedule(world, 's1', {}, HOURLY);
    granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
    await world.pass(3);
    expect(world.service().arrived).toBe(0);
    const shown = await shownNow(world);
    expect(shown).toMatchObject({ isOn: false, last: null });
    expect(shown).not.toHaveProperty('problem');
  });

  it('visits with nothing that is due leave no line in the history, and are no news', async () => {
    world = await worldWith(sheetOf(OTHERS));
    await schedule(world, 's1', {}, HOURLY);
    await world.pass(12);
    expect(await history(world)).toMatchObject([{ refreshed: OTHERS.length, outcome: 'done' }]);
    expect(await shownNow(world)).toMatchObject({ last: { refreshed: 0, outcome: 'done' } });
    expect(granted(await world.rpc('schedule.look')).digest).toBeNull();
  });
});

// A schedule that is run while it is at work already: from two tabs, and by hand while its clock strikes.
describe('a schedule that runs twice', () => {
  const ROWS = 60;

  let sheet: Sheet;

  beforeEach(async () => {
    sheet = sheetOf(US_ASINS.slice(700, 700 + ROWS));
    world = await worldWith(sheet);
    await schedule(world);
  });

  const runNow = () =>
    world.host.start({
      ...{ functionName: 'rpc', door: 'sidebar' },
      args: ['schedule.run', { id: 's1', maxMs: 300_000 }],
    });

  const wait = (ms: number) => world.wait(ms);

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
      },
    );

    it('goes on undisturbed when its clock strikes', async () => {
      await world.pass(21);
      world.host.stores.cache.wipe();
      const byHand = runNow();
      await wait(3_000);
      await strike(world);
      await byHand;
      const runs = await history(world);
      expect(runs.every(({ outcome }) => outcome === 'done')).toBe(true);
    });
  });
});

// Several people with schedules in one spreadsheet: none of their runs is lost, and everybody has their own news.
describe('several people', () => {
  const LIST = US_ASINS.slice(420, 430);

  const HOURLY = { recurrence: { kind: 'hourly' }, maxAgeHours: 1 };

  const EDITORS = Array.from({ length: 6 }, (_, at) => `editor-${at}@example.com`);

  /** A store that now and then takes its time, as Google's does: nobody is served in turn. */
  const UNEVEN: LatencyLaw = {
    ...MODELLED_LATENCY,
    callMs: (operation, random, cells) =>
      operation.startsWith('properties.')
        ? random.integer(20, 900)
        : MODELLED_LATENCY.callMs(operation, random, cells),
  };

  async function listFor(editors: readonly string[], host = {}): Promise<Sheet> {
    const sheet = sheetOf(LIST);
    const document = { ...sheet.document, editors: [...editors] };
    world = await worldWith({ ...sheet, document }, { host });
    return sheet;
  }

  it('schedules that several people make in the same second are all kept', async () => {
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

  it('a schedule that is switched off as its clock strikes stays off', async () => {
    await listFor([], { latency: UNEVEN });
    await schedule(world, 's1', {}, HOURLY);
    const args = ['schedule.switch', { id: 's1', isOn: false }];
    for (let ms = 0; ms < 4_000; ms += 400) {
      granted(await world.rpc('schedule.switch', { id: 's1', isOn: true }));
      void world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
      await world.wait(ms);
      void world.host.start({ functionName: 'rpc', args, door: 'sidebar' });
      await world.host.run();
      expect([ms, (await shownNow(world)).isOn]).toEqual([ms, false]);
    }
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
      await world.pass(1);
      for (const userEmail of EDITORS)
        void world.host.start({ functionName: 'onSchedule', args: [], door: 'clock', userEmail });
      await world.host.run();
      expect(await history(world)).toHaveLength(EDITORS.length);
    });
  });
});
