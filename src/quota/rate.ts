// The mathematics of the gate: when the next calls may go out. Pure: state in, state and slots out.

/** What the operator granted: so many calls per period, of which `burst` may come at once. */
export interface Quota {
  readonly calls: number;
  readonly perSeconds: number;
  /** Given: the service keeps a token bucket of this size. Left out: it may count per window. */
  readonly burst?: number;
}

/** How calls are spaced: one each `intervalMs` on average, at most `burst` at the same moment. */
export interface Pace {
  readonly intervalMs: number;
  readonly burst: number;
}

/**
 * How far apart two calls of ours may come closer on their way: sending takes 20–90 ms, in one of a
 * hundred cases up to 300 ms. What we send at the limit must still arrive within it.
 */
const JITTER_MS = 300;

/** With no quota given and nothing learned: slow enough for any key a seller is likely to get. */
export const CAREFUL: Quota = { calls: 60, perSeconds: 60 };

/**
 * The pace that never breaks a quota.
 *
 * With a burst `b` the service refills a bucket at `r` calls a second: we keep its average and use a
 * burst that leaves room for what jitter squeezes together, `b - ceil(r * jitter)`. Where that leaves
 * none, each call keeps the whole jitter's distance besides.
 * Without a burst it may count any window of the period, so no window may hold more than `calls`:
 * calls come one by one, the period stretched by the jitter.
 */
export function paceOf({ calls, perSeconds, burst }: Quota): Pace {
  const periodMs = perSeconds * 1_000;
  if (burst === undefined) return { intervalMs: (periodMs + JITTER_MS) / calls, burst: 1 };
  const intervalMs = periodMs / calls;
  const spare = Math.min(burst - 1, burst - Math.ceil(JITTER_MS / intervalMs));
  return spare < 1
    ? { intervalMs: intervalMs + JITTER_MS, burst: 1 }
    : { intervalMs, burst: spare };
}

/** Why nobody calls at present. `throttled` ends by itself; the others end with the connection. */
export type StopReason = 'throttled' | 'key-refused' | 'plan-used-up';

export interface Stop {
  readonly reason: StopReason;
  readonly untilMs: number;
}

/** What all executions share about one key. */
export interface RateState {
  /** Theoretical arrival time: when the last booked call would be due at the average pace. */
  readonly tatMs: number;
  readonly stop?: Stop;
}

export type Slots =
  | { readonly kind: 'go'; readonly atMs: number; readonly count: number }
  | { readonly kind: 'late'; readonly atMs: number }
  | { readonly kind: 'stopped'; readonly stop: Stop };

/** Putting the state back and letting the lock go takes about so long: a slot "now" would be late. */
const LEAD_MS = 120;

/** No wave is booked further ahead than this: it bounds what a newcomer waits. */
export const HORIZON_MS = 2_000;

/** The longest pause after lost state, whatever the rate. */
const PAUSE_MS_MAX = 6_000;

/** So many executions of a user can be waiting with slots of their own. */
const EXECUTIONS_MAX = 30;

/**
 * The state when the cache holds none: an empty bucket plus a pause that outlasts the bookings which
 * other executions may still hold.
 */
export function lostState(pace: Pace, nowMs: number): RateState {
  const bookedAheadMs = Math.min(EXECUTIONS_MAX * pace.intervalMs, PAUSE_MS_MAX);
  const waveMs = pace.burst * pace.intervalMs;
  const pauseMs = Math.max(HORIZON_MS, Math.min(waveMs, PAUSE_MS_MAX), bookedAheadMs);
  return { tatMs: nowMs + (pace.burst - 1) * pace.intervalMs + pauseMs };
}

/** The state of a key that is known to be idle, such as one just connected: a full bucket. */
export function idleState(nowMs: number): RateState {
  return { tatMs: nowMs };
}

/**
 * Books up to `count` calls that go out together.
 *
 * `late` when the slot lies past `deadlineMs` or past `horizonMs` from now: nothing is booked, and
 * `atMs` says when a slot would be. `stopped` while the key must not be used at all.
 * A request of no calls, or of more than one wave, is cut to one wave.
 */
export function book(
  state: RateState,
  request: { readonly count: number; readonly deadlineMs: number },
  pace: Pace,
  nowMs: number,
): { readonly state: RateState; readonly slots: Slots } {
  const stop = state.stop;
  if (stop !== undefined && stop.untilMs > nowMs) {
    const ends = stop.reason === 'throttled' && stop.untilMs + LEAD_MS <= request.deadlineMs;
    if (!ends) return { state, slots: { kind: 'stopped', stop } };
  }
  const count = Math.max(1, Math.min(request.count, pace.burst));
  const earliestMs = Math.max(nowMs + LEAD_MS, stop?.untilMs ?? 0);
  const tatMs = Math.max(state.tatMs, earliestMs) + count * pace.intervalMs;
  const atMs = Math.max(earliestMs, tatMs - pace.burst * pace.intervalMs);
  if (atMs > request.deadlineMs) return { state, slots: { kind: 'late', atMs } };
  const next: RateState = stop !== undefined && stop.untilMs > nowMs ? { tatMs, stop } : { tatMs };
  return { state: next, slots: { kind: 'go', atMs, count } };
}

/** The state after the service said stop: the longer of two stops holds, and its bucket is empty. */
export function stopped(state: RateState, stop: Stop, pace: Pace): RateState {
  const longer = state.stop !== undefined && state.stop.untilMs > stop.untilMs ? state.stop : stop;
  const emptyMs = longer.untilMs + (pace.burst - 1) * pace.intervalMs;
  const tatMs = stop.reason === 'throttled' ? Math.max(state.tatMs, emptyMs) : state.tatMs;
  return { tatMs, stop: longer };
}
