// Asks the service for products in waves within the quota, with retries, claims of other
// executions, and an end in time.

import { type GoodEnough, NO_SETBACKS, type Setbacks } from '../cache/result-cache';
import { type Failure, fail, isRetryable, lasts } from '../failures/failure';
import type { BookedSlot, Booking } from '../limit/gate';
import type { Stop } from '../limit/limit';
import { type Product, productKey } from '../product/asin';
import { type Answer, unanswered } from '../product/fields';
import { failureOfStop, type Interpretation } from '../service/response';
import { call, type Engine, sleepUntil } from './engine';

/**
 * What may be asked and which answers are good enough. Everything left out is as for a single cell.
 */
export interface Policy extends GoodEnough {
  /**
   * How far ahead a slot may be booked, apart from a single wave, in ms. Doors that send wave after
   * wave set it, because a cell has to wait behind everything they hold in advance. Left out: up to
   * the last slot.
   */
  readonly horizonMs?: number;
  /** The most calls that may be made, including retries. After the last one, asking ends. */
  readonly callsMax?: number;
  /**
   * Whether products that could not be asked in time go on the waiting list, for a door that has
   * more time.
   */
  readonly listsWaiting?: boolean;
}

/**
 * Callbacks for a door that has to follow the work or decide about it. Any of them may throw to end
 * it.
 */
export interface Hooks {
  /** Receives answers that already existed, by product key. */
  readonly onFound?: (answers: ReadonlyMap<string, Answer>) => void;
  /** Receives answers as they arrive. */
  readonly onAnswers?: (answers: ReadonlyMap<string, Answer>) => void;
  /**
   * Stores the service's answers where other executions find them. Left out: in the cache, at once.
   */
  readonly keep?: (answers: ReadonlyMap<string, Answer>) => void;
  /** Receives the number of calls that are about to be sent. */
  readonly onCalls?: (count: number) => void;
  /**
   * Called between any two steps: returns products that were added since, without repeating any.
   */
  readonly more?: () => readonly Product[];
  /** Called before each booking. */
  readonly betweenWaves?: () => void;
  /**
   * Receives the time at which the call is due whose slot was booked or refused; null if unknown.
   */
  readonly onBooked?: (dueMs: number | null, isBooked: boolean) => void;
  /**
   * Called if the key works but has no slot within the door's time; whether to wait for one. Left
   * out or false: asking ends.
   */
  readonly waitsBeyond?: (booking: Booking) => boolean;
  /** Called about once a second during every wait, with the end of the wait. */
  readonly asleep?: (untilMs: number) => void;
  /**
   * The time of the last slot, for doors where it may change. It is never later than the engine's
   * own limit.
   */
  readonly bookUntilMs?: () => number;
}

export interface PendingRequest {
  readonly product: Product;
  /** The number of this try; earlier tries failed temporarily. */
  readonly attempt: number;
  readonly readyAtMs: number;
  /** The largest wave that this request may be part of; reduced after a wave was lost. */
  readonly waveMax: number;
  /** The latest failure, which becomes the answer if time runs out. */
  readonly last?: Failure;
  /** When the service first answered so that the product may be unknown, or the service down. */
  readonly doubtedMs?: number;
}

/** The most tries of a call that fails temporarily. */
const ATTEMPTS_MAX = 3;

/**
 * The wait before the first retry, doubled for the next and multiplied by a random factor from one
 * to two.
 */
const RETRY_BASE_MS = 500;

export function pendingRequest(product: Product): PendingRequest {
  return { product, attempt: 1, readyAtMs: 0, waveMax: Number.POSITIVE_INFINITY };
}

/** The requests that can be sent together now, in one wave of at most `waveSize` calls. */
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
 * The request for another try, not before the time that the failure names; undefined if no try is
 * left. A throttled request may be tried any number of times: the gate decides when it goes, and
 * the door's deadline ends it.
 *
 * @param chance a random number from 0 to 1, so that requests that failed together do not return
 * together.
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

/**
 * Halves the size of waves after one was lost, again and again, until the request that broke it is
 * found.
 */
export function halved(request: PendingRequest, waveLength: number): PendingRequest {
  return { ...request, waveMax: Math.max(1, Math.floor(waveLength / 2)) };
}

/** The longest time that a waiting execution lets pass before it looks at what others have done. */
const LOOK_EACH_MS = 4_000;

