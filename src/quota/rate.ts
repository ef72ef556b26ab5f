// The mathematics of the rate: slots, stops, and when to ask again. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';

/** What the operator grants: calls per period, of which `burst` may come at once. */
export interface Quota {
  readonly calls: number;
  readonly perSeconds: number;
  /**
   * If given, the service keeps a token bucket of this size. If left out, it may count per window.
   */
  readonly burst?: number;
}

/**
 * The spacing of calls: one each `intervalMs` on average and at most `burst` at the same moment.
 */
export interface Pace {
  readonly intervalMs: number;
  readonly burst: number;
  /**
   * A wave is paid for as a whole, full or not: the next one follows `burst` intervals after its
   * last call. Thus any stretch of N intervals holds at most N calls, where a bucket would allow N
   * and a burst.
   */
  readonly isWhole?: true;
  /** Set if the service stated the limit, whose statement is used until then, ms since 1970. */
  readonly untilMs?: number | undefined;
}

/**
 * How much closer two of our calls may get on their way: sending takes 20–90 ms, and in one of a
 * hundred cases up to 300 ms. Calls at the limit must still arrive within it.
 */
const JITTER_MS = 300;

/** With more calls in a wave, they would only wait for each other inside the platform. */
const WAVE_MAX = 100;

/**
 * The pace that never exceeds a quota.
 *
 * With a burst `b` the service refills a bucket at `r` calls a second. We keep that average and use
 * a burst that leaves room for jitter, `b - ceil(r * jitter)`. If that leaves none, calls go one by
 * one, so far apart that jitter cannot bring more than `b` together. Without a burst the service
 * may count any window of the period: see `windowPace`.
 *
 * @param together without a burst: how many simultaneous calls the service is known to accept.
 */
export function paceOf(quota: Quota, together = Number.POSITIVE_INFINITY): Pace {
  const { calls, perSeconds, burst } = quota;
  const periodMs = perSeconds * 1_000;
  if (burst === undefined) return windowPace(calls, periodMs, together);
  const intervalMs = periodMs / calls;
  if (burst <= 1) return { intervalMs: intervalMs + JITTER_MS, burst: 1 };
  const spare = Math.min(burst - 1, burst - Math.ceil(JITTER_MS / intervalMs), WAVE_MAX);
  if (spare >= 1) return { intervalMs, burst: spare };
  return { intervalMs: Math.max(intervalMs, JITTER_MS / (burst - 1)), burst: 1 };
}

/**
 * A wave is as large as this part of the period allows, so that bookings stay smooth and few
 * executions suffice.
 */
const WAVE_MS = 2_000;

/**
 * Google sends this many requests of a batch at once, and each further one only when one is
 * answered.
 */
const SENT_AT_ONCE = 20;

/** The share of calls that may stay unused in favour of larger waves. */
const UNUSED_MAX = 0.02;

/**
 * The pace at which at most `calls` arrive in any window of the period. Whatever is sent within the
 * period plus jitter may arrive within the period, if the first call is slow and the last one fast.
 * A sender that does not know when its calls arrive can therefore guarantee only `calls` in that
 * longer time. They are sent in waves of equal size at equal distances.
 */
function windowPace(calls: number, periodMs: number, together: number): Pace {
  const windowMs = periodMs + JITTER_MS;
  const fewest = Math.max(1, Math.ceil(periodMs / WAVE_MS));
  const largest = Math.max(1, Math.min(Math.floor(calls / fewest), SENT_AT_ONCE));
  for (let burst = Math.min(largest, together); ; burst -= 1) {
    const waves = Math.floor(calls / burst);
    const isTry = burst === together && together < largest;
    if (burst > 1 && !isTry && waves * burst < calls * (1 - UNUSED_MAX)) continue;
    const intervalMs = windowMs / (waves * burst);
    return burst > 1 ? { intervalMs, burst, isWhole: true } : { intervalMs, burst };
  }
}

/**
 * For a quota without a burst whose simultaneous calls were refused: each call must arrive alone,
 * however long the previous one takes on its way.
 */
export function spacedPace({ calls, perSeconds }: Quota): Pace {
  return { intervalMs: (perSeconds * 1_000) / calls + JITTER_MS, burst: 1 };
}

