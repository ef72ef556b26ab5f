// Asks the service for products in waves within the quota, with retries, claims of other
// executions, and an end in time.

import { type Failure, fail } from '../failures/failure';
import type { BookedSlot, Booking } from '../limit/gate';
import type { Stop } from '../limit/stop';
import { type Product, productKey } from '../product/asin';
import { type Answer, unanswered } from '../product/fields';
import { failureOfStop, type Interpretation } from '../service/response';
import {
  type Ended,
  endHeld,
  endRow,
  holdBack,
  noteRow,
  restAlike,
  takeHeld,
  waveRoom,
} from './alike';
import {
  type Batch,
  bookUntilMs,
  CALL_MS_MIN,
  claimNameIn,
  endWith,
  failAll,
  failOpen,
  findAnswers,
  keep,
  lastPollMs,
  leaveUnasked,
  namedIn,
  newBatch,
  store,
  wait,
} from './batch';
import { call, type Exchanges } from './call';
import type { Engine } from './engine';
import { expectOthers, leaveToOthers, POLL_EACH_MS_MAX, pollOthers } from './others';
import {
  askAnew,
  believed,
  DOWN_WAIT_MS,
  downOf,
  isProper,
  isSetback,
  longest,
  ofProduct,
  stopAfterRefusal,
} from './outage';
import {
  isSilence,
  lostWithWave,
  nextWave,
  type PendingRequest,
  refusedBeside,
  retried,
} from './pending-request';
import type { Hooks, Policy } from './policy';

/**
 * How long the claims of others name everything that was asked since this execution began, ms. Later
 * only the cache knows it. A cell's claim lasts 14 s, of which an answer rarely takes more than four.
 */
const CLAIMED_MS = 10_000;

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
 * The least time to allow for a reading of the cache; later twice what the readings so far have taken.
 */
const CACHE_READ_MS = 150;

/** What was stored is settled in this time, in readings of the gate: two cache calls, and some room. */
const SETTLE_READS = 3;

/** With nothing else to do, retries that the service postpones by more than this are given up. */
const RETRY_WAIT_MS = 10_000;

/**
 * A key without a slot in the door's time may be given another limit meanwhile, so it is looked at
 * this often.
 */
const REST_POLL_MS = 15_000;

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
  const batch = newBatch(engine, products, policy, hooks, answers);
  try {
    askAll(batch);
  } finally {
    settle(batch);
    // Whoever asks for them next would wait for an answer that never comes.
    if (batch.unsent.size > 0) engine.gate.release([...batch.unsent]);
  }
}

function askAll(batch: Batch): void {
  takeHeld(batch);
  for (;;) {
    while (batch.open.length > 0 || batch.foreign.length > 0) step(batch);
    settle(batch);
    if (batch.doubted.length === 0) break;
    // Nothing came after them that would say more.
    keep(batch, believed(batch));
  }
  endHeld(batch);
}

