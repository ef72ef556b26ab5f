// What a schedule refreshes and what it leaves: ages, budgets, order, stars, failures, other people's calls.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, runOn, type Sheet, sheetOf, startRun, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

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
    const { jobId } = await startRun(world);
    await runOn(world, jobId);
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
    expect(statusOf(sheet, 5)).toBe(`OK ${other} US`);
    expect(world.service().arrived).toBe(LIST.length + 1);
  });

  it('that failed for good is tried again when it is old, one that failed for now in the next hour', async () => {
    const [down = '', fine = ''] = LIST;
    const sheet = list([down, 'B0NOTFOUND', fine]);
    world = await worldWith(sheet, { sandbox: { faults: { [down]: 'crash' } } });
    await schedule(world, 's1', {}, { ...HOURLY, maxAgeHours: 5 });
    await strike(world);
    await pass(world, 1.2);
    expect(statusOf(sheet, 3)).toMatch(/\[not-found B0NOTFOUND US 2026-01-05 1\d:\d\d\]$/);
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
    expect(statusOf(sheet, 2)).toMatch(/^Not analyzed: the service has a problem/);
    expect(sheet.byHeader(2).Profit).toBe(profit);
    // Kept to the second.
    expect(Math.abs(atOf(sheet, 2) - atMs)).toBeLessThan(1_000);
    delete faults[down];
    await pass(world, 1.2);
    expect(statusOf(sheet, 2)).toBe(`OK ${down} US`);
    expect(atOf(sheet, 2)).toBeGreaterThan(atMs + 3_600_000);
  });
});

describe('a budget', () => {
  it('is kept in each hour, and the rest goes on where it stopped, the stalest first', async () => {
    const sheet = list();
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, { recurrence: { kind: 'daily', hour: 10 }, callsPerHour: 15 });
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
});
