// What a schedule refreshes morning after morning and what it leaves: ages, budgets, order, stars, failures.

import { afterEach, describe, expect, it } from '@jest/globals';
import { FIELDS } from '../../src/product/fields';
import { granted, runOn, type Sheet, sheetOf, startRun, US_ASINS } from '../doors/bulk-list';
import {
  history,
  pass,
  type Shown,
  schedule,
  shownNow,
  strike,
  worldWith,
} from '../doors/schedule-list';
import type { World } from '../doors/world';
import { okCell, openly } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

// A schedule over a list, from its making to the rows it refreshes morning after morning.
describe('a schedule over a list', () => {
  const LIST = US_ASINS.slice(400, 460);

  const DAY_MS = 86_400_000;

  const list = () => sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);

  const momentsOf = (sheet: Sheet) =>
    LIST.map((_, at) => Number(sheet.byHeader(at + 2)['Analyzed at']));

  describe('a schedule for every morning', () => {
    it('is made once, however often it is sent, and has one trigger', async () => {
      world = await worldWith(list());
      const first = await schedule(world);
      expect(first).toMatchObject({
        name: 'Every day at 6:00',
        isOn: true,
        isMine: true,
        last: null,
      });
      // The world begins at nine on 5 January 2026, UTC.
      expect(first.nextAtMs).toBe(Date.UTC(2026, 0, 6, 6));
      await schedule(world);
      await schedule(world, 's2');
      const { schedules, trigger } = granted(await world.rpc('schedule.look'));
      expect(schedules).toHaveLength(2);
      expect(trigger).toMatchObject({ state: 'on', everyMinutes: 60, lastAtMs: null });
      expect(world.host.stores.triggers.all()).toHaveLength(1);
    });

    it('refreshes every row each morning, at one call a product', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      await schedule(world);
      await pass(world, 24);
      expect(world.service().arrived).toBe(LIST.length);
      const first = momentsOf(sheet);
      expect(first.every((atMs) => atMs >= Date.UTC(2026, 0, 6, 6))).toBe(true);
      expect(await shownNow(world)).toMatchObject({
        isUnderWay: false,
        nextAtMs: Date.UTC(2026, 0, 7, 6),
        last: {
          outcome: 'done',
          refreshed: LIST.length,
          failed: 0,
          calls: LIST.length,
          byHand: false,
        },
      });
      await pass(world, 24);
      expect(world.service().arrived).toBe(2 * LIST.length);
      expect(momentsOf(sheet).every((atMs, at) => atMs - (first[at] ?? 0) > DAY_MS / 2)).toBe(true);
      expect(await history(world)).toHaveLength(2);
      // Nothing of it stays in the way.
      expect((await world.rpc('bulk.status')).value).toMatchObject({ state: 'finished', left: 0 });
    });

    it('costs four calls of the stores when nothing is due', async () => {
      world = await worldWith(list());
      await schedule(world);
      await strike(world);
      const before = world.crossed().match(/"operation":"properties\./g)?.length ?? 0;
      await strike(world);
      const after = world.crossed().match(/"operation":"properties\./g)?.length ?? 0;
      expect(after - before).toBeLessThanOrEqual(4);
    });
  });

  describe("the spreadsheet's time zone", () => {
    it('decides when it is morning, not the script’s, and may be changed', async () => {
      const sheet = list();
      let timeZone = 'Asia/Kolkata';
      const model = { ...sheet.grid, timeZone: () => timeZone };
      world = await worldWith({ ...sheet, document: { ...sheet.document, model } });
      expect((await schedule(world)).nextAtMs).toBe(Date.UTC(2026, 0, 6, 0, 30));
      timeZone = 'America/New_York';
      await pass(world, 1.5);
      expect((await shownNow(world)).nextAtMs).toBe(Date.UTC(2026, 0, 5, 11));
      await pass(world, 1.5);
      expect(world.service().arrived).toBe(LIST.length);
    });

    it('puts its clock forward and back, and the morning stays the morning', async () => {
      const sheet = list();
      const model = { ...sheet.grid, timeZone: () => 'Europe/London' };
      world = await worldWith({ ...sheet, document: { ...sheet.document, model } });
      world.host.stores.triggers.disable('owner@example.com');
      await world.host.run(Date.UTC(2026, 2, 28, 12));
      expect((await schedule(world)).nextAtMs).toBe(Date.UTC(2026, 2, 29, 5));
      await world.host.run(Date.UTC(2026, 9, 24, 12));
      expect((await schedule(world)).nextAtMs).toBe(Date.UTC(2026, 9, 25, 6));
    });
  });
});

