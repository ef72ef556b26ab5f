// Lists of people who do this job, from the sheet to the decision: what a careful buyer would make of each.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { granted, SANDBOX, US_ASINS } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide,
  lookAt,
  rulesIn,
} from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const FIELDS = ['profit', 'fees', 'sell_price'];
const UK_ASINS = [...createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket).asins.UK];

/** A list of products in the UK, analyzed. */
async function inTheUk(titles: readonly string[], rows: readonly (readonly CellValue[])[]) {
  const of = (at: number) => UK_ASINS[at] ?? '';
  made = await dealWorld([['ASIN', ...titles], ...rows.map((cells, at) => [of(at), ...cells])]);
  await analyze(made.world, { fields: FIELDS, market: { kind: 'one', market: 'UK' } });
  return dealsPage(made.world);
}

describe('a title', () => {
  it.each([
    ['Without VAT', 'Cost not inc VAT', 10],
    ['Without VAT', 'Cost not including VAT', 10],
    ['Without VAT', 'Cost excl. 20% VAT', 10],
    ['Without VAT', 'Cost + 20% VAT', 10],
    ['Without VAT', 'Cost ex. V.A.T.', 10],
    ['Without VAT', 'VAT free cost', 10],
    ['With VAT', 'Cost inclusive of VAT at 20%', 8.33],
    [null, 'Cost (net weight)', 8.33],
    [null, 'Net of discount', 8.33],
  ])('says %s: %s', async (side, title, landed) => {
    const page = await inTheUk([title], [[10], [10]]);
    const values = { ukScheme: 'Standard', ukRate: 0.2, ukFees: 'Without VAT' };
    granted(await changeRules(made.world, { values }));
    await page.primary();
    expect(page.list().terms.side).toBe(side);
    if (page.list().costs.cost === undefined) return;
    expect(page.unsure()).toEqual(side === null ? ['tax'] : []);
    if (side === null) granted(await changeRules(made.world, { values: { ukCosts: 'With VAT' } }));
    granted(await decide(made.world));
    expect(made.sheet.byHeader(2)['Landed cost']).toBeCloseTo(landed, 2);
  });
});

describe('a cell', () => {
  it('of a cost that became a date is no cost', async () => {
    const rows = [4, 5, 6, new Date(Date.UTC(2026, 4, 4))];
    made = await dealWorld(
      [['ASIN', 'Cost'], ...rows.map((cost, at) => [US_ASINS[at] ?? '', cost])],
      {
        locale: 'de_DE',
      },
    );
    await analyze(made.world, { fields: FIELDS });
    granted(await decide(made.world));
    expect(made.sheet.decision(5)).toMatchObject({ Verdict: 'No verdict', Why: 'Check cost' });
    expect((await lookAt(made.world)).summary?.verdicts).toMatchObject({ 'No verdict': 1 });
  });
});

describe('a target that is pasted into the tab of rules', () => {
  /** As a person pastes it: a plain number into a cell that shows percentages. */
  function paste(label: string, value: CellValue) {
    const { grid, people } = made.sheet;
    const tab = grid.sheets().find(({ name }) => name === 'Deal rules')?.id ?? 0;
    const { lastRow } = grid.size(tab);
    const labels = grid.values(tab, { row: 1, column: 1, rowCount: lastRow, columnCount: 1 });
    const row = labels.findIndex(([one]) => one === label) + 1;
    people({ do: 'edit', sheetId: tab, row, column: 3, contents: [[value]] });
  }

  it('as 30 is 30 %, as a typed one, and none where it may be 5 or 500 %', async () => {
    made = await dealWorld([['ASIN', 'Cost'], ...US_ASINS.slice(0, 3).map((asin) => [asin, 4])]);
    await analyze(made.world, { fields: FIELDS });
    granted(await decide(made.world));
    const before = made.sheet.decision(2);
    paste('Buy: ROI at least', 30);
    paste('Maybe: ROI at least', 15);
    expect(made.sheet.decision(2)).toEqual(before);
    const [{ values } = { values: {} }] = (await rulesIn(made.world)).profiles;
    expect(values).toMatchObject({ minRoi: 0.3, maybeRoi: 0.15 });
    paste('Buy: ROI at least', 99_999);
    expect(made.sheet.decision(2).Why).toMatch(/ROI under 99999%/);
    paste('Buy: ROI at least', 5);
    expect(made.sheet.decision(2)).toMatchObject({
      ...{ Verdict: 'No verdict', Why: 'Check the tab Deal rules' },
    });
  });
});
