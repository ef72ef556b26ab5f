// The Analysis tab as people find it: how it looks, what is written into it, and what they did to it.
import { describe, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import type { AnalysisRow } from '../../src/analysis/row-record';
import type { Failure } from '../../src/failures/failure';
import { sentences } from '../../src/failures/failure-words';
import { figuresBy } from '../../src/product/fields';
import type { DataChange } from '../sheet/sheet-script';
import { createSheetWorld, type SheetWorld } from '../sheet/sheet-world';

const AT = Date.UTC(2026, 0, 5, 9);
const TITLES = [
  ...[
    'Product',
    'Record',
    'Key',
    'ASIN',
    'Market',
    'Status',
    'Profit',
    'ROI',
    'Fees',
    'Eligible',
    'Rank drops 30d',
  ],
  ...['Buy price', 'Sell price', 'Analyzed at', 'Tried at', 'Wanted since', 'Changed', 'Also sent'],
];

/** Without the cell of formulas, which stands to the right. */
const ours = (cells: readonly (readonly unknown[])[]) =>
  cells.map((row) => row.slice(0, TITLES.length));

const figures = (profit: number) => ({
  ...figuresBy(() => null),
  profit,
  roi: 0.25,
  sell_price: 9.5,
  eligible: 'Needs approval' as const,
});

/** An answer for one product, as a job records it. */
const answer = (asin: string, profit: number, atMs = AT): DataChange => ({
  meant: { key: `${asin}|US` },
  becomes: {
    asin,
    market: 'US',
    status: 'OK',
    figures: figures(profit),
    analyzedMs: atMs,
    triedMs: atMs,
    wantedMs: null,
  },
});

/** An answer for every row of a product. */
const productAnswered = (asin: string, profit: number): DataChange => ({
  meant: { product: `${asin}|US` },
  becomes: { figures: figures(profit), status: 'OK', analyzedMs: AT },
});

const [A, B, C] = ['B000000001', 'B000000002', 'B000000003'] as const;

/** A tab with these products, of which each has its place in the list as its profit. */
function worldWith(...asins: readonly string[]): SheetWorld {
  return filled(createSheetWorld(), asins);
}

function filled(world: SheetWorld, asins: readonly string[]): SheetWorld {
  world.record(...asins.map((asin, at) => answer(asin, at + 1)));
  return world;
}

/** Sorted by the profits that `worldWith` gives: from the bottom to the top, if not ascending. */
const turnedOver = (sheetId: number, rowCount: number, ascending = false): Act => ({
  do: 'sort',
  sheetId,
  rectangle: { row: 2, column: 1, rowCount, columnCount: TITLES.length },
  keys: [{ column: TITLES.indexOf('Profit') + 1, ascending }],
});

const profitsOf = (world: SheetWorld) =>
  Object.fromEntries(
    [...world.read().values()].map(({ key, figures: { profit } }) => [key, profit]),
  );

/** Sorts these columns of the tab alone, by profit or by the last of them. */
function sortedAlone(world: SheetWorld, column: number, columnCount: number): void {
  const sort = turnedOver(world.tabId(), 3) as Extract<Act, { do: 'sort' }>;
  const keys = [{ column: column + columnCount - 1, ascending: false }];
  world.people({ ...sort, rectangle: { ...sort.rectangle, column, columnCount }, keys });
}

describe('a tab of which a person has sorted, shifted or typed over some cells alone', () => {
  it.each([
    ['the columns up to the figures', (world: SheetWorld) => sortedAlone(world, 1, 7)],
    ['figures alone', (world: SheetWorld) => sortedAlone(world, 7, 1)],
    ['names alone', (world: SheetWorld) => sortedAlone(world, 4, 1)],
  ])('%s: each product has its own figures', (_, sort) => {
    const world = worldWith(A, B, C);
    sort(world);
    const own = { [`${A}|US`]: 1, [`${B}|US`]: 2, [`${C}|US`]: 3 };
    expect(profitsOf(world)).toEqual(own);
    world.record(answer(B, 20));
    expect(profitsOf(world)).toEqual({ ...own, [`${B}|US`]: 20 });
  });

  it('shows what its records say again, where a row is written', () => {
    const world = worldWith(A, B, C);
    const sheetId = world.tabId();
    const cell = { row: 2, column: 7, rowCount: 1, columnCount: 1 };
    world.people({ do: 'deleteCells', sheetId, rectangle: cell, axis: 'row' });
    world.people({ do: 'edit', sheetId, row: 3, column: 7, contents: [['mine']] });
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1, [`${B}|US`]: 2, [`${C}|US`]: 3 });
    world.record({ meant: { key: `${B}|US` }, becomes: { status: 'Waiting' } });
    expect(world.tabCells()[2]?.[6]).toBe(2);
  });

  it('is of its keys by name only where hidden columns were sorted alone, and is written whole again', () => {
    const world = worldWith(A, B, C);
    sortedAlone(world, 3, 1);
    const unknown = { status: '', analyzedMs: null, fetchedWith: '', figures: { profit: null } };
    expect(world.read().get(`${A}|us`.toLowerCase())).toMatchObject(unknown);
    // The middle one has stayed in its row.
    expect(world.read().get(`${B}|us`.toLowerCase())).toMatchObject({ figures: { profit: 2 } });
    world.record({ meant: { key: `${A}|US` }, becomes: { status: 'Waiting' } });
    expect(world.read().get(`${A}|us`.toLowerCase())).toMatchObject({
      ...{ status: 'Waiting', figures: { profit: null, sell_price: null } },
    });
  });
});

