// Why no calls are made with a key at present, for how long, and when a refusal of it is believed. Pure.

import * as z from 'zod/mini';
import { REFUSED_STATUS } from '../failures/failure';
import { type Fits, lazySchema } from '../schema/stored-record';

/** Refusals within this time have one reason. */
export const ECHO_MS = 2_000;

/** `throttled` and `google-limit` end by themselves, the others with a change of the connection. */
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

export const stopSchema = lazySchema(() =>
  z.object({
    reason: z.literal(STOP_REASONS),
    untilMs: z.number(),
    /** For `throttled`: the service is down with this status, and it is no limit of the key. */
    status: z.exactOptional(z.number()),
    /** No time was named that helps, so each such stop in a row is longer than the one before. */
    grows: z.exactOptional(z.literal(true)),
    /** When a stop that grows began. */
    sinceMs: z.exactOptional(z.number()),
  }),
);

export type Stop = Fits<typeof stopSchema>;

/** A refused key stays refused until a person changes it; this is longer than any key lasts. */
const REFUSED_MS = 10 * 365 * 24 * 3_600_000;

export function refusedKey(nowMs: number): Stop {
  return { reason: 'key-refused', untilMs: nowMs + REFUSED_MS };
}

/** Refusals of a key that has answered before, with no answer between them. */
export const refusalsSchema = lazySchema(() =>
  z.object({
    /** When the first and the latest of them came, ms since 1970. */
    sinceMs: z.number(),
    lastMs: z.number(),
    /** How often: the calls of one moment count once. */
    times: z.number(),
    /** Some of the products. */
    names: z.array(z.string()),
  }),
);

export type Refusals = Fits<typeof refusalsSchema>;

/** A key that has answered counts as refused for good after this many refusals, over this time. */
const REFUSALS_MIN = 3;
const REFUSALS_MS_MIN = 600_000;
/** The refusals must name this many products, because the key may lack the right to one of them. */
const WITNESSES_MIN = 2;
const WITNESSES_MAX = 8;

/** The pauses after the first refusal, the second, and each further one, which lasts until the next hour. */
const REFUSED_PAUSES_MS = [60_000, 600_000, 3_000_000];

/** What is known of a key after it was refused for these products. */
export function refusedAgain(
  before: Refusals | undefined,
  names: readonly string[],
  answeredMs: number,
  nowMs: number,
): Refusals {
  if (before === undefined || answeredMs >= before.lastMs)
    return { sinceMs: nowMs, lastMs: nowMs, times: 1, names: names.slice(0, WITNESSES_MAX) };
  const all = [...new Set([...before.names, ...names])].slice(0, WITNESSES_MAX);
  const times = before.times + (nowMs - before.lastMs < ECHO_MS ? 0 : 1);
  return { ...before, lastMs: nowMs, times, names: all };
}

/** The stop that follows: a pause, or the end. undefined: it is a matter of one product. */
export function stopAfter({ sinceMs, lastMs, times, names }: Refusals): Stop | undefined {
  const isSure = times >= REFUSALS_MIN && lastMs - sinceMs >= REFUSALS_MS_MIN;
  if (isSure) return names.length >= WITNESSES_MIN ? refusedKey(lastMs) : undefined;
  const pauseMs = REFUSED_PAUSES_MS[Math.min(times, REFUSED_PAUSES_MS.length) - 1] ?? 0;
  return { reason: 'throttled', untilMs: lastMs + pauseMs, status: REFUSED_STATUS };
}

/** A person ends this stop, which no execution is told of, so each one checks again. */
export const COPIED: Stop = { reason: 'copied', untilMs: Number.MAX_SAFE_INTEGER };

/** No pause grows beyond this. */
const GROWN_MS_MAX = 300_000;

/** After this time without a refusal the next pause is a first one again. */
const ROW_MS = 600_000;

/**
 * The stop that holds after `next`: the longer of the two. One that grows lasts twice as long as the
 * one before, unless an analysis came in between.
 *
 * @param answeredMs when the service last gave an analysis.
 */
export function latestStop(
  last: Stop | undefined,
  next: Stop,
  answeredMs: number,
  nowMs: number,
): Stop {
  if (last !== undefined && last.untilMs > nowMs && (last.grows || last.untilMs > next.untilMs))
    return last.untilMs > next.untilMs || next.grows ? last : next;
  if (!next.grows) return next;
  const { sinceMs = 0, untilMs = 0 } = last?.grows ? last : {};
  const isInRow = answeredMs < sinceMs && nowMs < untilMs + ROW_MS;
  const forMs = isInRow ? 2 * (untilMs - sinceMs) : next.untilMs - nowMs;
  return { ...next, sinceMs: nowMs, untilMs: nowMs + Math.min(GROWN_MS_MAX, forMs) };
}
