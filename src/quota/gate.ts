// The gate: what makes every execution keep the quota; its state, its memory, what is in flight.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Cache, Clock, Lock, Random } from '../platform/ports';
import { storedAs } from '../platform/stored-record';
import {
  type Booking,
  type BookingRequest,
  claimsSchema,
  foundIn,
  freeOf,
  livingIn,
  ownersOf,
  parseRequest,
  REQUEST_MS,
  requestNamesOf,
  requestsIn,
  type Slot,
  withClaims,
  withoutClaims,
  withRequests,
} from './claims';
import { byClock, commonClock, stopByClock, writtenSchema } from './common-clock';
import {
  cellCallsIn,
  dayEndMs,
  type GoogleDay,
  googleDaySchema,
  parseGoogleDay,
  withRefusal,
  withUse,
} from './google-limits';
import {
  advertisedBy,
  believed,
  describeLearned,
  firstLearned,
  isAdvertisedOver,
  type LearnedRate,
  type LearningEvent,
  learn,
  learnedPace,
  learnedSchema,
  type Signal,
  withoutAdvertised,
} from './learn-rate';
import {
  askAgainMs,
  backOffAfter,
  book,
  EXECUTIONS_MAX,
  horizonOf,
  idleState,
  lostState,
  NO_BACK_OFF,
  type Pace,
  paceOf,
  pausedBy,
  pausesSchema,
  type Quota,
  type RateState,
  rateStateSchema,
  refusedKey,
  requestFor,
  type SlotRequest,
  type Stop,
  spacedPace,
  stopped,
} from './rate';
import {
  beat,
  beatNames,
  goodbye,
  inTurn,
  joining,
  needsBeat,
  participantSchema,
  sharedPace,
} from './share-key';

/**
 * If no burst is stated, the service either counts calls in a window or also requires them to be
 * apart. A run tests this with two calls; if the service accepts them, waves are as large as the
 * window allows.
 */
const togetherSchema = lazySchema(() =>
  z.object({
    isLetThrough: z.exactOptional(z.literal(true)),
    /** Until then the result of two simultaneous calls is pending: only one execution tries. */
    triedUntilMs: z.exactOptional(z.number()),
    /** The service refused them, so calls are sent one by one from then on. */
    refused: z.exactOptional(z.object({ atMs: z.number() })),
  }),
);

const gateStateSchema = lazySchema(() =>
  z.object({
    rate: rateStateSchema(),
    claims: claimsSchema(),
    /** What was learned about the key's rate; only if the operator stated none. */
    learned: z.exactOptional(learnedSchema()),
    /** When the state was written and by whom, which shows how clocks differ. */
    written: z.exactOptional(writtenSchema()),
    /** When the service last refused a call that came too early. */
    tooEarlyMs: z.exactOptional(z.number()),
    /** This spreadsheet's part among those that share the key. */
    participant: z.exactOptional(participantSchema()),
    /** What is known about calls at the same moment; only if no burst was stated. */
    together: z.exactOptional(togetherSchema()),
    /** The day's use of this key, with the calls of formulas counted separately. */
    day: z.exactOptional(googleDaySchema()),
    /** The owner's use of Google's daily limits with all their keys: a cache value of its own. */
    user: z.exactOptional(googleDaySchema()),
    /** The latest stops for which no time was named. */
    pauses: z.exactOptional(pausesSchema()),
    /** Set once it was checked that a shared key did not come with a copy of its spreadsheet. */
    isAtHome: z.exactOptional(z.literal(true)),
  }),
);

type GateState = Fits<typeof gateStateSchema>;

/** The number of simultaneous calls in the test. */
const TRIED_CALLS = 2;

/** Another caller may have used the key at that moment, so the test is repeated after six hours. */
const APART_MS = 6 * 3_600_000;

/** For how long after a call that came too early clocks are compared before a booking. */
const CLOCKS_CHECKED_MS = 20 * 60_000;

function withoutRefusalBefore(momentMs: number, state: GateState): GateState {
  const { together, ...others } = state;
  const atMs = together?.refused?.atMs;
  return atMs !== undefined && atMs < momentMs ? others : state;
}

