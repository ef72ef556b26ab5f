// Asks the service for products in batches within the quota: pending requests, retries, cancellation.

import { withLast } from '../cache/last-good';
import { readingOf, wireMarket } from '../connection/connection';
import { endsRun, type Failure, fail, isRetryable, willPass } from '../failures/failure';
import { type Answer, type Freshness, unanswered } from '../product/analysis';
import { type Product, productKey } from '../product/asin';
import type { Booking } from '../quota/gate';
import type { Stop } from '../quota/rate';
import { newsIn, toldBy } from '../service/calibration';
import { failureOfStop, type Interpretation } from '../service/response';
import { call, type Exchange } from './call';
import { type Engine, sleepUntil } from './engine';

/** What may be asked and what will do. Left out, everything is as a single cell wants it. */
export interface Policy extends Freshness {
  /**
   * No slot further ahead than this is taken, except for one wave. For doors that send wave after
   * wave: what they hold in advance is what a cell has to wait for. Left out: up to the last slot.
   */
  readonly horizonMs?: number;
  /** So many calls may be made; with the last one the time is up, retries included. */
  readonly callsMax?: number;
  /** Products that could not be asked in time go on the waiting list, for a door with more time. */
  readonly listsWaiting?: boolean;
  /** A problem that passes, or is not the product's, is no answer though the cache has it. */
  readonly triesAgain?: boolean;
  /**
   * Where a `notBeforeMs` is given, last good answers will do as well if they are so young; those of
   * products that are not in here will do whatever their age. One property call.
   */
  readonly dueKeys?: ReadonlySet<string>;
}

/** What happens meanwhile, for a door that has to know or wants a say. Any of them may throw to end it. */
export interface Hooks {
  /** Answers that were there already, by product key. */
  readonly onFound?: (answers: ReadonlyMap<string, Answer>) => void;
  /** Answers as they come, each with the last analysis where it is a failure that will pass. */
  readonly onAnswers?: (answers: ReadonlyMap<string, Answer>) => void;
  /** Puts the service's answers where other executions find them. Left out: into the cache, at once. */
  readonly keep?: (answers: ReadonlyMap<string, Answer>) => void;
  /** So many calls are sent now. */
  readonly onCalls?: (count: number) => void;
  /** Before each booking. */
  readonly betweenWaves?: () => void;
  /** When the call that was booked, or refused its slot, is due; null where it is not known. */
  readonly onBooked?: (dueMs: number | null) => void;
  /** No call is due in the door's time, though the key is good. Left out or false: it is over. */
  readonly waitsBeyond?: (booking: Booking) => boolean;
  /** About once a second in every wait, with its end. */
  readonly asleep?: (untilMs: number) => void;
  /** The last slot by now, where that may change; never past the door's own. */
  readonly bookUntilMs?: () => number;
}

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
  readonly policy: Policy;
  readonly hooks: Hooks;
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
  /** Calls that may be made yet. */
  callsLeft: number;
}

/** When the last slot may be. */
const bookUntilMs = ({ engine: { limits }, hooks }: Round): number =>
  Math.min(limits.bookUntilMs, hooks.bookUntilMs?.() ?? limits.bookUntilMs);

function wait(round: Round, atMs: number, lastMs = bookUntilMs(round) + 1): void {
  sleepUntil(round.engine, atMs, lastMs, round.hooks.asleep);
}

