// The products of one `ask` on their way to an answer: which are open, which others are asking for, and
// what was answered.

import { type AlikeRow, NO_ROW, type Setbacks } from '../cache/service-notes';
import type { Failure } from '../failures/failure';
import { type Product, productKey } from '../product/asin';
import { type Answer, unanswered } from '../product/fields';
import { sleepUntil } from './call';
import type { Engine } from './engine';
import { isRetry, type PendingRequest, pendingRequest } from './pending-request';
import type { Hooks, Policy } from './policy';

/** The state of one `ask`. */
export interface Batch {
  readonly engine: Engine;
  readonly policy: Policy;
  readonly hooks: Hooks;
  readonly answers: Map<string, Answer>;
  open: readonly PendingRequest[];
  /**
   * Requests that another execution has claimed. Either their answers appear in the cache or the
   * claims end.
   */
  foreign: readonly PendingRequest[];
  /** When the first of those answers is expected, and when to look for it next, ms since 1970. */
  dueMs: number;
  pollAtMs: number;
  polls: number;
  /**
   * Products that the service had no proper answer for, one after the other. It begins with those of
   * other executions.
   */
  setbacks: Setbacks;
  /** Whether others do not know of them yet. */
  hasNewSetbacks: boolean;
  /** Those among them that may be unknown. Their answer waits for what the service says next. */
  doubted: readonly PendingRequest[];
  /** When the service last gave a proper answer, ms since 1970. */
  answeredMs: number;
  /** How long a service that was down has been waited for since its latest answer, ms. */
  waitedMs: number;
  /** Products in a row that ended alike, of all executions, and when it was looked at, ms since 1970. */
  row: AlikeRow;
  rowSeenMs: number;
  /** How products of this execution ended that is not believed yet, by key. */
  readonly held: Map<string, Failure>;
  /** Whether others have to wait because of them. */
  hasRested: boolean;
  /** How many products it began with. */
  readonly products: number;
  /** Markets on which the service has answered for the list. */
  readonly answered: Set<string>;
  /** The service has said nothing since a wave was lost. */
  isSilent: boolean;
  /** How many calls may still be made. */
  callsLeft: number;
  /** What is claimed for waves that were booked and not sent. */
  readonly unsent: Set<string>;
  /** When it began, and none of the products was in the cache, ms since 1970. */
  readonly beganMs: number;
}

/** @param answers receives them by product key as they arrive. */
export function newBatch(
  engine: Engine,
  products: readonly Product[],
  policy: Policy,
  hooks: Hooks,
  answers: Map<string, Answer>,
): Batch {
  const lost = engine.cache.lost();
  const setbacks = engine.cache.setbacks();
  // Those that the service had no answer for say least about the others.
  const isBack = (product: Product) => setbacks.keys.includes(productKey(product));
  const ordered = [...products.filter((product) => !isBack(product)), ...products.filter(isBack)];
  return {
    engine,
    policy,
    hooks,
    answers,
    open: ordered.map((product) => {
      const key = productKey(product);
      return { ...pendingRequest(product, lost[key]), ...doubtIn(setbacks, key) };
    }),
    foreign: [],
    dueMs: 0,
    pollAtMs: 0,
    polls: 0,
    setbacks,
    hasNewSetbacks: false,
    doubted: [],
    answeredMs: engine.cache.answeredMs(),
    waitedMs: 0,
    row: engine.cache.row() ?? NO_ROW,
    rowSeenMs: engine.platform.clock.nowMs(),
    held: new Map(),
    hasRested: false,
    products: products.length,
    answered: new Set(policy.answered),
    isSilent: isServiceSilent(engine),
    callsLeft: policy.callsMax ?? Number.POSITIVE_INFINITY,
    unsent: new Set(),
    beganMs: engine.platform.clock.nowMs(),
  };
}

/** A service that has answered within this time is not silent, ms. */
const ANSWERS_MS = 10_000;

/** Whether an earlier execution lost a wave, and the service has not answered since. */
function isServiceSilent({ cache, platform }: Engine): boolean {
  const isLost = Object.values(cache.lost()).includes(0);
  return isLost && platform.clock.nowMs() - cache.answeredMs() > ANSWERS_MS;
}

/** When others have got no proper answer for this product, if it was before the latest analysis or since. */
function doubtIn({ sinceMs, keys, before }: Setbacks, key: string) {
  if (before.includes(key)) return { doubtedMs: 0 };
  return keys.includes(key) && { doubtedMs: sinceMs };
}

/**
 * The time of the last possible slot. A call after it would not leave the service the time that it has
 * lately needed. A service that answers fast is asked for longer. Where only hiccups are left, their retries
 * have as long as each call may still take its time: a door of lists has five seconds more for them.
 */
