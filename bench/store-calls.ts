// Counts service calls by their purpose: the gate, the result cache, the settings.

import type { ObservedCall } from 'apps-script-host/call';

export interface StoreCalls {
  /** Lock, cache and property calls of the gate, of claims and of the waiting list. */
  readonly gate: number;
  /** Cache calls for answers alone. */
  readonly results: number;
  /** Calls that read or write the connection; they are settings and not traffic. */
  readonly settings: number;
}

/**
 * Names of the result cache's buckets, and of observations, which are cached along with them;
 * everything else in the cache belongs to the gate.
 */
const RESULT_NAME = /^(r|s):/;

/** The property that holds a connection. */
const SETTINGS_NAME = 'connection';

function namesOf(names: unknown): readonly string[] {
  if (typeof names === 'string') return [names];
  if (Array.isArray(names)) return names.map(String);
  return typeof names === 'object' && names !== null ? Object.keys(names) : [];
}

/** The purpose of a call, or null for a call to none of the stores. */
export function purposeOf({ operation, args }: ObservedCall): keyof StoreCalls | null {
  if (operation.startsWith('lock.')) return 'gate';
  const names = namesOf(args[1]);
  if (operation.startsWith('cache.'))
    return names.every((name) => RESULT_NAME.test(name)) ? 'results' : 'gate';
  if (!operation.startsWith('properties.')) return null;
  return names.every((name) => name === SETTINGS_NAME) ? 'settings' : 'gate';
}

export interface Tally {
  readonly observe: (call: ObservedCall) => void;
  /** Everything counted so far. */
  readonly read: () => StoreCalls;
}

export function createTally(): Tally {
  const counts = { gate: 0, results: 0, settings: 0 };
  return {
    observe: (call) => {
      const purpose = purposeOf(call);
      if (purpose !== null) counts[purpose] += 1;
    },
    read: () => ({ ...counts }),
  };
}

export function since(before: StoreCalls, after: StoreCalls): StoreCalls {
  return {
    gate: after.gate - before.gate,
    results: after.results - before.results,
    settings: after.settings - before.settings,
  };
}
