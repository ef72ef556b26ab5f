// The tab of a list's summary on the emulated host: its numbers against the page's own, its charts, whose tab it replaces.

import { afterEach, describe, expect, it } from '@jest/globals';
import { chartsIn } from 'apps-script-host/services/chart';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { arrivalsOf } from '../../playground/api/state';
import { type Offer, summaryOf } from '../../src/deal/offers';
import { granted, SANDBOX } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  type DealWorld,
  dealWorld,
  decide,
  offersIn,
  summarize as summarizeIn,
} from '../doors/deal-list';
import { NOT_REGISTERED } from './worked-examples';

let made: DealWorld;

afterEach(() => made.world.stop());

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const HEADERS = [
  'ASIN',
  'Market',
  'Pack cost',
  'Order qty',
  'Pack size',
  'VAT',
  'Prep',
  'Discount',
];
const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const ASINS = { US: [...asins.US], UK: [...asins.UK] };

/** How a row says its market: in its own cell, else by the product's link, else it is the usual one. */
const SAID: readonly (readonly [market: string, product: string, isOf: 'US' | 'UK'])[] = [
  ['US', '', 'US'],
  ['uk', '', 'UK'],
  ['', '', 'US'],
  [' https://www.Amazon.co.uk/ ', '', 'UK'],
  ['', 'https://www.amazon.co.uk/dp/', 'UK'],
  ['', 'https://www.amazon.com/dp/', 'US'],
  ['', 'https://www.google.com/url?q=https%3A%2F%2Fwww.amazon.co.uk%2Fdp%2F', 'UK'],
  ['', 'https://keepa.com/#!product/1-', 'US'],
  ['', 'https://keepa.com/#!product/2-', 'UK'],
  ['DE', '', 'US'],
  ['us/uk', '', 'US'],
];

/** A 0 is one as well: nothing is bought there. What programs write may be a text, which may say nothing. */
const QUANTITIES: readonly CellValue[] = ['', 0, 2, '3', ' 1,200 ', 'OOS'];
const BOUGHT = [1, 0, 2, 3, 1_200, null];

/** Rows of every market and spelling, with costs for each verdict. */
const offers = (count: number): CellValue[][] =>
  Array.from({ length: count }, (_, at) => {
    const [market, link, isOf] = SAID[at % SAID.length] ?? ['', '', 'US'];
    return [
      ...[
        link + (ASINS[isOf][at] ?? ''),
        market,
        2 + 7 * (at % 3),
        QUANTITIES[at % QUANTITIES.length] ?? '',
      ],
      ...[1 + (at % 2), at % 3 === 0 ? 20 : '', at % 5 === 0 ? 1 : '', at % 7 === 0 ? 10 : ''],
    ];
  });

async function desk(
  rows: readonly (readonly CellValue[])[],
  options: Parameters<typeof dealWorld>[1] = {},
): Promise<void> {
  made = await dealWorld([HEADERS, ...rows], { maxRows: rows.length + 5, ...options });
  await analyze(made.world, { fields: FIELDS });
  granted(await changeRules(made.world, { values: NOT_REGISTERED }));
  granted(await decide(made.world));
}

async function summarize(): Promise<{ readonly id: number; readonly name: unknown }> {
  const tab = granted(await summarizeIn(made.world));
  return { id: Number(tab.sheetId), name: tab.name };
}

type Column = Readonly<Record<string, CellValue>>;

const cellsOf = (id: number) => {
  const { grid } = made.sheet;
  const { lastRow, lastColumn } = grid.size(id);
  return grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
};

/** The numbers of each market by their labels. */
function numbersOf(id: number): Readonly<Record<string, Column>> {
  const cells = cellsOf(id);
  const [, ...markets] = cells.find(([title]) => title === 'Verdict') ?? [];
  return Object.fromEntries(
    markets.map((market, at) => [
      String(market),
      Object.fromEntries(cells.map((row) => [String(row[0]), row[at + 1] ?? ''])),
    ]),
  );
}

/** Why the others fail, by reason. */
function reasonsOf(id: number): Column {
  const cells = cellsOf(id);
  const at = cells.findIndex(([title]) => title === 'Why the others fail');
  return Object.fromEntries(cells.slice(at + 1).map(([reason, count]) => [reason, count ?? '']));
}

const sheetNames = () => made.sheet.grid.sheets().map(({ name }) => name);

const BANDS: readonly (readonly [string, number, number])[] = [
  ['Under 0%', Number.NEGATIVE_INFINITY, 0],
  ['0 to 15%', 0, 0.15],
  ['15 to 30%', 0.15, 0.3],
  ['30 to 50%', 0.3, 0.5],
  ['50 to 100%', 0.5, 1],
  ['100% and more', 1, Number.POSITIVE_INFINITY],
];

/** What the page makes of the rows of a market, against what stands in its column. */
async function checkMarket(market: string, column: Column): Promise<void> {
  const own = (await offersIn(made.world)).filter(({ product }) => product?.market === market);
  const { verdicts, money } = summaryOf(own);
  const { outlay = 0, profit = 0 } = money[0] ?? {};
  expect(column).toMatchObject(verdicts);
  expect(column.Outlay).toBeCloseTo(outlay, 1);
  expect(column.Profit).toBeCloseTo(profit, 1);
  if (outlay > 0) expect(column.ROI).toBeCloseTo(profit / outlay, 2);
  const cells = own.map(({ row }: Offer) => made.sheet.byHeader(row));
  expect(own.map(({ quantity }) => quantity)).toEqual(
    cells.map((cell) => BOUGHT[QUANTITIES.indexOf(cell['Order qty'] ?? '')]),
  );
  for (const [band, from, to] of BANDS) {
    const inBand = (roi: unknown) => typeof roi === 'number' && roi >= from && roi < to;
    expect([band, column[band]]).toEqual([
      band,
      cells.filter((one) => inBand(one['My ROI'])).length,
    ]);
  }
}

