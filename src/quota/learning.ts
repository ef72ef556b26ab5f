// Learns how fast a key may call when the operator does not say: from headers, answers and refusals. Pure.

import {
  begun,
  type Count,
  climbing,
  counted,
  fallen,
  firstGrowth,
  type Growth,
  grown,
  knownRate,
  waveOf,
  windowed,
} from './learning-growth';
import {
  doubting,
  isSame,
  refined,
  type Signal,
  type Told,
  toldBy,
  toldPace,
} from './learning-told';
import type { Pace } from './rate';

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
