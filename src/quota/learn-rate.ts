// Learns a limit that nobody gave, from headers or by probing. Pure.

import { type Pace, paceOf } from './rate';

/** What one answer says of the quota, as far as it does. */
export interface Signal {
  /** So many calls in `perSeconds`; without it, a limit whose window is not known. */
  readonly calls?: number;
  readonly perSeconds?: number;
  /** Of which so many may come at once. */
  readonly burst?: number;
  /** Calls left at present, and the time until they are as many as ever. */
  readonly remaining?: number;
  readonly resetMs?: number;
}

interface Told {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst?: number;
  /** A bucket that fills in the time said, or a window of that length? Both are said alike. */
  readonly as: 'bucket' | 'window';
  /** Calls per second that resets have shown, where they are more: seconds are said rounded up. */
  readonly shown?: number;
}

/** What is slower than once a day or faster than this was misread. */
const PER_SECOND_MIN = 1 / 86_400;
const PER_SECOND_MAX = 10_000;

/** A window this long costs next to nothing to keep, even if it is a bucket after all. */
const WINDOW_SECONDS_MIN = 10;

/** A rate without a word on bursts is kept a little under, in waves of so many seconds. */
const RATE_ALONE = 0.97;
const WAVE_SECONDS = 0.8;

/** What jitter may bring into a window from its outside. */
const JITTER_SECONDS = 0.3;

/** No more than this part of a window comes at once. */
const WINDOW_PART = 0.2;

export function toldBy({ calls, perSeconds, burst }: Signal): Told | undefined {
  if (calls === undefined || perSeconds === undefined) return undefined;
  const perSecond = calls / perSeconds;
  if (!(calls >= PER_SECOND_MIN && perSeconds >= 1 / PER_SECOND_MAX)) return undefined;
  if (!(perSecond >= PER_SECOND_MIN && perSecond <= PER_SECOND_MAX)) return undefined;
  if (burst === undefined) return { calls, perSeconds, as: 'bucket' };
  return { calls, perSeconds, burst, as: perSeconds < WINDOW_SECONDS_MIN ? 'bucket' : 'window' };
}

function isSame(one: Told | undefined, other: Told): boolean {
  return (
    one?.calls === other.calls && one.perSeconds === other.perSeconds && one.burst === other.burst
  );
}

/**
 * A bucket of `burst` that has `remaining` calls and is full again after `resetMs` refills at no
 * less than what is missing in that time. Whole seconds hide that: 1.25 of them are said as 2.
 */
function refined(told: Told, { remaining, resetMs }: Signal): Told {
  const { calls, perSeconds, burst, shown } = told;
  if (told.as !== 'bucket' || burst === undefined || perSeconds <= 1) return told;
  if (remaining === undefined || resetMs === undefined || resetMs < 1_000) return told;
  const atLeast = ((burst - remaining - 1) * 1_000) / resetMs;
  const atMost = calls / (perSeconds - 1);
  const better = Math.min(atLeast, atMost);
  return better > (shown ?? calls / perSeconds) ? { ...told, shown: better } : told;
}

/** After a refusal the same words are read more carefully; undefined when no way is left. */
function doubting(told: Told): Told | undefined {
  const { shown, ...said } = told;
  if (shown !== undefined) return said;
  return told.as === 'bucket' && told.burst !== undefined ? { ...said, as: 'window' } : undefined;
}

function toldPace({ calls, perSeconds, burst, as, shown }: Told): Pace {
  const perSecond = shown ?? calls / perSeconds;
  const wave = Math.max(1, Math.round(perSecond * WAVE_SECONDS));
  if (burst === undefined) return { intervalMs: 1_000 / (RATE_ALONE * perSecond), burst: wave };
  if (as === 'bucket') return paceOf({ calls: perSecond, perSeconds: 1, burst });
  const fits = Math.max(1, Math.min(wave, Math.floor(calls * WINDOW_PART)));
  // One by one, only jitter brings a call more into a window; in waves, a whole one may come.
  const spread = fits === 1 ? calls : calls - fits;
  return { intervalMs: ((perSeconds + JITTER_SECONDS) * 1_000) / spread, burst: fits };
}

