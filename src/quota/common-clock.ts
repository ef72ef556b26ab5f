// The common clock of executions: estimates how far this execution's clock is from those of others
// that book beside it.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Clock } from '../platform/ports';
import type { Booking } from './claims';
import type { Stop } from './rate';

/** Who wrote the shared state, and when by the common clock as its writer knew it. */
export const writtenSchema = lazySchema(() => z.object({ atMs: z.number(), by: z.string() }));

export type Written = Fits<typeof writtenSchema>;

const NOT_WRITTEN: Written = { atMs: 0, by: '' };

/** A clock that differs by more is broken, and nothing it says is used. */
const OFFSET_MAX_MS = 3_000;

/** A booking this recent may be followed by others. */
const RECENT_MS = 4_000;

/**
 * The uncertainty that is accepted in addition to the duration of cache reads. It is less than the
 * margin that is kept for jitter.
 */
const SURE_MS = 100;

/**
 * A clock that executions of a spreadsheet share: each one's own, corrected by what the others'
 * writings prove about it.
 */
export function commonClock(own: Clock, owner: string) {
  /** The clocks of others are ahead of this one by at least `lowMs` and at most `highMs`. */
  let [lowMs, highMs] = [-Infinity, Infinity];
  let last = { lookMs: -Infinity, atMs: 0 };
  /** The correction of this clock: none if it may be right, else the smallest that fits the bounds. */
  const aheadMs = () => Math.max(lowMs, Math.min(highMs, 0));
  return {
    clock: { nowMs: () => own.nowMs() + aheadMs(), sleep: own.sleep } satisfies Clock,
    aheadMs,
    /**
     * Narrows the bounds: what is read was written before now, and what is new in it after the last
     * look.
     *
     * @param lookMs a moment of this clock after which nothing that is read was written.
     */
    saw({ atMs, by }: Written = NOT_WRITTEN, lookMs: number): void {
      if (by !== owner && atMs > 0 && atMs !== last.atMs) {
        const [low, high] = [atMs - own.nowMs(), atMs - last.lookMs];
        if (low <= OFFSET_MAX_MS && high >= -OFFSET_MAX_MS)
          [lowMs, highMs] = [Math.max(lowMs, low), Math.min(highMs, high)];
      }
      last = { lookMs, atMs };
    },
    /**
     * Whether another execution booked last and the difference to its clock is not known well
     * enough.
     *
     * @param looksMs how long cache reads take, which limits the accuracy.
     */
    isUnsure: ({ atMs, by }: Written = NOT_WRITTEN, looksMs: number): boolean =>
      by !== owner && highMs - lowMs > SURE_MS + looksMs && own.nowMs() - atMs < RECENT_MS,
  };
}

/** The same booking by a clock that is ahead by `ahead` ms. */
export function byClock(booking: Booking, ahead: number): Booking {
  if (booking.kind === 'busy') return booking;
  if (booking.kind === 'stopped') return { ...booking, stop: stopByClock(booking.stop, ahead) };
  if (booking.kind === 'early') return { ...booking, askAtMs: booking.askAtMs + ahead };
  return { ...booking, atMs: booking.atMs + ahead };
}

export const stopByClock = ({ goesOnMs, ...stop }: Stop, ahead: number): Stop => ({
  ...stop,
  untilMs: stop.untilMs + ahead,
  ...(goesOnMs !== undefined && { goesOnMs: goesOnMs + ahead }),
});
