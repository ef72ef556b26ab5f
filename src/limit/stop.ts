// Why no calls are made at present, and until when. Pure.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../schema/lazy-schema';

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
