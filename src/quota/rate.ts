// The mathematics of the rate: slots, stops, and when to ask again. Pure.

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
  /**
   * A wave is paid for as a whole, full or not: the next one goes `burst` intervals after the last
   * call of this one. So any stretch of N intervals holds N calls at most, where a bucket would let
   * through N and a burst.
   */
  readonly isWhole?: true;
}

/**
 * How far apart two calls of ours may come closer on their way: sending takes 20–90 ms, in one of a
 * hundred cases up to 300 ms. What we send at the limit must still arrive within it.
 */
const JITTER_MS = 300;

/** More calls than this in one wave would only wait inside the platform for each other. */
const WAVE_MAX = 100;

/**
 * The pace that never breaks a quota.
 *
 * With a burst `b` the service refills a bucket at `r` calls a second: we keep its average and use a
 * burst that leaves room for what jitter squeezes together, `b - ceil(r * jitter)`. Where that leaves
 * none, calls go one by one, so far apart that jitter cannot squeeze more than `b` together.
 * Without a burst it may count any window of the period: see `windowPace`.
 *
 * @param together without a burst: so many calls are known to be let through at the same moment.
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

/** A wave is what so long a part of the period allows: bookings stay smooth, few executions are enough. */
const WAVE_MS = 2_000;

/** Google sends so many requests of a batch at once, and the next only when one of them is answered. */
const SENT_AT_ONCE = 20;

/** Part of the calls that may stay unused for the sake of larger waves. */
const UNUSED_MAX = 0.02;

/**
 * At most `calls` arrive in any window of the period. Whatever was sent in the period and the jitter
 * may arrive in the period, the first of it late and the last of it at once: so `calls` in that time
 * is the most that anybody can vouch for who does not know when his calls arrive. It is kept by
 * `windows` waves of the same size in it, each at the same distance from the one before.
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
 * Without a burst, and calls that came together were refused: each is to come by itself, however long
 * the one before it takes on its way.
 */
export function spacedPace({ calls, perSeconds }: Quota): Pace {
  return { intervalMs: (perSeconds * 1_000) / calls + JITTER_MS, burst: 1 };
}

/**
 * Why nobody calls at present. `throttled` and `google-limit` end by themselves; the others end with
 * the connection.
 */
export type StopReason =
  | 'throttled'
  | 'key-refused'
  | 'plan-used-up'
  | 'google-limit'
  /** The key came along with a copy of its spreadsheet, and nobody has said that it may be used. */
  | 'copied'
  /** Of formulas alone: the owner of the key lets them make so many calls a day. */
  | 'cells-limit';

export interface Stop {
  readonly reason: StopReason;
  readonly untilMs: number;
  /** When calls go on, where that is known to be later: until then a single one has a look now and then. */
  readonly goesOnMs?: number;
  /** Of a throttled one: it is the service that is down, with this status, and no limit of the key. */
  readonly status?: number;
}

/** A refused key stays so until somebody changes it: this outlasts every key. */
const REFUSED_MS = 10 * 365 * 24 * 3_600_000;

export function refusedKey(nowMs: number): Stop {
  return { reason: 'key-refused', untilMs: nowMs + REFUSED_MS };
}

/** What all executions share about one key. */
export interface RateState {
  /** Theoretical arrival time: when the last booked call would be due at the average pace. */
  readonly tatMs: number;
  readonly stop?: Stop;
  /** The wave booked last, where waves are paid for as a whole or calls go one by one. */
  readonly wave?: Wave;
}

interface Wave {
  readonly atMs: number;
  /** What it may hold, and what of that nobody has booked yet. */
  readonly size: number;
  readonly left: number;
}

/** What an execution wants of the key: up to `count` calls that go out together. */
export interface SlotRequest {
  /** None counts as one, and more than a wave is cut to one. */
  readonly count: number;
  /** No slot later than this. */
  readonly deadlineMs: number;
  /** No slot further ahead than this, but always the next wave; left out: up to the deadline. */
  readonly horizonMs?: number;
  /** No slot sooner than so: the caller's stores are slow. Left out: the usual time. */
  readonly leadMs?: number;
}