/** A key nobody knows starts at one call a second. */
const RATE_FIRST = 1;
/** Faster than this a script cannot send anyway; slower, a refusal's own wait does the spacing. */
const RATE_MAX = 50;
const RATE_MIN = 1 / 60;

/**
 * A wave is what so many seconds bring: small beside any burst that a service may allow. Where an
 * execution alone cannot use the rate with such waves, they widen, as long as the service lets them.
 */
const WAVE_SECONDS_FIRST = 0.8;
/** Smaller while the rate doubles, as the last of these waves is mostly refused. */
const WAVE_SECONDS_DOUBLING = 0.5;
const WAVE_SECONDS_MAX = 1.6;
const WAVE_WIDER = 1.25;

/**
 * Until the first refusal the rate doubles each two seconds, seen at the booking next to them; then
 * it falls, and climbs slowly to the second.
 */
const DOUBLING_MS = 1_700;
const CLIMBING_MS = 3_000;
const CLIMB = 1.06;
const FALL = 0.55;

/** Of the measured rate so much is used. */
const HOLD = 0.97;
/**
 * Then a little more is tried: after half a minute at first, less often each time it fails, but a
 * quota that grew is not left unused for longer than five minutes.
 */
const PROBE_FIRST = 0.02;
const PROBE_MAX = 0.2;
const PROBE_MS_FIRST = 30_000;
const PROBE_MS_MAX = 300_000;
/** Tries that succeed grow, and follow each other faster: the quota may have grown. */
const PROBE_GROWS = 1.3;
const PROBE_FASTER = 1.5;
const PROBE_MS_MIN = 4_000;
/** Gone so far beyond what was measured, that has to be measured again. */
const GROWN = 1.25;
const GROWN_FALL = 0.75;
/** A try that failed may have been too much for a while, so the ones before it did not hold. */
const TRIES_LOST = 2;
const GROWN_TRIES_LOST = 4;

/** Calls slower than this share of the rate show nothing about it. */
const DRIVEN = 0.4;
/** Below this share, seen for so long, the size of the waves is what holds the calls up. */
const DRIVEN_WELL = 0.92;
const WIDENING_MS = 6_000;

/** A bucket is taken to hold what so many seconds bring, as most do. */
const BUCKET_SECONDS = 2;

/** An estimate on fewer calls, or on less time, is chance. */
const CALLS_MIN = 12;
const ESTIMATE_MS_MIN = 8_000;
/** Refused again so soon after it was measured, the quota has fallen. */
const SOON_MS = 15_000;
/** Then it is not taken to have fallen by less than this at first. */
const SOON_FALL = 0.9;

/** Of a small window no more than this is kept back. */
const WINDOW_SPARE = 0.2;

/** Calls since a moment. */
interface Count {
  readonly sinceMs: number;
  readonly calls: number;
}

interface Growth {
  /** Without a refusal yet; climbing to the second; or just under what was measured. */
  readonly phase: 'doubling' | 'climbing' | 'holding';
  /** Calls per second at present, and the seconds that one wave is worth. */
  readonly rate: number;
  readonly waveSeconds: number;
  readonly waveSecondsMax: number;
  /** Calls per second that the service was seen to allow. */
  readonly measured: number;
  /** The window that the service counts in, where a refusal showed one. */
  readonly windowMs: number;
  readonly probeMs: number;
  /** How often in a row the rate was raised above what was measured. */
  readonly raises: number;
  /** Since the rate was last changed, or calls began again. */
  readonly step: Count;
  /** Since the bucket was last empty, or as if it had been. */
  readonly segment: Count;
}

