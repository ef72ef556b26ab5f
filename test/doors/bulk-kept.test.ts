// What somebody wrote in the columns of a run: it is theirs in the first run and in every one after it.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from '../../playground/host/sheet/model';
import { check, granted, runAll, type Sheet, sheetOf, startRun, US_ASINS } from './bulk-list';
import { pass, schedule, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 40);
const DAY = new Date(Date.UTC(2026, 0, 5));

const listWith = (title: string, cells: readonly CellValue[]): Sheet =>
  sheetOf([['ASIN', title], ...LIST.map((asin, at) => [asin, cells[at] ?? ''])]);

describe('what somebody wrote in a column of figures', () => {
  it.each<[string, CellValue]>([
    ['Profit', 'my own'],
    ['Profit', 4.5],
    ['Profit', true],
    ['Eligible', 'asked them'],
  ])('%s %p: stays in a second run and a third', async (title, own) => {
    const sheet = listWith(title, ['', own]);
    world = await worldWith(sheet);
    for (let run = 0; run < 3; run += 1) {
      expect(await runAll(world)).toMatchObject({ state: 'finished', failed: 0, keptCells: 1 });
      expect(sheet.byHeader(3)[title]).toBe(own);
    }
    expect(String(sheet.byHeader(3)['Analysis status'])).toContain(`OK ${LIST[1]} US`);
    expect(sheet.byHeader(2)['Analysis status']).toBe(`OK ${LIST[0]} US`);
  });

  it('is told beside the status, for as long as it stands there', async () => {
    const sheet = listWith('Profit', ['', 4.5]);
    world = await worldWith(sheet);
    await runAll(world);
    expect(sheet.byHeader(3)['Analysis status']).toBe(`OK ${LIST[1]} US, kept: Profit`);
    sheet.grid.write(sheet.id, 3, 2, [['']]);
    expect(await runAll(world)).toMatchObject({ keptCells: 0 });
    expect(sheet.byHeader(3)).toMatchObject({
      'Analysis status': `OK ${LIST[1]} US`,
      Profit: expect.any(Number),
    });
  });

  it('stays through a run that was stopped, and goes where its row goes', async () => {
    const sheet = listWith('Profit', ['', 4.5]);
    world = await worldWith(sheet);
    await runAll(world);
    const { jobId } = await startRun(world);
    expect(sheet.byHeader(3)['Analysis status']).toBe(
      `Queued (${jobId}), before: OK ${LIST[1]} US, kept: Profit`,
    );
    granted(await world.rpc('bulk.stop', { jobId }));
    expect(sheet.byHeader(3)['Analysis status']).toBe(`OK ${LIST[1]} US, kept: Profit`);
    sheet.grid.insertRows(sheet.id, 2, 1);
    expect(await runAll(world)).toMatchObject({ keptCells: 1 });
    expect(sheet.byHeader(4).Profit).toBe(4.5);
  });

  it('typed over a figure between two runs: a note is theirs', async () => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = await worldWith(sheet);
    await runAll(world);
    sheet.grid.write(sheet.id, 3, 2, [['too bulky, skip']]);
    expect(await runAll(world)).toMatchObject({ keptCells: 1 });
    expect(sheet.byHeader(3).Profit).toBe('too bulky, skip');
  });

  it('stays night after night', async () => {
    const sheet = listWith('Profit', ['', 4.5]);
    world = await worldWith(sheet);
    await schedule(world);
    for (let night = 0; night < 3; night += 1) {
      await pass(world, 24);
      expect(sheet.byHeader(3).Profit).toBe(4.5);
    }
    expect(world.service().arrived).toBe(3 * LIST.length);
  });
});

describe('a column of somebody’s own dates that is called as ours', () => {
  const dated = (dates: number) =>
    sheetOf([
      ['ASIN', 'Analyzed at', 'ROI'],
      ...LIST.map((asin, at) => [asin, at < dates ? DAY : '', `mine ${at}`]),
    ]);

  it.each([LIST.length, 1])('%i of 10 filled: makes no figure ours, nor itself', async (dates) => {
    const sheet = dated(dates);
    world = await worldWith(sheet);
    const own = () => sheet.values().map((row) => row.slice(0, 3).map(String));
    const before = own();
    expect((await check(world)).added).toEqual(
      expect.arrayContaining(['ROI (analyzed)', 'Analysis status', 'Analyzed at (analyzed)']),
    );
    for (let run = 0; run < 2; run += 1) {
      expect(await runAll(world)).toMatchObject({ failed: 0, keptCells: 0 });
      expect(own()).toEqual(before);
    }
    expect(sheet.values()[0]).toHaveLength(3 + 7);
  });
});
