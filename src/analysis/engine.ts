// The engine one execution works with: its connection, its gate and its result cache, made once.

import { answersScope, type Connection } from '../connection/connection';
import type { Platform } from '../platform/ports';
import { type Gate, gate } from '../quota/gate';
import { type AddressNote, addressNote } from './address-note';
import { daysToStore, googleBooks } from './google-use';
import { keptRefusal } from './kept-refusal';
import { type LastGood, lastGood } from './last-good';
import { type ResultCache, resultCache } from './result-cache';
import { type SightingLog, sightingLog } from './sightings';

/** How long a door may wait for what; every time is on the platform's clock. */
export interface Limits {
  /** No slot is taken later than this. */
  readonly bookUntilMs: number;
  /**
   * No slot further ahead than this is taken, except for one wave. For doors that send wave after
   * wave: what they hold in advance is what a cell has to wait for. Left out: up to the last slot.
   */
  readonly horizonMs?: number;
  /** Every call has ended by then. */
  readonly endMs: number;
  /** No call may take longer than this. */
  readonly callTimeoutMs: number;
  /** For formulas: the calls that they may make in a day; null: any number. */
  readonly cellsPerDay?: number | null;
  /** Products that could not be asked in time go on the waiting list, for a door with more time. */
  readonly listsWaiting: boolean;
}

export interface Engine {
  readonly platform: Platform;
  readonly connection: Connection;
  /** Names what belongs to this connection and this way of reading it. */
  readonly scope: string;
  readonly cache: ResultCache;
  readonly lastGood: LastGood;
  readonly gate: Gate;
  readonly sightings: SightingLog;
  readonly address: AddressNote;
  readonly limits: Limits;
}

/** After its time-out a call's answer is still to be read and cached before others may ask again. */
const LEASE_MARGIN_MS = 2_000;

/** So many names of executions: two alive at the same time never share one. */
const OWNERS = 36 ** 8;

/** @param noted is stored by the way when answers are. */
export function createEngine(
  platform: Platform,
  connection: Connection,
  limits: Limits,
  noted: Readonly<Record<string, string>> = {},
): Engine {
  const scope = answersScope(connection);
  const sightings = sightingLog(platform.cache, scope);
  const last = lastGood(platform.documentStore, scope);
  const address = addressNote(platform.documentStore, connection);
  const { fingerprint: key, owner: user = key } = connection;
  const books = googleBooks(platform, { user, key });
  const keyGate = gate({
    cache: platform.cache,
    commonCache: platform.commonCache,
    lock: platform.lock,
    clock: platform.clock,
    random: platform.random,
    fingerprint: connection.fingerprint,
    quota: connection.quota,
    owner: Math.floor(platform.random.next() * OWNERS).toString(36),
    ...{ googleBooks: books, user },
    refusal: keptRefusal(platform.documentStore, connection.fingerprint),
    leaseMs: limits.callTimeoutMs + LEASE_MARGIN_MS,
    ...(limits.cellsPerDay === undefined ? {} : { cellsPerDay: limits.cellsPerDay }),
  });
  const cache = resultCache(sightings.cache, scope, {
    lastGood: last,
    random: platform.random,
    propertyCalls: books.propertyCalls,
    others: () => ({ ...noted, ...address.note, ...daysToStore(keyGate, { user, key }) }),
  });
  const parts = { platform, connection, scope, cache, lastGood: last };
  return { ...parts, gate: keyGate, sightings, address, limits };
}
