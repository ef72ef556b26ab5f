// The mathematics of a key's limit: when the next calls may go, and how fast. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../schema/stored-record';
import { ECHO_MS, refusalsSchema, stopSchema } from './stop';

/** What the operator grants: calls in a period, of which `burst` may come at once. */
export interface Quota {
  readonly calls: number;
  readonly perSeconds: number;
  /** Given: the service keeps a bucket of this size. Left out: it may count any window. */
  readonly burst?: number;
}

/** How calls are sent: waves of at most `wave`, and `perSecond` on average. */
export interface Pace {
  readonly perSecond: number;
  readonly wave: number;
  /** For buckets: the time of all that may go at once, ms; a smaller wave goes by the rest early. */
  readonly atOnceMs: number;
  /** For windows: a wave takes the time of a full one, and later calls may join it. */
  readonly isWhole: boolean;
}

/** The pace of a stated limit. */
interface StatedPace extends Pace {
  /** Calls a second as stated, of which the pace uses a little less. */
  readonly granted: number;
  /** The length of a window, ms; 0 for a bucket. */
  readonly windowMs: number;
}

/**
 * How much closer two calls may get on their way: sending takes 20 to 90 ms, and in one of a hundred
 * cases up to 300 ms.
 */
export const JITTER_MS = 300;

/** A stated rate is used a little below its value. */
const MARGIN = 0.995;

/** Google sends this many calls of a batch at once. */
const WINDOW_WAVE_MAX = 20;
const BUCKET_WAVE_MAX = 50;

/** A wave holds no more than the calls of this time, unless the whole period is shorter. */
const WAVE_SECONDS = 2;

/** The share of a window's calls that waves of equal size must be able to use. */
const USED_MIN = 0.9;

/** The pace of a stated limit: "10 per minute", "5 per second, 10 at once". */
export function paceOf({ calls, perSeconds, burst }: Quota): StatedPace {
  return burst === undefined
    ? windowPace(calls, perSeconds, WINDOW_WAVE_MAX)
    : bucketPace(calls / perSeconds, burst);
}

/** Half a bucket at once; the other half is for calls that get closer, and for those that are late. */
function bucketPace(granted: number, burst: number): StatedPace {
  const wave = Math.max(1, Math.min(BUCKET_WAVE_MAX, Math.floor(burst / 2)));
  const stated = MARGIN * granted;
  const perSecond =
    burst - wave < 1
      ? 1_000 / (1_000 / stated + JITTER_MS)
      : Math.min(stated, (1_000 * (burst - wave)) / JITTER_MS);
  const atOnceMs = (1_000 * burst) / perSecond - JITTER_MS;
  return { perSecond, wave, atOnceMs: Math.max(0, atOnceMs), isWhole: false, granted, windowMs: 0 };
}

/** Equal waves at equal distances, as many as a window holds: 5 per second are 5 each 1.3 s. */
function windowPace(calls: number, perSeconds: number, waveMax: number): StatedPace {
  const waves = Math.max(1, Math.ceil(perSeconds / WAVE_SECONDS));
  let wave = Math.max(1, Math.min(waveMax, Math.floor(calls / waves)));
  while (wave * Math.floor(calls / wave) < USED_MIN * calls) wave -= 1;
  const used = wave * Math.floor(calls / wave);
  const windowMs = 1_000 * perSeconds;
  const perSecond = (1_000 * used) / (windowMs + JITTER_MS);
  return { perSecond, wave, atOnceMs: 0, isWhole: true, granted: calls / perSeconds, windowMs };
}

/** What the service itself states in its headers, and until when that is used, ms since 1970. */
const advertisedSchema = lazySchema(() =>
  z.object({
    calls: z.number(),
    perSeconds: z.number(),
    burst: z.exactOptional(z.number()),
    untilMs: z.number(),
  }),
);

type Advertised = Fits<typeof advertisedSchema>;

