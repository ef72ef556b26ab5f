// Asks the service for products: waves through the gate, retries, and waiting for what others already ask.

import type { Booking } from '../quota/gate';
import type { Stop } from '../quota/rate';
import { type Answer, type Freshness, unanswered } from './answer';
import { call } from './call';
import { type Engine, sleepUntil } from './engine';
import { type Errand, halved, nextWave, retried } from './errand';
import { fail } from './failure';
import { failureOfStop, type Interpretation } from './interpret';
import { type Product, productKey } from './product';
import {
  CALL_MS_MIN,
  claimNameIn,
  expectOthers,
  failAll,
  LOOK_EACH_MS,
  lastLookMs,
  leaveToOthers,
  lookForOthers,
  namedIn,
  newRound,
  type Round,
  settle,
} from './round';

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
