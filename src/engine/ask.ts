// Asks the service for products in batches within the quota: pending requests, retries, cancellation.

import { staleIfError } from '../cache/last-good';
import { readingOf, wireMarket } from '../connection/connection';
import { endsRun, type Failure, fail, isRetryable, willPass } from '../failures/failure';
import { type Answer, type Freshness, unanswered } from '../product/analysis';
import { type Product, productKey } from '../product/asin';
import type { Booking, Slot } from '../quota/gate';
import type { Stop } from '../quota/rate';
import { newsIn, observationsIn } from '../service/calibration';
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
  /** The most calls that may be made, retries included; after the last one the time is up. */
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
  /** Hears how many calls are about to be sent. */
  readonly onCalls?: (count: number) => void;
  /** Products that have come since, to be asked for as well: none twice. Between any two steps. */
  readonly more?: () => readonly Product[];
  /** Before each booking. */
  readonly betweenWaves?: () => void;
  /** When the call that was booked, or refused its slot, is due; null where it is not known. */
  readonly onBooked?: (dueMs: number | null, isBooked: boolean) => void;
  /** No call is due in the door's time, though the key is good. Left out or false: it is over. */
  readonly waitsBeyond?: (booking: Booking) => boolean;
  /** About once a second in every wait, with its end. */
  readonly asleep?: (untilMs: number) => void;
  /** The last slot by now, where that may change; never past the door's own. */
  readonly bookUntilMs?: () => number;
}

