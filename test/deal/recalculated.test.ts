// Offers worked out again in exact fractions, by the words of the guide alone: columns, card, estimates, shopping
// list and summary agree with it, and a penny more than Max buy is no Buy.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import { AS_LISTED, dealAt } from '../../src/deal/product-card';
import type { Market } from '../../src/product/market';
import { granted, SANDBOX } from '../doors/bulk-list';
import {
  analyze,
  changeRules,
  type DealWorld,
  dealWorld,
  decide,
  offersIn,
  rulesIn,
  shop,
  summarize,
} from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

/** Numerator and denominator. */
type Fraction = readonly [bigint, bigint];

/** What a number is as it is written, such as 0.165. */
function exactly(value: number): Fraction {
  const [whole = '0', decimals = ''] = value.toFixed(8).split('.');
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)];
}
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const over = ([a, b]: Fraction, [c, d]: Fraction): Fraction =>
  c < 0n ? [-a * d, b * -c] : [a * d, b * c];
const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const minus = (one: Fraction, [c, d]: Fraction): Fraction => plus(one, [-c, d]);
const isUnder = ([a, b]: Fraction, [c, d]: Fraction): boolean => a * d < c * b;
const near = ([a, b]: Fraction): number => Number((a * 10n ** 10n) / b) / 1e10;
const ONE: Fraction = [1n, 1n];

/** Down to the penny, and never below 0. */
const downToPenny = ([a, b]: Fraction): number => (a <= 0n ? 0 : Number((a * 100n) / b) / 100);

interface Seller {
  readonly what: string;
  readonly market: Market;
  readonly rules: Readonly<Record<string, string | number>>;
}

/**
 * What of a cost, of a sale and of fees counts, by the words of the guide.
 *
 * @param ofRow the product's own rate. @param isTaxInRow whether its row says what sales tax it bears.
 */
function sharesOf({ market, rules }: Seller, ofRow?: CellValue, isTaxInRow = false) {
  const rule = (key: string) => exactly(Number(rules[key] ?? 0));
  const returned = minus(ONE, rule('returns'));
  if (market === 'US') {
    const cost = isTaxInRow ? ONE : plus(ONE, rule('usTax'));
    return { cost, sale: returned, fees: ONE };
  }
  const isStandard = rules.ukScheme === 'Standard';
  const side = (said: unknown, rate: Fraction): Fraction => {
    if (said === 'With VAT') return isStandard ? over(ONE, plus(ONE, rate)) : ONE;
    return isStandard ? ONE : plus(ONE, rate);
  };
  const rate = typeof ofRow === 'number' ? exactly(ofRow) : rule('ukRate');
  const flat = rules.ukScheme === 'Flat rate' ? rule('ukFlatRate') : exactly(0);
  const owed = isStandard ? over(rate, plus(ONE, rate)) : flat;
  return {
    cost: side(rules.ukCosts, rate),
    sale: minus(returned, owed),
    // Fees are a service, and bear 20% whatever the product does.
    fees: side(rules.ukFees, exactly(0.2)),
  };
}

interface List {
  readonly market: Market;
  readonly titles: readonly string[];
  /** Of the third column on; the second one is the cost, the third what is bought of it. */
  readonly more: readonly (readonly CellValue[])[];
}

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const ROWS = 8;

const MORE = [
  [1, 0, 0.45],
  [1, 10, 0],
  [1, 12.5, 0],
  [2, 5, 0.45],
];
const TITLES = ['ASIN', 'Unit cost', 'Order qty', 'Multipack', 'Discount', 'Prep'];
/** With a case and a tax of its own in each row. */
const OF_CASES = ['Case cost', 'Cases to buy', 'Multipack', 'Discount', 'Prep', 'Case size'];
const CASES = [1, 2, 6, 3];

const LISTS = {
  US: { market: 'US', titles: TITLES, more: MORE },
  UK: { market: 'UK', titles: TITLES, more: MORE },
  'UK, row by row': {
    market: 'UK',
    titles: ['ASIN', ...OF_CASES, 'VAT rate'],
    more: MORE.map((cells, at) => [...cells, CASES[at] ?? 1, [0, 0.05, 0.2, ''][at] ?? '']),
  },
  'US, row by row': {
    market: 'US',
    titles: ['ASIN', ...OF_CASES, 'Sales tax'],
    more: MORE.map((cells, at) => [...cells, CASES[at] ?? 1, [0.19, 0.94, 0, '$2.31'][at] ?? '']),
  },
} as const satisfies Readonly<Record<string, List>>;

const rowsOf = ({ market, titles, more }: List): CellValue[][] =>
  [...asins[market]].slice(0, ROWS).map((asin, at) => {
    const cost = [2.35, 7.13, 4.99, 11.01][at % 4] ?? 0;
    const cells = more[at % 4] ?? [];
    const size = Number(cells[titles.indexOf('Case size') - 3] ?? 1);
    return [asin, Math.round(cost * size * 100) / 100, 1 + (at % 3), ...cells];
  });

