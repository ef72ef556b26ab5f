// Asks the service for products in batches within the quota: pending requests, retries, cancellation.

import { readingOf, wireMarket } from '../connection/connection';
import { type Failure, fail, isRetryable } from '../failures/failure';
import { type Answer, type Freshness, unanswered } from '../product/analysis';
import { type Product, productKey } from '../product/asin';
import type { Booking } from '../quota/gate';
import type { Stop } from '../quota/rate';
import { newsIn, toldBy } from '../service/calibration';
import { analyzeRequest } from '../service/request';
import {
  failureOfStop,
  type Interpretation,
  interpret,
  type Reply,
  readReply,
} from '../service/response';
import { type Engine, type Limits, ofKnownAddress, sleepUntil } from './engine';

export interface Errand {
  readonly product: Product;
  /** Counts the calls that failed for a passing reason, this one included. */
  readonly attempt: number;
  readonly readyAtMs: number;
  /** The largest wave it may go in; smaller after a wave was lost. */
  readonly waveMax: number;
  /** What it failed with last; shown if time runs out. */
  readonly last?: Failure;
}

/** A call that failed for a passing reason is made again until it was made so often. */
const ATTEMPTS_MAX = 3;

/** The first retry waits about so long, the next twice that; times a random part of one to two. */
const RETRY_BASE_MS = 500;

export function newErrand(product: Product): Errand {
  return { product, attempt: 1, readyAtMs: 0, waveMax: Number.POSITIVE_INFINITY };
}

/** The errands that can go now, together, in one wave of at most `waveSize` calls. */
export function nextWave(
  open: readonly Errand[],
  waveSize: number,
  nowMs: number,
): readonly Errand[] {
  const ready = open.filter((errand) => errand.readyAtMs <= nowMs);
  const size = Math.min(waveSize, ready[0]?.waveMax ?? 0);
  const wave = ready.slice(0, size);
  const alone = wave.findIndex((errand) => errand.waveMax < wave.length);
  return alone > 0 ? wave.slice(0, alone) : wave;
}

/**
 * The errand for another try, not before the time that the failure names, or undefined when it has had
 * its tries. A throttled one has no number of tries: the gate says when it may go, and the door's
 * deadline ends it.
 *
 * @param chance from 0 to 1, so that errands that failed together do not come back together.
 */
export function retried(
  errand: Errand,
  failure: Failure,
  nowMs: number,
  chance: number,
): Errand | undefined {
  if (failure.kind === 'waiting') return { ...errand, last: failure };
  if (!isRetryable(failure) || errand.attempt >= ATTEMPTS_MAX) return undefined;
  const backoffMs = RETRY_BASE_MS * 2 ** (errand.attempt - 1) * (1 + chance);
  const namedMs = ('waitMs' in failure && failure.waitMs) || 0;
  const readyAtMs = nowMs + Math.max(backoffMs, namedMs);
  return { ...errand, attempt: errand.attempt + 1, readyAtMs, last: failure };
}

/** After a wave was lost, the same errands in waves of half its size find the one that broke it. */
export function halved(errand: Errand, waveLength: number): Errand {
  return { ...errand, waveMax: Math.max(1, Math.floor(waveLength / 2)) };
}

/** While an execution waits, it looks this often what became of others. */
const LOOK_EACH_MS = 4_000;

/** Not worth starting a call for: even a fast service would hardly answer in it. */
const CALL_MS_MIN = 1_000;

/** The usual time from a slot to its answers in the cache. */
const ANSWER_MS = 550;

/** What others ask is then looked for this often, and their claims are this many looks apart. */
const POLL_MS = 400;
const POLLS_PER_CLAIM_CHECK = 7;

