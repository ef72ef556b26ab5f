// The clock that executions have in common: how far each one's own is from those of who books beside it.

import type { Clock } from '../platform/ports';
import type { Booking } from './claims';
import type { Stop } from './rate';

/** Of the state that all share: who wrote it, and when by the common clock as they have it. */
export interface Written {
  readonly atMs: number;
  readonly by: string;
}

const NOT_WRITTEN: Written = { atMs: 0, by: '' };

/** A clock that is further from the others is broken, and believed in nothing. */
const OFFSET_MAX_MS = 3_000;

/** A booking within so long may have others behind it. */
const RECENT_MS = 4_000;

/** Besides what looks take: less than what is spared for calls that come closer on their way. */
const SURE_MS = 100;

/**
 * The clock that executions of a spreadsheet have in common: each one's own, as far as what the others
 * have written does not prove that it is ahead or behind.
 */
export function commonClock(own: Clock, owner: string) {
  /** Others' clocks are ahead of this one by at least the first, and at most the second. */
  let [lowMs, highMs] = [-Infinity, Infinity];
  let last = { lookMs: -Infinity, atMs: 0 };
  /** Nothing where this clock may be right, else as little as it takes. */
  const aheadMs = () => Math.max(lowMs, Math.min(highMs, 0));
  return {
    clock: { nowMs: () => own.nowMs() + aheadMs(), sleep: own.sleep } satisfies Clock,
    aheadMs,
    /**
     * What is seen was written before now, and what is new since the last look after that.
     *
     * @param lookMs by this clock: what is written after it is not seen in this look.
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
     * Whether somebody else booked last, and it is not known how their clock is to this one.
     *
     * @param looksMs what looks take: nothing is known more exactly than what was seen in them.
     */
    isUnsure: ({ atMs, by }: Written = NOT_WRITTEN, looksMs: number): boolean =>
      by !== owner && highMs - lowMs > SURE_MS + looksMs && own.nowMs() - atMs < RECENT_MS,
  };
}

/** The same booking by another clock, which is ahead by so much. */
export function byClock(booking: Booking, ahead: number): Booking {
  if ('stop' in booking) return { ...booking, stop: stopByClock(booking.stop, ahead) };
  if ('askAtMs' in booking) return { ...booking, askAtMs: booking.askAtMs + ahead };
  return 'atMs' in booking ? { ...booking, atMs: booking.atMs + ahead } : booking;
}

export const stopByClock = ({ goesOnMs, ...stop }: Stop, ahead: number): Stop => ({
  ...stop,
  untilMs: stop.untilMs + ahead,
  ...(goesOnMs !== undefined && { goesOnMs: goesOnMs + ahead }),
});
