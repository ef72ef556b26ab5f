// The clock that executions have in common: how far each one's own is from those of who books beside it.

import type { Clock } from '../platform/ports';
import type { Booking } from './gate';
import type { Stop } from './rate';

/** Of the state that all share: who wrote it, and when by the common clock as they have it. */
export interface Written {
  readonly atMs: number;
  readonly by: string;
}

/**
 * Others' clocks are ahead of this one by at least `lowMs` and at most `highMs`, as far as is known.
 * Executions of one spreadsheet run on machines whose clocks may be a second and more apart, and what
 * they book one after the other would meet.
 */
interface ClockOffset {
  readonly lowMs: number;
  readonly highMs: number;
}

const NO_OFFSET: ClockOffset = { lowMs: -Infinity, highMs: Infinity };

/** A clock that is further from the others is broken, and believed in nothing. */
const OFFSET_MAX_MS = 3_000;

/**
 * After something was seen that somebody wrote when their clock said `writtenMs`. Both other moments
 * are of this clock.
 *
 * @param beforeMs it was not written yet; left out: not known.
 */
function offsetAfter(
  { lowMs, highMs }: ClockOffset,
  writtenMs: number,
  seenMs: number,
  beforeMs = -Infinity,
): ClockOffset {
  const [low, high] = [writtenMs - seenMs, writtenMs - beforeMs];
  if (low > OFFSET_MAX_MS || high < -OFFSET_MAX_MS) return { lowMs, highMs };
  return { lowMs: Math.max(lowMs, low), highMs: Math.min(highMs, high) };
}

/** What is to be added to this clock: nothing where it may be right, else as little as it takes. */
const aheadMs = ({ lowMs, highMs }: ClockOffset): number => Math.max(lowMs, Math.min(highMs, 0));

/** A booking within so long may have others behind it. */
const RECENT_MS = 4_000;

/** Besides what looks take: less than what is spared for calls that come closer on their way. */
const SURE_MS = 100;

/**
 * The clock that executions of a spreadsheet have in common: each one's own, as far as what the others
 * have written does not prove that it is ahead or behind.
 */
export function commonClock(own: Clock, owner: string) {
  let offset = NO_OFFSET;
  let last: { readonly lookMs: number; readonly atMs: number | undefined } | undefined;
  const ahead = () => aheadMs(offset);
  return {
    clock: { ...own, nowMs: () => own.nowMs() + ahead() },
    aheadMs: ahead,
    /** @param lookMs nobody who had it to write wrote it before. */
    saw(written: Written | undefined, lookMs: number): void {
      const atMs = written?.atMs;
      if (written !== undefined && written.by !== owner && atMs !== last?.atMs)
        offset = offsetAfter(offset, written.atMs, own.nowMs(), last?.lookMs);
      last = { lookMs, atMs };
    },
    /**
     * Whether somebody else booked last, and it is not known how their clock is to this one.
     *
     * @param looksMs what looks take: nothing is known more exactly than what was seen in them.
     */
    isUnsure: (written: Written | undefined, looksMs: number): boolean =>
      written !== undefined &&
      written.by !== owner &&
      offset.highMs - offset.lowMs > SURE_MS + looksMs &&
      Math.abs(own.nowMs() - written.atMs) < RECENT_MS,
  };
}

/** The same booking by another clock, which is ahead by so much. */
export function byClock(booking: Booking, ahead: number): Booking {
  switch (booking.kind) {
    case 'go':
    case 'late':
      return { ...booking, atMs: booking.atMs + ahead };
    case 'early':
      return { ...booking, askAtMs: booking.askAtMs + ahead };
    case 'claimed':
      return { ...booking, slotMs: booking.slotMs + ahead };
    case 'stopped':
      return { ...booking, stop: stopByClock(booking.stop, ahead) };
    default:
      return booking;
  }
}

export const stopByClock = ({ goesOnMs, ...stop }: Stop, ahead: number): Stop => ({
  ...{ ...stop, untilMs: stop.untilMs + ahead },
  ...(goesOnMs !== undefined && { goesOnMs: goesOnMs + ahead }),
});