/**
 * Why no calls are made at present. `throttled` and `google-limit` end by themselves, the others
 * with a change of the connection.
 */
export const STOP_REASONS = [
  'throttled',
  'key-refused',
  'plan-used-up',
  'google-limit',
  /** The key came with a copy of its spreadsheet, and nobody has allowed its use here. */
  'copied',
  /** For formulas only: the key's owner limits their calls in a day. */
  'cells-limit',
] as const;

const stopSchema = lazySchema(() =>
  z.object({
    reason: z.literal(STOP_REASONS),
    untilMs: z.number(),
    /**
     * When calls resume, if that is known to be later; until then a single call tests it now and
     * then.
     */
    goesOnMs: z.exactOptional(z.number()),
    /** For `throttled`: the service is down with this status, and it is no limit of the key. */
    status: z.exactOptional(z.number()),
    /** No time was named that helps, so each such stop in a row is longer than the one before. */
    grows: z.exactOptional(z.literal(true)),
  }),
);

export type Stop = Fits<typeof stopSchema>;

export const pausesSchema = lazySchema(() =>
  z.object({
    /** How many came before the last one. */
    before: z.number(),
    sinceMs: z.number(),
    untilMs: z.number(),
  }),
);

/** Stops that grow, one after the other. */
type Pauses = Fits<typeof pausesSchema>;

/** No pause grows beyond this. */
const GROWN_MS_MAX = 300_000;

/** After this time without a refusal the next pause is a first one again. */
const PAUSES_OVER_MS = 600_000;

/**
 * The pause of a stop that grows: twice as long as the one before, unless an analysis came since
 * then. A refusal during a pause was on its way before and prolongs nothing.
 */
export function pausedBy(
  { untilMs }: Stop,
  last: Pauses | undefined,
  answeredMs: number,
  nowMs: number,
): Pauses {
  if (last !== undefined && nowMs < last.untilMs) return last;
  const isRow =
    last !== undefined && answeredMs < last.sinceMs && nowMs < last.untilMs + PAUSES_OVER_MS;
  const before = isRow ? last.before + 1 : 0;
  const forMs = Math.min(GROWN_MS_MAX, Math.max(0, untilMs - nowMs) * 2 ** before);
  return { before, sinceMs: nowMs, untilMs: Math.max(untilMs, nowMs + forMs) };
}

/** A refused key stays refused until a person changes it; this is longer than any key lasts. */
const REFUSED_MS = 10 * 365 * 24 * 3_600_000;

export function refusedKey(nowMs: number): Stop {
  return { reason: 'key-refused', untilMs: nowMs + REFUSED_MS };
}

const waveSchema = lazySchema(() =>
  z.object({
    atMs: z.number(),
    /** The size of the wave, and how many of its calls are not booked yet. */
    size: z.number(),
    left: z.number(),
  }),
);

type Wave = Fits<typeof waveSchema>;

/** What all executions share about one key. */
export const rateStateSchema = lazySchema(() =>
  z.object({
    /**
     * The theoretical arrival time: when the last booked call is due at the average pace, ms since
     * 1970.
     */
    tatMs: z.number(),
    stop: z.exactOptional(stopSchema()),
    /** The last booked wave, if waves are paid for as a whole or calls go one by one. */
    wave: z.exactOptional(waveSchema()),
  }),
);

export type RateState = Fits<typeof rateStateSchema>;

/** A request for up to `count` calls that go out together. */
export interface SlotRequest {
  /** 0 counts as one; more than a wave is reduced to one. */
  readonly count: number;
  /** No slot may be later than this, ms since 1970. */
  readonly deadlineMs: number;
  /**
   * How far ahead a slot may be, except that the next wave is always allowed; left out: up to the
   * deadline.
   */
  readonly horizonMs?: number;
  /** The earliest slot from now, for a caller with slow stores. Left out: the usual time. */
  readonly leadMs?: number;
}

type Slots =
  | { readonly kind: 'go'; readonly atMs: number; readonly count: number }
  | { readonly kind: 'late'; readonly atMs: number }
  /** The slot lies beyond the horizon, which will reach it at `askAtMs`. */
  | { readonly kind: 'early'; readonly atMs: number; readonly askAtMs: number }
  | { readonly kind: 'stopped'; readonly stop: Stop };

