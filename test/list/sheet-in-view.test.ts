// The first look at a sheet: its list as it is found or marked, and what is told where there is none.

import { afterEach, describe, expect, test } from '@jest/globals';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import {
  ASINS,
  choiceOf,
  granted,
  type ListWorld,
  listWorld,
  look,
  preview,
  runAll,
} from '../doors/bulk-list';
import { EDITOR } from '../doors/world';

let world: ListWorld;
afterEach(async () => world.stop());

const [A = '', B = '', C = ''] = ASINS;
const USUAL = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'];

/** One product in four rows: too few to be taken by itself. */
const MIXED = [
  ['Goods of March', '', ''],
  ['Item', 'Code', 'Profit'],
  ['Cup', 'C-1', ''],
  ['Plate', A, ''],
  ['Bowl', 'C-3', ''],
  ['Fork', 'C-4', ''],
];

describe('a sheet without a column of products', () => {
  test('is told with its titles, and with all that goes with a column picked by hand', async () => {
    world = await listWorld(MIXED);
    const seen = await look(world);
    const byHand = {
      sheetId: world.sheet.id,
      headerRow: 2,
      market: { kind: 'one', market: 'US' },
      rows: { kind: 'all' },
      fields: USUAL,
    };
    expect(seen).toMatchObject({ choice: null, byHand, listRows: 4 });
    expect(seen.nearest).toMatchObject({ title: 'Code', products: 1, sampled: 5 });
    const titles = (seen.columns as { title: string }[]).map(({ title }) => title);
    expect(titles).toEqual(['Item', 'Code', 'Profit']);
  });

  test('is analyzed once a person has picked one; a column of theirs under our title stays', async () => {
    world = await listWorld(MIXED);
    const { byHand } = await look(world);
    const choice = { ...(byHand as object), productColumn: 2 };
    expect(granted(await world.rpc('jobs.preview', choice))).toMatchObject({
      ...{ rows: 4, products: 1, unreadable: { count: 3 } },
      added: [
        ...['Profit (analyzed)', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d'],
        ...['Analysis status', 'Analyzed at'],
      ],
    });
    granted(await world.rpc('jobs.start', choice));
    expect(world.sheet.values()[0]?.slice(0, 4)).toEqual(['Goods of March', '', '', '']);
    expect(await look(world)).toMatchObject({ choice: { headerRow: 2, productColumn: 2 } });
  });

  test('and without titles: the first row is none', async () => {
    world = await listWorld([
      ['Cup', 3],
      ['Plate', 4],
    ]);
    expect(await look(world)).toMatchObject({ choice: null, byHand: { headerRow: 0 } });
  });
});

describe('a sheet with nothing to analyze', () => {
  test('is empty: no columns, no rows, nothing to pick', async () => {
    world = await listWorld([['']]);
    const seen = await look(world);
    expect(seen).toMatchObject({ choice: null, columns: [], listRows: 0 });
    expect(seen).not.toHaveProperty('byHand');
    expect(seen).not.toHaveProperty('nearest');
  });

  test('has a title and no rows yet: its column is known, and no job is started', async () => {
    world = await listWorld([['Note', 'ASIN']]);
    const { choice, listRows } = await look(world);
    expect(listRows).toBe(0);
    expect(choice).toMatchObject({ headerRow: 1, productColumn: 2 });
    const { failure } = await world.rpc('jobs.start', choice as object);
    expect(failure?.message).toBe(
      'These rows have no products. Choose other rows or another column.',
    );
  });
});

describe('a list that was analyzed', () => {
  test('is known by its marks wherever its columns are, and offers what it shows', async () => {
    world = await listWorld([
      ['Cost', 'ASIN'],
      [5, A],
      [6, B],
    ]);
    await runAll(world, { fields: ['profit', 'sell_price'] });
    const { people, sheet } = world;
    people({ do: 'insertColumns', sheetId: sheet.id, first: 1, count: 2 });
    people({ do: 'insertRows', sheetId: sheet.id, first: 1, count: 1 });
    const seen = await look(world);
    expect(seen.choice).toMatchObject({
      ...{ headerRow: 2, productColumn: 4, fields: ['profit', 'sell_price'] },
    });
    const shown = seen.fields as { name: string; column: object | null }[];
    expect(shown.find(({ name }) => name === 'profit')?.column).toMatchObject({ letter: 'E' });
  });

  test('has new rows until their formulas are filled in', async () => {
    world = await listWorld([A, B]);
    await runAll(world);
    const { people, sheet } = world;
    people({ do: 'edit', sheetId: sheet.id, row: 4, column: 1, contents: [[C], [A]] });
    expect(await look(world)).toMatchObject({ listRows: 4, newRows: 2 });
    expect(granted(await world.rpc('list.fillInNewRows'))).toMatchObject({ filled: 2 });
    expect(await look(world)).toMatchObject({ newRows: 0 });
    expect(world.shown(5).Profit).toBe(world.shown(2).Profit);
  });

  test('is copied as values for sharing: no formulas, no filter, no list of ours', async () => {
    world = await listWorld([
      ['ASIN', 'Twice'],
      [A, '=1+1'],
    ]);
    await runAll(world);
    const { people, sheet } = world;
    const { id, grid } = sheet;
    const rectangle = { row: 1, column: 1, rowCount: 2, columnCount: 2 };
    const hiddenTexts = [{ column: 2, texts: ['2'] }];
    people({ do: 'filter', sheetId: id, filter: { rectangle, hiddenTexts } });
    const shown = sheet.values();
    expect(granted(await world.rpc('list.copyAsValues'))).toMatchObject({
      name: 'Sheet1 (values)',
    });
    people({ do: 'edit', sheetId: id, row: 2, column: 1, contents: [['another product']] });
    const copy = Number(grid.sheets().find(({ name }) => name === 'Sheet1 (values)')?.id);
    const all = { row: 1, column: 1, rowCount: 2, columnCount: shown[0]?.length ?? 0 };
    expect(grid.values(copy, all)).toEqual(shown);
    expect(grid.formulas(copy, all).flat().join('')).toBe('');
    expect(
      featuresOf(grid)
        .metadata()
        .filter(({ sheetId }) => sheetId === copy),
    ).toEqual([]);
    expect(world.shown(2).Profit).toBe('');
  });

  test('gets a column of clean ASINs without a call', async () => {
    world = await listWorld([` ${A} `, `https://www.amazon.com/dp/${B}`, 'Warehouse']);
    expect(
      granted(
        await world.rpc('list.showColumns', { ...(await choiceOf(world)), cleanAsins: true }),
      ),
    ).toEqual({
      rows: 3,
    });
    expect([2, 3, 4].map((row) => world.shown(row)['ASIN (clean)'])).toEqual([A, B, '']);
    expect(world.asked()).toEqual([]);
  });

  test('of two markets has a group of columns for each', async () => {
    world = await listWorld([A]);
    await runAll(world, { fields: ['profit'] });
    const market = { kind: 'one', market: 'UK' };
    const { added } = await preview(world, { market, fields: ['profit'] });
    expect(added).toEqual(['Profit (UK)', 'Analysis status (UK)', 'Analyzed at (UK)']);
    await runAll(world, { market, fields: ['profit'] });
    expect(world.tab().map((row) => row.Key)).toEqual([`${A}|US`, `${A}|UK`]);
  });
});

describe('rows with a market of their own', () => {
  test('take it however it is written, and the usual one where it is blank', async () => {
    world = await listWorld([
      ['ASIN', 'Market'],
      [A, 'Amazon US'],
      [B, ''],
      [C, 'Mars'],
    ]);
    const seen = await preview(world);
    expect(seen).toMatchObject({
      products: 2,
      unreadable: { count: 1, rows: [{ row: 4 }] },
      repaired: { count: 1, rows: [{ row: 3, repair: 'no-market', market: 'US' }] },
    });
    await runAll(world);
    expect([2, 3, 4].map((row) => world.shown(row)['Analysis status'])).toEqual([
      ...['OK', 'OK', 'Unknown market'],
    ]);
  });
});

describe('the preview', () => {
  test('leaves out what a column titled "Skip" marks, and an unticked box does not', async () => {
    world = await listWorld([
      ['ASIN', 'skip'],
      [A, 'x'],
      [B, false],
      [C, ''],
    ]);
    expect(await preview(world)).toMatchObject({ rows: 2, products: 2 });
    await runAll(world);
    expect(new Set(world.asked())).toEqual(new Set([B, C]));
  });

  test('of one sheet while another is in view says which one, and checks nothing', async () => {
    world = await listWorld([A]);
    const choice = await choiceOf(world);
    const { grid } = world.sheet;
    const other = grid.addSheet('Other', 2);
    const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
    grid.select({ sheetId: other, rectangle });
    const { failure } = await world.rpc('jobs.preview', choice);
    expect(failure?.message).toContain('"Other" is in view now');
  });

  test('of a list whose sheet this person may not edit says so before anything is paid', async () => {
    world = await listWorld([A]);
    const { id: sheetId } = world.sheet;
    world.people({ do: 'protect', sheetId, rectangle: null });
    const { choice } = granted(await world.rpc('list.look', {}, EDITOR));
    const started = await world.rpc('jobs.start', choice as object, EDITOR);
    expect(started.failure).toMatchObject({ kind: 'protected' });
    expect(world.asked()).toEqual([]);
  });

  test('shows rows that moved since, by what they held', async () => {
    world = await listWorld([A, 'Warehouse', B]);
    const { unreadable } = await preview(world);
    const { people, sheet } = world;
    people({ do: 'insertRows', sheetId: sheet.id, first: 2, count: 3 });
    const { rows } = unreadable as { rows: { row: number; shown: string }[] };
    const shown = rows.map(({ row, shown: text }) => ({ row, shown: text }));
    const payload = { sheetId: sheet.id, productColumn: 1, rows: shown };
    expect(granted(await world.rpc('list.showRows', payload))).toEqual({ rows: 1 });
    expect(sheet.grid.selection()).toMatchObject({ rectangle: { row: 6 } });
  });
});

describe('links among the products', () => {
  const link = (host: string, asin: string) => [`https://www.${host}/dp/${asin}`];

  test('of one market say which one it is, unless the person says otherwise', async () => {
    world = await listWorld([['ASIN'], [A], link('amazon.co.uk', B), link('amazon.co.uk', C)]);
    expect(await look(world)).toMatchObject({
      namedMarket: { market: 'UK', by: 'links' },
      choice: { market: { kind: 'one', market: 'UK' } },
    });
    expect(await preview(world)).toMatchObject({
      products: 3,
      repaired: { rows: [{ repair: 'link' }, { repair: 'link' }] },
    });
    const market = { kind: 'one', market: 'US' };
    expect(await preview(world, { market })).toMatchObject({
      repaired: { rows: [{ repair: 'foreign-link' }, { repair: 'foreign-link' }] },
    });
  });

  test('of Keepa name it by its number, also those of its frames', async () => {
    const frame = (asin: string) => [`https://keepa.com/iframe_addon.html#2-0-${asin}`];
    world = await listWorld([['Link'], frame(A), frame(B), [`https://keepa.com/#!product/2-${C}`]]);
    expect(await look(world)).toMatchObject({
      namedMarket: { market: 'UK', by: 'links' },
      choice: { market: { kind: 'one', market: 'UK' } },
    });
    await runAll(world);
    const rows = world.tab().map(({ ASIN, Market, Status }) => [ASIN, Market, Status !== '']);
    expect(rows).toEqual([A, B, C].map((asin) => [asin, 'UK', true]));
  });

  test('of several markets keep each its own, unless the person says otherwise', async () => {
    world = await listWorld([['ASIN'], link('amazon.com', A), link('amazon.co.uk', B)]);
    const seen = await look(world);
    expect(seen).toMatchObject({ choice: { market: { kind: 'column', column: 1 } } });
    expect(seen).not.toHaveProperty('namedMarket');
    await runAll(world);
    expect(world.tab().map(({ ASIN, Market }) => [ASIN, Market])).toEqual([
      [A, 'US'],
      [B, 'UK'],
    ]);
    const statuses = [2, 3].map((row) => world.shown(row)['Analysis status']);
    expect(statuses).toEqual(['OK', 'Not found']);
    expect(await look(world)).toMatchObject({ choice: { market: { kind: 'column', column: 1 } } });
    // A row that is added without a link names no market, so nothing is asked for it.
    world.people({ do: 'edit', sheetId: world.sheet.id, row: 4, column: 1, contents: [[C]] });
    expect(await preview(world)).toMatchObject({ products: 2, unreadable: { count: 1 } });
    expect(await preview(world, { market: { kind: 'one', market: 'US' } })).toMatchObject({
      products: 3,
      repaired: { rows: [{ repair: 'link' }, { repair: 'foreign-link' }] },
    });
  });

  test('of several markets leave the usual one where some products have no link', async () => {
    world = await listWorld([['ASIN'], [C], link('amazon.com', A), link('amazon.co.uk', B)]);
    const seen = await look(world);
    expect(seen).toMatchObject({ choice: { market: { market: 'US' } } });
    expect(seen).not.toHaveProperty('namedMarket');
    expect(await preview(world)).toMatchObject({
      repaired: { rows: [{ repair: 'link' }, { repair: 'foreign-link' }] },
    });
  });
});

describe('what the costs are in', () => {
  test.each<[string, string | number, string]>([
    ['Cost ex VAT (£)', '4.50', ''],
    ['Unit price GBP', 4.5, ''],
    ['Cost inc V.A.T.', 4.5, ''],
    ['Cost', '£4.50', ''],
    ['Price', '£4.50', ''],
    ['Cost', 4.5, '[$£-809]#,##0.00'],
  ])('names the market before anything is asked: %s, %p', async (title, cost, format) => {
    world = await listWorld([
      ['ASIN', title],
      [A, cost],
      [B, cost],
    ]);
    const { sheet } = world;
    if (format !== '') sheet.grid.setNumberFormats(sheet.id, 2, 2, [[format], [format]]);
    expect(await look(world)).toMatchObject({
      namedMarket: { market: 'UK', by: 'costs' },
      choice: { market: { kind: 'one', market: 'UK' } },
    });
  });

  test.each<[string, string | number, string]>([
    ['Cost', 4.5, A],
    ['Cost ($)', '4.50', A],
    ['Cost (€)', '4.50', A],
    ['Cost (£)', '4.50', `https://www.amazon.com/dp/${A}`],
  ])('leaves the usual one: %s, %p beside %s', async (title, cost, product) => {
    world = await listWorld([
      ['ASIN', title],
      [product, cost],
    ]);
    const seen = await look(world);
    expect(seen).toMatchObject({ choice: { market: { market: 'US' } } });
    expect(seen).not.toHaveProperty('namedMarket');
  });
});
