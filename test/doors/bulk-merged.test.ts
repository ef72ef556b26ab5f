// A run over a sheet in which cells are merged: nothing lands in a cell that is not its own.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 36);
const noted = LIST.map((asin) => [asin, `note of ${asin}`]);

interface Merge {
  readonly row: number;
  readonly column: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

async function worldWith(sheet: Sheet, ...merges: readonly Merge[]): Promise<void> {
  for (const merge of merges) sheet.grid.merge(sheet.id, merge);
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
}

describe('merged cells in a column that the run writes', () => {
  it('leave their rows out, which the check tells, and the others are run', async () => {
    const sheet = sheetOf([['ASIN', 'Note', 'Profit', 'Analysis status'], ...noted]);
    await worldWith(sheet, { row: 3, column: 3, rowCount: 2, columnCount: 2 });
    const rows = [3, 4].map((row) => ({ row, shown: LIST[row - 2], isMerged: true }));
    expect(await check(world)).toMatchObject({ products: 4, calls: 4, kept: { count: 2, rows } });
    expect(await runAll(world)).toMatchObject({ state: 'finished', rows: 4, answered: 4 });
    const written = sheet.values().map((row) => row[3]);
    expect(written.slice(2, 4)).toEqual(['', '']);
    expect(written.slice(4)).toEqual(LIST.slice(3).map((asin) => `OK ${asin} US`));
  });

  it('together with a note beside it: the note stays, whatever is run around it', async () => {
    const sheet = sheetOf([['ASIN', 'Note', 'Profit'], ...noted]);
    await worldWith(sheet);
    await runAll(world);
    sheet.grid.merge(sheet.id, { row: 4, column: 2, rowCount: 1, columnCount: 2 });
    await runAll(world);
    expect(sheet.values().map((row) => row[1])).toEqual(['Note', ...noted.map(([, note]) => note)]);
    expect(typeof sheet.byHeader(5).Profit).toBe('number');
  });
});

describe('merged cells elsewhere', () => {
  it('in the product column: the rows without a product of their own are not in the list', async () => {
    const sheet = sheetOf([['ASIN', 'Note'], ...noted]);
    await worldWith(sheet, { row: 3, column: 1, rowCount: 2, columnCount: 1 });
    expect(await check(world)).toMatchObject({ rows: 5, calls: 5, kept: { count: 0 } });
    expect(await runAll(world)).toMatchObject({ answered: 5 });
    expect(sheet.byHeader(3)['Analysis status']).toBe(`OK ${LIST[1]} US`);
    expect(sheet.byHeader(4)['Analysis status']).toBe('');
  });

  it('in the header: new columns begin beside them', async () => {
    const sheet = sheetOf([['ASIN', 'Figures', '', ''], ...LIST.map((asin) => [asin])]);
    await worldWith(sheet, { row: 1, column: 2, rowCount: 1, columnCount: 3 });
    expect(await runAll(world)).toMatchObject({ answered: 6 });
    expect(sheet.values()[0]?.slice(0, 6)).toEqual(['ASIN', 'Figures', '', '', 'Profit', 'ROI']);
  });

  it('in a title above a header in row 3, all of it frozen: nothing changes there', async () => {
    const sheet = sheetOf([['My list of March'], [], ['ASIN', 'Note', 'Profit'], ...noted]);
    sheet.grid.setFrozenRows(sheet.id, 3);
    await worldWith(sheet, { row: 1, column: 1, rowCount: 1, columnCount: 12 });
    expect(await runAll(world)).toMatchObject({ answered: 6 });
    expect(sheet.values()[0]).toEqual(['My list of March', ...Array(8).fill('')]);
    expect(sheet.values()[2]?.slice(0, 4)).toEqual(['ASIN', 'Note', 'Profit', 'ROI']);
    expect(sheet.grid.frozenRows(sheet.id)).toBe(3);
  });

  it('over groups of columns, with the titles in the row below: those are found', async () => {
    const groups = ['Product', '', 'Money', ''];
    const sheet = sheetOf([groups, ['ASIN', 'Note', 'Profit', 'ROI'], ...noted]);
    const pair = { row: 1, rowCount: 1, columnCount: 2 };
    await worldWith(sheet, { ...pair, column: 1 }, { ...pair, column: 3 });
    expect(await runAll(world)).toMatchObject({ answered: 6 });
    expect(sheet.values()[0]?.slice(0, 5)).toEqual([...groups, '']);
    expect(sheet.byHeader(3, 2)).toMatchObject({ 'Analysis status': `OK ${LIST[0]} US` });
    expect(typeof sheet.byHeader(3, 2).ROI).toBe('number');
  });
});
