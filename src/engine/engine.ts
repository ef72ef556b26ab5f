// What an execution needs to ask for answers: connection, cache, gate and time limits, and the call
// itself, which is sent nowhere else. Every door uses it.

import { type ResultCache, resultCache } from '../cache/result-cache';
import { answersScope, type Connection, connectionIn, isDemo } from '../connection/connection';
import { connectionStore, isFromElsewhere, mayBeOwner } from '../connection/connection-store';
import { DAY } from '../failures/duration';
import { type Failure, fail, isFailure } from '../failures/failure';
import { type TroubleLog, troubleLog } from '../failures/trouble-log';
import { drawName, type Lock, type Platform, type Store } from '../google/platform';
import { type Gate, gate, type KeptRefusal, parseCellDay, type StoredDay } from '../limit/gate';
import type { Product } from '../product/asin';
import { wireNameOf } from '../product/market';
import { rateSignal } from '../service/rate-headers';
import type { Standing } from '../service/reply-meaning';
import { analyzeRequest } from '../service/request';
import {
  failureOfStop,
  type Interpretation,
  interpret,
  type Received,
  receive,
} from '../service/response';

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

function addressNote({ answered }: Connection, answeredMs: () => number): AddressNote {
  let heardMs = 0;
  const lastMs = () => Math.max(heardMs, answeredMs());
  return {
    hear(atMs) {
      heardMs = atMs;
    },
    answeredMs: lastMs,
    standing(nowMs) {
      if (lastMs() > nowMs - RECENT_MS) return 'recent';
      return answered ? 'known' : 'new';
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
  /** Names data that depends on this connection and on how its answers are read. */
  readonly scope: string;
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

/**
 * A wait is interrupted this often, so that a command to pause is obeyed within a second or two.
 */
const NAP_MS = 1_000;
/** An interruption takes time, so none begins this close to the end of a wait. */
const LOOK_MS = 400;

/**
 * Sleeps until `atMs`, but not beyond the door's last slot or `lastMs`. Everything that waits for
 * the service, the key's limit or other executions waits here, so that no wait outlives its door.
 *
 * @param asleep is called about once a second during the wait, with the time at which it ends.
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
      refusal: keptRefusal(platform.documentStore, fingerprint),
      leaseMs: limits.callTimeoutMs + LEASE_MARGIN_MS,
      ...(connection.home !== undefined && {
        isCopied: () => isFromElsewhere(platform, connection),
      }),
      ...(limits.cellsPerDay === undefined ? {} : { cellsPerDay: limits.cellsPerDay }),
    });
  const cache = resultCache(platform.cache, scope);
  let opened: Gate | undefined;
  let log: TroubleLog | undefined;
  return {
    platform,
    lock,
    connection,
    scope,
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

/** Nobody watches a single one of these cells, so a slow service gets the time it needs. */
const CELL_CALL_TIMEOUT_MS = 30_000;

/**
 * An engine with the connection that cells use. Calls that begin by `untilMs` still get their
 * answers.
 */
export function cellsEngine(platform: Platform, untilMs: number): Engine | Failure {
  const connection = connectionIn(connectionStore(platform).forCells());
  return isFailure(connection) ? connection : engineOf(platform, connection, untilMs);
}

/**
 * The same, but refused if this person's connection is not the one that cells use. Without a shared
 * connection, cells use the owner's, which nobody else's clock can read; cells would not find the
 * answers.
 */
export function prefetchEngine(platform: Platform, untilMs: number): Engine | Failure {
  const store = connectionStore(platform);
  const connection = connectionIn(store.forCells());
  if (isFailure(connection)) return connection;
  const isOwners = store.sharedKind() !== 'connection' && !isDemo(connection);
  if (isOwners && !mayBeOwner(platform.documentStore, connection))
    return fail({ kind: 'schedule', why: 'other-key', what: '' });
  return engineOf(platform, connection, untilMs);
}

function engineOf(platform: Platform, connection: Connection, untilMs: number): Engine {
  return createEngine(platform, connection, {
    bookUntilMs: untilMs,
    endMs: untilMs + CELL_CALL_TIMEOUT_MS,
    callTimeoutMs: CELL_CALL_TIMEOUT_MS,
    // The cap on formulas applies because formulas asked for these products, whichever door sends
    // the calls.
    cellsPerDay: connection.cellsPerDay ?? null,
  });
}

/** Nobody watches a single row of a run, so a slow service gets the time it needs. */
const RUN_CALL_TIMEOUT_MS = 30_000;

/** A wave may still be under way after the last slot, and its answers are still written. */
const LAST_ANSWERS_MS = RUN_CALL_TIMEOUT_MS + 5_000;

/**
 * A person without a key of their own uses the shared one, up to the cap that its owner has set.
 */
export const capFor = ({ cellsPerDay }: Connection, isOwn: boolean): Pick<Limits, 'cellsPerDay'> =>
  isOwn ? {} : { cellsPerDay: cellsPerDay ?? null };

/**
 * An engine with the connection of the current person or of the trigger's owner.
 *
 * @param untilMs left out: for looks that make no call.
 */
export function openEngine(platform: Platform, untilMs = platform.clock.nowMs()): Engine | Failure {
  const stored = connectionStore(platform).forPerson();
  const connection = connectionIn(stored);
  if (isFailure(connection)) return connection;
  return createEngine(platform, connection, {
    bookUntilMs: untilMs,
    endMs: untilMs + LAST_ANSWERS_MS,
    callTimeoutMs: RUN_CALL_TIMEOUT_MS,
    ...capFor(connection, stored.own),
  });
}

/** What came back, and what it says. */
export interface Exchange {
  readonly received: Received;
  readonly read: Interpretation;
}

/**
 * Asks for all products at once and reads each reply, in order. Slots are the caller's to have. What
 * the replies say of the quota goes to the gate.
 */
export function call(
  { connection, gate, platform, address }: Engine,
  products: readonly Product[],
  timeoutMs: number,
): readonly Exchange[] {
  const { apiKey, settings } = connection;
  const timeoutSeconds = Math.floor(timeoutMs / 1_000);
  const outcomes = platform.http.sendAll(
    products.map(({ asin, market }) =>
      analyzeRequest(connection, asin, wireNameOf(market, settings), timeoutSeconds),
    ),
  );
  const nowMs = platform.clock.nowMs();
  const replies = products.map((product, i) => ({
    product,
    received: receive(outcomes[i] ?? { kind: 'unreachable' }, apiKey, settings),
  }));
  // Replies of one wave say the same of the quota; what they say of its rest, the last knows best.
  const signals = replies.flatMap(({ received: one }) =>
    one.kind === 'response' ? (rateSignal(one.headers, one.json, nowMs) ?? []) : [],
  );
  const latest = signals[signals.length - 1];
  if (latest !== undefined) gate.hear(latest);
  const isAnalysis = (one: Exchange) => one.read.kind === 'answer' && one.read.answer.ok;
  const readAll = (standing: Standing): readonly Exchange[] =>
    replies.map(({ product, received }) => ({
      received,
      read: interpret(received, standing, product, settings, nowMs),
    }));
  // An analysis in the wave says of the others where they come from.
  const besideOne = readAll('recent');
  if (!besideOne.some(isAnalysis)) return readAll(address.standing(nowMs));
  address.hear(nowMs);
  return besideOne;
}

/**
 * Makes one call, without a look into the cache and without a retry, for callers that need the reply
 * itself. Every execution is told of a stop that it runs into.
 */
export function callOnce(
  engine: Engine,
  product: Product,
): (Exchange & { readonly latencyMs: number }) | Failure {
  const { gate, limits, platform } = engine;
  const { clock } = platform;
  // The claim has a unique name, because no other execution makes this call.
  const claim = [`check ${platform.random.next()}`];
  const booking = gate.book(claim, limits.bookUntilMs, Number.POSITIVE_INFINITY);
  if (booking.kind === 'stopped') return failureOfStop(booking.stop, clock.nowMs());
  if (booking.kind !== 'go') return fail({ kind: 'waiting' });
  sleepUntil(engine, booking.atMs);
  const sentMs = clock.nowMs();
  const [exchange] = call(engine, [product], limits.callTimeoutMs);
  if (exchange === undefined) return fail({ kind: 'unreachable' });
  const latencyMs = clock.nowMs() - sentMs;
  const { read } = exchange;
  if ('stop' in read && read.stop !== undefined)
    gate.stop(read.stop, claim, read.kind === 'again' ? 1 : 0);
  return { ...exchange, latencyMs };
}