/** null for a value that is missing or not ours, both of which count as lost. */
const parseGateState = (text: string | undefined): GateState | null =>
  storedAs(text, gateStateSchema());

/** Google's cache keeps no value longer. A key that is idle for longer has a lost state. */
const TTL_SECONDS = 21_600;

/** The number of recent reads of which the slowest predicts the next one. */
const LOOKS_SEEN = 8;

/** How long this execution knows which executions had bookings if the cache forgets. */
const MEMORY_MS = 4_000;

interface GateMemoryOptions {
  /** The cache of this spreadsheet. */
  readonly cache: Cache;
  /** The cache shared with everybody who may use the same key elsewhere. */
  readonly commonCache: Cache;
  readonly clock: Clock;
  readonly random: Random;
  readonly fingerprint: string;
  /** null: unknown, to be learned. */
  readonly quota: Quota | null;
  /** Identifies this execution. */
  readonly owner: string;
  readonly googleBooks?: GoogleBooks;
  /** The person whose scripts Google counts; left out: the owner of the key. */
  readonly user?: string;
  readonly refusal?: KeptRefusal;
}

/** The service's refusal of the key, stored where it is not forgotten. */
export interface KeptRefusal {
  isKept(): boolean;
  keep(): void;
  forget(): void;
}

/** What an execution knows about Google's day apart from booked calls. */
export interface GoogleBooks {
  /** Property calls since the previous call of this method. */
  propertyCalls(): number;
  /** The days as last stored, in case the cache has forgotten them. */
  storedDay(): GoogleDay | undefined;
  storedUserDay(): GoogleDay | undefined;
  /** Stores the key's day. Costs one property call. */
  keepDay(day: GoogleDay): void;
}

interface Looked {
  readonly state: GateState | null;
  readonly user: GoogleDay | undefined;
}

/** Reads from a cache, remembers what was read last, and measures how long recent reads took. */
function timedReader(cache: Cache, clock: Clock) {
  let [tookMs, texts]: [readonly number[], Readonly<Record<string, string>>] = [[], {}];
  return {
    getAll(names: readonly string[]) {
      const sinceMs = clock.nowMs();
      texts = cache.getAll(names);
      tookMs = [clock.nowMs() - sinceMs, ...tookMs].slice(0, LOOKS_SEEN);
      return texts;
    },
    texts: () => texts,
    slowestMs: () => Math.max(0, ...tookMs),
  };
}

type TimedReader = ReturnType<typeof timedReader>;
type CommonClock = ReturnType<typeof commonClock>;

type PacedState = Pick<GateState, 'learned' | 'together'>;

/**
 * The key's full pace, before it is shared with other spreadsheets.
 *
 * @param tries whether to send calls together although it is unknown whether the service accepts
 * that.
 */
function paceOfKey(
  quota: Quota | null,
  { learned = firstLearned(), together }: PacedState,
  tries: boolean,
): Pace {
  if (quota === null) return learnedPace(learned);
  const { isLetThrough, refused } = together ?? {};
  if (refused !== undefined) return spacedPace(quota);
  return isLetThrough ? paceOf(quota) : paceOf(quota, tries ? TRIED_CALLS : 1);
}

/**
 * Forgets what the service said about its limit, and bookings that were made at another pace: no
 * booking is kept further ahead than the calls under way take, or than after a lost state.
 */
function anew(
  { learned, ...state }: GateState,
  quota: GateMemoryOptions['quota'],
  nowMs: number,
): GateState {
  const next = { ...state, ...(learned && { learned: withoutAdvertised(learned) }) };
  const pace = paceOfKey(quota, next, false);
  const lost = lostState(pace, nowMs, EXECUTIONS_MAX);
  const bookedMs = lost.tatMs + livingIn(state.claims, nowMs).length * pace.intervalMs;
  return { ...next, rate: { ...state.rate, tatMs: Math.min(state.rate.tatMs, bookedMs) } };
}

/**
 * An execution that changes the state holds the lock from `read` to `write`. What it last saw
 * (`known`) repairs a state that the cache has lost.
 */