/** What bookings change: when the next wave is due, and for how long the speed has been used. */
export const bookedSchema = lazySchema(() =>
  z.object({
    /** ms since 1970. */
    dueMs: z.number(),
    /** The last wave of a window, and how many calls may still join it. */
    wave: z.exactOptional(z.object({ atMs: z.number(), left: z.number() })),
    /** For how long the speed of `setMs` had been used at `atMs`. It counts for no later speed. */
    used: z.exactOptional(z.object({ ms: z.number(), atMs: z.number(), setMs: z.number() })),
    /** The end of the service's statement by which it was booked, ms since 1970. */
    statedUntilMs: z.exactOptional(z.number()),
  }),
);

/** What answers of the service change: how fast it may be called. */
export const speedSchema = lazySchema(() =>
  z.object({
    /** Calls a second after the last refusal, where no limit was stated. */
    perSecond: z.exactOptional(z.number()),
    /** Where one was: how many seem to share the key, of whom only refusals tell. */
    sharers: z.exactOptional(z.number()),
    /** When calls were last refused for being too many, and when an answer last set the speed. */
    refusedMs: z.number(),
    setMs: z.number(),
    /** No wave is due before this, because the service refused calls, ms since 1970. */
    resumesMs: z.exactOptional(z.number()),
    /**
     * Calls that came together were refused, so they are sent one by one: the service wants them apart,
     * or others share its window.
     */
    single: z.exactOptional(z.literal(['apart', 'shared'])),
    advertised: z.exactOptional(advertisedSchema()),
    /** When a wave last came back, and whether it brought an analysis, of a service that was unproven. */
    heard: z.exactOptional(z.object({ atMs: z.number(), isProven: z.boolean() })),
    stop: z.exactOptional(stopSchema()),
    refusals: z.exactOptional(refusalsSchema()),
  }),
);

export type Booked = Fits<typeof bookedSchema>;
export type Speed = Fits<typeof speedSchema>;

/** What all executions share about the rate of one key. */
export interface Rate extends Booked, Speed {}

export const idleSpeed = (nowMs: number): Speed => {
  return { refusedMs: 0, setMs: nowMs };
};

/** Nothing else is under way, so calls may go at once. */
export const idleRate = (nowMs: number): Rate => {
  return { dueMs: nowMs, ...idleSpeed(nowMs) };
};

/** The part of a rate that bookings change. */
export const bookedIn = ({ dueMs, wave, used, statedUntilMs }: Rate): Booked => {
  return {
    dueMs,
    ...(wave && { wave }),
    ...(used && { used }),
    ...(statedUntilMs && { statedUntilMs }),
  };
};

/** The part of a rate that answers change. */
export function speedIn(rate: Rate): Speed {
  const { dueMs: _, wave: __, used: ___, statedUntilMs: ____, ...speed } = rate;
  return speed;
}

/** For how long the speed has been used since an answer set it, ms. */
const usedMsIn = ({ used, setMs }: Rate): number => (used?.setMs === setMs ? used.ms : 0);

/** Calls a second of a key that nobody has stated a limit for. */
const FIRST_PER_SECOND = 1;
/** A script cannot send faster. */
const MOST_PER_SECOND = 50;

/** The waves of an unknown limit hold the calls of this time. */
const UNKNOWN_WAVE_SECONDS = 0.6;

/** A rate that is stated without a burst: Amazon's bucket holds at least the calls of a second. */
const ALONE_BURST_SECONDS = 1.6;

/** The pace as stated by a person or the service; null: nobody has stated it. */
function statedPace(rate: Rate, quota: Quota | null, nowMs: number): StatedPace | null {
  if (quota !== null) return paceOf(quota);
  const { advertised } = rate;
  if (advertised === undefined || advertised.untilMs <= nowMs) return null;
  const perSecond = advertised.calls / advertised.perSeconds;
  if (advertised.burst === undefined) return bucketPace(perSecond, ALONE_BURST_SECONDS * perSecond);
  // Services word buckets and windows alike; a window is the smaller of the two.
  return windowPace(
    advertised.calls,
    advertised.perSeconds,
    Math.min(advertised.burst, WINDOW_WAVE_MAX),
  );
}

