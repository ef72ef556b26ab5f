// The sandbox's invented products: which ones exist, and the figures of each, derived from a seed.
import { createRandom, type Random, seedFrom } from 'apps-script-host/random';
import { inventAsin, inventIsbn, isAsin } from './asin';
import { CATEGORIES, type CategoryName, feesOf, type Market, type Size, totalOf } from './fees';
import { type ProductSketch, productFrom, type Restriction, type SandboxProduct } from './product';
import { SAMPLE_PRODUCTS } from './samples';

export interface Catalogue {
  readonly seed: number;
  /**
   * Products already requested, by market and ASIN. Kept because a rank series of thirty days takes
   * time to make.
   */
  readonly known: Map<string, SandboxProduct>;
  /** The samples first, then the generated products. */
  readonly asins: Readonly<Record<Market, ReadonlySet<string>>>;
}

/** Enough for browsing. A load test sets as many as it has rows. */
const PRODUCTS_PER_MARKET = 300;
/** The share of generated products that both markets sell. */
const SHARED_SHARE = 0.5;
const BOOK_SHARE = 0.12;

const SIZES: readonly Size[] = ['small', 'standard', 'standard', 'large', 'bulky'];
const OTHER_CATEGORIES = (Object.keys(CATEGORIES) as CategoryName[]).filter((c) => c !== 'books');
const RESTRICTIONS: readonly Restriction[] = [
  ...Array<Restriction>(13).fill('eligible'),
  ...Array<Restriction>(4).fill('needs-approval'),
  ...Array<Restriction>(2).fill('not-eligible'),
  'unknown',
];

/**
 * Kept for later sandboxes, because most of those created one after another have the same seed and
 * size.
 */
const invented = new Map<string, Catalogue>();
const INVENTED_MAX = 4;

export function createCatalogue(seed: number, perMarket = PRODUCTS_PER_MARKET): Catalogue {
  const name = `${seed} ${perMarket}`;
  const catalogue = invented.get(name) ?? inventCatalogue(seed, perMarket);
  if (invented.size >= INVENTED_MAX) invented.clear();
  invented.set(name, catalogue);
  return catalogue;
}

function inventCatalogue(seed: number, perMarket: number): Catalogue {
  const shared = Math.floor(perMarket * SHARED_SHARE);
  const codes = inventCodes(seed, 2 * perMarket - shared);
  const sampled = (market: Market) =>
    SAMPLE_PRODUCTS.filter((sample) => sample.market === market).map((sample) => sample.asin);
  return {
    seed,
    known: new Map(),
    asins: {
      US: new Set([...sampled('US'), ...codes.slice(0, perMarket)]),
      UK: new Set([...sampled('UK'), ...codes.slice(perMarket - shared)]),
    },
  };
}

/** The samples are the same under every seed. All other products are generated when requested. */
export function findProduct(
  catalogue: Catalogue,
  asin: string,
  market: Market,
): SandboxProduct | undefined {
  if (!catalogue.asins[market].has(asin)) return undefined;
  const name = `${market} ${asin}`;
  const product = catalogue.known.get(name) ?? inventProduct(catalogue.seed, asin, market);
  catalogue.known.set(name, product);
  return product;
}

function inventProduct(seed: number, asin: string, market: Market): SandboxProduct {
  const sample = SAMPLE_PRODUCTS.find((one) => one.asin === asin && one.market === market);
  if (sample !== undefined) return productFrom(sample, createRandom(seedFrom(asin, market)));
  const random = createRandom(seedFrom(seed, asin, market));
  return productFrom(sketchOf(seed, asin, market, random), random);
}

function inventCodes(seed: number, count: number): readonly string[] {
  const random = createRandom(seedFrom(seed, 'codes'));
  const taken = new Set(SAMPLE_PRODUCTS.map((sample) => sample.asin));
  const codes: string[] = [];
  while (codes.length < count) {
    const code = random.chance(BOOK_SHARE) ? inventIsbn(random) : inventAsin(random);
    if (taken.has(code) || !isAsin(code)) continue;
    taken.add(code);
    codes.push(code);
  }
  return codes;
}

/** What a product is does not depend on the market, but its prices, demand and rules do. */
function sketchOf(seed: number, asin: string, market: Market, random: Random): ProductSketch {
  const nature = createRandom(seedFrom(seed, asin));
  const category = asin.startsWith('B') ? nature.pick(OTHER_CATEGORIES) : 'books';
  const size = category === 'books' ? 'standard' : nature.pick(SIZES);
  const [low, high] = CATEGORIES[category].prices;
  const usual = nature.between(low, high);
  const sell = random.chance(0.02) ? null : charming(usual * random.between(0.85, 1.15));
  const salesPerMonth = random.chance(0.03) ? null : random.logNormal(25, 1.2);
  const restriction = random.pick(RESTRICTIONS);
  const buy = random.chance(0.04) ? null : buyPrice(random, market, category, size, sell ?? usual);
  return { asin, market, category, size, buy, sell, restriction, salesPerMonth };
}

/** Prices end in 9, as in shops. */
function charming(price: number): number {
  return Math.max(499, Math.round(price / 10) * 10 - 1);
}

/** A fifth of all offers lose money, most earn a little, and a few earn very much. */
function buyPrice(
  random: Random,
  market: Market,
  category: CategoryName,
  size: Size,
  sell: number,
): number {
  const left = sell - totalOf(feesOf(market, category, size, Math.round(sell)));
  const luck = random.next();
  const roi =
    luck < 0.2
      ? random.between(-0.45, 0)
      : luck < 0.88
        ? random.between(0, 0.8)
        : random.between(0.8, 2.4);
  // If nothing is left after fees, any price makes a loss, so this uses a small one.
  return Math.max(Math.round(sell * 0.12), Math.round(left / (1 + roi)));
}