function gateMemory(options: GateMemoryOptions, reader: TimedReader, common: CommonClock) {
  const { cache, commonCache, fingerprint, quota } = options;
  const { clock, saw } = common;
  const [name, userName] = [`g:${fingerprint}`, `d:${options.user ?? fingerprint}`];
  let known: { readonly atMs: number; readonly state: GateState } | undefined;
  /** Whether the cache had no state at the last read and none was written since. */
  let isLost = false;
  /** What the service said about its quota, to be stored with the next booking. */
  let heard: Signal | undefined;

  /** @param more names of further values to read in the same call. */
  function look(more: readonly string[] = []): Looked {
    const texts = reader.getAll([name, userName, ...more]);
    const [state, user] = [parseGateState(texts[name]), parseGoogleDay(texts[userName])];
    return { state: state && { ...state, ...(user && { user }) }, user };
  }

  const wholePace = (state: PacedState = {}, tries = false) => paceOfKey(quota, state, tries);

  /** A rate that was learned from this spreadsheet's own calls is already its share. */
  function paceNow(state: GateState, tries = false): Pace {
    const told = quota === null ? state.learned?.told : undefined;
    const pace = wholePace(state, tries);
    if (quota === null && told === undefined) return pace;
    return { ...sharedPace(pace, state.participant?.live ?? 1), untilMs: told?.untilMs };
  }

  /** Whether the stated quota has no burst. */
  const isWindow = quota !== null && quota.burst === undefined;

  function learnt(state: GateState, event: LearningEvent, nowMs: number): GateState {
    if (quota !== null) return state;
    return { ...state, learned: learn(state.learned ?? firstLearned(), event, nowMs) };
  }

  /** Restores a state that the cache forgot, as far as this execution knows it. */
  function recovered(nowMs: number, found: GoogleDay | undefined): GateState {
    const isFresh = known !== undefined && nowMs - known.atMs < MEMORY_MS;
    const executions = isFresh ? ownersOf(known?.state.claims ?? {}, nowMs) : EXECUTIONS_MAX;
    const lost = lostState(wholePace(known?.state), nowMs, executions);
    const tatMs = Math.max(lost.tatMs, known?.state.rate.tatMs ?? 0);
    const day = known?.state.day ?? options.googleBooks?.storedDay();
    const stop = options.refusal?.isKept() ? { stop: refusedKey(nowMs) } : {};
    // Others may have filled the last booked wave.
    const { wave: _, ...before } = known?.state.rate ?? {};
    const rate = { ...before, ...stop, tatMs };
    const user = found ?? known?.state.user ?? options.googleBooks?.storedUserDay();
    const days = { ...(day && { day }), ...(user && { user }) };
    return { claims: {}, ...known?.state, rate, ...days };
  }

  function read(nowMs: number, more?: readonly string[]): GateState {
    const lookMs = options.clock.nowMs();
    const { state: found, user } = look(more);
    saw(found?.written, lookMs);
    isLost = found === null;
    const isOver = found?.learned !== undefined && isAdvertisedOver(found.learned, nowMs);
    const state = (isOver ? anew(found, quota, nowMs) : found) ?? recovered(nowMs, user);
    known = { atMs: nowMs, state };
    return heard === undefined ? state : learnt(state, { kind: 'signal', signal: heard }, nowMs);
  }

  /** @param leads whether others follow this execution's clock if it does not know theirs. */
  function write(state: GateState, leads = false): boolean {
    known = { atMs: clock.nowMs(), state };
    heard = undefined;
    isLost = false;
    const { user, ...own } = state;
    const days = user && { [userName]: JSON.stringify(user) };
    const written = common.writing(leads, 2 * reader.slowestMs());
    const sinceMs = options.clock.nowMs();
    const values = { [name]: JSON.stringify({ ...own, written }), ...days };
    const isWritten = cache.putAll(values, TTL_SECONDS);
    // If the write failed, an older state of another execution is still stored.
    if (isWritten) saw(written, sinceMs);
    return isWritten;
  }

  /** When it is time, reads who else uses the key and tells them of this spreadsheet. */
  function withBeat(state: GateState, nowMs: number): GateState {
    const record = state.participant ?? null;
    if (!needsBeat(record, nowMs)) return state;
    const me = { id: options.owner, fingerprint, intervalMs: wholePace(state).intervalMs };
    const beats = commonCache.getAll(beatNames(fingerprint));
    const outcome = beat(record, beats, me, nowMs, options.random.next());
    const { name: beatName, value, ttlSeconds } = outcome.write;
    commonCache.putAll({ [beatName]: value }, ttlSeconds);
    const next: GateState = { ...state, participant: outcome.record };
    if (outcome.firstSlotNotBeforeMs === undefined) return next;
    const rate = joining(state.rate, paceNow(next), outcome.firstSlotNotBeforeMs);
    return { ...next, rate };
  }

  /** The state after saying goodbye. The next call from this spreadsheet joins again. */
  function withGoodbye({ participant, ...state }: GateState, nowMs: number): GateState {
    if (participant === undefined) return state;
    const { name: beatName, value, ttlSeconds } = goodbye(participant, fingerprint, nowMs);
    commonCache.putAll({ [beatName]: value }, ttlSeconds);
    return state;
  }

  return {
    known: () => known?.state,
    isLost: () => isLost,
    wholePace,
    paceNow,
    learnt,
    isWindow,
    stored: () => look().state,
    anew: (state: GateState, nowMs: number) => anew(state, quota, nowMs),
    userDay: () => known?.state.user ?? look().user ?? options.googleBooks?.storedUserDay(),
    read,
    look,
    write,
    withBeat,
    withGoodbye,
    isClockUnsure(): boolean {
      // Looking takes time that calls could use, so it begins only where clocks may be the trouble.
      const { tooEarlyMs = -Infinity } = known?.state ?? look().state ?? {};
      if (options.clock.nowMs() - tooEarlyMs > CLOCKS_CHECKED_MS) return false;
      // Another execution may have been writing already.
      const lookMs = options.clock.nowMs() - reader.slowestMs();
      const { state } = look();
      saw(state?.written, lookMs);
      return common.isUnsure(state?.written, state?.rate.tatMs ?? 0, 2 * reader.slowestMs());
    },
    isGuessing: () => quota === null && known?.state.learned?.told === undefined,
    /** Notes what the service said; returns whether it is the first statement of the quota. */
    hear(signal: Signal): boolean {
      if (quota !== null) return false;
      heard = signal;
      return (
        known?.state.learned?.told === undefined &&
        advertisedBy(signal, clock.nowMs()) !== undefined
      );
    },
  };
}

