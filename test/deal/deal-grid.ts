// A list with its rules in the host's grid, decided by the formulas that the add-on writes, and the same by the function.

import { calculating } from 'apps-script-host/calculation';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { CellOf } from '../../src/deal/offers';
import { newRulesTab, RULES } from '../../src/deal/rules-tab';
import { OK_STATUS } from '../../src/failures/status';
import type { MarketSource } from '../../src/list/tagged-list';
import {
  COST_INPUT_KEYS,
  COST_KEYS,
  type CostInput,
  type CostKey,
  costProblems,
  landedCost,
  type RateReading,
} from '../../src/product/cost';
import {
  DEAL_COLUMNS,
  dealFormulas,
  numberFormulas,
  numberRole,
} from '../../src/product/deal-formulas';
import {
  COSTS_CURRENCY,
  type RuleKey,
  type RuleValues,
  rateName,
} from '../../src/product/deal-rules';
import { sellPrice } from '../../src/product/estimate';
import { FIELDS, type Figures, figureCell } from '../../src/product/fields';
import { type Currency, type Market, marketRow } from '../../src/product/market';
import { costsOf } from '../../src/product/offer-costs';
import { NOT_ANALYZED, TITLES_OK } from '../../src/product/own-row';
import type { VatSide } from '../../src/product/vat';
import { verdict } from '../../src/product/verdict';

export const NOW_MS = Date.UTC(2026, 0, 5, 9);

export interface DealRow {
  readonly figures: { readonly [Key in keyof Figures]?: CellValue };
  readonly analyzedAt: CellValue;
  readonly market: Market;
  readonly costs: { readonly [Key in CostInput]?: CellValue };
}

export interface DealList {
  readonly rules: { readonly [Key in RuleKey]?: CellValue };
  readonly market: MarketSource;
  readonly side: VatSide | null;
  readonly discountAs: RateReading | null;
  /** The columns of costs that the list has. */
  readonly columns: readonly CostKey[];
  readonly isRoiFraction: boolean;
  /** For a list of both markets: the currency of costs, and what a pound is in dollars. */
  readonly exchange?: { readonly currency: Currency; readonly rate: number };
  readonly rows: readonly DealRow[];
}

/** The cells of a row from left to right, by their names in formulas. */
const NAMES: readonly string[] = [
  ...['product', ...FIELDS, 'status', 'analyzed_at', 'market', 'helper', ...COST_KEYS],
  ...[...COST_INPUT_KEYS.map(numberRole), ...DEAL_COLUMNS],
];

const cellOf = (name: string, row: number) => `${columnLetters(NAMES.indexOf(name) + 1)}${row}`;

/** A formula of ours as the sheet shows it in this row of its own column. */
export const inA1 = (formula: string, row: number, own: string, cell = cellOf): string =>
  formula.replace(/\{([a-zA-Z][^}!]*)(!?)\}/g, (_, name: string, isTitle: string) =>
    cell(name === 'own' ? own : name, isTitle === '' ? row : 1),
  );

/** Of a list of both markets, the UK's. */
const ratesOf = ({ exchange }: DealList): Market | null => (exchange ? 'UK' : null);

function formulasOf(list: DealList): Readonly<Record<string, string>> {
  const { market, side, columns, exchange, discountAs, isRoiFraction: roiIsFraction } = list;
  const said = { side, caseSize: null, included: [], discountAs };
  const input = { market, ...said, costs: columns, fields: FIELDS, isOfBoth: !!exchange };
  const numbers = numberFormulas(input, ratesOf(list)).map(({ role, formula }) => [role, formula]);
  return { ...Object.fromEntries(numbers), ...dealFormulas({ ...input, roiIsFraction }) };
}

/** What an empty lookup shows. */
const LOOKED_UP: CellContent = { formula: '=IF(TRUE;;)' };

/** The first row of rules. */
const FIRST_RULE = 4;

/** The rules tab as the add-on makes it, filled in. */
function addRules(grid: ReturnType<typeof createPlainGrid>, list: DealList): number {
  const { names = [], ...tab } = newRulesTab();
  const sheetId = grid.addSheet(tab.title, 2);
  const cells = tab.cells.map((row) => ['', '', ''].map((_, at): CellContent => row[at] ?? ''));
  for (const [at, { key }] of RULES.entries()) {
    const row = cells[FIRST_RULE - 1 + at];
    if (row) row[2] = list.rules[key] ?? '';
  }
  grid.write(sheetId, 1, 1, cells);
  const place = (at: string) => ({
    row: Number.parseInt(at.slice(1), 10),
    column: at.charCodeAt(0) - 64,
  });
  const rows = (at: string) =>
    Number(at.split(':')[1]?.slice(1) ?? place(at).row) - place(at).row + 1;
  const at = (name: string) => names.find((one) => one.name === name)?.at ?? '';
  const { rate, currency } = list.exchange ?? { rate: 1.25, currency: '' };
  for (const [name, value] of [
    [rateName('GBP'), rate],
    [COSTS_CURRENCY, currency],
  ] as const) {
    const { row, column } = place(at(name));
    grid.write(sheetId, row, column, [[value]]);
  }
  featuresOf(grid).setNames(
    names.map(({ name, at }) => ({
      ...{ name, sheetId },
      rectangle: { ...place(at), rowCount: rows(at), columnCount: 1 },
    })),
  );
  return sheetId;
}

