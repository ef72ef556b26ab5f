// Decides when installed triggers fire: late, as Google's do. A test may make firings fail to come,
// or come twice.

import type { Random } from './random';

/**
 * The moments at which a trigger fires that is due at `dueMs`, all in ms since 1970. Empty: Google
 * misses the firing.
 */
export type FiringLaw = (dueMs: number, random: Random) => readonly number[];

/** Google calls the time of firing "slightly randomised" and does not say by how much. */
export const LATE_MAX_MS = 5 * 60_000;

export const MODELLED_FIRINGS: FiringLaw = (dueMs, random) => [
  dueMs + random.integer(0, LATE_MAX_MS),
];
