// The column of products is cleaned up: what is found, what is written and where, and how it is taken back.

import { afterEach, describe, expect, it } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { Change } from '../../src/deal/cleanup';
import { type Cleanup, placed, planCleanup, withoutFormulas } from '../../src/deal/cleanup-plan';
import type { ListInspection, ListPlace, ListRow } from '../../src/deal/list';
import {
  choiceOf,
  granted,
  look,
  SANDBOX,
  type Sheet,
  sheetOf,
  US_ASINS,
} from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

const [A = '', B = '', C = '', D = ''] = US_ASINS;
const link = (asin: string, host = 'com') => `https://www.amazon.${host}/dp/${asin}?th=1`;

const HELPER = 'helper@example.com';

/** Lost zeros: 0306406152. */
const BOOK = 306_406_152;

const cell = (row: number, column = 1) => ({ row, column, rowCount: 1, columnCount: 1 });
const formatAt = ({ grid, id }: Sheet, row: number) => grid.numberFormats(id, cell(row))[0]?.[0];
const columnOf = (sheet: Sheet) => sheet.values().map(([first]) => first);

async function worldOf(sheet: Sheet, host: object = {}): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], ...host } });
  await world.connect();
}

async function placeHere(): Promise<object> {
  const { rows: _, fields: __, ...place } = (await choiceOf(world)) as Record<string, unknown>;
  return place;
}

async function apply(place: object, changes: readonly Change[], isTrial = false, user?: string) {
  const reply = granted(await world.rpc('deals.cleanUp', { ...place, changes, isTrial }, user));
  return reply as unknown as {
    readonly undo: readonly Change[];
    readonly formulas: readonly number[];
    readonly problem?: { readonly kind: string };
  };
}

/** What the page works out, in the same calls. */
async function find(user?: string) {
  const here = (await placeHere()) as Omit<ListPlace, 'titles'>;
  const { titles } = granted(await world.rpc('deals.look', here)) as unknown as ListInspection;
  const place = { ...here, titles };
  const { market, productColumn } = place;
  const columns = [productColumn, ...(market.kind === 'column' ? [market.column] : [])];
  const { rows } = granted(await world.rpc('deals.rows', { ...place, columns }));
  const plan = planCleanup(place, rows as readonly ListRow[]);
  const { formulas } = await apply(place, sent(plan.changes), true, user);
  return { place, found: withoutFormulas(plan, formulas) };
}

/** As the page does it: each cell where it stands by now. */
async function follow(place: ListPlace, changes: readonly Change[]) {
  const columns = [place.productColumn];
  const { rows } = granted(await world.rpc('deals.rows', { ...place, columns }));
  return apply(place, placed(changes, rows as readonly ListRow[]));
}

const sent = (changes: readonly Change[]) =>
  changes.map(({ row, seen, put, format }) => ({ row, seen, put, format }));

const told = ({ changes }: Cleanup) =>
  changes.map(({ row, put, why, isUnsure }) => [row, put, why, ...(isUnsure ? ['unsure'] : [])]);

const list = (...cells: readonly CellValue[]) =>
  sheetOf([['ASIN', 'Note'], ...cells.map((one, at) => [one, `note ${at + 2}`])]);

