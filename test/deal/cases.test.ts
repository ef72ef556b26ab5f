// Lists of people who do this job, from the sheet to the decision: what a careful buyer would make of each.

import { describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { TAB_COLUMNS } from '../../src/analysis/analysis-row';
import { recordOf, rowOfRecord } from '../../src/analysis/row-record';
import { AS_LISTED, dealAt } from '../../src/deal/product-card';
import type { Figures } from '../../src/product/fields';
import { granted } from '../doors/bulk-list';
import { changeRules, dealsPage, decide, lookAt, offersIn, rulesIn } from '../doors/deal-list';
import { titledLists } from './titled-list';

const lists = titledLists();

const inTheUk = (titles: readonly string[], rows: readonly (readonly CellValue[])[]) =>
  lists.open(titles, rows, 'UK');

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
    granted(await changeRules(lists.made.world, { values }));
    await page.primary();
    expect(page.list().terms.side).toBe(side);
    if (page.list().costs.cost === undefined) return;
    expect(page.unsure()).toEqual(side === null ? ['tax'] : []);
    if (side === null)
      granted(await changeRules(lists.made.world, { values: { ukCosts: 'With VAT' } }));
    granted(await decide(lists.made.world));
    expect(lists.made.sheet.byHeader(2)['Landed cost']).toBeCloseTo(landed, 2);
  });
});

describe('a cell', () => {
  it('of a cost that became a date is no cost', async () => {
    const rows = [4, 5, 6, new Date(Date.UTC(2026, 4, 4))];
    const costs = rows.map((cost) => [cost]);
    await lists.open(['Cost'], costs, 'US', { locale: 'de_DE' });
    granted(await decide(lists.made.world));
    expect(lists.made.sheet.decision(5)).toMatchObject({
      Verdict: 'No verdict',
      Why: 'Check cost',
    });
    expect((await lookAt(lists.made.world)).summary?.verdicts).toMatchObject({ 'No verdict': 1 });
  });
});

describe('a target that is pasted into the tab of rules', () => {
  /** As a person pastes it: a plain number into a cell that shows percentages. */
  function paste(label: string, value: CellValue) {
    const { grid, people } = lists.made.sheet;
    const tab = grid.sheets().find(({ name }) => name === 'Deal rules')?.id ?? 0;
    const { lastRow } = grid.size(tab);
    const labels = grid.values(tab, { row: 1, column: 1, rowCount: lastRow, columnCount: 1 });
    const row = labels.findIndex(([one]) => one === label) + 1;
    people({ do: 'edit', sheetId: tab, row, column: 3, contents: [[value]] });
  }

  it('as 30 is 30 %, as a typed one, and none where it may be 5 or 500 %', async () => {
    await lists.open(['Cost'], [[4], [4], [4]]);
    granted(await decide(lists.made.world));
    const before = lists.made.sheet.decision(2);
    paste('Buy: ROI at least', 30);
    paste('Maybe: ROI at least', 15);
    expect(lists.made.sheet.decision(2)).toEqual(before);
    const [{ values } = { values: {} }] = (await rulesIn(lists.made.world)).profiles;
    expect(values).toMatchObject({ minRoi: 0.3, maybeRoi: 0.15 });
    paste('Buy: ROI at least', 99_999);
    expect(lists.made.sheet.decision(2).Why).toMatch(/ROI under 99999%/);
    paste('Buy: ROI at least', 5);
    expect(lists.made.sheet.decision(2)).toMatchObject({
      ...{ Verdict: 'No verdict', Why: 'Check the tab Deal rules' },
    });
  });
});