/** Answers asked under another refresh text are other answers, so they have other claims. */
function claimNameIn({ policy: { tag } }: Round): (errand: Errand) => string {
  const suffix = tag === undefined ? '' : `#${tag}`;
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
function lastLookMs(round: Round): number {
  return Math.min(round.engine.limits.endMs - CALL_MS_MIN, bookUntilMs(round) + LAST_LOOKS_MS);
}

/** The first of what others ask is sent at `slotMs`: no need to look for it much earlier. */
function expectOthers(round: Round, slotMs: number): void {
  round.dueMs = slotMs + ANSWER_MS;
  round.lookAtMs = nextLookMs(round, 0);
}

/** Whoever was expected late may have been refused, so nobody is waited for without a look. */
function nextLookMs(round: Round, restMs: number): number {
  const nowMs = round.engine.platform.clock.nowMs();
  const dueInMs = Math.min(round.dueMs - nowMs, LOOK_EACH_MS);
  return Math.min(nowMs + Math.max(restMs, dueInMs), lastLookMs(round));
}

/** Answers in the cache that will do. One cache call. */
export function findAnswers(
  { cache, platform }: Pick<Engine, 'cache' | 'platform'>,
  keys: readonly string[],
  policy: Policy,
): ReadonlyMap<string, Answer> {
  const found = cache.find(keys, policy, platform.clock.nowMs());
  if (policy.triesAgain !== true) return found;
  const { notBeforeMs = 0 } = policy;
  // An answer may have been put into the cache long after it came.
  const isFit = (answer: Answer) =>
    answer.ok
      ? answer.analysis.fetchedAtMs >= notBeforeMs
      : !willPass(answer.failure) && !endsRun(answer.failure);
  return new Map([...found].filter(([, answer]) => isFit(answer)));
}

/** Looks for the answers of others; now and then their errands are tried as one's own. */
function lookForOthers(round: Round): void {
  const keys = round.foreign.map((errand) => productKey(errand.product));
  const nowMs = round.engine.platform.clock.nowMs();
  const found = findAnswers(round.engine, keys, round.policy);
  for (const [key, answer] of found) round.answers.set(key, answer);
  deliver(round, found);
  round.foreign = round.foreign.filter((errand) => !found.has(productKey(errand.product)));
  round.polls += 1;
  round.lookAtMs = nextLookMs(round, POLL_MS);
  const { gate } = round.engine;
  // A refusal is no answer that is kept: before they are due, others may have met one.
  const isStopped = nowMs < round.dueMs && gate.stopped() !== undefined;
  const isTurn = isStopped || round.polls % POLLS_PER_CLAIM_CHECK === 0;
  if (!isTurn || nowMs > bookUntilMs(round)) return;
  round.open = [...round.open, ...round.foreign];
  round.foreign = [];
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

/** A key that rests beyond the end of its time may be given another limit meanwhile: look so often. */
const REST_LOOK_MS = 15_000;

/**
 * Answers every product; the products are distinct and not in the cache. Ends by the engine's limits,
 * with `waiting` failures for what was not asked in time.
 *
 * @param answers gets them by product key, as they come, so that none is lost where a hook ends it.
 */
export function ask(
  engine: Engine,
  products: readonly Product[],
  policy: Policy,
  hooks: Hooks,
  answers: Map<string, Answer>,
): void {
  const { callsMax: callsLeft = Number.POSITIVE_INFINITY } = policy;
  const round: Round = {
    ...{ engine, policy, hooks, answers, open: products.map(newErrand), foreign: [] },
    ...{ dueMs: 0, lookAtMs: 0, polls: 0, failing: new Set(), waitedMs: 0, callsLeft },
  };
  while (round.open.length > 0 || round.foreign.length > 0) step(round);
}

function step(round: Round): void {
  const { gate, platform } = round.engine;
  const nowMs = platform.clock.nowMs();
  if (nowMs > bookUntilMs(round) || round.callsLeft <= 0) giveUp(round, nowMs);
  const wave = nextWave(round.open, gate.waveMax, nowMs);
  if (wave.length === 0) {
    idle(round);
    return;
  }
  const booking = bookingFor(round, wave);
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

/** Books for the wave. A slot beyond the last one is waited for as long as the door wants that. */
function bookingFor(round: Round, wave: readonly Errand[]): Booking {
  const { engine, hooks, policy } = round;
  const { clock } = engine.platform;
  for (;;) {
    hooks.betweenWaves?.();
    const names = wave.slice(0, round.callsLeft).map(claimNameIn(round));
    const booking = engine.gate.book(names, bookUntilMs(round), policy.horizonMs);
    hooks.onBooked?.(dueOf(booking));
    const leftMs = bookUntilMs(round) - clock.nowMs();
    if (!isBeyond(booking) || leftMs <= 0 || hooks.waitsBeyond?.(booking) !== true) return booking;
    wait(round, clock.nowMs() + Math.min(leftMs, REST_LOOK_MS));
  }
}

function dueOf(booking: Booking): number | null {
  switch (booking.kind) {
    case 'go':
    case 'late':
      return booking.atMs;
    case 'early':
      return booking.askAtMs;
    case 'stopped':
      return booking.stop.untilMs;
    default:
      return null;
  }
}

/** It would be asked for in vain again and again. */
const isBeyond = (booking: Booking): boolean =>
  booking.kind === 'late' || (booking.kind === 'stopped' && booking.stop.reason === 'throttled');

/** Past the last slot or call nothing is sent any more; what others ask may still arrive until the end. */
function giveUp(round: Round, nowMs: number): void {
  for (const errand of round.open) settle(round, errand, errand.last ?? fail({ kind: 'waiting' }));
  round.open = [];
  if (nowMs >= lastLookMs(round)) failAll(round, fail({ kind: 'waiting' }));
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
  wait(round, Math.max(clock.nowMs() + 1, untilMs), lastLookMs(round) + 1);
  if (clock.nowMs() >= lookAtMs) lookForOthers(round);
}

/** Others have the slots within the horizon: ask again when it reaches the next free one. */
function rest(round: Round, askAtMs: number): void {
  const nowMs = round.engine.platform.clock.nowMs();
  wait(round, Math.max(nowMs + 1, Math.min(askAtMs, nowMs + LOOK_EACH_MS)));
}

function hold(round: Round, booking: Extract<Booking, { kind: 'late' | 'busy' }>): void {
  const { platform } = round.engine;
  const nowMs = platform.clock.nowMs();
  const holdMs = HOLD_MS + platform.random.next() * HOLD_JITTER_MS;
  wait(round, nowMs + holdMs);
  if (nowMs + holdMs < bookUntilMs(round)) return;
  const waitMs = booking.kind === 'late' ? { waitMs: booking.atMs - nowMs } : {};
  for (const errand of round.open)
    settle(round, errand, errand.last ?? fail({ kind: 'waiting', ...waitMs }));
  round.open = [];
}

/** Waits for a slot; false if nobody may call any more when it comes. */
function isOpenAt(round: Round, atMs: number, waveLength: number): boolean {
  const { gate, limits, platform } = round.engine;
  const { clock } = platform;
  const usualMs = waveLength > 1 ? LONG_WAIT_OF_WAVE_MS : LONG_WAIT_MS;
  // Where the rate is found out by refusals, those of others are worth a look before each wave.
  const longWaitMs = gate.isGuessing() ? LOOK_MS : usualMs;
  while (atMs - clock.nowMs() > longWaitMs) {
    wait(round, Math.min(clock.nowMs() + LOOK_EACH_MS, atMs - LOOK_MS), limits.endMs);
    const stop = gate.stopped();
    // The slot was given for the time after the service is back.
    const isOver = stop?.status !== undefined && stop.untilMs <= atMs;
    if (stop !== undefined && !isOver) return false;
  }
  // A slot is no later than the last, and nothing is sent before it.
  wait(round, atMs, limits.endMs);
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
  const { connection } = round.engine;
  const questions = wave.map(({ product }) => ({
    product,
    wire: wireMarket(connection, product.market),
  }));
  round.callsLeft -= questions.length;
  round.hooks.onCalls?.(questions.length);
  const exchanges = call(round.engine, questions, timeoutMs);
  for (const one of exchanges) noteSightings(round.engine, one);
  round.open = round.open.filter((errand) => !wave.includes(errand));
  take(
    round,
    wave,
    exchanges.map(({ read }) => read),
  );
}

/** What an answer tells of the service that nobody has settled, or that contradicts what is settled. */
function noteSightings(
  { connection, sightings }: Engine,
  { product, reply, read }: Exchange,
): void {
  if (reply.kind !== 'answer' || read.kind !== 'answer' || !read.answer.ok) return;
  const reading = readingOf(connection);
  const told = toldBy(reply.json, read.answer.analysis, reading, product.market);
  sightings.note(product.asin, newsIn(told, reading));
}

function deliver({ engine: { lastGood }, hooks }: Round, answers: ReadonlyMap<string, Answer>) {
  hooks.onAnswers?.(withLast(lastGood, answers));
}

/** Settles products for good and lets others find what came of them. */
function keep(round: Round, kept: ReadonlyMap<string, Answer>): void {
  const { cache, platform } = round.engine;
  const { hooks, policy } = round;
  for (const [key, answer] of kept) round.answers.set(key, answer);
  if (hooks.keep) hooks.keep(kept);
  else cache.keep(kept, policy, platform.clock.nowMs());
  deliver(round, kept);
}

/** Works what came back for a wave into the round, the cache and the gate. */
function take(round: Round, wave: readonly Errand[], read: readonly Interpretation[]): void {
  const { gate, platform } = round.engine;
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
    else if (next !== undefined && !isTooLate(next, bookUntilMs(round))) again.push(next);
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
