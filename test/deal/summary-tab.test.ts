// The tab of a list's summary on the emulated host: its numbers against the page's own, its charts, whose tab it replaces.

import { afterEach, describe, expect, it } from '@jest/globals';
import { chartsIn } from 'apps-script-host/services/chart';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { arrivalsOf } from '../../playground/api/state';
import { summaryOf } from '../../src/deal/summary';
import { summaryTab } from '../../src/deal/summary-tab';
import { granted, SANDBOX } from '../doors/bulk-list';
import { analyze, type DealWorld, dealWorld, decide, decided, lookAt } from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const HEADERS = ['ASIN', 'Market', 'Pack cost', 'Qty', 'Pack size', 'VAT', 'Prep', 'Discount'];
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

/** A 0 is one as well: nothing is bought there. */
const QUANTITIES: readonly CellValue[] = ['', 0, 2, 3];

/** Rows of every market and spelling, with costs for each verdict. */
const offers = (count: number): CellValue[][] =>
  Array.from({ length: count }, (_, at) => {
    const [market, link, isOf] = SAID[at % SAID.length] ?? ['', '', 'US'];
    return [
      ...[link + (ASINS[isOf][at] ?? ''), market, 2 + 7 * (at % 3), QUANTITIES[at % 4] ?? ''],
      ...[1 + (at % 2), at % 3 === 0 ? 20 : '', at % 5 === 0 ? 1 : '', at % 7 === 0 ? 0.1 : ''],
    ];
  });

async function desk(
  rows: readonly (readonly CellValue[])[],
  options: Parameters<typeof dealWorld>[1] = {},
): Promise<void> {
  made = await dealWorld([HEADERS, ...rows], { maxRows: rows.length + 5, ...options });
  await analyze(made.world, { fields: FIELDS });
  granted(await decide(made.world));
}

/** What the page sends. */
async function tabNow() {
  const { world } = made;
  const { look, costs } = await lookAt(world);
  return summaryTab({ look, costs, rows: await decided(world), log: null }) ?? {};
}

async function summarize(): Promise<{ readonly id: number; readonly name: unknown }> {
  const tab = granted(await made.world.rpc('deals.tab', await tabNow()));
  return { id: Number(tab.sheetId), name: tab.name };
}

type Block = Readonly<Record<string, CellValue>>;

/** Numbers by label, for each block. */
function numbersOf(id: number): readonly Block[] {
  const { grid } = made.sheet;
  const { lastRow } = grid.size(id);
  const cells = grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: 2 });
  const blocks: Record<string, CellValue>[] = [];
  for (const [label = '', value = ''] of cells) {
    if (/^(US|UK), /.test(String(label))) blocks.push({ market: label });
    const block = blocks[blocks.length - 1];
    if (block && value !== '') block[String(label)] = value;
  }
  return blocks;
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

/** What the page makes of the rows of a market, against what stands in its block. */
async function checkBlock(block: Block): Promise<void> {
  const market = String(block.market).slice(0, 2);
  const own = (await decided(made.world)).filter(({ product }) => product?.market === market);
  const { verdicts, money } = summaryOf(own);
  const { outlay = 0, profit = 0 } = money[0] ?? {};
  expect(block).toMatchObject(verdicts);
  expect(block['Money needed']).toBeCloseTo(outlay, 1);
  expect(block.Profit).toBeCloseTo(profit, 1);
  const cells = own.map(({ row }) => made.sheet.byHeader(row));
  expect(own.map(({ quantity }) => quantity)).toEqual(
    cells.map(({ Qty }) => (typeof Qty === 'number' ? Qty : 1)),
  );
  for (const [band, from, to] of BANDS) {
    const inBand = (roi: unknown) => typeof roi === 'number' && roi >= from && roi < to;
    expect([band, block[band]]).toEqual([
      band,
      cells.filter((one) => inBand(one['My ROI'])).length,
    ]);
  }
  const said = (value: CellValue) => cells.filter((one) => one.Eligible === value).length;
  const decidedRows = Object.values(verdicts).reduce((sum, one) => sum + one, 0);
  expect([block.Yes, block.No]).toEqual([said(true), said(false)]);
  expect(block['Not known']).toBe(decidedRows - said(true) - said(false));
  expect(block['Eligible share']).toBeCloseTo(said(true) / decidedRows);
}

