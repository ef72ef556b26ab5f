// What an execution needs to ask: connection, cache, gate, and its limits in time; for every door.

import { type Reading, readingFor } from '../cache/entries';
import { type LastGood, lastGood } from '../cache/last-good';
import { type ResultCache, resultCache } from '../cache/result-cache';
import {
  addressMark,
  answersScope,
  type Connection,
  connectionIn,
  isDemo,
} from '../connection/connection';
import { connectionStore, isFromElsewhere, mayBeOwner } from '../connection/connection-store';
import { type Failure, fail, isFailure } from '../failures/failure';
import { type TroubleLog, troubleLog } from '../failures/trouble-log';
import type { Lock, Platform, Store } from '../platform/ports';
import { type Gate, type GoogleBooks, gate, type KeptRefusal } from '../quota/gate';
import { type Allowances, allowancesOf, parseGoogleDay, withUse } from '../quota/google-limits';
import { type ObservationLog, observationLog } from '../service/observations';

interface AddressNote {
  /** To be stored by the way when analyses are. */
  readonly note: Readonly<Record<string, string>>;
  /** An analysis came from there. One property call at most, where no check has told it. */
  hasAnswered(): boolean;
}

const KNOWN_ADDRESS_NAME = 'answered';

function addressNote(documentStore: Store, connection: Connection): AddressNote {
  const mark = addressMark(connection);
  let isKnown: boolean | undefined = connection.answered;
  return {
    note: { [KNOWN_ADDRESS_NAME]: mark },
    hasAnswered() {
      isKnown ??= documentStore.read(KNOWN_ADDRESS_NAME) === mark;
      return isKnown;
    },
  };
}

/** Stored with the last good answers, for when the cache forgets. */
const USER_DAY_NAME = 'google-day:';
const KEY_DAY_NAME = 'key-day:';

/** Whose days are counted: of a person, and of one of their keys. */
interface Counted {
  readonly user: string;
  /** Its fingerprint. */
  readonly key: string;
}

/** An execution's own property calls, each told once, and the day as it was stored last. */
function googleBooks({ userStore, documentStore }: Platform, { user, key }: Counted): GoogleBooks {
  let told = 0;
  return {
    propertyCalls() {
      const news = userStore.calls() + documentStore.calls() - told;
      told += news;
      return news;
    },
    storedDay: () => parseGoogleDay(documentStore.read(KEY_DAY_NAME + key)),
    storedUserDay: () => parseGoogleDay(documentStore.read(USER_DAY_NAME + user)),
  };
}

/** The days as they are to be stored: what the gate booked, as far as this execution saw it. */
function daysToStore(gate: Gate, { user, key }: Counted): Readonly<Record<string, string>> {
  const days = [
    [KEY_DAY_NAME + key, gate.keyDay()],
    [USER_DAY_NAME + user, gate.googleDay()],
  ] as const;
  return Object.fromEntries(
    days.flatMap(([name, day]) => (day ? [[name, JSON.stringify(day)]] : [])),
  );
}

/**
 * What is used and what is left, as far as the owner of the key caused it in this spreadsheet, with
 * whichever keys: what they do elsewhere counts too, and Google has the last word. Two cache calls.
 */
export function googleUse(
  { cache, gate }: { readonly cache: ResultCache; readonly gate: Gate },
  nowMs: number,
): Allowances {
  const unseen = allowancesOf(cache.googleDay(), nowMs).propertyCalls.usedToday;
  return allowancesOf(withUse(gate.googleDay(), { propertyCalls: unseen }, nowMs), nowMs);
}

const REFUSAL_NAME = 'refused';

/** Read only where the cache forgot the gate's state, and written once for each refusal. */
function keptRefusal(store: Store, fingerprint: string): KeptRefusal {
  return {
    isKept: () => store.read(REFUSAL_NAME) === fingerprint,
    keep: () => void store.writeAll({ [REFUSAL_NAME]: fingerprint }),
    forget() {
      if (store.read(REFUSAL_NAME) === fingerprint) store.remove(REFUSAL_NAME);
    },
  };
}

/** How long a door may wait for what; every time is on the platform's clock. */
export interface Limits {
  /** No slot is taken later than this. */
  readonly bookUntilMs: number;
  /** Every call has ended by then. */
  readonly endMs: number;
  /** No call may take longer than this. */
  readonly callTimeoutMs: number;
  /** For formulas, and for who uses a shared key: the calls that they may make in a day; null: any number. */
  readonly cellsPerDay?: number | null;
}

export interface Engine {
  /** Without its lock, which knows no door. */
  readonly platform: Omit<Platform, 'lock'>;
  /** The platform's, for which nobody waits when the time of the door is up. */
  readonly lock: Lock;
  readonly connection: Connection;
  /** Names what belongs to this connection and this way of reading it. */
  readonly scope: string;
  readonly reading: Reading;
  readonly cache: ResultCache;
  readonly lastGood: LastGood;
  readonly gate: Gate;
  readonly observations: ObservationLog;
  readonly address: AddressNote;
  /** What goes wrong is noted here, of each kind once. */
  readonly trouble: TroubleLog;
  readonly limits: Limits;
}

/** After its time-out a call's answer is still to be read and cached before others may ask again. */
const LEASE_MARGIN_MS = 2_000;

/** So many names of executions: two alive at the same time never share one. */
const OWNERS = 36 ** 8;

/** A lock is worth so long a wait after the last call: a cell has 2.5 s, in which it keeps answers, too. */
const LAST_LOCK_MS = 1_000;

/** The lock of a door: it is not waited for when the time is up. */
function endingBy({ endMs }: Limits, { clock, lock }: Platform): Lock {
  const leftMs = () => Math.max(0, endMs + LAST_LOCK_MS - clock.nowMs());
  return { run: (waitMs, body) => lock.run(Math.min(waitMs, leftMs()), body) };
}

