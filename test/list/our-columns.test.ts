// The columns beside a list that look its figures up: where they are made, what they are called, and
// what they show whatever a person does.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rowKey } from '../../src/list/row-formulas';
import { createSheetWorld, GUEST, type SheetWorld, WANTED } from '../sheet/sheet-world';

const [A, B, C, D] = ['B000000001', 'B000000002', 'B000000003', 'B000000004'] as const;
const MOMENT = Date.UTC(2026, 10, 21, 6, 4);
const TITLES = ['Profit', 'ROI', 'Eligible', 'Analysis status', 'Analyzed at', 'Analysis row'];

/** Every product has its own profit: A's is 1 in the US and 101 in the UK, B's is 2 … */
function known(world: SheetWorld): void {
  for (const [market, more] of [
    ['US', 0],
    ['UK', 100],
  ] as const)
    world.fill(
      ...[A, B, C, D].map((asin, at) => ({
        ...{ key: `${asin}|${market}`, asin, market, analyzedMs: MOMENT },
        figures: { profit: at + 1 + more, roi: 0.25, eligible: true },
      })),
    );
}

function listOf(
  rows: Parameters<typeof createSheetWorld>[0] = [
    ['ASIN', 'Cost'],
    [A, 5],
    [B, 6],
    [C, 7],
  ],
  options: Parameters<typeof createSheetWorld>[1] = {},
): SheetWorld {
  const world = createSheetWorld(rows, options);
  known(world);
  return world;
}

const profits = (world: SheetWorld, title = 'Profit', headerRow = 1) =>
  world
    .cells()
    .slice(headerRow)
    .map((_, at) => world.row(headerRow + 1 + at, headerRow)[title]);