// What a schedule refreshes and what it leaves: ages, budgets, order, stars, failures, other people's calls.
describe('what is due', () => {
  const LIST = US_ASINS.slice(500, 540);

  const list = (asins: readonly string[] = LIST) =>
    sheetOf([['ASIN'], ...asins.map((asin) => [asin])]);

  const atOf = (sheet: Sheet, row: number) => Number(sheet.byHeader(row)['Analyzed at']);

  const statusOf = (sheet: Sheet, row: number) => String(sheet.byHeader(row)['Analysis status']);

  const filled = (sheet: Sheet) =>
    sheet
      .values()
      .flatMap((_, at) => (at > 0 && statusOf(sheet, at + 1).startsWith('OK') ? [at + 1] : []));

  const HOURLY = { recurrence: { kind: 'hourly' } };

  describe('a row', () => {
    it('that was analyzed less than the max age ago costs nothing', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      const { runId } = await startRun(world);
      await runOn(world, runId);
      const { arrived } = world.service();
      await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 3 });
      await pass(world, 2.5);
      expect(world.service().arrived).toBe(arrived);
      await pass(world, 2);
      expect(world.service().arrived).toBe(arrived + LIST.length);
    });

    it('may be refreshed every hour, and no more often', async () => {
      world = await worldWith(list());
      await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 0.5 });
      await pass(world, 1.5);
      const arrived: number[] = [];
      for (let hours = 0; hours < 12; hours += 1) {
        await pass(world, 1);
        arrived.push(world.service().arrived / LIST.length);
      }
      expect(arrived).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
      const { settings } = await shownNow(world);
      const reply = await world.rpc('schedule.save', {
        id: 's1',
        settings: { ...settings, maxAgeHours: 0.4 },
      });
      expect(reply.ok).toBe(false);
    });

    it('whose answer another row has, is filled without a call', async () => {
      const [asin = ''] = LIST;
      const sheet = list([asin, asin, asin]);
      world = await worldWith(sheet);
      await schedule(world, 's1', {}, HOURLY);
      await pass(world, 1.5);
      expect(filled(sheet)).toEqual([2, 3, 4]);
      expect(world.service().arrived).toBe(1);
    });

    it('gets the answer that a cell had, also when the cache has forgotten it', async () => {
      const [asin = ''] = LIST;
      const sheet = list([asin]);
      world = await worldWith(sheet);
      await world.show('ANALYZE', asin, 'US', 'profit');
      await schedule(world, 's1', {}, HOURLY);
      world.host.stores.cache.wipe();
      await pass(world, 1.5);
      expect(filled(sheet)).toEqual([2]);
      expect(world.service().arrived).toBe(1);
    });

    it('whose product was changed by hand is due at once', async () => {
      const [, , other = ''] = US_ASINS;
      const sheet = list();
      world = await worldWith(sheet);
      await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 100 });
      await pass(world, 1.5);
      sheet.grid.write(sheet.id, 5, 1, [[other]]);
      await pass(world, 1);
      expect(statusOf(sheet, 5)).toBe(okCell(other));
      expect(world.service().arrived).toBe(LIST.length + 1);
    });

    it('that failed for good is tried again when it is old, one that failed for now in the next hour', async () => {
      const [down = '', fine = ''] = LIST;
      const sheet = list([down, 'B0NOTFOUND', fine]);
      world = await worldWith(sheet, { sandbox: { faults: { [down]: 'crash' } } });
      await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 5 });
      await strike(world);
      await pass(world, 1.2);
      expect(openly(statusOf(sheet, 3))).toMatch(
        /^Not found‹\[not-found B0NOTFOUND US 2026-01-05 1\d:\d\d\]›$/,
      );
      const asked = () => world.service().arrived;
      const before = asked();
      await pass(world, 1);
      // The one that crashes alone, with the tries that follow at once.
      expect(asked() - before).toBe(3);
      expect(await shownNow(world)).toMatchObject({ isUnderWay: true, last: { outcome: 'part' } });
      const later = asked();
      await pass(world, 4);
      expect(asked() - later).toBe(4 * 3 + 2);
    });
  });

  describe('while the service cannot answer', () => {
    it('rows keep their figures with their date, say why, and are tried again', async () => {
      const [down = ''] = LIST;
      const faults: Record<string, 'crash'> = {};
      const sheet = list();
      world = await worldWith(sheet, { sandbox: { faults } });
      await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 1 });
      await pass(world, 1.2);
      const [profit, atMs] = [sheet.byHeader(2).Profit, atOf(sheet, 2)];
      faults[down] = 'crash';
      await pass(world, 2);
      expect(statusOf(sheet, 2)).toMatch(/^No answer/);
      expect(sheet.byHeader(2).Profit).toBe(profit);
      // Kept to the second.
      expect(Math.abs(atOf(sheet, 2) - atMs)).toBeLessThan(1_000);
      delete faults[down];
      await pass(world, 1.2);
      expect(statusOf(sheet, 2)).toBe(okCell(down));
      expect(atOf(sheet, 2)).toBeGreaterThan(atMs + 3_600_000);
    });
  });

  describe('a budget', () => {
    it('is kept in each hour, and the rest goes on where it stopped, the stalest first', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      await schedule(
        world,
        's1',
        {},
        { recurrence: { kind: 'daily', hour: 10 }, callsPerHour: 15 },
      );
      await pass(world, 1.2);
      expect(filled(sheet)).toEqual(Array.from({ length: 15 }, (_, at) => at + 2));
      expect(await shownNow(world)).toMatchObject({
        isUnderWay: true,
        last: { outcome: 'part', refreshed: 15, calls: 15 },
      });
      // Rows that had no turn are as they were.
      expect(statusOf(sheet, 20)).toBe('');
      await pass(world, 1);
      expect(filled(sheet)).toHaveLength(30);
      await pass(world, 1);
      expect(filled(sheet)).toHaveLength(40);
      expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: { outcome: 'done' } });
      expect(world.service().arrived).toBe(40);
      expect(await history(world)).toHaveLength(3);
    });
  });

  describe('a budget that takes longer than rows stay fresh', () => {
    it('asks for each product once in a round: what is due is told when it comes round', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      const recurrence = { kind: 'daily', hour: 10 };
      await schedule(world, 's1', {}, { recurrence, maxAgeHours: 1, callsPerHour: 10 });
      await pass(world, 10);
      expect(world.service().arrived).toBe(filled(sheet).length);
      expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: { outcome: 'done' } });
    });
  });

  describe('stars', () => {
    const starred = () =>
      sheetOf([['ASIN', 'Star'], ...LIST.map((asin, at) => [asin, at % 10 === 9 ? '★' : ''])]);

    it('go first where that is wanted', async () => {
      const sheet = starred();
      world = await worldWith(sheet);
      await schedule(world, 's1', { order: 'starred' }, { ...HOURLY, callsPerHour: 4 });
      await pass(world, 1.2);
      expect(filled(sheet)).toEqual([11, 21, 31, 41]);
    });

    it('are all that is refreshed where that is wanted', async () => {
      const sheet = starred();
      world = await worldWith(sheet);
      await schedule(world, 's1', { rows: 'starred' }, HOURLY);
      await pass(world, 1.2);
      expect(filled(sheet)).toEqual([11, 21, 31, 41]);
      expect(await shownNow(world)).toMatchObject({ isUnderWay: false });
    });
  });

  describe('rows that are hardly worth a call', () => {
    const DAILY = { recurrence: { kind: 'daily', hour: 10 }, maxAgeHours: 20 };
    const asked = () => world.service().arrived;

    it('are refreshed only every 30 days: by verdict, by eligibility and by ROI', async () => {
      const verdicts = ['Buy', 'Skip', 'Maybe', 'skip', ''];
      const sheet = sheetOf([
        ['ASIN', 'Verdict'],
        ...verdicts.map((verdict, at) => [LIST[at] ?? '', verdict]),
      ]);
      world = await worldWith(sheet);
      await schedule(world, 's1', { seldom: { verdictSkip: true } }, DAILY);
      await pass(world, 24);
      expect(asked()).toBe(5);
      await pass(world, 48);
      expect(asked()).toBe(5 + 2 * 3);
      await pass(world, 29 * 24);
      expect(asked()).toBe(5 + 31 * 3 + 2);
    });

    it('are told by the decisions of the list, where another column has that title already', async () => {
      const verdicts = [
        ['Skip', 'Buy'],
        ['Buy', 'Skip'],
        ['', 'Maybe'],
      ];
      const sheet = sheetOf([
        ['ASIN', 'Verdict', 'Verdict (deal)'],
        ...verdicts.map((both, at) => [LIST[at] ?? '', ...both]),
      ]);
      world = await worldWith(sheet);
      await schedule(world, 's1', { seldom: { verdictSkip: true } }, DAILY);
      await pass(world, 24);
      const moments = () => verdicts.map((_, at) => Number(sheet.byHeader(at + 2)['Analyzed at']));
      const first = moments();
      expect(asked()).toBe(3);
      await pass(world, 24);
      const isRefreshed = moments().map((atMs, at) => atMs > Number(first[at]));
      expect(isRefreshed).toEqual([true, false, true]);
      expect(asked()).toBe(3 + 2);
    });

    it('are told by the figures of the last run', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      // It finds out whether ROI is told as a percentage.
      granted(await world.rpc('connection.check'));
      const before = asked();
      const fields = ['profit', 'roi', 'eligible'];
      await schedule(world, 's1', { fields, seldom: { notEligible: true, roiUnder: 0.2 } }, DAILY);
      await pass(world, 24);
      // A figure that is not known speaks for nothing.
      const isWeak = ({ ROI, Eligible }: Record<string, unknown>) =>
        (Eligible !== '' && Eligible !== true) || (typeof ROI === 'number' && ROI < 0.2);
      const rows = LIST.map((_, at) => sheet.byHeader(at + 2));
      const strong = rows.filter((row) => !isWeak(row));
      expect(strong.length).toBeGreaterThan(3);
      expect(strong.length).toBeLessThan(LIST.length - 3);
      await pass(world, 24);
      expect(asked()).toBe(before + LIST.length + strong.length);
    });

    it('are never asked for where a column headed "Skip" says so', async () => {
      const marks = ['', 'x', true, false, 'no'];
      const sheet = sheetOf([['ASIN', 'Skip'], ...marks.map((mark, at) => [LIST[at] ?? '', mark])]);
      world = await worldWith(sheet);
      await schedule(world, 's1', {}, DAILY);
      await pass(world, 24);
      expect(filled(sheet)).toEqual([2, 5]);
    });
  });

  describe('a list', () => {
    it('is found again wherever its columns went, and without a header it has one afterwards', async () => {
      const sheet = sheetOf(LIST.slice(0, 5).map((asin) => [asin]));
      world = await worldWith(sheet);
      await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 1 });
      await pass(world, 1.2);
      expect(filled(sheet)).toEqual([2, 3, 4, 5, 6]);
      const first = atOf(sheet, 2);
      world.host.act({ do: 'insertColumns', sheetId: sheet.id, first: 1, count: 2 });
      await pass(world, 2.2);
      expect(atOf(sheet, 2)).toBeGreaterThan(first);
      expect(granted(await world.rpc('schedule.look')).problem).toBeUndefined();
    });
  });

  describe('quiet hours', () => {
    it('put off what comes round in them', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      const more = { recurrence: { kind: 'daily', hour: 10 }, quiet: { fromHour: 9, toHour: 13 } };
      const { nextAtMs } = await schedule(world, 's1', {}, more);
      expect(nextAtMs).toBe(Date.UTC(2026, 0, 5, 13));
      await pass(world, 3.9);
      expect(world.service().arrived).toBe(0);
      await pass(world, 1.3);
      expect(world.service().arrived).toBe(LIST.length);
    });
  });

  describe('a run by hand', () => {
    it('takes what is due at once, whatever the hour', async () => {
      const sheet = list();
      world = await worldWith(sheet);
      await schedule(world, 's1', {}, { quiet: { fromHour: 0, toHour: 23 } });
      const { run, againInMs } = granted(
        await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }),
      );
      expect(run).toMatchObject({ outcome: 'done', refreshed: 40, byHand: true });
      expect(againInMs).toBeNull();
      const again = granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
      expect(again.run).toMatchObject({ outcome: 'done', refreshed: 0, calls: 0 });
      expect(world.service().arrived).toBe(40);
    });

    it('refreshes what is not old enough as well, where somebody means it', async () => {
      world = await worldWith(list());
      await schedule(world);
      const run = (sent: object = {}) =>
        world.rpc('schedule.run', { id: 's1', maxMs: 300_000, ...sent }).then(granted);
      await run();
      await world.host.run(60_000);
      const { run: anyway } = await run({ anyway: true });
      expect(anyway).toMatchObject({ outcome: 'done', refreshed: 40, calls: 40 });
      expect(world.service().arrived).toBe(80);
      // The next one is as it always is, and the history tells which list it was.
      expect((await run()).run).toMatchObject({ refreshed: 0, calls: 0 });
      const names = (await history(world)).map(({ name }) => name);
      expect(new Set(names)).toEqual(new Set(['Every day at 6:00, Sheet1']));
    });
  });
});

