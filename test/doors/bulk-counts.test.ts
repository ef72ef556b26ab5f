// How many rows there are is one number: in the choice of rows, in the check and at the end.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  check,
  choiceOf,
  granted,
  look,
  runAll,
  SANDBOX,
  type Sheet,
  sheetOf,
  US_ASINS,
} from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 40);

async function worldWith(sheet: Sheet): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
}

describe('a list with gaps, repeats, what cannot be read, and a line of totals', () => {
  const rows = [...LIST, '', LIST[0] ?? '', 'no product', '', ''];
  const sheetNow = () =>
    sheetOf([['Title', 'ASIN'], ...rows.map((asin) => ['a mug', asin]), ['Total', '']]);

  it('has as many rows in the choice, the check and the end', async () => {
    await worldWith(sheetNow());
    expect(await look(world)).toMatchObject({ listRows: 12 });
    const found = await check(world);
    expect(found).toMatchObject({ rows: 12, products: 10, duplicates: { count: 1 } });
    const end = await runAll(world);
    expect(end).toMatchObject({ rows: 12, failed: 1, leftOut: 0 });
    expect(Number(end.answered) + Number(end.cached) + Number(end.failed)).toBe(12);
  });

  it('counts of what is selected the rows that a run would take', async () => {
    const sheet = sheetNow();
    await worldWith(sheet);
    sheet.grid.select({
      sheetId: sheet.id,
      rectangle: { row: 9, column: 1, rowCount: 6, columnCount: 2 },
    });
    const { selectedRows } = await look(world);
    expect(selectedRows).toBe((await check(world, { rows: { kind: 'selection' } })).rows);
  });

  it('tells in the end of rows that were left out', async () => {
    const sheet = sheetNow();
    await worldWith(sheet);
    await runAll(world);
    const status = sheet.values()[0]?.indexOf('Analysis status') ?? 0;
    sheet.grid.write(sheet.id, 3, status + 1, [['ask Ann']]);
    expect(await check(world)).toMatchObject({ rows: 12, kept: { count: 1 } });
    const end = await runAll(world);
    expect(end).toMatchObject({ rows: 11, leftOut: 1 });
  });
});

describe('a list longer than what is looked at first', () => {
  it('is counted as a whole', async () => {
    const asins = US_ASINS.slice(0, 400).flatMap((asin, at) =>
      at % 4 === 0 ? ['', asin] : [asin],
    );
    await worldWith(sheetOf([['ASIN'], ...asins.map((asin) => [asin])]));
    expect(await look(world)).toMatchObject({ listRows: 400 });
    expect(await check(world)).toMatchObject({ rows: 400 });
  });
});

describe('a list without a readable product', () => {
  it('is told as that', async () => {
    const sheet = sheetOf([['ASIN'], ['tea'], ['mug']]);
    await worldWith(sheet);
    const { byHand } = await look(world);
    const choice = { ...(byHand as object), productColumn: 1 };
    expect(granted(await world.rpc('bulk.preflight', choice))).toMatchObject({
      ...{ rows: 2, products: 0, calls: 0, unreadable: { count: 2 } },
      problem: {
        message: 'There is no product in these rows. Choose other rows or another column.',
      },
    });
  });
});

describe('a check of one sheet while another is in view', () => {
  it('says which sheet is in view, and checks nothing', async () => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    await worldWith(sheet);
    const choice = await choiceOf(world);
    const other = sheet.grid.addSheet('Clearance', 2);
    sheet.grid.select({
      sheetId: other,
      rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
    });
    const { ok, failure } = await world.rpc('bulk.preflight', choice);
    expect(ok).toBe(false);
    expect(failure?.message).toBe(
      '"Clearance" is in view now, and this was chosen for another sheet. Look again.',
    );
  });
});
