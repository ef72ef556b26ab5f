// Rows that a person wants to see: selected in the sheet, wherever they are by now.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, granted, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const GOOD = US_ASINS.slice(30, 35);

async function worldWith(sheet: Sheet): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
}

const list = () =>
  sheetOf([['ASIN', 'Note'], ...['nothing', ...GOOD, 'neither'].map((text) => [text, 'x'])]);

/** Rows that are selected: the active one, to which Sheets scrolls, first. */
function selected({ grid }: Sheet): readonly (readonly [first: number, last: number])[] {
  const { rectangle, others = [] } = grid.selection();
  return [rectangle, ...others].map(({ row, rowCount }) => [row, row + rowCount - 1]);
}

const show = async (payload: object) => granted(await world.rpc('bulk.show', payload)).shown;

/** The rows of a check whose column of products is the first. */
const checked = ({ id, grid }: Sheet, rows: readonly number[]): object => {
  const cell = (row: number) => ({ row, column: 1, rowCount: 1, columnCount: 1 });
  const shownIn = (row: number) => String(grid.values(id, cell(row))[0]?.[0] ?? '');
  return {
    ...{ sheetId: id, productColumn: 1 },
    rows: rows.map((row) => ({ row, shown: shownIn(row) })),
  };
};

describe('rows of a check', () => {
  it('are selected in order, once each', async () => {
    const sheet = list();
    await worldWith(sheet);
    expect(await show(checked(sheet, [7, 3, 4, 4]))).toBe(3);
    expect(selected(sheet)).toEqual([
      [3, 4],
      [7, 7],
    ]);
  });

  it('are counted as far as they are selected: so many areas are the most at once', async () => {
    const sheet = sheetOf([['ASIN'], ...Array.from({ length: 400 }, () => [GOOD[0] ?? ''])]);
    await worldWith(sheet);
    const rows = Array.from({ length: 150 }, (_, at) => 2 * at + 2);
    expect(await show(checked(sheet, rows))).toBe(100);
    expect(selected(sheet)[0]).toEqual([2, 2]);
    expect(selected(sheet)).toHaveLength(100);
  });

  it('are found after the list was sorted and rows came in', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { rows } = (await check(world)).unreadable as {
      rows: readonly { row: number; shown: string }[];
    };
    expect(rows.map(({ shown }) => shown)).toEqual(['nothing', 'neither']);
    const rectangle = { row: 2, column: 1, rowCount: 7, columnCount: 2 };
    sheet.grid.sort(sheet.id, rectangle, [{ column: 1, ascending: true }]);
    sheet.grid.insertRows(sheet.id, 2, 3);
    const listed = rows.map(({ row, shown }) => ({ row, shown }));
    expect(await show({ sheetId: sheet.id, productColumn: 1, rows: listed })).toBe(2);
    expect(selected(sheet)).toEqual([[10, 11]]);
  });

  it('that were deleted are not shown', async () => {
    const sheet = list();
    await worldWith(sheet);
    const wanted = checked(sheet, [2]);
    sheet.grid.deleteRows(sheet.id, 2, 1);
    expect(await show(wanted)).toBe(0);
    expect(
      await show({ sheetId: sheet.id, productColumn: 700, rows: [{ row: 2, shown: 'x' }] }),
    ).toBe(0);
  });

  it('of a sheet that is gone are not shown, in words', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { failure } = await world.rpc('bulk.show', { ...checked(sheet, [2]), sheetId: 99 });
    expect(failure?.message).toMatch(/^The sheet was deleted/);
  });

  it('bring their sheet into view', async () => {
    const sheet = list();
    const other = sheet.grid.addSheet('Other', 2);
    await worldWith(sheet);
    sheet.grid.select({
      sheetId: other,
      rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
    });
    expect(await show(checked(sheet, [2]))).toBe(1);
    expect(sheet.grid.selection().sheetId).toBe(sheet.id);
  });
});

describe('rows that failed', () => {
  it('are found after the list was sorted and rows came in', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { jobId } = await runAll(world);
    const failed = { jobId, failed: 'bad-asin' };
    expect(await show(failed)).toBe(2);
    expect(selected(sheet)).toEqual([
      [2, 2],
      [8, 8],
    ]);
    const rectangle = { row: 2, column: 1, rowCount: 7, columnCount: 9 };
    sheet.grid.sort(sheet.id, rectangle, [{ column: 1, ascending: true }]);
    sheet.grid.insertRows(sheet.id, 2, 3);
    expect(await show(failed)).toBe(2);
    expect(selected(sheet)).toEqual([[10, 11]]);
    expect(await show({ jobId, failed: 'not-found' })).toBe(0);
  });

  it('of another run than the last one are not looked for', async () => {
    const sheet = list();
    await worldWith(sheet);
    await runAll(world);
    const { failure } = await world.rpc('bulk.show', { jobId: 'other', failed: 'bad-asin' });
    expect(failure?.message).toBe('This run is over. Start a new one.');
  });
});
