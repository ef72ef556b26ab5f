// A list with its rules in the host's grid, decided by the formulas that the add-on writes, and the same by the function.

import { calculating } from 'apps-script-host/calculation';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import {
  COST_KEYS,
  type CostKey,
  decisionFormulas,
  numberFormulas,
  numberRole,
} from '../../src/deal/decision-plan';
import type { ListCell } from '../../src/deal/list';
import { newRulesTab, RULES, readRules } from '../../src/deal/rules-tab';
import { costsIn, costsOf } from '../../src/deal/summary';
import type { GroupMarket } from '../../src/list/marked-list';
import { COST_INPUT_KEYS, type CostInput, costProblems, landedCost } from '../../src/product/cost';
import { DEAL_COLUMNS } from '../../src/product/deal-formulas';
import { FX_NAMES, type RuleKey } from '../../src/product/deal-rules';
import { FIELDS, type Figures } from '../../src/product/fields';
import { type Currency, type Market, marketRow } from '../../src/product/market';
import type { VatSide } from '../../src/product/vat';
import { sellPrice, verdict } from '../../src/product/verdict';

export const NOW_MS = Date.UTC(2026, 0, 5, 9);

export interface DealRow {
  readonly figures: { readonly [Key in keyof Figures]?: CellValue };
  readonly analyzedAt: CellValue;
  readonly market: Market;
  readonly costs: { readonly [Key in CostInput]?: CellValue };
}

export interface DealList {
  readonly rules: { readonly [Key in RuleKey]?: CellValue };
  readonly market: GroupMarket;
  readonly side: VatSide | null;
  /** The columns of costs that the list has. */
  readonly columns: readonly CostKey[];
  readonly isRoiFraction: boolean;
  /** For a list of both markets: the currency of costs, and what a pound is in dollars. */
  readonly exchange?: { readonly currency: Currency; readonly rate: number };
  readonly rows: readonly DealRow[];
}

/** The cells of a row from left to right, by their names in formulas. */
const NAMES: readonly string[] = [
  ...['product', ...FIELDS, 'analyzed_at', 'market', ...COST_KEYS],
  ...[...COST_INPUT_KEYS.map(numberRole), ...DEAL_COLUMNS],
];

const cellOf = (name: string, row: number) => `${columnLetters(NAMES.indexOf(name) + 1)}${row}`;

/** A formula of ours as the sheet shows it in this row. */
export const inA1 = (formula: string, row: number, cell = cellOf): string =>
  formula.replace(/\{([a-zA-Z][^}]*)\}/g, (_, name: string) => cell(name, row));

function formulasOf({
  market,
  side,
  columns,
  exchange,
}: DealList): Readonly<Record<string, string>> {
  const input = { market, side, costs: columns, fields: FIELDS, isOfBoth: !!exchange };
  const numbers = numberFormulas(exchange ? 'both' : market, columns).map(({ role, formula }) => [
    role,
    formula,
  ]);
  return { ...Object.fromEntries(numbers), ...decisionFormulas(input) };
}

/** What an empty lookup shows. */
const LOOKED_UP: CellContent = { formula: '=""' };

/** The rules tab as the add-on makes it, filled in. */
function addRules(grid: ReturnType<typeof createPlainGrid>, list: DealList): number {
  const tab = newRulesTab(list.isRoiFraction ? 1 : null);
  const sheetId = grid.addSheet(tab.title, 2);
  const cells = tab.cells.map((row) => row.map((cell): CellContent => cell ?? ''));
  for (const [at, { key }] of RULES.entries()) {
    const row = cells[3 + at];
    if (row) row[2] = list.rules[key] ?? '';
  }
  grid.write(sheetId, 1, 1, cells);
  const place = (at: string) => ({ row: Number(at.slice(1)), column: at.charCodeAt(0) - 64 });
  for (const { at, formula } of tab.formulas)
    grid.write(sheetId, place(at).row, place(at).column, [[{ formula }]]);
  const at = (name: string) => tab.names.find((one) => one.name === name)?.at ?? '';
  const { rate, currency } = list.exchange ?? { rate: 1.25, currency: '' };
  grid.write(sheetId, place(at(FX_NAMES.rate)).row, 2, [[rate]]);
  grid.write(sheetId, place(at(FX_NAMES.currency)).row, 2, [[currency]]);
  const names = tab.names.map(({ name, at }) => ({
    ...{ name, sheetId },
    rectangle: { ...place(at), rowCount: 1, columnCount: 1 },
  }));
  featuresOf(grid).setNames(names);
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
      if (formula !== undefined) return { formula: inA1(formula, at + 2) };
      if (name === 'product') return 'B0TEST0001';
      if (name === 'market') return one.market;
      if (name === 'analyzed_at') return one.analyzedAt === '' ? LOOKED_UP : one.analyzedAt;
      const figure = FIELDS.find((field) => field === name);
      if (figure !== undefined)
        return (one.figures[figure] ?? '') === '' ? LOOKED_UP : (one.figures[figure] ?? '');
      return one.costs[name as CostInput] ?? '';
    }),
  );
  grid.write(0, 2, 1, contents);
  calculating(grid, { nowMs: () => NOW_MS });
  const { lastRow, lastColumn } = grid.size(rulesId);
  const tab = grid.values(rulesId, {
    row: 1,
    column: 1,
    rowCount: lastRow,
    columnCount: lastColumn,
  });
  const rules = readRules({
    ...{ sheetId: rulesId, name: 'Deal rules', rows: {} },
    cells: tab.map((row) => row.map((cell) => cell as ListCell)),
  });
  const size = { rowCount: rows.length, columnCount: NAMES.length };
  const values = grid.values(0, { row: 2, column: 1, ...size });
  const shown = values.map((row) =>
    Object.fromEntries(DEAL_COLUMNS.map((key) => [key, row[NAMES.indexOf(key)] ?? ''])),
  );
  return { shown, inUse: rules.inUse };
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
    ...(list.isRoiFraction ? { roiUnit: 'fraction' as const } : {}),
  };
  const cell = (key: CostKey) =>
    list.columns.includes(key) ? ((row.costs[key as CostInput] as ListCell) ?? null) : undefined;
  const { currency, rate = 1 } = list.exchange ?? {};
  const own = costsOf(cell, { inUse, side: list.side, currency }, market);
  const isExchanged = currency !== undefined && currency !== marketRow(market).currency;
  const costs = isExchanged ? costsIn(own, market === 'US' ? rate : 1 / rate) : own;
  const deal = verdict(analysis, costs, (key) => inUse[key], NOW_MS);
  const sale = sellPrice(analysis);
  const isAnalyzed = analyzedAt !== '';
  return {
    landedCost: landedCost(costs) ?? costProblems(costs).join('; '),
    netSale: sale === null ? '' : sale.price * costs.vat.sale,
    ...{ myProfit: deal.profit ?? '', myRoi: deal.roi ?? '', maxBuy: deal.maxBuy ?? '' },
    verdict: isAnalyzed ? deal.verdict : '',
    why: isAnalyzed ? deal.reasons.join('; ') : '',
  };
}