export function bookUntilMs({ engine: { cache, limits }, hooks, open }: Batch): number {
  const tookMs = Math.min(cache.tookMs(), limits.callTimeoutMs);
  const fastMs =
    tookMs > 0 ? Math.min(limits.bookFastUntilMs, limits.endMs - 2 * tookMs) : limits.bookUntilMs;
  const slotMs = Math.max(fastMs, Math.min(limits.bookUntilMs, limits.endMs - tookMs));
  const isRest = open.length > 0 && open.every(isRetry);
  const lastMs = isRest ? Math.max(slotMs, limits.endMs - limits.callTimeoutMs) : slotMs;
  return Math.min(lastMs, hooks.bookUntilMs?.() ?? lastMs);
}

export function wait(batch: Batch, atMs: number, lastMs = bookUntilMs(batch) + 1): void {
  sleepUntil(batch.engine, atMs, lastMs, batch.hooks.asleep);
}

/** A product's claims are separate for each refresh text, because the answers are separate, too. */
export function claimNameIn({ policy: { tag } }: Batch): (request: PendingRequest) => string {
  const suffix = tag === undefined ? '' : `#${tag}`;
  return ({ product }) => productKey(product) + suffix;
}

export function namedIn(
  batch: Batch,
  requests: readonly PendingRequest[],
  names: readonly string[],
): readonly PendingRequest[] {
  const nameOf = claimNameIn(batch);
  return requests.filter((request) => names.includes(nameOf(request)));
}

export function endWith(batch: Batch, request: PendingRequest, failure: Failure): void {
  batch.answers.set(productKey(request.product), unanswered(failure));
}

/**
 * Nothing more is asked; what was asked before says why it failed. Where it failed in a row that goes on,
 * it waits for what the rest of its list says.
 */
export function failOpen(batch: Batch, failure: Failure): void {
  const { ended } = batch.row;
  const isRest = (batch.policy.listLeft ?? 0) > ended.length;
  const inRow = new Set(isRest ? ended.map(([key]) => key) : []);
  for (const request of batch.open) {
    const last = inRow.has(productKey(request.product)) ? undefined : request.last;
    endWith(batch, request, last ?? failure);
  }
  batch.open = [];
}

/** Nothing more is asked for the first time. What had a hiccup has its further tries. */
export function leaveUnasked(batch: Batch, failure: Failure): void {
  const retries = batch.open.filter(isRetry);
  batch.open = batch.open.filter((request) => !isRetry(request));
  failOpen(batch, failure);
  batch.open = retries;
}

export function failAll(batch: Batch, failure: Failure): void {
  for (const request of [...batch.open, ...batch.foreign]) endWith(batch, request, failure);
  batch.open = [];
  batch.foreign = [];
}

/** Takes the answers that others have got for these requests. */
export function findAnswers(
  batch: Batch,
  requests: readonly PendingRequest[],
): ReadonlyMap<string, Answer> {
  const { cache, platform } = batch.engine;
  const keys = requests.map(({ product }) => productKey(product));
  const found = cache.find(keys, batch.policy, platform.clock.nowMs());
  for (const [key, answer] of found) batch.answers.set(key, answer);
  batch.hooks.onAnswers?.(found);
  return found;
}

/**
 * Makes answers final and stores them where others find them. Returns whether the cache may bring them to
 * their places later.
 *
 * @param tookMs how long the wave took that brought them.
 */
export function store(batch: Batch, answers: ReadonlyMap<string, Answer>, tookMs = 0): boolean {
  const { cache, platform } = batch.engine;
  const { hooks, policy } = batch;
  for (const [key, answer] of answers) batch.answers.set(key, answer);
  const news = { tookMs, ...(batch.hasNewSetbacks && { setbacks: batch.setbacks }) };
  const mayWait = cache.store(answers, policy, platform.clock.nowMs(), news);
  if (answers.size > 0) batch.hasNewSetbacks = false;
  hooks.onAnswers?.(answers);
  return mayWait;
}

/** The same, and brings them there. */
export function keep(batch: Batch, answers: ReadonlyMap<string, Answer>): void {
  const { cache, platform } = batch.engine;
  store(batch, answers);
  cache.settle(platform.clock.nowMs());
}

/** No call is started with less time than this left: even a fast service would hardly answer. */
export const CALL_MS_MIN = 1_000;

/** How long after the last slot the answers of others are still looked for. */
const LAST_POLLS_MS = 2_500;

/** The time of the last poll for the answers of others. */
export function lastPollMs(batch: Batch): number {
  return Math.min(batch.engine.limits.endMs - CALL_MS_MIN, bookUntilMs(batch) + LAST_POLLS_MS);
}