/** What the formulas come to by row and column, and the rules in use as the page reads them. */
export function byFormulas(list: DealList, locale = 'en_US') {
  const { rows } = list;
  const grid = createPlainGrid({ locale, maxRows: rows.length + 60, maxColumns: NAMES.length });
  const rulesId = addRules(grid, list);
  const formulas = formulasOf(list);
  const contents = rows.map((one, at) =>
    NAMES.map((name): CellContent => {
      const formula = formulas[name];
      if (formula !== undefined) return { formula: inA1(formula, at + 2, name) };
      if (name === 'product') return 'B0TEST0001';
      if (name === 'market') return one.market;
      if (name === 'status') return one.analyzedAt === '' ? LOOKED_UP : OK_STATUS;
      if (name === 'analyzed_at') return one.analyzedAt === '' ? LOOKED_UP : one.analyzedAt;
      const figure = FIELDS.find((field) => field === name);
      if (figure !== undefined) {
        const shown = one.figures[figure] ?? '';
        return shown === '' ? LOOKED_UP : figureCell(shown as Figures[typeof figure]);
      }
      return one.costs[name as CostInput] ?? '';
    }),
  );
  grid.write(0, 1, NAMES.indexOf('helper') + 1, [[TITLES_OK]]);
  grid.write(0, 2, 1, contents);
  calculating(grid, { nowMs: () => NOW_MS });
  const area = { row: FIRST_RULE, column: 2, rowCount: RULES.length, columnCount: 1 };
  const inUse: RuleValues = Object.fromEntries(
    grid
      .values(rulesId, area)
      .map(([cell = ''], at) => [RULES[at]?.key, cell === '' ? null : cell]),
  );
  const size = { rowCount: rows.length, columnCount: NAMES.length };
  const values = grid.values(0, { row: 2, column: 1, ...size });
  const shown = values.map((row) =>
    Object.fromEntries(DEAL_COLUMNS.map((key) => [key, row[NAMES.indexOf(key)] ?? ''])),
  );
  return { shown, inUse };
}

const number = (cell: CellValue | undefined) => (typeof cell === 'number' ? cell : null);

/** What the function says of a row, as the sheet shows it. */
export function byFunction(
  list: DealList,
  row: DealRow,
  inUse: ReturnType<typeof byFormulas>['inUse'],
): Readonly<Record<string, CellValue>> {
  const { figures, analyzedAt, market } = row;
  const { eligible = '', profit, roi, fees, rank_drops_30d, buy_price, sell_price } = figures;
  const analysis = {
    figures: {
      ...{ profit: number(profit), roi: number(roi), fees: number(fees) },
      eligible: eligible === '' ? null : (eligible as Figures['eligible']),
      rank_drops_30d: number(rank_drops_30d),
      ...{ buy_price: number(buy_price), sell_price: number(sell_price) },
    },
    fetchedAtMs: analyzedAt instanceof Date ? analyzedAt.getTime() : null,
    market,
    ...(list.isRoiFraction ? { roiUnit: 'fraction' as const } : {}),
  };
  const cellOf: CellOf = (key) =>
    list.columns.some((one) => one === key) ? (row.costs[key as CostInput] ?? '') : undefined;
  const { currency, rate = 1 } = list.exchange ?? {};
  const isExchanged = currency !== undefined && currency !== marketRow(market).currency;
  const into = market === 'US' ? rate : 1 / rate;
  const { side, discountAs } = list;
  const said = { side, caseSize: null, included: [], discountAs, ratesOf: ratesOf(list) };
  const terms = { inUse, currency, ...said, rate: isExchanged ? into : 1 };
  const costs = costsOf(cellOf, terms, market);
  const deal = verdict(analysis, costs, (key) => inUse[key], NOW_MS);
  const sale = sellPrice(analysis);
  const isAnalyzed = analyzedAt !== '';
  // A sale needs no word about costs.
  const isSaleSaid =
    typeof costs.vatRate !== 'string' &&
    (market === 'US' || costsOf(cellOf, { ...terms, side: 'With VAT' }, market).vat.isSaid);
  return {
    landedCost: landedCost(costs) ?? costProblems(costs).join('; '),
    netSale: sale === null || !isAnalyzed || !isSaleSaid ? '' : sale * costs.vat.sale,
    myProfit: isAnalyzed ? (deal.profit ?? '') : '',
    myRoi: isAnalyzed ? (deal.roi ?? '') : '',
    maxBuy: isAnalyzed ? (deal.maxBuy ?? '') : '',
    verdict: isAnalyzed ? deal.verdict : NOT_ANALYZED,
    why: isAnalyzed ? deal.reasons.join('; ') : '',
  };
}