// Ten schedules with everything a person can choose: all run, whatever the sheet holds, and are told apart.
describe('ten schedules', () => {
  const TEN = Array.from({ length: 10 }, (_, at) => `mi8x3k2${at}`);

  const EVERYTHING = {
    recurrence: { kind: 'monthly', hour: 10, day: 5 },
    maxAgeHours: 8_760,
    callsPerHour: 10_000,
    quiet: { fromHour: 22, toHour: 6 },
    rules: [
      { kind: 'no-longer-eligible' },
      { kind: 'fell-under', field: 'roi', bound: 0.205 },
      { kind: 'fell-under', field: 'profit', bound: 3.55 },
      { kind: 'doubled', field: 'rank_drops_30d' },
    ],
  };

  it('ten schedules with everything run, and are told apart by what they came to', async () => {
    const rows = US_ASINS.slice(0, 3).map((asin) => [asin, 'GB', 'mine']);
    world = await worldWith(sheetOf([['ASIN of the product to buy', 'Country', 'Whose'], ...rows]));
    for (const id of TEN) await schedule(world, id, { fields: FIELDS }, EVERYTHING);
    await pass(world, 4);
    const { schedules } = granted(await world.rpc('schedule.look'));
    const all = schedules as readonly Shown[];
    expect(all.map(({ problem }) => problem)).toEqual(TEN.map(() => undefined));
    expect(all.map(({ last }) => last?.outcome)).toEqual(TEN.map(() => 'done'));
    expect(all.map(({ isUnderWay }) => isUnderWay)).toEqual(TEN.map(() => false));
  });

  it('headers and names of any length take no schedule its room', async () => {
    const long = (begin: string) => `${begin} ${'商品の長い見出し '.repeat(30)} ${begin}`;
    const titles = [
      'Product',
      ...Array.from({ length: 20 }, (_, at) => long(`Note ${at}`)),
      'Market',
    ];
    const headers = titles.map((title) => (title === 'Product' ? long('ASIN') : title));
    const rows = US_ASINS.slice(0, 3).map((asin) => [asin, ...Array(20).fill('mine'), 'US']);
    const sheet = sheetOf([headers, ...rows]);
    sheet.grid.renameSheet(sheet.id, '長い名前 '.repeat(19));
    world = await worldWith(sheet);
    const rules = Array.from({ length: 10 }, () => EVERYTHING.rules[1]);
    const task = { fields: FIELDS, headerRow: 1, productColumn: 1 };
    for (const id of TEN) await schedule(world, id, task, { ...EVERYTHING, rules });
    await pass(world, 4);
    // Columns are found again by such headers, too.
    world.host.act({ do: 'insertColumns', sheetId: sheet.id, first: 1, count: 1 });
    await pass(world, 24 * 31);
    const { schedules } = granted(await world.rpc('schedule.look'));
    const all = schedules as readonly Shown[];
    expect(all.map(({ problem }) => problem)).toEqual(TEN.map(() => undefined));
    expect(all.map(({ last }) => last?.outcome)).toEqual(TEN.map(() => 'done'));
    const payload = { id: 'eleventh', settings: { ...EVERYTHING, task: { kind: 'formulas' } } };
    expect((await world.rpc('schedule.save', payload)).failure).toMatchObject({
      message: expect.stringMatching(/has room for 10 schedules/),
    });
  });

  it('a day that short months do not have is told as what becomes of it', async () => {
    world = await worldWith(sheetOf([['ASIN'], [US_ASINS[0] ?? '']]));
    const named = async (day: number) =>
      (await schedule(world, 's1', {}, { recurrence: { kind: 'monthly', hour: 6, day } })).name;
    expect(await named(28)).toBe('Every month on day 28 at 6:00');
    expect(await named(29)).toBe('Every month on day 29, or its last, at 6:00');
    expect(await named(31)).toBe('Every month on day 31, or its last, at 6:00');
  });
});
