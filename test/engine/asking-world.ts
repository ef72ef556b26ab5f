// The gate and the engine without a sheet: executions on one clock, one cache and one lock in memory, and a
// service that answers as a test says.

import type { Connection } from '../../src/connection/connection';
import { analyze } from '../../src/engine/analyze';
import { createEngine, type Engine } from '../../src/engine/engine';
import type { HttpOutcome, HttpRequest, Lock, Platform } from '../../src/google/platform';
import { type Booking, type Gate, type GateOptions, gate } from '../../src/limit/gate';
import type { Quota } from '../../src/limit/pace';
import type { Product } from '../../src/product/asin';
import type { Answer } from '../../src/product/fields';
import { freeLock, type MemoryCache, memoryCache, memoryStore } from '../memory-store';

export const NOW = 1_760_000_000_000;
export const LATENCY_MS = 250;
const FIVE: Quota = { calls: 5, perSeconds: 1, burst: 10 };

export const busyLock: Lock = { run: () => ({ held: false }) };

export interface GateWorld {
  nowMs: number;
  readonly cache: MemoryCache;
  execution(owner: string, options?: Partial<GateOptions>): Gate;
}

/** @param cacheMs how long a call of the spreadsheet's cache takes. */
export function gateWorld(cacheMs = 0): GateWorld {
  const world: GateWorld = {
    nowMs: NOW,
    cache: memoryCache(() => {
      world.nowMs += cacheMs;
    }),
    execution: (owner, { quota = FIVE, lock = freeLock, fingerprint = 'f1', ...options } = {}) =>
      gate({
        ...options,
        cache: world.cache,
        lock,
        clock: { nowMs: () => world.nowMs, sleep: () => undefined },
        fingerprint,
        quota,
        owner,
        leaseMs: 14_000,
      }),
  };
  return world;
}

/** One whose key is known to be idle. */
export function openGate(): GateWorld {
  const world = gateWorld();
  world.execution('saver').reopen();
  return world;
}

/** When a booking's slot is, as time since the world began. */
export const atOf = (booking: Booking) => ('atMs' in booking ? booking.atMs - NOW : booking.kind);

export type Service = (asin: string, nthCall: number) => HttpOutcome;

export const respond = (status: number, body: object, headers = {}): HttpOutcome => ({
  kind: 'response',
  status,
  headers,
  body: JSON.stringify(body),
});
export const good: Service = (asin) => respond(200, { asin, profit: 9.85 });

interface Options {
  readonly service?: Service;
  readonly quota?: Quota | null;
  /** Happens while this execution sleeps, as other executions do. */
  readonly meanwhile?: (world: World) => void;
  readonly horizonMs?: number;
  /** How much longer than asked for a sleep takes. */
  readonly oversleepMs?: number;
  /** Nothing was ever answered with the key. */
  readonly isNew?: boolean;
  /** How long a call of the spreadsheet's cache takes. */
  readonly cacheMs?: number;
  /** When its last call has ended; a cell has 3 s more than until its last slot. */
  readonly endMs?: number;
}

export interface World {
  readonly platform: Platform;
  readonly engine: () => Engine;
  /** When each call left, and for which product. */
  readonly sent: readonly (readonly [atMs: number, asin: string])[];
  readonly waves: readonly number[];
  /** Reads and writes of the spreadsheet's cache so far. */
  readonly cacheCalls: () => number;
  /** The spreadsheet's cache forgets everything. */
  readonly forget: () => void;
  ask(count: number): readonly Answer[];
}

export const asin = (i: number) => `B0${String(i).padStart(8, '0')}`;

export function createWorld(options: Options = {}): World {
  const { service = good, quota = FIVE } = options;
  const { cacheMs = 0, endMs = 28_000, horizonMs } = options;
  const shared = gateWorld(cacheMs);
  const sent: (readonly [number, string])[] = [];
  const waves: number[] = [];
  function outcomeOf(request: HttpRequest): HttpOutcome {
    const name = request.form.asin ?? '';
    sent.push([shared.nowMs - NOW, name]);
    return service(name, sent.length);
  }
  let draws = 0;
  const platform: Platform = {
    clock: {
      nowMs: () => shared.nowMs,
      sleep(durationMs) {
        shared.nowMs += Math.ceil(durationMs) + (options.oversleepMs ?? 0);
        options.meanwhile?.(world);
      },
    },
    // Nearly a constant, but no two executions draw the same name.
    random: { next: () => 0.5 + draws++ / 1e6 },
    http: {
      sendAll(requests) {
        waves.push(requests.length);
        const outcomes = requests.map(outcomeOf);
        shared.nowMs += LATENCY_MS;
        return outcomes;
      },
    },
    cache: shared.cache,
    userStore: memoryStore(),
    documentStore: memoryStore(),
    lock: freeLock,
    hasher: { sha256Hex: (text) => text },
    spreadsheetId: () => 'sheet-1',
  };
  const connection: Connection = {
    baseUrl: 'https://api.example.com',
    apiKey: 'demo-key-12345678',
    quota,
    settings: {},
    fingerprint: '0123456789abcdef',
    ...(!options.isNew && { answered: '0123456789abcdef' }),
  };
  const engine = () =>
    createEngine(platform, connection, {
      bookUntilMs: shared.nowMs + 25_000,
      bookFastUntilMs: shared.nowMs + 25_000,
      endMs: shared.nowMs + endMs,
      callTimeoutMs: 12_000,
      // As a formula.
      cellsPerDay: null,
    });
  const world: World = {
    platform,
    engine,
    sent,
    waves,
    cacheCalls: shared.cache.calls,
    forget: () => shared.cache.values.clear(),
    ask(count) {
      const products = Array.from({ length: count }, (_, i): Product => {
        return { asin: asin(i), market: 'US' };
      });
      const policy = horizonMs === undefined ? {} : { horizonMs };
      return [...analyze(engine(), products, policy).values()];
    },
  };
  engine().gate.reopen();
  return world;
}

export const kinds = (answers: readonly Answer[]) =>
  answers.map((answer) => (answer.ok ? 'ok' : answer.failure.kind));