/** No call is started with less time than this left: even a fast service would hardly answer. */
const CALL_MS_MIN = 1_000;

/** The usual time from a slot until its answer is in the cache. */
const ANSWER_MS = 550;

/**
 * How often the answers of other executions are looked for once they are due, and after how many
 * looks their claims are tested.
 */
const POLL_MS = 400;
const POLLS_PER_CLAIM_CHECK = 7;

/** The state of one `ask`. */
interface Batch {
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
  lookAtMs: number;
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
  /** How many calls may still be made. */
  callsLeft: number;
  /** What is claimed for waves that were booked and not sent. */
  readonly unsent: Set<string>;
  /** When it began, and none of the products was in the cache, ms since 1970. */
  readonly beganMs: number;
}

/** The time of the last possible slot. */
const bookUntilMs = ({ engine: { limits }, hooks }: Batch): number =>
  Math.min(limits.bookUntilMs, hooks.bookUntilMs?.() ?? limits.bookUntilMs);

function wait(batch: Batch, atMs: number, lastMs = bookUntilMs(batch) + 1): void {
  sleepUntil(batch.engine, atMs, lastMs, batch.hooks.asleep);
}

/** A product's claims are separate for each refresh text, because the answers are separate, too. */
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

/** Moves requests with these claim names to those that another execution handles. */
function leaveToOthers(batch: Batch, names: readonly string[]): void {
  const taken = namedIn(batch, batch.open, names);
  batch.foreign = [...batch.foreign, ...taken];
  batch.open = batch.open.filter((request) => !taken.includes(request));
}

/**
 * How long the claims of others name everything that was asked since this execution began, ms. Later
 * only the cache knows it. A cell's claim lasts 14 s, of which an answer rarely takes more than four.
 */
const CLAIMED_MS = 10_000;