function firstGrowth(nowMs: number): Growth {
  return {
    phase: 'doubling',
    rate: RATE_FIRST,
    waveSeconds: WAVE_SECONDS_DOUBLING,
    waveSecondsMax: WAVE_SECONDS_MAX,
    measured: 0,
    windowMs: 0,
    probeMs: PROBE_MS_FIRST,
    raises: 0,
    ...begun(nowMs, 0),
  };
}

/** Counting begins anew, with what the bucket has saved up in `restMs`. */
function begun(nowMs: number, restMs: number): Pick<Growth, 'step' | 'segment'> {
  const savedMs = Math.min(restMs, BUCKET_SECONDS * 1_000);
  return {
    step: { sinceMs: nowMs, calls: 0 },
    segment: { sinceMs: nowMs - savedMs, calls: 0 },
  };
}

function waveOf({ rate, waveSeconds }: Pick<Growth, 'rate' | 'waveSeconds'>): number {
  return Math.max(1, Math.round(rate * waveSeconds));
}

/** `count` calls more. */
function counted(state: Growth, count: number): Growth {
  const { step, segment } = state;
  return {
    ...state,
    step: { ...step, calls: step.calls + count },
    segment: { ...segment, calls: segment.calls + count },
  };
}

/** The rate after what was accepted: raised when it was used and time has come. */
function grown(state: Growth, roomPerSecond: number, nowMs: number): Growth {
  const elapsedMs = nowMs - state.step.sinceMs;
  const share = (state.step.calls * 1_000) / (state.rate * elapsedMs);
  const anew = { ...state, step: { sinceMs: nowMs, calls: 0 } };
  if (elapsedMs >= WIDENING_MS && share >= DRIVEN && share < DRIVEN_WELL) {
    const waveSeconds = Math.max(
      state.waveSeconds * WAVE_WIDER,
      (waveOf(state) + 0.5) / state.rate,
    );
    if (state.phase === 'holding' && waveSeconds <= state.waveSecondsMax)
      return { ...anew, waveSeconds };
  }
  if (elapsedMs < stepMs(state)) return state;
  return share >= DRIVEN ? raised(anew, roomPerSecond) : anew;
}

function stepMs({ phase, probeMs, raises, windowMs }: Growth): number {
  if (phase === 'doubling') return DOUBLING_MS;
  if (phase === 'climbing') return CLIMBING_MS;
  // In a window that is not full yet, everything succeeds.
  const dueMs = raises === 0 ? probeMs : PROBE_MS_FIRST / PROBE_FASTER ** raises;
  return Math.max(PROBE_MS_MIN, 2 * windowMs, dueMs);
}

function raised(state: Growth, roomPerSecond: number): Growth {
  const { phase, rate, raises } = state;
  if (phase === 'holding')
    return { ...state, rate: bounded(rate * raiseOf(raises)), raises: raises + 1 };
  const isFree = phase === 'doubling' && rate * 2 <= roomPerSecond;
  return { ...state, rate: bounded(rate * (isFree ? 2 : CLIMB)) };
}

/** What the rate is multiplied by when so many tries in a row have succeeded. */
function raiseOf(raises: number): number {
  return 1 + Math.min(PROBE_MAX, PROBE_FIRST * PROBE_GROWS ** raises);
}

/** The rate that so many tries in a row lead to from the one that is held. */
function triedRate(measured: number, tries: number): number {
  let rate = HOLD * measured;
  for (let raises = 0; raises < tries; raises++) rate *= raiseOf(raises);
  return rate;
}

function bounded(rate: number): number {
  return Math.min(RATE_MAX, Math.max(RATE_MIN, rate));
}

function held(state: Growth, measured: number): Growth {
  const sane = bounded(measured);
  return { ...state, phase: 'holding', measured: sane, rate: bounded(HOLD * sane), raises: 0 };
}

