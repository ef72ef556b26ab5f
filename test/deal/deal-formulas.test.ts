// The decision as native formulas, worked out in the host's grid: the same as the function's, for any row, and short.
import { describe, expect, it } from '@jest/globals';
import { createRandom, seedFrom } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import { newRulesTab } from '../../src/deal/rules-tab';
import { type CostInput, type CostKey, RATE_READINGS } from '../../src/product/cost';
import {
  betterFormula,
  DEAL_COLUMNS,
  dealFormulas,
  numberFormulas,
} from '../../src/product/deal-formulas';
import { FIELDS, type Field } from '../../src/product/fields';
import { MARKETS } from '../../src/product/market';
import { sampleOf } from '../sample';
import { inA1 } from './deal-grid';
import {
  BATCHES,
  batchOf,
  differing,
  FIRST_BATCHES,
  mayHave,
  OFFERS_OF_A_BATCH,
  randomList,
  SIDES,
} from './random-offers';

describe('formula and function agree', () => {
  const seen = new Set<CellValue>();

  it.each(sampleOf('batches of offers', BATCHES.slice(0, FIRST_BATCHES), 2))(
    `on ${OFFERS_OF_A_BATCH} random rows, batch %p`,
    (batch) => {
      expect(differing(batchOf(batch), 'en_US', seen).slice(0, 3)).toEqual([]);
    },
  );

  it('with a decimal comma, too', () => {
    // This list comes to every verdict by itself, whatever batches are drawn.
    const list = randomList(createRandom(seedFrom('comma 161', 'deal')), 100);
    const whole = {
      ...list,
      rules: { ...list.rules, minProfit: 3, minRoi: 0.3, minMargin: 0.15, maxFees: 12.5 },
    };
    expect(differing(whole, 'de_DE', seen).slice(0, 3)).toEqual([]);
  });

  it('and came to every verdict', () => {
    expect([...seen].sort()).toEqual(['Buy', 'Maybe', 'No verdict', 'Not analyzed', 'Skip']);
  });
});

describe('every formula', () => {
  /** Far to the right, and far down. */
  const far = (_: string, row: number) => `AB${row}`;

  it('has fewer than 400 characters and no decimals, whatever columns the list has', () => {
    const optional: readonly CostInput[] = [
      ...(['pack', 'multipack', 'discount', 'prep', 'shipping', 'other'] as const),
      ...(['vatRate', 'salesTax'] as const),
    ];
    const longest: Record<string, string> = {};
    const note = (key: string, formula: string) => {
      const text = inA1(formula, 10_000, key, far);
      expect(text.replace(/"[^"]*"/g, '')).not.toMatch(/\d[.,]\d/);
      if (text.length > (longest[key] ?? '').length) longest[key] = text;
    };
    const figures: readonly Field[] = ['profit', 'roi', 'eligible', 'rank_drops_30d', 'buy_price'];
    for (const market of ['US', 'UK', 'column'] as const)
      for (const side of SIDES)
        for (const isOfBoth of market === 'column' ? [false] : [false, true])
          for (let set = 0; set < 2 ** optional.length; set += 1) {
            const costs: CostKey[] = ['cost', ...optional.filter((_, at) => set & (2 ** at))];
            const hasVat = isOfBoth || costs.includes('vatRate');
            if (hasVat && costs.includes('salesTax')) continue;
            if (!costs.every((key) => mayHave(market, key))) continue;
            const without = figures.filter((_, at) => !(set & (2 ** at)));
            const fields = FIELDS.filter((field) => !without.includes(field));
            const said = { side, caseSize: null, included: [], discountAs: null };
            const input = { market, ...said, costs, fields, isOfBoth, roiIsFraction: true };
            for (const [key, formula] of Object.entries(dealFormulas(input))) note(key, formula);
            for (const discountAs of [...RATE_READINGS, null])
              for (const one of numberFormulas({ ...input, discountAs }, isOfBoth ? 'UK' : null))
                note(one.role, one.formula);
          }
    // Rules of a market's tax are looked up, so that another market makes no formula longer.
    const ofMarkets = new RegExp(`DEAL_(${MARKETS.join('|')})_`);
    const naming = Object.entries(longest).filter(([, formula]) => ofMarkets.test(formula));
    expect(naming).toEqual([]);
    note('better', betterFormula(['US', 'UK']));
    for (const cell of newRulesTab().cells.flat())
      if (typeof cell === 'object' && 'formula' in cell) note('of a rule', cell.formula);
    const tooLong = Object.entries(longest).filter(([, formula]) => formula.length >= 400);
    expect(tooLong).toEqual([]);
    expect(Object.keys(longest)).toHaveLength(DEAL_COLUMNS.length + 11);
  });
});
