// Learns a limit that nobody stated, from headers or by probing. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { type Pace, paceOf } from './rate';

/** What one answer says about the quota; members it does not mention are left out. */
export interface Signal {
  /**
   * The number of calls in `perSeconds`. Without `perSeconds` it is a limit whose window is
   * unknown.
   */
  readonly calls?: number;
  readonly perSeconds?: number;
  /** How many of them may come at once. */
  readonly burst?: number;
  /** The calls left at present, and the time until all are available again. */
  readonly remaining?: number;
  readonly resetMs?: number;
}

const advertisedSchema = lazySchema(() =>
  z.object({
    calls: z.number(),
    perSeconds: z.number(),
    burst: z.exactOptional(z.number()),
    /**
     * Whether the limit is a bucket that refills in the stated time or a window of that length;
     * services word both alike.
     */
    as: z.literal(['bucket', 'window']),
    /** Calls per second deduced from resets, if higher: services round seconds up. */
    shown: z.exactOptional(z.number()),
    /**
     * When the statement is discarded, ms since 1970. Something misread or stated by mistake must
     * not last for ever.
     */
    untilMs: z.number(),
  }),
);

type Advertised = Fits<typeof advertisedSchema>;

/** A slower rate than one call a day, or a faster one than this, was misread. */
const PER_SECOND_MIN = 1 / 86_400;
const PER_SECOND_MAX = 10_000;

/** Treating a limit this long as a window costs next to nothing even if it is a bucket. */
const WINDOW_SECONDS_MIN = 10;

/**
 * A rate stated without a burst is used slightly below its value, in waves of this many seconds.
 */
const RATE_ALONE = 0.97;
const WAVE_SECONDS = 0.8;

/** The time that jitter may shift a call into a window. */
const JITTER_SECONDS = 0.3;

/** The largest part of a window that is sent at once. */
const WINDOW_PART = 0.2;

/** How long a service's statement about its limit is used before it is read again. */
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
 * Refines a rate by a reset: a bucket of `burst` with `remaining` calls that is full after
 * `resetMs` refills at least at the missing amount over that time. Statements in whole seconds hide
 * this, since 1.25 s is stated as 2.
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

/** The more careful reading of a statement after a refusal; undefined if there is none left. */
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
  // Single calls can exceed a window only by jitter; with waves, a whole one may.
  const spread = fits === 1 ? calls : calls - fits;
  return { intervalMs: ((perSeconds + JITTER_SECONDS) * 1_000) / spread, burst: fits };
}

/** The first rate for an unknown key, in calls per second. */
const RATE_FIRST = 1;
/**
 * A script cannot send faster than the maximum; below the minimum, the waits of refusals do the
 * spacing.
 */
const RATE_MAX = 50;
const RATE_MIN = 1 / 60;

/** While the rate doubles, most of the last wave is refused, so waves are smaller. */
const WAVE_SECONDS_DOUBLING = 0.5;
/** Waves become larger if an execution alone cannot use up the rate with them. */
const WAVE_SECONDS_MAX = 1.6;
const WAVE_WIDER = 1.25;
const WIDENING_MS = 6_000;
const DRIVEN_WELL = 0.92;
/**
 * If a refusal follows this soon after the measurement, the quota has fallen, by at least this
 * factor.
 */
const SOON_MS = 15_000;
const SOON_FALL = 0.9;

/** The rate doubles until the first refusal, then falls, and climbs until the second. */
const DOUBLING_MS = 1_700;
const FALL = 0.55;
const CLIMBING_MS = 3_000;
const CLIMB = 1.06;

/** The share of the measured rate that is used. */
const HOLD = 0.97;
/**
 * From time to time a slightly higher rate is probed: first after half a minute, and less often
 * each time it fails, but at least every five minutes, so that a quota that has grown does not stay
 * unused for longer.
 */
const PROBE = 0.02;
const PROBE_MAX = 0.2;
const PROBE_MS = 30_000;
const PROBE_MS_MAX = 300_000;
const PROBE_MS_MIN = 4_000;
/** Successful probes become larger and follow each other faster. */
const PROBE_GROWS = 1.3;
const PROBE_FASTER = 1.5;
/** If the rate has grown this far beyond the measured one, it is measured again. */
const GROWN = 1.25;
const GROWN_FALL = 0.75;

/** A failed probe may still have been accepted for a while, so this share of it is kept. */
const TRIED = 0.92;

/** Calls at less than this share of the rate show nothing about it. */
const DRIVEN = 0.4;
/** An estimate from fewer calls, or over less time, is unreliable. */
const CALLS_MIN = 12;
const ESTIMATE_MS_MIN = 8_000;
/** A bucket is assumed to hold the calls of this much time, as most do. */
const BUCKET_MS = 2_000;
/** A longer wait belongs to a window rather than a bucket. */
const WINDOW_WAIT_MS = 5_000;
/**
 * A longer time without calls, in addition to two waves, is idle time and shows nothing about the
 * rate.
 */
