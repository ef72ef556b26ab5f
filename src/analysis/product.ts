// A product: an ASIN on a market, and the one name under which caches and gates know it.

export type Market = 'US' | 'UK';

export interface Product {
  readonly asin: string;
  readonly market: Market;
}

/** The product as text, e.g. `B000000000|US`. Unique per product and safe in any cache name. */
export function productKey(product: Product): string {
  return `${product.asin}|${product.market}`;
}

/** The product that a key names, or null for text that is no key. */
export function productOfKey(key: string): Product | null {
  const parts = /^([0-9A-Z]{10})\|(US|UK)$/.exec(key);
  const [, asin, market] = parts ?? [];
  return asin !== undefined && (market === 'US' || market === 'UK') ? { asin, market } : null;
}