type Slots =
  | { readonly kind: 'go'; readonly atMs: number; readonly count: number }
  | { readonly kind: 'late'; readonly atMs: number }
  /** The slot lies beyond the horizon, which reaches it at `askAtMs`. */
  | { readonly kind: 'early'; readonly atMs: number; readonly askAtMs: number }
  | { readonly kind: 'stopped'; readonly stop: Stop };

/** Putting the state back and letting the lock go takes about so long: a slot "now" would be late. */
export const LEAD_MS = 120;

/**
 * Who sends wave after wave books no slot further ahead than this, so a newcomer hardly waits longer,
 * and a state that is lost takes no more bookings with it.
 */
export const HORIZON_MS = 2_000;

/** The longest pause after lost state, whatever the rate. */
const PAUSE_MS_MAX = 6_000;

/** So many executions of a user can be waiting with slots of their own. */
export const EXECUTIONS_MAX = 30;

/** While one call looks whether calls go on, the others stay stopped. */
const LOOK_MS = 30_000;

/**
 * The state when the cache holds none: an empty bucket plus a pause that outlasts the bookings which
 * other executions may still hold.
 *
 * @param executions how many there are at most; fewer than any only if it was seen just now.
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
 * `late` when the slot lies past the deadline, `early` when it lies beyond the horizon: nothing is
 * booked, and `atMs` says when it would be.
 * `stopped` while the key must not be used, unless a throttled one may be again before the deadline.
 * When a stop ends before calls go on, one call alone has a look.
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
  if (atMs > request.deadlineMs) return { state, slots: { kind: 'late', atMs } };
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
 * Calls that the last wave has room for go with it, or behind it where it is under way already: then
 * the next wave waits so much longer.
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
 * When the next wave is paid for. Where waves have another size from now on, a window may begin
 * within one of the former and end with one of the new ones: it must have room for the rest of both.
 */
function paidUntilMs({ tatMs, wave }: RateState, { burst, intervalMs, isWhole }: Pace): number {
  if (!isWhole || wave === undefined || wave.size === burst) return tatMs;
  return Math.max(tatMs, wave.atMs + (wave.size + burst - 1) * intervalMs);
}

/** Whole waves are worth booking, however long the key takes to pay for one. */
export function horizonOf(pace: Pace, horizonMs = Number.POSITIVE_INFINITY): number {
  return Math.max(horizonMs, pace.burst * pace.intervalMs);
}

/** A service that refused has an empty bucket, and the time it names is when one call is in it. */
function emptyUntilMs(stop: Stop | undefined, pace: Pace): number {
  return stop?.reason === 'throttled' ? stop.untilMs + (pace.burst - 1) * pace.intervalMs : 0;
}

/**
 * The state after the service said stop: the longer of two stops holds. Bookings are not moved, so
 * that a stop which a person ends leaves nothing behind.
 */
export function stopped(state: RateState, stop: Stop): RateState {
  const isLonger = state.stop !== undefined && state.stop.untilMs > stop.untilMs;
  return isLonger ? state : { ...state, stop };
}

/** What an execution knows of its own last slot. To ask too early costs a lock and a read. */
export interface BookingBackOff {
  readonly slotMs: number;
  /** So long after its slot the next one came within its horizon: others have slots between. */
  readonly restMs: number;
}

export const NO_BACK_OFF: BookingBackOff = { slotMs: Number.NEGATIVE_INFINITY, restMs: 0 };

/** Before this no slot is to be had, as far as this execution knows. */
export function askAgainMs({ slotMs, restMs }: BookingBackOff): number {
  return slotMs + restMs;
}

/** A longer rest than so many horizons is no turn among a few workers, but a crowd that will pass. */
const HORIZONS_MAX = 2;

/**
 * The back-off after a booking was tried. Who asked too early rests longer from now on; who could have
 * asked earlier rests less.
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