describe('the columns of a list', () => {
  it('stand at its right end and show what the tab holds, blank for what it does not', () => {
    const world = createSheetWorld([
      ['ASIN', 'Cost'],
      [A, 5],
      ['', ''],
      [B, 6],
      [C, 7],
    ]);
    world.fill(
      { key: `${A}|US`, figures: { profit: 1.5, eligible: false }, analyzedMs: MOMENT },
      { key: `${B}|US`, figures: { profit: 0 }, status: 'Not found' },
    );
    const list = world.ensure();
    expect(world.cells()[0]).toEqual(['ASIN', 'Cost', ...TITLES]);
    expect(list).toMatchObject({
      ...{ headerRow: 1, productColumn: 1, marketColumn: null },
      groups: [{ market: 'US', label: '', columns: { profit: 3, status: 6, helper: 8 } }],
    });
    expect(world.cells().slice(1)).toEqual([
      [A, 5, 1.5, '', 'No', 'OK', new Date(MOMENT), -999_998],
      ['', '', '', '', '', '', '', ''],
      [B, 6, 0, '', '', 'Not found', '', -999_997],
      [C, 7, '', '', '', '', '', '#N/A'],
    ]);
    expect(world.features.look(world.id).hiddenColumns).toEqual([8]);
  });

  it('are made once, and what is wanted later comes beside them', () => {
    const world = listOf();
    const first = world.ensure();
    const before = world.cells();
    expect(world.ensure()).toEqual(first);
    expect(world.cells()).toEqual(before);
    world.ensure({ columns: ['profit', 'fees', 'changed', 'asin'] });
    expect(world.cells()[0]).toEqual([
      ...['ASIN', 'Cost', ...TITLES, 'Fees', 'What changed', 'ASIN (clean)'],
    ]);
    expect(world.row(3)).toMatchObject({ Profit: 2, 'ASIN (clean)': B });
  });

  it('are named in advance', () => {
    const world = listOf([
      ['ASIN', 'profit'],
      [A, 5],
    ]);
    const titles = ['Profit (analyzed)', 'ROI', 'Eligible', 'Analysis status', 'Analyzed at'];
    expect(world.call('titles', [world.place, WANTED])).toEqual(titles);
    expect(world.cells()[0]).toEqual(['ASIN', 'profit']);
    world.ensure();
    expect(world.cells()[0]).toEqual(['ASIN', 'profit', ...titles, 'Analysis row']);
    expect(world.call('titles', [world.place, WANTED])).toEqual([]);
    expect(world.row(2)).toMatchObject({ profit: 5, 'Profit (analyzed)': 1 });
  });

  it.each([
    ['en_US', 'm/d/yyyy h:mm am/pm'],
    ['en_GB', 'dd/mm/yyyy hh:mm'],
    ['de_DE', 'd.m.yyyy hh:mm'],
    ['sv_SE', 'yyyy-mm-dd hh:mm'],
  ])(
    'have formats of their own: money of the market, shares, counts, and dates as %s has them',
    (locale, moment) => {
      const world = listOf(undefined, { locale });
      world.ensure({ market: 'UK', columns: ['profit', 'roi', 'rank_drops_30d'] });
      const formats = world.grid.numberFormats(world.id, {
        ...{ row: 900, column: 3, rowCount: 1, columnCount: 6 },
      });
      expect(formats[0]).toEqual([
        ...['[$£]#,##0.00', '0.0%', '0', '0.###############', moment, '0'],
      ]);
    },
  );

  it('work in a sheet whose cells are all plain text', () => {
    const world = listOf();
    const all = Array.from({ length: 50 }, () => Array<string>(20).fill('@'));
    world.grid.setNumberFormats(world.id, 1, 1, all);
    world.ensure();
    expect(profits(world)).toEqual([1, 2, 3]);
    expect(world.formula(2, 6)).toMatch(/^=/);
    expect(
      world.grid.numberFormats(world.id, { row: 2, column: 6, rowCount: 1, columnCount: 1 }),
    ).not.toEqual([['@']]);
  });

  it.each(['en_US', 'de_DE'])('are read in the locale %s', (locale) => {
    const world = listOf(undefined, { locale });
    world.ensure();
    const first = world.formula(2, 3);
    expect(profits(world)).toEqual([1, 2, 3]);
    world.ensure();
    expect(world.formula(2, 3)).toBe(first);
    world.people({ do: 'insertRows', sheetId: world.id, first: 3, count: 1 });
    world.type(3, 1, D);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 0 });
  });
});

