// Lists of offers drawn from a seed, as people write them, and where formulas and functions decide otherwise.
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import type { CellValue } from 'apps-script-host/sheet/model';
import { COST_KEYS, type CostKey, RATE_READINGS } from '../../src/product/cost';
import { DEAL_COLUMNS } from '../../src/product/deal-formulas';
import { sampleSize } from '../sample';
import { byFormulas, byFunction, type DealList, type DealRow, NOW_MS } from './deal-grid';

export const SIDES = [null, 'With VAT', 'Without VAT'] as const;

/** A number as programs, people and invoices write it, or nearly. */
function typed(random: Random, value: number): CellValue {
  if (random.chance(0.4)) return value;
  const places = String(value).split('.')[1]?.length ?? 0;
  const thousands = value.toLocaleString('en-US', { minimumFractionDigits: places });
  const text = random.pick([String(value), String(value).replace('.', ','), thousands]);
  const before = random.pick([
    ...['', '', '$', 'US$', 'USD ', '$\u00a0', ' ', '\u2066', '="', '£', '€', '+'],
  ]);
  const after = random.pick([
    ...['', '', ' USD', '\u00a0', '$', '\u2069', '"', ' each', ' 3', '.', '%', ' gbp'],
  ]);
  return before + text + after;
}

function money(random: Random): number {
  const places = 10 ** random.integer(0, 4);
  const size = random.chance(0.03) ? 100_000 : random.chance(0.2) ? 1_000 : 40;
  const sign = random.chance(0.05) ? -1 : 1;
  return (sign * Math.round(random.between(0, size) * places)) / places;
}

const NO_NUMBERS: readonly CellValue[] = [
  ...['', '', '', '', 'n/a', '12 or so', '-', '\u00a0', '#N/A', '#DIV/0!', true],
];

const maybe = (random: Random, missing: number, value: () => CellValue): CellValue =>
  random.chance(missing) ? random.pick(NO_NUMBERS) : value();

function randomRow(random: Random, list: Pick<DealList, 'market' | 'isRoiFraction'>): DealRow {
  const known = (missing: number, value: () => CellValue) =>
    random.chance(missing) ? '' : value();
  const share = () =>
    random.pick([0, 0.05, 0.2, '20%', '5 %', '17,5%', 0.175, 1, 5, 20, 99, 100, -0.1]);
  const units = () => random.pick([1, 2, 6, 12, '12', ' 6 ', 0.5, 0, -3, 46_185]);
  const amount = () => random.pick([0, 0.35, '$0.35', '£0.35', '0,5 USD', 1.2, -1]);
  const vatRate = () =>
    random.pick([0, 5, 20, 0.05, 0.2, '20%', '5,0 %', ' z ', 'T1', 'ZR', '20.0% S', 'A', 17.5, 1]);
  const { market } = list;
  return {
    figures: {
      profit: known(0.1, () => money(random)),
      roi: known(0.1, () => random.pick([0, 0.3, 0.25, -0.2, random.next()])),
      fees: known(0.1, () => money(random)),
      eligible: random.pick([true, true, true, false, 'Needs approval', '']),
      rank_drops_30d: known(0.1, () => random.integer(0, 60)),
      buy_price: known(0.3, () => money(random)),
      sell_price: known(0.3, () => money(random)),
    },
    analyzedAt: random.chance(0.1) ? '' : new Date(NOW_MS - random.integer(0, 20 * 86_400) * 1_000),
    market: market === 'column' ? random.pick(['US', 'UK'] as const) : market,
    costs: {
      cost: maybe(random, 0.1, () => typed(random, money(random))),
      pack: maybe(random, 0.5, units),
      multipack: maybe(random, 0.6, units),
      discount: maybe(random, 0.5, share),
      prep: maybe(random, 0.5, amount),
      shipping: maybe(random, 0.5, amount),
      other: maybe(random, 0.5, amount),
      vatRate: maybe(random, 0.3, vatRate),
      salesTax: maybe(random, 0.5, amount),
    },
  };
}

