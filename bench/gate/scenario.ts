// A scenario: one simulated story, told once for each seed, that gives the figures of its cases.

import type { Bundles } from '../bundles';
import type { Figures } from '../figures';

/** Whose way of keeping the limit: the add-on's, or one that other add-ons have. */
export const STRATEGIES = {
  addOn: 'this add-on',
  backoff: 'no throttle, backoff',
  sleep: 'sleep(1/r)',
  lock: 'lock for each call',
} as const;

export type Strategy = keyof typeof STRATEGIES;
export type PeerStrategy = Exclude<Strategy, 'addOn'>;

/** A key used to its limit without one call too many, and nothing lost. */
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
  /** What nobody can do better than, by the name of the case. */
  readonly ideal: Readonly<Record<string, Figures>>;
  /** The figures of each case, by its name. */
  readonly tell: (telling: Telling) => Promise<Readonly<Record<string, Figures>>>;
}