const IDLE_MS = 5_000;
/** For this long, further refusals are attributed to calls that were already on their way. */
const ECHO_MS = 1_200;
/**
 * After a stop the bucket may be emptier than assumed, so a refusal among this many waves is
 * excused, once.
 */
const ECHO_WAVES = 2;

/** The share of a stated rate that is still assumed after it was refused. */
const DOUBTED = 0.85;

/** Calls since a moment. */
const countSchema = lazySchema(() => z.object({ sinceMs: z.number(), calls: z.number() }));

type Count = Fits<typeof countSchema>;

/** What is known about one key's quota; small enough to be stored in the gate's state. */
export const learnedSchema = lazySchema(() =>
  z.object({
    /** The present rate in calls per second. */
    rate: z.number(),
    /** No refusal yet; climbing to the second refusal; or holding just below the measured rate. */
    phase: z.literal(['doubling', 'climbing', 'holding']),
    /** The size of a wave in seconds of the rate. */
    waveSeconds: z.number(),
    /** The rate that the service was seen to accept, in calls per second. */
    measured: z.number(),
    /** The time until the next probe, and how many probes have succeeded in a row. */
    probeMs: z.number(),
    raises: z.number(),
    /** Calls since the rate last changed, or since calls resumed. */
    step: countSchema(),
    /**
     * Calls from the end of one stop to the end of the next: what the service accepts in that time.
     */
    segment: countSchema(),
    /** The previous segment. */
    before: z.exactOptional(countSchema()),
    /** Set if a refusal among the first waves after a stop was attributed to that stop. */
    echoed: z.exactOptional(z.literal(true)),
    /** The service's statement, while it proves right. */
    told: z.exactOptional(advertisedSchema()),
    doubted: z.exactOptional(advertisedSchema()),
    /** The latest moment of any event; undefined before the first. */
    lastMs: z.exactOptional(z.number()),
    /** Refusals up to this moment belong to the previous one. */
    echoUntilMs: z.number(),
  }),
);

export type Learned = Fits<typeof learnedSchema>;

export type LearningEvent =
  /** This many calls were accepted, or were booked and may be taken back by a `refused`. */
  | { readonly kind: 'accepted'; readonly count: number }
  /**
   * The service refused calls and asks to wait for `waitMs`; `count` of the calls reported as
   * accepted were not.
   */
  | { readonly kind: 'refused'; readonly waitMs?: number; readonly count?: number }
  | { readonly kind: 'signal'; readonly signal: Signal };

export function firstLearned(): Learned {
  const none = { sinceMs: 0, calls: 0 };
  const counts = { step: none, segment: none, echoUntilMs: 0 };
  const wave = { waveSeconds: WAVE_SECONDS_DOUBLING, measured: 0 };
  return { rate: RATE_FIRST, phase: 'doubling', ...wave, probeMs: PROBE_MS, raises: 0, ...counts };
}

/**
 * The knowledge after an event. Events may arrive slightly out of order, and a clock may step back.
 */
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

/** Whether the service's statement about its limit has expired. */
export function isAdvertisedOver({ told, doubted }: Learned, nowMs: number): boolean {
  return Math.min(told?.untilMs ?? Infinity, doubted?.untilMs ?? Infinity) <= nowMs;
}

export const believed = (state: Learned, nowMs: number): Learned =>
  isAdvertisedOver(state, nowMs) ? withoutAdvertised(state) : state;

/** Without the service's statements about its limit. */
export function withoutAdvertised({ told: _, doubted: __, ...state }: Learned): Learned {
  return state;
}

function accepted(state: Learned, count: number, nowMs: number): Learned {
  const lastMs = Math.max(state.lastMs ?? nowMs, nowMs);
  if (state.told !== undefined) return { ...state, lastMs };
  const isIdle = lastMs - (state.lastMs ?? 0) > IDLE_MS + (2_000 * waveOf(state)) / state.rate;
  const { step, segment } = isIdle ? begun(nowMs, BUCKET_MS) : state;
  const next = { ...state, lastMs, segment: { ...segment, calls: segment.calls + count } };
  // Calls that begin a step say nothing about the speed of the others.
  return isIdle ? { ...next, step } : raised(next, { ...step, calls: step.calls + count }, nowMs);
}

const begun = (sinceMs: number, savedMs: number) => ({
  step: { sinceMs, calls: 0 },
  segment: { sinceMs: sinceMs - savedMs, calls: 0 },
});

/** Raises the rate if it was used to the full and it is time. */
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
  // If no call lies between two refusals, the first stop continues, as that of a window does.
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

/** The rate after a refusal, by what was accepted until then. */
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

/**
 * The service's statement proved wrong: it is read more carefully, or the rate is learned by
 * probing.
 */
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

/** The rate as a person sees it: calls per second, or per minute if there are fewer. */
export interface LearnedRate {
  readonly calls: number;
  readonly perSeconds: number;
  readonly sure: boolean;
  /** Set if the service stated it: how long the statement is used, ms since 1970. */
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
