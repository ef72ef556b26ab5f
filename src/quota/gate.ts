// The gate: makes every execution keep one key's quota, through one lock and one cache value.

import type { Cache, Clock, Lock, Random } from '../platform/ports';
import { freeOf, ownersOf, withClaims, withoutClaims } from './claims';
import { type GateState, parseGateState } from './gate-state';
import { beatNames } from './heartbeat';
import {
  describeLearned,
  firstLearned,
  type LearnedRate,
  type LearningEvent,
  learn,
  learnedPace,
} from './learning';
import { type Signal, toldBy } from './learning-told';
import {
  book,
  EXECUTIONS_MAX,
  idleState,
  lostState,
  type Pace,
  paceOf,
  type Quota,
  type Stop,
  stopped,
} from './rate';
import { beat, inTurn, joining, needsBeat, sharedPace } from './share';

/** The longest life the cache grants; a key idle for longer starts again like a lost state. */
const TTL_SECONDS = 21_600;

/** Who had bookings so recently is still known when the cache forgets. */
const MEMORY_MS = 4_000;

/** What is booked in one go where the rate, and so the wave, is still being learned. */
const UNKNOWN_WAVE_MAX = 100;

/** Stopping everybody is worth waiting for the lock, but not for long: the next 429 says it again. */
const STOP_WAIT_MS = 5_000;

export type Booking =
  /** Send `mine` together at `atMs`; `others` are being asked by someone else. */
  | { kind: 'go'; atMs: number; mine: readonly string[]; others: readonly string[] }
  /** The next slot is past the deadline given; nothing was booked. */
  | { kind: 'late'; atMs: number; others: readonly string[] }
  | { kind: 'claimed'; others: readonly string[] }
  | { kind: 'stopped'; stop: Stop }
  /** The lock was not had in time. */
  | { kind: 'busy' };

export interface Gate {
  /** More names than this are never booked at once. */
  readonly waveMax: number;
  /**
   * Books one wave for some of `names` (things to ask, at most one call each), no later than
   * `deadlineMs`. One lock, one cache read, one cache write, and every few seconds a look at who
   * else uses the key; waiting for the slot is the caller's.
   */
  book(names: readonly string[], deadlineMs: number): Booking;
  /** Nobody calls until the stop ends, into which `refused` calls ran. Gives back `names`. */
  stop(stop: Stop, names: readonly string[], refused: number): void;
  /** What an answer said of the quota. Told to the others at once if it is news, else by the way. */
  hear(signal: Signal): void;
  /** The stop in force, if any. One cache read, no lock. */
  stopped(): Stop | undefined;
  /** The rate found out so far; undefined where it was given. One cache read, no lock. */
  learned(): LearnedRate | undefined;
  /** Ends every stop, because the connection changed or a person asks to try it. */
  reopen(): void;
}

export interface GateOptions {
  /** Of this spreadsheet. */
  readonly cache: Cache;
  /** Of everybody who may use the same key elsewhere. */
  readonly commonCache: Cache;
  readonly lock: Lock;
  readonly clock: Clock;
  readonly random: Random;
  readonly fingerprint: string;
  /** null: not known, to be learned. */
  readonly quota: Quota | null;
  /** Names this execution in claims. */
  readonly owner: string;
  /** How long after its slot a call may take; then its claim is free for others. */
  readonly leaseMs: number;
}