/** How calls are sent at present. */
export function paceNow(rate: Rate, quota: Quota | null, nowMs: number): Pace {
  const stated = statedPace(rate, quota, nowMs);
  if (stated === null) return paceFoundOut(rate);
  const bounds = boundsOf(stated, rate.single);
  const { sharers } = rate;
  const found =
    sharers === undefined
      ? bounds.most
      : inWhole(sharers, regrown(sharers, bounds, usedMsIn(rate)), bounds);
  const perSecond = Math.min(bounds.most, found);
  if (rate.single) return { perSecond, wave: 1, atOnceMs: 0, isWhole: false };
  // Who has a share of the rate has a share of the bucket.
  const wave = Math.max(1, Math.round((stated.wave * perSecond) / stated.perSecond));
  return { ...stated, perSecond, wave };
}

/** Before the first refusal the rate doubles after 2 s, later it grows by 4 % after 20 s. */
const DOUBLING_MS = 2_000;
const GROWING_MS = 20_000;
const GROWTH = 1.04;

/** The pace of a limit that nobody has stated. */
function paceFoundOut(rate: Rate): Pace {
  const { perSecond: found, sharers } = rate;
  // Shares of a statement that is over say nothing.
  const usedMs = sharers === undefined ? usedMsIn(rate) : 0;
  const grown =
    found === undefined
      ? FIRST_PER_SECOND * 2 ** Math.floor(usedMs / DOUBLING_MS)
      : found * GROWTH ** Math.floor(usedMs / GROWING_MS);
  const perSecond = Math.min(MOST_PER_SECOND, grown);
  const wave = Math.max(1, Math.round(UNKNOWN_WAVE_SECONDS * perSecond));
  return { perSecond, wave, atOnceMs: 0, isWhole: false };
}

/** Calls that go one by one keep this much more than the stated distance: their ways differ by less. */
const APART_MS = 80;

/** After a refusal the rate stays just under what was refused; those who share leave a tenth unused. */
const JUST_UNDER = 0.95;
const SHARED_USE = 0.9;

/** What may be sent of a stated limit. */
interface Bounds {
  /** Calls a second: as stated, the most that are sent, and the most after a refusal. */
  readonly granted: number;
  readonly most: number;
  readonly steady: number;
  readonly wave: number;
  /** Of a window that others share: the time after which a call does not count any more, s. */
  readonly sharedSeconds?: number;
}

function boundsOf(
  { perSecond, granted, wave, windowMs }: StatedPace,
  single: Rate['single'],
): Bounds {
  if (single === undefined)
    return { granted, most: perSecond, steady: JUST_UNDER * perSecond, wave };
  const most = Math.min(perSecond, 1_000 / (1_000 / granted + APART_MS));
  const sharedSeconds = (windowMs + APART_MS) / 1_000;
  return { granted, most, steady: most, wave: 1, ...(single === 'shared' && { sharedSeconds }) };
}

/** A sum of fractions is no call less. */
const ROUNDING = 1e-6;

/**
 * A whole number of calls in each window, for one of several who share one. Calls at equal distances are
 * then never more than that in any window, wherever it begins: who together have five calls a second are
 * not refused, though they know nothing of each other. At 1.5 a second one has two in every other window.
 */
function inWhole(sharers: number, perSecond: number, { sharedSeconds }: Bounds): number {
  if (sharedSeconds === undefined || sharers === 1) return perSecond;
  const calls = Math.floor(perSecond * sharedSeconds + ROUNDING);
  return calls === 0 ? perSecond : calls / sharedSeconds;
}

