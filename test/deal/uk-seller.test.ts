// A seller in the UK through the doors: the list with costs, the scheme chosen on the List page, verdicts and shopping list.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { callsByProduct } from '../../playground/api/state';
import { profitWith } from '../../src/deal/sum';
import { vatOn } from '../../src/product/market';
import { VAT_SIDES, type VatPart } from '../../src/product/vat';
import { granted, SANDBOX } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  type DealWorld,
  dealsPage,
  dealWorld,
  decide,
} from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const UK_ASINS = [...createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket).asins.UK];
const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];

async function ukList(title: string, rows = 12) {
  const offers: CellValue[][] = UK_ASINS.slice(0, rows).map((asin, at) => [asin, 4 + (at % 9)]);
  made = await dealWorld([['ASIN', title], ...offers]);
  await analyze(made.world, { fields: FIELDS, market: { kind: 'one', market: 'UK' } });
  const page = dealsPage(made.world);
  return { page };
}

/** The rows that have been decided, each with what its profit must be. */
const decidedRows = (profit: (sell: number, fees: number, cost: number) => number) =>
  made.sheet
    .values()
    .slice(1)
    .map((_, at) => made.sheet.byHeader(at + 2))
    .filter((row) => typeof row['My profit'] === 'number')
    .map((row) => ({
      found: Number(row['My profit']),
      wanted: profit(
        Number(row['Sell price']),
        Number(row.Fees),
        Number(row.Cost ?? row['Cost inc VAT']),
      ),
      roi: Number(row['My ROI']),
      verdict: row.Verdict,
    }));

describe('a seller in the UK at the standard rate', () => {
  it('is asked for the scheme first, and owes a sixth of each sale', async () => {
    const { page } = await ukList('Cost');
    expect(await page.primary()).toBe('3 questions left');
    expect(page.unsure()).toEqual(['tax', 'vat', 'fees']);
    await page.actions.setRule('ukScheme', 'Standard');
    expect(await page.primary()).toBe('2 questions left');
    await page.actions.decide();
    const words = ({ Status, Verdict, Why, 'My profit': profit }: Record<string, unknown>) =>
      Status === 'OK' ? [Verdict, Why, profit] : ['Maybe', 'VAT not set', ''];
    for (let row = 2; row <= 13; row += 1)
      expect(words(made.sheet.byHeader(row))).toEqual(['Maybe', 'VAT not set', '']);
    const buying = await made.world.show('ANALYZE_MAX_BUY', UK_ASINS[0], 'UK');
    expect(buying.error?.message).toContain('VAT not set. On the List page, choose');
    for (const rule of ['ukCosts', 'ukFees'] as const)
      await page.actions.setRule(rule, 'Without VAT');
    const rows = decidedRows((sell, fees, cost) => sell - sell / 6 - fees - cost);
    expect(rows.length).toBeGreaterThan(5);
    for (const { found, wanted, roi, verdict } of rows) {
      expect(found).toBeCloseTo(wanted, 1);
      if (found < 3 || roi < 0.3) expect(verdict).not.toBe('Buy');
    }
    expect(rows.map(({ verdict }) => verdict)).toContain('Buy');
    expect(await page.primary()).toBe('Make shopping list');
  });

  it('sees what either answer makes of the first product, and is asked once', async () => {
    const { page } = await ukList('Cost');
    await page.primary();
    const profits = (part: VatPart, answers: readonly string[]) => {
      const [{ offer } = { offer: null }] = page.list().samples;
      if (offer === null) throw new Error('There is no product.');
      return Object.fromEntries(
        answers.map((one) => [one, profitWith(page.list(), offer, { market: 'UK', part }, one)]),
      );
    };
    const {
      'Not registered': without,
      Standard: standard,
      'Flat rate': flat,
    } = profits('Scheme', vatOn('UK').schemes);
    const first = made.sheet.byHeader(2);
    expect(Number(without) - Number(standard)).toBeCloseTo(Number(first['Sell price']) / 6, 1);
    expect(flat).toBeNull();
    await page.actions.setRule('ukScheme', 'Standard');
    const costs = profits('Costs', VAT_SIDES);
    const cost = Number(first.Cost);
    expect(Number(costs['With VAT']) - Number(costs['Without VAT'])).toBeCloseTo(
      cost - cost / 1.2,
      1,
    );
    const fees = profits('Fees', VAT_SIDES);
    const fee = Number(first.Fees);
    expect(Number(fees['With VAT']) - Number(fees['Without VAT'])).toBeCloseTo(fee - fee / 1.2, 1);
    await page.actions.setRule('ukCosts', 'Without VAT');
    await page.actions.setRule('ukFees', 'With VAT');
    expect(page.unsure()).toEqual([]);
    await page.actions.decide();
    for (const { found, wanted } of decidedRows((sell, f, c) => sell - sell / 6 - f / 1.2 - c))
      expect(found).toBeCloseTo(wanted, 1);
  });

  it('is asked for each rate that is missing, before anything is decided', async () => {
    const { page } = await ukList('Cost inc VAT', 4);
    await page.primary();
    await page.actions.setRule('ukFees', 'With VAT');
    await page.actions.setRule('ukScheme', 'Flat rate');
    expect(page.unsure()).toEqual(['vat']);
    expect(await page.primary()).toBe('1 question left');
    await page.actions.setRule('ukFlatRate', 0.165);
    expect(await page.primary()).toBe('Add decisions');
    await page.actions.setRule('ukScheme', 'Standard');
    await page.actions.setRule('ukRate', null);
    expect(page.unsure()).toEqual(['vat']);
    expect(await page.primary()).toBe('1 question left');
    await page.actions.setRule('ukRate', 0.05);
    expect(await page.primary()).toBe('Add decisions');
  });

  it.each([
    ['With VAT', 1 / 1.2, ['Cost (VAT incl.)', 'Cost incVAT', 'VAT-inclusive cost', 'Gross cost']],
    ['Without VAT', 1, ['Cost exclusive of VAT', 'cost_ex_vat', 'Unit cost (VAT excluded)']],
  ])(
    'has costs %s, whatever they are by the rules, where a title says so',
    async (_, of, titles) => {
      const { page } = await ukList('Cost');
      await page.primary();
      await page.actions.setRule('ukScheme', 'Standard');
      await page.actions.setRule('ukCosts', of === 1 ? 'With VAT' : 'Without VAT');
      await page.actions.setRule('ukFees', 'Without VAT');
      for (const title of titles) {
        made.sheet.type(1, 2, title);
        expect(await page.primary()).toBe('Add decisions');
        await page.actions.decide();
        expect(made.sheet.byHeader(2)['Landed cost']).toBeCloseTo(4 * of, 9);
        await page.actions.remove();
      }
    },
  );

  it('is not asked what the title of the costs says', async () => {
    const { page } = await ukList('Cost inc VAT');
    await page.primary();
    expect(page.unsure()).toEqual(['vat', 'fees']);
    await page.actions.setRule('ukScheme', 'Standard');
    await page.actions.setRule('ukFees', 'Without VAT');
    await page.actions.decide();
    const rows = decidedRows((sell, fees, cost) => sell - sell / 6 - fees - cost / 1.2);
    expect(rows.length).toBeGreaterThan(5);
    for (const { found, wanted } of rows) expect(found).toBeCloseTo(wanted, 1);
  });
});

