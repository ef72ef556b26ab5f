// What is ordered, from one shopping list to the next.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide,
  filter,
  offersIn,
  remove,
  shop,
} from '../doors/deal-list';

describe('a shopping list', () => {
  let made: DealWorld;
  afterEach(() => made.world.stop());

  const titles = ['ASIN', 'Case cost', 'Units to buy', 'Case size', 'Supplier', 'Discount'];

  it('is of whole cases, and leaves out what was marked as ordered', async () => {
    const rows = US_ASINS.slice(0, 6).map((asin) => [asin, 48, 30, 12, 'Acme', '10%']);
    made = await dealWorld([titles, ...rows]);
    const { world, sheet } = made;
    await analyze(world, {
      fields: ['profit', 'fees', 'sell_price', 'eligible', 'rank_drops_30d'],
    });
    granted(await decide(world));
    const shopped = async () => granted(await shop(world));
    const first = await shopped();
    const lines = String(first.csv).split('\r\n').slice(1, -1);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines)
      expect(line.split(',').slice(3, 11)).toEqual([
        ...['3', '12', '36', '43.2', '129.6', '3.6', 'Acme', '2026-01-05'],
      ]);

    const page = dealsPage(world);
    await page.primary();
    await page.actions.summarize();
    const summaryId = () => sheet.grid.sheets().find(({ name }) => name === 'Summary')?.id ?? -1;
    const outlay = { row: 10, column: 2, rowCount: 1, columnCount: 1 };
    const [money] = page.list().summary?.money ?? [];
    expect(money?.outlay).toBeCloseTo(129.6 * lines.length, 8);
    expect(sheet.grid.values(summaryId(), outlay)).toEqual([[money?.outlay]]);
    // The sum of exact profits, of 36 units each.
    const earned = rows
      .map((_, at) => sheet.byHeader(at + 2))
      .filter(({ Verdict }) => Verdict === 'Buy')
      .reduce((sum, row) => sum + 36 * Number(row['My profit']), 0);
    expect(money?.profit).toBeCloseTo(earned, 8);
    const [[profit = 0] = []] = sheet.grid.values(summaryId(), { ...outlay, row: 11 });
    expect(Number(profit)).toBeCloseTo(earned, 8);
    await page.actions.shop();
    await page.actions.markOrdered();
    const told = `${lines.length} products marked as ordered. The next shopping list leaves them out.`;
    expect(page.notice()).toBe(told);
    await page.actions.backToList();
    const [{ row = 0 } = {}] = await offersIn(world).then((all) =>
      all.filter(({ isOrdered }) => isOrdered),
    );
    expect(sheet.byHeader(row)['Already ordered']).toBeInstanceOf(Date);
    expect(await shopped()).toMatchObject({ tab: null, passing: lines.length, buys: 0 });
    // What is ordered costs nothing any more.
    await page.actions.summarize();
    expect(sheet.grid.values(summaryId(), outlay)).toEqual([[0]]);
    await page.actions.refresh();
    expect(page.list().summary?.money).toEqual([]);

    const column = (sheet.values()[0] ?? []).indexOf('Already ordered') + 1;
    sheet.type(row, column, 'no');
    granted(await remove(world));
    granted(await decide(world));
    expect(await shopped()).toMatchObject({
      buys: 1,
      lines: [`${sheet.byHeader(row).ASIN}|US 43.2`],
    });
  });

  it('leaves out what a person’s filter hides and says so, whatever ours shows', async () => {
    const rows = US_ASINS.slice(0, 6).map((asin, at) => [
      asin,
      24,
      12,
      12,
      at % 2 ? 'Acme' : 'Beta',
    ]);
    made = await dealWorld([titles, ...rows]);
    const { world, sheet } = made;
    await analyze(world);
    granted(await changeRules(world, { values: { minDrops: null, eligibleOnly: false } }));
    granted(await decide(world));
    const bought = async (): Promise<readonly string[]> =>
      String(granted(await shop(world)).csv)
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[9] ?? '')
        .sort();
    const all = await bought();
    const theirs = all.filter((supplier) => supplier === 'Acme');
    expect([theirs.length > 0, theirs.length < all.length]).toEqual([true, true]);
    granted(await filter(world, 'Buy'));
    expect(await bought()).toEqual(all);
    const rectangle = {
      row: 1,
      column: 1,
      rowCount: 7,
      columnCount: sheet.values()[0]?.length ?? 5,
    };
    sheet.grid.setFilter(sheet.id, { rectangle, hiddenTexts: [{ column: 5, texts: ['Beta'] }] });
    expect(await bought()).toEqual(theirs);
    const page = dealsPage(world);
    await page.primary();
    await page.actions.shop();
    const left = all.length - theirs.length;
    expect(page.notice()).toContain(
      `${left} Buy${left === 1 ? '' : 's'} left out: hidden by your filter.`,
    );
  });
});
