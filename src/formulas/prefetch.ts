// Asks for the products of formulas in advance, so that recalculated cells find their answers in
// the cache.

import type { Tried } from '../cache/last-good';
import type { DatedAnswer } from '../cache/result-cache';
import { isDemo } from '../connection/connection';
import { analyze } from '../engine/analyze';
import type { Hooks } from '../engine/ask';
import { type Engine, prefetchEngine } from '../engine/engine';
import { endsRun, type Failure, isFailure, lasts, willPass } from '../failures/failure';
import type { Platform } from '../platform/ports';
import { type Answer, answered, unanswered } from '../product/analysis';
import { type Product, productKey } from '../product/asin';
import { HORIZON_MS } from '../quota/rate';
import type { Deadline } from './recalculate';

/** The number of products asked for at a time. */
const PAGE_PRODUCTS = 200;

/**
 * Answers that the cache drops within this time are written again, ms. Cells have looked for them
 * by then.
 */
const FORGOTTEN_SOON_MS = 15 * 60_000;

export interface Prefetch {
  readonly engine: Engine;
  /** What is recent enough, by product key: the answer, or why there is none at present. */
  readonly known: ReadonlyMap<string, DatedAnswer>;
  /** Products that failed for a reason that may pass. */
  readonly failed: ReadonlyMap<string, Answer>;
  readonly calls: () => number;
  /** Looks up what is already known about products. */
  lookUp(products: readonly Product[]): void;
  /** Asks for the products that nothing is known about, until time or calls run out. */
  ask(products: readonly Product[], untilMs: number): Failure | undefined;
  /** Makes sure that cells find the answers of these products, given by key, in the cache. */
  publish(keys: readonly string[]): void;
  /** Ends asking. */
  end(): void;
}

/** @param callsMax null: any number. */
export function prefetch(
  platform: Platform,
  wish: {
    readonly notBeforeMs: number;
    readonly callsMax: number | null;
    readonly untilMs: Deadline;
  },
): Prefetch | Failure {
  const { clock } = platform;
  let calls = 0;
  const engine = prefetchEngine(platform, wish.untilMs());
  if (isFailure(engine)) return engine;
  const room = () => (wish.callsMax ?? Number.POSITIVE_INFINITY) - calls;
  const { cache, lastGood } = engine;
  const wanted = { notBeforeMs: wish.notBeforeMs };
  const known = new Map<string, DatedAnswer>();
  const failed = new Map<string, Answer>();

  /** @returns the failed products that the store should remember. */
  function learn(answers: ReadonlyMap<string, Answer>): ReadonlyMap<string, Tried> {
    const nowMs = clock.nowMs();
    const tried = new Map<string, Tried>();
    for (const [key, answer] of answers) {
      if (answer.ok) known.set(key, { answer, atMs: answer.analysis.fetchedAtMs });
      else if (!willPass(answer.failure) && !endsRun(answer.failure)) {
        known.set(key, { answer, atMs: nowMs });
        if (lasts(answer.failure.kind)) tried.set(key, { failure: answer.failure, atMs: nowMs });
      }
    }
    return tried;
  }

  function keep(tried: ReadonlyMap<string, Tried>): void {
    if (tried.size > 0) lastGood.saveTried(tried);
  }

  return {
    engine,
    known,
    failed,
    calls: () => calls,
    lookUp(products) {
      const keys = products.map(productKey).filter((key) => !known.has(key));
      if (keys.length === 0) return;
      const heard = new Map(learn(cache.find(keys, wanted, clock.nowMs())));
      const unsure = keys.filter((key) => heard.has(key) || !known.has(key));
      if (unsure.length === 0) return;
      for (const [key, analysis] of lastGood.find(unsure.filter((one) => !heard.has(one))))
        if (analysis.fetchedAtMs >= wish.notBeforeMs)
          known.set(key, { answer: answered(analysis), atMs: analysis.fetchedAtMs });
      for (const [key, { failure, atMs }] of lastGood.findTried(unsure)) {
        const isOld = atMs < wish.notBeforeMs || known.get(key)?.answer.ok === true;
        if (isOld) continue;
        known.set(key, { answer: unanswered(failure), atMs });
        heard.delete(key);
      }
      keep(heard);
    },
    ask(products, untilMs) {
      const stale = stalestFirst(
        engine,
        products.filter((product) => !known.has(productKey(product))),
      );
      let problem: Failure | undefined;
      const hooks: Hooks = {
        onCalls(count) {
          calls += count;
        },
        bookUntilMs: () => Math.min(untilMs, wish.untilMs()),
      };
      while (stale.length > 0 && room() > 0 && clock.nowMs() < Math.min(untilMs, wish.untilMs())) {
        const page = stale.splice(0, Math.min(PAGE_PRODUCTS, room()));
        const policy = { ...wanted, horizonMs: HORIZON_MS, callsMax: room() };
        const answers = analyze(engine, page, policy, hooks);
        keep(learn(answers));
        problem = problemOf([...answers.values()]);
        // With samples, `problem` concerns only some products, and asking costs nothing, so it goes
        // on.
        if (problem !== undefined && !isDemo(engine.connection)) return problem;
        for (const [key, answer] of answers)
          if (!known.has(key) && !answer.ok && answer.failure.kind !== 'waiting')
            failed.set(key, answer);
      }
      return problem;
    },
    publish(keys) {
      // Cells do not look for samples in the cache.
      if (isDemo(engine.connection)) return;
      const nowMs = clock.nowMs();
      const lasting = cache.find(keys, wanted, nowMs + FORGOTTEN_SOON_MS);
      const leaving = keys.flatMap((key) => {
        const answer = lasting.has(key) ? undefined : known.get(key);
        return answer === undefined ? [] : [[key, answer] as const];
      });
      cache.restore(new Map(leaving), nowMs);
      cache.keep(new Map([...failed].filter(([key]) => !known.has(key))), wanted, nowMs);
    },
    end() {
      cache.save(clock.nowMs());
      engine.gate.leave();
    },
  };
}

/** Products that were never analyzed come first. */
function stalestFirst({ lastGood }: Engine, products: readonly Product[]): Product[] {
  if (products.length === 0) return [];
  const last = lastGood.find(products.map(productKey));
  const atMs = (product: Product) => last.get(productKey(product))?.fetchedAtMs ?? 0;
  return [...products].sort((one, other) => atMs(one) - atMs(other));
}

/**
 * A reason to stop asking: a problem with the connection, or a service that answered nothing at
 * all.
 */
function problemOf(answers: readonly Answer[]): Failure | undefined {
  const failures = answers.flatMap((answer) => (answer.ok ? [] : [answer.failure]));
  const isDown = failures.length === answers.length && failures.every(willPass);
  const ending = failures.find(endsRun);
  const isWorse = (one: Failure) => one.kind !== 'waiting' || one.status !== undefined;
  return ending ?? (isDown ? failures.find(isWorse) : undefined);
}
