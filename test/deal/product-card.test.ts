// The selected row on the List page: which one it is, its figures, one call that refreshes it alone.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf, type SandboxOptions } from '../../playground/api/state';
import { hasFigures } from '../../src/deal/product-card';
import { SANDBOX, US_ASINS } from '../doors/bulk-list';
import { analyze, type DealWorld, dealWorld, productPage } from '../doors/deal-list';

const HOUR_MS = 3_600_000;
/** Monday, 5 January 2026, 9:00 UTC: when the host's time begins. */
const START_MS = Date.UTC(2026, 0, 5, 9);
const FIELDS = ['profit', 'roi', 'fees', 'sell_price'];

let made: DealWorld;

afterEach(() => made.world.stop());

const offers = (count: number): CellValue[][] =>
  US_ASINS.slice(0, count).map((asin, at) => [asin, 4 + at]);

async function analyzed(
  rows: readonly (readonly CellValue[])[],
  sandbox: SandboxOptions = {},
): Promise<DealWorld> {
  made = await dealWorld([['ASIN', 'Cost'], ...rows], { sandbox: { ...SANDBOX, ...sandbox } });
  await analyze(made.world, { fields: FIELDS });
  return made;
}

const calls = () => arrivalsOf(made.world.service()).length;
const select = (row: number, rowCount = 1) => {
  const { grid, id } = made.sheet;
  grid.select({ sheetId: id, rectangle: { row, column: 2, rowCount, columnCount: 1 } });
};
const later = (hours: number) => {
  const { host } = made.world;
  return host.run(host.nowMs() + hours * HOUR_MS);
};

/** The page with this row on its card. */
async function cardOf(row: number) {
  select(row);
  const page = productPage(made.world);
  await page.over(page.load());
  return page;
}

describe('the selected row', () => {
  it('has the figures of its product from the Analysis tab, though the list hides most of them', async () => {
    made = await dealWorld([['ASIN', 'Cost'], ...offers(3)]);
    await analyze(made.world, { fields: ['profit'] });
    const page = await cardOf(3);
    const row = page.row.value;
    expect(row).toMatchObject({ row: 3, product: { asin: US_ASINS[1], market: 'US' } });
    expect(row?.figures.sell_price).toEqual(expect.any(Number));
    expect(row?.costs.cost).toBe(5);
    const age = made.world.host.nowMs() - Number(row?.fetchedAtMs);
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(HOUR_MS);
  });

  it('says why its cell names no product, and that a product waits for figures', async () => {
    await analyzed([...offers(2), ['SKU-1187', 3]]);
    expect((await cardOf(4)).row.value?.problem).toBe(
      '"SKU-1187" is not an ASIN. An ASIN has 10 letters and digits.',
    );
    made.sheet.type(5, 1, US_ASINS[9] ?? '');
    const row = (await cardOf(5)).row.value;
    expect([row?.product?.asin, row && hasFigures(row)]).toEqual([US_ASINS[9], false]);
  });

  it('is none while another sheet is on view that has no list', async () => {
    await analyzed(offers(2));
    const page = await cardOf(2);
    const other = made.sheet.grid.addSheet('Notes', 1);
    const rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
    made.sheet.grid.select({ sheetId: other, rectangle });
    await page.over(page.follow());
    expect(page.seen.value).toEqual({ look: null });
  });
});

describe('one product of a list', () => {
  it('is asked anew by one call, and no other row changes', async () => {
    const { sheet } = await analyzed(offers(4));
    const before = sheet.values();
    const asked = calls();
    await later(1);
    const page = await cardOf(3);
    const fetchedAtMs = Number(page.row.value?.fetchedAtMs);
    await page.over(page.refresh());
    expect([page.notice.value, page.failure.value]).toEqual(['Figures are up to date.', null]);
    expect([page.busy.value, page.job.status.value]).toEqual([null, null]);
    expect(Number(page.row.value?.fetchedAtMs)).toBeGreaterThan(fetchedAtMs);
    expect(calls()).toBe(asked + 1);
    const changed = sheet.values().flatMap((row, at) => {
      const isSame = JSON.stringify(row) === JSON.stringify(before[at]);
      return isSame ? [] : [at + 1];
    });
    expect(changed).toEqual([3]);
  });

  it('is found where rows have moved, and nothing is asked where it is gone', async () => {
    const { sheet } = await analyzed(offers(4));
    const asked = calls();
    await later(1);
    const page = await cardOf(3);
    sheet.people({ do: 'insertRows', sheetId: sheet.id, first: 2, count: 1 });
    await page.over(page.refresh());
    expect(calls()).toBe(asked + 1);
    const at = (row: number) => Number(sheet.byHeader(row)['Analyzed at']);
    expect(at(4)).toBeGreaterThan(at(3));
    sheet.type(4, 1, '');
    await page.over(page.refresh());
    expect(page.failure.value?.kind).toBe('run');
    expect(calls()).toBe(asked + 1);
  });

  it('keeps its figures where the service cannot answer', async () => {
    const outages = [{ fromMs: START_MS + HOUR_MS, toMs: Number.MAX_SAFE_INTEGER }];
    await analyzed(offers(2), { outages });
    await later(2);
    const page = await cardOf(2);
    const before = page.row.value?.figures;
    await page.over(page.refresh());
    expect(page.row.value?.figures).toEqual(before);
    expect(page.row.value?.failure ?? page.failure.value).not.toBeNull();
  });
});
