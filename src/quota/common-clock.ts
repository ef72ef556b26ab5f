// The common clock of executions: estimates how far this execution's clock is from those of others
// that book beside it.

import * as z from 'zod/mini';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { Clock } from '../platform/ports';
import type { Booking } from './claims';
import type { Stop } from './rate';

/**
 * Who wrote the shared state, when by the common clock as its writer knew it, and whose clock the
 * common one follows.
 */
export const writtenSchema = lazySchema(() =>
  z.object({ atMs: z.number(), by: z.string(), leader: z.string() }),
);

export type Written = Fits<typeof writtenSchema>;

const NOT_WRITTEN: Written = { atMs: 0, by: '', leader: '' };

/** A clock that differs by more is broken, and nothing it says is used. */
const OFFSET_MAX_MS = 3_000;

/** Clocks that are right differ by no more. */
const APART_MS = 1_500;

/**
 * The uncertainty that is accepted in addition to the duration of cache reads. It is less than the
 * margin that is kept for jitter.
 */
const SURE_MS = 100;

/** Looks in quick succession give closer bounds than this. */
const CLOSE_MS = 500;

/**
 * A clock that executions of a spreadsheet share: each one's own, corrected by what the others'
 * writings prove about it. They follow one of them, the leader, also after it has ended.
 */
export function commonClock(own: Clock, owner: string) {
  /** Who leads, and since when by its clock. */
  let leader = '';
  /** The common clock is ahead of this one by at least `lowMs` and at most `highMs`. */
  let [lowMs, highMs] = [-Infinity, Infinity];
  let last = { lookMs: -Infinity, atMs: 0 };
  /**
   * The correction of this clock: the middle of close bounds; else none if the clock may be right,
   * and the smallest that fits the bounds if not.
   */
  const aheadMs = () =>
    highMs - lowMs <= CLOSE_MS
      ? Math.round((lowMs + highMs) / 2)
      : Math.max(lowMs, Math.min(highMs, 0));
  const nowMs = () => own.nowMs() + aheadMs();
  return {
    clock: { nowMs, sleep: own.sleep } satisfies Clock,
    aheadMs,
    /**
     * Narrows the bounds: what is read was written before now, and what is new in it after the last
     * look.
     *
     * @param lookMs a moment of this clock after which nothing that is read was written.
     */
    saw({ atMs, by, leader: named }: Written = NOT_WRITTEN, lookMs: number): void {
      if (by !== owner && atMs > 0 && atMs !== last.atMs) {
        const [low, high] = [atMs - own.nowMs(), atMs - last.lookMs];
        if (low <= OFFSET_MAX_MS && high >= -OFFSET_MAX_MS) {
          // What is known of the clock that was followed before says nothing of this one.
          if (named !== leader) [leader, lowMs, highMs] = [named, -Infinity, Infinity];
          if (!leader.startsWith(`${owner} `))
            [lowMs, highMs] = [Math.max(lowMs, low), Math.min(highMs, high)];
        }
      }
      last = { lookMs, atMs };
    },
    /**
     * What this execution writes now.
     *
     * @param leads whether its clock is followed from now on if it does not know the common one.
     * @param looksMs how long cache reads take, which limits the accuracy.
     */
    writing(leads: boolean, looksMs: number): Written {
      if (leader === '' || (leads && highMs - lowMs > CLOSE_MS + looksMs))
        [leader, lowMs, highMs] = [`${owner} ${own.nowMs()}`, aheadMs(), aheadMs()];
      return { atMs: nowMs(), by: owner, leader };
    },
    /**
     * Whether another execution booked last, the common clock is not known well enough, and the key
     * may not be idle again by it. Once it is idle, a booking by any clock comes after all others.
     *
     * @param idleMs when the key is idle by the common clock.
     * @param looksMs how long cache reads take, which limits the accuracy.
     */
    isUnsure: ({ by }: Written = NOT_WRITTEN, idleMs: number, looksMs: number): boolean =>
      by !== owner &&
      highMs - lowMs > SURE_MS + looksMs &&
      own.nowMs() + Math.max(lowMs, -APART_MS) < idleMs,
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