async function checkAgainstPage(id: number): Promise<void> {
  const blocks = numbersOf(id);
  expect(blocks.map(({ market }) => market)).toEqual(['US, USD', 'UK, GBP']);
  for (const block of blocks) await checkBlock(block);
}

describe('a summary', () => {
  it.each(['en_US', 'de_DE'])(
    'counts as the page does in a spreadsheet of %s, each currency for itself',
    async (locale) => {
      await desk(offers(30), { locale });
      const { id } = await summarize();
      await checkAgainstPage(id);
      for (const { Buy, Skip } of numbersOf(id)) {
        expect(Buy).toBeGreaterThan(0);
        expect(Skip).toBeGreaterThan(0);
      }
    },
  );

  it('follows the list by itself: edits, errors, and rows that come right below the header', async () => {
    await desk(offers(16));
    const { id } = await summarize();
    const asked = arrivalsOf(made.world.service()).length;
    const buys = () => Number(numbersOf(id)[0]?.Buy);
    const rows = await decided(made.world);
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

  it('has a chart for each question and market, over cells that are filled', async () => {
    await desk(offers(16));
    const { id } = await summarize();
    const { grid } = made.sheet;
    const charts = chartsIn(grid, id);
    const kinds = ['COLUMN', 'COLUMN', 'PIE', 'COLUMN', 'SCATTER'];
    expect(charts.map(({ type }) => type)).toEqual([...kinds, ...kinds]);
    for (const { ranges, headers } of charts) {
      expect(headers).toBe(1);
      const [titles, first] = grid.values(id, ranges[0] as never);
      expect([typeof titles?.[0], typeof titles?.[1], typeof first?.[1]]).toEqual([
        ...['string', 'string', 'number'],
      ]);
    }
    expect(new Set(charts.map(({ position }) => String(position))).size).toBe(charts.length);
  });

  it('made again takes the place of its own tab alone, whatever that is called', async () => {
    await desk(offers(9));
    const { grid, people } = made.sheet;
    const own = granted(
      await made.world.rpc('deals.tab', {
        ...{ title: 'Summary', cells: [['Mine']], formulas: [], names: [], styles: [] },
        ...{ widths: [], frozenRows: 0 },
      }),
    );
    const first = await summarize();
    expect(first.name).toBe('Summary 2');
    people({ do: 'renameSheet', sheetId: first.id, name: 'What to buy' });
    const before = sheetNames();
    const second = await summarize();
    expect(second.name).toBe('What to buy');
    expect(second.id).not.toBe(first.id);
    expect([...sheetNames()].sort()).toEqual([...before].sort());
    expect(
      grid.values(Number(own.sheetId), { row: 1, column: 1, rowCount: 1, columnCount: 1 }),
    ).toEqual([['Mine']]);
    expect(chartsIn(grid, second.id)).toHaveLength(10);
    await checkAgainstPage(second.id);
  });

  it('stays as it was where a new one cannot be made whole, or nobody may take it away', async () => {
    await desk(offers(9));
    const { world, sheet } = made;
    const first = await summarize();
    const tab = await tabNow();
    const before = sheetNames();
    const styles = [{ at: 'ZZ1', isBold: true }];
    await expect(world.rpc('deals.tab', { ...tab, styles })).resolves.toMatchObject({ ok: false });
    sheet.people({ do: 'protect', sheetId: first.id, rectangle: null });
    await expect(world.rpc('deals.tab', tab, 'other@example.com')).resolves.toMatchObject({
      failure: { kind: 'protected' },
    });
    expect(sheetNames()).toEqual(before);
    await checkAgainstPage(first.id);
  });
});
