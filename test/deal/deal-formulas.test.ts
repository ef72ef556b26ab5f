// The decision as native formulas, worked out in the host's grid: the same as the function's, for any row.
import { describe, expect, it } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { RoiUnit } from '../../src/product/analysis';
import {
  COST_KINDS,
  type CostCell,
  type Costs,
  costProblems,
  type OptionalCost,
  unitCost,
} from '../../src/product/cost';
import { DEAL_COLUMNS, type DealCells, dealFormulas } from '../../src/product/deal-formulas';
import {
  COST_NAMES,
  decisionOf,
  RULE_NAMES,
  type RuleKey,
  rulesOf,
} from '../../src/product/deal-rules';
import { pricesOf } from '../../src/product/estimate';
import type { Figures } from '../../src/product/fields';
import { readTypedCost } from '../../src/product/typed-cost';
import { type Deal, verdict } from '../../src/product/verdict';
import { sampleOf } from '../sample';

const NOW_MS = Date.UTC(2026, 0, 5, 9);

/** The columns of the list, left to right; the decision stands to their right. */
const COLUMNS = [
  ...(['profit', 'roi', 'fees', 'eligible', 'drops', 'buyPrice', 'sellPrice'] as const),
  ...(['analyzedAt', 'cost', 'pack', 'multipack', 'discount', 'vat', 'prep', 'shipping'] as const),
];
/** The product of a row stands right of its figures and costs. */
const PRODUCT = columnLetters(COLUMNS.length + 1);
const LETTERS = Object.fromEntries(COLUMNS.map((key, at) => [key, columnLetters(at + 1)]));
const cellsOfRow = (row: number) =>
  ({
    ...Object.fromEntries(COLUMNS.map((key) => [key, `${LETTERS[key]}${row}`])),
    product: PRODUCT + row,
    currency: '"USD"',
  }) as unknown as DealCells;
const ownOfRow = (row: number, after = COLUMNS.length + 1) => ({
  landedCost: `${columnLetters(after + 1)}${row}`,
  myProfit: `${columnLetters(after + 2)}${row}`,
  myRoi: `${columnLetters(after + 3)}${row}`,
});

type Row = Readonly<Record<(typeof COLUMNS)[number], CellValue>>;

interface Offer {
  readonly rules: Readonly<Record<RuleKey, CellValue>>;
  readonly roiScale: 1 | 100 | null;
  readonly rows: readonly Row[];
}

/** Cells that hold no number at all, be it a text, an error or nothing. */
const NO_NUMBERS: readonly CellValue[] = [
  ...['', '', '', '', '', '', ''],
  ...['n/a', '12 or so', '#N/A', '#DIV/0!', true],
];

function money(random: Random): number {
  const places = 10 ** random.integer(0, 4);
  const size = random.chance(0.03) ? 1e9 : random.chance(0.2) ? 1_000 : 40;
  const sign = random.chance(0.05) ? -1 : 1;
  return (sign * Math.round(random.between(0, size) * places)) / places;
}

/** A number as programs, people and invoices write it, or nearly. */
function typed(random: Random, value: number): CellValue {
  if (random.chance(0.4)) return value;
  const places = String(value).split('.')[1]?.length ?? 0;
  const thousands = value.toLocaleString('en-US', { minimumFractionDigits: places });
  const text = random.pick([String(value), String(value).replace('.', ','), thousands]);
  const before = random.pick([
    '',
    '',
    '$',
    'US$',
    'USD ',
    '$\u00a0',
    ' ',
    '\u2066',
    '="',
    '£',
    '€',
    '+',
  ]);
  const after = random.pick([
    '',
    '',
    ' USD',
    '\u00a0',
    '$',
    '\u2069',
    '"',
    ' each',
    ' 3',
    '.',
    '%',
  ]);
  return before + text + after;
}

const maybe = (random: Random, missing: number, value: () => CellValue): CellValue =>
  random.chance(missing) ? random.pick(NO_NUMBERS) : value();

