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
