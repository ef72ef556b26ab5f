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

/** What of a cost, of a sale and of fees counts, by the words of the guide. */
function sharesOf({ market, rules }: Seller) {
  const rule = (key: string) => exactly(Number(rules[key] ?? 0));
  const returned = minus(ONE, rule('returns'));
  if (market === 'US') return { cost: plus(ONE, rule('usTax')), sale: returned, fees: ONE };
  const isStandard = rules.ukScheme === 'Standard';
  const side = (said: unknown, rate: Fraction): Fraction => {
    if (said === 'With VAT') return isStandard ? over(ONE, plus(ONE, rate)) : ONE;
    return isStandard ? ONE : plus(ONE, rate);
  };
  const rate = rule('ukRate');
  const flat = rules.ukScheme === 'Flat rate' ? rule('ukFlatRate') : exactly(0);
  const owed = isStandard ? over(rate, plus(ONE, rate)) : flat;
  return {
    cost: side(rules.ukCosts, rate),
    sale: minus(returned, owed),
    // Fees are a service, and bear 20% whatever the product does.
    fees: side(rules.ukFees, exactly(0.2)),
  };
}

const TITLES = ['ASIN', 'Unit cost', 'Order qty', 'Multipack', 'Discount', 'Prep'];
const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const ROWS = 8;

const rowsOf = (market: Market): CellValue[][] =>
  [...asins[market]]
    .slice(0, ROWS)
    .map((asin, at) => [
      ...[asin, [2.35, 7.13, 4.99, 11.01][at % 4] ?? 0, 1 + (at % 3), at % 4 === 3 ? 2 : 1],
      ...[[0, 10, 12.5, 5][at % 4] ?? 0, at % 3 === 0 ? 0.45 : 0],
    ]);

/** Only prices decide. */
const PRICES = { eligibleOnly: false, minDrops: null, maybeDrops: null, staleDays: null };
const WITH = { ukCosts: 'With VAT', ukFees: 'With VAT' };
const WITHOUT = { ukCosts: 'Without VAT', ukFees: 'Without VAT' };

const SELLERS: Readonly<Record<Market, readonly Seller[]>> = {
  US: [
    { what: 'no sales tax', market: 'US', rules: {} },
    {
      what: 'sales tax, returns, cases of 4',
      market: 'US',
      rules: { usTax: 0.08, returns: 0.03, pack: 4 },
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
      rules: { ...WITH, ukScheme: 'Standard', ukRate: 0.2, returns: 0.04 },
    },
    {
      what: 'standard at 5%',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Standard', ukRate: 0.05, pack: 3 },
    },
    {
      what: 'standard at 0%',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Standard', ukRate: 0, ukFees: 'With VAT' },
    },
    {
      what: 'flat rate',
      market: 'UK',
      rules: { ...WITHOUT, ukScheme: 'Flat rate', ukRate: 0.2, ukFlatRate: 0.075 },
    },
  ],
};
const BLANK = { usTax: null, returns: null, pack: null, ukFlatRate: null };

const HALF_A_PENNY = 0.005;

describe.each(['US', 'UK'] as const)('offers in the %s', (market) => {
  it('come to what the guide says, to the penny and in every door', async () => {
    made = await dealWorld([TITLES, ...rowsOf(market)]);
    const { world, sheet } = made;
    await analyze(world, { fields: FIELDS, market: { kind: 'one', market } });
    granted(await decide(world));
    let offers = 0;
    for (const seller of SELLERS[market]) {
      granted(await changeRules(world, { values: { ...PRICES, ...BLANK, ...seller.rules } }));
      await world.host.run(world.host.nowMs() + 61_000);
      const { inUse } = await rulesIn(world);
      const cards = await offersIn(world);
      const shares = sharesOf(seller);
      let [outlay, earned]: [Fraction, Fraction] = [exactly(0), exactly(0)];
      const totals = new Map<string, number>();
      for (let row = 2; row <= ROWS + 1; row += 1) {
        const cells = sheet.byHeader(row);
        if (cells['Analysis status'] !== 'OK') continue;
        const own = (title: string) => exactly(Number(cells[title]));
        const packed = exactly(Number(seller.rules.pack ?? 1));
        const off = minus(ONE, over(own('Discount'), exactly(100)));
        const share = over(times(times(shares.cost, off), own('Multipack')), packed);
        const left = minus(times(own('Sell price'), shares.sale), times(own('Fees'), shares.fees));
        const landed = plus(times(own('Unit cost'), share), own('Prep'));
        const profit = minus(left, landed);
        const roi = over(profit, landed);
        const isOver = (least: number, of: number) =>
          !isUnder(profit, exactly(least)) && !isUnder(roi, exactly(of));
        const other = isOver(1.5, 0.15) ? 'Maybe' : 'Skip';
        const verdict = isOver(3, 0.3) ? 'Buy' : other;
        const byRoi = over(left, exactly(1.3));
        const byProfit = minus(left, exactly(3));
        const most = isUnder(byRoi, byProfit) ? byRoi : byProfit;
        const maxBuy = downToPenny(over(minus(most, own('Prep')), share));
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

        // Estimates are about one unit, at the price that is paid for it.
        const paid = over(times(times(own('Unit cost'), off), own('Multipack')), packed);
        const { value } = await world.show('ANALYZE_WHAT_IF', cells.ASIN, market, near(paid));
        const prep = exactly(Number(inUse.prep ?? 0));
        const [[ofUnit = 0] = []] = value as number[][];
        const unitProfit = minus(left, plus(times(paid, shares.cost), prep));
        expect(Math.abs(ofUnit - near(unitProfit))).toBeLessThanOrEqual(HALF_A_PENNY);
        const buying = await world.show('ANALYZE_MAX_BUY', cells.ASIN, market, 0.3);
        expect(buying.value).toBe(downToPenny(over(minus(byRoi, prep), shares.cost)));

        offers += 1;
        if (verdict !== 'Buy') continue;
        const bought = over(times(own('Order qty'), packed), own('Multipack'));
        outlay = plus(outlay, times(landed, bought));
        earned = plus(earned, times(profit, bought));
        const total = near(times(times(own('Unit cost'), off), own('Order qty')));
        totals.set(String(cells.ASIN), total);
      }
      const lines = String(granted(await shop(world)).csv)
        .split('\r\n')
        .slice(1, -1);
      expect(lines).toHaveLength(totals.size);
      for (const line of lines) {
        const [asin = '', , , , , , , shown] = line.replace(/["=]/g, '').split(',');
        const off = Math.abs(Number(shown) - (totals.get(asin) ?? 0));
        expect(off).toBeLessThanOrEqual(HALF_A_PENNY + 1e-9);
      }
      const { sheetId } = granted(await summarize(world));
      const area = { row: 10, column: 2, rowCount: 2, columnCount: 1 };
      const sums = sheet.grid.values(Number(sheetId), area).flat();
      expect(sums[0]).toBeCloseTo(near(outlay), 6);
      expect(sums[1]).toBeCloseTo(near(earned), 6);
    }
    expect(offers).toBeGreaterThanOrEqual(SELLERS[market].length * (ROWS - 2));
  });
});
