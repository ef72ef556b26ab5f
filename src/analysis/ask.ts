// Asks the service for products: waves through the gate, retries, and waiting for what others already ask.

import type { Booking } from '../quota/gate';
import type { Stop } from '../quota/rate';
import { type Answer, type Freshness, unanswered } from './answer';
import { call } from './call';
import type { Engine } from './engine';
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
  if (round.open.length === 0 && round.foreign.length === 0) return;
  const { clock } = round.engine.platform;
  const lookAtMs = round.foreign.length > 0 ? round.lookAtMs : Number.POSITIVE_INFINITY;
  const untilMs = Math.min(lookAtMs, ...round.open.map((errand) => errand.readyAtMs));
  clock.sleep(Math.max(1, untilMs - clock.nowMs()));
  if (clock.nowMs() >= lookAtMs) lookForOthers(round);
}

/** Others have the slots within the horizon: ask again when it reaches the next free one. */
function rest({ engine: { limits, platform } }: Round, askAtMs: number): void {
  const { clock } = platform;
  const untilMs = Math.min(askAtMs, limits.bookUntilMs) - clock.nowMs();
  clock.sleep(Math.max(1, Math.min(untilMs, LOOK_EACH_MS)));
}

function hold(round: Round, booking: Extract<Booking, { kind: 'late' | 'busy' }>): void {
  const { limits, platform } = round.engine;
  const { clock, random } = platform;
  const nowMs = clock.nowMs();
  const holdMs = HOLD_MS + random.next() * HOLD_JITTER_MS;
  const leftMs = Math.max(0, limits.bookUntilMs - nowMs);
  clock.sleep(Math.min(holdMs, leftMs));
  if (holdMs < leftMs) return;
  const waitMs = booking.kind === 'late' ? { waitMs: booking.atMs - nowMs } : {};
  for (const errand of round.open)
    settle(round, errand, errand.last ?? fail({ kind: 'waiting', ...waitMs }));
  round.open = [];
}

/** Waits for a slot; false if nobody may call any more when it comes. */
function isOpenAt(round: Round, atMs: number, waveLength: number): boolean {
  const { gate, platform } = round.engine;
  const { clock } = platform;
  const usualMs = waveLength > 1 ? LONG_WAIT_OF_WAVE_MS : LONG_WAIT_MS;
  // Where the rate is found out by refusals, those of others are worth a look before each wave.
  const longWaitMs = gate.isGuessing() ? LOOK_MS : usualMs;
  while (atMs - clock.nowMs() > longWaitMs) {
    clock.sleep(Math.min(LOOK_EACH_MS, atMs - clock.nowMs() - LOOK_MS));
    if (gate.stopped() !== undefined) return false;
  }
  clock.sleep(Math.max(0, atMs - clock.nowMs()));
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

/** Works what came back for a wave into the round, the cache and the gate. */
function take(round: Round, wave: readonly Errand[], read: readonly Interpretation[]): void {
  const { cache, gate, platform } = round.engine;
  const nowMs = platform.clock.nowMs();
  const kept = new Map<string, Answer>();
  const again: Errand[] = [];
  read.forEach((one, i) => {
    const errand = wave[i];
    if (errand === undefined) return;
    const next = nextTry(errand, one, wave.length, nowMs, platform.random.next());
    if (next !== undefined) again.push(next);
    // Only the gate knows when calls go on, which is part of the failure.
    else if (isGoogleLimit(one)) again.push(errand);
    else if (one.kind === 'answer') kept.set(productKey(errand.product), one.answer);
    else if (one.kind !== 'split') kept.set(productKey(errand.product), unanswered(one.failure));
  });
  for (const [key, answer] of kept) round.answers.set(key, answer);
  cache.keep(kept, round.wish, nowMs);
  const stop = longestStop(read);
  const names = wave.map(claimNameIn(round));
  const refused = read.filter((one) => one.kind === 'again' && one.stop !== undefined).length;
  const told = stop && gate.stop(stop, names, refused);
  round.open = [...again, ...round.open];
  const end = read.find((one) => one.kind === 'end');
  if (end === undefined) return;
  failAll(round, told && isGoogleLimit(end) ? failureOfStop(told, nowMs) : end.failure);
}

function isGoogleLimit(read: Interpretation): boolean {
  return read.kind === 'end' && read.stop?.reason === 'google-limit';
}

function nextTry(
  errand: Errand,
  read: Interpretation,
  waveLength: number,
  nowMs: number,
  chance: number,
): Errand | undefined {
  if (read.kind === 'split') return halved(errand, waveLength);
  if (read.kind !== 'again') return undefined;
  const next = retried(errand, read.failure, nowMs, chance);
  const notBeforeMs = nowMs + (read.waitMs ?? 0);
  return next && { ...next, readyAtMs: Math.max(next.readyAtMs, notBeforeMs) };
}

function longestStop(read: readonly Interpretation[]): Stop | undefined {
  const stops = read.map((one) => ('stop' in one ? one.stop : undefined));
  return stops.reduce(
    (longest, stop) =>
      stop !== undefined && stop.untilMs > (longest?.untilMs ?? 0) ? stop : longest,
    undefined,
  );
}