function randomRow(random: Random, roiScale: number): Row {
  const share = () =>
    random.pick([0, 0.05, 0.2, '20%', '5 %', '17,5%', 0.175, 1, 5, 20, 99, 100, -0.1]);
  const row = {
    profit: maybe(random, 0.1, () => money(random)),
    roi: maybe(random, 0.1, () => random.pick([0, 0.3, 0.25, -0.2, random.next()]) * roiScale),
    fees: maybe(random, 0.1, () => money(random)),
    eligible: random.pick([true, true, true, false, 'needs approval', '']),
    drops: maybe(random, 0.1, () => random.integer(0, 60)),
    buyPrice: maybe(random, 0.3, () => money(random)),
    sellPrice: maybe(random, 0.3, () => money(random)),
    analyzedAt: random.chance(0.1) ? '' : new Date(NOW_MS - random.integer(0, 20 * 86_400) * 1_000),
    cost: maybe(random, 0.1, () => typed(random, money(random))),
    pack: maybe(random, 0.6, () => random.pick([1, 2, 6, 12, '12', ' 6 ', 0.5, 0, -3, 46_185])),
    multipack: maybe(random, 0.7, () => random.pick([1, 2, 3, 0, -1])),
    discount: maybe(random, 0.6, share),
    vat: maybe(random, 0.6, share),
    prep: maybe(random, 0.6, () => random.pick([0, 0.35, '$0.35', '0,5 USD', 1.2, -1])),
    shipping: maybe(random, 0.6, () => random.pick([0, 0.5, 2.75, -1])),
  };
  const isLacking = random.chance(0.01);
  return isLacking ? { ...row, profit: '', fees: '', sellPrice: '', analyzedAt: '' } : row;
}

function randomOffer(random: Random, rows: number): Offer {
  const target = (value: () => number) => (random.chance(0.25) ? '' : value());
  const profit = () => random.pick([1, 2.5, 3, 10]);
  const roi = () => random.pick([0.1, 0.25, 0.3, 1, 1 / 3]);
  const drops = () => random.integer(1, 30);
  const fees = () => random.pick([5, 12.5, 20]);
  const perUnit = () => maybe(random, 0.6, () => random.pick([0, 0.35, 1.2, -1]));
  const roiScale = random.pick([1, 100, null] as const);
  const rules = {
    ...{ minProfit: target(profit), minRoi: target(roi), minDrops: target(drops) },
    ...{ maybeProfit: target(profit), maybeRoi: target(roi), maybeDrops: target(drops) },
    ...{ maxFees: target(fees), maybeFees: target(fees) },
    eligibleOnly: random.chance(0.7),
    staleDays: target(() => random.pick([1, 7])),
    vatReclaimed: random.chance(0.5),
    ...{ vat: target(() => random.pick([0.2, 20])), prep: perUnit(), shipping: perUnit() },
    // No part of what is decided at the service's price.
    ...{ pack: random.pick(['', 6]), discount: random.pick(['', 0.1]) },
  };
  // An error in one of them is told in words of its own.
  const isError = (value: CellValue) => String(value).startsWith('#');
  return {
    rules: Object.fromEntries(
      Object.entries(rules).map(([key, value]) => [key, isError(value) ? 'n/a' : value]),
    ) as Offer['rules'],
    roiScale,
    rows: Array.from({ length: rows }, () => randomRow(random, roiScale ?? 1)),
  };
}

/** The named cells of an offer. */
function namedCells({ rules, roiScale }: Offer): Readonly<Record<string, CellContent>> {
  const others = { roiScale: roiScale ?? '', now: { formula: '=NOW()' } };
  const names = Object.entries({ ...RULE_NAMES, ...COST_NAMES });
  const values: Readonly<Record<string, CellContent>> = { ...rules, ...others };
  return Object.fromEntries(names.map(([key, name]) => [name, values[key] ?? '']));
}