/**
 * Writing the state and releasing the lock takes about this long, so a slot "now" would be too
 * late.
 */
const LEAD_MS = 120;

/**
 * How many looks' time ahead a slot may be booked, if looks are so slow that two seconds are too
 * little for several workers to book one after the other.
 */
const HORIZON_LOOKS = 12;

/** @param slowestMs how long a look at the state takes this execution at present. */
export function requestFor(reach: Omit<SlotRequest, 'count'>, count: number, slowestMs: number) {
  const { horizonMs } = reach;
  return {
    ...{ ...reach, count },
    // Writing the state and releasing the lock takes this long.
    leadMs: Math.max(LEAD_MS, 2 * slowestMs),
    ...(horizonMs && { horizonMs: Math.max(horizonMs, HORIZON_LOOKS * slowestMs) }),
  };
}

/**
 * An execution that sends wave after wave books no slot further ahead than this. A newcomer then
 * hardly waits longer, and a lost state loses few bookings.
 */
export const HORIZON_MS = 2_000;

/** The longest pause after a lost state, whatever the rate. */
const PAUSE_MS_MAX = 6_000;

/** The most executions of one user that can wait with slots at the same time. */
export const EXECUTIONS_MAX = 30;

/** While one call tests whether calls may resume, the others stay stopped for this long. */
const LOOK_MS = 30_000;

/**
 * The state if the cache holds none: an empty bucket plus a pause that outlasts the bookings which
 * other executions may still hold.
 *
 * @param executions the most executions that may hold bookings; less than the maximum only if they
 * were seen just now.
 */
export function lostState(pace: Pace, nowMs: number, executions: number): RateState {
  const bookedAheadMs = Math.min(executions * pace.intervalMs, PAUSE_MS_MAX);
  const waveMs = pace.burst * pace.intervalMs;
  const pauseMs = Math.max(HORIZON_MS, Math.min(waveMs, PAUSE_MS_MAX), bookedAheadMs);
  return { tatMs: nowMs + pace.burst * pace.intervalMs + pauseMs };
}

/** The state of a key that is known to be idle, such as one just connected: a full bucket. */
export function idleState(nowMs: number): RateState {
  return { tatMs: nowMs };
}

/**
 * Books one wave.
 *
 * `late` if the slot is after the deadline, and `early` if it is beyond the horizon: nothing is
 * booked then, and `atMs` says when the slot would be. `stopped` while the key must not be used,
 * unless it is only throttled and usable again before the deadline. If a stop ends before calls
 * resume, a single call tests the key.
 */
export function book(
  state: RateState,
  request: SlotRequest,
  pace: Pace,
  nowMs: number,
): { readonly state: RateState; readonly slots: Slots } {
  const { stop } = state;
  const { leadMs = LEAD_MS } = request;
  const isStopped = stop !== undefined && stop.untilMs > nowMs;
  if (isStopped && (stop.reason !== 'throttled' || stop.untilMs + leadMs > request.deadlineMs))
    return { state, slots: { kind: 'stopped', stop } };
  const isLook = !isStopped && stop?.goesOnMs !== undefined && stop.goesOnMs > nowMs;
  const count = isLook ? 1 : Math.max(1, Math.min(request.count, pace.burst));
  const earliestMs = Math.max(nowMs + leadMs, stop?.untilMs ?? 0);
  const slot = slotFor(state, count, pace, earliestMs);
  const { atMs } = slot;
  if (atMs > request.deadlineMs)
    return { state, slots: { kind: 'late', atMs: Math.min(atMs, pace.untilMs ?? atMs) } };
  const askAtMs = atMs - horizonOf(pace, request.horizonMs);
  if (askAtMs > nowMs) return { state, slots: { kind: 'early', atMs, askAtMs } };
  const slots: Slots = { kind: 'go', atMs, count: slot.count };
  const { tatMs, wave } = slot;
  const booked = wave === undefined ? { tatMs } : { tatMs, wave };
  if (isLook) return { state: { ...booked, stop: { ...stop, untilMs: atMs + LOOK_MS } }, slots };
  return { state: isStopped ? { ...booked, stop } : booked, slots };
}

interface Slot {
  readonly atMs: number;
  readonly count: number;
  readonly tatMs: number;
  readonly wave?: Wave;
}

