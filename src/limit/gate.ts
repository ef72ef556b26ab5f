// The gate: makes every execution keep the key's limit. It books slots under the spreadsheet's lock,
// and keeps claims, stops, and the day of formulas.

import * as z from 'zod/mini';
import { DAY } from '../failures/duration';
import type { Cache, Clock, Lock } from '../google/platform';
import { type Fits, lazySchema, storedAs } from '../schema/stored-record';
import { type CellDay, cellDaySchema, dayAt } from './cell-day';
import { claimsSchema, firstSlotMs, freeOf, withClaims, withoutClaims } from './claims';
import {
  advertisedBy,
  believeAdvertised,
  bookedIn,
  bookedSchema,
  bookSlot,
  describeRate,
  idleRate,
  idleSpeed,
  isKnownAdvertised,
  type LearnedRate,
  paceNow,
  type Rate,
  raiseRate,
  type Signal,
  type Speed,
  slowRate,
  speedIn,
  speedSchema,
  wholeAtMs,
} from './limit';
import { paceOf, type Quota } from './pace';
import {
  COPIED,
  latestStop,
  type Refusals,
  refusedAgain,
  refusedKey,
  type Stop,
  stopAfter,
} from './stop';

/**
 * What bookings change, under the lock. The speed is a value of its own, which answers change without
 * the lock: a refusal counts at once. A booking writes it only where the cache has forgotten it, so it
 * undoes no refusal that comes meanwhile.
 */
const bookingsSchema = lazySchema(() =>
  z.object({
    booked: bookedSchema(),
    claims: claimsSchema(),
    /** The latest wave to a service that had not answered yet: its slot, and when its calls have ended. */
    probe: z.exactOptional(z.object({ atMs: z.number(), endMs: z.number() })),
    /** The calls of formulas with this key today. */
    day: z.exactOptional(cellDaySchema()),
    /** Set once it was checked that a shared key did not come with a copy of its spreadsheet. */
    isAtHome: z.exactOptional(z.literal(true)),
  }),
);

type Bookings = Fits<typeof bookingsSchema>;

interface GateState extends Omit<Bookings, 'booked'> {
  readonly rate: Rate;
  /** The cache has forgotten the bookings. */
  readonly isLost: boolean;
  /** The cache has forgotten the speed, or nobody has changed it for six hours. */
  readonly isSpeedLost: boolean;
}

/** The names of `mine` are sent together at `atMs`. */
export interface BookedSlot {
  readonly atMs: number;
  readonly mine: readonly string[];
}

export type Booking =
  /** The calls of `mine` are to be sent; others are asking for `others`. */
  | ({ kind: 'go'; others: readonly string[] } & BookedSlot)
  /**
   * Nothing was booked. Booking again is worth while at `atMs`: the next free slot comes within the
   * horizon, or, where others are asking for everything, the first of them has its slot. Later than
   * the deadline: there is no slot before it. `isUntaken`: the lock or the cache did not take it, which says
   * nothing of the limit.
   */
  | { kind: 'again'; atMs: number; others: readonly string[]; isUntaken?: true }
  | { kind: 'stopped'; stop: Stop };

/** The service's refusal of the key, stored where it is not forgotten. */
export interface KeptRefusal {
  isKept(): boolean;
  keep(): void;
  forget(): void;
}

/** The day of formulas, stored where it is not forgotten. */
export interface StoredDay {
  read(): CellDay | undefined;
  /** Costs one property call. */
  write(day: CellDay): void;
}

export interface GateOptions {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly lock: Lock;
  readonly fingerprint: string;
  /** null: unknown, to be found out. */
  readonly quota: Quota | null;
  /** Identifies this execution. */
  readonly owner: string;
  /** How long after its slot a call may take; then its claim is free for others. */
  readonly leaseMs: number;
  /** For formulas: the most calls in a day; null: any number. Left out: no formula asks. */
  readonly cellsPerDay?: number | null;
  readonly storedDay?: StoredDay;
  readonly refusal?: KeptRefusal;
  /** When the service last gave an analysis, as far as this execution knows, ms since 1970. */
  answeredMs?(): number;
  /** Whether an analysis ever came with this key, as far as this execution knows. Left out: it did. */
  isProven?(): boolean;
  /** Whether the key came with a copy of its spreadsheet; asked if the cache has forgotten it. */
  isCopied?(): boolean;
}