describe('the tab', () => {
  it('is made behind all other tabs, with its titles, and the active sheet stays active', () => {
    const world = createSheetWorld();
    expect(world.call('isThere')).toBe(false);
    expect(world.call('open')).toEqual({ name: 'Analysis', profit: 7 });
    expect(world.grid.sheets().map(({ name }) => name)).toEqual(['List', 'Analysis']);
    expect(ours(world.tabCells())).toEqual([TITLES]);
    expect(world.tabCells()[0]?.at(-1)).toBe('Formulas show figures since');
    expect(world.grid.selection().sheetId).toBe(0);
    const id = world.tabId();
    const titles = { row: 1, column: 1, rowCount: 1, columnCount: TITLES.length };
    expect(world.grid.fontWeights(id, titles)).toEqual([TITLES.map(() => 'bold')]);
    expect(world.grid.frozenRows(id)).toBe(1);
    expect(world.grid.protections(id)).toMatchObject([{ isWarningOnly: true, rectangle: null }]);
    const { rowCount, ...top } = world.grid.filter(id)?.rectangle ?? { rowCount: 0 };
    expect(top).toEqual({ row: 1, column: 1, columnCount: TITLES.length });
    expect(rowCount).toBe(world.grid.size(id).maxRows);
    expect(world.call('isThere')).toBe(true);
  });

  it('holds a row as it was recorded, and gives it back', () => {
    const world = createSheetWorld();
    const [recorded] = world.record(answer(A, 12.5));
    const row: AnalysisRow = {
      ...{ key: `${A}|US`, asin: A, market: 'US', status: 'OK', figures: figures(12.5) },
      ...{
        analyzedMs: AT,
        triedMs: AT,
        wantedMs: null,
        changed: '',
        alsoSent: '',
        fetchedWith: '',
        told: '',
      },
    };
    expect(recorded).toEqual({ before: null, after: row });
    expect([...world.read()]).toEqual([[`${A.toLowerCase()}|us`, row]]);
    const when = new Date(AT);
    const shown = [
      A,
      `${A}|US`,
      A,
      'US',
      'OK',
      12.5,
      0.25,
      '',
      'Needs approval',
      '',
      '',
      9.5,
      when,
    ];
    const [product, record, ...others] = ours(world.tabCells())[1] ?? [];
    expect([product, ...others]).toEqual([...shown, when, '', '', '']);
    expect(record).toMatch(/^row¦asin=B000000001¦.*¦profit=125E-1¦.*¦key=B000000001\|US$/);
  });

  it('changes the row of a key and every row of a product', () => {
    const world = worldWith(A, B);
    world.record({
      meant: { key: `(${A.toLowerCase()})|us` },
      becomes: { asin: A, market: 'US' },
    });
    const changed = world.record({
      meant: { product: `${A}|US` },
      becomes: { figures: figures(7) },
    });
    expect(
      changed.map(({ before, after }) => [before?.figures.profit, after.figures.profit]),
    ).toEqual([
      [1, 7],
      [null, 7],
    ]);
    expect(profitsOf(world)).toEqual({
      [`${A}|US`]: 7,
      [`${B}|US`]: 2,
      [`(${A.toLowerCase()})|us`]: 7,
    });
  });

  it('finds its columns wherever they are, and under any name', () => {
    const world = worldWith(A, B);
    const { people } = world;
    const sheetId = world.tabId();
    people({ do: 'renameSheet', sheetId, name: 'Analysis of mine' });
    people({ do: 'insertColumns', sheetId, first: 1, count: 2 });
    people({ do: 'moveColumns', sheetId, first: 9, count: 1, before: 3 });
    expect(world.call('open')).toEqual({ name: 'Analysis of mine', profit: 3 });
    world.record(answer(B, 20), answer(C, 30));
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1, [`${B}|US`]: 20, [`${C}|US`]: 30 });
    expect(world.grid.sheets()).toHaveLength(2);
  });
});