/** Calls a second of one of `sharers`. */
function shareOf(sharers: number, bounds: Bounds): number {
  const { granted, steady } = bounds;
  if (sharers === 1) return steady;
  return inWhole(sharers, Math.min(steady, (SHARED_USE * granted) / sharers), bounds);
}

/** A few waves show whether a rate is refused again, where waves are small a few calls more. */
const callsOf = (waves: number, { wave }: Bounds): number => waves * (1 + wave);

/** The rate has grown back from its half after these. */
const REGAINED_WAVES = 2;

/** A share reaches twice the key's whole rate in the time in which the key grants so many calls. */
const DOUBLED_CALLS = 1_000;

/**
 * Of a window who has less than this share tries sooner for a call more, who has twice as much four times
 * as late, so that shares become equal.
 */
const EQUAL_SHARE = 0.33;

/**
 * The rate after a refusal, as TCP CUBIC has it. It is halved, soon grows back to the share, stays near
 * it for some time, and then grows ever faster: somebody may have gone. Of a key with 5 calls a second
 * a third is regained from an eighth in less than two minutes.
 */
function regrown(sharers: number, bounds: Bounds, usedMs: number): number {
  const share = shareOf(sharers, bounds);
  // Those who share take less at once, so half of it shows nothing.
  const least = sharers === 1 ? share / 2 : share;
  const regainedMs = (1_000 * callsOf(REGAINED_WAVES, bounds)) / share;
  if (usedMs < regainedMs) return share - (share - least) * (1 - usedMs / regainedMs) ** 3;
  const doubledMs = (1_000 * DOUBLED_CALLS) / bounds.granted;
  const isOfWindow = sharers > 1 && bounds.sharedSeconds !== undefined;
  const slower = isOfWindow ? (share / (EQUAL_SHARE * bounds.granted)) ** 2 : 1;
  const grown = (usedMs - regainedMs) / (slower * doubledMs);
  return share + (2 * bounds.granted - share) * grown ** 3;
}

export interface SlotRequest {
  readonly count: number;
  /** The earliest slot, ms since 1970: what booking takes is over by then. */
  readonly earliestMs: number;
}

export interface Slot {
  readonly atMs: number;
  readonly count: number;
}

/**
 * The next slot for up to `count` calls, and the rate after it.
 *
 * A bucket is paid for each call: what goes at once and in any time after it is less than the bucket
 * holds and refills, even if the first call is slow and the last one fast. A window is paid for each
 * wave, so as many waves as fit into one never hold more calls than it allows.
 */
export function bookSlot(
  rate: Rate,
  { perSecond, wave: size, atOnceMs, isWhole }: Pace,
  { count, earliestMs }: SlotRequest,
): { readonly slot: Slot; readonly rate: Rate } {
  const { wave } = rate;
  const readyMs = Math.max(rate.dueMs, rate.resumesMs ?? 0);
  if (isWhole && wave !== undefined && wave.left > 0 && wave.atMs >= earliestMs) {
    const joining = Math.min(count, wave.left);
    const next = { ...rate, wave: { atMs: wave.atMs, left: wave.left - joining } };
    return { slot: { atMs: wave.atMs, count: joining }, rate: next };
  }
  const mine = Math.min(count, size);
  const atMs = Math.ceil(
    Math.max(earliestMs, readyMs - Math.max(0, atOnceMs - (1_000 * mine) / perSecond)),
  );
  const paidMs = (1_000 * (isWhole ? size : mine)) / perSecond;
  const { wave: _, ...others } = rate;
  const joinable = isWhole && { wave: { atMs, left: size - mine } };
  const dueMs = Math.max(readyMs, atMs) + paidMs;
  return { slot: { atMs, count: mine }, rate: { ...others, ...joinable, dueMs } };
}

/** A key that has been idle for longer shows nothing about its rate. */
const IDLE_MS = 2_000;

/** Nothing is booked further ahead than this when what the service stated is over. */
const OVER_MS = 6_000;