export interface Gate {
  /** The most names that can be booked at once. */
  readonly waveMax: number;
  /**
   * Books one wave for some of `names` (things to ask, at most one call each), no later than
   * `deadlineMs`. Costs the lock, a cache read and a cache write; the caller waits for the slot.
   *
   * @param horizonMs for doors that send wave after wave: no slot is further ahead than this or one
   * wave, and cells go first.
   */
  book(names: readonly string[], deadlineMs: number, horizonMs?: number): Booking;
  /**
   * Stops all calls and releases the claims of `names`, the products of the wave. `refused` counts its
   * calls that were too many for the service. Returns the stop that holds.
   */
  stop(stop: Stop, names: readonly string[], refused: number): Stop;
  /**
   * The key, which has answered before, was refused for these products, with no answer beside them. Returns
   * the stop to be told; undefined if it is their matter: it has answered others since it was refused
   * for these, or it was refused for one of them alone, again and again.
   */
  refuse(names: readonly string[]): Stop | undefined;
  /** Gives back this execution's claims of `names`. Without the lock in time they end by themselves. */
  release(names: readonly string[]): void;
  /** A wave came back. Costs nothing unless the service had not answered before. */
  heard(isAnalysis: boolean): void;
  /** Receives what an answer said about the limit. Costs nothing if that is known. */
  hear(signal: Signal): void;
  /** Nobody has stated the limit, so refusals must be expected. */
  readonly isGuessing: boolean;
  /** The stop in force, if any. Costs one cache read and no lock. */
  stopped(): Stop | undefined;
  /**
   * Whether a booked slot may be used: no stop holds, waves are as large as when it was booked, and
   * nobody else has booked its names.
   */
  isOpen(slot: BookedSlot): boolean;
  /** How long the latest reading of the state took, ms. */
  readMs(): number;
  /** The rate found out so far; undefined if it was stated. Costs one cache read and no lock. */
  learned(): LearnedRate | undefined;
  /** Whether the service refused calls that came together. Costs one cache read. */
  isOneByOne(): boolean;
  /** The calls of formulas today. Costs one cache read. */
  cellCallsToday(): number;
  /** Ends every stop and forgets what was found out, because a person wants to try. */
  reopen(): void;
  /** Ends a stop that is not over in a moment, because a person wants to try; whether there was one. */
  tryAgain(): boolean;
}

/**
 * An execution that sends wave after wave books no slot further ahead than this, ms, so that cells
 * hardly wait behind it, and a lost state loses few bookings.
 */
export const HORIZON_MS = 2_000;

/** The same where stores are slow, in readings of the state: several workers book one after the other. */
const HORIZON_READS = 32;

/** Google's cache keeps no value longer. */
const TTL_SECONDS = 21_600;

/** The state is still to be written: a slot is at least this far ahead. */
const LEAD_MS = 150;

/** The pause after a lost state, in which other executions use what they have booked. */
const LOST_MS = 1_000;

/** The most calls in one booking while the limit is unknown. */
const UNKNOWN_WAVE_MAX = 50;

/** What is booked still counts when a person opens the gate, but not the pace of a slow limit. */
const REOPENED_MS = 5_000;

/** How long a change waits for the lock. A claim that is not given back ends by itself. */
const CHANGE_WAIT_MS = 5_000;

/** The first wave to an unproven service is waited for this long; then its execution may have died. */
const PROBE_MS = 8_000;

/** How often others look whether the first wave to an unproven service is back. */
const PROBE_POLL_MS = 500;

/** A person who continues waits for the end of a stop within this time. */
const WAITED_MS = 10_000;

/** A booking that the lock or the cache did not take is tried again after this time. */
const NOT_TAKEN_MS = 3_000;

/** How often in a day the use of a cap is stored, because the cache may forget it. */
const CAP_STEPS = 100;