describe('what people do to the tab', () => {
  it('is made good where they delete a column of ours', () => {
    const world = worldWith(A, B);
    world.people({ do: 'deleteColumns', sheetId: world.tabId(), first: 9, count: 1 });
    world.record(answer(B, 20));
    const titles = [...TITLES.filter((title) => title !== 'Fees'), 'Fees'];
    expect(ours(world.tabCells())[0]).toEqual(titles);
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1, [`${B}|US`]: 20 });
  });

  it('has every row of a product written where they delete the column of markets', () => {
    const world = worldWith(A, B);
    const first = TITLES.indexOf('Market') + 1;
    world.people({ do: 'deleteColumns', sheetId: world.tabId(), first, count: 1 });
    world.record({ meant: { product: `${B}|US` }, becomes: { figures: figures(20) } });
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1, [`${B}|US`]: 20 });
  });

  it('has its filter over a column that is added again, with what it hides, and none where they removed it', () => {
    const world = worldWith(A, B);
    const sheetId = world.tabId();
    const { people } = world;
    const { rectangle } = world.grid.filter(sheetId) ?? {};
    if (rectangle === undefined) throw new Error('The tab has no filter.');
    const hiddenTexts = [{ column: 4, texts: [A] }];
    people({ do: 'filter', sheetId, filter: { rectangle, hiddenTexts } });
    people({ do: 'deleteColumns', sheetId, first: 8, count: 1 });
    world.record(answer(B, 20));
    expect(world.grid.filter(sheetId)).toMatchObject({ rectangle, hiddenTexts });
    people({ do: 'filter', sheetId, filter: null });
    people({ do: 'deleteColumns', sheetId, first: 8, count: 1 });
    world.record(answer(B, 30));
    expect(world.grid.filter(sheetId)).toBeNull();
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1, [`${B}|US`]: 30 });
  });

  it('is left alone where they put a column of theirs between ours, and they are told', () => {
    const world = worldWith(A);
    const cells = JSON.stringify(world.tabCells()[1]);
    world.people({ do: 'insertColumns', sheetId: world.tabId(), first: 3, count: 1 });
    const failure = world.call('record', [[answer(A, 9)]]);
    expect(failure).toEqual({ kind: 'run', why: 'tab-columns', what: 'C' });
    expect(sentences(failure as Failure).message).toBe(
      'Column C of the tab "Analysis" stands between the add-on\'s columns. Move it to the right end, then try again.',
    );
    expect(JSON.stringify(world.tabCells()[1]?.filter((_, at) => at !== 2))).toBe(cells);
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 1 });
  });

  it('is a new tab after they deleted it, and the first of its copies', () => {
    const world = worldWith(A, B);
    const { people } = world;
    people({ do: 'copySheet', sheetId: world.tabId() });
    expect(world.call('open')).toMatchObject({ name: 'Analysis' });
    for (const { id, name } of world.grid.sheets())
      if (name !== 'List') people({ do: 'deleteSheet', sheetId: id });
    expect(world.call('isThere')).toBe(false);
    world.record(answer(B, 2));
    expect(profitsOf(world)).toEqual({ [`${B}|US`]: 2 });
  });

  it('has a typed ASIN of a barcode for the product', () => {
    const world = createSheetWorld();
    const key = '5012345678900|US';
    world.record({ meant: { key }, becomes: { market: 'US', status: 'Which product?' } });
    const edit = { do: 'edit', sheetId: world.tabId(), row: 2, column: 4 } as const;
    world.people({ ...edit, contents: [[` ${A.toLowerCase()}`]] });
    expect(world.read().get(key.toLowerCase())).toMatchObject({ asin: A });
    world.record({ meant: { product: `${A}|US` }, becomes: { figures: figures(4) } });
    expect(profitsOf(world)).toEqual({ [key]: 4 });
  });

  it.each([
    ['deletes a cell under ASIN', { do: 'deleteCells', rowCount: 1 }],
    ['inserts two', { do: 'insertCells', rowCount: 2 }],
  ] as const)(
    'asks again for the product of a barcode where a person %s',
    (_, { rowCount, ...act }) => {
      const world = worldWith(A);
      const keys = ['5012345678900|US', '4006381333931|US'];
      const becomes = { market: 'US', status: 'Which product?' } as const;
      world.record(...keys.map((key) => ({ meant: { key }, becomes })));
      const edit = { do: 'edit', sheetId: world.tabId(), row: 3, column: 4 } as const;
      world.people({ ...edit, contents: [[B], [C]] });
      world.record(...[B, C].map((asin, at) => productAnswered(asin, at + 2)));
      const own = { [`${A}|US`]: 1, [keys[0] ?? '']: 2, [keys[1] ?? '']: 3 };
      expect(profitsOf(world)).toEqual(own);
      const rectangle = { row: 2, column: 4, rowCount, columnCount: 1 };
      world.people({ ...act, sheetId: world.tabId(), rectangle, axis: 'row' });
      const shown = () => [...world.read().values()].map(({ asin }) => asin);
      expect(shown()).toEqual([A, '', '']);
      // Not when others show their own again either.
      world.record(productAnswered(A, 10));
      expect(shown()).toEqual([A, '', '']);
      expect(profitsOf(world)).toEqual({ ...own, [`${A}|US`]: 10 });
      world.people({ ...edit, contents: [[B], [C]] });
      expect(shown()).toEqual([A, B, C]);
    },
  );

  it('has no product for the title of a link, also where ASINs were shifted beside it', () => {
    const world = worldWith(A);
    const title = 'Blue mug|US';
    world.record({ meant: { key: title }, becomes: { market: 'US', status: 'No ASIN' } });
    const edit = { do: 'edit', sheetId: world.tabId(), row: 3, column: 4 } as const;
    world.people({ ...edit, contents: [[C]] });
    expect(world.read().get(title.toLowerCase())?.asin).toBe('');
    world.people({ ...edit, contents: [[A]] });
    world.record({ meant: { product: `${A}|US` }, becomes: { figures: figures(10) } });
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 10, [title]: null });
  });

  it('has the product of its key, whatever is typed under ASIN beside it', () => {
    const world = worldWith(A, B);
    const edit = { do: 'edit', sheetId: world.tabId(), row: 2, column: 4 } as const;
    world.people({ ...edit, contents: [[B]] });
    const found = world.record(
      { meant: { product: `${A}|US` }, becomes: { figures: figures(10) } },
      { meant: { product: `${B}|US` }, becomes: { figures: figures(20) } },
    );
    expect(found).toHaveLength(2);
    expect(profitsOf(world)).toEqual({ [`${A}|US`]: 10, [`${B}|US`]: 20 });
    expect(world.tabCells()[1]?.[3]).toBe(A);
  });

  it('keeps keys as they are written, whatever they look like', () => {
    const world = createSheetWorld();
    const keys = ['=1+1|US', '007|US', "'x|US", '1 Jan 2026|uk', `${'y'.repeat(1_500)}|US`];
    world.record(...keys.map((key) => ({ meant: { key }, becomes: { status: 'OK' } })));
    expect([...world.read().values()].map(({ key }) => key)).toEqual(keys);
    const products = world
      .tabCells()
      .slice(1)
      .map(([product]) => product);
    expect(products).toEqual(keys.map((key) => key.slice(0, key.lastIndexOf('|'))));
    world.record(...keys.map((key) => ({ meant: { key }, becomes: { status: 'Not found' } })));
    expect(world.tabCells()).toHaveLength(keys.length + 1);
  });

  it('has both rows of a key written, and one after tidying: the newest', () => {
    const world = worldWith(A, B, C);
    const sheetId = world.tabId();
    const line = { row: 3, column: 1, rowCount: 1, columnCount: TITLES.length };
    const older = world.grid.values(sheetId, line);
    world.record(answer(B, 20, AT + 60_000));
    world.grid.write(sheetId, 6, 1, older);
    world.grid.write(sheetId, 8, 1, older);
    expect(profitsOf(world)).toMatchObject({ [`${B}|US`]: 20 });
    world.call('tidy');
    const keys = () => world.tabCells().map(([, , key]) => key);
    expect(keys()).toEqual(['Key', ...[A, B, C].map((asin) => `${asin}|US`)]);
    expect(profitsOf(world)).toMatchObject({ [`${B}|US`]: 20 });
    world.grid.write(sheetId, 5, 1, older);
    world.record(answer(B, 30, AT + 60_000));
    const rows = world.tabCells().filter(([, , key]) => key === `${B}|US`);
    expect(rows.map((cells) => cells[6])).toEqual([30, 30]);
  });

  it('gets more rows where it has no more', () => {
    const asins = Array.from({ length: 1_200 }, (_, at) => `B${String(at).padStart(9, '0')}`);
    const world = worldWith(...asins);
    expect(world.read().size).toBe(asins.length);
  });
});