/** The most calls in one booking while the rate, and thus the size of a wave, is being learned. */
const UNKNOWN_WAVE_MAX = 100;

/** Stopping everybody is worth waiting for the lock, but not for long: the next 429 repeats it. */
const STOP_WAIT_MS = 5_000;

/** How often in a day the use of a cap is stored in a property, because the cache may forget it. */
const CAP_STEPS = 100;

/** A pause may just as well begin later. */
const WAKE_WAIT_MS = 1_000;

/** A longer wait for the lock (half of this) means that many other executions wait as well. */
const QUEUE_MS = 500;

/** How often an execution looks whether its request was fulfilled. */
const REQUEST_LOOK_MS = 300;

/** The lead of slots booked for others: time for a look, a try of the lock and another look. */
const REQUEST_LEAD_MS = 1_000;

export interface Gate {
  /** The most names that can be booked at once. */
  readonly waveMax: number;
  /**
   * Books one wave for some of `names` (things to ask, at most one call each), no later than
   * `deadlineMs` and, if given, no further ahead than `horizonMs` or one wave. It takes one lock,
   * one cache read and one cache write, and every few seconds a look at who else uses the key. The
   * caller waits for the slot. With a cap for formulas and without a horizon it does not queue for
   * the lock: after half a second it leaves a request for the holder of the lock and returns
   * `early`.
   */
  book(names: readonly string[], deadlineMs: number, horizonMs?: number): Booking;
  /**
   * Whether others book and the difference to their clocks is not known yet. Looks in quick
   * succession reveal it with their next booking. Costs one cache read and no lock.
   */
  isClockUnsure(): boolean;
  /**
   * Stops all calls until the stop ends; `refused` calls ran into it. Releases the claims of
   * `names`. Returns the stop, with the time at which calls resume if only the gate knows it.
   */
  stop(stop: Stop, names: readonly string[], refused: number): Stop;
  /**
   * For a caller that will send in some seconds: if the state is lost, the pause that this requires
   * begins now. Otherwise it costs one cache read.
   */
  wake(): void;
  /** Receives what an answer said about the quota; news is written at once, the rest later. */
  hear(signal: Signal): void;
  /** The stop in force, if any. Costs one cache read and no lock. */
  stopped(): Stop | undefined;
  /**
   * Whether a booked slot may be used: no stop holds at its time, and nobody else has booked it
   * after the cache forgot it. Costs one cache read and no lock.
   */
  isOpen(slot: Slot): boolean;
  /** How long a look at the state takes, as far as is known. */
  lookMs(): number;
  /** Whether refusals must be expected, because the rate is still being learned from them. */
  isGuessing(): boolean;
  /** The present pace as this execution last saw it; undefined while the rate is being learned. */
  pace(): Pace | undefined;
  /** The rate learned so far; undefined if it was stated. Costs one cache read and no lock. */
  learned(): LearnedRate | undefined;
  /** Whether the service refused simultaneous calls within the limit. Costs one cache read. */
  wantsCallsApart(): boolean;
  /** Google's day as this execution last saw it, else from the cache, else from the store. */
  googleDay(): GoogleDay | undefined;
  /** The day's use of this key alone, with the calls of formulas. Costs one cache read. */
  keyDay(): GoogleDay | undefined;
  /**
   * Ends every stop, lets calls go together again, and forgets what the service said about its
   * limit, because the connection changed or a person wants to try.
   */
  reopen(): void;
  /**
   * Ends a long run's use of the key, so that other spreadsheets need not wait for its silence,
   * unless somebody here still has a slot.
   */
  leave(): void;
}