/** Climbing slowly from a rate, with all that was measured forgotten. */
function climbing(state: Growth, rate: number): Growth {
  return {
    ...state,
    phase: 'climbing',
    rate: bounded(rate),
    waveSeconds: WAVE_SECONDS_FIRST,
    waveSecondsMax: WAVE_SECONDS_MAX,
    measured: 0,
    windowMs: 0,
    probeMs: PROBE_MS_FIRST,
    raises: 0,
  };
}

/** The rate after a refusal; the bucket is empty now, and was when the segment began. */
function fallen(state: Growth, nowMs: number): Growth {
  const { phase, rate, raises, measured, segment } = state;
  const elapsedMs = Math.max(1, nowMs - segment.sinceMs);
  const average = (segment.calls * 1_000) / elapsedMs;
  if (phase === 'doubling') return climbing(state, rate * FALL);
  const estimate = Math.min(rate, average);
  const isKnown = segment.calls >= CALLS_MIN && elapsedMs >= ESTIMATE_MS_MIN;
  const down = rate * Math.min(SOON_FALL, Math.max(FALL, average / rate));
  if (phase === 'climbing')
    return isKnown ? held(state, Math.max(measured, estimate)) : climbing(state, down);
  if (raises > 0) {
    if (rate > measured * GROWN) {
      const floor = Math.max(measured, triedRate(measured, raises - GROWN_TRIES_LOST));
      const { waveSeconds, waveSecondsMax } = state;
      const wave = { waveSeconds, waveSecondsMax };
      return { ...climbing(state, rate * GROWN_FALL), ...wave, measured: floor };
    }
    const known = Math.max(measured, triedRate(measured, raises - TRIES_LOST));
    return { ...held(state, known), probeMs: Math.min(PROBE_MS_MAX, 2 * state.probeMs) };
  }
  if (elapsedMs < SOON_MS) return climbing(state, down);
  if (average >= DRIVEN_WELL * rate || state.waveSeconds === WAVE_SECONDS_FIRST)
    return held(state, Math.min(estimate, measured * HOLD));
  const waveSeconds = Math.max(WAVE_SECONDS_FIRST, state.waveSeconds / WAVE_WIDER);
  return { ...state, waveSeconds, waveSecondsMax: waveSeconds };
}

/**
 * The rate of a window that granted so many calls until its end: one wave less, spread over it.
 * Few calls may be what others left of a window; the next one, seen from its beginning, decides.
 */
function windowed(state: Growth, granted: Count, endMs: number): Growth {
  const windowMs = Math.max(1_000, endMs - granted.sinceMs);
  if (granted.calls < CALLS_MIN && state.windowMs === 0)
    return { ...climbing(state, Math.min(state.rate, RATE_FIRST)), windowMs };
  const average = (granted.calls * 1_000) / windowMs;
  const wave = waveOf({ rate: average, waveSeconds: WAVE_SECONDS_FIRST });
  const kept = granted.calls - Math.min(wave, granted.calls * WINDOW_SPARE);
  const measured = bounded((kept * 1_000) / windowMs);
  return { ...climbing(state, measured), phase: 'holding', measured, windowMs };
}

/** What a person is shown: what was measured, once it was. */
function knownRate(state: Growth): { readonly perSecond: number; readonly sure: boolean } {
  return state.phase === 'holding'
    ? { perSecond: state.measured, sure: true }
    : { perSecond: state.rate, sure: false };
}

/** Longer without a call, beside two waves, is idleness: it shows nothing about the rate. */
const IDLE_MS = 5_000;

/** Calls on their way when a refusal comes are refused for the same reason, for so long. */
const ECHO_MS = 800;
const ANSWER_MS = 400;

/** After a stop the bucket may be emptier than thought: so many waves may still show that, once. */
const ECHO_WAVES = 2;

/** A wait longer than this, and than so many intervals, is that of a window, not of a bucket. */
const WINDOW_WAIT_MS = 5_000;
const WINDOW_WAIT_INTERVALS = 20;

/** While nothing at all is accepted, calls only ask whether it is over. */
const DRY_PER_SECOND = 1;

/** Of a told rate that was refused, so much is believed. */
const DOUBTED = 0.85;

