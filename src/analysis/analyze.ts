// The engine's one verb: analyses of products, from the cache where there are any, else from the service.

import { isDemo } from '../connection/connection';
import type { Answer, Freshness } from './answer';
import { ask } from './ask';
import type { Engine } from './engine';
import { type Product, productKey } from './product';
import { sampleAnswers } from './samples';
import { troubleLog } from './trouble-log';
import { waitingList } from './waiting-list';
import { withLast } from './with-last';

/**
 * The answer for every product, by product key. Each distinct product is asked at most once, no
 * faster than the key's quota, and never past the engine's limits: what could not be asked in time
 * is answered with a `waiting` failure. A failure that will pass comes with the last analysis, if
 * there was one.
 */
export function analyze(
  engine: Engine,
  products: readonly Product[],
  wish: Freshness,
): ReadonlyMap<string, Answer> {
  if (isDemo(engine.connection)) return sampleAnswers(products, engine.platform.clock.nowMs());
  const distinct = new Map(products.map((product) => [productKey(product), product] as const));
  const found = engine.cache.find([...distinct.keys()], wish, engine.platform.clock.nowMs());
  const missing = [...distinct].filter(([key]) => !found.has(key)).map(([, product]) => product);
  if (missing.length === 0) return withLast(engine, found);
  const asked = ask(engine, missing, wish);
  noteTrouble(engine, asked);
  if (engine.limits.listsWaiting) listWaiting(engine, asked, wish);
  // A door of 30 seconds asks once. The others have more to come, and save when they end.
  if (engine.limits.listsWaiting && asked.size > 1)
    engine.cache.save(engine.platform.clock.nowMs());
  return withLast(engine, new Map([...found, ...asked]));
}

/** For the report that support asks for. Costs calls of the cache where something went wrong alone. */
function noteTrouble({ platform }: Engine, answers: ReadonlyMap<string, Answer>): void {
  const failures = [...answers.values()].flatMap((answer) => (answer.ok ? [] : [answer.failure]));
  troubleLog(platform.cache, platform.clock).noteFailures(failures);
}

function listWaiting(engine: Engine, answers: ReadonlyMap<string, Answer>, wish: Freshness): void {
  const isWaiting = (answer: Answer) => !answer.ok && answer.failure.kind === 'waiting';
  const waiting = [...answers].filter(([, answer]) => isWaiting(answer)).map(([key]) => key);
  if (waiting.length === 0) return;
  waitingList(engine.platform.cache, engine.platform.lock, engine.connection.fingerprint).add(
    waiting,
    wish,
  );
}