async function checkAgainstPage(id: number): Promise<void> {
  const markets = numbersOf(id);
  expect(Object.keys(markets)).toEqual(['US', 'UK']);
  for (const [market, column] of Object.entries(markets)) await checkMarket(market, column);
  const { reasons } = summaryOf(await offersIn(made.world));
  expect(reasons.length).toBeGreaterThan(1);
  expect(reasonsOf(id)).toEqual(
    Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows])),
  );
}

describe('a summary', () => {
  it.each(['en_US', 'de_DE'])(
    'counts as the page does in a spreadsheet of %s, each currency for itself',
    async (locale) => {
      await desk(offers(30), { locale });
      const { id } = await summarize();
      await checkAgainstPage(id);
      for (const { Buy, Skip } of Object.values(numbersOf(id))) {
        expect(Buy).toBeGreaterThan(0);
        expect(Skip).toBeGreaterThan(0);
      }
    },
  );

  it('follows the list by itself: edits, errors, and rows that come right below the header', async () => {
    await desk(offers(16));
    const { id } = await summarize();
    const asked = arrivalsOf(made.world.service()).length;
    const buys = () => Number(numbersOf(id).US?.Buy);
    const rows = await offersIn(made.world);
    const bought = rows.filter(
      ({ verdict, product }) => verdict === 'Buy' && product?.market === 'US',
    );
    const [first, second] = bought.map(({ row }) => row);
    const before = buys();
    expect(before).toBe(bought.length);
    made.sheet.type(first ?? 0, HEADERS.indexOf('Pack cost') + 1, 9_999);
    await checkAgainstPage(id);
    expect(buys()).toBe(before - 1);
    made.sheet.type(second ?? 0, HEADERS.indexOf('Market') + 1, '=NA()');
    await checkAgainstPage(id);
    expect(buys()).toBe(before - 2);
    made.sheet.people({ do: 'insertRows', sheetId: made.sheet.id, first: 2, count: 1 });
    const columnCount = made.sheet.values()[0]?.length ?? 1;
    made.sheet.people({
      ...{ do: 'sort', sheetId: made.sheet.id, keys: [{ column: 3, ascending: true }] },
      rectangle: { row: 2, column: 1, rowCount: 17, columnCount },
    });
    expect(made.sheet.byHeader(2)['Pack cost']).toBe(2);
    await checkAgainstPage(id);
    expect(arrivalsOf(made.world.service())).toHaveLength(asked);
  });

  it('has one chart of verdicts and one of ROI, a column for each market', async () => {
    await desk(offers(16));
    const { id } = await summarize();
    const { grid } = made.sheet;
    const charts = chartsIn(grid, id);
    expect(charts.map(({ options }) => options.title)).toEqual(['Verdicts', 'Products by My ROI']);
    for (const { type, ranges, headers } of charts) {
      expect([type, headers]).toEqual(['COLUMN', 1]);
      const [titles, ...lines] = grid.values(id, ranges[0] as never);
      expect(titles?.slice(1)).toEqual(['US', 'UK']);
      for (const line of lines)
        expect(line.map((cell) => typeof cell)).toEqual(['string', 'number', 'number']);
    }
  });

  it('made again takes the place of its own tab alone, whatever that is called', async () => {
    await desk(offers(30));
    const { grid, people } = made.sheet;
    const own = grid.addSheet('Summary', 1);
    grid.write(own, 1, 1, [['Mine']]);
    const first = await summarize();
    expect(first.name).toBe('Summary 2');
    people({ do: 'renameSheet', sheetId: first.id, name: 'What to buy' });
    const before = sheetNames();
    const second = await summarize();
    expect(second.name).toBe('What to buy');
    expect(second.id).not.toBe(first.id);
    expect([...sheetNames()].sort()).toEqual([...before].sort());
    expect(grid.values(own, { row: 1, column: 1, rowCount: 1, columnCount: 1 })).toEqual([
      ['Mine'],
    ]);
    expect(chartsIn(grid, second.id)).toHaveLength(2);
    await checkAgainstPage(second.id);
  });

  it('takes no other tab for one that it has not finished', async () => {
    await desk(offers(30));
    const { grid } = made.sheet;
    const own = grid.addSheet('Summary of May', grid.sheets().length + 1);
    const first = await summarize();
    expect(first.id).not.toBe(own);
    expect(grid.size(own).lastRow).toBe(0);
    // It is the last one here, and a person has let its first row scroll.
    grid.setFrozenRows(first.id, 0);
    const second = await summarize();
    expect(sheetNames().filter((name) => name === 'Summary')).toHaveLength(1);
    await checkAgainstPage(second.id);
  });

  it('stays as it was where nobody may take it away', async () => {
    await desk(offers(30));
    const { world, sheet } = made;
    const first = await summarize();
    const before = sheetNames();
    sheet.people({ do: 'protect', sheetId: first.id, rectangle: null });
    const { failure } = await summarizeIn(world, 'other@example.com');
    expect(failure?.kind).toBe('protected');
    expect(sheetNames()).toEqual(before);
    await checkAgainstPage(first.id);
  });
});
