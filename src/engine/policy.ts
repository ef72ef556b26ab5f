// What a caller of the engine wants otherwise than a cell does: its policy, and its hooks.

import type { GoodEnough } from '../cache/result-cache';
import type { Booking } from '../limit/gate';
import type { Answer } from '../product/fields';

/**
 * What may be asked and which answers are good enough. Everything left out is as for a single cell.
 */
export interface Policy extends GoodEnough {
  /**
   * How far ahead a slot may be booked, apart from a single wave, in ms. Doors that send wave after
   * wave set it, because a cell has to wait behind everything they hold in advance. Left out: up to
   * the last slot.
   */
  readonly horizonMs?: number;
  /** The most calls that may be made, including retries. After the last one, asking ends. */
  readonly callsMax?: number;
  /**
   * How many products the whole list has left, of which these are a part. Left out: these are all, and
   * nothing comes after them.
   */
  readonly listLeft?: number;
  /** Answers since then are of the same list, ms since 1970. Left out: since it began to ask. */
  readonly sinceMs?: number;
  /** Markets on which answers for the list are there already. */
  readonly answered?: ReadonlySet<string>;
  /** A person has said to go on, however many products in a row end alike. */
  readonly goesOn?: boolean;
  /**
   * Whether products that could not be asked in time go on the waiting list, for a door that has
   * more time.
   */
  readonly listsWaiting?: boolean;
}

/**
 * Callbacks for a door that has to follow the work or decide about it. Any of them may throw to end
 * it.
 */
export interface Hooks {
  /** Receives answers that already existed, by product key. */
  readonly onFound?: (answers: ReadonlyMap<string, Answer>) => void;
  /** Receives answers as they arrive. */
  readonly onAnswers?: (answers: ReadonlyMap<string, Answer>) => void;
  /** Receives the number of calls that are about to be sent. */
  readonly onCalls?: (count: number) => void;
  /** Called before each booking. */
  readonly betweenWaves?: () => void;
  /** Receives the time for which a slot was booked, or at which booking again is worth while. */
  readonly onBooked?: (dueMs: number) => void;
  /**
   * Called if the key works but has no slot within the door's time; whether to wait for one. Left
   * out or false: asking ends.
   */
  readonly waitsBeyond?: (booking: Booking) => boolean;
  /** Called about once a second during every wait, with the end of the wait. */
  readonly asleep?: (untilMs: number) => void;
  /**
   * The time of the last slot, for doors where it may change. It is never later than the engine's
   * own limit.
   */
  readonly bookUntilMs?: () => number;
}
