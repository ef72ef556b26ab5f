// A schedule over a list, from its making to the rows it refreshes morning after morning.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, strike, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

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
    const { schedules, clock } = granted(await world.rpc('schedule.look'));
    expect(schedules).toHaveLength(2);
    expect(clock).toMatchObject({ state: 'on', everyMinutes: 60, lastAtMs: null });
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
