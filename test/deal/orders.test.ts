// What is ordered, from one shopping list to the next.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted, US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide,
  offersIn,
  remove,
  shop,
} from '../doors/deal-list';

describe('a shopping list', () => {
  let made: DealWorld;
  afterEach(() => made.world.stop());

  const titles = ['ASIN', 'Case cost', 'Units to buy', 'Case size', 'Supplier'];

  it('is of whole cases, and leaves out what was marked as ordered', async () => {
    const rows = US_ASINS.slice(0, 6).map((asin) => [asin, 24, 18, 12, 'Acme']);
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
        ...['2', '12', '24', '24', '48', '2', 'Acme', '2026-01-05'],
      ]);

    const page = dealsPage(world);
    await page.primary();
    await page.actions.summarize();
    const summaryId = () => sheet.grid.sheets().find(({ name }) => name === 'Summary')?.id ?? -1;
    const outlay = { row: 10, column: 2, rowCount: 1, columnCount: 1 };
    const [money] = page.list().summary?.money ?? [];
    expect(money?.outlay).toBe(48 * lines.length);
    expect(sheet.grid.values(summaryId(), outlay)).toEqual([[money?.outlay]]);
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
      lines: [`${sheet.byHeader(row).ASIN}|US 24`],
    });
  });
});