/** What is known of one key's quota; small enough to be kept beside the gate's state. */
export interface Learned {
  readonly growth: Growth;
  /** What the service says, as long as it keeps to it. */
  readonly told?: Told;
  readonly doubted?: Told;
  /** What is left until the reset, per second: a bound on how fast the rate may double. */
  readonly room?: { readonly perSecond: number; readonly untilMs: number };
  /** The latest moment heard of; undefined before the first. */
  readonly lastMs?: number;
  /** Refusals until then belong to the one before. */
  readonly echoUntilMs: number;
  /** A refusal among the first waves after a stop was taken for an echo of it. */
  readonly echoed?: true;
  /** What was accepted up to the last refusal, and when that came. */
  readonly before?: Count & { readonly refusedMs: number };
  /** Nothing was accepted between the last two refusals. */
  readonly dry?: true;
}

export type LearningEvent =
  /** So many calls were accepted; or were booked, if `refused` takes back those that were not. */
  | { readonly kind: 'accepted'; readonly count: number }
  /** The service said stop, for `waitMs`; `count` of the calls told as accepted were not. */
  | { readonly kind: 'refused'; readonly waitMs?: number; readonly count?: number }
  | { readonly kind: 'signal'; readonly signal: Signal };

export function firstLearned(): Learned {
  return { growth: firstGrowth(0), echoUntilMs: 0 };
}

/** What is known after an event. Events may come a little out of order; a clock may step back. */
export function learn(state: Learned, event: LearningEvent, nowMs: number): Learned {
  switch (event.kind) {
    case 'accepted':
      return accepted(state, event.count, nowMs);
    case 'refused':
      return refused(state, event.waitMs ?? 0, event.count ?? 0, nowMs);
    case 'signal':
      return signalled(state, event.signal, nowMs);
  }
}

function accepted(state: Learned, count: number, nowMs: number): Learned {
  const lastMs = Math.max(state.lastMs ?? nowMs, nowMs);
  const sinceLastMs = state.lastMs === undefined ? Number.POSITIVE_INFINITY : lastMs - state.lastMs;
  const { growth } = state;
  if (state.told !== undefined) return { ...state, lastMs };
  if (sinceLastMs > IDLE_MS + (2_000 * waveOf(growth)) / growth.rate) {
    const { step, segment } = begun(nowMs, sinceLastMs);
    // The calls that begin a step are no evidence of how fast the others come.
    return { ...state, lastMs, growth: { ...growth, step, segment: { ...segment, calls: count } } };
  }
  const room =
    state.room === undefined || state.room.untilMs < nowMs
      ? Number.POSITIVE_INFINITY
      : state.room.perSecond;
  const isOver = state.dry && growth.segment.calls > 0 && nowMs > growth.step.sinceMs + 1_000;
  if (isOver) return flowing({ ...state, lastMs }, count, nowMs);
  const more = counted(growth, count);
  return { ...state, lastMs, growth: state.dry ? more : grown(more, room, nowMs) };
}

/** Calls are accepted again after a time when none was: that was the rest of a window. */
function flowing(state: Learned, count: number, nowMs: number): Learned {
  const { dry: _, before, ...rest } = state;
  const fresh = { ...state.growth, ...begun(nowMs, 0) };
  const isLong = before !== undefined && nowMs - before.refusedMs > WINDOW_WAIT_MS;
  return { ...rest, growth: counted(isLong ? windowed(fresh, before, nowMs) : fresh, count) };
}