function slotFor(state: RateState, count: number, pace: Pace, earliestMs: number): Slot {
  const { intervalMs, burst } = pace;
  const joined = pace.isWhole && joinedWave(state, count, pace, earliestMs);
  if (joined) return joined;
  const paidMs = Math.max(paidUntilMs(state, pace), earliestMs, emptyUntilMs(state.stop, pace));
  if (pace.isWhole || burst === 1) {
    const wave = { atMs: paidMs, size: burst, left: burst - count };
    return { atMs: paidMs, count, tatMs: paidMs + burst * intervalMs, wave };
  }
  const tatMs = paidMs + count * intervalMs;
  return { atMs: Math.max(earliestMs, tatMs - burst * intervalMs), count, tatMs };
}

/**
 * Adds calls to the last wave as long as it has room. If that wave is already under way they follow
 * it, and the next wave waits correspondingly longer.
 */
function joinedWave(
  { tatMs, wave, stop }: RateState,
  count: number,
  { burst }: Pace,
  earliestMs: number,
): Slot | undefined {
  if (wave === undefined || wave.left === 0 || wave.size !== burst || stop !== undefined) return;
  if (earliestMs >= tatMs) return;
  const mine = Math.min(count, wave.left);
  const atMs = Math.max(wave.atMs, earliestMs);
  const next = { ...wave, atMs, left: wave.left - mine };
  return { atMs, count: mine, tatMs: tatMs + atMs - wave.atMs, wave: next };
}

/**
 * When the next wave may follow. If the size of waves changes, a window may contain parts of a wave
 * of the old size and of one of the new size, and needs room for both.
 */
function paidUntilMs({ tatMs, wave }: RateState, { burst, intervalMs, isWhole }: Pace): number {
  if (!isWhole || wave === undefined || wave.size === burst) return tatMs;
  return Math.max(tatMs, wave.atMs + (wave.size + burst - 1) * intervalMs);
}

/** A whole wave may always be booked, however long the key takes to pay for it. */
export function horizonOf(pace: Pace, horizonMs = Number.POSITIVE_INFINITY): number {
  return Math.max(horizonMs, pace.burst * pace.intervalMs);
}

/**
 * After a refusal the bucket is empty, and at the time that the service names it holds one call.
 */
function emptyUntilMs(stop: Stop | undefined, pace: Pace): number {
  return stop?.reason === 'throttled' ? stop.untilMs + (pace.burst - 1) * pace.intervalMs : 0;
}

/**
 * The state after the service said stop; the longer of two stops holds. Bookings are not moved, so
 * that nothing remains of a stop that a person ends.
 */
export function stopped(state: RateState, stop: Stop): RateState {
  const isLonger = state.stop !== undefined && state.stop.untilMs > stop.untilMs;
  return isLonger ? state : { ...state, stop };
}

/**
 * What an execution knows about its own last slot. Asking too early costs a lock and a cache read.
 */
export interface BookingBackOff {
  readonly slotMs: number;
  /**
   * How long after its slot the next one came within the horizon, because others have slots in
   * between.
   */
  readonly restMs: number;
}

export const NO_BACK_OFF: BookingBackOff = { slotMs: Number.NEGATIVE_INFINITY, restMs: 0 };

/** No slot is available before this, as far as this execution knows. */
export function askAgainMs({ slotMs, restMs }: BookingBackOff): number {
  return slotMs + restMs;
}

/**
 * A longer rest than this many horizons means a crowd that will pass, not a few workers taking
 * turns.
 */
const HORIZONS_MAX = 2;

/**
 * The back-off after an attempt to book: longer after asking too early, shorter after asking later
 * than necessary.
 */
export function backOffAfter(
  { slotMs, restMs }: BookingBackOff,
  slots: Slots,
  horizonMs: number,
): BookingBackOff {
  if (slots.kind === 'early') {
    const neededMs = slots.askAtMs - slotMs;
    return { slotMs, restMs: neededMs > HORIZONS_MAX * horizonMs ? 0 : neededMs };
  }
  if (slots.kind !== 'go') return { slotMs, restMs };
  const reachedMs = Math.max(0, slots.atMs - horizonMs - slotMs);
  return { slotMs: slots.atMs, restMs: Math.min(restMs, reachedMs) };
}