/** Takes the answers that others have got for these requests. */
function findAnswers(
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

/** How long after the last slot the answers of others are still looked for. */
const LAST_LOOKS_MS = 2_500;

/** The time of the last look for the answers of others. */
function lastLookMs(batch: Batch): number {
  return Math.min(batch.engine.limits.endMs - CALL_MS_MIN, bookUntilMs(batch) + LAST_LOOKS_MS);
}

/**
 * The first answer from others follows its slot at `slotMs`, so there is no need to look much
 * earlier.
 */
function expectOthers(batch: Batch, slotMs: number): void {
  batch.dueMs = slotMs + ANSWER_MS;
  batch.lookAtMs = nextLookMs(batch, 0);
}

/**
 * The next look comes after a few seconds even if the answer is due later, because the other
 * execution may have been refused.
 */
function nextLookMs(batch: Batch, restMs: number): number {
  const nowMs = batch.engine.platform.clock.nowMs();
  const dueInMs = Math.min(batch.dueMs - nowMs, LOOK_EACH_MS);
  return Math.min(nowMs + Math.max(restMs, dueInMs), lastLookMs(batch));
}

/** Looks for the answers of others. Every few looks it tries to claim their requests for itself. */
function lookForOthers(batch: Batch): void {
  const nowMs = batch.engine.platform.clock.nowMs();
  const found = findAnswers(batch, batch.foreign);
  batch.foreign = batch.foreign.filter((request) => !found.has(productKey(request.product)));
  batch.polls += 1;
  batch.lookAtMs = nextLookMs(batch, POLL_MS);
  const { gate } = batch.engine;
  // A refusal is not cached as an answer, so others may have met one before their answers are due.
  const isStopped = nowMs < batch.dueMs && gate.stopped() !== undefined;
  const isTurn = isStopped || batch.polls % POLLS_PER_CLAIM_CHECK === 0;
  if (!isTurn || nowMs > bookUntilMs(batch)) return;
  batch.open = [...batch.open, ...batch.foreign];
  batch.foreign = [];
}

/**
 * A slot that is reached later than this is dropped, because late calls would crowd those that are
 * booked after it.
 */
const LATE_MS = 200;

/**
 * An execution without a slot stays for a while before it fails: a cell that takes its place would
 * only fail sooner.
 */
const HOLD_MS = 3_000;
const HOLD_JITTER_MS = 2_000;

/**
 * With a longer wait ahead, another execution may be refused meanwhile, so the gate is looked at
 * every few seconds and once at the end.
 */
const LONG_WAIT_MS = 500;

/**
 * The least time to allow for a look into the cache; later twice what the looks so far have taken.
 */
const LOOK_MS = 150;

/** With nothing else to do, retries that the service postpones by more than this are given up. */
const RETRY_WAIT_MS = 10_000;

/**
 * Once the service counts as down, no execution sends for the time that it names, within these
 * bounds, because the failed products may merely be unusual. Without a time, for the shortest first.
 */
const DOWN_MS_MIN = 10_000;
const DOWN_MS_MAX = 300_000;
/**
 * The most time spent waiting for a service that is down, so that other work and later times get
 * their turn.
 */
const DOWN_WAIT_MS = 60_000;

/**
 * A key without a slot in the door's time may be given another limit meanwhile, so it is looked at
 * this often.
 */
const REST_LOOK_MS = 15_000;

/**
 * Gets an answer for every product. The products are distinct and not in the cache. It ends by the
 * engine's limits, with `waiting` failures for what was not asked in time.
 *
 * @param answers receives them by product key as they arrive, so that none is lost if a hook ends
 * the work.
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
    engine,
    policy,
    hooks,
    answers,
    open: products.map(pendingRequest),
    foreign: [],
    dueMs: 0,
    lookAtMs: 0,
    polls: 0,
    setbacks: engine.cache.setbacks(),
    hasNewSetbacks: false,
    doubted: [],
    answeredMs: 0,
    waitedMs: 0,
    callsLeft,
    unsent: new Set(),
    beganMs: engine.platform.clock.nowMs(),
  };
  try {
    askAll(batch);
  } finally {
    // Whoever asks for them next would wait for an answer that never comes.
    if (batch.unsent.size > 0) engine.gate.release([...batch.unsent]);
  }
}

function askAll(batch: Batch): void {
  for (;;) {
    batch.open = [...batch.open, ...(batch.hooks.more?.() ?? []).map(pendingRequest)];
    if (batch.open.length === 0 && batch.foreign.length === 0) {
      if (batch.doubted.length === 0) return;
      // Nothing came after them that would say more.
      keep(batch, believed(batch));
    } else step(batch);
  }
}

/** The doubted products, which are unknown after all. */
function believed(batch: Batch): ReadonlyMap<string, Answer> {
  const answers = batch.doubted.map(
    ({ product }) => [productKey(product), unanswered(fail({ kind: 'not-found' }))] as const,
  );
  batch.doubted = [];
  return new Map(answers);
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
  if (nowMs > batch.beganMs + CLAIMED_MS) {
    const found = findAnswers(batch, wave);
    batch.open = batch.open.filter(({ product }) => !found.has(productKey(product)));
    if (found.size > 0) return;
  }
  const booking = bookingFor(batch, wave);
  if (booking.kind === 'stopped') {
    failAll(batch, failureOfStop(booking.stop, platform.clock.nowMs()));
    return;
  }
  if (booking.kind !== 'busy') leaveToOthers(batch, booking.others);
  if (booking.kind === 'busy' || booking.kind === 'late') hold(batch, booking);
  else if (booking.kind === 'early') rest(batch, booking.askAtMs);
  else if (booking.kind === 'claimed') expectOthers(batch, booking.atMs);
  else send(batch, namedIn(batch, wave, booking.mine), booking);
}

/**
 * Books a slot for the wave. If there is none in the door's time, it waits as long as the door
 * wants.
 */
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

/** The key has no slot within the door's time, so booking again at once gives the same result. */
const isBeyond = (booking: Booking): boolean =>
  booking.kind === 'late' || (booking.kind === 'stopped' && booking.stop.reason === 'throttled');

/**
 * After the last slot or call nothing is sent any more. Answers from others may still arrive until
 * the very end.
 */
function giveUp(batch: Batch, nowMs: number): void {
  for (const request of batch.open)
    settle(batch, request, request.last ?? fail({ kind: 'waiting' }));
  batch.open = [];
  if (nowMs >= lastLookMs(batch)) failAll(batch, fail({ kind: 'waiting' }));
}

/**
 * Nothing can be sent now: waits until a retry is due or others may have answered, whichever comes
 * first.
 */
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

/** Others hold all slots within the horizon: waits until the horizon reaches the next free one. */
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

/** Waits for the slot and returns whether it may still be used. */
function waitForSlot(batch: Batch, slot: BookedSlot): boolean {
  const { atMs } = slot;
  const { gate, limits, platform } = batch.engine;
  const { clock } = platform;
  // Where refusals are to be expected, those of other executions matter before each wave.
  const longWaitMs = gate.isGuessing ? LOOK_MS : LONG_WAIT_MS;
  while (atMs - clock.nowMs() > longWaitMs) {
    const lookMs = Math.max(LOOK_MS, 2 * gate.lookMs());
    wait(batch, Math.min(clock.nowMs() + LOOK_EACH_MS, atMs - lookMs), limits.endMs);
    if (!gate.isOpen(slot)) return false;
  }
  // A slot is never later than the last possible one, and nothing is sent before its time.
  wait(batch, atMs, limits.endMs);
  return true;
}

function send(batch: Batch, wave: readonly PendingRequest[], slot: BookedSlot): void {
  const { limits, platform } = batch.engine;
  const { clock } = platform;
  for (const name of slot.mine) batch.unsent.add(name);
  if (!waitForSlot(batch, slot)) return;
  const nowMs = clock.nowMs();
  if (nowMs > slot.atMs + LATE_MS) return;
  const timeoutMs = Math.min(limits.callTimeoutMs, limits.endMs - nowMs);
  if (timeoutMs < CALL_MS_MIN) {
    failAll(batch, fail({ kind: 'waiting' }));
    return;
  }
  batch.callsLeft -= wave.length;
  batch.hooks.onCalls?.(wave.length);
  for (const name of slot.mine) batch.unsent.delete(name);
  const products = wave.map(({ product }) => product);
  const exchanges = call(batch.engine, products, timeoutMs);
  batch.open = batch.open.filter((request) => !wave.includes(request));
  take(
    batch,
    wave,
    exchanges.map(({ read }) => read),
  );
}

/** Makes answers final and stores them where others find them. */
function keep(batch: Batch, kept: ReadonlyMap<string, Answer>): void {
  const { cache, platform } = batch.engine;
  const { hooks, policy } = batch;
  for (const [key, answer] of kept) batch.answers.set(key, answer);
  const news = batch.hasNewSetbacks ? batch.setbacks : undefined;
  if (hooks.keep) hooks.keep(kept);
  else cache.keep(kept, policy, platform.clock.nowMs(), news);
  if (kept.size > 0) batch.hasNewSetbacks = false;
  hooks.onAnswers?.(kept);
}

/** Applies the results of a wave to the batch, the cache and the gate. */
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
  if (read.some(isProper)) for (const [key, one] of believed(batch)) kept.set(key, one);
  read.forEach((one, i) => {
    const request = wave[i];
    if (request === undefined) return;
    const next = nextTry(request, one, wave.length, nowMs, platform.random.next());
    // Only the gate knows when calls resume, which the failure has to say.
    if (isGoogleLimit(one)) again.push(request);
    else if (down !== undefined && isSetback(batch, request, one))
      again.push({ ...request, doubtedMs: request.doubtedMs ?? nowMs });
    else if (one.kind === 'answer' && isSetback(batch, request, one))
      batch.doubted = [...batch.doubted, request];
    else if (next !== undefined && !isTooLate(next, bookUntilMs(batch))) again.push(next);
    else if (one.kind === 'answer') kept.set(productKey(request.product), one.answer);
    else if (one.kind !== 'split') kept.set(productKey(request.product), unanswered(one.failure));
  });
  keep(batch, kept);
  const stop = down ?? longestStop(read);
  const names = wave.map(claimNameIn(batch));
  const refused = read.filter((one) => one.kind === 'again' && one.stop !== undefined).length;
  const told = stop && gate.stop(stop, names, refused);
  if (down !== undefined) {
    askAnew(batch, again, nowMs);
    const end = told ?? down;
    batch.waitedMs += end.untilMs - nowMs;
    if (batch.waitedMs > DOWN_WAIT_MS) failAll(batch, failureOfStop(end, nowMs));
    return;
  }
  batch.open = [...again.map((request) => untilToldEnd(request, told, nowMs)), ...batch.open];
  const end = read.find((one) => one.kind === 'end');
  if (end === undefined) return;
  failAll(batch, told && isGoogleLimit(end) ? failureOfStop(told, nowMs) : end.failure);
}