describe('a list', () => {
  it('may have rows above its titles', () => {
    const world = listOf([
      ['Wholesale 2026', ''],
      ['', ''],
      ['ASIN', 'Cost'],
      [A, 5],
      [B, 6],
    ]);
    const list = world.ensure({}, { headerRow: 3 });
    expect(list.headerRow).toBe(3);
    expect(world.cells()[2]).toEqual(['ASIN', 'Cost', ...TITLES]);
    expect(profits(world, 'Profit', 3)).toEqual([1, 2]);
    expect(world.formula(2, 3)).toBe('');
  });

  it('without titles gets a row for them', () => {
    const world = listOf([
      [5, A],
      [6, B],
    ]);
    const list = world.ensure({}, { headerRow: 0, productColumn: 2 });
    expect(list).toMatchObject({ headerRow: 1, productColumn: 2 });
    expect(world.cells()[0]).toEqual(['', 'ASIN', ...TITLES]);
    expect(profits(world)).toEqual([1, 2]);
  });

  it('whose row of titles was deleted gets them again, above the same columns', () => {
    const world = listOf();
    world.ensure();
    world.people({ do: 'deleteRows', sheetId: world.id, first: 1, count: 1 });
    expect(world.call('lists', [world.id])).toEqual([]);
    world.ensure({}, { headerRow: 0 });
    expect(world.cells()[0]).toEqual(['ASIN', '', ...TITLES]);
    expect(profits(world)).toEqual([1, 2, 3]);
  });

  it('may name a market in each row; a blank one is the default, another text names none', () => {
    const rows = [
      ['ASIN', 'Market'],
      [A, 'US'],
      [B, 'UK'],
      [C, ''],
      [D, 'Narnia'],
    ];
    const world = listOf(rows);
    const wanted = { market: 'column', defaultMarket: 'US' } as const;
    world.fill({ key: `${D}|Narnia`, status: 'Unknown market' });
    const list = world.ensure(wanted, { marketColumn: 2 });
    expect(list).toMatchObject({ marketColumn: 2, groups: [{ market: 'column', label: '' }] });
    expect(profits(world)).toEqual([1, 102, 3, '']);
    expect(world.row(5)).toMatchObject({ 'Analysis status': 'Unknown market' });
    world.type(2, 2, 'UK');
    world.type(3, 2, 'us');
    expect(profits(world)).toEqual([101, 2, 3, '']);
    // The key names the market, so another default shows its own figures.
    world.ensure({ ...wanted, defaultMarket: 'UK' }, { marketColumn: 2 });
    expect(profits(world)).toEqual([101, 2, 103, '']);
    expect(world.cells()[0]).toEqual(['ASIN', 'Market', ...TITLES]);
  });

  it('may get its market column later, or another one', () => {
    const world = listOf([
      ['ASIN', 'Shop', 'Market'],
      [A, 'US', 'UK'],
    ]);
    world.ensure({ market: 'column' }, { marketColumn: 2 });
    expect(profits(world)).toEqual([1]);
    const list = world.ensure({ market: 'column' }, { marketColumn: 3 });
    expect(list.marketColumn).toBe(3);
    expect(profits(world)).toEqual([101]);
  });

  it('may show two markets', () => {
    const world = listOf();
    world.ensure({ columns: ['profit'] });
    const list = world.ensure({ market: 'UK', columns: ['profit', 'roi'] });
    expect(list.groups).toMatchObject([
      { market: 'US', label: '' },
      { market: 'UK', label: 'UK' },
    ]);
    expect(world.row(3)).toMatchObject({ Profit: 2, 'Profit (UK)': 102, 'ROI (UK)': 0.25 });
    expect(world.cells()[0]).toContain('Analysis status (UK)');
    // A column that comes later says which group it belongs to.
    expect(
      world.call('titles', [world.place, { ...WANTED, market: 'UK', columns: ['fees'] }]),
    ).toEqual(['Fees (UK)']);
  });

  it('shows no figures of the other market where a hidden cell of it was dragged there', () => {
    const world = listOf();
    world.ensure({ columns: ['profit'] });
    world.ensure({ market: 'UK', columns: ['profit'] });
    const titles = world.cells()[0] ?? [];
    const at = (title: string) => titles.indexOf(title) + 1;
    const from = { row: 3, column: at('Analysis row'), rowCount: 1, columnCount: 1 };
    world.people({
      do: 'cutPaste',
      sheetId: world.id,
      from,
      row: 3,
      column: at('Analysis row (UK)'),
    });
    expect(world.row(2)).toMatchObject({ 'Profit (UK)': 101 });
    expect(world.row(3)).toMatchObject({ 'Profit (UK)': '' });
  });

  it('may stand beside another in its sheet', () => {
    const world = listOf([
      ['ASIN', 'Alternative'],
      [A, B],
      [B, C],
    ]);
    world.ensure({ columns: ['profit'] });
    world.ensure({ columns: ['profit'] }, { productColumn: 2 });
    expect(world.row(2)).toMatchObject({ Profit: 1, 'Profit (Alternative)': 2 });
    expect(world.call('lists', [world.id])).toMatchObject([
      { id: '1', productColumn: 1, groups: [{ label: '' }] },
      { id: '2', productColumn: 2, groups: [{ label: 'Alternative' }] },
    ]);
  });

  it('may have totals below and beside, which stay', () => {
    const world = listOf([
      ...[
        ['ASIN', 'Cost'],
        [A, 5],
        [B, 6],
      ],
      ...[
        ['', '=SUM(B2:B3)'],
        ['Sum', '=B4*2'],
      ],
    ]);
    world.ensure({}, {});
    world.type(4, 3, '=SUM(C2:C3)');
    world.ensure();
    expect(world.row(4)).toMatchObject({ Cost: 11, Profit: 3 });
    expect(world.formula(4, 3)).toBe('=SUM(C2:C3)');
    expect(world.formula(5, 2)).toBe('=B4*2');
  });

  it('is filled down to its last product, also in hidden and filtered rows', () => {
    const world = listOf([
      ['ASIN', 'Cost'],
      [A, 5],
      [B, 6],
      ['', ''],
      [C, 7],
      ['', 'below'],
    ]);
    world.people({ do: 'hideRows', sheetId: world.id, first: 3, count: 1 });
    const rectangle = { row: 1, column: 1, rowCount: 6, columnCount: 2 };
    const hiddenTexts = [{ column: 1, texts: [C] }];
    world.people({ do: 'filter', sheetId: world.id, filter: { rectangle, hiddenTexts } });
    world.ensure();
    expect(profits(world)).toEqual([1, 2, '', 3, '']);
    expect(world.formula(4, 3)).not.toBe('');
    expect(world.formula(6, 3)).toBe('');
  });
});