describe('what is found', () => {
  it('is every cell in which more than the ASIN stands, and why', async () => {
    await worldOf(
      list(A, link(B), ` ${C.toLowerCase()} `, BOOK, '978-0-306-40615-7', '"ABCD123456"'),
    );
    const { found } = await find();
    expect(told(found)).toEqual([
      [3, B, 'link'],
      [4, C, 'typed'],
      [5, '0306406152', 'leading-zeros'],
      [6, '0306406152', 'isbn-13'],
      [7, 'ABCD123456', 'unsure', 'unsure'],
    ]);
    expect(found.repeated).toBe(1);
    expect((await look(world)).toClean).toBe(5);
  });

  it('is nothing in a clean column, and the page has no link for it', async () => {
    await worldOf(list(A, B));
    expect((await find()).found.changes).toEqual([]);
    expect((await look(world)).toClean).toBe(0);
  });

  it('may be wrong where a link leads to another market', async () => {
    await worldOf(list(A, link(B, 'co.uk')));
    expect(told((await find()).found)).toEqual([[3, B, 'other-market', 'unsure']]);
  });

  it('is sure where a column names the market of the link', async () => {
    const rows = [link(A, 'co.uk'), 'UK', link(B, 'co.uk'), '', link(C, 'co.uk'), 'US', D, 'UK'];
    const pairs = [0, 2, 4, 6].map((at) => rows.slice(at, at + 2));
    await worldOf(sheetOf([['ASIN', 'Market'], ...pairs]));
    const whys = (await find()).found.changes.map(({ row, why }) => [row, why]);
    expect(whys).toEqual([
      [2, 'link'],
      [3, 'other-market'],
      [4, 'other-market'],
    ]);
  });

  it('leaves formulas and long cells alone, and names barcodes', async () => {
    const long = `${link(D)}${'x'.repeat(1_000)}`;
    const sheet = list(A, '', '4006381333931', long, link(C));
    await worldOf(sheet);
    calculating(sheet.grid, { nowMs: () => world.host.nowMs() });
    sheet.grid.write(sheet.id, 3, 1, [[{ formula: `="${link(B)}"` }]]);
    const { found, place } = await find();
    expect(found.left.map(({ row, why }) => [row, why])).toEqual([
      [3, 'formula'],
      [4, expect.stringContaining('is a barcode')],
      [5, 'long'],
    ]);
    expect(found.changes.map(({ row }) => row)).toEqual([6]);
    const before = columnOf(sheet);
    const formula = { row: 3, seen: link(B), put: B, format: '@' };
    expect((await apply(place, [formula])).undo).toEqual([]);
    expect(columnOf(sheet)).toEqual(before);
  });

  it.each([
    ['above', 2, 1],
    ['at the left of them', 1, 1],
  ])('leaves cells alone that one formula %s fills', async (_, row, column) => {
    const sheet = sheetOf([
      ['Note', 'ASIN'],
      ['', ''],
      ['', ''],
    ]);
    const there = sheetOf([
      ['ASIN', 'Note'],
      ['', ''],
      ['', ''],
    ]);
    const one = row === 1 ? sheet : there;
    await worldOf(one);
    calculating(one.grid, { nowMs: () => world.host.nowMs() });
    const cells =
      row === 1
        ? `{"Note","ASIN";"x","${link(A)}";"y","${link(B)}"}`
        : `{"${link(A)}";"${link(B)}"}`;
    if (row === 1) one.grid.write(one.id, 1, 1, [['', '']]);
    one.grid.write(one.id, row, column, [[{ formula: `=${cells}` }]]);
    const before = one.values();
    expect(before.flat()).toContain(link(B));
    const { found, place } = await find();
    expect(found.changes).toEqual([]);
    expect(found.left.map(({ why }) => why)).toEqual(['formula', 'formula']);
    const all = [2, 3].map((at) => ({
      row: at,
      seen: link(at === 2 ? A : B),
      put: A,
      format: '@',
    }));
    expect((await apply(place, all)).undo).toEqual([]);
    expect(one.values()).toEqual(before);
  });

  it('is refused where the column is protected', async () => {
    const sheet = list(A, link(B));
    await worldOf(sheet, { documents: [{ ...sheet.document, editors: [HELPER] }] });
    sheet.grid.protect({ sheetId: sheet.id, rectangle: cell(3) });
    const { titles } = (await find()).place;
    const change = { row: 3, seen: link(B), put: B, format: '@' };
    const place = { ...(await placeHere()), titles, changes: [change], isTrial: false };
    const { failure } = await world.rpc('deals.cleanUp', place, HELPER);
    expect(failure).toMatchObject({ kind: 'protected' });
    expect(columnOf(sheet)).toEqual(['ASIN', A, link(B)]);
  });
});