/** The gate may have made a pause longer than the service wants it. */
function untilToldEnd(request: PendingRequest, told: Stop | undefined, nowMs: number) {
  if (told === undefined || request.last?.kind !== 'waiting') return request;
  return { ...request, last: fail({ kind: 'waiting', waitMs: Math.max(0, told.untilMs - nowMs) }) };
}

/** A product is believed to be unknown if the service has said so for this long, ms. */
const DOUBT_MS_MAX = 600_000;

/** An analysis, or what is certainly about the product. */
const isProper = (read: Interpretation): boolean =>
  read.kind === 'answer' &&
  (read.answer.ok || (read.heldAfter === undefined && lasts(read.answer.failure.kind)));

/**
 * Whether a reply may mean that the service is down. That a product is unknown does not, if the
 * service has answered properly since it first said so, or says nothing else for a long time.
 */
function isSetback(batch: Batch, { doubtedMs }: PendingRequest, read: Interpretation): boolean {
  if (!('heldAfter' in read)) return false;
  if (read.kind === 'again') return true;
  const nowMs = batch.engine.platform.clock.nowMs();
  const { keys, sinceMs } = batch.setbacks;
  if (keys.length > 0 && nowMs - sinceMs > DOUBT_MS_MAX) return false;
  return batch.answeredMs < (doubtedMs ?? nowMs);
}