/** A sleep is looked into so often: a wish to pause is kept within a second or two. */
const NAP_MS = 1_000;
/** Looking into a sleep takes time; shortly before its end it would be overslept. */
const LOOK_MS = 400;

/**
 * Sleeps until then, and no longer than the door's last slot or `lastMs`. Whatever waits for the
 * service, for the key's limit or for others waits here, so no wait outlives its door.
 *
 * @param asleep is called about once a second meanwhile, with the time at which the sleep ends.
 */
export function sleepUntil(
  { limits, platform: { clock } }: Pick<Engine, 'limits' | 'platform'>,
  atMs: number,
  lastMs = limits.bookUntilMs + 1,
  asleep?: (untilMs: number) => void,
): void {
  const endMs = Math.min(atMs, lastMs);
  const leftMs = () => endMs - clock.nowMs();
  while (asleep !== undefined && leftMs() > NAP_MS + LOOK_MS) {
    clock.sleep(NAP_MS);
    asleep(endMs);
  }
  clock.sleep(Math.max(0, leftMs()));
}

/** @param noted is stored by the way when answers are. */
export function createEngine(
  platform: Platform,
  connection: Connection,
  limits: Limits,
  noted: Readonly<Record<string, string>> = {},
): Engine {
  const lock = endingBy(limits, platform);
  const scope = answersScope(connection);
  const observations = observationLog(platform.cache, scope);
  const reading = readingFor(connection);
  const last = lastGood(platform.documentStore, connection.fingerprint, reading);
  const address = addressNote(platform.documentStore, connection);
  const { fingerprint: key, owner: user = key } = connection;
  const books = googleBooks(platform, { user, key });
  const keyGate = gate({
    cache: platform.cache,
    commonCache: platform.commonCache,
    lock,
    clock: platform.clock,
    random: platform.random,
    fingerprint: connection.fingerprint,
    quota: connection.quota,
    owner: Math.floor(platform.random.next() * OWNERS).toString(36),
    ...{ googleBooks: books, user },
    refusal: keptRefusal(platform.documentStore, connection.fingerprint),
    leaseMs: limits.callTimeoutMs + LEASE_MARGIN_MS,
    ...(connection.home !== undefined && { isCopied: () => isFromElsewhere(platform, connection) }),
    ...(limits.cellsPerDay === undefined ? {} : { cellsPerDay: limits.cellsPerDay }),
  });
  const durable = {
    lastGood: last,
    random: platform.random,
    propertyCalls: books.propertyCalls,
    others: () => ({ ...noted, ...address.note, ...daysToStore(keyGate, { user, key }) }),
  };
  const cache = resultCache(observations.cache, connection.fingerprint, durable, reading);
  const trouble = troubleLog(platform.cache, platform.clock);
  return {
    ...{ platform, lock, connection, scope, reading, cache, lastGood: last },
    ...{ gate: keyGate, observations, address, trouble, limits },
  };
}

/** Nobody waits for a single cell, so a slow service gets its time. */
const CELL_CALL_TIMEOUT_MS = 30_000;

/** Works with the connection that cells use; calls begun by `untilMs` are still read. */
export function cellsEngine(platform: Platform, untilMs: number): Engine | Failure {
  const connection = connectionIn(storeOf(platform).forCells());
  return isFailure(connection) ? connection : engineOf(platform, connection, untilMs);
}

/**
 * The same, refused where it is not what cells use: without a shared connection that is the owner's,
 * which nobody else's clock can read, and no cell would find what is asked for.
 */
export function prefetchEngine(platform: Platform, untilMs: number): Engine | Failure {
  const store = storeOf(platform);
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const isOwners = store.sharedKind() !== 'connection' && !isDemo(connection);
  if (isOwners && !mayBeOwner(platform.documentStore, connection))
    return fail({ kind: 'schedule', why: 'other-key', what: '' });
  return engineOf(platform, connection, untilMs);
}

const storeOf = (platform: Platform) =>
  connectionStore({ ...platform, loopbackAllowed: __LOOPBACK_ALLOWED__ });

function engineOf(platform: Platform, connection: Connection, untilMs: number): Engine {
  return createEngine(platform, connection, {
    bookUntilMs: untilMs,
    endMs: untilMs + CELL_CALL_TIMEOUT_MS,
    callTimeoutMs: CELL_CALL_TIMEOUT_MS,
    // Formulas asked for these, whoever's door it is.
    cellsPerDay: connection.cellsPerDay ?? null,
  });
}

/** Nobody looks at a single row of a run, so a slow service gets its time. */
const RUN_CALL_TIMEOUT_MS = 30_000;

/** After the last slot a wave may still be under way, and its answers are still written. */
const LAST_ANSWERS_MS = RUN_CALL_TIMEOUT_MS + 5_000;

/** Whoever has no key of their own spends the one that somebody shared, up to the cap that they set. */
export const capFor = ({ cellsPerDay }: Connection, isOwn: boolean): Pick<Limits, 'cellsPerDay'> =>
  isOwn ? {} : { cellsPerDay: cellsPerDay ?? null };

/** The connection that the person at the keyboard, or whose trigger it is, uses. */
export function openEngine(platform: Platform, untilMs: number): Engine | Failure {
  const stored = storeOf(platform).forPerson();
  const connection = connectionIn(stored);
  if (isFailure(connection)) return connection;
  return createEngine(platform, connection, {
    bookUntilMs: untilMs,
    endMs: untilMs + LAST_ANSWERS_MS,
    callTimeoutMs: RUN_CALL_TIMEOUT_MS,
    ...capFor(connection, stored.own),
  });
}