export interface GateOptions extends GateMemoryOptions {
  readonly lock: Lock;
  /** How long after its slot a call may take; then its claim is free for others. */
  readonly leaseMs: number;
  /** For formulas: the most calls in a day; null: any number. */
  readonly cellsPerDay?: number | null;
  /** When the service last gave an analysis, as far as this execution knows, ms since 1970. */
  answeredMs?(): number;
  /** Whether the key came with a copy of its spreadsheet; asked if the cache has forgotten it. */
  isCopied?(): boolean;
}

/** A person ends this stop, which no execution is told of, so each one checks again. */
const COPIED: Stop = { reason: 'copied', untilMs: Number.MAX_SAFE_INTEGER };

type BookLocked = (
  names: readonly string[],
  reach: Omit<SlotRequest, 'count'>,
  isCrowded?: boolean,
) => Booking;

/** Books for formulas: one that does not get the lock soon leaves a request and asks again. */
function queueing(
  { cache, lock, random, fingerprint, owner, leaseMs }: GateOptions,
  { clock }: CommonClock,
  memory: ReturnType<typeof gateMemory>,
  reader: TimedReader,
  bookLocked: BookLocked,
) {
  /** The place of this execution's request while it waits for a booking. */
  let place: string | undefined;

  const askAgain = (at: string): Booking => {
    place = at;
    return { kind: 'early', askAtMs: clock.nowMs() + REQUEST_LOOK_MS, others: [] };
  };

  /** Costs one cache call. */
  function leaveRequest(names: readonly string[], deadlineMs: number): Booking {
    const request: BookingRequest = { owner, names, atMs: clock.nowMs(), untilMs: deadlineMs };
    const places = requestNamesOf(fingerprint);
    const at = places[Math.floor(random.next() * places.length)] ?? '';
    cache.putAll({ [at]: JSON.stringify(request) }, REQUEST_MS / 1_000);
    return askAgain(at);
  }

  /** The booking made for the request, else a booking of its own if the lock is free now. */
  function bookRequested(names: readonly string[], deadlineMs: number, left: string): Booking {
    const { state } = memory.look([left]);
    const isThere = parseRequest(reader.texts()[left])?.owner === owner;
    const nowMs = clock.nowMs();
    if (state !== null) {
      const { slots } = book(state.rate, { count: 1, deadlineMs }, memory.paceNow(state), nowMs);
      // While the key is stopped, executions that ask for the same get no answer either.
      if (slots.kind === 'stopped') return slots;
      const there = foundIn(state.claims, names, owner, leaseMs, nowMs);
      if (there !== undefined) return there;
      if (slots.kind === 'late') return { ...slots, others: [] };
    }
    const outcome = lock.run(1, () => bookLocked(names, { deadlineMs }, true));
    if (outcome.held) return outcome.value;
    return isThere ? askAgain(left) : leaveRequest(names, deadlineMs);
  }

  return (names: readonly string[], deadlineMs: number): Booking => {
    const left = place;
    place = undefined;
    if (left !== undefined) return bookRequested(names, deadlineMs, left);
    const nowMs = clock.nowMs();
    const outcome = lock.run(Math.max(0, Math.min(deadlineMs - nowMs, QUEUE_MS)), () =>
      bookLocked(names, { deadlineMs }, clock.nowMs() - nowMs > QUEUE_MS / 2),
    );
    return outcome.held ? outcome.value : leaveRequest(names, deadlineMs);
  };
}

