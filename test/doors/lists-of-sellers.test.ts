// Lists as sellers and their tools keep them: which column and row is taken, what is asked for, and what is left to the person.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { arrivalsOf } from '../../playground/api/state';
import type { Preview } from '../../src/list/preview';
import { NOT_REGISTERED } from '../deal/worked-examples';
import {
  granted,
  look,
  runAll,
  SANDBOX,
  type Sheet,
  sheetOf,
  US_ASINS,
  worldWith,
} from './bulk-list';
import { changeRules, dealWorld, decide as decideList } from './deal-list';
import type { World } from './world';

let world: World;
let sheet: Sheet;

afterEach(() => world.stop());

async function open(rows: readonly (readonly CellValue[])[]) {
  sheet = sheetOf(rows);
  world = await worldWith(sheet);
  return look(world);
}

const [BRITISH = ''] = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket).asins.UK;

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

describe('titles that are linked to products', () => {
  const linkTo = (asin: string) => `https://www.amazon.com/dp/${asin}`;
  const titles = ['Item', 'Cost'];

  it('are named, and show nothing, whatever they are linked to later', async () => {
    const made = await dealWorld([titles, [C, 7], ['', 4], ['Red mug', 5], ['sold out', 6]]);
    world = made.world;
    sheet = made.sheet;
    const { grid, id } = sheet;
    grid.write(id, 3, 1, [[{ formula: `=HYPERLINK("${linkTo(A)}","Blue mug")` }]]);
    grid.setLinks(id, 4, 1, [[linkTo(B)]]);
    const { choice } = await look(world);
    expect(choice).toMatchObject({ headerRow: 1, productColumn: 1 });
    const { unreadable } = granted(await world.rpc('jobs.preview', choice)) as unknown as Preview;
    const words = (title: string) =>
      `"${title}" names no product, and formulas cannot read its link. Put the link or the ASIN in the cell.`;
    expect(unreadable.rows).toEqual([
      { row: 3, shown: 'Blue mug', why: words('Blue mug') },
      { row: 4, shown: 'Red mug', why: words('Red mug') },
      expect.objectContaining({ row: 5, why: expect.stringContaining('is not an ASIN') }),
    ]);
    await runAll(world);
    expect(arrivalsOf(world.service()).map(({ product }) => product)).toEqual([`US ${C}`]);
    const shown = () =>
      [3, 4].map((row) => [sheet.byHeader(row)['Analysis status'], sheet.byHeader(row).Profit]);
    const nothing = [3, 4].map(() => ['Not an ASIN', '']);
    expect(shown()).toEqual(nothing);
    grid.setLinks(id, 4, 1, [[linkTo(C)]]);
    await runAll(world);
    expect(shown()).toEqual(nothing);
  });

  it('are why a list of nothing else cannot be analyzed', async () => {
    const made = await dealWorld([titles, ['Red mug', 5], ['Blue mug', 6]]);
    world = made.world;
    sheet = made.sheet;
    sheet.grid.setLinks(sheet.id, 2, 1, [[linkTo(A)], [linkTo(B)]]);
    const { choice } = await look(world);
    expect(await world.rpc('jobs.preview', choice)).toMatchObject({
      failure: { message: expect.stringMatching(/^"Red mug" names no product, and formulas/) },
    });
  });
});

describe('costs that stand as text', () => {
  const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
  const rows = (asins: readonly string[], costs: readonly CellValue[]) =>
    costs.map((cost, at) => [asins[at] ?? '', cost]);
  const decisions = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const { 'My profit': profit, Why: why } = sheet.byHeader(at + 2);
      return /Check cost/.test(String(why)) ? 'Check cost' : profit;
    });

  async function decide(
    titles: readonly string[],
    cells: readonly (readonly CellValue[])[],
    options: { readonly locale?: string; readonly market?: 'US' | 'UK' } = {},
  ) {
    const made = await dealWorld([titles, ...cells], options);
    world = made.world;
    sheet = made.sheet;
    const market = { kind: 'one', market: options.market ?? 'US' };
    await runAll(world, { fields: FIELDS, ...(options.market && { market }) });
    granted(await changeRules(world, { values: NOT_REGISTERED }));
    granted(await decideList(world));
  }

  it.each<[string, 'US' | 'UK', readonly CellValue[]]>([
    ['en_US', 'US', [4.5, '4.50', '$4.50', '4.50 USD', '4,50', '\u00a04.50\u00a0', '="4.50"']],
    ['de_DE', 'US', [4.5, '4.50', '$4.50', '4.50 USD', '4,50', 'US$ 4,50', '\u20664.50\u2069']],
    ['en_GB', 'UK', [4.5, '4.50', '£4.50', '4.50 GBP', '4,50', '£\u00a04.50', 'GBP 4.50']],
  ])('decide like numbers in %s for the %s', async (locale, market, costs) => {
    const asin = market === 'US' ? A : BRITISH;
    const asins = costs.map(() => asin);
    await decide(['ASIN', 'Cost'], rows(asins, costs), { locale, market });
    const [first] = decisions(1);
    expect(typeof first).toBe('number');
    expect(decisions(costs.length)).toEqual(costs.map(() => first));
  });

  it('of another currency, and texts that are none, are to be checked', async () => {
    const costs = ['£4.50', '4.50 EUR', '2 for 4.50', '4.50 each', '12 50'];
    await decide(
      ['ASIN', 'Cost'],
      rows(
        costs.map(() => A),
        costs,
      ),
    );
    expect(decisions(costs.length)).toEqual(costs.map(() => 'Check cost'));
  });

  it("are in the currency of each row's market", async () => {
    const market = ['US', 'Amazon US', 'US', ''];
    const costs = ['$4.50', '4.50 USD', '£4.50', '$4.50'];
    const cells = costs.map((cost, at) => [A, market[at] ?? '', cost]);
    await decide(['ASIN', 'Market', 'Cost'], cells);
    const [first] = decisions(1);
    expect(typeof first).toBe('number');
    expect(decisions(costs.length)).toEqual([first, first, 'Check cost', first]);
  });

  it('are multiplied by the units of a sale, and a return over 300 % is pointed out', async () => {
    const titles = ['ASIN', 'Cost', 'Multipack'];
    await decide(titles, [
      [A, 1, ''],
      [A, 1, '2'],
      [A, '1.00', 2],
      [A, 0.1, 1],
    ]);
    const [single = 0, double = 0, typed = 0] = decisions(3).map(Number);
    expect([single - double, typed]).toEqual([1, double]);
    expect(sheet.byHeader(5)['My ROI']).toBeGreaterThan(3);
    expect(sheet.byHeader(5).Why).toContain('Check units and cost');
  });
});