describe('a key', () => {
  it('is found whatever shows nothing in the cell, and nothing of it is written', () => {
    const odd = ['\u200B', '\u2066', '\uFE0F', '\u{E0041}', '\u0007'];
    const world = listOf([
      ['ASIN', 'Market'],
      ...odd.map((one) => [`${one}B0000${one}00001${one}`, `U${one}K`]),
    ]);
    world.ensure({ market: 'column' }, { marketColumn: 2 });
    expect(profits(world)).toEqual(odd.map(() => 101));
    const ours = world.cells().map((row) => row.slice(2));
    const formulas = world.grid.formulas(world.id, {
      ...{ row: 1, column: 3, rowCount: 6, columnCount: 6 },
    });
    expect(JSON.stringify([ours, formulas])).not.toMatch(
      /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u,
    );
  });

  it.each<[string, string | number | boolean, string]>([
    ['a number that lost its zeros', 306406152, '306406152|US'],
    ['a barcode', 9780306406157, '9780306406157|US'],
    ['a text in other case', 'b00000000x', 'B00000000X|US'],
    ['a link', 'https://www.amazon.com/dp/B000000009', 'https://www.amazon.com/dp/B000000009|US'],
    ['what a search would take for a pattern', 'B0*', 'B0*|US'],
    ['a truth value', true, 'TRUE|US'],
  ])('may come from %s', (_what, cell, key) => {
    const world = listOf([['ASIN'], [cell]]);
    expect(rowKey(cell, '', 'US', 'UK').toLowerCase()).toBe(key.toLowerCase());
    world.fill({ key, figures: { profit: 42 } }, { key: 'B0something|US' });
    world.ensure();
    expect(profits(world)).toEqual([42]);
  });

  it('is the same text for code as for formulas, whatever cells hold', () => {
    const odd = fc.constantFrom(
      '\u200B',
      '\uFE0F',
      ' ',
      'B',
      'us',
      '0',
      '|',
      '"',
      '~',
      '*',
      'ß',
      '😀',
    );
    const cell = fc.oneof(
      fc.string({ unit: odd, minLength: 1, maxLength: 8 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
      fc.integer({ min: 0, max: 10 ** 14 }),
      fc.boolean(),
    );
    const isText = (one: unknown) => typeof one !== 'string' || /^[^='+]/.test(one);
    const row = fc.tuple(cell.filter(isText), fc.oneof(fc.constant(''), cell.filter(isText)));
    const rows = fc.sample(row, { numRuns: 300, seed: 33 });
    const world = createSheetWorld([['ASIN', 'Market'], ...rows]);
    const keys = rows.map(([product, market]) => rowKey(product, market, 'column', 'UK'));
    const distinct = new Map(keys.map((key) => [key.toLowerCase(), key]));
    const profitOf = new Map([...distinct.keys()].map((key, at) => [key, at]));
    world.fill(
      ...[...distinct].map(([folded, key]) => ({
        ...{ key, figures: { profit: profitOf.get(folded) ?? null } },
      })),
    );
    world.ensure({ market: 'column', defaultMarket: 'UK' }, { marketColumn: 2 });
    const shown = world
      .cells()
      .slice(1)
      .map((line) => line[2]);
    const expected = keys.map((key) => profitOf.get(key.toLowerCase()));
    const wrong = rows.flatMap((one, at) =>
      shown[at] === expected[at] ? [] : [[one, shown[at], expected[at]]],
    );
    expect(wrong).toEqual([]);
  });
});

describe('when a person', () => {
  it('types another product, its row shows that one’s figures, or none', () => {
    const world = listOf();
    world.ensure();
    world.type(2, 1, D);
    expect(world.row(2)).toMatchObject({ Profit: 4, 'Analysis status': 'OK' });
    world.type(2, 1, 'B000000099');
    expect(world.row(2)).toMatchObject({ Profit: '', ROI: '', Eligible: '', 'Analyzed at': '' });
    world.type(2, 1, '');
    expect(world.cells()[1]).toEqual(['', 5, '', '', '', '', '', '']);
  });

  it('sorts, inserts and deletes rows, each product keeps its figures', () => {
    const world = listOf();
    world.ensure();
    const rectangle = { row: 2, column: 1, rowCount: 3, columnCount: 8 };
    const keys = [{ column: 1, ascending: false }];
    world.people({ do: 'sort', sheetId: world.id, rectangle, keys });
    expect(profits(world)).toEqual([3, 2, 1]);
    world.people({ do: 'insertRows', sheetId: world.id, first: 3, count: 2 });
    world.people({ do: 'deleteRows', sheetId: world.id, first: 2, count: 1 });
    expect(profits(world)).toEqual(['', '', 2, 1]);
    world.type(3, 1, D);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 2, kept: 0 });
    expect(profits(world)).toEqual(['', 4, 2, 1]);
  });

  it('sorts only some of the columns, each product keeps its figures', () => {
    const world = listOf();
    world.ensure();
    const rectangle = { row: 2, column: 1, rowCount: 3, columnCount: 3 };
    const keys = [{ column: 1, ascending: false }];
    world.people({ do: 'sort', sheetId: world.id, rectangle, keys });
    expect(profits(world)).toEqual([3, 2, 1]);
  });

  it('moves, inserts and renames columns, they are known', () => {
    const world = listOf();
    world.ensure();
    world.people({ do: 'insertColumns', sheetId: world.id, first: 1, count: 1 });
    world.people({ do: 'moveColumns', sheetId: world.id, first: 4, count: 1, before: 1 });
    world.type(1, 1, 'Gain');
    expect(world.cells()[1]).toEqual([1, '', A, 5, 0.25, 'Yes', 'OK', new Date(MOMENT), -999_998]);
    const list = world.ensure({}, { productColumn: 3 });
    expect(list).toMatchObject({
      productColumn: 3,
      groups: [{ columns: { profit: 1, roi: 5, helper: 9 } }],
    });
    expect(world.cells()[0]).toEqual(['Gain', '', 'ASIN', 'Cost', ...TITLES.slice(1)]);
  });

  it('deletes a column of ours, it is made again at the right end', () => {
    const world = listOf();
    world.ensure();
    world.people({ do: 'deleteColumns', sheetId: world.id, first: 8, count: 1 });
    world.people({ do: 'deleteColumns', sheetId: world.id, first: 4, count: 1 });
    expect(profits(world)).toEqual(['', '', '']);
    world.ensure();
    expect(world.cells()[0]).toEqual([
      ...['ASIN', 'Cost', 'Profit', 'Eligible', 'Analysis status', 'Analyzed at', 'ROI'],
      'Analysis row',
    ]);
    expect(profits(world)).toEqual([1, 2, 3]);
    expect(world.row(2).ROI).toBe(0.25);
  });

  it('deletes the column of products, the columns go to the next one', () => {
    const world = listOf([
      ['ASIN', 'Other'],
      [A, B],
      [B, C],
    ]);
    world.ensure();
    world.people({ do: 'deleteColumns', sheetId: world.id, first: 1, count: 1 });
    world.ensure();
    expect(world.cells()[0]).toEqual(['Other', ...TITLES]);
    expect(profits(world)).toEqual([2, 3]);
  });

  it('has put something of their own into a cell of ours, it stays', () => {
    const world = listOf();
    world.ensure();
    world.type(2, 3, 99);
    world.type(3, 3, '=B3*2');
    world.type(4, 3, '');
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 2 });
    expect(profits(world)).toEqual([99, 12, 3]);
  });

  it('has put something into the hidden column, nothing wrong is shown from there on', () => {
    const world = listOf();
    world.type(2, 8, 4);
    const list = world.ensure();
    expect(list.groups[0]?.columns.helper).toBe(14);
    world.type(3, 14, -999_998);
    world.type(3, 9, '');
    world.call('fillIn', [world.id, '1']);
    expect(world.row(3).Profit).toBe('');
  });

  it('cuts a product and pastes it into another row, each row is right again at the next filling', () => {
    const world = listOf();
    world.ensure();
    // In Sheets a formula follows what it refers to.
    world.grid.write(world.id, 2, 8, [[{ formula: world.formula(3, 8) }]]);
    world.grid.write(world.id, 3, 8, [
      [{ formula: world.formula(3, 8).replaceAll('$A3', '#REF!') }],
    ]);
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 2, kept: 0 });
    expect(profits(world)).toEqual([1, 2, 3]);
  });

  it('duplicates the sheet, the copy is a list of its own', () => {
    const world = listOf();
    world.ensure();
    world.people({ do: 'copySheet', sheetId: world.id });
    const copy = world.sheetNamed('Copy of List');
    expect(world.call('lists', [copy])).toMatchObject([{ id: '1', sheetId: copy }]);
    world.ensure({ columns: ['profit', 'fees'] }, { sheetId: copy });
    expect(world.cells(copy)[0]).toEqual(['ASIN', 'Cost', ...TITLES, 'Fees']);
    expect(world.cells()[0]).toEqual(['ASIN', 'Cost', ...TITLES]);
  });

  it('renames or moves columns of the tab, lists follow', () => {
    const world = listOf();
    world.ensure();
    const tab = world.sheetNamed('Analysis');
    world.people({ do: 'renameSheet', sheetId: tab, name: "Bob's data" });
    world.people({ do: 'moveColumns', sheetId: tab, first: 2, count: 1, before: 1 });
    expect(profits(world)).toEqual([1, 2, 3]);
    const before = world.formula(2, 3);
    expect(before).toContain("'Bob''s data'!$A:$A");
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 0, kept: 0 });
    world.type(3, 3, '');
    expect(world.call('fillIn', [world.id, '1'])).toEqual({ filled: 1, kept: 0 });
    expect(world.formula(2, 3)).toBe(before);
    expect(profits(world)).toEqual([1, 2, 3]);
  });

  it('deletes the tab, lists are blank until it is filled again', () => {
    const world = listOf();
    world.ensure();
    world.people({ do: 'deleteSheet', sheetId: world.sheetNamed('Analysis') });
    known(world);
    world.ensure();
    expect(profits(world)).toEqual([1, 2, 3]);
    expect(world.cells()[0]).toEqual(['ASIN', 'Cost', ...TITLES]);
  });
});

