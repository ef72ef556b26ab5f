// The gate: makes every execution keep one key's quota, through one lock and one cache value.

import type { Lock } from '../platform/ports';
import { firstSlotMs, freeOf, withClaims, withoutClaims } from './claims';
import { type GateMemoryOptions, gateMemory } from './gate-memory';
import type { GateState } from './gate-state';
import { cellCallsIn, dayEndMs, type GoogleDay, withRefusal, withUse } from './google-day';
import { describeLearned, firstLearned, type LearnedRate, type LearningEvent } from './learning';
import type { Signal } from './learning-told';
import {
  book,
  horizonOf,
  idleState,
  paceOf,
  refusedKey,
  type SlotRequest,
  type Stop,
  stopped,
} from './rate';
import { askAgainMs, NO_RHYTHM, rhythmAfter } from './rhythm';
import { inTurn } from './share';

/** What is booked in one go where the rate, and so the wave, is still being learned. */
const UNKNOWN_WAVE_MAX = 100;

/** Stopping everybody is worth waiting for the lock, but not for long: the next 429 says it again. */
const STOP_WAIT_MS = 5_000;

/** A pause may as well begin later. */
const WAKE_WAIT_MS = 1_000;

export type Booking =
  /** Send `mine` together at `atMs`; `others` are being asked by someone else. */
  | { kind: 'go'; atMs: number; mine: readonly string[]; others: readonly string[] }
  /** The next slot is past the deadline given; nothing was booked. */
  | { kind: 'late'; atMs: number; others: readonly string[] }
  /** The next slot is beyond the horizon given until `askAtMs`; nothing was booked. */
  | { kind: 'early'; askAtMs: number; others: readonly string[] }
  /** All are being asked by someone else, the first of them at `slotMs`. */
  | { kind: 'claimed'; slotMs: number; others: readonly string[] }
  | { kind: 'stopped'; stop: Stop }
  /** The lock was not had in time. */
  | { kind: 'busy' };

export interface Gate {
  /** More names than this are never booked at once. */
  readonly waveMax: number;
  /**
   * Books one wave for some of `names` (things to ask, at most one call each), no later than
   * `deadlineMs` and, where given, no further ahead than `horizonMs` or one wave. One lock, one cache
   * read, one cache write, and every few seconds a look at who else uses the key; waiting for the
   * slot is the caller's.
   */
  book(names: readonly string[], deadlineMs: number, horizonMs?: number): Booking;
  /**
   * Nobody calls until the stop ends, into which `refused` calls ran. Gives back `names`. Returns the
   * stop with the time at which calls go on, where only the gate knows it.
   */
  stop(stop: Stop, names: readonly string[], refused: number): Stop;
  /**
   * For who is going to call in some seconds: where the state is lost, the pause that this takes
   * begins now. One cache read where it is not.
   */
  wake(): void;
  /** What an answer said of the quota. Told to the others at once if it is news, else by the way. */
  hear(signal: Signal): void;
  /** The stop in force, if any. One cache read, no lock. */
  stopped(): Stop | undefined;
  /** Refusals must be expected: the rate is still learned from them, as far as is known here. */
  isGuessing(): boolean;
  /** The rate found out so far; undefined where it was given. One cache read, no lock. */
  learned(): LearnedRate | undefined;
  /** Google's day as this execution last saw it, else as the cache has it, else as it was stored. */
  googleDay(): GoogleDay | undefined;
  /** The same of this key alone, with the calls that formulas made. */
  keyDay(): GoogleDay | undefined;
  /** Ends every stop, because the connection changed or a person asks to try it. */
  reopen(): void;
  /**
   * A long run is over: other spreadsheets with the same key need not wait for this one's silence,
   * unless somebody here still has a slot.
   */
  leave(): void;
}

export interface GateOptions extends GateMemoryOptions {
  readonly lock: Lock;
  /** How long after its slot a call may take; then its claim is free for others. */
  readonly leaseMs: number;
  /** For formulas: the calls that they may make in a day; null: any number. */
  readonly cellsPerDay?: number | null;
}