export function gate(options: GateOptions): Gate {
  const { cache, commonCache, lock, clock, owner, fingerprint, quota } = options;
  const name = `g:${fingerprint}`;
  /** What this execution last saw: it mends a state that the cache has lost. */
  let known: { readonly atMs: number; readonly state: GateState } | undefined;

  const stored = () => parseGateState(cache.getAll([name])[name]);

  /** What the service said of its quota, for the next booking to take along. */
  let heard: Signal | undefined;

  /** The key's own pace, before it is shared with other spreadsheets. */
  function wholePace({ learned = firstLearned() }: Pick<GateState, 'learned'> = {}): Pace {
    return quota === null ? learnedPace(learned) : paceOf(quota);
  }

  /** A rate learned from this spreadsheet's own calls is its part already. */
  function paceNow(state: GateState): Pace {
    const isOwnPart = quota === null && state.learned?.told === undefined;
    return isOwnPart
      ? wholePace(state)
      : sharedPace(wholePace(state), state.participant?.live ?? 1);
  }

  function learnt(state: GateState, event: LearningEvent, nowMs: number): GateState {
    if (quota !== null) return state;
    return { ...state, learned: learn(state.learned ?? firstLearned(), event, nowMs) };
  }

  /** A state that the cache forgot, as well as this execution remembers it. */
  function recovered(nowMs: number): GateState {
    const isFresh = known !== undefined && nowMs - known.atMs < MEMORY_MS;
    const executions = isFresh ? ownersOf(known?.state.claims ?? {}, nowMs) : EXECUTIONS_MAX;
    const lost = lostState(wholePace(known?.state), nowMs, executions);
    const tatMs = Math.max(lost.tatMs, known?.state.rate.tatMs ?? 0);
    return { claims: {}, ...known?.state, rate: { ...known?.state.rate, tatMs } };
  }

  function read(nowMs: number): GateState {
    const state = stored() ?? recovered(nowMs);
    known = { atMs: nowMs, state };
    return heard === undefined ? state : learnt(state, { kind: 'signal', signal: heard }, nowMs);
  }

  function write(state: GateState): void {
    known = { atMs: clock.nowMs(), state };
    heard = undefined;
    cache.putAll({ [name]: JSON.stringify(state) }, TTL_SECONDS);
  }

  /** Looks who else uses the key, if it is time to, and tells them of this spreadsheet. */
  function withBeat(state: GateState, nowMs: number): GateState {
    const record = state.participant ?? null;
    if (!needsBeat(record, nowMs)) return state;
    const me = { id: owner, fingerprint, intervalMs: wholePace(state).intervalMs };
    const beats = commonCache.getAll(beatNames(fingerprint));
    const outcome = beat(record, beats, me, nowMs, options.random.next());
    const { name: beatName, value, ttlSeconds } = outcome.write;
    commonCache.putAll({ [beatName]: value }, ttlSeconds);
    const next: GateState = { ...state, participant: outcome.record };
    if (outcome.firstSlotNotBeforeMs === undefined) return next;
    const rate = joining(state.rate, paceNow(next), outcome.firstSlotNotBeforeMs);
    return { ...next, rate };
  }

  /** What is left to do when nothing is booked: a beat that was made must not be forgotten. */
  function unbooked<B extends Booking>(before: GateState, after: GateState, booking: B): B {
    if (after !== before) write(after);
    return booking;
  }

  function bookLocked(names: readonly string[], deadlineMs: number): Booking {
    const nowMs = clock.nowMs();
    const before = read(nowMs);
    const state = withBeat(before, nowMs);
    // Nobody is answered any more, so waiting for what others ask is in vain too.
    const { stop: ending } = state.rate;
    if (ending !== undefined && ending.reason !== 'throttled' && ending.untilMs > nowMs)
      return unbooked(before, state, { kind: 'stopped', stop: ending });
    const { free, held: others } = freeOf(state.claims, names, owner, nowMs);
    if (free.length === 0) return unbooked(before, state, { kind: 'claimed', others });
    const { participant } = state;
    const rate =
      participant === undefined
        ? state.rate
        : inTurn(state.rate, participant, wholePace(state), clock.nowMs());
    const request = { count: free.length, deadlineMs };
    const { state: booked, slots } = book(rate, request, paceNow(state), clock.nowMs());
    if (slots.kind === 'stopped')
      return unbooked(before, state, { kind: 'stopped', stop: slots.stop });
    if (slots.kind === 'late')
      return unbooked(before, state, { kind: 'late', atMs: slots.atMs, others });
    const mine = free.slice(0, slots.count);
    const claims = withClaims(state.claims, mine, owner, slots.atMs + options.leaseMs, nowMs);
    // Counted when booked: a cell is over before it could tell that its call was accepted.
    const counted = learnt(state, { kind: 'accepted', count: mine.length }, nowMs);
    write({ ...counted, rate: booked, claims });
    return { kind: 'go', atMs: slots.atMs, mine, others };
  }

  function stop(reason: Stop, names: readonly string[], refused: number): void {
    lock.run(STOP_WAIT_MS, () => {
      const nowMs = clock.nowMs();
      const waitMs = Math.max(0, reason.untilMs - nowMs);
      const event: LearningEvent = { kind: 'refused', waitMs, count: refused };
      const state = refused > 0 ? learnt(read(nowMs), event, nowMs) : read(nowMs);
      const rate = stopped(state.rate, reason);
      write({ ...state, rate, claims: withoutClaims(state.claims, names, owner) });
    });
  }

  return {
    waveMax: quota === null ? UNKNOWN_WAVE_MAX : paceOf(quota).burst,
    book(names, deadlineMs) {
      const waitMs = Math.max(0, deadlineMs - clock.nowMs());
      const outcome = lock.run(waitMs, () => bookLocked(names, deadlineMs));
      return outcome.held ? outcome.value : { kind: 'busy' };
    },
    stop,
    hear(signal) {
      if (quota !== null) return;
      heard = signal;
      const isNews = known?.state.learned?.told === undefined && toldBy(signal) !== undefined;
      if (!isNews) return;
      lock.run(STOP_WAIT_MS, () => write(read(clock.nowMs())));
    },
    stopped() {
      const reason = stored()?.rate.stop;
      return reason !== undefined && reason.untilMs > clock.nowMs() ? reason : undefined;
    },
    learned: () =>
      quota === null ? describeLearned(stored()?.learned ?? firstLearned()) : undefined,
    reopen() {
      lock.run(STOP_WAIT_MS, () => {
        const state = stored() ?? { rate: idleState(clock.nowMs()), claims: {} };
        write({ ...state, rate: { tatMs: state.rate.tatMs } });
      });
    },
  };
}