/** The rows with formulas in a spreadsheet, and what the formulas come to. */
function inTheGrid(
  offer: Offer,
  locale: string,
  rows: readonly (readonly CellValue[])[],
  formulasOf: (row: number) => readonly string[],
) {
  const grid = createPlainGrid({ locale, maxRows: rows.length + 1 });
  const tab = grid.addSheet('Deal rules', 2);
  const names = Object.entries(namedCells(offer)).map(([name, content], at) => {
    grid.write(tab, at + 1, 2, [[content]]);
    const rectangle = { row: at + 1, column: 2, rowCount: 1, columnCount: 1 };
    return { name, sheetId: tab, rectangle };
  });
  featuresOf(grid).setNames(names);
  grid.write(0, 2, 1, rows);
  const formulas = rows.map((_row, at) => formulasOf(at + 2).map((formula) => ({ formula })));
  const [width = 0] = rows.map((row) => row.length);
  grid.write(0, 2, width + 1, formulas);
  calculating(grid, { nowMs: () => NOW_MS });
  const size = { rowCount: rows.length, columnCount: formulas[0]?.length ?? 0 };
  return grid.values(0, { row: 2, column: width + 1, ...size });
}

const figure = (cell: CellValue): number | null => (typeof cell === 'number' ? cell : null);

/** The row's figures as the service gives them: one that is no number is none. */
function analysisOf({ roiScale }: Offer, row: Row) {
  const figures: Figures = {
    profit: figure(row.profit),
    roi: figure(row.roi),
    fees: figure(row.fees),
    eligible: row.eligible === '' ? null : (row.eligible as Figures['eligible']),
    rank_drops_30d: figure(row.drops),
    buy_price: figure(row.buyPrice),
    sell_price: figure(row.sellPrice),
  };
  const roiUnit: RoiUnit = roiScale === 100 ? 'percent' : 'fraction';
  return { figures, ...(roiScale === null ? {} : { roiUnit }) };
}

function costsOf({ rules }: Offer, row: Row): Costs {
  const read = (key: 'cost' | OptionalCost) =>
    readTypedCost(row[key] as CostCell, COST_KINDS[key], 'USD');
  return {
    ...{ cost: read('cost'), pack: read('pack'), multipack: read('multipack') },
    ...{ discount: read('discount'), vat: read('vat') },
    ...{ prep: read('prep'), shipping: read('shipping') },
    isVatReclaimed: rules.vatReclaimed === true,
  };
}

function byFunction(offer: Offer, row: Row): Deal {
  const { rules } = offer;
  const at = row.analyzedAt;
  const costs = costsOf(offer, row);
  const fetchedAtMs = at instanceof Date ? at.getTime() : null;
  const analysis = { ...analysisOf(offer, row), fetchedAtMs };
  return verdict(analysis, costs, (key) => rules[key], NOW_MS);
}

/** What the function's answer is in the sheet's cells. */
function expected(offer: Offer, row: Row): readonly CellValue[] {
  const deal = byFunction(offer, row);
  const filled = [row.profit, row.fees, row.sellPrice, row.analyzedAt];
  const isEmpty = filled.every((cell) => cell === '');
  const costs = costsOf(offer, row);
  const landed = unitCost(costs) ?? costProblems(costs).join('; ');
  const figures = [landed, deal.profit ?? '', deal.roi ?? '', deal.maxBuy ?? ''];
  return isEmpty ? [...figures, '', ''] : [...figures, deal.verdict, deal.reasons.join('; ')];
}

/** From ten million on, doubles lose what a penny may be short of; a sheet's 15 digits end later still. */
function isEqual(one: CellValue, other: CellValue | undefined, isLarge: boolean): boolean {
  if (typeof one !== 'number' || typeof other !== 'number' || !isLarge)
    return Object.is(one, other);
  return Math.abs(one - other) <= Math.max(0.011, 1e-9 * Math.abs(one));
}

/** The landed cost is not rounded; a sheet has 15 digits. */
const LANDED = DEAL_COLUMNS.indexOf('landedCost');
const isNear = (one: CellValue, other: CellValue | undefined) =>
  typeof one === 'number' && typeof other === 'number'
    ? Math.abs(one - other) <= 1e-12 * Math.abs(one)
    : one === other;

/** Batches of their own targets, ten thousand rows in all. */
/** Between them these two come to every verdict. */
const COVERING = [3, 15];
const BATCHES = [
  ...COVERING,
  ...sampleOf(
    'batches of offers',
    Array.from({ length: 20 }, (_, at) => at + 1).filter((batch) => !COVERING.includes(batch)),
    3,
  ),
];
const ROWS = 500;

