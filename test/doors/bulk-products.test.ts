// What people keep in a product column and beside it: links, numbers, formulas, endless texts, markets.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, look, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 42);
const [BOOK = '', SECOND = '', THIRD = '', FOURTH = ''] = LIST;

async function worldWith(sheet: Sheet): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
}

const statuses = (sheet: Sheet) =>
  sheet
    .values()
    .slice(1)
    .map((_, at) => String(sheet.byHeader(at + 2)['Analysis status']));

describe('a product', () => {
  it('that is a link to another market is told: the list is asked in one', async () => {
    await worldWith(sheetOf([['ASIN'], [`https://www.amazon.co.uk/dp/${THIRD}`], [SECOND]]));
    const { repaired } = await check(world);
    expect(repaired).toMatchObject({
      count: 1,
      rows: [{ row: 2, why: `Read as ${THIRD}: a link to another market, asked for in US.` }],
    });
  });

  it('is read from links, ISBN-13, lost zeros and odd writing, and filled wherever it stands', async () => {
    const sheet = sheetOf([
      ['ASIN'],
      [Number(BOOK)],
      [` ${SECOND.toLowerCase()} `],
      [`https://www.amazon.com/Some-thing/dp/${THIRD}/ref=sr_1?x=1`],
      [BOOK],
      [`amazon.com/gp/product/${THIRD}`],
      [SECOND],
    ]);
    await worldWith(sheet);
    const found = await check(world);
    expect(found).toMatchObject({ rows: 6, products: 3, calls: 3, unreadable: { count: 0 } });
    expect(found.repaired).toMatchObject({
      count: 3,
      rows: [
        { row: 2, shown: String(Number(BOOK)), why: `Read as ${BOOK}: restored leading zeros.` },
        { row: 4, why: `Read as ${THIRD}: a link.` },
        { row: 6, why: `Read as ${THIRD}: a link.` },
      ],
    });
    expect(found.duplicates).toMatchObject({
      count: 3,
      rows: [
        { row: 5, why: 'The same product as in row 2.' },
        { row: 6, why: 'The same product as in row 4.' },
        { row: 7, why: 'The same product as in row 3.' },
      ],
    });
    expect(await runAll(world)).toMatchObject({ answered: 3, cached: 3, calls: 3 });
    const order = [BOOK, SECOND, THIRD, BOOK, THIRD, SECOND];
    expect(statuses(sheet)).toEqual(order.map((asin) => `OK ${asin} US`));
    expect(sheet.byHeader(2).Fees).toBe(sheet.byHeader(5).Fees);
    expect(sheet.values()[1]?.[0]).toBe(Number(BOOK));
  });

  it('may be the result of a formula, which stays', async () => {
    const sheet = sheetOf([['Key', 'ASIN'], ...LIST.slice(0, 3).map((asin) => [`key ${asin}`])]);
    const formulas = [2, 3, 4].map((row) => `=MID(A${row},5,10)`);
    sheet.grid.write(
      sheet.id,
      2,
      2,
      formulas.map((formula) => [{ formula }]),
    );
    LIST.slice(0, 2).forEach((asin, at) => {
      sheet.grid.setComputed(sheet.id, at + 2, 2, asin);
    });
    sheet.grid.setComputed(sheet.id, 4, 2, '#N/A');
    await worldWith(sheet);
    expect(await look(world)).toMatchObject({ choice: { productColumn: 2 } });
    expect(await runAll(world)).toMatchObject({ answered: 2, failed: 1 });
    expect(statuses(sheet).slice(0, 2)).toEqual([`OK ${BOOK} US`, `OK ${SECOND} US`]);
    const cells = { row: 2, column: 2, rowCount: 3, columnCount: 1 };
    expect(sheet.grid.formulas(sheet.id, cells).flat()).toEqual(formulas);
  });

  it('whose formula comes to another one while the run asks gets the figures of what stands there', async () => {
    const sheet = sheetOf([['Key', 'ASIN'], ['1'], ['2'], ['3']]);
    sheet.grid.write(
      sheet.id,
      2,
      2,
      [2, 3, 4].map((row) => [{ formula: `=LOOK(A${row})` }]),
    );
    LIST.slice(0, 3).forEach((asin, at) => {
      sheet.grid.setComputed(sheet.id, at + 2, 2, asin);
    });
    let isChanged = false;
    world = createWorld({
      sandbox: SANDBOX,
      host: {
        documents: [sheet.document],
        betweenCalls: ({ operation }) => {
          if (!isChanged && operation === 'urlFetch.fetchAll') {
            isChanged = true;
            sheet.grid.setComputed(sheet.id, 3, 2, FOURTH);
          }
          return [];
        },
      },
    });
    await world.connect();
    await runAll(world);
    expect(statuses(sheet)).toEqual([BOOK, FOURTH, THIRD].map((asin) => `OK ${asin} US`));
  });
});