export function gate(options: GateOptions): Gate {
  const { lock, clock, owner, quota } = options;
  const memory = gateMemory(options);
  let rhythm = NO_RHYTHM;

  /** Nothing is booked, but a beat must not be forgotten, nor a pause begin anew at each try. */
  function unbooked<B extends Booking>(before: GateState, after: GateState, booking: B): B {
    if (after !== before || memory.isLost()) memory.write(after);
    return booking;
  }

  /** How many more calls this execution may make today, as far as the key's owner limits formulas. */
  function callsLeft({ day }: GateState, nowMs: number): number {
    const perDay = options.cellsPerDay ?? Number.POSITIVE_INFINITY;
    return perDay - cellCallsIn(day, nowMs);
  }

  function bookLocked(names: readonly string[], reach: Omit<SlotRequest, 'count'>): Booking {
    const nowMs = clock.nowMs();
    const before = memory.read(nowMs);
    const state = memory.withBeat(before, nowMs);
    // Nobody is answered any more, so waiting for what others ask is in vain too.
    const { stop: ending } = state.rate;
    if (ending !== undefined && ending.reason !== 'throttled' && ending.untilMs > nowMs)
      return unbooked(before, state, { kind: 'stopped', stop: ending });
    const { free, held: others } = freeOf(state.claims, names, owner, nowMs);
    if (free.length === 0) {
      const slotMs = firstSlotMs(state.claims, others, options.leaseMs);
      return unbooked(before, state, { kind: 'claimed', slotMs, others });
    }
    const left = callsLeft(state, nowMs);
    if (left <= 0) {
      const untilMs = dayEndMs(state.day ?? { sinceMs: nowMs });
      return unbooked(before, state, { kind: 'stopped', stop: { reason: 'cells-limit', untilMs } });
    }
    const { participant } = state;
    const rate =
      participant === undefined
        ? state.rate
        : inTurn(state.rate, participant, memory.wholePace(state), clock.nowMs());
    const pace = memory.paceNow(state);
    const request = { count: Math.min(free.length, left), ...reach };
    const { state: booked, slots } = book(rate, request, pace, clock.nowMs());
    rhythm = rhythmAfter(rhythm, slots, horizonOf(pace, reach.horizonMs));
    if (slots.kind === 'stopped')
      return unbooked(before, state, { kind: 'stopped', stop: slots.stop });
    if (slots.kind !== 'go') return unbooked(before, state, { ...slots, others });
    const mine = free.slice(0, slots.count);
    const claims = withClaims(state.claims, mine, owner, slots.atMs + options.leaseMs, nowMs);
    // Counted when booked: a cell is over before it could tell that its call was accepted.
    const counted = memory.learnt(state, { kind: 'accepted', count: mine.length }, nowMs);
    const use = {
      calls: mine.length,
      propertyCalls: options.googleBooks?.propertyCalls() ?? 0,
      cellCalls: options.cellsPerDay === undefined ? 0 : mine.length,
    };
    const day = withUse(state.day, use, nowMs);
    const user = withUse(state.user, { ...use, cellCalls: 0 }, nowMs);
    memory.write({ ...counted, rate: booked, claims, day, user });
    return { kind: 'go', atMs: slots.atMs, mine, others };
  }

  function stop(reason: Stop, names: readonly string[], refused: number): Stop {
    if (reason.reason === 'key-refused') options.refusal?.keep();
    const outcome = lock.run(STOP_WAIT_MS, () => {
      const nowMs = clock.nowMs();
      const waitMs = Math.max(0, reason.untilMs - nowMs);
      const event: LearningEvent = { kind: 'refused', waitMs, count: refused };
      const read = memory.read(nowMs);
      const state = refused > 0 ? memory.learnt(read, event, nowMs) : read;
      const claims = withoutClaims(state.claims, names, owner);
      if (reason.reason !== 'google-limit') {
        memory.write({ ...state, rate: stopped(state.rate, reason), claims });
        return reason;
      }
      const user = withRefusal(state.user, nowMs);
      const goesOnMs = dayEndMs(user);
      const toldStop = { ...reason, untilMs: Math.min(reason.untilMs, goesOnMs), goesOnMs };
      memory.write({ ...state, rate: stopped(state.rate, toldStop), claims, user });
      return toldStop;
    });
    return outcome.held ? outcome.value : reason;
  }

  function leave(): void {
    lock.run(STOP_WAIT_MS, () => {
      const nowMs = clock.nowMs();
      const state = memory.read(nowMs);
      if ((state.participant?.live ?? 1) === 1) return;
      const { burst, intervalMs } = memory.paceNow(state);
      const hasSlots = state.rate.tatMs - burst * intervalMs > nowMs;
      if (!hasSlots) memory.write(memory.withGoodbye(state, nowMs));
    });
  }

  return {
    waveMax: quota === null ? UNKNOWN_WAVE_MAX : paceOf(quota).burst,
    book(names, deadlineMs, horizonMs) {
      const nowMs = clock.nowMs();
      const askAtMs = askAgainMs(rhythm);
      if (horizonMs !== undefined && askAtMs > nowMs) return { kind: 'early', askAtMs, others: [] };
      const reach = { deadlineMs, ...(horizonMs === undefined ? {} : { horizonMs }) };
      const outcome = lock.run(Math.max(0, deadlineMs - nowMs), () => bookLocked(names, reach));
      return outcome.held ? outcome.value : { kind: 'busy' };
    },
    stop,
    wake() {
      if (memory.stored() !== null) return;
      lock.run(WAKE_WAIT_MS, () => bookLocked([], { deadlineMs: clock.nowMs() }));
    },
    hear(signal) {
      if (memory.hear(signal))
        lock.run(STOP_WAIT_MS, () => memory.write(memory.read(clock.nowMs())));
    },
    stopped() {
      const state = memory.stored();
      const isRefused = state === null && options.refusal?.isKept() === true;
      const reason = isRefused ? refusedKey(clock.nowMs()) : state?.rate.stop;
      return reason !== undefined && reason.untilMs > clock.nowMs() ? reason : undefined;
    },
    isGuessing: memory.isGuessing,
    googleDay: memory.userDay,
    keyDay: () => memory.known()?.day ?? memory.stored()?.day ?? options.googleBooks?.storedDay(),
    learned: () =>
      quota === null ? describeLearned(memory.stored()?.learned ?? firstLearned()) : undefined,
    reopen() {
      options.refusal?.forget();
      lock.run(STOP_WAIT_MS, () => {
        const state = memory.stored() ?? { rate: idleState(clock.nowMs()), claims: {} };
        memory.write({ ...state, rate: { tatMs: state.rate.tatMs } });
      });
    },
    leave,
  };
}