/** Only prices decide. */
const PRICES = { eligibleOnly: false, minDrops: null, maybeDrops: null, staleDays: null };
const WITH = { ukCosts: 'With VAT', ukFees: 'With VAT' };
const WITHOUT = { ukCosts: 'Without VAT', ukFees: 'Without VAT' };

const SELLERS: Readonly<Record<keyof typeof LISTS, readonly Seller[]>> = {
  US: [
    { what: 'no sales tax', market: 'US', rules: {} },
    { what: 'a least profit', market: 'US', rules: { minProfit: 7.25 } },
    { what: 'a least margin', market: 'US', rules: { minMargin: 0.35, minProfit: '' } },
    {
      what: 'sales tax, returns, cases of 4',
      market: 'US',
      rules: { usTax: 0.08, returns: 0.03, pack: 4, minRoi: 0.55 },
    },
  ],
  UK: [
    {
      what: 'not registered',
      market: 'UK',
      rules: { ...WITH, ukScheme: 'Not registered', ukRate: 0.2 },
    },
    {
      what: 'not registered, books',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Not registered', ukRate: 0 },
    },
    {
      what: 'standard',
      market: 'UK',
      rules: { ...WITH, ukScheme: 'Standard', ukRate: 0.2, returns: 0.04, minProfit: 6 },
    },
    {
      what: 'standard at 5%',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Standard', ukRate: 0.05, pack: 3, minMargin: 0.25 },
    },
    {
      what: 'standard at 0%',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Standard', ukRate: 0, ukFees: 'With VAT' },
    },
    {
      what: 'flat rate',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Flat rate', ukRate: 0.2, ukFlatRate: 0.075, minRoi: '' },
    },
  ],
  'US, row by row': [
    { what: 'tax in each row', market: 'US', rules: { usTax: 0.08 } },
    { what: 'tax in each row, returns', market: 'US', rules: { returns: 0.03, minProfit: 5 } },
  ],
  'UK, row by row': [
    {
      what: 'not registered',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Not registered', ukRate: 0.2, minProfit: 5 },
    },
    {
      what: 'standard',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Standard', ukRate: 0.2, minMargin: 0.2 },
    },
    {
      what: 'flat rate',
      market: 'UK',
      rules: { ...WITH, ukScheme: 'Flat rate', ukRate: 0.05, ukFlatRate: 0.165, returns: 0.02 },
    },
  ],
};
/** Of every seller who says nothing else; a blank rule asks for nothing. */
const BLANK = { usTax: null, returns: null, pack: null, ukFlatRate: null };
const TARGETS = { minProfit: 3, minRoi: 0.3, minMargin: '', maybeProfit: 1.5, maybeRoi: 0.15 };

const HALF_A_PENNY = 0.005;

const least = (one: Fraction, ...more: readonly Fraction[]): Fraction =>
  more.reduce((lowest, other) => (isUnder(other, lowest) ? other : lowest), one);