/** One wave, from choosing its products to what its replies change, or one wait. */
function step(batch: Batch): void {
  const { gate, platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  // Also after the last slot: what fails as time ends has had no further try.
  if (restAlike(batch, nowMs)) return;
  if (nowMs > bookUntilMs(batch)) leaveUnasked(batch, fail({ kind: 'waiting' }));
  if (nowMs > bookUntilMs(batch) || batch.callsLeft <= 0) giveUp(batch, nowMs);
  const size = Math.min(gate.waveMax, waveRoom(batch), batch.callsLeft);
  const wave = nextWave(inTurn(batch), size, nowMs, batch.isSilent);
  if (wave.length === 0) {
    settle(batch);
    idle(batch);
    return;
  }
  if (isAnsweredMeanwhile(batch, wave, nowMs)) return;
  const booking = bookingFor(batch, wave);
  if (booking.kind === 'stopped') {
    failAll(batch, failureOfStop(booking.stop, platform.clock.nowMs()));
    return;
  }
  leaveToOthers(batch, booking.others);
  if (booking.kind === 'go') {
    send(batch, namedIn(batch, wave, booking.mine), booking);
    return;
  }
  settle(batch);
  if (booking.others.length === wave.length) expectOthers(batch, booking.atMs);
  else if (booking.atMs > bookUntilMs(batch)) hold(batch, booking);
  else rest(batch, booking.atMs);
}

/** Brings what waves have brought to its place, and ends the row of others with it. */
function settle(batch: Batch): void {
  const { cache, platform } = batch.engine;
  if (cache.settle(platform.clock.nowMs())) endRow(batch);
}

/** While a service that is down is not told from a few odd products, those that nobody has asked come first. */
function inTurn({ open, setbacks }: Batch): readonly PendingRequest[] {
  return setbacks.keys.length === 0 ? open : [...open].sort((a, b) => a.attempt - b.attempt);
}

/** Whether others have asked for some of these products since this execution began. */
function isAnsweredMeanwhile(
  batch: Batch,
  wave: readonly PendingRequest[],
  nowMs: number,
): boolean {
  if (nowMs <= batch.beganMs + CLAIMED_MS) return false;
  const found = findAnswers(batch, wave);
  batch.open = batch.open.filter(({ product }) => !found.has(productKey(product)));
  return found.size > 0;
}

/**
 * Books a slot for the wave. If there is none in the door's time, it waits as long as the door
 * wants.
 */
function bookingFor(batch: Batch, wave: readonly PendingRequest[]): Booking {
  const { engine, hooks, policy } = batch;
  const { clock } = engine.platform;
  const names = wave.map(claimNameIn(batch));
  for (;;) {
    hooks.betweenWaves?.();
    const untilMs = bookUntilMs(batch);
    const booking = engine.gate.book(names, untilMs, policy.horizonMs);
    hooks.onBooked?.(booking.kind === 'stopped' ? booking.stop.untilMs : booking.atMs);
    const leftMs = untilMs - clock.nowMs();
    const mayWait = isBeyond(booking, untilMs) && leftMs > 0;
    if (!mayWait || hooks.waitsBeyond?.(booking) !== true) return booking;
    settle(batch);
    wait(batch, clock.nowMs() + Math.min(leftMs, REST_POLL_MS));
  }
}

/** The key has no slot within the door's time, so booking again at once gives the same result. */
const isBeyond = (booking: Booking, untilMs: number): boolean =>
  booking.kind === 'stopped'
    ? booking.stop.reason === 'throttled'
    : booking.kind === 'again' && booking.atMs > untilMs;

/**
 * After the last slot or call nothing is sent any more. Answers from others may still arrive until
 * the very end.
 */
function giveUp(batch: Batch, nowMs: number): void {
  failOpen(batch, fail({ kind: 'waiting' }));
  if (nowMs >= lastPollMs(batch)) failAll(batch, fail({ kind: 'waiting' }));
}

/**
 * Nothing can be sent now: waits until a retry is due or others may have answered, whichever comes
 * first.
 */
function idle(batch: Batch): void {
  const { engine, foreign, open } = batch;
  if (open.length === 0 && foreign.length === 0) return;
  const { clock } = engine.platform;
  const pollAtMs = foreign.length > 0 ? batch.pollAtMs : Number.POSITIVE_INFINITY;
  // What is ready and was not sent waits for a retry.
  const due = open.map(({ readyAtMs }) => readyAtMs).filter((atMs) => atMs > clock.nowMs());
  const untilMs = Math.min(pollAtMs, ...due);
  if (foreign.length === 0 && untilMs - clock.nowMs() > RETRY_WAIT_MS) {
    batch.open = [];
    const failed = ({ product, last = fail({ kind: 'waiting' }) }: PendingRequest) =>
      [productKey(product), unanswered(last)] as const;
    keep(batch, new Map(open.map(failed)));
    return;
  }
  wait(batch, Math.max(clock.nowMs() + 1, untilMs), lastPollMs(batch) + 1);
  if (clock.nowMs() >= pollAtMs) pollOthers(batch);
}

/** Others hold all slots within the horizon: waits until the horizon reaches the next free one. */
function rest(batch: Batch, untilMs: number): void {
  const nowMs = batch.engine.platform.clock.nowMs();
  wait(batch, Math.max(nowMs + 1, Math.min(untilMs, nowMs + POLL_EACH_MS_MAX)));
}

/** Waits a while, then fails what is open: the door's time has no slot left, or the lock was never free. */
function hold(batch: Batch, { atMs, isUntaken }: Extract<Booking, { kind: 'again' }>): void {
  const { platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  const holdMs = HOLD_MS + platform.random.next() * HOLD_JITTER_MS;
  wait(batch, nowMs + holdMs);
  if (nowMs + holdMs < bookUntilMs(batch)) return;
  failOpen(batch, fail({ kind: 'waiting', ...(!isUntaken && { waitMs: atMs - nowMs }) }));
}

/** Waits for the slot and returns whether it may still be used. */
function waitForSlot(batch: Batch, slot: BookedSlot): boolean {
  const { atMs } = slot;
  const { gate, limits, platform } = batch.engine;
  const { clock } = platform;
  // Where refusals are to be expected, other executions' refusals matter before each wave.
  const longWaitMs = gate.isGuessing ? CACHE_READ_MS : LONG_WAIT_MS;
  // What the next wave would otherwise wait for.
  if (atMs - clock.nowMs() >= SETTLE_READS * gate.readMs()) settle(batch);
  while (atMs - clock.nowMs() > longWaitMs) {
    const readMs = Math.max(CACHE_READ_MS, 2 * gate.readMs());
    wait(batch, Math.min(clock.nowMs() + POLL_EACH_MS_MAX, atMs - readMs), limits.endMs);
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
  const back = call(batch.engine, products, timeoutMs);
  batch.open = batch.open.filter((request) => !wave.includes(request));
  take(batch, wave, back);
}

/** Applies the results of a wave to the cache, the gate and the batch, in this order. */
function take(batch: Batch, wave: readonly PendingRequest[], back: Exchanges): void {
  const { gate, platform } = batch.engine;
  const nowMs = platform.clock.nowMs();
  const read = back.all.map(({ read: reading }, i) => {
    const request = wave[i];
    return request === undefined ? reading : ofProduct(batch, request, reading);
  });
  const outage = downOf(batch, wave, read, nowMs);
  const down = stopAfterRefusal(batch, wave, read) ?? outage;
  const { final, again } = sorted(batch, wave, read, down !== undefined, nowMs);
  wave.forEach(({ product }, i) => {
    if (isAnalysis(read[i])) batch.answered.add(product.market);
  });
  const ended = down === undefined ? endedIn(batch, wave, read) : [];
  const doubtful = holdBack(batch, final, ended);
  const isAnswer = read.some(isAnalysis);
  const isNews = !isAnswer || batch.hasNewSetbacks || batch.row.way !== '';
  // What is paid for is stored before anything else is done.
  if (!store(batch, final, back.tookMs) || isNews) settle(batch);
  if (!isAnswer) noteRow(batch, doubtful);
  noteSilence(batch, wave, read);
  gate.heard(isAnswer);
  if (back.signal !== undefined) gate.hear(back.signal);
  const stop = down ?? longestStop(read);
  const names = wave.map(claimNameIn(batch));
  const refused = read.filter(
    (reading) => reading.kind === 'again' && reading.stop !== undefined,
  ).length;
  const told = stop && gate.stop(stop, names, refused);
  if (down !== undefined) {
    askAnew(batch, again, nowMs);
    const end = told ?? down;
    batch.waitedMs += end.untilMs - nowMs;
    if (batch.waitedMs > DOWN_WAIT_MS) failAll(batch, failureOfStop(end, nowMs));
    return;
  }
  batch.open = [...again.map((request) => untilToldEnd(request, told, nowMs)), ...batch.open];
  const end = read.find((reading) => reading.kind === 'end');
  if (end === undefined) return;
  failAll(batch, told && isGoogleLimit(end) ? failureOfStop(told, nowMs) : end.failure);
}

/** Which products have their answer, and which are asked again. */
function sorted(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
  isDown: boolean,
  nowMs: number,
): { readonly final: Map<string, Answer>; readonly again: readonly PendingRequest[] } {
  const { random } = batch.engine.platform;
  const final = new Map(read.some(isProper) ? believed(batch) : []);
  const again: PendingRequest[] = [];
  read.forEach((reading, i) => {
    const request = wave[i];
    if (request === undefined) return;
    const next = nextTry(request, reading, nowMs, random.next());
    // Only the gate knows when calls resume, which the failure has to say.
    if (isGoogleLimit(reading)) again.push(request);
    else if (isDown && isSetback(batch, request, reading)) again.push(doubtedNow(request, nowMs));
    else if (reading.kind === 'answer' && isSetback(batch, request, reading))
      batch.doubted = [...batch.doubted, request];
    else if (next !== undefined && !isTooLate(next, bookUntilMs(batch)))
      again.push(isSetback(batch, request, reading) ? doubtedNow(next, nowMs) : next);
    else if (reading.kind === 'answer') final.set(productKey(request.product), reading.answer);
    else if (reading.kind === 'refused' && maySpeakOfAll(batch, request, read))
      endWith(batch, request, fail({ kind: 'waiting' }));
    else if (reading.kind === 'refused')
      final.set(productKey(request.product), unanswered(reading.rejected));
    else if (reading.kind !== 'lost')
      final.set(productKey(request.product), unanswered(reading.failure));
  });
  return { final, again };
}

/**
 * The key was refused for this product beside answers, and then alone, as where an outage begins with it.
 * Where the list has others, they show what it is: it is asked for with them.
 */
const maySpeakOfAll = (
  { beganMs, policy, products }: Batch,
  { doubtedMs = 0 }: PendingRequest,
  read: readonly Interpretation[],
): boolean => (policy.listLeft ?? 0) > products && doubtedMs >= beganMs && !read.some(isAnalysis);

const doubtedNow = (request: PendingRequest, nowMs: number): PendingRequest => {
  return { doubtedMs: nowMs, ...request };
};

const isAnalysis = (read: Interpretation | undefined): boolean =>
  read?.kind === 'answer' && read.answer.ok;

/** How products of a wave ended without an answer, or failed for a while, that is about no stop. */
function endedIn(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
): readonly Ended[] {
  return wave.flatMap((request, i) => {
    const reading = read[i];
    const failure = reading && failureIn(reading);
    if (reading === undefined || failure === undefined || reading.kind === 'end') return [];
    if (failure.kind === 'waiting' || failure.kind === 'google-busy') return [];
    return isSetback(batch, request, reading)
      ? []
      : [[productKey(request.product), failure] as const];
  });
}

/** Why a product alone got no word from the service. */
const silenceIn = (read: Interpretation): Failure | undefined => {
  const failure = failureIn(read);
  return failure && isSilence(failure) ? failure : undefined;
};

function failureIn(read: Interpretation): Failure | undefined {
  if (read.kind === 'answer') return read.answer.ok ? undefined : read.answer.failure;
  return read.kind === 'lost' ? undefined : read.failure;
}

/** Whatever execution asks for them next asks for each alone. */
function noteSilence(
  batch: Batch,
  wave: readonly PendingRequest[],
  read: readonly Interpretation[],
): void {
  const lost = wave.flatMap(({ product, silent = -1 }, i) => {
    const reading = read[i];
    const isLost = reading?.kind === 'lost' || (reading && silent >= 0 && silenceIn(reading));
    return isLost ? [[productKey(product), silent + 1] as const] : [];
  });
  batch.isSilent = lost.length === wave.length;
  if (lost.length > 0) batch.engine.cache.lose(Object.fromEntries(lost));
}

/** The gate may have made a pause longer than the service wants it. */
function untilToldEnd(request: PendingRequest, told: Stop | undefined, nowMs: number) {
  if (told === undefined || request.last?.kind !== 'waiting') return request;
  return { ...request, last: fail({ kind: 'waiting', waitMs: Math.max(0, told.untilMs - nowMs) }) };
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
  nowMs: number,
  chance: number,
): PendingRequest | undefined {
  if (read.kind === 'lost') return lostWithWave(request);
  if (read.kind === 'again') return retried(request, read.failure, nowMs, chance);
  if (read.kind === 'refused') return refusedBeside(request, nowMs, chance);
  const silence = request.silent === undefined ? undefined : silenceIn(read);
  return silence && retried(request, silence, nowMs, chance);
}

const longestStop = (read: readonly Interpretation[]) =>
  longest(read.flatMap((reading) => ('stop' in reading ? (reading.stop ?? []) : [])));