/**
 * A stop for every execution if the service has no proper answer whatever it is asked. One product,
 * or a few, may be the reason themselves.
 */
function downOf(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
  nowMs: number,
): Stop | undefined {
  if (read.some(isProper)) {
    batch.hasNewSetbacks ||= batch.setbacks.keys.length > 0;
    batch.setbacks = NO_SETBACKS;
    batch.waitedMs = 0;
    batch.answeredMs = nowMs;
    return undefined;
  }
  const back = wave.flatMap((request, i) => {
    const one = read[i];
    if (one === undefined || !isSetback(batch, request, one)) return [];
    return [{ key: productKey(request.product), one }];
  });
  // What ends everything is more than a hold-up.
  if (back.length === 0 || read.some((one) => one.kind === 'end')) return undefined;
  const { keys, sinceMs } = batch.setbacks;
  const all = [...new Set([...keys, ...back.map(({ key }) => key)])];
  batch.setbacks = { sinceMs: keys.length > 0 ? sinceMs : nowMs, keys: all };
  batch.hasNewSetbacks = true;
  const isDown = (one: Interpretation) => 'heldAfter' in one && all.length >= (one.heldAfter ?? 0);
  const stops = back.flatMap(({ one }) => (isDown(one) ? stopOf(one, nowMs) : []));
  return longest(stops);
}

function stopOf(read: Interpretation, nowMs: number): Stop {
  const failure = read.kind === 'again' ? read.failure : undefined;
  const namedMs = failure && 'waitMs' in failure ? failure.waitMs : undefined;
  const status = failure && 'status' in failure ? failure.status : undefined;
  const untilMs = nowMs + Math.max(DOWN_MS_MIN, Math.min(namedMs ?? 0, DOWN_MS_MAX));
  return {
    reason: 'throttled',
    untilMs,
    status: status ?? UNKNOWN_STATUS,
    ...(namedMs === undefined && { grows: true }),
  };
}

/** The status of products that may be unknown. */
const UNKNOWN_STATUS = 404;

/**
 * The service was down when it said that products are unknown: they are asked again, after those
 * that nobody has asked yet. What it said to other executions is forgotten.
 */
function askAnew(batch: Batch, wave: readonly PendingRequest[], nowMs: number): void {
  const doubted = batch.doubted.map((request) => ({ ...request, doubtedMs: nowMs }));
  const own = [...doubted, ...wave].map(({ product }) => productKey(product));
  const others = batch.setbacks.keys.filter((key) => !own.includes(key));
  batch.engine.cache.setBack(batch.setbacks, others, nowMs);
  batch.hasNewSetbacks = false;
  batch.open = [...batch.open, ...doubted, ...wave];
  batch.doubted = [];
}

function isGoogleLimit(read: Interpretation): boolean {
  return read.kind === 'end' && read.stop?.reason === 'google-limit';
}

/** The service named a time after the end of this door's time. */
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
