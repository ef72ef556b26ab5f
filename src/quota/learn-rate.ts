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

interface Advertised {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst?: number;
  /** A bucket that fills in the time said, or a window of that length? Both are said alike. */
  readonly as: 'bucket' | 'window';
  /** Calls per second that resets have shown, where they are more: seconds are said rounded up. */
  readonly shown?: number;
  /** What was misread, or said by mistake, must not hold for good. */
  readonly untilMs: number;
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

/** What a service says of its limit holds so long, and is then heard anew. */
const TOLD_MS = 6 * 3_600_000;

export function advertisedBy(
  { calls, perSeconds, burst }: Signal,
  nowMs: number,
): Advertised | undefined {
  if (calls === undefined || perSeconds === undefined) return undefined;
  const perSecond = calls / perSeconds;
  if (!(calls >= PER_SECOND_MIN && perSeconds >= 1 / PER_SECOND_MAX)) return undefined;
  if (!(perSecond >= PER_SECOND_MIN && perSecond <= PER_SECOND_MAX)) return undefined;
  const said = { calls, perSeconds, untilMs: nowMs + TOLD_MS };
  if (burst === undefined) return { ...said, as: 'bucket' };
  return { ...said, burst, as: perSeconds < WINDOW_SECONDS_MIN ? 'bucket' : 'window' };
}

function isSame(one: Advertised | undefined, other: Advertised): boolean {
  return (
    one?.calls === other.calls && one.perSeconds === other.perSeconds && one.burst === other.burst
  );
}

/**
 * A bucket of `burst` that has `remaining` calls and is full again after `resetMs` refills at no
 * less than what is missing in that time. Whole seconds hide that: 1.25 of them are said as 2.
 */
function refined(told: Advertised, { remaining, resetMs }: Signal): Advertised {
  const { calls, perSeconds, burst, shown } = told;
  if (told.as !== 'bucket' || burst === undefined || perSeconds <= 1) return told;
  if (remaining === undefined || resetMs === undefined || resetMs < 1_000) return told;
  const atLeast = ((burst - remaining - 1) * 1_000) / resetMs;
  const atMost = calls / (perSeconds - 1);
  const better = Math.min(atLeast, atMost);
  return better > (shown ?? calls / perSeconds) ? { ...told, shown: better } : told;
}

/** After a refusal the same words are read more carefully; undefined when no way is left. */
function doubting(told: Advertised): Advertised | undefined {
  const { shown, ...said } = told;
  if (shown !== undefined) return said;
  return told.as === 'bucket' && told.burst !== undefined ? { ...said, as: 'window' } : undefined;
}

function toldPace({ calls, perSeconds, burst, as, shown }: Advertised): Pace {
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

/** While the rate doubles the last wave is mostly refused, so waves are smaller. */
const WAVE_SECONDS_DOUBLING = 0.5;
/** Where an execution alone cannot use the rate with its waves, they widen. */
const WAVE_SECONDS_MAX = 1.6;
const WAVE_WIDER = 1.25;
const WIDENING_MS = 6_000;
const DRIVEN_WELL = 0.92;
/** Refused again so soon after it was measured, the quota has fallen, and not by less than this. */
const SOON_MS = 15_000;
const SOON_FALL = 0.9;

/** The rate doubles until the first refusal, falls, and climbs to the second. */
const DOUBLING_MS = 1_700;
const FALL = 0.55;
const CLIMBING_MS = 3_000;
const CLIMB = 1.06;

/** Of the rate that was measured so much is used. */
const HOLD = 0.97;
/**
 * Then a little more is tried: after half a minute at first, less often each time it fails, but a
 * quota that grew is not left unused for longer than five minutes.
 */
const PROBE = 0.02;
const PROBE_MAX = 0.2;
const PROBE_MS = 30_000;
const PROBE_MS_MAX = 300_000;
const PROBE_MS_MIN = 4_000;
/** Tries that succeed grow, and follow each other faster. */
const PROBE_GROWS = 1.3;
const PROBE_FASTER = 1.5;
/** Gone so far beyond what was measured, that has to be measured again. */
const GROWN = 1.25;
const GROWN_FALL = 0.75;

/** A try that failed may have been too much for a while: so much of it is believed. */
const TRIED = 0.92;

/** Calls slower than this share of the rate show nothing about it. */
const DRIVEN = 0.4;
/** An estimate on fewer calls, or on less time, is chance. */
const CALLS_MIN = 12;
const ESTIMATE_MS_MIN = 8_000;
/** A bucket is taken to hold what so much time brings, as most do. */
const BUCKET_MS = 2_000;
/** A wait longer than this is that of a window, not of a bucket. */
const WINDOW_WAIT_MS = 5_000;
/** Longer without a call, beside two waves, is idleness: it shows nothing about the rate. */
const IDLE_MS = 5_000;
/** Calls on their way when a refusal comes are refused for the same reason, for so long. */
const ECHO_MS = 1_200;
/** After a stop the bucket may be emptier than thought: so many waves may still show that, once. */
const ECHO_WAVES = 2;

/** Of a told rate that was refused, so much is believed. */
const DOUBTED = 0.85;

/** Calls since a moment. */
interface Count {
  readonly sinceMs: number;
  readonly calls: number;
}

/** What is known of one key's quota; small enough to be kept beside the gate's state. */
export interface Learned {
  /** Calls per second at present. */
  readonly rate: number;
  /** Without a refusal yet; climbing to the second; or just under what was measured. */
  readonly phase: 'doubling' | 'climbing' | 'holding';
  /** The seconds that a wave is worth. */
  readonly waveSeconds: number;
  /** Calls per second that the service was seen to allow. */
  readonly measured: number;
  /** Until the next try for more, and how many in a row have succeeded. */
  readonly probeMs: number;
  readonly raises: number;
  /** Since the rate was last changed, or calls began again. */
  readonly step: Count;
  /** From the end of one stop to the end of the next: what the service grants in that time. */
  readonly segment: Count;
  /** The one before. */
  readonly before?: Count;
  /** A refusal among the first waves after a stop was taken for an echo of it. */
  readonly echoed?: true;
  /** What the service says, as long as it keeps to it. */
  readonly told?: Advertised;
  readonly doubted?: Advertised;
  /** The latest moment heard of; undefined before the first. */
  readonly lastMs?: number;
  /** Refusals until then belong to the one before. */
  readonly echoUntilMs: number;
}

export type LearningEvent =
  /** So many calls were accepted; or were booked, if `refused` takes back those that were not. */
  | { readonly kind: 'accepted'; readonly count: number }
  /** The service said stop, for `waitMs`; `count` of the calls told as accepted were not. */
  | { readonly kind: 'refused'; readonly waitMs?: number; readonly count?: number }
  | { readonly kind: 'signal'; readonly signal: Signal };

export function firstLearned(): Learned {
  const none = { sinceMs: 0, calls: 0 };
  const counts = { step: none, segment: none, echoUntilMs: 0 };
  const wave = { waveSeconds: WAVE_SECONDS_DOUBLING, measured: 0 };
  return { rate: RATE_FIRST, phase: 'doubling', ...wave, probeMs: PROBE_MS, raises: 0, ...counts };
}

/** What is known after an event. Events may come a little out of order; a clock may step back. */
export function learn(state: Learned, event: LearningEvent, nowMs: number): Learned {
  const known = believed(state, nowMs);
  switch (event.kind) {
    case 'accepted':
      return accepted(known, event.count, nowMs);
    case 'refused':
      return refused(known, event.waitMs ?? 0, event.count ?? 0, nowMs);
    case 'signal':
      return signalled(known, event.signal, nowMs);
  }
}

/** What the service said of its limit has held long enough. */
export function isAdvertisedOver({ told, doubted }: Learned, nowMs: number): boolean {
  return Math.min(told?.untilMs ?? Infinity, doubted?.untilMs ?? Infinity) <= nowMs;
}

export const believed = (state: Learned, nowMs: number): Learned =>
  isAdvertisedOver(state, nowMs) ? withoutAdvertised(state) : state;

/** Without what the service said of its limit. */
export function withoutAdvertised({ told: _, doubted: __, ...state }: Learned): Learned {
  return state;
}

function accepted(state: Learned, count: number, nowMs: number): Learned {
  const lastMs = Math.max(state.lastMs ?? nowMs, nowMs);
  if (state.told !== undefined) return { ...state, lastMs };
  const isIdle = lastMs - (state.lastMs ?? 0) > IDLE_MS + (2_000 * waveOf(state)) / state.rate;
  const { step, segment } = isIdle ? begun(nowMs, BUCKET_MS) : state;
  const next = { ...state, lastMs, segment: { ...segment, calls: segment.calls + count } };
  // The calls that begin a step are no evidence of how fast the others come.
  return isIdle ? { ...next, step } : raised(next, { ...step, calls: step.calls + count }, nowMs);
}

const begun = (sinceMs: number, savedMs: number) => ({
  step: { sinceMs, calls: 0 },
  segment: { sinceMs: sinceMs - savedMs, calls: 0 },
});

/** The rate after what was accepted: raised when it was used and time has come. */
function raised(state: Learned, step: Count, nowMs: number): Learned {
  const { rate, phase, raises, waveSeconds } = state;
  const elapsedMs = nowMs - step.sinceMs;
  const share = (step.calls * 1_000) / (rate * elapsedMs);
  const anew = { ...state, step: { sinceMs: nowMs, calls: 0 } };
  const isNarrow = phase === 'holding' && share >= DRIVEN && share < DRIVEN_WELL;
  if (isNarrow && elapsedMs >= WIDENING_MS && waveSeconds < WAVE_SECONDS_MAX)
    return { ...anew, waveSeconds: waveSeconds * WAVE_WIDER };
  if (elapsedMs < stepMs(state)) return { ...state, step };
  if (share < DRIVEN) return anew;
  if (phase === 'doubling') return { ...anew, rate: bounded(2 * rate) };
  if (phase === 'climbing') return { ...anew, rate: bounded(CLIMB * rate) };
  const more = Math.min(PROBE_MAX, PROBE * PROBE_GROWS ** raises);
  return { ...anew, rate: bounded((1 + more) * rate), raises: raises + 1 };
}

function stepMs({ phase, probeMs, raises }: Learned): number {
  if (phase === 'doubling') return DOUBLING_MS;
  if (phase === 'climbing') return CLIMBING_MS;
  return raises === 0 ? probeMs : Math.max(PROBE_MS_MIN, PROBE_MS / PROBE_FASTER ** raises);
}

const bounded = (rate: number) => Math.min(RATE_MAX, Math.max(RATE_MIN, rate));

function refused(state: Learned, waitMs: number, count: number, nowMs: number): Learned {
  const { told, step, segment, before, phase } = state;
  const goesOnMs = Math.max(step.sinceMs, nowMs + waitMs);
  const lastMs = Math.max(state.lastMs ?? 0, goesOnMs);
  const savedMs = waitMs > WINDOW_WAIT_MS ? 0 : Math.min(goesOnMs - nowMs, BUCKET_MS);
  const same = { ...state, ...begun(goesOnMs, savedMs), lastMs };
  if (nowMs <= state.echoUntilMs) return same;
  const known = { ...same, echoUntilMs: goesOnMs + ECHO_MS };
  if (told !== undefined) return disproved(known, told);
  const calls = segment.calls - count;
  const isFirst = calls > 0 && segment.calls <= ECHO_WAVES * waveOf(state);
  if (phase === 'holding' && isFirst && !state.echoed) return { ...known, echoed: true };
  // Without a call between two refusals the stop of the first goes on: that of a window.
  const granted = calls > 0 ? { ...segment, calls } : before;
  if (granted === undefined) return known;
  const isWindow = waitMs > WINDOW_WAIT_MS || calls <= 0;
  const lower = fallen(state, granted, isWindow, isWindow ? goesOnMs : nowMs);
  const { echoed: _, ...rest } = known;
  return { ...rest, before: granted, ...lower, rate: bounded(Math.min(state.rate, lower.rate)) };
}

type Fallen = Pick<Learned, 'rate'> & Partial<Learned>;

const climbing = (rate: number): Fallen => ({
  ...{ rate, phase: 'climbing', measured: 0, raises: 0, probeMs: PROBE_MS },
  waveSeconds: WAVE_SECONDS,
});

const held = (most: number): Fallen => ({
  ...{ rate: HOLD * bounded(most), phase: 'holding', measured: bounded(most), raises: 0 },
});

/** The rate after a refusal, by what was granted until then. */
function fallen(state: Learned, granted: Count, isWindow: boolean, endMs: number): Fallen {
  const { rate, phase, measured, raises, probeMs, waveSeconds } = state;
  const elapsedMs = Math.max(1, endMs - granted.sinceMs);
  const average = Math.min(rate, (granted.calls * 1_000) / elapsedMs);
  const isKnown = granted.calls >= CALLS_MIN && elapsedMs >= ESTIMATE_MS_MIN;
  if (isWindow) return isKnown ? held(average) : climbing(Math.min(rate, RATE_FIRST));
  if (phase === 'doubling') return climbing(FALL * rate);
  const isSoon = raises === 0 && elapsedMs < SOON_MS;
  if (phase === 'climbing' ? !isKnown : isSoon)
    return climbing(rate * Math.min(SOON_FALL, Math.max(FALL, average / rate)));
  if (phase === 'climbing') return held(Math.max(measured, average));
  if (raises === 0) {
    const isWave = waveSeconds > WAVE_SECONDS;
    return { ...held(isWave ? measured : HOLD * measured), waveSeconds: WAVE_SECONDS };
  }
  if (rate > GROWN * measured) return { ...climbing(GROWN_FALL * rate), measured };
  const slower = { probeMs: Math.min(PROBE_MS_MAX, 2 * probeMs) };
  return { ...held(Math.max(measured, average, TRIED * rate)), ...slower };
}

/** What was told is not so: it is read more carefully, or learned like anything else. */
function disproved(state: Learned, told: Advertised): Learned {
  const careful = doubting(told);
  if (careful !== undefined) return { ...state, told: careful };
  const { told: _, ...rest } = state;
  const rate = bounded((DOUBTED * told.calls) / told.perSeconds);
  return { ...rest, doubted: told, ...climbing(rate) };
}

function signalled(state: Learned, signal: Signal, nowMs: number): Learned {
  const told = advertisedBy(signal, nowMs);
  if (told === undefined || isSame(state.doubted, told)) return state;
  if (!isSame(state.told, told)) return { ...state, told };
  const better = refined(state.told ?? told, signal);
  return better === state.told ? state : { ...state, told: better };
}

export function learnedPace(state: Learned): Pace {
  if (state.told !== undefined) return toldPace(state.told);
  return { intervalMs: 1_000 / state.rate, burst: waveOf(state) };
}

function waveOf({ rate, waveSeconds }: Learned): number {
  return Math.max(1, Math.round(rate * waveSeconds));
}

/** What a person is shown: so many calls per second, or per minute where they are fewer. */
export interface LearnedRate {
  readonly calls: number;
  readonly perSeconds: number;
  readonly sure: boolean;
  /** It is the service's own word, which is believed until then. */
  readonly toldUntilMs?: number;
}

export function describeLearned({ told, phase, measured, rate }: Learned): LearnedRate {
  const by = told && { toldUntilMs: told.untilMs };
  if (told !== undefined && told.shown === undefined)
    return { calls: told.calls, perSeconds: told.perSeconds, sure: true, ...by };
  const sure = told !== undefined || phase === 'holding';
  const perSecond = told?.shown ?? (sure ? measured : rate);
  return perSecond >= 1
    ? { calls: Math.round(perSecond * 10) / 10, perSeconds: 1, sure, ...by }
    : { calls: Math.max(1, Math.round(perSecond * 60)), perSeconds: 60, sure, ...by };
}
