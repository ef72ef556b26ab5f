// The first look at a sheet, and what is told of it where the list is not as it should be.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, look, runOn, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 42);

async function worldWith(sheet: Sheet): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
}

const USUAL = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'];

describe('a sheet without a column of products', () => {
  /** One product in four rows: too few to be taken by itself. */
  const mixed = () =>
    sheetOf([
      ['Goods of March', '', ''],
      ['Item', 'Code', 'Profit'],
      ['Cup', 'C-1', ''],
      ['Plate', LIST[0] ?? '', ''],
      ['Bowl', 'C-3', ''],
      ['Fork', 'C-4', ''],
    ]);

  it('is told with its titles, and with all that goes with a column picked by hand', async () => {
    const sheet = mixed();
    await worldWith(sheet);
    const seen = await look(world);
    const byHand = {
      sheetId: sheet.id,
      headerRow: 2,
      market: { kind: 'one', market: 'US' },
      rows: { kind: 'all' },
      fields: USUAL,
    };
    expect(seen).toMatchObject({ choice: null, byHand, listRows: 4 });
    expect(seen.nearest).toMatchObject({ title: 'Code', products: 1, sampled: 5 });
    const titles = (seen.columns as { title: string }[]).map(({ title }) => title);
    expect(titles).toEqual(['Item', 'Code', 'Profit']);
    const fields = seen.fields as { name: string; chosen: boolean; column: object | null }[];
    expect(fields.filter(({ chosen }) => chosen).map(({ name }) => name)).toEqual(USUAL);
    expect(fields[0]?.column).toMatchObject({ letter: 'C', title: 'Profit' });
  });

  it('can be gone on with once a person has picked it', async () => {
    const sheet = mixed();
    await worldWith(sheet);
    const { byHand } = await look(world);
    const choice = { ...(byHand as object), productColumn: 2 };
    expect(granted(await world.rpc('bulk.preflight', choice))).toMatchObject({
      rows: 4,
      products: 1,
      unreadable: { count: 3 },
      added: ['ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status', 'Analyzed at'],
    });
    const { jobId } = granted(await world.rpc('bulk.start', choice));
    expect(await runOn(world, jobId)).toMatchObject({ answered: 1, failed: 3 });
    expect(sheet.byHeader(4, 2)['Analysis status']).toBe(`OK ${LIST[0]} US`);
    expect(sheet.values()[0]?.slice(0, 4)).toEqual(['Goods of March', '', '', '']);
  });

  it('and without titles: the first row is none', async () => {
    await worldWith(
      sheetOf([
        ['Cup', 3],
        ['Plate', 4],
        ['Bowl', 5],
      ]),
    );
    expect(await look(world)).toMatchObject({
      choice: null,
      byHand: { headerRow: 0 },
      listRows: 3,
    });
  });
});

describe('a sheet with nothing to analyze', () => {
  it('is empty: no columns, no rows, nothing to pick', async () => {
    await worldWith(sheetOf([]));
    const seen = await look(world);
    expect(seen).toMatchObject({ choice: null, columns: [], listRows: 0 });
    expect(seen).not.toHaveProperty('byHand');
    expect(seen).not.toHaveProperty('nearest');
  });

  it('has a title and no rows yet: its column is known, and a run is not started', async () => {
    await worldWith(sheetOf([['Note', 'ASIN']]));
    const { choice, listRows } = await look(world);
    expect(listRows).toBe(0);
    expect(choice).toMatchObject({ headerRow: 1, productColumn: 2 });
    const { failure } = await world.rpc('bulk.start', choice);
    expect(failure?.message).toBe(
      'There is no product in these rows. Choose other rows or another column.',
    );
  });
});

describe('what is selected', () => {
  it('counts as far as it is part of the list, each row once', async () => {
    const sheet = sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin])]);
    await worldWith(sheet);
    const whole = { row: 1, column: 1, rowCount: 1_000, columnCount: 1 };
    sheet.grid.select({ sheetId: sheet.id, rectangle: whole });
    expect(await look(world)).toMatchObject({ selectedRows: 12, listRows: 12 });
    const cell = (row: number, column: number) => ({ row, column, rowCount: 1, columnCount: 1 });
    sheet.grid.select({
      sheetId: sheet.id,
      rectangle: cell(1, 1),
      others: [cell(4, 1), cell(4, 2), { ...cell(6, 1), rowCount: 2 }],
    });
    expect(await look(world)).toMatchObject({ selectedRows: 3 });
  });
});
