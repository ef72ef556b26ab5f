// The mathematics of a key's limit: when the next calls may go, and how fast, by what all executions have
// booked and heard. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../schema/stored-record';
import {
  bucketPace,
  type Pace,
  paceOf,
  type Quota,
  type StatedPace,
  WINDOW_WAVE_MAX,
  windowPace,
} from './pace';
import { boundsOf, callsOf, inWhole, regrown, SINGLES, shareOf } from './share';
import { ECHO_MS, refusalsSchema, stopSchema } from './stop';

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
    single: z.exactOptional(z.literal(SINGLES)),
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
  const { wave: _, ...rest } = rate;
  const joinable = isWhole && { wave: { atMs, left: size - mine } };
  const dueMs = Math.max(readyMs, atMs) + paidMs;
  return { slot: { atMs, count: mine }, rate: { ...rest, ...joinable, dueMs } };
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
  advertised: Advertised | undefined,
  stated: Advertised,
  nowMs: number,
): boolean =>
  advertised !== undefined &&
  advertised.untilMs > nowMs &&
  advertised.calls === stated.calls &&
  advertised.perSeconds === stated.perSeconds &&
  advertised.burst === stated.burst;

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