describe('a cell of 50,000 characters', () => {
  it('in the product column is a link or says why it is none; beside it, it stays', async () => {
    const link = `https://www.amazon.com/dp/${SECOND}?x=`;
    const long = 'y'.repeat(50_000);
    const sheet = sheetOf([
      ['ASIN', 'Note'],
      [BOOK, 'x'.repeat(50_000)],
      [link.padEnd(50_000, 'z'), 'short'],
      [long, 'short'],
      [`${long.slice(1)}!`, 'short'],
    ]);
    await worldWith(sheet);
    const { unreadable } = await check(world);
    const [{ shown }] = (unreadable as { rows: [{ shown: string }] }).rows;
    expect(shown).toHaveLength(40);
    expect(await runAll(world)).toMatchObject({ answered: 2, failed: 2 });
    expect(statuses(sheet).slice(0, 2)).toEqual([`OK ${BOOK} US`, `OK ${SECOND} US`]);
    expect(statuses(sheet)[2]?.length).toBeLessThan(200);
    expect(String(sheet.values()[1]?.[1])).toHaveLength(50_000);
    expect(sheet.values()[3]?.[0]).toBe(long);
  });
});

describe('a market column', () => {
  const MARKETS = ['usa', 'amazon.com', 'UK', 'gb', ' Co.Uk ', '', 'Mars', ''];
  const product = (at: number) =>
    at === 7 ? `https://www.amazon.co.uk/dp/${LIST[at]}` : (LIST[at] ?? '');
  const mixed = () =>
    sheetOf([['Marketplace', 'ASIN'], ...MARKETS.map((market, at) => [market, product(at)])]);

  it('may be spelt as people spell; blank is the market of the link, else the usual one', async () => {
    const sheet = mixed();
    await worldWith(sheet);
    expect(await look(world)).toMatchObject({ choice: { market: { kind: 'column', column: 1 } } });
    const why = '"Mars" is not a supported market. Use US or UK.';
    expect(await check(world)).toMatchObject({
      products: 7,
      unreadable: { count: 1, rows: [{ row: 8, why }] },
    });
    await runAll(world);
    const markets = statuses(sheet).map(
      (text) => /[A-Z0-9]{10} (US|UK)\b[^\]]*\]?$/.exec(text)?.[1],
    );
    expect(markets).toEqual(['US', 'US', 'UK', 'UK', 'UK', 'US', undefined, 'UK']);
  });

  it('gives each row the formats of its own market, and dates and texts theirs', async () => {
    const sheet = mixed();
    await worldWith(sheet);
    await runAll(world);
    const formats = sheet.grid.numberFormats(sheet.id, {
      row: 2,
      column: 3,
      rowCount: 4,
      columnCount: 7,
    });
    const beside = (money: string) => [
      money,
      '0.0%',
      money,
      '0.###############',
      '0',
      '@',
      'yyyy-mm-dd hh:mm',
    ];
    const [dollars, pounds] = [beside('[$$]#,##0.00'), beside('[$£]#,##0.00')];
    expect(formats).toEqual([dollars, dollars, pounds, pounds]);
  });
});
