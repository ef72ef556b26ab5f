// When an execution that sends wave after wave asks for its next slot: not before it can have one. Pure.

import type { Slots } from './rate';

/** What an execution knows of its own last slot. To ask too early costs a lock and a read. */
export interface Rhythm {
  readonly slotMs: number;
  /** So long after its slot the next one came within its horizon: others have slots between. */
  readonly restMs: number;
}

export const NO_RHYTHM: Rhythm = { slotMs: Number.NEGATIVE_INFINITY, restMs: 0 };

/** Before this no slot is to be had, as far as this execution knows. */
export function askAgainMs({ slotMs, restMs }: Rhythm): number {
  return slotMs + restMs;
}

/** A longer rest than so many horizons is no turn among a few workers, but a crowd that will pass. */
const HORIZONS_MAX = 2;

/**
 * The rhythm after a booking was tried. Who asked too early rests longer from now on; who could have
 * asked earlier rests less.
 */
export function rhythmAfter({ slotMs, restMs }: Rhythm, slots: Slots, horizonMs: number): Rhythm {
  if (slots.kind === 'early') {
    const neededMs = slots.askAtMs - slotMs;
    return { slotMs, restMs: neededMs > HORIZONS_MAX * horizonMs ? 0 : neededMs };
  }
  if (slots.kind !== 'go') return { slotMs, restMs };
  const reachedMs = Math.max(0, slots.atMs - horizonMs - slotMs);
  return { slotMs: slots.atMs, restMs: Math.min(restMs, reachedMs) };
}
