// Each worked example through the sheet's formulas and through the function, and those that the docs show.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { USUAL } from '../../src/product/deal-rules';
import { roundTo } from '../../src/product/term';
import { byFormulas, byFunction, type DealList, NOW_MS } from './deal-grid';
import { EXAMPLES, type Example } from './worked-examples';

const DAY_MS = 86_400_000;

const FIGURES = { sell_price: 24, fees: 6.2, eligible: true, rank_drops_30d: 40 };

const listOf = (example: Example): DealList => {
  const { market, rules, side = null, costs, figures, days = 0, exchange } = example;
  const columns = Object.keys(costs) as (keyof typeof costs)[];
  return {
    ...{ market, side, rules: { ...USUAL, ...rules }, isRoiFraction: true },
    columns: columns.includes('cost') ? columns : ['cost', ...columns],
    ...(exchange ? { exchange } : {}),
    discountAs: example.discountAs ?? null,
    rows: [
      {
        ...{ market, costs, figures: { ...FIGURES, ...figures } },
        analyzedAt: new Date(NOW_MS - days * DAY_MS),
      },
    ],
  };
};

/** "24.00 − 6.20 − 10.00 = 7.80", as a sum and as what a person made of it. */
function sumOf(written: string): { readonly sum: number; readonly result: number } {
  const [left = '', right = ''] = written.split(' = ');
  const plain = left.replaceAll('×', '*').replaceAll('÷', '/').replaceAll('−', '-');
  if (!/^[\d.+*/() -]+$/.test(plain)) throw new Error(`Not a sum: ${written}`);
  return { sum: Number(new Function(`return ${plain}`)()), result: Number(right) };
}

const HALF_A_PENNY = 0.005 + 1e-9;

describe('a worked example', () => {
  it.each(EXAMPLES.map((one) => [`${one.market}: ${one.what}`, one] as const))('%s', (_, one) => {
    const list = listOf(one);
    const { shown, inUse } = byFormulas(list);
    const [row] = list.rows;
    const found = shown[0] ?? {};
    const byRule = row === undefined ? {} : byFunction(list, row, inUse);
    for (const cells of [found, byRule]) {
      expect([cells.verdict, cells.why]).toEqual([one.verdict, one.why ?? '']);
      if (one.profit === undefined) {
        expect([cells.myProfit, cells.myRoi]).toEqual(['', '']);
        continue;
      }
      const { sum, result } = sumOf(one.profit);
      expect(Math.abs(sum - result)).toBeLessThanOrEqual(HALF_A_PENNY);
      expect(roundTo(Number(cells.myProfit), 2)).toBe(result);
      const cost = Number(row?.costs.cost);
      const landed = one.landed === undefined ? { sum: cost, result: cost } : sumOf(one.landed);
      expect(Math.abs(landed.sum - landed.result)).toBeLessThanOrEqual(HALF_A_PENNY);
      expect(cells.landedCost).toBeCloseTo(landed.sum, 9);
      expect(cells.myRoi).toBeCloseTo(sum / landed.sum, 4);
    }
    expect(found.maxBuy).toBe(byRule.maxBuy);
  });

  /** Where nothing but the price speaks against buying. */
  const priced = EXAMPLES.filter(
    ({ profit, why = '', costs }) =>
      profit !== undefined &&
      typeof costs.cost === 'number' &&
      /^(|Check.*|(Profit|ROI).*)$/.test(why),
  );

  it.each(priced.map((one) => [`${one.market}: ${one.what}`, one] as const))(
    'is a Buy at Max buy, and none a penny above: %s',
    (_, one) => {
      const at = (cost: number) =>
        byFormulas(listOf({ ...one, costs: { ...one.costs, cost } })).shown[0];
      const maxBuy = Number(byFormulas(listOf(one)).shown[0]?.maxBuy);
      expect(at(maxBuy)?.verdict).toBe('Buy');
      // What costs a penny more may be less than half a penny more for a unit of a case.
      expect(at(maxBuy + 0.01 * Math.max(1, Number(one.costs.pack ?? 1)) * 2)?.verdict).not.toBe(
        'Buy',
      );
    },
  );

  it('is one of at least forty, and the docs show twenty as they are', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(40);
    const told = EXAMPLES.filter(({ isTold }) => isTold);
    expect(told).toHaveLength(20);
    const page = readFileSync('docs/worked-examples.md', 'utf8');
    for (const { market, what, landed, profit = '', costs, verdict, why = '' } of told) {
      const cost = profit === '' ? '' : Number(costs.cost).toFixed(2);
      const cells = [market, what, landed ?? cost, profit, verdict, why];
      expect(page).toContain(`| ${cells.join(' | ')} |\n`);
    }
  });
});
