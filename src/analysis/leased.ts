// Sheet work that only one execution of a spreadsheet does at a time, and what others are told meanwhile.

import { type Failure, runProblem } from '../failures/failure';
import { LEASE_MS, type Lease, underLease } from '../google/lease';
import type { Platform } from '../google/platform';
import { personOf } from './person';

/** How long another's sheet work is waited for: longer than the lease of a killed execution lasts. */
const LEASE_WAIT_MS = LEASE_MS + 5_000;

/**
 * What some sheet work gives. Cells get the lock meanwhile, which it must not take for longer than moments.
 *
 * @param work see `Lease`.
 */
export function whileLeased<T>(platform: Platform, work: string, act: () => T): T | Failure {
  const by = personOf(platform);
  const outcome = underLease(platform, { by, work }, LEASE_WAIT_MS, act);
  return outcome.held ? outcome.value : runProblem('busy', words(outcome.other, by));
}

const words = (other: Lease | null, by: string): string =>
  other === null ? '' : `${other.by === by ? 'you are' : 'someone else is'} ${other.work}`;
