// The engine's one verb: analyses of products, from the cache where there are any, else from the service.

import type { Answer, Freshness } from './answer';
import { ask } from './ask';
import type { Engine } from './engine';
import { type Product, productKey } from './product';
import { waitingList } from './waiting-list';

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
  if (missing.length === 0) return found;
  const asked = ask(engine, missing, wish);
  if (engine.limits.listsWaiting) listWaiting(engine, asked);
  return new Map([...found, ...asked]);
}

function listWaiting(engine: Engine, answers: ReadonlyMap<string, Answer>): void {
  const isWaiting = (answer: Answer) => !answer.ok && answer.failure.kind === 'waiting';
  const waiting = [...answers].filter(([, answer]) => isWaiting(answer)).map(([key]) => key);
  if (waiting.length === 0) return;
  waitingList(engine.platform.cache, engine.platform.lock, engine.scope).add(waiting);
}