describe('a cleanup', () => {
  it('writes texts, and is taken back with numbers and formats', async () => {
    const sheet = list(A, BOOK, link(B), '978-0-306-40615-7');
    const before = {
      values: sheet.values(),
      formats: [2, 3, 4, 5].map((row) => formatAt(sheet, row)),
    };
    await worldOf(sheet);
    const { place, found } = await find();
    const { undo } = await apply(place, sent(found.changes));
    expect(columnOf(sheet)).toEqual(['ASIN', A, '0306406152', B, '0306406152']);
    expect([2, 3, 4, 5].map((row) => formatAt(sheet, row))).toEqual([
      before.formats[0],
      '@',
      '@',
      '@',
    ]);
    expect((await find()).found.changes).toEqual([]);
    expect((await apply(place, undo)).undo).toHaveLength(3);
    expect(sheet.values()).toEqual(before.values);
    expect([2, 3, 4, 5].map((row) => formatAt(sheet, row))).toEqual(before.formats);
  });

  it('is done where the column was text before', async () => {
    const sheet = sheetOf([['ASIN', 'Note'], [A], ['9780306406157']]);
    sheet.grid.setNumberFormats(sheet.id, 3, 1, [['@']]);
    await worldOf(sheet);
    const { place, found } = await find();
    const { undo } = await apply(place, sent(found.changes));
    expect(columnOf(sheet)).toEqual(['ASIN', A, '0306406152']);
    await apply(place, undo);
    expect(columnOf(sheet)).toEqual(['ASIN', A, '9780306406157']);
    expect(formatAt(sheet, 3)).toBe('@');
  });

  it('finds rows and columns that have moved since', async () => {
    const sheet = list(A, link(B), link(C), link(D));
    await worldOf(sheet);
    const { place, found } = await find();
    sheet.grid.insertRows(sheet.id, 2, 2);
    sheet.grid.insertColumns(sheet.id, 1, 1);
    const { undo } = await follow(place, sent(found.changes));
    expect(sheet.values().map((row) => row[1])).toEqual(['ASIN', '', '', A, B, C, D]);
    sheet.grid.deleteRows(sheet.id, 2, 2);
    expect((await follow(place, undo)).undo).toHaveLength(3);
    expect(sheet.values().map((row) => row[1])).toEqual(['ASIN', A, link(B), link(C), link(D)]);
  });

  it('leaves what was typed meanwhile, and where two cells can be meant', async () => {
    const sheet = list(A, link(B), link(C), link(C));
    await worldOf(sheet);
    const { place, found } = await find();
    sheet.grid.write(sheet.id, 3, 1, [['mine']]);
    sheet.grid.insertRows(sheet.id, 2, 5);
    const { undo } = await follow(place, sent(found.changes.slice(0, 2)));
    expect(undo).toEqual([]);
    expect(columnOf(sheet).slice(6)).toEqual([A, 'mine', link(C), link(C)]);
  });

  /** Rows or columns come in at the top, in the moment in which the cells are written. */
  async function applyWhile(sheet: Sheet, act: 'insertRows' | 'insertColumns') {
    let isArmed = false;
    await worldOf(sheet, {
      betweenCalls: ({ operation }: { readonly operation: string }) => {
        if (!isArmed || operation !== 'spreadsheet.write.setValues') return [];
        isArmed = false;
        return [{ do: act, sheetId: sheet.id, first: 2, count: 1 }];
      },
    });
    const { place, found } = await find();
    isArmed = true;
    const changes = sent(found.changes);
    const reply = await world.rpc('deals.cleanUp', { ...place, changes, isTrial: false });
    expect(isArmed).toBe(false);
    return reply;
  }

  it('names the cells where rows come in in the moment of the write', async () => {
    const sheet = list(A, link(B), link(C), D);
    expect(await applyWhile(sheet, 'insertRows')).toMatchObject({
      failure: { why: 'overwritten', what: 'A3:A4' },
    });
  });

  it('names the column where rows come in and nothing stands beside it', async () => {
    const sheet = sheetOf([['ASIN'], [A], [link(B)], [link(C)]]);
    expect(await applyWhile(sheet, 'insertRows')).toMatchObject({
      failure: { why: 'overwritten', what: 'A' },
    });
  });

  it('puts back what it met where columns come in in the moment of the write', async () => {
    const rows = [
      ['Note', 'ASIN', 'More'],
      ['n2', A, 'm2'],
      ['n3', link(B), 'm3'],
    ];
    const sheet = sheetOf(rows);
    expect(await applyWhile(sheet, 'insertColumns')).toMatchObject({ value: { undo: [] } });
    expect(sheet.values()).toEqual(rows.map(([first = '', ...others]) => [first, '', ...others]));
  });

  it('is no other where a formula beside it reads the products', async () => {
    const sheet = sheetOf([
      ['ASIN', 'Length'],
      [A, ''],
      [link(B), ''],
    ]);
    await worldOf(sheet);
    calculating(sheet.grid, { nowMs: () => world.host.nowMs() });
    sheet.grid.write(sheet.id, 2, 2, [[{ formula: '=ARRAYFORMULA(LEN(A2:A3))' }]]);
    const { place, found } = await find();
    const { undo, problem } = await apply(place, sent(found.changes));
    expect([undo.length, problem]).toEqual([1, undefined]);
    expect(sheet.values().slice(1)).toEqual([
      [A, 10],
      [B, 10],
    ]);
  });

  it('answers what takes it back', async () => {
    const sheet = list(A, link(B));
    await worldOf(sheet);
    const { place, found } = await find();
    const reply = await apply(place, sent(found.changes));
    expect(reply.problem).toBeUndefined();
    expect(reply.undo).toEqual([{ row: 3, seen: B, put: link(B), format: expect.any(String) }]);
  });
});
