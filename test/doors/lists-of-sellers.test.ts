// Lists as sellers and their tools keep them: which column and row is taken, what is asked for, and what is left to the person.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { granted, look, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
let sheet: Sheet;

afterEach(() => world.stop());

async function open(rows: readonly (readonly CellValue[])[]) {
  sheet = sheetOf(rows);
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  granted(await world.connect());
  return look(world);
}

const [A = '', B = '', C = '', D = '', E = ''] = US_ASINS;

/** Ten and more rows above the titles, as a supplier's price list has them. */
const LETTERHEAD: readonly (readonly CellValue[])[] = [
  ['Amazon price list', '', ''],
  ['Homeware Trading Ltd', '', ''],
  ['12 Dock Road', '', ''],
  ['Unit 12 Bay', 'Warehouse1', ''],
  ['Liverpool', 'L3 4BB', ''],
  ['', '', ''],
  ['Tel', '0151 496 0000', ''],
  ['VAT no.', 'GB123456789', ''],
  ['Date', '26 Nov 2026', ''],
  ['Terms', '30 days', 'net'],
  ['All prices in USD', '', ''],
  ['', '', ''],
];

describe('the column of products in a list with two that fit', () => {
  it.each<[string, readonly CellValue[], readonly (readonly CellValue[])[], number]>([
    [
      'the child, not the parent',
      ['(Parent) ASIN', '(Child) ASIN'],
      [
        [A, B],
        [A, C],
      ],
      2,
    ],
    [
      'the own, not the parent',
      ['parent_asin', 'Title', 'asin'],
      [
        [A, 'Mug', B],
        [A, 'Cup', C],
      ],
      3,
    ],
    [
      'ASINs before labels',
      ['FNSKU', 'Product'],
      [
        ['X0012ABCDE', A],
        ['X0013ABCDF', B],
      ],
      2,
    ],
    [
      'ASINs before stock numbers',
      ['SKU', 'Item'],
      [
        ['BATTERY123', A],
        ['BATTERY124', B],
      ],
      2,
    ],
    [
      'the first of a code and its link',
      ['ASIN', 'Link'],
      [
        [A, `amazon.com/dp/${A}`],
        [B, `amazon.com/dp/${B}`],
      ],
      1,
    ],
  ])('is %s', async (_what, titles, rows, productColumn) => {
    expect((await open([titles, ...rows])).choice).toMatchObject({ headerRow: 1, productColumn });
  });

  it.each<[string, readonly CellValue[], readonly (readonly CellValue[])[]]>([
    [
      'codes that may be stock numbers',
      ['seller-sku', 'item', 'price'],
      [
        ['BATTERY123', 'Mug', 4],
        ['BATTERY124', 'Cup', 5],
      ],
    ],
    [
      'two columns of other products',
      ['ASIN US', 'ASIN UK'],
      [
        [A, B],
        [C, D],
      ],
    ],
    [
      'two columns without a name',
      ['Left', 'Right'],
      [
        [A, B],
        [C, D],
      ],
    ],
  ])('is asked for: %s', async (_what, titles, rows) => {
    const { choice, nearest } = await open([titles, ...rows]);
    expect(choice).toBeNull();
    expect(nearest).toMatchObject({ column: 1 });
  });
});

describe('a letterhead above the titles', () => {
  it.each([
    ['a name of the column', ['Item', 'ASIN', 'Cost']],
    ['no name of it', ['Item', 'Product', 'Cost']],
  ])('is none of the list: %s', async (_what, titles) => {
    const rows = [A, B, C].map((asin, at) => [`thing ${at}`, asin, 4]);
    const { choice } = await open([...LETTERHEAD, titles, ...rows]);
    expect(choice).toMatchObject({ headerRow: LETTERHEAD.length + 1, productColumn: 2 });
    await runAll(world);
    const figures = sheet.values().map((row) => row[3]);
    expect(figures.slice(0, LETTERHEAD.length + 1)).toEqual([
      ...LETTERHEAD.map(() => ''),
      'Profit',
    ]);
    expect(figures.slice(LETTERHEAD.length + 1).map((one) => typeof one)).toEqual(
      rows.map(() => 'number'),
    );
  });

  it('may hold a number that reads like a book', async () => {
    const rows = [A, B, C, D, E].map((asin, at) => [asin, `thing ${at}`, 4]);
    const { choice } = await open([
      ['0306406152', 'Phone', ''],
      ...LETTERHEAD,
      ['ASIN', 'Item', 'Cost'],
      ...rows,
    ]);
    expect(choice).toMatchObject({ headerRow: LETTERHEAD.length + 2, productColumn: 1 });
  });
});
