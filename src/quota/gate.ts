// The gate: what makes every execution keep the quota; its state, its memory, what is in flight.

import {
  type Cache,
  type Clock,
  isLike,
  type Lock,
  type Random,
  storedJson,
} from '../platform/ports';
import {
  type Booking,
  type BookingRequest,
  type Claims,
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
import { byClock, commonClock, stopByClock, type Written } from './common-clock';
import {
  cellCallsIn,
  dayEndMs,
  type GoogleDay,
  NO_DAY,
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
  type Learned,
  type LearnedRate,
  type LearningEvent,
  learn,
  learnedPace,
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
  LEAD_MS,
  lostState,
  NO_BACK_OFF,
  type Pace,
  paceOf,
  type Quota,
  type RateState,
  refusedKey,
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
  type Participant,
  sharedPace,
} from './share-key';

interface GateState {
  readonly rate: RateState;
  readonly claims: Claims;
  /** What was learned about the key's rate; only where the operator named none. */
  readonly learned?: Learned;
  /** How clocks differ is seen in it. */
  readonly written?: Written;
  /** This spreadsheet among those that use the key. */
  readonly participant?: Participant;
  /** What was found out about calls at the same moment; only where no burst was named. */
  readonly together?: Together;
  /** What was done with this key in a day, formulas' calls by themselves. */
  readonly day?: GoogleDay;
  /** What its owner did of what Google allows in a day, with all of their keys: a value of its own. */
  readonly user?: GoogleDay;
  /** A key that others use here was looked at: it did not come along with a copy. */
  readonly isAtHome?: true;
}

/**
 * Where nobody named a burst, the service counts calls in a window, or it wants them apart as well.
 * A run tries it with two calls; where they are let through, waves are what the window allows.
 */
interface Together {
  readonly isLetThrough?: true;
  /** Two of them are out, and it is known by then what became of them: one execution tries for all. */
  readonly triedUntilMs?: number;
  /** They were refused: calls go one by one from then on. */
  readonly refused?: { readonly atMs: number };
}

/** Calls at the same moment that show whether the service lets them through. */
const TRIED_CALLS = 2;

/** Somebody else may have used the key at that moment: after six hours waves are tried again. */
const APART_MS = 6 * 3_600_000;

function withoutRefusalBefore(momentMs: number, state: GateState): GateState {
  const { together, ...others } = state;
  const atMs = together?.refused?.atMs;
  return atMs !== undefined && atMs < momentMs ? others : state;
}

/** What a state may lack, and what it has where it is there. */
const MAY_LACK = {
  learned: firstLearned(),
  participant: { nextBeatMs: 0, liveUntilMs: 0, live: 1, rank: 0, others: '' },
  together: {},
  day: NO_DAY,
  written: { atMs: 0, by: '' },
};

const RATE_MAY_LACK = {
  stop: { reason: '', untilMs: 0 },
  wave: { atMs: 0, size: 0, left: 0 },
};

const WHOLE = { ...MAY_LACK, claims: {}, rate: { ...RATE_MAY_LACK, tatMs: 0 } };

/** null for a value that is gone or not ours: both count as lost. */
function parseGateState(text: string | undefined): GateState | null {
  const state = storedJson(text) as GateState | null;
  const rate = { ...RATE_MAY_LACK, ...state?.rate };
  const isWhole = isLike({ ...MAY_LACK, ...state, rate }, WHOLE);
  return isWhole && Object.values(state?.claims ?? {}).every(Array.isArray) ? state : null;
}

/** The longest life the cache grants; a key idle for longer starts again like a lost state. */
const TTL_SECONDS = 21_600;

/** Of so many looks the slowest tells how long the next one may take. */
const LOOKS_SEEN = 3;

/** Who had bookings so recently is still known when the cache forgets. */
const MEMORY_MS = 4_000;

interface GateMemoryOptions {
  /** Of this spreadsheet. */
  readonly cache: Cache;
  /** Of everybody who may use the same key elsewhere. */
  readonly commonCache: Cache;
  readonly clock: Clock;
  readonly random: Random;
  readonly fingerprint: string;
  /** null: not known, to be learned. */
  readonly quota: Quota | null;
  /** Names this execution. */
  readonly owner: string;
  readonly googleBooks?: GoogleBooks;
  /** Names whose scripts Google counts; left out: those of whoever has the key. */
  readonly user?: string;
  readonly refusal?: KeptRefusal;
}

/** That the service refused the key, kept where the cache cannot forget it. */
export interface KeptRefusal {
  isKept(): boolean;
  keep(): void;
  forget(): void;
}

/** What an execution knows of Google's day besides the calls that are booked. */
export interface GoogleBooks {
  /** Property calls since it was asked last. */
  propertyCalls(): number;
  /** The days as they were last stored, for when the cache forgot them. */
  storedDay(): GoogleDay | undefined;
  storedUserDay(): GoogleDay | undefined;
}

interface Looked {
  readonly state: GateState | null;
  readonly user: GoogleDay | undefined;
}

/** A cache that tells what was read from it last, and how long the last looks took. */
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
 * The key's own pace, before it is shared with other spreadsheets.
 *
 * @param tries whether calls may come together that nobody has seen let through.
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
 * Without what the service said of its limit, nor anything booked at another pace than today's: no
 * booking is further ahead than what is being asked takes, or than where the state was lost.
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

/** Whoever changes the state holds the lock from `read` to `write`. */
function gateMemory(options: GateMemoryOptions, reader: TimedReader, common: CommonClock) {
  const { cache, commonCache, fingerprint, quota } = options;
  const { clock, saw } = common;
  const [name, userName] = [`g:${fingerprint}`, `d:${options.user ?? fingerprint}`];
  /** What this execution last saw: it mends a state that the cache has lost. */
  let known: { readonly atMs: number; readonly state: GateState } | undefined;
  /** The cache had no state when it was last read, and nobody has given it one. */
  let isLost = false;
  /** What the service said of its quota, for the next booking to take along. */
  let heard: Signal | undefined;

  /** @param more names of other values, to be had in the same call. */
  function look(more: readonly string[] = []): Looked {
    const texts = reader.getAll([name, userName, ...more]);
    const [state, user] = [parseGateState(texts[name]), parseGoogleDay(texts[userName])];
    return { state: state && { ...state, ...(user && { user }) }, user };
  }

  const wholePace = (state: PacedState = {}, tries = false) => paceOfKey(quota, state, tries);

  /** A rate learned from this spreadsheet's own calls is its part already. */
  function paceNow(state: GateState, tries = false): Pace {
    const isOwnPart = quota === null && state.learned?.told === undefined;
    const pace = wholePace(state, tries);
    return isOwnPart ? pace : sharedPace(pace, state.participant?.live ?? 1);
  }

  /** Nobody named a burst of the quota that was given. */
  const isWindow = quota !== null && quota.burst === undefined;

  function learnt(state: GateState, event: LearningEvent, nowMs: number): GateState {
    if (quota !== null) return state;
    return { ...state, learned: learn(state.learned ?? firstLearned(), event, nowMs) };
  }

  /** A state that the cache forgot, as well as this execution remembers it. */
  function recovered(nowMs: number, found: GoogleDay | undefined): GateState {
    const isFresh = known !== undefined && nowMs - known.atMs < MEMORY_MS;
    const executions = isFresh ? ownersOf(known?.state.claims ?? {}, nowMs) : EXECUTIONS_MAX;
    const lost = lostState(wholePace(known?.state), nowMs, executions);
    const tatMs = Math.max(lost.tatMs, known?.state.rate.tatMs ?? 0);
    const day = known?.state.day ?? options.googleBooks?.storedDay();
    const stop = options.refusal?.isKept() ? { stop: refusedKey(nowMs) } : {};
    // Others may have filled the wave that was booked last.
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

  function write(state: GateState): boolean {
    known = { atMs: clock.nowMs(), state };
    heard = undefined;
    isLost = false;
    const { user, ...own } = state;
    const days = user && { [userName]: JSON.stringify(user) };
    const written = { atMs: clock.nowMs(), by: options.owner };
    const sinceMs = options.clock.nowMs();
    const values = { [name]: JSON.stringify({ ...own, written }), ...days };
    const isWritten = cache.putAll(values, TTL_SECONDS);
    // What was not taken leaves another's there, which is older than this.
    if (isWritten) saw(written, sinceMs);
    return isWritten;
  }

  /** Looks who else uses the key, if it is time to, and tells them of this spreadsheet. */
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

  /** The state of a spreadsheet that has said goodbye: whoever calls from it next joins anew. */
  function withGoodbye({ participant, ...state }: GateState, nowMs: number): GateState {
    if (participant === undefined) return state;
    const { name: beatName, value, ttlSeconds } = goodbye(participant, fingerprint, nowMs);
    commonCache.putAll({ [beatName]: value }, ttlSeconds);
    return state;
  }

  return {
    /** The state as this execution last saw it. */
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
      // Somebody may have been writing already.
      const lookMs = options.clock.nowMs() - reader.slowestMs();
      const written = look().state?.written;
      saw(written, lookMs);
      return common.isUnsure(written, 2 * reader.slowestMs());
    },
    /** The rate is nobody's word, so a refusal may come at any time. */
    isGuessing: () => quota === null && known?.state.learned?.told === undefined,
    /** Keeps what the service said; true if it is the first word on the quota. */
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

/** What is booked in one go where the rate, and so the wave, is still being learned. */
const UNKNOWN_WAVE_MAX = 100;

/** Stopping everybody is worth waiting for the lock, but not for long: the next 429 says it again. */
const STOP_WAIT_MS = 5_000;

/** A pause may as well begin later. */
const WAKE_WAIT_MS = 1_000;

/** Whoever waits longer than half of this for the lock has many others beside it. */
const QUEUE_MS = 500;

/** Whoever left a request looks so often what became of it. */
const REQUEST_LOOK_MS = 300;

/** A look, a try of the lock and one more look: what is booked for others is no sooner. */
const REQUEST_LEAD_MS = 1_000;

export interface Gate {
  /** More names than this are never booked at once. */
  readonly waveMax: number;
  /**
   * Books one wave for some of `names` (things to ask, at most one call each), no later than
   * `deadlineMs` and, where given, no further ahead than `horizonMs` or one wave. One lock, one cache
   * read, one cache write, and every few seconds a look at who else uses the key; waiting for the
   * slot is the caller's. Who has a cap for formulas and gives no horizon does not queue for the lock:
   * after half a second a request is left for whoever has it, and the booking is `early`.
   */
  book(names: readonly string[], deadlineMs: number, horizonMs?: number): Booking;
  /**
   * Others book, and how their clocks are to this one is not known yet: looks in short turns tell,
   * with the next booking of theirs. One cache read, no lock.
   */
  isClockUnsure(): boolean;
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
  /**
   * Whether a slot that was booked here may be used: no stop holds when it comes, and nobody else has
   * booked it since the cache forgot it. One cache read, no lock.
   */
  isOpen(slot: Slot): boolean;
  /** A look at the state takes so long, as far as is known here. */
  lookMs(): number;
  /** Refusals must be expected: the rate is still learned from them, as far as is known here. */
  isGuessing(): boolean;
  /** Waves at present, as this execution last saw it; undefined where the rate is being found out. */
  pace(): Pace | undefined;
  /** The rate found out so far; undefined where it was given. One cache read, no lock. */
  learned(): LearnedRate | undefined;
  /** The service refused calls that came together, though no more than were granted. One cache read. */
  wantsCallsApart(): boolean;
  /** Google's day as this execution last saw it, else as the cache has it, else as it was stored. */
  googleDay(): GoogleDay | undefined;
  /** The same of this key alone, with the calls that formulas made. */
  keyDay(): GoogleDay | undefined;
  /**
   * Ends every stop, calls sent apart, and what the service said of its limit, because the connection
   * changed or a person asks to try it.
   */
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
  /** Whether the key came along with a copy of its spreadsheet; asked where the cache forgot it. */
  isCopied?(): boolean;
}

/** It ends when somebody says so, which nobody hears of here: whoever comes next looks again. */
const COPIED: Stop = { reason: 'copied', untilMs: Number.MAX_SAFE_INTEGER };

type BookLocked = (
  names: readonly string[],
  reach: Omit<SlotRequest, 'count'>,
  isCrowded?: boolean,
) => Booking;

/** Books for formulas: one that does not get the lock soon leaves a request, and asks again. */
function queueing(
  { cache, lock, random, fingerprint, owner, leaseMs }: GateOptions,
  { clock }: CommonClock,
  memory: ReturnType<typeof gateMemory>,
  reader: TimedReader,
  bookLocked: BookLocked,
) {
  /** Where this execution left a request that nobody has fulfilled yet. */
  let place: string | undefined;

  const askAgain = (at: string): Booking => {
    place = at;
    return { kind: 'early', askAtMs: clock.nowMs() + REQUEST_LOOK_MS, others: [] };
  };

  /** One cache call. */
  function leaveRequest(names: readonly string[], deadlineMs: number): Booking {
    const request: BookingRequest = { owner, names, atMs: clock.nowMs(), untilMs: deadlineMs };
    const places = requestNamesOf(fingerprint);
    const at = places[Math.floor(random.next() * places.length)] ?? '';
    cache.putAll({ [at]: JSON.stringify(request) }, REQUEST_MS / 1_000);
    return askAgain(at);
  }

  /** What became of the request; else the lock, if it is free by now. */
  function bookRequested(names: readonly string[], deadlineMs: number, left: string): Booking {
    const { state } = memory.look([left]);
    const isThere = parseRequest(reader.texts()[left])?.owner === owner;
    const nowMs = clock.nowMs();
    if (state !== null) {
      const { slots } = book(state.rate, { count: 1, deadlineMs }, memory.paceNow(state), nowMs);
      // Nobody is answered any more, so neither are those who ask for the same.
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
  /** Calls of the wave that was booked last, until it is known that none of it was refused. */
  let sent = 0;

  /** Who books again without having been refused was let through. */
  function proven(read: GateState, nowMs: number): GateState {
    const calls = sent;
    sent = 0;
    const state = withoutRefusalBefore(nowMs - APART_MS, read);
    const { isLetThrough, refused } = state.together ?? {};
    const isNews = memory.isWindow && calls > 1 && !isLetThrough && refused === undefined;
    return isNews ? { ...state, together: { isLetThrough: true } } : state;
  }

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
    // Nobody is answered any more, so waiting for what others ask is in vain too.
    const { stop: ending } = state.rate;
    if (ending !== undefined && ending.reason !== 'throttled' && ending.untilMs > nowMs)
      return unbooked(before, state, { kind: 'stopped', stop: ending });
    const there = foundIn(state.claims, names, owner, leaseMs, nowMs);
    if (there !== undefined && (isCrowded || there.kind === 'claimed'))
      return unbooked(before, state, there);
    const { free, held: others } = freeOf(state.claims, names, owner, nowMs);
    const left = callsLeft(state, nowMs);
    if (left <= 0) return unbooked(before, state, { kind: 'stopped', stop: capped(state, nowMs) });
    // Whoever sends a wave alone would never know what became of it.
    const isTried = (state.together?.triedUntilMs ?? nowMs) > nowMs;
    const tries = reach.horizonMs !== undefined && free.length > 1 && !isTried;
    const pace = memory.paceNow(state, tries);
    // The state is put back, and the lock let go.
    const leadMs = Math.max(LEAD_MS, 2 * reader.slowestMs());
    const request = { count: Math.min(free.length, left), leadMs, ...reach };
    const next = (rate: RateState, wanted: SlotRequest) =>
      book(turnOf(state, rate), wanted, pace, clock.nowMs());
    const { state: booked, slots } = next(state.rate, request);
    backOff = backOffAfter(backOff, slots, horizonOf(pace, reach.horizonMs));
    if (slots.kind !== 'go') return unbooked(before, state, { ...slots, others });
    const mine = free.slice(0, slots.count);
    const own = withClaims(state.claims, mine, owner, slots.atMs + leaseMs, nowMs);
    const { rate, claims, count } = withRequests(
      requestsIn(reader.texts(), places),
      { rate: booked, claims: own, count: mine.length },
      left,
      (one, wanted) => next(one, { leadMs: REQUEST_LEAD_MS + leadMs, ...wanted }),
      leaseMs,
      nowMs,
    );
    // Counted when booked: a cell is over before it could tell that its call was accepted.
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
    // A slot that others do not see is no slot.
    if (!memory.write({ ...counted, rate, claims, day, user, ...(isTry && { together }) }))
      return { kind: 'busy' };
    sent = mine.length;
    return { kind: 'go', atMs: slots.atMs, mine, others };
  }

  function turnOf(state: GateState, rate: RateState): RateState {
    const { participant } = state;
    if (participant === undefined) return rate;
    return inTurn(rate, participant, memory.wholePace(state), clock.nowMs());
  }

  /** Calls that came together were too many; one that came alone may have met somebody else's. */
  function apart(state: GateState, nowMs: number): GateState {
    const { isLetThrough, refused } = state.together ?? {};
    const wereTogether = sent > 1 || isLetThrough;
    sent = 0;
    if (!memory.isWindow || !wereTogether || refused !== undefined) return state;
    return { ...state, together: { refused: { atMs: nowMs } } };
  }

  function stopCommon(reason: Stop, names: readonly string[], refused: number): Stop {
    if (reason.reason === 'key-refused') options.refusal?.keep();
    const outcome = lock.run(STOP_WAIT_MS, () => {
      const nowMs = clock.nowMs();
      const waitMs = Math.max(0, reason.untilMs - nowMs);
      const event: LearningEvent = { kind: 'refused', waitMs, count: refused };
      const read = memory.read(nowMs);
      const isTooFast = refused > 0 && reason.status === undefined && reason.reason === 'throttled';
      const spaced = isTooFast ? apart(read, nowMs) : read;
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
    return outcome.held ? outcome.value : reason;
  }

  function stopIn(state: GateState | null): Stop | undefined {
    if (isCopied(state)) return COPIED;
    const nowMs = clock.nowMs();
    const isRefused = state === null && options.refusal?.isKept() === true;
    const reason = isRefused ? refusedKey(nowMs) : state?.rate.stop;
    return reason !== undefined && reason.untilMs > nowMs ? reason : undefined;
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
      // A slot that lies behind a service's outage was given for the time after it.
      const commonMs = atMs + common.aheadMs();
      if (stop !== undefined && (stop.status === undefined || stop.untilMs > commonMs))
        return false;
      // A state that is still lost begins with a pause, which the slot falls into.
      return state === null || mine.every((name) => state.claims[name]?.[1] === owner);
    },
    lookMs: reader.slowestMs,
    isGuessing: memory.isGuessing,
    pace() {
      const state = memory.known();
      return quota === null || state === undefined ? undefined : memory.paceNow(state, true);
    },
    googleDay: memory.userDay,
    keyDay: () => memory.known()?.day ?? memory.stored()?.day ?? options.googleBooks?.storedDay(),
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
        const stored = memory.stored() ?? { rate: idleState(nowMs), claims: {} };
        const state = memory.anew(withoutRefusalBefore(Infinity, stored), nowMs);
        const { stop: _, ...rate } = state.rate;
        memory.write({ ...state, rate });
      });
    },
    leave,
  };
}