function refused(state: Learned, waitMs: number, count: number, nowMs: number): Learned {
  const { growth, told, before } = state;
  const goesOnMs = Math.max(growth.step.sinceMs, nowMs + waitMs);
  const lastMs = Math.max(state.lastMs ?? 0, goesOnMs);
  const anew = begun(goesOnMs, goesOnMs - nowMs);
  const same = { ...state, lastMs, growth: { ...growth, ...anew } };
  if (nowMs <= state.echoUntilMs) return same;
  const echoUntilMs = nowMs + Math.max(waitMs, ECHO_MS) + ANSWER_MS;
  if (told !== undefined) return disproved({ ...same, echoUntilMs }, told);
  if (isEcho(state)) return { ...same, echoUntilMs, echoed: true };
  const segment = { ...growth.segment, calls: Math.max(0, growth.segment.calls - count) };
  if (segment.calls === 0) {
    const isDry = before !== undefined && nowMs - before.refusedMs >= WINDOW_WAIT_MS;
    return isDry ? dried({ ...same, echoUntilMs }) : { ...same, echoUntilMs };
  }
  const intervalMs = 1_000 / growth.rate;
  const isWindow = waitMs > WINDOW_WAIT_MS && waitMs > WINDOW_WAIT_INTERVALS * intervalMs;
  const lower = isWindow
    ? windowed(growth, segment, goesOnMs)
    : fallen({ ...growth, segment }, nowMs);
  const { dry: _, echoed: __, ...rest } = same;
  const counts = { ...segment, refusedMs: nowMs };
  const rate = Math.min(lower.rate, growth.rate);
  return { ...rest, echoUntilMs, before: counts, growth: { ...lower, ...anew, rate } };
}

/** Too little was called since the last refusal to show that what was measured is wrong. */
function isEcho({ growth, before, echoed }: Learned): boolean {
  const isFirst = before !== undefined && growth.segment.calls <= ECHO_WAVES * waveOf(growth);
  return isFirst && growth.phase === 'holding' && echoed === undefined;
}

/** Nothing is accepted for long: the rate is not what is wrong. */
function dried(state: Learned): Learned {
  const { growth } = state;
  const rate = Math.min(growth.rate, DRY_PER_SECOND);
  return { ...state, dry: true, growth: { ...growth, phase: 'climbing', rate } };
}

/** What was told is not so: it is read more carefully, or learned like anything else. */
function disproved(state: Learned, told: Told): Learned {
  const careful = doubting(told);
  if (careful !== undefined) return { ...state, told: careful };
  const { told: _, ...rest } = state;
  const perSecond = (DOUBTED * told.calls) / told.perSeconds;
  return { ...rest, doubted: told, growth: climbing(state.growth, perSecond) };
}

function signalled(state: Learned, signal: Signal, nowMs: number): Learned {
  const told = toldBy(signal);
  if (told !== undefined) {
    if (isSame(state.doubted, told)) return state;
    if (!isSame(state.told, told)) return { ...state, told };
    const better = refined(state.told ?? told, signal);
    return better === state.told ? state : { ...state, told: better };
  }
  const { remaining, resetMs } = signal;
  if (remaining === undefined || resetMs === undefined || resetMs <= 0) return state;
  const room = { perSecond: (remaining * 1_000) / resetMs, untilMs: nowMs + resetMs };
  return { ...state, room };
}

export function learnedPace(state: Learned): Pace {
  const { growth, told } = state;
  if (told !== undefined) return toldPace(told);
  return { intervalMs: 1_000 / growth.rate, burst: waveOf(growth) };
}

/** What a person is shown: so many calls per second, or per minute where they are fewer. */
export interface LearnedRate {
  readonly calls: number;
  readonly perSeconds: number;
  readonly sure: boolean;
}

export function describeLearned(state: Learned): LearnedRate {
  if (state.told !== undefined) {
    const { calls, perSeconds, shown } = state.told;
    if (shown === undefined) return { calls, perSeconds, sure: true };
    return { calls: Math.floor(shown * 10) / 10, perSeconds: 1, sure: true };
  }
  const { perSecond, sure } = knownRate(state.growth);
  return perSecond >= 1
    ? { calls: Math.round(perSecond * 10) / 10, perSeconds: 1, sure }
    : { calls: Math.max(1, Math.round(perSecond * 60)), perSeconds: 60, sure };
}