export function gate(options: GateOptions): Gate {
  const { cache, clock, lock, fingerprint, owner, quota, leaseMs, refusal } = options;
  const bookingsName = `g:${fingerprint}`;
  const speedName = `s:${fingerprint}`;
  let tookMs = 0;
  let isProbing = false;
  /** What this execution saw last. */
  let speed: Speed | undefined;
  let bookings: Bookings | undefined;

  /** What the cache has forgotten is as this execution saw it last, without claims and a stop. */
  function readState(): GateState {
    const sinceMs = clock.nowMs();
    const texts = cache.getAll([bookingsName, speedName]);
    const nowMs = clock.nowMs();
    tookMs = nowMs - sinceMs;
    const found = storedAs(texts[speedName], speedSchema());
    speed = found ?? lostSpeed(nowMs);
    const isSpeedLost = found === null;
    const stored = storedAs(texts[bookingsName], bookingsSchema());
    if (stored !== null) {
      bookings = stored;
      const { booked, ...rest } = stored;
      return { ...rest, rate: { ...booked, ...speed }, isLost: false, isSpeedLost };
    }
    const { wave: _, ...booked } = bookings?.booked ?? { dueMs: nowMs };
    const seen = { ...booked, ...speed };
    const wholeMs = wholeAtMs(seen, quota, nowMs + LOST_MS, nowMs);
    const rate = { ...seen, dueMs: Math.max(seen.dueMs, wholeMs) };
    return { rate, claims: {}, isLost: true, isSpeedLost };
  }

  /** The same with the day of formulas, for who writes the state or wants to know it. */
  function readStateWithDay(): GateState {
    const state = readState();
    const day = state.isLost ? (bookings?.day ?? options.storedDay?.read()) : state.day;
    return { ...state, ...(day && { day }) };
  }

  function lostSpeed(nowMs: number): Speed {
    const { stop: _, ...rate } = speed ?? idleSpeed(nowMs);
    return { ...rate, ...(refusal?.isKept() && { stop: refusedKey(nowMs) }) };
  }

  /** For the holder of the lock. */
  function write({ rate, isLost: _, isSpeedLost, ...rest }: GateState): boolean {
    const changed = { ...rest, booked: bookedIn(rate) };
    const texts = {
      [bookingsName]: JSON.stringify(changed),
      ...(isSpeedLost && { [speedName]: JSON.stringify(speedIn(rate)) }),
    };
    const isWritten = cache.putAll(texts, TTL_SECONDS);
    if (isWritten) bookings = changed;
    return isWritten;
  }

  /** A change by an answer, which needs no lock. */
  function writeSpeed(rate: Rate): void {
    cache.putAll({ [speedName]: JSON.stringify(speedIn(rate)) }, TTL_SECONDS);
  }

  function stopIn({ rate: { stop }, isAtHome }: GateState): Stop | undefined {
    if (!isAtHome && options.isCopied?.()) return COPIED;
    return stop !== undefined && stop.untilMs > clock.nowMs() ? stop : undefined;
  }

  const notNow = (): Booking => {
    return { kind: 'again', atMs: clock.nowMs() + NOT_TAKEN_MS, others: [], isUntaken: true };
  };

  function bookLocked(names: readonly string[], deadlineMs: number, horizonMs?: number): Booking {
    const state = readStateWithDay();
    const nowMs = clock.nowMs();
    /** The pause after a lost state has to pass, so it is written although nothing is booked. */
    const unbooked = (booking: Booking) => {
      if (state.isLost) write(state);
      return booking;
    };
    const stop = stopIn(state);
    const earliestMs = Math.max(nowMs + LEAD_MS + 2 * tookMs, stop?.untilMs ?? 0);
    if (stop && (stop.reason !== 'throttled' || earliestMs > deadlineMs))
      return { kind: 'stopped', stop };
    // One wave at a time until an analysis comes: what is wrong is wrong for all.
    const isProbe = !(state.rate.heard?.isProven ?? options.isProven?.() ?? true);
    if (isProbe && isOut(state, nowMs))
      return unbooked({ kind: 'again', atMs: nowMs + PROBE_POLL_MS, others: [] });
    const { free, others } = freeOf(state.claims, names, owner, nowMs);
    if (free.length === 0)
      return { kind: 'again', atMs: firstSlotMs(state.claims, others, leaseMs), others };
    const day = dayAt(state.day, nowMs);
    const left = (options.cellsPerDay ?? Number.POSITIVE_INFINITY) - day.cellCalls;
    if (left <= 0) {
      const untilMs = day.sinceMs + DAY;
      return { kind: 'stopped', stop: { reason: 'cells-limit', untilMs } };
    }
    const rate = raiseRate(state.rate, quota, nowMs);
    const pace = paceNow(rate, quota, nowMs);
    const count = Math.min(free.length, left);
    const { slot, rate: booked } = bookSlot(rate, pace, { count, earliestMs });
    const { atMs } = slot;
    // What the service stated is read again when it is over.
    const { statedUntilMs = atMs } = rate;
    if (atMs > deadlineMs)
      return unbooked({ kind: 'again', atMs: Math.min(atMs, statedUntilMs), others });
    const waveMs = (1_000 * pace.wave) / pace.perSecond;
    const askAtMs =
      atMs - Math.max(horizonMs ?? Number.POSITIVE_INFINITY, HORIZON_READS * tookMs, waveMs);
    if (askAtMs > nowMs) return unbooked({ kind: 'again', atMs: askAtMs, others });
    const mine = free.slice(0, slot.count);
    const cellCalls = options.cellsPerDay === undefined ? 0 : mine.length;
    const today = { ...day, cellCalls: day.cellCalls + cellCalls };
    const claims = withClaims(state.claims, mine, owner, atMs + leaseMs, nowMs);
    const isAtHome = options.isCopied !== undefined && { isAtHome: true as const };
    const probe = isProbe && { probe: { atMs, endMs: atMs + PROBE_MS } };
    const after = { ...state, ...isAtHome, ...probe, rate: booked, claims, day: today };
    // A slot that others do not see is worthless.
    if (!write(after)) return notNow();
    isProbing = isProbe;
    keepSome(today, mine.length);
    return { kind: 'go', atMs, mine, others };
  }

  /** Stores the use of a cap each time that another hundredth of it is used. */
  function keepSome(day: CellDay, calls: number): void {
    const step = Math.ceil((options.cellsPerDay ?? 0) / CAP_STEPS);
    const isStep = step > 0 && (day.cellCalls - 1) % step < calls;
    if (isStep) options.storedDay?.write(day);
  }

  function stop(named: Stop, names: readonly string[], refused: number): Stop {
    if (named.reason === 'key-refused') refusal?.keep();
    const { rate } = readState();
    const nowMs = clock.nowMs();
    const held = latestStop(rate.stop, named, options.answeredMs?.() ?? 0, nowMs);
    const isTooFast = refused > 0 && named.reason === 'throttled' && named.status === undefined;
    const wave = { untilMs: held.untilMs, sent: names.length, refused };
    const slower = isTooFast ? slowRate(rate, quota, wave, nowMs) : rate;
    writeSpeed({ ...slower, stop: held });
    if (names.length > 0) release(names);
    return held;
  }

  function refuse(names: readonly string[]): Stop | undefined {
    const { rate } = readState();
    const { refusals } = rate;
    const answeredMs = options.answeredMs?.() ?? 0;
    const isTheirs = (before: Refusals) =>
      answeredMs >= before.lastMs && names.every((name) => before.names.includes(name));
    if (refusals !== undefined && isTheirs(refusals)) return undefined;
    const after = refusedAgain(refusals, names, answeredMs, clock.nowMs());
    writeSpeed({ ...rate, refusals: after });
    return stopAfter(after);
  }

  function release(names: readonly string[]): void {
    lock.run(CHANGE_WAIT_MS, () => {
      const state = readState();
      // With the state, the claims are forgotten as well.
      if (!state.isLost) write({ ...state, claims: withoutClaims(state.claims, names, owner) });
    });
  }

  return {
    waveMax: quota === null ? UNKNOWN_WAVE_MAX : paceOf(quota).wave,
    book(names, deadlineMs, horizonMs) {
      const waitMs = Math.max(0, deadlineMs - clock.nowMs());
      const outcome = lock.run(waitMs, () => bookLocked(names, deadlineMs, horizonMs));
      return outcome.held ? outcome.value : notNow();
    },
    stop,
    refuse,
    release,
    heard(isAnalysis) {
      if (!isProbing) return;
      isProbing = false;
      writeSpeed({ ...readState().rate, heard: { atMs: clock.nowMs(), isProven: isAnalysis } });
    },
    hear(signal) {
      const nowMs = clock.nowMs();
      const advertised = quota === null ? advertisedBy(signal, nowMs) : undefined;
      if (advertised === undefined || isKnownAdvertised(speed?.advertised, advertised, nowMs))
        return;
      writeSpeed(believeAdvertised(readState().rate, advertised, nowMs));
    },
    isGuessing: quota === null,
    stopped: () => stopIn(readState()),
    isOpen({ atMs, mine }) {
      const state = readState();
      if ((stopIn(state)?.untilMs ?? 0) > atMs) return false;
      // A refusal may have made waves smaller since.
      if (mine.length > paceNow(state.rate, quota, clock.nowMs()).wave) return false;
      // A state that is still lost begins with a pause, and the slot is within it.
      return state.isLost || mine.every((name) => state.claims[name]?.[1] === owner);
    },
    readMs: () => tookMs,
    learned: () => (quota === null ? describeRate(readState().rate, clock.nowMs()) : undefined),
    isOneByOne: () => readState().rate.single !== undefined,
    cellCallsToday: () => dayAt(readStateWithDay().day, clock.nowMs()).cellCalls,
    tryAgain() {
      const { rate } = readState();
      const { stop: held, resumesMs: _, ...rest } = rate;
      if (held === undefined || held.untilMs <= clock.nowMs() + WAITED_MS) return false;
      refusal?.forget();
      writeSpeed(rest);
      return true;
    },
    reopen() {
      refusal?.forget();
      writeSpeed(idleRate(clock.nowMs()));
      lock.run(CHANGE_WAIT_MS, () => {
        const { probe: _, ...state } = readStateWithDay();
        const nowMs = clock.nowMs();
        // With a key that nobody has used, nothing is under way.
        const dueMs = state.isLost ? nowMs : Math.min(state.rate.dueMs, nowMs + REOPENED_MS);
        write({ ...state, rate: { ...state.rate, dueMs } });
      });
    },
  };
}

/** Whether the latest wave to an unproven service is under way. */
const isOut = ({ probe, rate }: GateState, nowMs: number): boolean =>
  probe !== undefined && nowMs < probe.endMs && (rate.heard?.atMs ?? 0) <= probe.atMs;
