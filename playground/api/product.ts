// One invented product as the sandbox keeps it, and the figures that follow from it.
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { type CategoryName, type FeeParts, feesOf, type Market, type Size, totalOf } from './fees';
import { countDrops, rankSeries } from './ranks';

/** `unknown`: the service cannot tell. */
export type Restriction = 'eligible' | 'needs-approval' | 'not-eligible' | 'unknown';

/** All money is in hundredths of the market's currency. null: not known. */
export interface SandboxProduct {
  readonly asin: string;
  readonly market: Market;
  /** Category and size determine the fees. */
  readonly category: CategoryName;
  readonly size: Size;
  readonly buy: number | null;
  readonly sell: number | null;
  readonly feeParts: FeeParts | null;
  readonly restriction: Restriction;
  /** Oldest first. Empty: the product never had a rank. */
  readonly ranks: readonly number[];
}

/** A product before its fees and ranks are calculated. */
export interface ProductSketch {
  readonly asin: string;
  readonly market: Market;
  readonly category: CategoryName;
  readonly size: Size;
  readonly buy: number | null;
  readonly sell: number | null;
  readonly restriction: Restriction;
  /** null: never ranked. */
  readonly salesPerMonth: number | null;
}

export interface Figures {
  readonly buy: number | null;
  readonly sell: number | null;
  readonly fees: number | null;
  readonly profit: number | null;
  /** A fraction: 0.25 is 25 %. */
  readonly roi: number | null;
  readonly rankDrops: number | null;
  readonly rank: number | null;
}

export const CURRENCY: Readonly<Record<Market, string>> = { US: 'USD', UK: 'GBP' };

export function productFrom(sketch: ProductSketch, random: Random): SandboxProduct {
  const { asin, market, category, size, buy, sell, restriction, salesPerMonth } = sketch;
  return {
    ...{ asin, market, category, size, buy, sell, restriction },
    feeParts: sell === null ? null : feesOf(market, category, size, sell),
    ranks: salesPerMonth === null ? [] : rankSeries(random, salesPerMonth),
  };
}

/**
 * The spread of daily price changes, as a share of the price. Sell prices vary less than buy
 * prices, because sellers undercut each other less than suppliers do.
 */
const DAILY_SPREAD = { buy: 0.04, sell: 0.02 };

/**
 * The share of products, of those that need approval or are not eligible, that become eligible each
 * day.
 */
const ALLOWED_A_DAY = 0.1;

/**
 * The product after some days: its prices and with them its fees have changed, and it may have
 * become eligible.
 */
export function productAfter(product: SandboxProduct, days: number): SandboxProduct {
  const { asin, market, category, size } = product;
  if (days === 0) return product;
  let { buy, sell, restriction } = product;
  const random = createRandom(seedFrom('days', market, asin));
  for (let day = 0; day < days; day += 1) {
    if (buy !== null) buy = random.logNormal(buy, DAILY_SPREAD.buy);
    if (sell !== null) sell = random.logNormal(sell, DAILY_SPREAD.sell);
    const isHeld = restriction === 'needs-approval' || restriction === 'not-eligible';
    if (isHeld && random.next() < ALLOWED_A_DAY) restriction = 'eligible';
  }
  if (buy !== null) buy = Math.round(buy);
  if (sell !== null) sell = Math.round(sell);
  const feeParts = sell === null ? null : feesOf(market, category, size, sell);
  return { ...product, buy, sell, feeParts, restriction };
}

/** Profit is what is left of the sell price. ROI relates it to the buy price. */
export function figuresOf(product: SandboxProduct): Figures {
  const { buy, sell, feeParts, ranks } = product;
  const fees = feeParts === null ? null : totalOf(feeParts);
  const profit = buy === null || sell === null || fees === null ? null : sell - buy - fees;
  return {
    buy,
    sell,
    fees,
    profit,
    roi: profit === null || buy === null ? null : profit / buy,
    rankDrops: ranks.length === 0 ? null : countDrops(ranks),
    rank: ranks.at(-1) ?? null,
  };
}
