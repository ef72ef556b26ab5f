// What an execution needs to ask for answers: connection, cache, gate and time limits.

import { type ResultCache, resultCache } from '../cache/result-cache';
import { answersScope, type Connection, fetchedWithOf } from '../connection/connection';
import { isFromElsewhere } from '../connection/connection-store';
import { DAY } from '../failures/duration';
import { type TroubleLog, troubleLog } from '../failures/trouble-log';
import { drawName, type Lock, type Platform, type Store } from '../google/platform';
import { parseCellDay } from '../limit/cell-day';
import { type Gate, gate, type KeptRefusal, type StoredDay } from '../limit/gate';
import { isProven, type Standing } from '../service/reply-meaning';

/** What this execution knows of the address: whether, and when, an analysis came from there. */
interface AddressNote {
  /** An analysis came from there. */
  hear(atMs: number): void;
  /** When one came last, as far as this execution knows; 0 if none is known. */
  answeredMs(): number;
  standing(nowMs: number): Standing;
}

/** How long an analysis says that the address and the key are right. */
const RECENT_MS = 3_600_000;

function addressNote({ answered, fingerprint }: Connection, answeredMs: () => number): AddressNote {
  let heardMs = 0;
  const lastMs = () => Math.max(heardMs, answeredMs());
  return {
    hear(atMs) {
      heardMs = atMs;
    },
    answeredMs: lastMs,
    standing(nowMs) {
      if (lastMs() > nowMs - RECENT_MS) return 'recent';
      if (answered === fingerprint || lastMs() > 0) return 'known';
      return answered === undefined ? 'new' : 'new-key';
    },
  };
}

/** Names in the store, where the calls of a key's formulas are kept in case the cache forgets them. */
const KEY_DAY_NAME = 'key-day:';

function storedDay(store: Store, fingerprint: string): StoredDay {
  const name = KEY_DAY_NAME + fingerprint;
  return {
    read: () => parseCellDay(store.read(name)),
    write: (day) => void store.writeAll({ [name]: JSON.stringify(day) }),
  };
}

/**
 * Deletes counts of earlier days. Costs one property call, and one for each that it deletes.
 */
export function forgetOldDays({
  clock,
  documentStore,
}: Pick<Platform, 'clock' | 'documentStore'>): void {
  for (const [name, text] of Object.entries(documentStore.readAll())) {
    const { sinceMs = 0 } = parseCellDay(text) ?? {};
    if (name.startsWith(KEY_DAY_NAME) && clock.nowMs() >= sinceMs + DAY) documentStore.remove(name);
  }
}

const REFUSAL_NAME = 'refused';

/**
 * The stored refusal of a key. It is read only if the cache has forgotten the gate's state, and
 * written once for each refusal.
 */
function keptRefusal(store: Store, fingerprint: string): KeptRefusal {
  return {
    isKept: () => store.read(REFUSAL_NAME) === fingerprint,
    keep: () => void store.writeAll({ [REFUSAL_NAME]: fingerprint }),
    forget() {
      if (store.read(REFUSAL_NAME) === fingerprint) store.remove(REFUSAL_NAME);
    },
  };
}

/** A door's time limits. All times are on the platform's clock. */
export interface Limits {
  /** No slot is booked later than this. */
  readonly bookUntilMs: number;
  /** The same where the service has lately taken no more than half of what is then left. */
  readonly bookFastUntilMs: number;
  /** Every call has ended by this time. */
  readonly endMs: number;
  /** The longest time that one call may take. */
  readonly callTimeoutMs: number;
  /**
   * For formulas and for users of a shared key: how many calls they may make in a day; null: any
   * number.
   */
  readonly cellsPerDay?: number | null;
}

export interface Engine {
  /** Without its lock, which does not know the door's time limit. */
  readonly platform: Omit<Platform, 'lock'>;
  /** The platform's lock, which is not waited for beyond the door's time. */
  readonly lock: Lock;
  readonly connection: Connection;
  /** Names rows whose figures came with this connection and were read in its way. */
  readonly fetchedWith: string;
  readonly cache: ResultCache;
  readonly gate: Gate;
  readonly address: AddressNote;
  /** Failures are noted here, one of each kind. */
  readonly trouble: TroubleLog;
  readonly limits: Limits;
  /**
   * Stores with the spreadsheet whose key cells use, where that is to be noted. Called after many
   * calls, and after the first analysis for an hour. Costs one property call.
   */
  saveNotes(): void;
}

/**
 * The time between a call's time-out and the moment others may ask the same: its answer is still
 * being read and cached.
 */
const LEASE_MARGIN_MS = 2_000;

/**
 * The platform's lock. It is not asked for where it may be waited for beyond the door's time: a cell
 * has 2.5 s after its last call, in which it also stores answers.
 */
function endingBy({ endMs }: Limits, { clock, lock }: Platform): Lock {
  const isInTime = (waitMs: number) => clock.nowMs() + waitMs <= endMs;
  return { run: (waitMs, body) => (isInTime(waitMs) ? lock.run(waitMs, body) : { held: false }) };
}

/** @param noted further texts that `saveNotes` stores, by name. */
export function createEngine(
  platform: Platform,
  connection: Connection,
  limits: Limits,
  noted: Readonly<Record<string, string>> = {},
): Engine {
  const lock = endingBy(limits, platform);
  const scope = answersScope(connection);
  const address = addressNote(connection, () => cache.answeredMs());
  const { fingerprint } = connection;
  const openGate = () =>
    gate({
      cache: platform.cache,
      lock,
      clock: platform.clock,
      fingerprint,
      quota: connection.quota,
      owner: drawName(platform.random),
      storedDay: storedDay(platform.documentStore, fingerprint),
      answeredMs: () => address.answeredMs(),
      isProven: () => isProven(address.standing(platform.clock.nowMs())),
      refusal: keptRefusal(platform.documentStore, fingerprint),
      leaseMs: limits.callTimeoutMs + LEASE_MARGIN_MS,
      ...(connection.home !== undefined && {
        isCopied: () => isFromElsewhere(platform, connection),
      }),
      ...(limits.cellsPerDay === undefined ? {} : { cellsPerDay: limits.cellsPerDay }),
    });
  const cache = resultCache(platform.cache, scope, platform.random.next());
  let opened: Gate | undefined;
  let log: TroubleLog | undefined;
  return {
    platform,
    lock,
    connection,
    fetchedWith: fetchedWithOf(scope),
    cache,
    // Whoever finds everything in the cache needs neither of them.
    get gate() {
      opened ??= openGate();
      return opened;
    },
    get trouble() {
      log ??= troubleLog(platform.cache, platform.clock);
      return log;
    },
    address,
    limits,
    saveNotes() {
      const hasNotes = address.answeredMs() > 0 && Object.keys(noted).length > 0;
      if (hasNotes) platform.documentStore.writeAll(noted);
    },
  };
}