describe('a person who acts at the very moment', () => {
  const ASINS = Array.from({ length: 6 }, (_, at) => `B00000000${at}`);

  it('sorts before the write: nothing is wrong or twice, and what was hit is wanted', () => {
    const world = filled(createSheetWorld(), ASINS);
    const hasActed = world.actAt(/write\.setValues$/, 1, turnedOver(world.tabId(), ASINS.length));
    const recorded = world.record(answer('B000000000', 100));
    expect(hasActed()).toBe(true);
    expect(recorded).toHaveLength(1);
    const hit = world.read().get('b000000005|us');
    expect(hit).toMatchObject({ status: 'Waiting', asin: 'B000000005', market: 'US' });
    expect(hit?.figures.profit).toBeNull();
    expect(hit?.wantedMs).toBeGreaterThan(AT);
    const { 'B000000005|US': _, ...others } = profitsOf(world);
    expect(Object.values(others)).toEqual([100, 5, 4, 3, 2]);
    const rows = world.tabCells().filter(([, , key]) => key === 'B000000000|US');
    expect(rows.map((cells) => cells[6])).toEqual([100]);
  });

  it('sorts between two readings: the rows are read again', () => {
    const world = filled(createSheetWorld(), ASINS);
    // The second of a recording reads the rows that are meant.
    const hasActed = world.actAt(/read\.getValues$/, 2, turnedOver(world.tabId(), ASINS.length));
    const [recorded] = world.record(answer('B000000001', 100));
    expect(hasActed()).toBe(true);
    expect(recorded?.before?.figures.profit).toBe(2);
  });

  it('inserts a column among the figures between two readings: none is taken for another', () => {
    const world = filled(createSheetWorld(), ASINS);
    const sheetId = world.tabId();
    const move: Act = { do: 'moveColumns', sheetId, first: 6, count: 1, before: 9 };
    const hasActed = world.actAt(/read\.getValues$/, 2, move);
    const [recorded] = world.record({
      meant: { key: 'B000000001|US' },
      becomes: { status: 'No answer' },
    });
    expect(hasActed()).toBe(true);
    expect(recorded?.before?.figures).toEqual(figures(2));
    expect(world.read().get('b000000001|us')?.figures).toEqual(figures(2));
  });

  it.each([
    ['inserts a column', { do: 'insertColumns', first: 1, count: 1 }],
    ['moves a column of dates', { do: 'moveColumns', first: 14, count: 1, before: 2 }],
  ] as const)('%s before the write: the row stands in its columns', (_, act) => {
    const world = filled(createSheetWorld(), ASINS);
    const hasActed = world.actAt(/write\.setValues$/, 1, { ...act, sheetId: world.tabId() });
    world.record(answer('B000000001', 100));
    expect(hasActed()).toBe(true);
    expect(profitsOf(world)).toMatchObject({ 'B000000001|US': 100, 'B000000002|US': 3 });
    expect(world.read().get('b000000001|us')).toMatchObject({ analyzedMs: AT });
    expect(world.read().get('b000000001|us')?.figures).toEqual(figures(100));
  });

  it('sorts while rows that repeat a key are deleted: what is gone is wanted', () => {
    const world = filled(createSheetWorld(), ASINS);
    const sheetId = world.tabId();
    const line = { row: 2, column: 1, rowCount: 1, columnCount: TITLES.length };
    world.grid.write(sheetId, 8, 1, world.grid.values(sheetId, line));
    const hasActed = world.actAt(/write\.deleteRows$/, 1, turnedOver(sheetId, 7, true));
    world.call('tidy');
    expect(hasActed()).toBe(true);
    expect([...world.read().keys()].sort()).toEqual(
      ASINS.map((asin) => `${asin.toLowerCase()}|us`),
    );
  });
});
