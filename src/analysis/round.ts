// The errands of one ask: those still to be made, those somebody else is on, and what came of them.

import { type Answer, type Freshness, unanswered } from './answer';
import type { Engine, Limits } from './engine';
import { type Errand, newErrand } from './errand';
import type { Failure } from './failure';
import { type Product, productKey } from './product';

/** While an execution waits, it looks this often what became of others. */
export const LOOK_EACH_MS = 4_000;

/** Not worth starting a call for: even a fast service would hardly answer in it. */
export const CALL_MS_MIN = 1_000;

/** The usual time from a slot to its answers in the cache. */
const ANSWER_MS = 550;

/** What others ask is then looked for this often, and their claims are this many looks apart. */
const POLL_MS = 400;
const POLLS_PER_CLAIM_CHECK = 7;

/** What one `ask` knows at the moment. */
export interface Round {
  readonly engine: Engine;
  readonly wish: Freshness;
  readonly answers: Map<string, Answer>;
  open: readonly Errand[];
  /** Errands somebody else is on: their answers appear in the cache, or their claims end. */
  foreign: readonly Errand[];
  /** When the first of those answers is to be expected, and when to look for it. */
  dueMs: number;
  lookAtMs: number;
  polls: number;
  /** Products for which the service failed and named a time, since it answered last. */
  readonly failing: Set<string>;
  /** So long such a service was waited for since. */
  waitedMs: number;
}

export function newRound(engine: Engine, products: readonly Product[], wish: Freshness): Round {
  return {
    ...{ engine, wish, answers: new Map(), open: products.map(newErrand), foreign: [] },
    ...{ dueMs: 0, lookAtMs: 0, polls: 0, failing: new Set(), waitedMs: 0 },
  };
}

/** Answers asked under another refresh text are other answers, so they have other claims. */
export function claimNameIn({ wish }: Round): (errand: Errand) => string {
  const suffix = wish.tag === undefined ? '' : `#${wish.tag}`;
  return ({ product }) => productKey(product) + suffix;
}

export function namedIn(
  round: Round,
  errands: readonly Errand[],
  names: readonly string[],
): readonly Errand[] {
  const nameOf = claimNameIn(round);
  return errands.filter((errand) => names.includes(nameOf(errand)));
}

export function settle(round: Round, errand: Errand, failure: Failure): void {
  round.answers.set(productKey(errand.product), unanswered(failure));
}

export function failAll(round: Round, failure: Failure): void {
  for (const errand of [...round.open, ...round.foreign]) settle(round, errand, failure);
  round.open = [];
  round.foreign = [];
}

/** The errands of these names are somebody else's for the time being. */
export function leaveToOthers(round: Round, names: readonly string[]): void {
  const taken = namedIn(round, round.open, names);
  round.foreign = [...round.foreign, ...taken];
  round.open = round.open.filter((errand) => !taken.includes(errand));
}

/** What others ask is looked for so long after the last slot. */
const LAST_LOOKS_MS = 2_500;

/** When it is over for what others ask, too. */
export function lastLookMs({ bookUntilMs, endMs }: Limits): number {
  return Math.min(endMs - CALL_MS_MIN, bookUntilMs + LAST_LOOKS_MS);
}

/** The first of what others ask is sent at `slotMs`: no need to look for it much earlier. */
export function expectOthers(round: Round, slotMs: number): void {
  round.dueMs = slotMs + ANSWER_MS;
  round.lookAtMs = nextLookMs(round, 0);
}

/** Whoever was expected late may have been refused, so nobody is waited for without a look. */
function nextLookMs({ dueMs, engine: { limits, platform } }: Round, restMs: number): number {
  const nowMs = platform.clock.nowMs();
  const dueInMs = Math.min(dueMs - nowMs, LOOK_EACH_MS);
  return Math.min(nowMs + Math.max(restMs, dueInMs), lastLookMs(limits));
}

/** Looks for the answers of others; now and then their errands are tried as one's own. */
export function lookForOthers(round: Round): void {
  const keys = round.foreign.map((errand) => productKey(errand.product));
  const nowMs = round.engine.platform.clock.nowMs();
  const found = round.engine.cache.find(keys, round.wish, nowMs);
  for (const [key, answer] of found) round.answers.set(key, answer);
  round.foreign = round.foreign.filter((errand) => !found.has(productKey(errand.product)));
  round.polls += 1;
  round.lookAtMs = nextLookMs(round, POLL_MS);
  const { gate, limits } = round.engine;
  // A refusal is no answer that is kept: before they are due, others may have met one.
  const isStopped = nowMs < round.dueMs && gate.stopped() !== undefined;
  const isTurn = isStopped || round.polls % POLLS_PER_CLAIM_CHECK === 0;
  if (!isTurn || nowMs > limits.bookUntilMs) return;
  round.open = [...round.open, ...round.foreign];
  round.foreign = [];
}
