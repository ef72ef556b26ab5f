// Which rows a run takes, as people choose them: on view, selected, never analyzed, failed, old.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, granted, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 42);
const DAY_MS = 86_400_000;

/** Every second row is odd, from row 3 on. */
const list = () =>
  sheetOf([['ASIN', 'Kind'], ...LIST.map((asin, at) => [asin, at % 2 === 0 ? 'even' : 'odd'])]);

async function worldWith(sheet: Sheet, faults: Readonly<Record<string, 'crash'>> = {}) {
  world = createWorld({ sandbox: { ...SANDBOX, faults }, host: { documents: [sheet.document] } });
  await world.connect();
}

const area = (row: number, column: number, rowCount: number, columnCount: number) => ({
  row,
  column,
  rowCount,
  columnCount,
});

/** Rows with a status of this run. */
const analyzed = (sheet: Sheet) =>
  sheet.values().flatMap((row, at) => (String(row[7]).startsWith('OK ') ? [at + 1] : []));

const NO_ROWS = 'There is no product in these rows. Choose other rows or another column.';

describe('rows on view', () => {
  it('are those that neither a person nor a filter hides', async () => {
    const sheet = list();
    await worldWith(sheet);
    sheet.grid.hideRows(sheet.id, 4, 3);
    const rectangle = area(1, 1, 13, 2);
    sheet.grid.setFilter(sheet.id, { rectangle, hiddenTexts: [{ column: 2, texts: ['odd'] }] });
    const rows = { kind: 'visible' };
    expect(await check(world, { rows })).toMatchObject({ rows: 4, calls: 4 });
    expect(await runAll(world, { rows })).toMatchObject({ rows: 4, answered: 4 });
    expect(analyzed(sheet)).toEqual([2, 8, 10, 12]);
    expect(world.service().arrived).toBe(4);
  });

  it('are none where all are hidden, which is said', async () => {
    const sheet = list();
    await worldWith(sheet);
    sheet.grid.hideRows(sheet.id, 2, 12);
    await expect(check(world, { rows: { kind: 'visible' } })).rejects.toThrow(NO_ROWS);
  });
});

describe('rows by what became of them', () => {
  it('are none where nothing failed, or nothing is missing or old, and that is said', async () => {
    await worldWith(list());
    await expect(check(world, { rows: { kind: 'failed' } })).rejects.toThrow(
      'No row failed before. Choose other rows.',
    );
    await runAll(world);
    await expect(check(world, { rows: { kind: 'empty' } })).rejects.toThrow(
      'Every row has its figures. Choose other rows.',
    );
    await expect(check(world, { rows: { kind: 'older', days: 1 } })).rejects.toThrow(
      'No row was analyzed so long ago. Choose other rows.',
    );
  });
});

describe('selected rows', () => {
  it('may be several ranges, over any columns, meeting each other and the header', async () => {
    const sheet = list();
    await worldWith(sheet);
    const rectangle = area(9, 2, 2, 1);
    const others = [area(1, 1, 2, 1), area(4, 1, 1, 5), area(4, 2, 2, 1)];
    sheet.grid.select({ sheetId: sheet.id, rectangle, others });
    const rows = { kind: 'selection' };
    expect(await check(world, { rows })).toMatchObject({ rows: 5, calls: 5 });
    await runAll(world, { rows });
    expect(analyzed(sheet)).toEqual([2, 4, 5, 9, 10]);
  });

  it('may be the whole column', async () => {
    const sheet = list();
    await worldWith(sheet);
    sheet.grid.select({ sheetId: sheet.id, rectangle: area(1, 1, 1_000, 1) });
    expect(await check(world, { rows: { kind: 'selection' } })).toMatchObject({ rows: 12 });
  });

  it('of another sheet than the one chosen are none', async () => {
    const sheet = list();
    await worldWith(sheet);
    const { choice } = granted(await world.rpc('bulk.look'));
    const other = sheet.grid.addSheet('Other', 2);
    sheet.grid.select({ sheetId: other, rectangle: area(2, 1, 5, 1) });
    const wish = { ...(choice as object), rows: { kind: 'selection' } };
    expect((await world.rpc('bulk.start', wish)).failure?.message).toBe(NO_ROWS);
  });
});

describe('rows by what became of them', () => {
  it('are never analyzed, failed before, or older than some days', async () => {
    const sheet = list();
    const [first = '', second = ''] = LIST;
    await worldWith(sheet, { [first]: 'crash', [second]: 'crash' });
    sheet.grid.write(sheet.id, 4, 1, [['no product']]);
    sheet.grid.select({ sheetId: sheet.id, rectangle: area(2, 1, 6, 1) });
    expect(await runAll(world, { rows: { kind: 'selection' } })).toMatchObject({
      answered: 3,
      failed: 3,
    });
    const rowsOf = async (rows: object) => (await check(world, { rows })).rows;
    expect(await rowsOf({ kind: 'empty' })).toBe(6);
    expect(await rowsOf({ kind: 'failed' })).toBe(3);
    expect(await rowsOf({ kind: 'all' })).toBe(12);
    // Rows that have no figures at all are older than anything.
    expect(await rowsOf({ kind: 'older', days: 2 })).toBe(9);
    await world.host.run(world.host.nowMs() + 3 * DAY_MS);
    expect(await rowsOf({ kind: 'older', days: 2 })).toBe(12);
    expect(await rowsOf({ kind: 'older', days: 4 })).toBe(9);
  });

  it('have no figures where those beside them are of the list that stood there before', async () => {
    const sheet = list();
    await worldWith(sheet);
    await runAll(world);
    const news = US_ASINS.slice(130, 136).map((asin) => [asin]);
    sheet.grid.write(sheet.id, 2, 1, news);
    for (const rows of [{ kind: 'empty' }, { kind: 'older', days: 1 }])
      expect(await check(world, { rows })).toMatchObject({ rows: 6, calls: 6 });
    expect(await runAll(world, { rows: { kind: 'empty' } })).toMatchObject({ answered: 6 });
    const statuses = sheet
      .values()
      .slice(1)
      .map((row) => row[7]);
    expect(statuses.slice(0, 6)).toEqual(news.map(([asin]) => `OK ${asin} US`));
    expect(statuses.slice(6)).toEqual(LIST.slice(6).map((asin) => `OK ${asin} US`));
  });

  it('that failed are run again alone, and the others keep what they have', async () => {
    const sheet = list();
    await worldWith(sheet);
    sheet.grid.write(sheet.id, 3, 1, [['no product']]);
    expect(await runAll(world)).toMatchObject({ answered: 11, failed: 1 });
    sheet.grid.write(sheet.id, 3, 1, [[LIST[1] ?? '']]);
    const before = sheet.values().filter((_, at) => at !== 2);
    expect(await runAll(world, { rows: { kind: 'failed' } })).toMatchObject({ rows: 1, calls: 1 });
    expect(sheet.byHeader(3)['Analysis status']).toBe(`OK ${LIST[1]} US`);
    expect(sheet.values().filter((_, at) => at !== 2)).toEqual(before);
  });
});
