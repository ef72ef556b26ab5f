// Product cells that are cut and pasted into other rows, and cells that are merged, under a run.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Act } from '../../playground/host/sheet/acts';
import { runAll, type Sheet, sheetOf, US_ASINS, worldMovedBy } from './bulk-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 60);
const list = () => sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, `note of ${asin}`])]);

async function meanwhile(sheet: Sheet, ...acts: readonly Act[]): Promise<void> {
  world = await worldMovedBy(sheet, acts);
}

const cells = (row: number, rowCount: number, column = 1, columnCount = 1) => ({
  row,
  column,
  rowCount,
  columnCount,
});

describe('product cells that are cut and pasted into rows that no run wanted', () => {
  it('get their figures there, and the rows that they left stay empty', async () => {
    const sheet = list();
    const from = cells(20, 5);
    await meanwhile(sheet, { do: 'cutPaste', sheetId: sheet.id, from, row: 40, column: 1 });
    const end = await runAll(world);
    expect(end).toMatchObject({ answered: LIST.length, notPlaced: { count: 0 } });
    const moved = LIST.slice(18, 23);
    const statuses = (first: number) =>
      sheet
        .values()
        .slice(first - 1, first + 4)
        .map((row) => row[7]);
    expect(statuses(40)).toEqual(moved.map((asin) => `OK ${asin} US`));
    expect(statuses(20)).toEqual(moved.map(() => ''));
  });
});

describe('cells that are merged while the run asks', () => {
  it('keep a note that has become one with a figure beside it', async () => {
    const sheet = list();
    await meanwhile(sheet, { do: 'merge', sheetId: sheet.id, rectangle: cells(20, 1, 2, 2) });
    await runAll(world);
    expect(sheet.values()[19]?.[1]).toBe(`note of ${LIST[18]}`);
  });

  it('keep the figure of their first row where they hold those of two', async () => {
    const sheet = list();
    await meanwhile(sheet, { do: 'merge', sheetId: sheet.id, rectangle: cells(20, 2, 3) });
    await runAll(world);
    const merged = sheet.values().slice(19, 21);
    const plain = await figuresOf(LIST[18] ?? '');
    expect(merged.map((row) => row[2])).toEqual([plain, '']);
  });
});

/** The first figure of a product in a list that nobody touches. */
async function figuresOf(asin: string) {
  world.stop();
  const sheet = sheetOf([
    ['ASIN', 'Note'],
    [asin, ''],
  ]);
  await meanwhile(sheet);
  await runAll(world);
  return sheet.values()[1]?.[2];
}
