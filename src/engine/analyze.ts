// The one verb of the engine: takes products and returns an answer for each, from samples, the cache or
// the service. What cells could not ask in time goes on the waiting list, for a door that has more time.

import { isDemo } from '../connection/connection';
import { type Product, productKey } from '../product/asin';
import type { Answer } from '../product/fields';
import { ask } from './ask';
import type { Engine } from './engine';
import type { Hooks, Policy } from './policy';
import { sampleAnswers } from './samples';
import { waitingList } from './waiting-list';

/**
 * An answer for every product, by product key. Each distinct product is asked at most once, within
 * the key's quota and the engine's limits; a product that could not be asked in time gets a
 * `waiting` failure.
 */
export function analyze(
  engine: Engine,
  products: readonly Product[],
  policy: Policy = {},
  hooks: Hooks = {},
): ReadonlyMap<string, Answer> {
  if (isDemo(engine.connection)) return sampleAnswers(products, engine.platform.clock.nowMs());
  const distinct = new Map(products.map((product) => [productKey(product), product] as const));
  if (distinct.size === 0) return new Map();
  const found = engine.cache.find([...distinct.keys()], policy, engine.platform.clock.nowMs());
  hooks.onFound?.(found);
  const missing = [...distinct].filter(([key]) => !found.has(key)).map(([, product]) => product);
  if (missing.length === 0) return found;
  const answered = new Set<string>();
  for (const [key, { ok }] of found) if (ok) answered.add(distinct.get(key)?.market ?? '');
  return new Map([...found, ...askEngine(engine, missing, { ...policy, answered }, hooks)]);
}

/**
 * A cell with one product stores notes only with the first analysis for this time, because a sheet
 * may have thousands of them.
 */
const SAVE_EACH_MS = 3_600_000;

function askEngine(
  engine: Engine,
  products: readonly Product[],
  policy: Policy,
  hooks: Hooks,
): ReadonlyMap<string, Answer> {
  const { address } = engine;
  const lastMs = address.answeredMs();
  const asked = new Map<string, Answer>();
  try {
    ask(engine, products, policy, hooks, asked);
  } finally {
    // For the support report. It costs cache calls only if something went wrong.
    const failures = [...asked.values()].flatMap((answer) => (answer.ok ? [] : [answer.failure]));
    if (failures.length > 0) engine.trouble.noteFailures(failures);
  }
  if (policy.listsWaiting === true) listWaiting(engine, asked, policy);
  if (asked.size > 1 || address.answeredMs() - lastMs > SAVE_EACH_MS) engine.saveNotes();
  return asked;
}

function listWaiting(
  { connection, platform }: Engine,
  answers: ReadonlyMap<string, Answer>,
  { notBeforeMs, tag }: Policy,
): void {
  const isWaiting = (answer: Answer) => !answer.ok && answer.failure.kind === 'waiting';
  const waiting = [...answers].filter(([, answer]) => isWaiting(answer)).map(([key]) => key);
  if (waiting.length === 0) return;
  const wish = {
    ...(notBeforeMs !== undefined && { notBeforeMs }),
    ...(tag !== undefined && { tag }),
  };
  waitingList(platform.cache, connection.fingerprint).add(waiting, wish, platform.random);
}