describe('formula and function agree', () => {
  const seen = new Set<CellValue>();
  const differing = (offer: Offer, locale: string) => {
    const rows = offer.rows.map((row) => [...COLUMNS.map((key) => row[key]), 'B0TEST0001']);
    const found = inTheGrid(offer, locale, rows, (row) => {
      const formulas = dealFormulas(cellsOfRow(row), ownOfRow(row));
      return DEAL_COLUMNS.map((key) => formulas[key]);
    });
    return offer.rows.flatMap((row, at) => {
      const [cells = [], wanted] = [found[at], expected(offer, row)];
      seen.add(cells[4] ?? '');
      const isLarge = [row, { maxBuy: wanted[3] }].some((figures) =>
        Object.values(figures).some((one) => typeof one === 'number' && Math.abs(one) >= 1e7),
      );
      const isSame = wanted.every((value, place) =>
        place === LANDED ? isNear(value, cells[place]) : isEqual(value, cells[place], isLarge),
      );
      return isSame ? [] : [{ row, rules: offer.rules, scale: offer.roiScale, cells, wanted }];
    });
  };

  it.each(BATCHES)(`on ${ROWS} random rows, batch %p`, (batch) => {
    const offer = randomOffer(createRandom(seedFrom('deal', batch)), ROWS);
    expect(differing(offer, 'en_US').slice(0, 3)).toEqual([]);
  });

  it('with a decimal comma, too', () => {
    const offer = randomOffer(createRandom(seedFrom('deal', 'comma')), 100);
    expect(differing(offer, 'de_DE').slice(0, 3)).toEqual([]);
  });

  it('and came to every verdict', () => {
    expect([...seen].sort()).toEqual(['', 'Buy', 'Maybe', 'No verdict', 'Skip']);
  });
});

/** The cost of a list that was made of the service's prices: given, else derived from other figures. */
function servicePrice(offer: Offer, row: Row): CellValue {
  const analysis = analysisOf(offer, row);
  const prices = pricesOf(analysis);
  return analysis.figures.buy_price ?? ('buy' in prices ? prices.buy : '');
}

describe('a formula of a list whose cost is the buy price, and =ANALYZE, agree', () => {
  const seen = new Set<CellValue>();

  it.each(BATCHES)(`on ${ROWS} random rows, batch %p`, (batch) => {
    const offer = randomOffer(createRandom(seedFrom('deal', 'cell', batch)), ROWS);
    const fetchedAt = (row: Row) => (row.analyzedAt instanceof Date ? row.analyzedAt : new Date(0));
    const rows = offer.rows.map((row) => [
      ...COLUMNS.map((key) => (key === 'analyzedAt' ? fetchedAt(row) : row[key])),
      'B0TEST0001',
      servicePrice(offer, row),
    ]);
    const costs = { ...COST_NAMES, pack: null, multipack: null, discount: null };
    const found = inTheGrid(offer, 'en_US', rows, (row) => {
      const cost = columnLetters(COLUMNS.length + 2) + row;
      const cells = { ...cellsOfRow(row), ...costs, cost };
      const formulas = dealFormulas(cells, ownOfRow(row, COLUMNS.length + 2));
      return [
        formulas.landedCost,
        formulas.myProfit,
        formulas.myRoi,
        formulas.verdict,
        formulas.why,
      ];
    });
    const rules = rulesOf(namedCells(offer));
    const differing = offer.rows.flatMap((row, at) => {
      const analysis = {
        ...analysisOf(offer, row),
        extras: [],
        fetchedAtMs: fetchedAt(row).getTime(),
      };
      const { verdict: word, why } = decisionOf(analysis, rules, NOW_MS);
      const [, , , ...cells] = found[at] ?? [];
      seen.add(word);
      return cells[0] === word && cells[1] === why
        ? []
        : [{ row, rules: offer.rules, cells, word, why }];
    });
    expect(differing.slice(0, 3)).toEqual([]);
  });

  it('and came to every verdict', () => {
    expect([...seen].sort()).toEqual(['Buy', 'Maybe', 'No verdict', 'Skip']);
  });
});