describe('an offer in the UK', () => {
  const [inc, ex] = ['With VAT', 'Without VAT'];
  const STANDARD = { ukScheme: 'Standard', ukRate: 0.2, ukCosts: ex, ukFees: ex, ukFlatRate: null };
  const OTHER = { ...STANDARD, ukScheme: 'Not registered', ukCosts: inc, ukFees: inc };
  const FLAT = { ...OTHER, ukScheme: 'Flat rate' };

  /** What the service says of the only product, as the tab *Analysis* records it. */
  function say(figures: Partial<Figures>) {
    const { grid } = lists.made.sheet;
    const tab = grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? 0;
    const column = TAB_COLUMNS.indexOf('record') + 1;
    const [[record] = []] = grid.values(tab, { row: 2, column, rowCount: 1, columnCount: 1 });
    const row = rowOfRecord(String(record));
    if (row === null) throw new Error(`This is no record: ${record}`);
    const said = { ...row, figures: { ...row.figures, ...figures } };
    grid.write(tab, 2, column, [[recordOf(said, () => 0)]]);
  }

  /** Sell price and fees are those of the service, profits and prices of this seller's. */
  const OFFERS: readonly (readonly [
    values: Readonly<Record<string, string | number | null>>,
    sold: readonly [price: number, fees: number, cost: number],
    profit: number | null,
    maxBuy?: number,
  ])[] = [
    [{ ...FLAT, ukFlatRate: 16.5 }, [24, 6.2, 13], 0.84],
    [FLAT, [24, 6.2, 13], null],
    [{ ...OTHER, ukScheme: null }, [24, 6.2, 10], null],
    [STANDARD, [20, 6.2, 10], 0.47],
    [{ ...STANDARD, ukRate: null }, [20, 6.2, 10], null],
    [{ ...OTHER, ukRate: 0, ukFees: ex }, [18.8, 5.5, 10], 2.2, 9.2],
    [{ ...STANDARD, ukRate: 0, ukFees: inc }, [24, 6.2, 10], 8.83],
    [OTHER, [24, 6.2, 13.6], 4.2],
    [{ ...OTHER, ukCosts: ex }, [24, 6.2, 13.6], 1.48],
    [{ ...OTHER, ukCosts: null }, [24, 6.2, 13.6], null],
  ];

  it('earns what is left, and is no Buy while something about its VAT is not said', async () => {
    await inTheUk(['Cost'], [[10]]);
    granted(await changeRules(lists.made.world, { values: OTHER }));
    granted(await decide(lists.made.world));
    for (const [values, [price, fees, cost], profit, maxBuy] of OFFERS) {
      say({ sell_price: price, fees });
      lists.made.sheet.type(2, 2, cost);
      granted(await changeRules(lists.made.world, { values }));
      const row = lists.made.sheet.decision(2);
      if (profit === null)
        expect([values, row]).toMatchObject([
          values,
          { Verdict: 'Maybe', Why: 'VAT not set', 'My profit': '' },
        ]);
      else expect([values, row['My profit']]).toEqual([values, expect.closeTo(profit, 2)]);
      if (maxBuy !== undefined) expect(row['Max buy']).toBe(maxBuy);
    }
  });
});

