// When installed triggers fire: late as Google's are; a test may let firings fail to come, or come twice.

import type { Random } from './random';

/** The moments at which a trigger fires that is due at one, in ms since 1970; none: Google misses it. */
export type FiringLaw = (dueMs: number, random: Random) => readonly number[];

/** The time of firing is "slightly randomised"; nobody says by how much. */
const LATE_MAX_MS = 5 * 60_000;

export const MODELLED_FIRINGS: FiringLaw = (dueMs, random) => [
  dueMs + random.integer(0, LATE_MAX_MS),
];