/** What one `ask` knows at the moment. */
interface Round {
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

function newRound(engine: Engine, products: readonly Product[], wish: Freshness): Round {
  return {
    ...{ engine, wish, answers: new Map(), open: products.map(newErrand), foreign: [] },
    ...{ dueMs: 0, lookAtMs: 0, polls: 0, failing: new Set(), waitedMs: 0 },
  };
}

/** Answers asked under another refresh text are other answers, so they have other claims. */
function claimNameIn({ wish }: Round): (errand: Errand) => string {
  const suffix = wish.tag === undefined ? '' : `#${wish.tag}`;
  return ({ product }) => productKey(product) + suffix;
}

function namedIn(
  round: Round,
  errands: readonly Errand[],
  names: readonly string[],
): readonly Errand[] {
  const nameOf = claimNameIn(round);
  return errands.filter((errand) => names.includes(nameOf(errand)));
}

function settle(round: Round, errand: Errand, failure: Failure): void {
  round.answers.set(productKey(errand.product), unanswered(failure));
}

function failAll(round: Round, failure: Failure): void {
  for (const errand of [...round.open, ...round.foreign]) settle(round, errand, failure);
  round.open = [];
  round.foreign = [];
}

/** The errands of these names are somebody else's for the time being. */
function leaveToOthers(round: Round, names: readonly string[]): void {
  const taken = namedIn(round, round.open, names);
  round.foreign = [...round.foreign, ...taken];
  round.open = round.open.filter((errand) => !taken.includes(errand));
}

/** What others ask is looked for so long after the last slot. */
const LAST_LOOKS_MS = 2_500;

/** When it is over for what others ask, too. */
function lastLookMs({ bookUntilMs, endMs }: Limits): number {
  return Math.min(endMs - CALL_MS_MIN, bookUntilMs + LAST_LOOKS_MS);
}

/** The first of what others ask is sent at `slotMs`: no need to look for it much earlier. */
function expectOthers(round: Round, slotMs: number): void {
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
function lookForOthers(round: Round): void {
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

/**
 * Sends all products at once and reads each answer, in order. Slots are the caller's to have. What
 * the answers say of the quota goes to the gate, and what they tell of the service is noted.
 */
function call(
  engine: Engine,
  products: readonly Product[],
  timeoutMs: number,
): readonly Interpretation[] {
  const { connection, gate, platform, sightings } = engine;
  const requests = products.map((product) =>
    analyzeRequest(
      connection,
      product.asin,
      wireMarket(connection, product.market),
      Math.floor(timeoutMs / 1_000),
    ),
  );
  const outcomes = platform.http.sendAll(requests);
  const nowMs = platform.clock.nowMs();
  const replies = products.map((_, i) =>
    readReply(outcomes[i] ?? { kind: 'unreachable' }, connection.apiKey, nowMs),
  );
  // Answers of one wave say the same of the quota; what they say of its rest, the last knows best.
  const signals = replies.flatMap((reply) => reply.signal ?? []);
  const latest = signals[signals.length - 1];
  if (latest !== undefined) gate.hear(latest);
  const reading = readingOf(connection);
  const interpreted = (product: Product, reply: Reply) => interpret(reply, product, reading, nowMs);
  const isAnalysis = (reply: Reply | undefined, i: number) => {
    const product = products[i];
    if (product === undefined || reply?.kind !== 'answer') return false;
    const read = interpreted(product, reply);
    return read.kind === 'answer' && read.answer.ok;
  };
  const hasAnswered = () => replies.some(isAnalysis) || engine.address.hasAnswered();
  return products.map((product, i) => {
    const reply = ofKnownAddress(replies[i] ?? { kind: 'unreachable' }, hasAnswered);
    const read = interpreted(product, reply);
    if (reply.kind === 'answer' && read.kind === 'answer' && read.answer.ok) {
      const told = toldBy(reply.json, read.answer.analysis, reading, product.market);
      sightings.note(product.asin, newsIn(told, reading));
    }
    return read;
  });
}

/** A slot reached later than this is dropped: late calls would crowd those booked after them. */
const LATE_MS = 200;

/** Without a slot an execution keeps its place for a while: the next one would only fail sooner. */
const HOLD_MS = 3_000;
const HOLD_JITTER_MS = 2_000;

/** Before a slot further away than this somebody else may be refused: look so often, and at last. */
const LONG_WAIT_MS = 2_000;
/** Whoever sends wave after wave hears refusals from its own, and waits no longer than for one. */
const LONG_WAIT_OF_WAVE_MS = 5_000;

/** A look into the cache takes about so long. */
const LOOK_MS = 150;

/** With nothing else to do nobody waits longer for products that the service wants asked again later. */
const RETRY_WAIT_MS = 10_000;

/** So many products that failed, and none that was answered between them: the service is down. */
const DOWN_PRODUCTS_MIN = 5;
/** Then nobody asks for the time that it names, but for so long at most: they may all be odd products. */
const DOWN_MS_MIN = 10_000;
const DOWN_MS_MAX = 300_000;
/** No longer than this is waited for it, all in all: other doors and other times go on. */
const DOWN_WAIT_MS = 60_000;

/**
 * The answer for every product, by product key; the products are distinct and not in the cache.
 * Ends by the engine's limits, with `waiting` failures for what was not asked in time.
 */
export function ask(
  engine: Engine,
  products: readonly Product[],
  wish: Freshness,
): ReadonlyMap<string, Answer> {
  const round = newRound(engine, products, wish);
  while (round.open.length > 0 || round.foreign.length > 0) step(round);
  return round.answers;
}

function step(round: Round): void {
  const { gate, limits, platform } = round.engine;
  const nowMs = platform.clock.nowMs();
  if (nowMs > limits.bookUntilMs) giveUp(round, nowMs);
  const wave = nextWave(round.open, gate.waveMax, nowMs);
  if (wave.length === 0) {
    idle(round);
    return;
  }
  const booking = gate.book(wave.map(claimNameIn(round)), limits.bookUntilMs, limits.horizonMs);
  if (booking.kind === 'stopped') {
    failAll(round, failureOfStop(booking.stop, platform.clock.nowMs()));
    return;
  }
  if (booking.kind !== 'busy') leaveToOthers(round, booking.others);
  if (booking.kind === 'busy' || booking.kind === 'late') hold(round, booking);
  else if (booking.kind === 'early') rest(round, booking.askAtMs);
  else if (booking.kind === 'claimed') expectOthers(round, booking.slotMs);
  else send(round, namedIn(round, wave, booking.mine), booking.atMs);
}

/** Past the last slot nothing is sent any more; what others ask may still arrive until the end. */
function giveUp(round: Round, nowMs: number): void {
  for (const errand of round.open) settle(round, errand, errand.last ?? fail({ kind: 'waiting' }));
  round.open = [];
  if (nowMs >= lastLookMs(round.engine.limits)) failAll(round, fail({ kind: 'waiting' }));
}

/** Nothing can be sent now: wait for a retry's time or for others, whichever comes first. */
function idle(round: Round): void {
  const { engine, foreign, open } = round;
  if (open.length === 0 && foreign.length === 0) return;
  const { clock } = engine.platform;
  const lookAtMs = foreign.length > 0 ? round.lookAtMs : Number.POSITIVE_INFINITY;
  const untilMs = Math.min(lookAtMs, ...open.map((errand) => errand.readyAtMs));
  if (foreign.length === 0 && untilMs - clock.nowMs() > RETRY_WAIT_MS) {
    round.open = [];
    const failed = ({ product, last = fail({ kind: 'waiting' }) }: Errand) =>
      [productKey(product), unanswered(last)] as const;
    keep(round, new Map(open.map(failed)));
    return;
  }
  sleepUntil(engine, Math.max(clock.nowMs() + 1, untilMs), lastLookMs(engine.limits) + 1);
  if (clock.nowMs() >= lookAtMs) lookForOthers(round);
}

/** Others have the slots within the horizon: ask again when it reaches the next free one. */
function rest({ engine }: Round, askAtMs: number): void {
  const nowMs = engine.platform.clock.nowMs();
  sleepUntil(engine, Math.max(nowMs + 1, Math.min(askAtMs, nowMs + LOOK_EACH_MS)));
}

function hold(round: Round, booking: Extract<Booking, { kind: 'late' | 'busy' }>): void {
  const { limits, platform } = round.engine;
  const nowMs = platform.clock.nowMs();
  const holdMs = HOLD_MS + platform.random.next() * HOLD_JITTER_MS;
  sleepUntil(round.engine, nowMs + holdMs);
  if (nowMs + holdMs < limits.bookUntilMs) return;
  const waitMs = booking.kind === 'late' ? { waitMs: booking.atMs - nowMs } : {};
  for (const errand of round.open)
    settle(round, errand, errand.last ?? fail({ kind: 'waiting', ...waitMs }));
  round.open = [];
}

/** Waits for a slot; false if nobody may call any more when it comes. */
function isOpenAt({ engine }: Round, atMs: number, waveLength: number): boolean {
  const { gate, limits, platform } = engine;
  const { clock } = platform;
  const usualMs = waveLength > 1 ? LONG_WAIT_OF_WAVE_MS : LONG_WAIT_MS;
  // Where the rate is found out by refusals, those of others are worth a look before each wave.
  const longWaitMs = gate.isGuessing() ? LOOK_MS : usualMs;
  while (atMs - clock.nowMs() > longWaitMs) {
    sleepUntil(engine, Math.min(clock.nowMs() + LOOK_EACH_MS, atMs - LOOK_MS), limits.endMs);
    const stop = gate.stopped();
    // The slot was given for the time after the service is back.
    const isOver = stop?.status !== undefined && stop.untilMs <= atMs;
    if (stop !== undefined && !isOver) return false;
  }
  // A slot is no later than the last, and nothing is sent before it.
  sleepUntil(engine, atMs, limits.endMs);
  return true;
}

function send(round: Round, wave: readonly Errand[], atMs: number): void {
  const { limits, platform } = round.engine;
  const { clock } = platform;
  if (!isOpenAt(round, atMs, wave.length)) return;
  const nowMs = clock.nowMs();
  if (nowMs > atMs + LATE_MS) return;
  const timeoutMs = Math.min(limits.callTimeoutMs, limits.endMs - nowMs);
  if (timeoutMs < CALL_MS_MIN) {
    failAll(round, fail({ kind: 'waiting' }));
    return;
  }
  const products = wave.map((errand) => errand.product);
  const read = call(round.engine, products, timeoutMs);
  round.open = round.open.filter((errand) => !wave.includes(errand));
  take(round, wave, read);
}

/** Settles products for good and lets others find what came of them. */
function keep(round: Round, kept: ReadonlyMap<string, Answer>): void {
  const { cache, platform } = round.engine;
  for (const [key, answer] of kept) round.answers.set(key, answer);
  cache.keep(kept, round.wish, platform.clock.nowMs());
}

/** Works what came back for a wave into the round, the cache and the gate. */
function take(round: Round, wave: readonly Errand[], read: readonly Interpretation[]): void {
  const { gate, limits, platform } = round.engine;
  const nowMs = platform.clock.nowMs();
  const kept = new Map<string, Answer>();
  const again: Errand[] = [];
  const down = downOf(round, wave, read, nowMs);
  read.forEach((one, i) => {
    const errand = wave[i];
    if (errand === undefined) return;
    const next = nextTry(errand, one, wave.length, nowMs, platform.random.next());
    // Only the gate knows when calls go on, which is part of the failure.
    if (down !== undefined || isGoogleLimit(one)) again.push(errand);
    else if (next !== undefined && !isTooLate(next, limits.bookUntilMs)) again.push(next);
    else if (one.kind === 'answer') kept.set(productKey(errand.product), one.answer);
    else if (one.kind !== 'split') kept.set(productKey(errand.product), unanswered(one.failure));
  });
  keep(round, kept);
  const stop = down ?? longestStop(read);
  const names = wave.map(claimNameIn(round));
  const refused = read.filter((one) => one.kind === 'again' && one.stop !== undefined).length;
  const told = stop && gate.stop(stop, names, refused);
  round.open = [...again, ...round.open];
  if (down !== undefined) {
    round.waitedMs += down.untilMs - nowMs;
    if (round.waitedMs > DOWN_WAIT_MS) failAll(round, failureOfStop(down, nowMs));
    return;
  }
  const end = read.find((one) => one.kind === 'end');
  if (end === undefined) return;
  failAll(round, told && isGoogleLimit(end) ? failureOfStop(told, nowMs) : end.failure);
}

/**
 * The stop for everybody, where the service fails for whatever it is asked. One product that it
 * stumbles over is that product's own affair, and so are a few.
 */
function downOf(
  round: Round,
  wave: readonly Errand[],
  read: readonly Interpretation[],
  nowMs: number,
): Stop | undefined {
  const stops = read.flatMap((one, i): readonly Stop[] => {
    if (one.kind !== 'again' || one.failure.kind !== 'service-busy') return [];
    const { waitMs, status } = one.failure;
    const { product } = wave[i] ?? {};
    if (waitMs === undefined || product === undefined) return [];
    round.failing.add(productKey(product));
    const untilMs = nowMs + Math.max(DOWN_MS_MIN, Math.min(waitMs, DOWN_MS_MAX));
    return [{ reason: 'throttled', untilMs, status }];
  });
  if (stops.length < read.length) {
    round.failing.clear();
    round.waitedMs = 0;
  }
  return round.failing.size < DOWN_PRODUCTS_MIN ? undefined : longest(stops);
}

function isGoogleLimit(read: Interpretation): boolean {
  return read.kind === 'end' && read.stop?.reason === 'google-limit';
}

/** The service named a time that this door does not live to see. */
const isTooLate = ({ last, readyAtMs }: Errand, untilMs: number): boolean =>
  last?.kind === 'service-busy' && last.waitMs !== undefined && readyAtMs > untilMs;

function nextTry(
  errand: Errand,
  read: Interpretation,
  waveLength: number,
  nowMs: number,
  chance: number,
): Errand | undefined {
  if (read.kind === 'split') return halved(errand, waveLength);
  if (read.kind !== 'again') return undefined;
  return retried(errand, read.failure, nowMs, chance);
}

const longestStop = (read: readonly Interpretation[]) =>
  longest(read.flatMap((one) => ('stop' in one ? (one.stop ?? []) : [])));

const longest = (stops: readonly Stop[]): Stop | undefined =>
  [...stops].sort((a, b) => b.untilMs - a.untilMs)[0];