describe.each(Object.keys(LISTS) as (keyof typeof LISTS)[])('offers in the %s', (name) => {
  it('come to what the guide says, to the penny and in every door', async () => {
    const list: List = LISTS[name];
    const { market, titles } = list;
    made = await dealWorld([titles, ...rowsOf(list)]);
    const { world, sheet } = made;
    const [, ofCost = '', ofQuantity = ''] = titles;
    await analyze(world, { fields: FIELDS, market: { kind: 'one', market } });
    granted(await decide(world));
    let offers = 0;
    for (const seller of SELLERS[name]) {
      const targets = { ...TARGETS, ...seller.rules };
      granted(await changeRules(world, { values: { ...PRICES, ...BLANK, ...targets } }));
      await world.host.run(world.host.nowMs() + 61_000);
      const { inUse } = await rulesIn(world);
      const cards = await offersIn(world);
      const bare = sharesOf(seller);
      const [minProfit, minRoi, minMargin] = [
        exactly(Number(targets.minProfit)),
        exactly(Number(targets.minRoi)),
        exactly(Number(targets.minMargin)),
      ];
      let [outlay, earned]: [Fraction, Fraction] = [exactly(0), exactly(0)];
      const bought = new Map<string, readonly number[]>();
      for (let row = 2; row <= ROWS + 1; row += 1) {
        const cells = sheet.byHeader(row);
        if (cells['Analysis status'] !== 'OK') continue;
        const own = (title: string) => exactly(Number(cells[title]));
        const shares = sharesOf(seller, cells['VAT rate'], titles.includes('Sales tax'));
        const packed = exactly(Number(cells['Case size'] ?? seller.rules.pack ?? 1));
        const off = minus(ONE, over(own('Discount'), exactly(100)));
        const share = over(times(times(shares.cost, off), own('Multipack')), packed);
        const leftBy = (of: typeof shares) =>
          minus(times(own('Sell price'), of.sale), times(own('Fees'), of.fees));
        const left = leftBy(shares);
        const tax = exactly(Number(String(cells['Sales tax'] ?? 0).replace('$', '')));
        const taxOfSale = over(times(tax, own('Multipack')), packed);
        const extras = plus(own('Prep'), taxOfSale);
        const landed = plus(times(own(ofCost), share), extras);
        const profit = minus(left, landed);
        const roi = over(profit, landed);
        const byMargin = times(minMargin, own('Sell price'));
        const isMade = [
          !isUnder(profit, minProfit) && !isUnder(roi, minRoi),
          Number(targets.minMargin) === 0 || !isUnder(profit, byMargin),
        ].every(Boolean);
        const isMaybe = !isUnder(profit, exactly(1.5)) && !isUnder(roi, exactly(0.15));
        const other = isMaybe ? 'Maybe' : 'Skip';
        const verdict = isMade ? 'Buy' : other;
        /** The most that a sale may cost. */
        const mostOf = (of: Fraction, ofRoi: Fraction) =>
          least(over(of, plus(ONE, ofRoi)), minus(of, minProfit), minus(of, byMargin));
        const most = mostOf(left, minRoi);
        const maxBuy = downToPenny(over(minus(most, extras), share));
        const where = `${seller.what}, row ${row}`;
        const told = { where, verdict, maxBuy };

        expect({ where, verdict: cells.Verdict, maxBuy: cells['Max buy'] }).toEqual(told);
        expect(cells['Landed cost']).toBeCloseTo(near(landed), 7);
        expect(cells['My profit']).toBeCloseTo(near(profit), 7);
        expect(cells['My ROI']).toBeCloseTo(near(roi), 7);

        const card = cards.find((one) => one.row === row);
        if (card === undefined) throw new Error(where);
        const at = (cost: number | null) =>
          dealAt(card, { ...AS_LISTED, cost }, inUse, world.host.nowMs());
        expect({ where, verdict: at(null).verdict, maxBuy: at(null).maxBuy }).toEqual(told);
        expect(at(null).profit).toBeCloseTo(near(profit), 7);
        expect(at(maxBuy + 0.01).verdict).not.toBe('Buy');
        if (maxBuy > 0) expect(at(maxBuy).verdict).toBe('Buy');

        // Estimates are about one unit, at the price that is paid for it and the rate of the rules.
        const paid = over(times(times(own(ofCost), off), own('Multipack')), packed);
        const { value } = await world.show('ANALYZE_WHAT_IF', cells.ASIN, market, near(paid));
        const prep = exactly(Number(inUse.prep ?? 0));
        const [[ofUnit = 0] = []] = value as number[][];
        const unitProfit = minus(leftBy(bare), plus(times(paid, bare.cost), prep));
        expect(Math.abs(ofUnit - near(unitProfit))).toBeLessThanOrEqual(HALF_A_PENNY);
        for (const [ofRoi, ...asked] of [[minRoi], [exactly(0.5), 0.5]] as const) {
          const buying = await world.show('ANALYZE_MAX_BUY', cells.ASIN, market, ...asked);
          const price = over(minus(mostOf(leftBy(bare), ofRoi), prep), bare.cost);
          expect({ where, price: buying.value }).toEqual({ where, price: downToPenny(price) });
        }

        offers += 1;
        if (verdict !== 'Buy') continue;
        const count = over(times(own(ofQuantity), packed), own('Multipack'));
        outlay = plus(outlay, times(landed, count));
        earned = plus(earned, times(profit, count));
        const total = times(times(own(ofCost), off), own(ofQuantity));
        bought.set(String(cells.ASIN), [total, profit, roi, exactly(maxBuy)].map(near));
      }
      const [head = '', ...lines] = String(granted(await shop(world)).csv)
        .split('\r\n')
        .slice(0, -1);
      expect(lines).toHaveLength(bought.size);
      for (const line of lines) {
        const cells = line.replace(/["=]/g, '').split(',');
        const shown = ['Total', 'My profit', 'My ROI', 'Max buy'].map((title) =>
          Number(cells[head.split(',').indexOf(title)]),
        );
        for (const [column, wanted] of (bought.get(cells[0] ?? '') ?? []).entries())
          expect(Math.abs((shown[column] ?? 0) - wanted)).toBeLessThanOrEqual(HALF_A_PENNY + 1e-9);
      }
      const { sheetId } = granted(await summarize(world));
      const area = { row: 10, column: 2, rowCount: 2, columnCount: 1 };
      const sums = sheet.grid.values(Number(sheetId), area).flat();
      expect(sums[0]).toBeCloseTo(near(outlay), 6);
      expect(sums[1]).toBeCloseTo(near(earned), 6);
    }
    expect(offers).toBeGreaterThanOrEqual(SELLERS[name].length * (ROWS - 2));
  });
});

it('the most to pay is the same before there are rules and under the rules that the tab begins with', async () => {
  made = await dealWorld([['ASIN', 'Cost'], ...[...asins.US].slice(0, 4).map((asin) => [asin, 5])]);
  const { world, sheet } = made;
  await analyze(world, { fields: FIELDS });
  const most = async () =>
    (
      await world.show(
        'ANALYZE_MAX_BUY',
        [...asins.US].slice(0, 4).map((asin) => [asin]),
        'US',
      )
    ).value;
  const before = await most();
  granted(await decide(world));
  await world.host.run(world.host.nowMs() + 61_000);
  const column = [2, 3, 4, 5].map((row) => [sheet.byHeader(row)['Max buy']]);
  expect([before, await most()]).toEqual([column, column]);
});
