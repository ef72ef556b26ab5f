// The gate's state as one execution sees it: read, mended where the cache forgot it, and written back.

import type { Cache, Clock, Random } from '../platform/ports';
import { ownersOf } from './claims';
import { type GateState, parseGateState } from './gate-state';
import { type GoogleDay, parseGoogleDay } from './google-day';
import { beatNames } from './heartbeat';
import { firstLearned, type LearningEvent, learn, learnedPace } from './learning';
import { type Signal, toldBy } from './learning-told';
import { EXECUTIONS_MAX, lostState, type Pace, paceOf, type Quota, refusedKey } from './rate';
import { beat, goodbye, joining, needsBeat, sharedPace } from './share';

/** The longest life the cache grants; a key idle for longer starts again like a lost state. */
const TTL_SECONDS = 21_600;

/** Who had bookings so recently is still known when the cache forgets. */
const MEMORY_MS = 4_000;

export interface GateMemoryOptions {
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

/** Whoever changes the state holds the lock from `read` to `write`. */
export function gateMemory(options: GateMemoryOptions) {
  const { cache, commonCache, clock, fingerprint, quota } = options;
  const name = `g:${fingerprint}`;
  const userName = `d:${options.user ?? fingerprint}`;
  /** What this execution last saw: it mends a state that the cache has lost. */
  let known: { readonly atMs: number; readonly state: GateState } | undefined;
  /** The cache had no state when it was last read, and nobody has given it one. */
  let isLost = false;
  /** What the service said of its quota, for the next booking to take along. */
  let heard: Signal | undefined;

  function look(): { readonly state: GateState | null; readonly user?: GoogleDay | undefined } {
    const texts = cache.getAll([name, userName]);
    const [state, user] = [parseGateState(texts[name]), parseGoogleDay(texts[userName])];
    return { state: state && { ...state, ...(user && { user }) }, user };
  }

  const stored = () => look().state;

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
  function recovered(nowMs: number, found: GoogleDay | undefined): GateState {
    const isFresh = known !== undefined && nowMs - known.atMs < MEMORY_MS;
    const executions = isFresh ? ownersOf(known?.state.claims ?? {}, nowMs) : EXECUTIONS_MAX;
    const lost = lostState(wholePace(known?.state), nowMs, executions);
    const tatMs = Math.max(lost.tatMs, known?.state.rate.tatMs ?? 0);
    const day = known?.state.day ?? options.googleBooks?.storedDay();
    const stop = options.refusal?.isKept() ? { stop: refusedKey(nowMs) } : {};
    const rate = { ...known?.state.rate, ...stop, tatMs };
    const user = found ?? known?.state.user ?? options.googleBooks?.storedUserDay();
    const days = { ...(day && { day }), ...(user && { user }) };
    return { claims: {}, ...known?.state, rate, ...days };
  }

  function read(nowMs: number): GateState {
    const { state: found, user } = look();
    isLost = found === null;
    const state = found ?? recovered(nowMs, user);
    known = { atMs: nowMs, state };
    return heard === undefined ? state : learnt(state, { kind: 'signal', signal: heard }, nowMs);
  }

  function write(state: GateState): void {
    known = { atMs: clock.nowMs(), state };
    heard = undefined;
    isLost = false;
    const { user, ...own } = state;
    const days = user && { [userName]: JSON.stringify(user) };
    cache.putAll({ [name]: JSON.stringify(own), ...days }, TTL_SECONDS);
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
    stored,
    userDay: () => known?.state.user ?? look().user ?? options.googleBooks?.storedUserDay(),
    read,
    write,
    withBeat,
    withGoodbye,
    /** The rate is nobody's word, so a refusal may come at any time. */
    isGuessing: () => quota === null && known?.state.learned?.told === undefined,
    /** Keeps what the service said; true if it is the first word on the quota. */
    hear(signal: Signal): boolean {
      if (quota !== null) return false;
      heard = signal;
      return known?.state.learned?.told === undefined && toldBy(signal) !== undefined;
    },
  };
}
