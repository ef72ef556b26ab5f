// What all executions of a spreadsheet share about one key: one cache value, as text and back.

import type { Claims } from './claims';
import type { GoogleDay } from './google-day';
import type { Learned } from './learning';
import type { RateState } from './rate';
import type { Participant } from './share';

export interface GateState {
  readonly rate: RateState;
  readonly claims: Claims;
  /** What was learned about the key's rate; only where the operator named none. */
  readonly learned?: Learned;
  /** This spreadsheet among those that use the key. */
  readonly participant?: Participant;
  /** What was done with this key in a day, formulas' calls by themselves. */
  readonly day?: GoogleDay;
  /** What its owner did of what Google allows in a day, with all of their keys: a value of its own. */
  readonly user?: GoogleDay;
}

/** null for a value that is gone or not ours: both count as lost. */
export function parseGateState(text: string | undefined): GateState | null {
  if (text === undefined) return null;
  try {
    const state = JSON.parse(text) as Partial<GateState> | null;
    const hasClaims = typeof state?.claims === 'object' && state.claims !== null;
    return hasClaims && typeof state.rate?.tatMs === 'number' ? (state as GateState) : null;
  } catch {
    return null;
  }
}
