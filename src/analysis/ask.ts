// Asks the service for products: waves through the gate, retries, and waiting for what others already ask.

import type { Booking } from '../quota/gate';
import type { Stop } from '../quota/rate';
import { type Answer, type Freshness, unanswered } from './answer';
import { call } from './call';
import type { Engine } from './engine';
import { type Errand, halved, newErrand, nextWave, retried } from './errand';
import { type Failure, fail } from './failure';
import { failureOfStop, type Interpretation } from './interpret';
import { type Product, productKey } from './product';

/** A slot reached later than this is dropped: late calls would crowd those booked after them. */
const LATE_MS = 200;

/** What others ask is looked for in the cache this often, and their claims this many looks apart. */
const POLL_MS = 700;
const POLLS_PER_CLAIM_CHECK = 4;

/** Without a slot an execution keeps its place for a while: the next one would only fail sooner. */
const HOLD_MS = 3_000;
const HOLD_JITTER_MS = 2_000;

/** Before a slot further away than this somebody else may be refused: look so often, and at last. */
const LONG_WAIT_MS = 2_000;
/** Whoever sends wave after wave hears refusals from its own, and waits no longer than for one. */
const LONG_WAIT_OF_WAVE_MS = 5_000;
const LOOK_EACH_MS = 4_000;

/** A look into the cache takes about so long. */
const LOOK_MS = 150;

/** Not worth starting a call for: even a fast service would hardly answer in it. */
const CALL_MS_MIN = 1_000;

/** What one `ask` knows at the moment. */
interface Round {
  readonly engine: Engine;
  readonly wish: Freshness;
  readonly answers: Map<string, Answer>;
  open: readonly Errand[];
  /** Errands somebody else is on: their answers appear in the cache, or their claims end. */
  foreign: readonly Errand[];
  polls: number;
}

/**
 * The answer for every product, by product key; the products are distinct and not in the cache.
 * Ends by the engine's limits, with `waiting` failures for what was not asked in time.
 */
export function ask(
  engine: Engine,
  products: readonly Product[],
  wish: Freshness,
): ReadonlyMap<string, Answer> {
  const open = products.map(newErrand);
  const round: Round = { engine, wish, answers: new Map(), open, foreign: [], polls: 0 };
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
  const name = (errand: Errand) => claimName(errand, round.wish);
  const booking = gate.book(wave.map(name), limits.bookUntilMs);
  if (booking.kind === 'stopped') {
    failAll(round, failureOfStop(booking.stop, platform.clock.nowMs()));
    return;
  }
  if (booking.kind === 'go' || booking.kind === 'late' || booking.kind === 'claimed')
    leaveToOthers(round, (errand) => booking.others.includes(name(errand)));
  if (booking.kind === 'busy' || booking.kind === 'late') hold(round, booking);
  else if (booking.kind === 'claimed') collectForeign(round);
  else {
    const mine = wave.filter((errand) => booking.mine.includes(name(errand)));
    send(round, mine, booking.atMs);
  }
}

function leaveToOthers(round: Round, isTaken: (errand: Errand) => boolean): void {
  round.foreign = [...round.foreign, ...round.open.filter(isTaken)];
  round.open = round.open.filter((errand) => !isTaken(errand));
}

/** Answers asked under another refresh text are other answers, so they have other claims. */
function claimName({ product }: Errand, wish: Freshness): string {
  return wish.tag === undefined ? productKey(product) : `${productKey(product)}#${wish.tag}`;
}

function settle(round: Round, errand: Errand, failure: Failure): void {
  round.answers.set(productKey(errand.product), unanswered(failure));
}

function failAll(round: Round, failure: Failure): void {
  for (const errand of [...round.open, ...round.foreign]) settle(round, errand, failure);
  round.open = [];
  round.foreign = [];
}

/** Past the last slot nothing is sent any more; what others ask may still arrive until the end. */
function giveUp(round: Round, nowMs: number): void {
  for (const errand of round.open) settle(round, errand, errand.last ?? fail({ kind: 'waiting' }));
  round.open = [];
  if (nowMs > round.engine.limits.endMs - CALL_MS_MIN) failAll(round, fail({ kind: 'waiting' }));
}

/** Nothing can be sent now: wait for a retry's time or for others, whichever comes first. */
function idle(round: Round): void {
  if (round.open.length === 0 && round.foreign.length === 0) return;
  const { clock } = round.engine.platform;
  const readyMs = Math.min(...round.open.map((errand) => errand.readyAtMs)) - clock.nowMs();
  clock.sleep(Math.max(1, round.foreign.length > 0 ? Math.min(POLL_MS, readyMs) : readyMs));
  if (round.foreign.length > 0) collectForeign(round);
}

function collectForeign(round: Round): void {
  const keys = round.foreign.map((errand) => productKey(errand.product));
  const nowMs = round.engine.platform.clock.nowMs();
  const found = round.engine.cache.find(keys, round.wish, nowMs);
  for (const [key, answer] of found) round.answers.set(key, answer);
  round.foreign = round.foreign.filter((errand) => !found.has(productKey(errand.product)));
  round.polls += 1;
  if (round.polls % POLLS_PER_CLAIM_CHECK > 0 || nowMs > round.engine.limits.bookUntilMs) return;
  round.open = [...round.open, ...round.foreign];
  round.foreign = [];
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

function send(round: Round, wave: readonly Errand[], atMs: number): void {
  const { gate, limits, platform } = round.engine;
  const { clock } = platform;
  const longWaitMs = wave.length > 1 ? LONG_WAIT_OF_WAVE_MS : LONG_WAIT_MS;
  while (atMs - clock.nowMs() > longWaitMs) {
    clock.sleep(Math.min(LOOK_EACH_MS, atMs - clock.nowMs() - LOOK_MS));
    if (gate.stopped() !== undefined) return;
  }
  clock.sleep(Math.max(0, atMs - clock.nowMs()));
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
    else if (one.kind === 'answer') kept.set(productKey(errand.product), one.answer);
    else if (one.kind !== 'split') kept.set(productKey(errand.product), unanswered(one.failure));
  });
  for (const [key, answer] of kept) round.answers.set(key, answer);
  cache.keep(kept, round.wish, nowMs);
  const stop = longestStop(read);
  const names = wave.map((errand) => claimName(errand, round.wish));
  const refused = read.filter((one) => one.kind === 'again' && one.stop !== undefined).length;
  if (stop !== undefined) gate.stop(stop, names, refused);
  round.open = [...again, ...round.open];
  const end = read.find((one) => one.kind === 'end');
  if (end !== undefined) failAll(round, end.failure);
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
