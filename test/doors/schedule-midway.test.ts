// What people do to schedules while the clock is at work on them, and what its visits leave behind.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownIn, shownNow, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const HOURLY = { recurrence: { kind: 'hourly' } };
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
