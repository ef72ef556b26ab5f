// The gate: makes every execution of a spreadsheet keep one key's quota, through one lock and one cache value.

import type { Cache, Clock, Lock } from '../platform/ports';
import { type Claims, freeOf, withClaims, withoutClaims } from './claims';
import {
  book,
  idleState,
  lostState,
  type Pace,
  paceOf,
  type Quota,
  type RateState,
  type Stop,
  stopped,
} from './rate';

/** The longest life the cache grants; a key idle for longer starts again like a lost state. */
const TTL_SECONDS = 21_600;

/** Stopping everybody is worth waiting for the lock, but not for long: the next 429 says it again. */
const STOP_WAIT_MS = 5_000;

export type Booking =
  /** Send `mine` together at `atMs`; `others` are being asked by someone else. */
  | { kind: 'go'; atMs: number; mine: readonly string[]; others: readonly string[] }
  /** The next slot is past the deadline given; nothing was booked. */
  | { kind: 'late'; atMs: number; others: readonly string[] }
  | { kind: 'claimed'; others: readonly string[] }
  | { kind: 'stopped'; stop: Stop }
  /** The lock was not had in time. */
  | { kind: 'busy' };

export interface Gate {
  /** How many calls may go out together. */
  readonly waveSize: number;
  readonly intervalMs: number;
  /**
   * Books one wave for some of `names` (things to ask, at most one call each), no later than
   * `deadlineMs`. One lock, one cache read, one cache write; waiting for the slot is the caller's.
   */
  book(names: readonly string[], deadlineMs: number): Booking;
  /** Nobody calls until the stop ends. Claims on `names` are given back. */
  stop(stop: Stop, names: readonly string[]): void;
  /** The stop in force, if any. One cache read, no lock. */
  stopped(): Stop | undefined;
  /** Ends every stop, because the connection changed or a person asks to try it. */
  reopen(): void;
}

interface Shared {
  readonly rate: RateState;
  readonly claims: Claims;
}

export interface GateOptions {
  readonly cache: Cache;
  readonly lock: Lock;
  readonly clock: Clock;
  readonly fingerprint: string;
  readonly quota: Quota;
  /** Names this execution in claims. */
  readonly owner: string;
  /** How long after its slot a call may take; then its claim is free for others. */
  readonly leaseMs: number;
}

export function gate(options: GateOptions): Gate {
  const { cache, lock, clock, owner } = options;
  const pace: Pace = paceOf(options.quota);
  const name = `g:${options.fingerprint}`;
  /** The latest booking this execution knows of: it mends a state that the cache has lost. */
  let knownTatMs = 0;

  function read(nowMs: number): Shared {
    const shared = parseShared(cache.getAll([name])[name]);
    if (shared !== null) return shared;
    const lost = lostState(pace, nowMs);
    return { rate: { tatMs: Math.max(lost.tatMs, knownTatMs) }, claims: {} };
  }

  function write(shared: Shared): void {
    knownTatMs = shared.rate.tatMs;
    cache.putAll({ [name]: JSON.stringify(shared) }, TTL_SECONDS);
  }

  function bookLocked(names: readonly string[], deadlineMs: number): Booking {
    const nowMs = clock.nowMs();
    const { rate, claims } = read(nowMs);
    const { free, held: others } = freeOf(claims, names, owner, nowMs);
    if (free.length === 0) return { kind: 'claimed', others };
    const { state, slots } = book(rate, { count: free.length, deadlineMs }, pace, nowMs);
    if (slots.kind === 'stopped') return { kind: 'stopped', stop: slots.stop };
    if (slots.kind === 'late') return { kind: 'late', atMs: slots.atMs, others };
    const mine = free.slice(0, slots.count);
    const leaseEndMs = slots.atMs + options.leaseMs;
    write({ rate: state, claims: withClaims(claims, mine, owner, leaseEndMs, nowMs) });
    return { kind: 'go', atMs: slots.atMs, mine, others };
  }

  return {
    waveSize: pace.burst,
    intervalMs: pace.intervalMs,
    book(names, deadlineMs) {
      const waitMs = Math.max(0, deadlineMs - clock.nowMs());
      const outcome = lock.run(waitMs, () => bookLocked(names, deadlineMs));
      return outcome.held ? outcome.value : { kind: 'busy' };
    },
    stop(stop, names) {
      lock.run(STOP_WAIT_MS, () => {
        const { rate, claims } = read(clock.nowMs());
        write({ rate: stopped(rate, stop, pace), claims: withoutClaims(claims, names, owner) });
      });
    },
    stopped() {
      const stop = parseShared(cache.getAll([name])[name])?.rate.stop;
      return stop !== undefined && stop.untilMs > clock.nowMs() ? stop : undefined;
    },
    reopen() {
      lock.run(STOP_WAIT_MS, () => {
        const nowMs = clock.nowMs();
        const shared = parseShared(cache.getAll([name])[name]);
        const tatMs = shared?.rate.tatMs ?? idleState(nowMs).tatMs;
        write({ rate: { tatMs }, claims: shared?.claims ?? {} });
      });
    },
  };
}

/** null for a value that is gone or not ours: both count as lost. */
function parseShared(text: string | undefined): Shared | null {
  if (text === undefined) return null;
  try {
    const shared = JSON.parse(text) as Partial<Shared> | null;
    const usable = typeof shared?.rate?.tatMs === 'number' && typeof shared.claims === 'object';
    return usable ? (shared as Shared) : null;
  } catch {
    return null;
  }
}