describe('a rate of VAT in each row', () => {
  const STANDARD = { ukScheme: 'Standard', ukCosts: 'Without VAT', ukFees: 'With VAT' };

  /** A list at a cost of 4 with these rates, decided. */
  async function rated(
    title: string,
    rates: readonly CellValue[],
    values: Readonly<Record<string, string | number>> = STANDARD,
  ) {
    const page = await inTheUk(
      ['Cost', title],
      rates.map((rate) => [4, rate]),
    );
    granted(await changeRules(lists.made.world, { values }));
    expect(await page.primary()).toBe('Add decisions');
    granted(await decide(lists.made.world));
    return rates.map((_, at) => lists.made.sheet.byHeader(at + 2));
  }

  it.each([
    ['VAT rate', [0.2, 0, '0%', 'Z', 0.05, '20%', ''], [20, 0, 0, 0, 5, 20, 20]],
    ['VAT', ['S', 'ZR', 'R', 'E', 'Exempt'], [20, 0, 5, 0, 0]],
    ['Tax code', ['T1', 'T0', 'T5', '20.0% S'], [20, 0, 5, 20]],
    ['VAT %', [20, 5, 0], [20, 5, 0]],
  ])('counts, titled %s', async (title, rates, percents) => {
    for (const [at, row] of (await rated(title, rates)).entries()) {
      const percent = percents[at] ?? 0;
      const owed = (Number(row['Sell price']) * percent) / (100 + percent);
      const profit = Number(row['Sell price']) - owed - Number(row.Fees) / 1.2 - 4;
      expect(row['My profit']).toBeCloseTo(profit, 7);
      const card = (await offersIn(lists.made.world))[at];
      const { inUse } = await rulesIn(lists.made.world);
      if (card === undefined) throw new Error(`There is no row ${at}.`);
      const deal = dealAt(card, AS_LISTED, inUse, lists.made.world.host.nowMs());
      expect([deal.profit, deal.maxBuy]).toEqual([expect.closeTo(profit, 7), row['Max buy']]);
    }
  });

  it('is on the cost of a seller who is not registered', async () => {
    const values = { ...STANDARD, ukScheme: 'Not registered' };
    const rows = await rated('VAT rate', ['20%', 'R', 'Z'], values);
    expect(rows.map((row) => row['Landed cost'])).toEqual([4.8, 4.2, 4]);
  });

  it('that nobody can read decides nothing', async () => {
    const rows = await rated('VAT code', ['S', 'Z', 'Z', 'S', 'Z', 'X']);
    expect(rows[5]).toMatchObject({ Verdict: 'No verdict', Why: 'Check VAT rate' });
    expect(rows[1]?.Verdict).not.toBe('No verdict');
  });

  it('of codes that say nothing here is named, or asked about where the title says that it is one', async () => {
    const page = await inTheUk(
      ['Cost', 'VAT code'],
      [
        [4, 'A'],
        [4, 'B'],
      ],
    );
    granted(await changeRules(lists.made.world, { values: STANDARD }));
    expect(await page.primary()).toBe('Add decisions');
    expect(page.list().unused).toMatchObject([{ title: 'VAT code' }]);
    lists.made.world.stop();
    const other = await inTheUk(
      ['Cost', 'VAT rate'],
      [
        [4, 'A'],
        [4, 'B'],
      ],
    );
    granted(await changeRules(lists.made.world, { values: STANDARD }));
    expect([await other.primary(), other.unsure()]).toEqual(['1 question left', ['vat']]);
    await other.actions.chooseColumn('vatRate', null);
    expect(await other.primary()).toBe('Add decisions');
  });

  it('that a person takes for none stays none, also for who opens the list later', async () => {
    const rates = ['20%', '0%', '5%'];
    const page = await inTheUk(
      ['Cost', 'VAT rate'],
      rates.map((rate) => [4, rate]),
    );
    granted(await changeRules(lists.made.world, { values: STANDARD }));
    await page.primary();
    await page.actions.chooseColumn('vatRate', null);
    await page.actions.decide();
    const profits = () => rates.map((_, at) => lists.made.sheet.byHeader(at + 2)['My profit']);
    const before = profits();
    for (const [at, row] of rates.map((_, at) => lists.made.sheet.byHeader(at + 2)).entries())
      expect(before[at]).toBeCloseTo((Number(row['Sell price']) - Number(row.Fees)) / 1.2 - 4, 7);
    const later = dealsPage(lists.made.world);
    await later.primary();
    const { costs, unused } = later.list();
    expect([costs.vatRate, unused]).toMatchObject([undefined, [{ title: 'VAT rate' }]]);
    granted(await decide(lists.made.world));
    expect(profits()).toEqual(before);
    const column = unused[0] ?? null;
    await later.actions.chooseColumn('vatRate', column);
    await later.actions.decide();
    granted(await decide(lists.made.world));
    expect(profits()[1]).not.toBeCloseTo(Number(before[1]), 1);
  });

  it('of a list of both markets decides nothing before currency and VAT are said', async () => {
    const rates = ['0%', '20%'].map((rate) => [4, rate]);
    await lists.open(['Cost', 'VAT rate'], rates);
    await lists.analyzeIn('UK');
    const page = dealsPage(lists.made.world);
    expect(await page.primary()).toBe('3 questions left');
    expect(page.unsure()).toEqual(['cost', 'vat', 'fees']);
    granted(await decide(lists.made.world));
    const said = (...titles: readonly string[]) =>
      titles.map((title) => lists.made.sheet.byHeader(2)[title]);
    expect(said('Verdict', 'Why', 'Verdict (UK)')).toEqual([
      ...['No verdict', 'Currency of costs not set', 'No verdict'],
    ]);
    const later = dealsPage(lists.made.world);
    expect([await later.primary(), later.unsure()[0]]).toEqual(['What counts', 'cost']);
    granted(await changeRules(lists.made.world, { currency: 'GBP' }));
    expect(said('Verdict', 'Why')).toEqual(['No verdict', 'No exchange rate']);
    granted(await changeRules(lists.made.world, { currency: 'USD' }));
    expect(said('Verdict', 'Verdict (UK)', 'Why (UK)')).toEqual([
      ...['Maybe', 'No verdict', 'No exchange rate'],
    ]);
  });

  it('does not concern a list of the US, where it is named', async () => {
    const page = await lists.open(['Cost', 'VAT rate'], [[4, '20%']]);
    expect(await page.primary()).toBe('Add decisions');
    expect(page.list().unused).toMatchObject([{ title: 'VAT rate' }]);
  });
});
