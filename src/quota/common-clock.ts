// The common clock of executions: estimates how far this execution's clock is from those of others
// that book beside it.

import type { Clock } from '../platform/ports';
import type { Booking } from './gate';
import type { Stop } from './rate';

/** Who wrote the shared state, and when by the common clock as its writer knew it. */
export interface Written {
  readonly atMs: number;
  readonly by: string;
}

/**
 * How far the clocks of others are ahead of this one: at least `lowMs` and at most `highMs`, as far
 * as is known. Executions of one spreadsheet run on machines whose clocks may differ by a second
 * and more, so slots that were booked one after the other could coincide.
 */
interface ClockOffset {
  readonly lowMs: number;
  readonly highMs: number;
}

const NO_OFFSET: ClockOffset = { lowMs: -Infinity, highMs: Infinity };

/** A clock that differs by more is broken, and nothing it says is used. */
const OFFSET_MAX_MS = 3_000;

/**
 * Narrows the estimate after a state was read that its writer dated `writtenMs`. The other two
 * moments are by this clock.
 *
 * @param beforeMs a moment at which the state was not yet written; left out: unknown.
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

/**
 * The correction of this clock: none if it may be right, else the smallest one that agrees with
 * what was seen.
 */
const aheadMs = ({ lowMs, highMs }: ClockOffset): number => Math.max(lowMs, Math.min(highMs, 0));

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
  let offset = NO_OFFSET;
  let last: { readonly lookMs: number; readonly atMs: number | undefined } | undefined;
  const ahead = () => aheadMs(offset);
  return {
    clock: { ...own, nowMs: () => own.nowMs() + ahead() },
    aheadMs: ahead,
    /** @param lookMs a moment before which the state was not written. */
    saw(written: Written | undefined, lookMs: number): void {
      const atMs = written?.atMs;
      if (written !== undefined && written.by !== owner && atMs !== last?.atMs)
        offset = offsetAfter(offset, written.atMs, own.nowMs(), last?.lookMs);
      last = { lookMs, atMs };
    },
    /**
     * Whether another execution booked last and the difference to its clock is not known well
     * enough.
     *
     * @param looksMs how long cache reads take, which limits the accuracy.
     */
    isUnsure: (written: Written | undefined, looksMs: number): boolean =>
      written !== undefined &&
      written.by !== owner &&
      offset.highMs - offset.lowMs > SURE_MS + looksMs &&
      Math.abs(own.nowMs() - written.atMs) < RECENT_MS,
  };
}

/** The same booking by a clock that is ahead by `ahead` ms. */
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