/** The rate by what the service states at present, without what was booked by a statement that is over. */
function byStatement(rate: Rate, nowMs: number): Rate {
  const { statedUntilMs = Number.POSITIVE_INFINITY, used: _, ...unstated } = rate;
  const { advertised, dueMs } = rate;
  if (advertised !== undefined && advertised.untilMs > nowMs)
    return { ...rate, statedUntilMs: advertised.untilMs };
  return statedUntilMs > nowMs ? rate : { ...unstated, dueMs: Math.min(dueMs, nowMs + OVER_MS) };
}

/** The rate before a booking: used for longer than at the one before, unless the key was idle. */
export function raiseRate(before: Rate, quota: Quota | null, nowMs: number): Rate {
  const rate = byStatement(before, nowMs);
  const { used, setMs } = rate;
  const isAsStated = statedPace(rate, quota, nowMs) !== null && rate.sharers === undefined;
  if (isAsStated) return rate;
  const isIdle = rate.dueMs < nowMs - IDLE_MS;
  const sinceMs = used?.setMs === setMs && !isIdle ? used.atMs : nowMs;
  const ms = usedMsIn(rate) + Math.max(0, nowMs - sinceMs);
  return { ...rate, used: { ms, atMs: nowMs, setMs } };
}

/** After a refusal; the first one ends the doubling, which may have gone too far. */
const SLOWER = 0.9;
const FIRST_SLOWER = 0.6;

/** A further pause after a refusal among calls of others: the next call meets another moment of their window. */
const ASIDE_MS = 500;

/** A wave of `sent` calls, of which `refused` were too many. Calls stop until `untilMs`. */
export interface RefusedWave {
  readonly untilMs: number;
  readonly sent: number;
  readonly refused: number;
}

/** The rate after calls were refused because they were too many. */
export function slowRate(rate: Rate, quota: Quota | null, wave: RefusedWave, nowMs: number): Rate {
  const isEcho = nowMs - rate.refusedMs < ECHO_MS || nowMs < (rate.stop?.untilMs ?? 0);
  const slower = isEcho ? rate : slowed(rate, quota, wave, nowMs);
  // At the time that it names the service takes one call again.
  const takenMs = wholeAtMs(slower, quota, wave.untilMs, nowMs);
  const isBeside = slower.single === 'shared' && (slower.sharers ?? 1) > 1;
  const resumesMs = takenMs + (isBeside ? ASIDE_MS : 0);
  return { ...slower, resumesMs: Math.max(rate.resumesMs ?? 0, resumesMs) };
}

/** When the service takes a whole wave if it takes a single call at `atMs`. */
export function wholeAtMs(rate: Rate, quota: Quota | null, atMs: number, nowMs: number): number {
  const { perSecond, atOnceMs, wave, isWhole } = paceNow(rate, quota, nowMs);
  // A window's last wave may have gone just now.
  const calls = isWhole ? wave : wave - 1;
  return atMs + Math.max(atOnceMs, (1_000 * calls) / perSecond);
}

/** A service names its time in whole seconds, which say how far a window of this length was used. */
const LONG_WINDOW_MS = 10_000;

/** Another refusal within so many waves, and as many calls, comes from others who use the key. */
const SOON_WAVES = 6;

/** A key is shared by no more. */
const SHARERS_MAX = 20;

/** A share counts as refused from a little above it; what was one call more leaves only what is less. */
const ABOVE = 1.05;
const BELOW = 0.95;

/** A service that wants calls apart takes the first of a wave. A single call shows nothing of others. */
const isFirstTaken = ({ sent, refused }: RefusedWave) => sent === 1 || refused === sent - 1;