describe('an estimate in a cell', () => {
  it('is what the columns say at the same cost and target, by the same rules', async () => {
    const { page } = await ukList('Cost');
    await page.primary();
    const rules = { ukFees: 'With VAT', ukCosts: 'With VAT', returns: 0.03, minProfit: null };
    for (const [ukScheme, prep] of [
      ['Standard', 0.4],
      ['Flat rate', null],
    ]) {
      const values = { ...rules, ukScheme, prep, ukFlatRate: 0.1 };
      granted(await changeRules(made.world, { values }));
      granted(await decide(made.world));
      await made.world.host.run(made.world.host.nowMs() + 61_000);
      const all = made.sheet.values().slice(1);
      const rows = all.map((_, at) => made.sheet.byHeader(at + 2));
      const known = rows.filter((row) => typeof row['My profit'] === 'number');
      expect(known.length).toBeGreaterThan(5);
      for (const { ASIN, Cost, ...row } of known) {
        const most = await made.world.show('ANALYZE_MAX_BUY', ASIN, 'UK', 0.3);
        expect(most.value).toBe(row['Max buy']);
        const { value } = await made.world.show('ANALYZE_WHAT_IF', ASIN, 'UK', Cost);
        const [profit, roi] = (value as number[][])[0] ?? [];
        expect(profit).toBeCloseTo(Number(row['My profit']), 2);
        expect(roi).toBeCloseTo(Number(row['My ROI']), 3);
      }
    }
  });

  it('is none while a rule cannot be used, and makes no call', async () => {
    await ukList('Cost', 2);
    granted(await changeRules(made.world, { values: { prep: 'much' } }));
    const { error } = await made.world.show('ANALYZE_MAX_BUY', UK_ASINS[20], 'UK');
    expect(error?.message).toBe('Not analyzed: a rule cannot be used. Check the tab Deal rules');
    expect((await made.world.show('ANALYZE_MAX_BUY', '', 'UK')).value).toBeNull();
    expect(Object.fromEntries(callsByProduct(made.world.service()))).not.toHaveProperty([
      `UK ${UK_ASINS[20]}`,
    ]);
  });
});

it('of rows that name their market, those of the UK owe VAT, and costs are read in their currency', async () => {
  const rows = UK_ASINS.slice(0, 8).map((asin, at) => [
    asin,
    at % 2 ? 'uk' : 'US',
    at % 2 ? '£5.00' : 5,
  ]);
  made = await dealWorld([['ASIN', 'Market', 'Cost'], ...rows, [UK_ASINS[8] ?? '', 'UK', '$5']]);
  const market = { kind: 'column', column: 2 };
  await analyze(made.world, { fields: FIELDS, market });
  const page = dealsPage(made.world);
  expect(await page.primary()).toBe('3 questions left');
  await page.actions.setRule('ukScheme', 'Standard');
  for (const rule of ['ukCosts', 'ukFees'] as const)
    await page.actions.setRule(rule, 'Without VAT');
  await page.actions.decide();
  const all = rows.map((_, at) => made.sheet.byHeader(at + 2));
  for (const row of all) {
    if (typeof row['My profit'] !== 'number') continue;
    const [sell, fees] = [Number(row['Sell price']), Number(row.Fees)];
    const owed = row.Market === 'uk' ? sell / 6 : 0;
    expect(row['My profit']).toBeCloseTo(sell - owed - fees - 5, 1);
  }
  expect(
    new Set(all.filter((row) => row['My profit'] !== '').map(({ Market }) => Market)).size,
  ).toBe(2);
  expect(made.sheet.byHeader(10)['Landed cost']).toBe('Check cost');
});

it('a list of the US asks nothing about VAT', async () => {
  made = await dealWorld([
    ['ASIN', 'Cost'],
    ['B0XKT7M4QN', 8],
  ]);
  await analyze(made.world, { fields: FIELDS });
  const page = dealsPage(made.world);
  expect(await page.primary()).toBe('Add decisions');
  expect(page.unsure()).toEqual([]);
});
