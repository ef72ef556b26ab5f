// Several people with schedules in one spreadsheet: none of their runs is lost, and everybody has their own news.

import { afterEach, describe, expect, it } from '@jest/globals';
import { type LatencyLaw, MODELLED_LATENCY } from '../../playground/host/latency';
import { granted, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

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
    const whole = { row: 1, column: 1, rowCount: 11, columnCount: sheet.values()[0]?.length ?? 1 };
    const before = JSON.stringify(sheet.grid.values(other, whole));
    const own = JSON.stringify(sheet.values());
    await pass(world, 2);
    expect(JSON.stringify(sheet.grid.values(other, whole))).toBe(before);
    expect(JSON.stringify(sheet.values())).not.toBe(own);
    expect(await shownNow(world)).toMatchObject({ sheetName: 'Sheet1' });
  });
});
