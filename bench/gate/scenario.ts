// A scenario: one simulated story that is played once for each seed and yields the figures of its
// cases.

import type { Bundles } from '../bundles';
import type { Figures } from '../figures';

/** The strategy for keeping the limit: the add-on's, or one that other add-ons use. */
export const STRATEGIES = {
  addOn: 'this add-on',
  backoff: 'no throttle, backoff',
  sleep: 'sleep(1/r)',
  lock: 'lock for each call',
} as const;

export type Strategy = keyof typeof STRATEGIES;
export type PeerStrategy = Exclude<Strategy, 'addOn'>;

/** A key used to its limit without a superfluous call and without losses. */
export const FLAWLESS = { ratio: 1, refused: 0, overran: 0, errors: 0 } as const;

export const PEERS: readonly PeerStrategy[] = ['backoff', 'sleep', 'lock'];

export interface Telling {
  readonly bundles: Bundles;
  readonly seed: number;
  readonly strategy: Strategy;
}

export interface Scenario {
  readonly cases: readonly string[];
  readonly strategies: readonly Strategy[];
  /** The theoretical optimum, by the name of the case. */
  readonly ideal: Readonly<Record<string, Figures>>;
  /** The figures of each case, by name. */
  readonly tell: (telling: Telling) => Promise<Readonly<Record<string, Figures>>>;
}