/** Only an execution that uses a shared key has looked. */
const atHome = ({ isCopied }: GateOptions, state: GateState): GateState =>
  isCopied === undefined || state.isAtHome ? state : { ...state, isAtHome: true };

export function gate(options: GateOptions): Gate {
  const { lock, owner, quota, leaseMs } = options;
  const reader = timedReader(options.cache, options.clock);
  const common = commonClock(options.clock, owner);
  const { clock } = common;
  const memory = gateMemory(options, reader, common);
  let backOff = NO_BACK_OFF;
  let unproven = 0;

  /** An execution that books again without a refusal had the calls of its last wave accepted. */
  function proven(read: GateState, nowMs: number): GateState {
    const calls = unproven;
    unproven = 0;
    const state = withoutRefusalBefore(nowMs - APART_MS, read);
    const { isLetThrough, refused } = state.together ?? {};
    const isNews = memory.isWindow && calls > 1 && !isLetThrough && refused === undefined;
    return isNews ? { ...state, together: { isLetThrough: true } } : state;
  }

  /** Keeps a heartbeat, and a pause that must not begin again, although nothing is booked. */
  function unbooked<B extends Booking>(before: GateState, after: GateState, booking: B): B {
    if (after !== before || memory.isLost()) memory.write(after);
    return booking;
  }

  function callsLeft({ day }: GateState, nowMs: number): number {
    const perDay = options.cellsPerDay ?? Number.POSITIVE_INFINITY;
    return perDay - cellCallsIn(day, nowMs);
  }

  const capped = ({ day }: GateState, nowMs: number): Stop => {
    return { reason: 'cells-limit', untilMs: dayEndMs(day ?? { sinceMs: nowMs }) };
  };

  const isCopied = (state: GateState | null): boolean =>
    state?.isAtHome !== true && options.isCopied?.() === true;

  function bookLocked(
    names: readonly string[],
    reach: Omit<SlotRequest, 'count'>,
    isCrowded = false,
  ): Booking {
    const nowMs = clock.nowMs();
    const places = isCrowded ? requestNamesOf(options.fingerprint) : [];
    const before = memory.read(nowMs, places);
    if (isCopied(before)) return { kind: 'stopped', stop: COPIED };
    const state = atHome(options, memory.withBeat(proven(before, nowMs), nowMs));
    // While the key is stopped, waiting for other executions is useless as well.
    const { stop: ending } = state.rate;
    if (ending !== undefined && ending.reason !== 'throttled' && ending.untilMs > nowMs)
      return unbooked(before, state, { kind: 'stopped', stop: ending });
    const there = foundIn(state.claims, names, owner, leaseMs, nowMs);
    if (there !== undefined && (isCrowded || there.kind === 'claimed'))
      return unbooked(before, state, there);
    const { free, held: others } = freeOf(state.claims, names, owner, nowMs);
    const left = callsLeft(state, nowMs);
    if (left <= 0) return unbooked(before, state, { kind: 'stopped', stop: capped(state, nowMs) });
    // An execution that sends only one wave would never learn its result.
    const isTried = (state.together?.triedUntilMs ?? nowMs) > nowMs;
    const tries = reach.horizonMs !== undefined && free.length > 1 && !isTried;
    const pace = memory.paceNow(state, tries);
    const request = requestFor(reach, Math.min(free.length, left), reader.slowestMs());
    const next = (rate: RateState, wanted: SlotRequest) =>
      book(turnOf(state, rate), wanted, pace, clock.nowMs());
    const { state: booked, slots } = next(state.rate, request);
    backOff = backOffAfter(backOff, slots, horizonOf(pace, request.horizonMs));
    if (slots.kind !== 'go') return unbooked(before, state, { ...slots, others });
    const mine = free.slice(0, slots.count);
    const own = withClaims(state.claims, mine, owner, slots.atMs + leaseMs, nowMs);
    const { rate, claims, count } = withRequests(
      requestsIn(reader.texts(), places),
      { rate: booked, claims: own, count: mine.length },
      left,
      (one, wanted) => next(one, { leadMs: REQUEST_LEAD_MS + request.leadMs, ...wanted }),
      leaseMs,
      nowMs,
    );
    // Calls are counted when they are booked, because a cell ends before it could report that they
    // were accepted.
    const counted = memory.learnt(state, { kind: 'accepted', count }, nowMs);
    const use = {
      calls: count,
      propertyCalls: options.googleBooks?.propertyCalls() ?? 0,
      cellCalls: options.cellsPerDay === undefined ? 0 : count,
    };
    const day = withUse(state.day, use, nowMs);
    const user = withUse(state.user, { ...use, cellCalls: 0 }, nowMs);
    const isTry = memory.isWindow && mine.length > 1 && !state.together?.isLetThrough;
    const together = { triedUntilMs: slots.atMs + leaseMs };
    // A slot that others do not see is worthless.
    const after = { ...counted, rate, claims, day, user, ...(isTry && { together }) };
    if (!memory.write(after, reach.horizonMs !== undefined)) return { kind: 'busy' };
    // A hundredth of the cap at a time, so that a cache that forgets brings no more of it back.
    const stepCalls = Math.ceil(Number(options.cellsPerDay) / CAP_STEPS);
    if ((left - 1) % stepCalls < count) options.googleBooks?.keepDay(day);
    unproven = mine.length;
    return { kind: 'go', atMs: slots.atMs, mine, others };
  }

  function turnOf(state: GateState, rate: RateState): RateState {
    const { participant } = state;
    if (participant === undefined) return rate;
    return inTurn(rate, participant, memory.wholePace(state), clock.nowMs());
  }

  /** Simultaneous calls were refused. A single one may have collided with another caller's. */
  function apart(state: GateState, nowMs: number): GateState {
    const { isLetThrough, refused } = state.together ?? {};
    const wereTogether = unproven > 1 || isLetThrough;
    unproven = 0;
    if (!memory.isWindow || !wereTogether || refused !== undefined) return state;
    return { ...state, together: { refused: { atMs: nowMs } } };
  }

  function stopCommon(named: Stop, names: readonly string[], refused: number): Stop {
    if (named.reason === 'key-refused') options.refusal?.keep();
    const outcome = lock.run(STOP_WAIT_MS, () => {
      const nowMs = clock.nowMs();
      const { pauses: last, ...before } = memory.read(nowMs);
      const answeredMs = options.answeredMs?.() ?? 0;
      const pauses = named.grows ? pausedBy(named, last, answeredMs, nowMs) : last;
      const read = { ...before, ...(pauses && { pauses }) };
      const reason = named.grows && pauses ? { ...named, untilMs: pauses.untilMs } : named;
      const waitMs = Math.max(0, reason.untilMs - nowMs);
      const event: LearningEvent = { kind: 'refused', waitMs, count: refused };
      const isTooFast = refused > 0 && reason.status === undefined && reason.reason === 'throttled';
      const spaced = isTooFast ? { ...apart(read, nowMs), tooEarlyMs: nowMs } : read;
      const state = refused > 0 ? memory.learnt(spaced, event, nowMs) : spaced;
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
    return outcome.held ? outcome.value : named;
  }

  function stopIn(state: GateState | null): Stop | undefined {
    if (isCopied(state)) return COPIED;
    const nowMs = clock.nowMs();
    const isRefused = state === null && options.refusal?.isKept() === true;
    const reason = isRefused ? refusedKey(nowMs) : state?.rate.stop;
    return reason !== undefined && reason.untilMs > nowMs ? reason : undefined;
  }

  function leave(): void {
    // No other spreadsheet uses the key, as far as is known, so none waits for this one's goodbye.
    if ((memory.stored()?.participant?.live ?? 1) === 1) return;
    lock.run(STOP_WAIT_MS, () => {
      const nowMs = clock.nowMs();
      const state = memory.read(nowMs);
      const { burst, intervalMs } = memory.paceNow(state);
      const hasSlots = state.rate.tatMs - burst * intervalMs > nowMs;
      if (!hasSlots) memory.write(memory.withGoodbye(state, nowMs));
    });
  }

  function bookCommon(names: readonly string[], deadlineMs: number, horizonMs?: number): Booking {
    if (horizonMs === undefined && options.cellsPerDay !== undefined)
      return bookOnce(names, deadlineMs);
    const nowMs = clock.nowMs();
    const askAtMs = askAgainMs(backOff);
    if (askAtMs > nowMs) return { kind: 'early', askAtMs, others: [] };
    const outcome = lock.run(Math.max(0, deadlineMs - nowMs), () =>
      bookLocked(names, { deadlineMs, ...(horizonMs && { horizonMs }) }),
    );
    return outcome.held ? outcome.value : { kind: 'busy' };
  }

  const bookOnce = queueing(options, common, memory, reader, bookLocked);

  return {
    waveMax: quota === null ? UNKNOWN_WAVE_MAX : paceOf(quota).burst,
    book: (names, deadlineMs, horizonMs) =>
      byClock(bookCommon(names, deadlineMs + common.aheadMs(), horizonMs), -common.aheadMs()),
    isClockUnsure: memory.isClockUnsure,
    stop(reason, names, refused) {
      const told = stopCommon(stopByClock(reason, common.aheadMs()), names, refused);
      return stopByClock(told, -common.aheadMs());
    },
    wake() {
      if (memory.stored() !== null) return;
      lock.run(WAKE_WAIT_MS, () => bookLocked([], { deadlineMs: clock.nowMs() }));
    },
    hear(signal) {
      if (memory.hear(signal))
        lock.run(STOP_WAIT_MS, () => memory.write(memory.read(clock.nowMs())));
    },
    stopped() {
      const stop = stopIn(memory.stored());
      return stop && stopByClock(stop, -common.aheadMs());
    },
    isOpen({ atMs, mine }) {
      const state = memory.stored();
      const stop = stopIn(state);
      // A slot after the end of a service's outage was meant for the time after it.
      const commonMs = atMs + common.aheadMs();
      if (stop !== undefined && (stop.status === undefined || stop.untilMs > commonMs))
        return false;
      // A state that is still lost begins with a pause, and the slot is within it.
      return state === null || mine.every((name) => state.claims[name]?.[1] === owner);
    },
    lookMs: reader.slowestMs,
    isGuessing: memory.isGuessing,
    pace() {
      const state = memory.known();
      return quota === null || state === undefined ? undefined : memory.paceNow(state, true);
    },
    googleDay: memory.userDay,
    keyDay: () => (memory.stored() ?? memory.known())?.day ?? options.googleBooks?.storedDay(),
    learned() {
      if (quota !== null) return undefined;
      const { learned = firstLearned() } = memory.stored() ?? {};
      return describeLearned(believed(learned, clock.nowMs()));
    },
    wantsCallsApart: () => memory.isWindow && memory.stored()?.together?.refused !== undefined,
    reopen() {
      options.refusal?.forget();
      lock.run(STOP_WAIT_MS, () => {
        const nowMs = clock.nowMs();
        const read = withoutRefusalBefore(Infinity, memory.read(nowMs));
        const state = memory.anew(read, nowMs);
        const { stop: _, ...rate } = state.rate;
        // A lost state begins without a pause, and its day goes on.
        memory.write({ ...state, rate: memory.isLost() ? idleState(nowMs) : rate });
      });
    },
    leave,
  };
}
