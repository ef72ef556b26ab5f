// Which market is the better one, worked out in the host's grid: the same as a function's answer, for any row.
import { describe, expect, it } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { newRulesTab } from '../../src/deal/rules-tab';
import { betterFormula } from '../../src/product/deal-formulas';
import { CHECK_RULES, moneyCell, rateName } from '../../src/product/deal-rules';
import { roundTo } from '../../src/product/term';

type Row = readonly [
  usProfit: CellValue,
  usVerdict: CellValue,
  ukProfit: CellValue,
  ukVerdict: CellValue,
];

/** What the formula is to say, in the words of the guide. */
function expected([usProfit, us, ukProfit, uk]: Row, rate: CellValue): string {
  const isError = (cell: CellValue) => String(cell).startsWith('#');
  if (isError(us) || isError(uk)) return '';
  if (us === '' && uk === '') return '';
  if (typeof rate !== 'number' || rate <= 0) return CHECK_RULES;
  const verdicts = ['Buy', 'Maybe', 'Skip'];
  if (!verdicts.includes(String(us)) || !verdicts.includes(String(uk))) return '';
  if (us === 'Skip') return uk === 'Skip' ? '' : 'UK';
  if (uk === 'Skip') return 'US';
  if (typeof usProfit !== 'number' || typeof ukProfit !== 'number') return '';
  const [dollars, exchanged] = [roundTo(usProfit, 2), roundTo(ukProfit * rate, 2)];
  if (dollars === exchanged) return '';
  return dollars > exchanged ? 'US' : 'UK';
}

const RATES: readonly CellValue[] = [1, 1.2712, 1.25, 0.8, 2, 0, -1.3, '', '1,27', '#N/A', true];

function randomRow(random: Random, rate: CellValue): Row {
  const word = () =>
    random.pick(['Buy', 'Buy', 'Maybe', 'Maybe', 'Skip', 'No verdict', '', 'mine', '#REF!']);
  const pennies = () => Math.round(random.between(-500, 4_000)) / 100;
  const typed = () => random.pick(['', 'about 3', '#N/A', true] as const);
  const uk = random.chance(0.06) ? typed() : pennies();
  // Often the same to the penny, or a penny off.
  const near = typeof uk === 'number' && typeof rate === 'number' && random.chance(0.4);
  const us = near ? roundTo(uk * rate, 2) + random.pick([0, 0, 0.01, -0.01]) : pennies();
  return [random.chance(0.06) ? typed() : us, word(), uk, word()];
}

/** What the formula says of each row, at this rate. */
function inTheGrid(rows: readonly Row[], rate: CellContent, locale: string) {
  const grid = createPlainGrid({ locale, maxRows: rows.length + 1 });
  const tab = grid.addSheet('Deal rules', 2);
  const { names = [], cells } = newRulesTab();
  const inTab = (name: string) => {
    const row = Number(names.find((one) => one.name === name)?.at.slice(1));
    return cells[row - 1]?.[1] as CellContent;
  };
  const rates = [moneyCell('US'), moneyCell('UK')];
  grid.write(tab, 1, 2, [[rate], ...rates.map((name) => [inTab(name)])]);
  featuresOf(grid).setNames(
    [rateName('GBP'), ...rates].map((name, at) => ({
      ...{ name, sheetId: tab },
      rectangle: { row: at + 1, column: 2, rowCount: 1, columnCount: 1 },
    })),
  );
  grid.write(0, 2, 1, rows);
  const formulas = rows.map((_, at) => {
    const letters = ['{myProfit US}', '{verdict US}', '{myProfit UK}', '{verdict UK}'];
    const formula = letters.reduce(
      (text, role, place) => text.replaceAll(role, `${'ABCD'[place]}${at + 2}`),
      betterFormula(['US', 'UK']),
    );
    return [{ formula }];
  });
  grid.write(0, 2, 5, formulas);
  calculating(grid, { nowMs: () => 0 });
  const area = { row: 2, column: 5, rowCount: rows.length, columnCount: 1 };
  return grid.values(0, area).map(([cell = '']) => cell);
}

const ROWS = 400;

describe('the better market', () => {
  const seen = new Set<CellValue>();
  const differing = (batch: string, rate: CellValue, locale = 'en_US') => {
    const random = createRandom(seedFrom('better', batch));
    const rows = Array.from({ length: ROWS }, () => randomRow(random, rate));
    const found = inTheGrid(rows, rate, locale);
    for (const one of found) seen.add(one);
    return rows.flatMap((row, at) => {
      const wanted = expected(row, rate);
      return found[at] === wanted ? [] : [{ row, rate, found: found[at], wanted }];
    });
  };

  it.each(RATES.map((rate, at) => [at, rate] as const))(
    'is what the function says of 400 rows, rate %p: %p',
    (at, rate) => {
      expect(differing(`rate ${at}`, rate).slice(0, 3)).toEqual([]);
    },
  );

  it('is so with a decimal comma, too', () => {
    expect(differing('comma', 1.2712, 'de_DE').slice(0, 3)).toEqual([]);
  });

  it('came to every answer', () => {
    expect([...seen].sort()).toEqual(['', CHECK_RULES, 'UK', 'US'].sort());
  });
});
