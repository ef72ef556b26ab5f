// A world for the gate: a cache and a lock in memory, and executions that come one after another.

import type { Lock } from '../../src/google/platform';
import { type Booking, type Gate, type GateOptions, gate } from '../../src/limit/gate';
import type { Quota } from '../../src/limit/limit';
import { type MemoryCache, memoryCache } from '../memory-store';

export const NOW = 1_760_000_000_000;
const FIVE: Quota = { calls: 5, perSeconds: 1, burst: 10 };

/** One thing at a time, as all executions of this file are: whoever asks has the lock. */
const lock: Lock = { run: (_waitMs, body) => ({ held: true, value: body() }) };
export const busyLock: Lock = { run: () => ({ held: false }) };

export interface World {
  nowMs: number;
  readonly cache: MemoryCache;
  execution(owner: string, options?: Partial<GateOptions>): Gate;
}

export function createWorld(): World {
  const world: World = {
    nowMs: NOW,
    cache: memoryCache(),
    execution: (owner, { quota = FIVE, lock: own = lock, fingerprint = 'f1', ...options } = {}) =>
      gate({
        ...options,
        cache: world.cache,
        lock: own,
        clock: { nowMs: () => world.nowMs, sleep: () => undefined },
        fingerprint,
        quota,
        owner,
        leaseMs: 14_000,
      }),
  };
  return world;
}

/** A world whose key is known to be idle. */
export function openWorld(): World {
  const world = createWorld();
  world.execution('saver').reopen();
  return world;
}

/** When a booking's slot is, as time since the world began. */
export const atOf = (booking: Booking) => ('atMs' in booking ? booking.atMs - NOW : booking.kind);