/** Beside VAT, and so in a list of both markets, a column of sales tax counts nothing. */
export const mayHave = (market: DealList['market'], key: CostKey): boolean =>
  key !== 'salesTax' || market === 'US';

export function randomList(random: Random, rows: number): DealList {
  const blank = (value: () => CellValue) => (random.chance(0.25) ? '' : value());
  const profit = () => random.pick([1, 2.5, 3, 10]);
  const roi = () => random.pick([0.1, 0.25, 0.3, 1, 1 / 3]);
  const drops = () => random.integer(1, 30);
  const fees = () => random.pick([5, 12.5, 20]);
  const list = {
    market: random.pick(['US', 'UK', 'UK', 'column'] as const),
    side: random.pick(SIDES),
    isRoiFraction: random.chance(0.7),
    discountAs: random.pick([...RATE_READINGS, null]),
  };
  const optional = COST_KEYS.filter((key) => key !== 'cost' && key !== 'quantity');
  const drawn = optional.filter(() => random.chance(0.5));
  const columns: CostKey[] = ['cost', ...drawn.filter((key) => mayHave(list.market, key))];
  return {
    ...list,
    ...(columns.includes('salesTax') && { side: 'With VAT' as const }),
    columns,
    rules: {
      ...{ minProfit: blank(profit), minRoi: blank(roi), minDrops: blank(drops) },
      minMargin: blank(() => random.pick([0.05, 0.15, 25])),
      ...{ maybeProfit: blank(profit), maybeRoi: blank(roi), maybeDrops: blank(drops) },
      ...{ maxFees: blank(fees), maybeFees: blank(fees) },
      eligibleOnly: random.chance(0.7),
      staleDays: blank(() => random.pick([1, 7])),
      ukScheme: random.pick(['', 'Not registered', 'Standard', 'Flat rate']),
      ukRate: blank(() => random.pick([0.2, 20, 0.05])),
      ukFlatRate: blank(() => random.pick([0.075, 16.5])),
      ukCosts: random.pick(['', 'With VAT', 'Without VAT']),
      ukFees: random.pick(['', 'With VAT', 'Without VAT']),
      usTax: blank(() => 0.0825),
      returns: blank(() => random.pick([0.02, 5])),
      ...{ pack: blank(() => 6), multipack: blank(() => 2), discount: blank(() => 0.1) },
      ...{ prep: blank(() => 0.35), shipping: blank(() => 1.2), other: blank(() => 0.05) },
    },
    rows: Array.from({ length: rows }, () => randomRow(random, list)),
  };
}

/** A sheet has 15 digits, and a penny may be what a double is short of. */
function isSame(one: CellValue | undefined, other: CellValue | undefined): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
}

/** All but what is hidden. */
const SHOWN = DEAL_COLUMNS.slice(0, DEAL_COLUMNS.indexOf('costsRead'));

/** Rows in which formulas show otherwise than functions say. @param seen takes every verdict. */
export function differing(list: DealList, locale: string, seen: Set<CellValue>) {
  const { shown, inUse } = byFormulas(list, locale);
  return list.rows.flatMap((row, at) => {
    const [found, wanted] = [shown[at] ?? {}, byFunction(list, row, inUse)];
    seen.add(found.verdict ?? '');
    const wrong = SHOWN.filter((key) => !isSame(found[key], wanted[key]));
    return wrong.length === 0
      ? []
      : [
          {
            wrong: wrong.map((key) => [key, found[key], wanted[key]]),
            row,
            list: { ...list, rows: [] },
          },
        ];
  });
}

export const OFFERS_OF_A_BATCH = sampleSize(500, 60);

/**
 * Batches of offers. The engine keeps each formula that it has read, and no process has room for those of all
 * batches, so two files share them.
 */
export const BATCHES = Array.from({ length: 20 }, (_, at) => at + 1);
export const FIRST_BATCHES = 10;

export const batchOf = (batch: number): DealList =>
  randomList(createRandom(seedFrom('deal', batch)), OFFERS_OF_A_BATCH);
