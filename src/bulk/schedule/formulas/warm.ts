// Warms the result cache for formulas: asks for what is stale through the gate, so that cells need not.

import { analyze } from '../../../analysis/analyze';
import type { Answer } from '../../../analysis/answer';
import { cellsEngine } from '../../../analysis/cells-engine';
import type { Engine } from '../../../analysis/engine';
import { type Failure, isFailure, willPass } from '../../../analysis/failure';
import { type Market, type Product, productKey } from '../../../analysis/product';
import type { Platform } from '../../../platform/ports';

/** So many products are asked for in one go. */
const PAGE_PRODUCTS = 200;

/** What the cache forgets within this time is put back: by then the cells have looked for it. */
const FORGOTTEN_SOON_MS = 15 * 60_000;

/** Failures of the connection and not of a product: nobody need be asked for the rest. */
const OF_THE_CONNECTION: readonly string[] = [
  ...['key-refused', 'plan-used-up', 'google-limit', 'cells-limit', 'wrong-address'],
  ...['no-connection', 'samples-only', 'not-permitted'],
];

export interface Warming {
  readonly defaultMarket: Market | undefined;
  /** What is known of a product: `fresh`, `failed` for good, or not at all yet. */
  readonly known: Map<string, 'fresh' | 'failed'>;
  readonly calls: () => number;
  /** Asks for stale ones among the products until all are known, the time is up or the calls are. */
  warm(products: readonly Product[], untilMs: number): Failure | undefined;
  /** Nothing is asked any more. */
  end(): void;
}

/** @param callsMax null: any number. */
export function warming(
  platform: Platform,
  wish: {
    readonly notBeforeMs: number;
    readonly callsMax: number | null;
    readonly untilMs: number;
  },
): Warming | Failure {
  const { clock, http } = platform;
  let calls = 0;
  let askUntilMs = wish.untilMs;
  const counting: Platform = {
    ...platform,
    http: {
      sendAll(requests) {
        calls += requests.length;
        return http.sendAll(requests);
      },
    },
  };
  const opened = cellsEngine(counting, wish.untilMs);
  if (isFailure(opened)) return opened;
  const room = () => (wish.callsMax ?? Number.POSITIVE_INFINITY) - calls;
  const engine: Engine = {
    ...opened,
    // With the last call the time is up, retries included.
    limits: {
      ...opened.limits,
      get bookUntilMs() {
        return room() > 0 ? askUntilMs : 0;
      },
    },
    gate: {
      ...opened.gate,
      book: (names, ...reach) => opened.gate.book(names.slice(0, room()), ...reach),
    },
  };
  const known = new Map<string, 'fresh' | 'failed'>();

  function learn(answers: ReadonlyMap<string, Answer>): void {
    for (const [key, answer] of answers) {
      if (answer.ok) known.set(key, 'fresh');
      else if (!willPass(answer.failure) && !OF_THE_CONNECTION.includes(answer.failure.kind))
        known.set(key, 'failed');
    }
  }

  return {
    defaultMarket: opened.connection.settings.defaultMarket,
    known,
    calls: () => calls,
    warm(products, untilMs) {
      const open = products.filter((product) => !known.has(productKey(product)));
      if (open.length === 0) return undefined;
      learn(freshIn(engine, open.map(productKey), wish.notBeforeMs));
      const stale = stalestFirst(
        engine,
        open.filter((product) => !known.has(productKey(product))),
      );
      askUntilMs = untilMs;
      while (stale.length > 0 && room() > 0 && clock.nowMs() < untilMs) {
        const page = stale.splice(0, Math.min(PAGE_PRODUCTS, room()));
        const answers = analyze(engine, page, { notBeforeMs: wish.notBeforeMs });
        learn(answers);
        const problem = problemOf([...answers.values()]);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
    end() {
      engine.cache.save(clock.nowMs());
      engine.gate.leave();
    },
  };
}

/** The answers that are young enough; afterwards the cache has all of them, and for a while. */
function freshIn(
  { cache, lastGood, platform }: Engine,
  keys: readonly string[],
  notBeforeMs: number,
): ReadonlyMap<string, Answer> {
  const nowMs = platform.clock.nowMs();
  const wish = { notBeforeMs };
  const found = cache.find(keys, wish, nowMs);
  const lasting = cache.find(keys, wish, nowMs + FORGOTTEN_SOON_MS);
  const missing = keys.filter((key) => !found.has(key));
  const stored = missing.length === 0 ? [] : [...lastGood.find(missing)];
  const young = stored.filter(([, { fetchedAtMs }]) => fetchedAtMs >= notBeforeMs);
  const leaving = [...found].flatMap(([key, answer]) =>
    answer.ok && !lasting.has(key) ? [[key, answer.analysis] as const] : [],
  );
  cache.restore(new Map([...young, ...leaving]), nowMs);
  return new Map([
    ...found,
    ...young.map(([key, analysis]) => [key, { ok: true, analysis } as const] as const),
  ]);
}

/** What was never analyzed comes first. */
function stalestFirst({ lastGood }: Engine, products: readonly Product[]): Product[] {
  if (products.length === 0) return [];
  const last = lastGood.find(products.map(productKey));
  const atMs = (product: Product) => last.get(productKey(product))?.fetchedAtMs ?? 0;
  return [...products].sort((one, other) => atMs(one) - atMs(other));
}

/** What stands against asking for more: the connection, or a service that answered nothing at all. */
function problemOf(answers: readonly Answer[]): Failure | undefined {
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
  const isDown = failures.length === answers.length && failures.every(willPass);
  const ending = failures.find(({ kind }) => OF_THE_CONNECTION.includes(kind));
  return ending ?? (isDown ? failures.find(({ kind }) => kind !== 'waiting') : undefined);
}