function slowed(rate: Rate, quota: Quota | null, wave: RefusedWave, nowMs: number): Rate {
  const stated = statedPace(rate, quota, nowMs);
  const { perSecond } = paceNow(rate, quota, nowMs);
  const { sharers: before, ...next } = { ...rate, refusedMs: nowMs, setMs: nowMs };
  if (stated === null)
    return { ...next, perSecond: (rate.refusedMs === 0 ? FIRST_SLOWER : SLOWER) * perSecond };
  const { windowMs } = stated;
  const found = rate.single ?? (isFirstTaken(wave) ? 'apart' : 'shared');
  const single = windowMs > 0 ? found : undefined;
  const bounds = boundsOf(stated, single);
  // A window that is used up long before its end was used too fast by so much.
  const leftMs = wave.untilMs - nowMs;
  const isUsedUp = windowMs >= LONG_WINDOW_MS && leftMs < windowMs;
  const refused = perSecond * (isUsedUp ? 1 - leftMs / windowMs : 1);
  const usedCalls = (usedMsIn(rate) * shareOf(before ?? 1, bounds)) / 1_000;
  const isSoon = usedCalls < callsOf(SOON_WAVES, bounds);
  let sharers = before !== undefined && isSoon ? before + 1 : 1;
  const isOneMore =
    single === 'shared' && before !== undefined && perSecond > ABOVE * shareOf(before, bounds);
  const most = (isOneMore ? BELOW : ABOVE) * refused;
  while (sharers < SHARERS_MAX && shareOf(sharers, bounds) > most) sharers += 1;
  return { ...next, ...(single && { single }), sharers };
}

/** What one answer says about the limit; members it does not mention are left out. */
export interface Signal {
  readonly calls?: number;
  readonly perSeconds?: number;
  readonly burst?: number;
}

/** How long a service's statement is used before it is read again, ms. */
const ADVERTISED_MS = 6 * 3_600_000;

/** A rate beyond these was misread: one call a day, or 10,000 a second. */
const PER_SECOND_MIN = 1 / 86_400;
const PER_SECOND_MAX = 10_000;

/** The limit that an answer states; undefined if it states none. */
export function advertisedBy(
  { calls, perSeconds, burst }: Signal,
  nowMs: number,
): Advertised | undefined {
  if (calls === undefined || perSeconds === undefined) return undefined;
  const perSecond = calls / perSeconds;
  if (!(perSecond >= PER_SECOND_MIN && perSecond <= PER_SECOND_MAX)) return undefined;
  return { calls, perSeconds, ...(burst && { burst }), untilMs: nowMs + ADVERTISED_MS };
}

/** Whether `stated` is what is known and in use already. */
export const isKnownAdvertised = (
  known: Advertised | undefined,
  stated: Advertised,
  nowMs: number,
): boolean =>
  known !== undefined &&
  known.untilMs > nowMs &&
  known.calls === stated.calls &&
  known.perSeconds === stated.perSeconds &&
  known.burst === stated.burst;

/** The rate after the service has stated its limit for the first time, or another one. */
export function believeAdvertised(
  { perSecond: _, single: __, sharers: ___, ...rate }: Rate,
  advertised: Advertised,
  nowMs: number,
): Rate {
  return { ...rate, advertised, setMs: nowMs };
}

/** The rate as a person sees it: calls a second, or a minute if there are fewer. */
export interface LearnedRate {
  readonly calls: number;
  readonly perSeconds: number;
  readonly sure: boolean;
  /** Set if the service stated it: how long the statement is used, ms since 1970. */
  readonly toldUntilMs?: number;
}

export function describeRate(rate: Rate, nowMs: number): LearnedRate {
  const { advertised, refusedMs } = rate;
  if (advertised !== undefined && advertised.untilMs > nowMs)
    return {
      calls: advertised.calls,
      perSeconds: advertised.perSeconds,
      sure: true,
      toldUntilMs: advertised.untilMs,
    };
  const { perSecond } = paceNow(rate, null, nowMs);
  const sure = refusedMs > 0;
  return perSecond >= 1
    ? { calls: Math.round(perSecond * 10) / 10, perSeconds: 1, sure }
    : { calls: Math.max(1, Math.round(perSecond * 60)), perSeconds: 60, sure };
}