describe('columns that a person moves at the moment when they are marked', () => {
  it.each([1, 2, 3, 5])('are looked for again, and no other is marked (at mark %d)', (number) => {
    const world = listOf();
    const insert = { do: 'insertColumns', sheetId: world.id, first: 1, count: 1 } as const;
    world.actAt(/addDeveloperMetadata/, number, insert);
    expect(world.call('ensure', [{ ...world.place, productTitle: 'ASIN' }, WANTED])).toEqual({
      ...{ kind: 'run', why: 'look-again', what: 'ASIN' },
    });
    expect(world.call('lists', [world.id])).toEqual([]);
    expect(world.cells()[0]).toEqual(['', 'ASIN', 'Cost']);
    world.ensure({}, { productColumn: 2 });
    expect(profits(world)).toEqual([1, 2, 3]);
  });
});

describe('columns are not made', () => {
  const failureOf = (world: SheetWorld, userEmail?: string) =>
    world.call('ensure', [world.place, WANTED], userEmail);

  it('in protected cells, which are named', () => {
    const world = listOf();
    const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 26 };
    world.people({ do: 'protect', sheetId: world.id, rectangle, editors: [] });
    expect(failureOf(world, GUEST)).toEqual({ kind: 'protected', cells: 'C1:H1' });
    expect(world.cells()[0]).toEqual(['ASIN', 'Cost']);
    expect(world.call('lists', [world.id])).toEqual([]);
    world.ensure();
  });

  it('where rows are protected, which are named', () => {
    const world = listOf();
    const rectangle = { row: 3, column: 1, rowCount: 2, columnCount: 26 };
    world.people({ do: 'protect', sheetId: world.id, rectangle, editors: [] });
    expect(failureOf(world, GUEST)).toEqual({ kind: 'protected', cells: 'C1:H4' });
  });

  it('and formulas are not filled in where cells are protected', () => {
    const world = listOf();
    world.ensure();
    world.type(3, 3, '');
    const rectangle = { row: 3, column: 3, rowCount: 1, columnCount: 1 };
    world.people({ do: 'protect', sheetId: world.id, rectangle, editors: [] });
    expect(world.call('fillIn', [world.id, '1'], GUEST)).toEqual({
      kind: 'protected',
      cells: 'C3',
    });
  });

  it('where data validation refuses their titles', () => {
    const world = listOf();
    const rectangle = { row: 1, column: 3, rowCount: 4, columnCount: 1 };
    world.grid.setDropdowns(world.id, [{ rectangle, options: ['yes', 'no'] }]);
    expect(failureOf(world)).toEqual({ kind: 'run', why: 'rejected', what: 'C1' });
  });

  it('in a sheet that is gone', () => {
    const world = listOf();
    world.actAt(/addDeveloperMetadata/, 1, { do: 'deleteSheet', sheetId: world.id });
    expect(failureOf(world)).toMatchObject({ kind: 'run', why: 'sheet-gone' });
  });

  it('where the spreadsheet is full', () => {
    const world = listOf(undefined, { maxRows: 1_000, maxColumns: 9_990 });
    world.type(1, 9_990, 'Mine');
    expect(failureOf(world)).toMatchObject({ kind: 'run', why: 'full' });
  });

  it('inside merged cells', () => {
    const world = listOf([
      ['ASIN', 'Cost', ''],
      [A, 5, ''],
      [B, 6, ''],
    ]);
    const rectangle = { row: 1, column: 2, rowCount: 1, columnCount: 3 };
    world.people({ do: 'merge', sheetId: world.id, rectangle });
    world.ensure();
    expect(world.cells()[0]).toEqual(['ASIN', 'Cost', '', '', ...TITLES]);
    expect(profits(world)).toEqual([1, 2]);
  });
});
