// Asks for the products of formulas in advance, so that recalculated cells find their answers in
// the cache.

import type { DatedAnswer } from '../cache/result-cache';
import { isDemo } from '../connection/connection';
import { analyze } from '../engine/analyze';
import type { Hooks } from '../engine/ask';
import { type Engine, prefetchEngine } from '../engine/engine';
import { endsRun, type Failure, isFailure, willPass } from '../failures/failure';
import type { Platform } from '../platform/ports';
import type { Answer } from '../product/analysis';
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
  /** Asks for the products that nothing is known about, in order, until time or calls run out. */
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
  const { cache } = engine;
  const wanted = { notBeforeMs: wish.notBeforeMs };
  const known = new Map<string, DatedAnswer>();
  const failed = new Map<string, Answer>();

  /** @param failedMs when the failures among them came, at the earliest. */
  function learn(answers: ReadonlyMap<string, Answer>, failedMs: number): void {
    for (const [key, answer] of answers) {
      if (answer.ok) known.set(key, { answer, atMs: answer.analysis.fetchedAtMs });
      else if (!willPass(answer.failure) && !endsRun(answer.failure))
        known.set(key, { answer, atMs: failedMs });
    }
  }

  return {
    engine,
    known,
    failed,
    calls: () => calls,
    lookUp(products) {
      const keys = products.map(productKey).filter((key) => !known.has(key));
      if (keys.length === 0) return;
      learn(cache.find(keys, wanted, clock.nowMs()), wish.notBeforeMs);
    },
    ask(products, untilMs) {
      const stale = products.filter((product) => !known.has(productKey(product)));
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
        learn(answers, clock.nowMs());
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
    end: () => engine.gate.leave(),
  };
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
