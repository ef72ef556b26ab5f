// Data validation that rejects what a run writes: told in words, and nothing is paid for twice.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, runAll, runOn, type Sheet, sheetOf, startRun, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(700, 800);
const words = (place: string) =>
  `data validation rejects what is to be written in ${place}. Change or remove the rule, then try again`;

/** A list with this dropdown over some of its cells. */
function listWith(
  titles: readonly string[],
  rows: { readonly row: number; readonly column: number; readonly rowCount: number },
): Sheet {
  const at = titles.indexOf('ASIN');
  const lines = LIST.map((asin) => titles.map((_, column) => (column === at ? asin : '')));
  const sheet = sheetOf([titles, ...lines]);
  const options = ['buy', 'leave'];
  sheet.grid.setDropdowns(sheet.id, [{ rectangle: { ...rows, columnCount: 1 }, options }]);
  return sheet;
}

const statusOf = (sheet: Sheet, row: number) => String(sheet.byHeader(row)['Analysis status']);

describe('a run', () => {
  it.each<[string, readonly string[]]>([
    ['in columns side by side', ['ASIN', 'Eligible']],
    ['in columns apart', ['Eligible', 'ASIN', 'Profit', 'Note', 'ROI']],
  ])('goes on beside the one cell, whose row says why, %s', async (_what, titles) => {
    const column = titles.indexOf('Eligible') + 1;
    const sheet = listWith(titles, { row: 12, column, rowCount: 1 });
    world = await worldWith(sheet);
    const end = await runAll(world);
    expect(end).toMatchObject({
      ...{ state: 'finished', answered: 99, failed: 1, calls: 100, keptCells: 0 },
      failures: [{ kind: 'run', rows: 1 }],
    });
    const cell = `${column === 1 ? 'A' : 'B'}12`;
    expect(statusOf(sheet, 12)).toContain(words(cell));
    expect(sheet.byHeader(12)).toMatchObject({ Eligible: '', Profit: '', 'Analyzed at': '' });
    const others = LIST.map((_, at) => statusOf(sheet, at + 2)).filter((_, at) => at !== 10);
    expect(others.filter((text) => !/^OK \w{10} US$/.test(text))).toEqual([]);
    sheet.grid.setDropdowns(sheet.id, []);
    const again = await runAll(world, { rows: { kind: 'failed' } });
    expect(again).toMatchObject({ state: 'finished', rows: 1, cached: 1, calls: 0 });
    expect(statusOf(sheet, 12)).toMatch(/^OK/);
  });

  it('is stuck where many are rejected, and asks nothing twice when it goes on', async () => {
    const sheet = listWith(['ASIN', 'Eligible'], { row: 2, column: 2, rowCount: 100 });
    world = await worldWith(sheet);
    const { jobId } = await startRun(world);
    const stuck = await runOn(world, jobId);
    expect(stuck).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
    expect((stuck.problem as { message: string }).message).toMatch(/^Data validation rejects/);
    granted(await world.rpc('bulk.resume', { jobId }));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'stuck' });
    sheet.grid.setDropdowns(sheet.id, []);
    granted(await world.rpc('bulk.resume', { jobId }));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', failed: 0 });
    expect(world.service().arrived).toBe(100);
  });

  it('is not started where its marks are rejected', async () => {
    const titles = ['ASIN', 'Analysis status'];
    const sheet = listWith(titles, { row: 2, column: 2, rowCount: 100 });
    world = await worldWith(sheet);
    const choice = granted(await world.rpc('bulk.look')).choice as object;
    const { failure } = await world.rpc('bulk.start', choice);
    expect(failure?.message).toContain('written in B2');
    expect(world.service().arrived).toBe(0);
  });
});

describe('a schedule', () => {
  it('asks no product twice within its age, and says what is wrong', async () => {
    const sheet = listWith(['ASIN', 'Eligible'], { row: 2, column: 2, rowCount: 100 });
    world = await worldWith(sheet);
    await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 20 });
    await pass(world, 40);
    expect(world.service().arrived).toBeLessThanOrEqual(200);
    expect((await history(world)).length).toBeGreaterThan(0);
    expect((await shownNow(world)).problem?.message).toMatch(/^Data validation rejects/);
  });
});