export interface PendingRequest {
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

export function pendingRequest(product: Product): PendingRequest {
  return { product, attempt: 1, readyAtMs: 0, waveMax: Number.POSITIVE_INFINITY };
}

/** The requests that can go now, together, in one wave of at most `waveSize` calls. */
export function nextWave(
  open: readonly PendingRequest[],
  waveSize: number,
  nowMs: number,
): readonly PendingRequest[] {
  const ready = open.filter((request) => request.readyAtMs <= nowMs);
  const size = Math.min(waveSize, ready[0]?.waveMax ?? 0);
  const wave = ready.slice(0, size);
  const alone = wave.findIndex((request) => request.waveMax < wave.length);
  return alone > 0 ? wave.slice(0, alone) : wave;
}

/**
 * The request for another try, not before the time that the failure names, or undefined when it has had
 * its tries. A throttled one has no number of tries: the gate says when it may go, and the door's
 * deadline ends it.
 *
 * @param chance from 0 to 1, so that requests that failed together do not come back together.
 */
export function retried(
  request: PendingRequest,
  failure: Failure,
  nowMs: number,
  chance: number,
): PendingRequest | undefined {
  if (failure.kind === 'waiting') return { ...request, last: failure };
  if (!isRetryable(failure) || request.attempt >= ATTEMPTS_MAX) return undefined;
  const backoffMs = RETRY_BASE_MS * 2 ** (request.attempt - 1) * (1 + chance);
  const namedMs = ('waitMs' in failure && failure.waitMs) || 0;
  const readyAtMs = nowMs + Math.max(backoffMs, namedMs);
  return { ...request, attempt: request.attempt + 1, readyAtMs, last: failure };
}

/** After a wave was lost, the same requests in waves of half its size find the one that broke it. */
export function halved(request: PendingRequest, waveLength: number): PendingRequest {
  return { ...request, waveMax: Math.max(1, Math.floor(waveLength / 2)) };
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
interface Batch {
  readonly engine: Engine;
  readonly policy: Policy;
  readonly hooks: Hooks;
  readonly answers: Map<string, Answer>;
  open: readonly PendingRequest[];
  /** Requests that another execution has claimed: their answers appear in the cache, or the claims end. */
  foreign: readonly PendingRequest[];
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
const bookUntilMs = ({ engine: { limits }, hooks }: Batch): number =>
  Math.min(limits.bookUntilMs, hooks.bookUntilMs?.() ?? limits.bookUntilMs);

function wait(batch: Batch, atMs: number, lastMs = bookUntilMs(batch) + 1): void {
  sleepUntil(batch.engine, atMs, lastMs, batch.hooks.asleep);
}

/** Answers asked under another refresh text are other answers, so they have other claims. */
function claimNameIn({ policy: { tag } }: Batch): (request: PendingRequest) => string {
  const suffix = tag === undefined ? '' : `#${tag}`;
  return ({ product }) => productKey(product) + suffix;
}

function namedIn(
  batch: Batch,
  requests: readonly PendingRequest[],
  names: readonly string[],
): readonly PendingRequest[] {
  const nameOf = claimNameIn(batch);
  return requests.filter((request) => names.includes(nameOf(request)));
}

function settle(batch: Batch, request: PendingRequest, failure: Failure): void {
  batch.answers.set(productKey(request.product), unanswered(failure));
}

function failAll(batch: Batch, failure: Failure): void {
  for (const request of [...batch.open, ...batch.foreign]) settle(batch, request, failure);
  batch.open = [];
  batch.foreign = [];
}

/** Moves the requests of these names to those that another execution has claimed. */
function leaveToOthers(batch: Batch, names: readonly string[]): void {
  const taken = namedIn(batch, batch.open, names);
  batch.foreign = [...batch.foreign, ...taken];
  batch.open = batch.open.filter((request) => !taken.includes(request));
}

/** What others ask is looked for so long after the last slot. */
const LAST_LOOKS_MS = 2_500;

/** When it is over for what others ask, too. */
function lastLookMs(batch: Batch): number {
  return Math.min(batch.engine.limits.endMs - CALL_MS_MIN, bookUntilMs(batch) + LAST_LOOKS_MS);
}

/** The first of what others ask is sent at `slotMs`: no need to look for it much earlier. */
function expectOthers(batch: Batch, slotMs: number): void {
  batch.dueMs = slotMs + ANSWER_MS;
  batch.lookAtMs = nextLookMs(batch, 0);
}

/** Whoever was expected late may have been refused, so nobody is waited for without a look. */
function nextLookMs(batch: Batch, restMs: number): number {
  const nowMs = batch.engine.platform.clock.nowMs();
  const dueInMs = Math.min(batch.dueMs - nowMs, LOOK_EACH_MS);
  return Math.min(nowMs + Math.max(restMs, dueInMs), lastLookMs(batch));
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

/** Looks for the answers of others; now and then their requests are tried as one's own. */
function lookForOthers(batch: Batch): void {
  const keys = batch.foreign.map((request) => productKey(request.product));
  const nowMs = batch.engine.platform.clock.nowMs();
  const found = findAnswers(batch.engine, keys, batch.policy);
  for (const [key, answer] of found) batch.answers.set(key, answer);
  deliver(batch, found);
  batch.foreign = batch.foreign.filter((request) => !found.has(productKey(request.product)));
  batch.polls += 1;
  batch.lookAtMs = nextLookMs(batch, POLL_MS);
  const { gate } = batch.engine;
  // A refusal is no answer that is kept: before they are due, others may have met one.
  const isStopped = nowMs < batch.dueMs && gate.stopped() !== undefined;
  const isTurn = isStopped || batch.polls % POLLS_PER_CLAIM_CHECK === 0;
  if (!isTurn || nowMs > bookUntilMs(batch)) return;
  batch.open = [...batch.open, ...batch.foreign];
  batch.foreign = [];
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

/** A look into the cache takes about so long, or twice as long as those before. */
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
  const batch: Batch = {
    ...{ engine, policy, hooks, answers, open: products.map(pendingRequest), foreign: [] },
    ...{ dueMs: 0, lookAtMs: 0, polls: 0, failing: new Set(), waitedMs: 0, callsLeft },
  };
  for (;;) {
    batch.open = [...batch.open, ...(hooks.more?.() ?? []).map(pendingRequest)];
    if (batch.open.length === 0 && batch.foreign.length === 0) return;
    step(batch);
  }
}

function step(batch: Batch): void {
  const { gate, platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  if (nowMs > bookUntilMs(batch) || batch.callsLeft <= 0) giveUp(batch, nowMs);
  const wave = nextWave(batch.open, gate.waveMax, nowMs);
  if (wave.length === 0) {
    idle(batch);
    return;
  }
  const booking = bookingFor(batch, wave);
  if (booking.kind === 'stopped') {
    failAll(batch, failureOfStop(booking.stop, platform.clock.nowMs()));
    return;
  }
  if (booking.kind !== 'busy') leaveToOthers(batch, booking.others);
  if (booking.kind === 'busy' || booking.kind === 'late') hold(batch, booking);
  else if (booking.kind === 'early') rest(batch, booking.askAtMs);
  else if (booking.kind === 'claimed') expectOthers(batch, booking.slotMs);
  else send(batch, namedIn(batch, wave, booking.mine), booking);
}

/** Books for the wave. A slot beyond the last one is waited for as long as the door wants that. */
function bookingFor(batch: Batch, wave: readonly PendingRequest[]): Booking {
  const { engine, hooks, policy } = batch;
  const { clock } = engine.platform;
  for (;;) {
    hooks.betweenWaves?.();
    const names = wave.slice(0, batch.callsLeft).map(claimNameIn(batch));
    const booking = engine.gate.book(names, bookUntilMs(batch), policy.horizonMs);
    hooks.onBooked?.(dueOf(booking), booking.kind === 'go');
    const leftMs = bookUntilMs(batch) - clock.nowMs();
    if (!isBeyond(booking) || leftMs <= 0 || hooks.waitsBeyond?.(booking) !== true) return booking;
    wait(batch, clock.nowMs() + Math.min(leftMs, REST_LOOK_MS));
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

/** The key has no slot within the door's time: asking at once again gets the same. */
const isBeyond = (booking: Booking): boolean =>
  booking.kind === 'late' || (booking.kind === 'stopped' && booking.stop.reason === 'throttled');

/** Past the last slot or call nothing is sent any more; what others ask may still arrive until the end. */
function giveUp(batch: Batch, nowMs: number): void {
  for (const request of batch.open)
    settle(batch, request, request.last ?? fail({ kind: 'waiting' }));
  batch.open = [];
  if (nowMs >= lastLookMs(batch)) failAll(batch, fail({ kind: 'waiting' }));
}

/** Nothing can be sent now: wait for a retry's time or for others, whichever comes first. */
function idle(batch: Batch): void {
  const { engine, foreign, open } = batch;
  if (open.length === 0 && foreign.length === 0) return;
  const { clock } = engine.platform;
  const lookAtMs = foreign.length > 0 ? batch.lookAtMs : Number.POSITIVE_INFINITY;
  const untilMs = Math.min(lookAtMs, ...open.map((request) => request.readyAtMs));
  if (foreign.length === 0 && untilMs - clock.nowMs() > RETRY_WAIT_MS) {
    batch.open = [];
    const failed = ({ product, last = fail({ kind: 'waiting' }) }: PendingRequest) =>
      [productKey(product), unanswered(last)] as const;
    keep(batch, new Map(open.map(failed)));
    return;
  }
  wait(batch, Math.max(clock.nowMs() + 1, untilMs), lastLookMs(batch) + 1);
  if (clock.nowMs() >= lookAtMs) lookForOthers(batch);
}

/** Others have the slots within the horizon: ask again when it reaches the next free one. */
function rest(batch: Batch, askAtMs: number): void {
  const nowMs = batch.engine.platform.clock.nowMs();
  wait(batch, Math.max(nowMs + 1, Math.min(askAtMs, nowMs + LOOK_EACH_MS)));
}

function hold(batch: Batch, booking: Extract<Booking, { kind: 'late' | 'busy' }>): void {
  const { platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  const holdMs = HOLD_MS + platform.random.next() * HOLD_JITTER_MS;
  wait(batch, nowMs + holdMs);
  if (nowMs + holdMs < bookUntilMs(batch)) return;
  const waitMs = booking.kind === 'late' ? { waitMs: booking.atMs - nowMs } : {};
  for (const request of batch.open)
    settle(batch, request, request.last ?? fail({ kind: 'waiting', ...waitMs }));
  batch.open = [];
}

/** Whether the slot may still be used when its time has come. */
function waitForSlot(batch: Batch, slot: Slot): boolean {
  const { atMs, mine } = slot;
  const { gate, limits, platform } = batch.engine;
  const { clock } = platform;
  const usualMs = mine.length > 1 ? LONG_WAIT_OF_WAVE_MS : LONG_WAIT_MS;
  // Where the rate is found out by refusals, those of others are worth a look before each wave.
  const longWaitMs = gate.isGuessing() ? LOOK_MS : usualMs;
  while (atMs - clock.nowMs() > longWaitMs) {
    const lookMs = Math.max(LOOK_MS, 2 * gate.lookMs());
    wait(batch, Math.min(clock.nowMs() + LOOK_EACH_MS, atMs - lookMs), limits.endMs);
    if (!gate.isOpen(slot)) return false;
  }
  // A slot is no later than the last, and nothing is sent before it.
  wait(batch, atMs, limits.endMs);
  return true;
}

function send(batch: Batch, wave: readonly PendingRequest[], slot: Slot): void {
  const { limits, platform } = batch.engine;
  const { clock } = platform;
  if (!waitForSlot(batch, slot)) return;
  const nowMs = clock.nowMs();
  if (nowMs > slot.atMs + LATE_MS) return;
  const timeoutMs = Math.min(limits.callTimeoutMs, limits.endMs - nowMs);
  if (timeoutMs < CALL_MS_MIN) {
    failAll(batch, fail({ kind: 'waiting' }));
    return;
  }
  const { connection } = batch.engine;
  const questions = wave.map(({ product }) => ({
    product,
    wire: wireMarket(connection, product.market),
  }));
  batch.callsLeft -= questions.length;
  batch.hooks.onCalls?.(questions.length);
  const exchanges = call(batch.engine, questions, timeoutMs);
  for (const one of exchanges) noteObservations(batch.engine, one);
  batch.open = batch.open.filter((request) => !wave.includes(request));
  take(
    batch,
    wave,
    exchanges.map(({ read }) => read),
  );
}

/** Notes what an answer tells of the service where nothing is settled, or where it contradicts that. */
function noteObservations(
  { connection, observations }: Engine,
  { product, reply, read }: Exchange,
): void {
  if (reply.kind !== 'answer' || read.kind !== 'answer' || !read.answer.ok) return;
  const reading = readingOf(connection);
  const told = observationsIn(reply.json, read.answer.analysis, reading);
  observations.note(product.asin, newsIn(told, reading));
}

function deliver({ engine: { lastGood }, hooks }: Batch, answers: ReadonlyMap<string, Answer>) {
  hooks.onAnswers?.(staleIfError(lastGood, answers));
}

/** Settles products for good and lets others find what came of them. */
function keep(batch: Batch, kept: ReadonlyMap<string, Answer>): void {
  const { cache, platform } = batch.engine;
  const { hooks, policy } = batch;
  for (const [key, answer] of kept) batch.answers.set(key, answer);
  if (hooks.keep) hooks.keep(kept);
  else cache.keep(kept, policy, platform.clock.nowMs());
  deliver(batch, kept);
}

/** Works what came back for a wave into the batch, the cache and the gate. */
function take(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
): void {
  const { gate, platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  const kept = new Map<string, Answer>();
  const again: PendingRequest[] = [];
  const down = downOf(batch, wave, read, nowMs);
  read.forEach((one, i) => {
    const request = wave[i];
    if (request === undefined) return;
    const next = nextTry(request, one, wave.length, nowMs, platform.random.next());
    // Only the gate knows when calls go on, which is part of the failure.
    if (down !== undefined || isGoogleLimit(one)) again.push(request);
    else if (next !== undefined && !isTooLate(next, bookUntilMs(batch))) again.push(next);
    else if (one.kind === 'answer') kept.set(productKey(request.product), one.answer);
    else if (one.kind !== 'split') kept.set(productKey(request.product), unanswered(one.failure));
  });
  keep(batch, kept);
  const stop = down ?? longestStop(read);
  const names = wave.map(claimNameIn(batch));
  const refused = read.filter((one) => one.kind === 'again' && one.stop !== undefined).length;
  const told = stop && gate.stop(stop, names, refused);
  batch.open = [...again, ...batch.open];
  if (down !== undefined) {
    batch.waitedMs += down.untilMs - nowMs;
    if (batch.waitedMs > DOWN_WAIT_MS) failAll(batch, failureOfStop(down, nowMs));
    return;
  }
  const end = read.find((one) => one.kind === 'end');
  if (end === undefined) return;
  failAll(batch, told && isGoogleLimit(end) ? failureOfStop(told, nowMs) : end.failure);
}

/**
 * The stop for everybody, where the service fails for whatever it is asked. One product that it
 * stumbles over is that product's own affair, and so are a few.
 */
function downOf(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
  nowMs: number,
): Stop | undefined {
  const stops = read.flatMap((one, i): readonly Stop[] => {
    if (one.kind !== 'again' || one.failure.kind !== 'service-busy') return [];
    const { waitMs, status } = one.failure;
    const { product } = wave[i] ?? {};
    if (waitMs === undefined || product === undefined) return [];
    batch.failing.add(productKey(product));
    const untilMs = nowMs + Math.max(DOWN_MS_MIN, Math.min(waitMs, DOWN_MS_MAX));
    return [{ reason: 'throttled', untilMs, status }];
  });
  if (stops.length < read.length) {
    batch.failing.clear();
    batch.waitedMs = 0;
  }
  return batch.failing.size < DOWN_PRODUCTS_MIN ? undefined : longest(stops);
}

function isGoogleLimit(read: Interpretation): boolean {
  return read.kind === 'end' && read.stop?.reason === 'google-limit';
}

/** The service named a time that this door does not live to see. */
const isTooLate = ({ last, readyAtMs }: PendingRequest, untilMs: number): boolean =>
  last?.kind === 'service-busy' && last.waitMs !== undefined && readyAtMs > untilMs;

function nextTry(
  request: PendingRequest,
  read: Interpretation,
  waveLength: number,
  nowMs: number,
  chance: number,
): PendingRequest | undefined {
  if (read.kind === 'split') return halved(request, waveLength);
  if (read.kind !== 'again') return undefined;
  return retried(request, read.failure, nowMs, chance);
}

const longestStop = (read: readonly Interpretation[]) =>
  longest(read.flatMap((one) => ('stop' in one ? (one.stop ?? []) : [])));

const longest = (stops: readonly Stop[]): Stop | undefined =>
  [...stops].sort((a, b) => b.untilMs - a.untilMs)[0];
