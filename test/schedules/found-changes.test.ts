// What a schedule finds changed: marked in the row, logged in a tab of its own, told in the sidebar.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, runAll, startJob, workOff } from '../doors/bulk-list';
import {
  digestOf,
  GOOD,
  history,
  type Scheduled,
  schedule,
  scheduledWorld,
} from '../doors/schedule-list';

const RULES = [{ kind: 'no-longer-eligible' }, { kind: 'fell-under', field: 'roi', bound: 0.2 }];
const WITH_RULES = { rules: RULES };
const DAY_HOURS = 24;

let world: Scheduled;
afterEach(() => world.stop());

const mark = (asin: string) => world.shownOf(asin)['What changed'];
const lastRun = async () => (await history(world))[0];

describe('a schedule with rules', () => {
  it('logs all that has changed, and marks what met a rule', async () => {
    world = await scheduledWorld(WITH_RULES);
    const [a = '', b = '', c = '', d = ''] = world.asins;
    world.sent[a] = { ...GOOD, eligible: false };
    world.sent[b] = { ...GOOD, roi: 0.1, profit: 2 };
    world.sent[c] = { ...GOOD, profit: 7 };
    await world.pass(DAY_HOURS);
    expect(world.logged()).toHaveLength(4);
    expect(world.logged()).toEqual(
      expect.arrayContaining([
        [a, 'US', 'Eligible', 'Yes', 'No', 'No longer eligible'],
        [b, 'US', 'Profit', 6, 2, ''],
        [b, 'US', 'ROI', 0.3, 0.1, 'ROI fell under 20%'],
        [c, 'US', 'Profit', 6, 7, ''],
      ]),
    );
    expect(mark(a)).toMatch(/^No longer eligible · Tue, Jan 6, 6:\d\d AM$/);
    expect(mark(b)).toMatch(/^ROI fell under 20% · Tue, Jan 6, 6:\d\d AM$/);
    expect([mark(c), mark(d)]).toEqual(['', '']);
    expect(await lastRun()).toMatchObject({ outcome: 'done', changes: 4 });
    await world.pass(DAY_HOURS);
    expect(world.logged()).toHaveLength(4);
    expect(mark(a)).toMatch(/^No longer eligible · Tue, Jan 6/);
  });

  it('tells it in the sidebar until that is dismissed, and leads to the rows', async () => {
    world = await scheduledWorld(WITH_RULES);
    expect(await digestOf(world)).toBeNull();
    const [a = '', b = '', c = ''] = world.asins;
    world.sent[a] = { ...GOOD, eligible: false };
    world.sent[c] = { ...GOOD, eligible: 'approval_required' };
    await world.pass(DAY_HOURS);
    const digest = await digestOf(world);
    expect(digest).toMatchObject({
      changes: 2,
      marked: [{ rule: 'No longer eligible', count: 2 }],
      buys: [],
    });
    // It tells what has happened, not what is left in the log.
    const log = world.sheet.grid.sheets().find(({ name }) => name === 'Analysis changes');
    world.people({ do: 'deleteRows', sheetId: log?.id ?? 0, first: 3, count: 1 });
    expect(await digestOf(world)).toMatchObject({ changes: 2, marked: [{ count: 1 }] });
    world.people({ do: 'undo' });
    const shown = await world.rpc('schedule.show', { rule: 'No longer eligible' });
    expect(granted(shown)).toEqual({ shown: 2 });
    expect(world.sheet.grid.selection().sheetId).toBe(world.sheet.id);

    world.sent[b] = { ...GOOD, eligible: false };
    await world.pass(DAY_HOURS);
    granted(await world.rpc('schedule.seen', { atMs: digest?.atMs }));
    expect(await digestOf(world)).toMatchObject({ changes: 1, marked: [{ count: 1 }] });
  });

  it('logs a change once for two lists that have the product', async () => {
    world = await scheduledWorld(WITH_RULES);
    const [a = ''] = world.asins;
    const other = world.sheet.grid.addSheet('Other', 2);
    world.sheet.grid.write(other, 1, 1, [['ASIN'], [a], [`https://www.amazon.com/dp/${a}`]]);
    world.sheet.grid.select({
      sheetId: other,
      rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
    });
    await runAll(world);
    await schedule(world, 's2', {}, WITH_RULES);
    // Both have told once what the product was.
    await world.pass(DAY_HOURS);
    world.sent[a] = { ...GOOD, eligible: false };
    await world.pass(DAY_HOURS);
    expect(world.logged()).toEqual([[a, 'US', 'Eligible', 'Yes', 'No', 'No longer eligible']]);
    expect(world.tab().filter((row) => row.ASIN === a)).toHaveLength(2);
    for (const row of world.tab().filter(({ ASIN }) => ASIN === a))
      expect(row.Changed).toMatch(/^No longer eligible/);
  });

  it('with another key finds nothing changed', async () => {
    world = await scheduledWorld(WITH_RULES);
    const [a = ''] = world.asins;
    world.sent[a] = { ...GOOD, eligible: false };
    granted(await world.connect({ apiKey: 'demo-key-20-per-second' }));
    await world.pass(DAY_HOURS);
    expect(world.callsOf(a)).toBe(1);
    expect(world.logged()).toBeNull();
  });
});

it('a schedule without rules has no column for marks, and logs changes all the same', async () => {
  world = await scheduledWorld();
  const [a = ''] = world.asins;
  world.sent[a] = { ...GOOD, eligible: false };
  await world.pass(DAY_HOURS);
  expect(world.logged()).toEqual([[a, 'US', 'Eligible', 'Yes', 'No', '']]);
  expect(mark(a)).toBeUndefined();
});

describe('a job that a person starts', () => {
  it('logs what it finds changed', async () => {
    world = await scheduledWorld();
    const [a = ''] = world.asins;
    world.sent[a] = { ...GOOD, profit: 1 };
    await world.pass(1);
    const again = { rows: { kind: 'product', product: `${a}|US` } };
    await workOff(world, await startJob(world, again));
    expect(world.logged()).toEqual([[a, 'US', 'Profit', 6, 1, '']]);
  });

  it('logs it, too, where the page was closed and the trigger goes on', async () => {
    world = await scheduledWorld();
    const [a = ''] = world.asins;
    world.sent[a] = { ...GOOD, profit: 1 };
    await world.pass(1);
    await startJob(world, { rows: { kind: 'product', product: `${a}|US` } });
    await world.pass(2);
    expect(world.logged()).toEqual([[a, 'US', 'Profit', 6, 1, '']]);
  });
});
