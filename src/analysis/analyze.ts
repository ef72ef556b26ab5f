// The engine's one verb: analyses of products, from the cache where there are any, else from the service.

import type { Answer, Freshness } from './answer';
import { ask } from './ask';
import type { Engine } from './engine';
import { type Product, productKey } from './product';

/**
 * The answer for every product, by product key. Each distinct product is asked at most once, no
 * faster than the key's quota, and never past the engine's limits: what could not be asked in time
 * is answered with a `waiting` failure.
 */
export function analyze(
  engine: Engine,
  products: readonly Product[],
  wish: Freshness,
): ReadonlyMap<string, Answer> {
  const distinct = new Map(products.map((product) => [productKey(product), product] as const));
  const found = engine.cache.find([...distinct.keys()], wish, engine.platform.clock.nowMs());
  const missing = [...distinct].filter(([key]) => !found.has(key)).map(([, product]) => product);
  return missing.length === 0 ? found : new Map([...found, ...ask(engine, missing, wish)]);
}
