// The engine one execution works with: its connection, its gate and its result cache, made once.

import { answersScope, type Connection } from '../connection/connection';
import type { Platform } from '../platform/ports';
import { type Gate, gate } from '../quota/gate';
import { type AddressNote, addressNote } from './address-note';
import { daysToStore, googleBooks } from './google-use';
import { keptRefusal } from './kept-refusal';
import { type LastGood, lastGood } from './last-good';
import { type Reading, readingFor } from './reread';
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
  readonly reading: Reading;
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

/** A lock is worth so long a wait after the last call: a cell has 2.5 s, in which it keeps answers, too. */
const LAST_LOCK_MS = 1_000;

/** The platform of a door: no lock is waited for when its time is up. */
function endingBy({ endMs }: Limits, platform: Platform): Platform {
  const { clock, lock } = platform;
  const leftMs = () => Math.max(0, endMs + LAST_LOCK_MS - clock.nowMs());
  return {
    ...platform,
    lock: { run: (waitMs, body) => lock.run(Math.min(waitMs, leftMs()), body) },
  };
}

/**
 * Sleeps until then, and no longer than the door's last slot or `lastMs`. Whatever waits for the
 * service, for the key's limit or for others waits here, so no wait outlives its door.
 */
export function sleepUntil(
  { limits, platform: { clock } }: Pick<Engine, 'limits' | 'platform'>,
  atMs: number,
  lastMs = limits.bookUntilMs + 1,
): void {
  clock.sleep(Math.max(0, Math.min(atMs, lastMs) - clock.nowMs()));
}

/** @param noted is stored by the way when answers are. */
export function createEngine(
  unbounded: Platform,
  connection: Connection,
  limits: Limits,
  noted: Readonly<Record<string, string>> = {},
): Engine {
  const platform = endingBy(limits, unbounded);
  const scope = answersScope(connection);
  const sightings = sightingLog(platform.cache, scope);
  const reading = readingFor(connection);
  const last = lastGood(platform.documentStore, connection.fingerprint, reading);
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
  const durable = {
    lastGood: last,
    random: platform.random,
    propertyCalls: books.propertyCalls,
    others: () => ({ ...noted, ...address.note, ...daysToStore(keyGate, { user, key }) }),
  };
  const cache = resultCache(sightings.cache, connection.fingerprint, durable, reading);
  const parts = { platform, connection, scope, reading, cache, lastGood: last };
  return { ...parts, gate: keyGate, sightings, address, limits };
}
