// The tab of a list's summary on the emulated host: its numbers against the page's own, its charts, whose tab it replaces.

import { afterEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { chartsIn } from '../../playground/host/services/spreadsheet-app/chart';
import type { CellValue } from '../../playground/host/sheet/model';
import { costColumnsOf } from '../../src/deal/decision-plan';
import { summaryOf } from '../../src/deal/summary';
import { summaryTab } from '../../src/deal/summary-tab';
import { granted, runAll, US_ASINS } from '../doors/bulk-list';
import { apply, type DealWorld, dealWorld, decided, lookAt } from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const HEADERS = ['ASIN', 'Market', 'Cost', 'Qty', 'Pack size', 'VAT', 'Prep', 'Discount'];
const MARKETS = ['US', 'uk', '', 'GB'];

const offers = (count: number): CellValue[][] =>
  US_ASINS.slice(0, count).map((asin, at) => [
    ...[asin, MARKETS[at % MARKETS.length] ?? '', 8 + 3 * (at % 9), at % 4 === 0 ? '' : at % 4],
    ...[1 + (at % 2), at % 3 === 0 ? 20 : '', at % 5 === 0 ? 1 : '', at % 7 === 0 ? 0.1 : ''],
  ]);

async function desk(
  rows: readonly (readonly CellValue[])[],
  options: Parameters<typeof dealWorld>[1] = {},
): Promise<void> {
  made = await dealWorld(rows, options);
  await runAll(made.world, { fields: FIELDS });
  granted(await apply(made.world));
}

async function summarize(): Promise<{ readonly id: number; readonly name: unknown }> {
  const { world } = made;
  const { look, place } = await lookAt(world);
  const sent = {
    ...{ look, place: place as never, costs: costColumnsOf(look), rows: await decided(world) },
  };
  const tab = granted(await world.rpc('deals.tab', summaryTab(sent)));
  return { id: Number(tab.sheetId), name: tab.name };
}

/** Numbers by label, for each block. */
function numbersOf(id: number): readonly Readonly<Record<string, CellValue>>[] {
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

/** What the page says, against what stands in the tab. */
async function checkAgainstPage(id: number): Promise<void> {
  const rows = await decided(made.world);
  const blocks = numbersOf(id);
  for (const block of blocks) {
    const market = String(block.market).slice(0, 2);
    const own = rows.filter(({ product }) => product?.market === market);
    const { verdicts, money } = summaryOf(own);
    const { outlay = 0, profit = 0 } = money[0] ?? {};
    expect(block).toMatchObject(verdicts);
    expect(block['Money needed']).toBeCloseTo(outlay, 1);
    expect(block.Profit).toBeCloseTo(profit, 1);
  }
}

describe.each(['en_US', 'de_DE', 'en_GB'])('a summary in a spreadsheet of %s', (locale) => {
  it('counts verdicts and money as the page does, each currency for itself', async () => {
    await desk([HEADERS, ...offers(60)], { locale });
    const { id } = await summarize();
    const blocks = numbersOf(id);
    expect(blocks.map(({ market }) => market)).toEqual(['US, USD', 'UK, GBP']);
    for (const { Buy } of blocks) expect(Buy).toBeGreaterThan(0);
    await checkAgainstPage(id);
    const bands = ['Under 0%', '0 to 15%', '15 to 30%', '30 to 50%', '50 to 100%', '100% and more'];
    const rois = made.sheet
      .values()
      .map((row) => row[made.sheet.values()[0]?.indexOf('My ROI') ?? 0]);
    const spread = blocks.flatMap((block) => bands.map((band) => Number(block[band])));
    expect(spread.reduce((sum, one) => sum + one, 0)).toBe(
      rois.filter((one) => typeof one === 'number').length,
    );
    for (const block of blocks) {
      const [yes = 0, no = 0, open = 0] = [block.Yes, block.No, block['Not known']].map(Number);
      expect(block['Eligible share']).toBeCloseTo(yes / (yes + no + open));
    }
  }, 120_000);
});

describe('a summary', () => {
  it('follows the list by itself: edits, and rows that come right below the header', async () => {
    await desk([HEADERS, ...offers(12)]);
    const { id } = await summarize();
    const asked = arrivalsOf(made.world.service()).length;
    const before = Number(numbersOf(id)[0]?.Buy);
    const verdict = made.sheet.values()[0]?.indexOf('Verdict') ?? 0;
    const buy = made.sheet.values().findIndex((row) => row[verdict] === 'Buy' && row[1] !== 'uk');
    made.sheet.type(buy + 1, 3, 9_999);
    await checkAgainstPage(id);
    expect(Number(numbersOf(id)[0]?.Buy)).toBeLessThan(before + 1);
    made.sheet.people({ do: 'insertRows', sheetId: made.sheet.id, first: 2, count: 1 });
    await checkAgainstPage(id);
    expect(arrivalsOf(made.world.service())).toHaveLength(asked);
  });

  it('has a chart for each question and market, over cells that are filled', async () => {
    await desk([HEADERS, ...offers(12)]);
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
    await desk([HEADERS, ...offers(8)]);
    const { grid } = made.sheet;
    const own = granted(
      await made.world.rpc('deals.tab', {
        ...{ title: 'Summary', cells: [['Mine']], formulas: [], names: [], styles: [] },
        ...{ widths: [], frozenRows: 0 },
      }),
    );
    const first = await summarize();
    expect(first.name).toBe('Summary 2');
    const before = sheetNames();
    const second = await summarize();
    expect(second.name).toBe('Summary 2');
    expect(second.id).not.toBe(first.id);
    expect(sheetNames()).toEqual(before);
    expect(
      grid.values(Number(own.sheetId), { row: 1, column: 1, rowCount: 1, columnCount: 1 }),
    ).toEqual([['Mine']]);
    expect(chartsIn(grid, second.id)).toHaveLength(10);
    await checkAgainstPage(second.id);
  });

  it('stays as it was where a new one cannot be made whole', async () => {
    await desk([HEADERS, ...offers(8)]);
    const { world } = made;
    const first = await summarize();
    const { look, place } = await lookAt(world);
    const tab = summaryTab({ look, place: place as never, costs: {}, rows: await decided(world) });
    const styles = [...(tab?.styles ?? []), { at: 'ZZ1', isBold: true }];
    await expect(world.rpc('deals.tab', { ...tab, styles })).resolves.toMatchObject({ ok: false });
    await checkAgainstPage(first.id);
    expect((await summarize()).name).toBe('Summary');
  });
});
