// What an execution gets from Google and tests replace: the clock, chance, HTTP, the cache, the stores
// and the lock.

import { bytesOf } from '../schema/stored-record';
import {
  busy,
  type CallRefusal,
  isBusy,
  isHurried,
  Refused,
  refusalIn,
  serviceCall,
  serviceCallOr,
} from './service-call';

/**
 * Time, and the only source of "now" in the product. Pure functions take `nowMs` as an argument
 * instead.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Blocks this execution. Sleeping counts as run time. */
  sleep(durationMs: number): void;
}

/**
 * Random numbers for jitter and for the names of lock owners. They are never used for anything
 * secret.
 */
export interface Random {
  /** A number from 0 (included) to 1 (excluded). */
  next(): number;
}

/** Names have eight characters at most, which is enough for two never to be the same. */
const NAMES = 36 ** 8;

/** A name for an execution, a run or a person. It says nothing about them. */
export const drawName = (random: Random): string => Math.floor(random.next() * NAMES).toString(36);

/**
 * A cache that may forget anything at any time. It also reads as empty when Google's cache fails,
 * and does not throw then. Each value is text of at most 100 KB.
 *
 * @param isPaidFor whether a missing value costs a call to the service. If so, a failing cache
 * throws `Refused`.
 */
export interface Cache {
  getAll(names: readonly string[], isPaidFor?: boolean): Readonly<Record<string, string>>;
  /** Returns whether Google stored the values; it may fail temporarily. */
  putAll(values: Readonly<Record<string, string>>, ttlSeconds: number): boolean;
}

/**
 * Durable text by name. A value holds at most 9 KB, and every call counts against Google's daily
 * allowance.
 */
export interface Store {
  read(name: string): string | null;
  write(name: string, value: string): void;
  remove(name: string): void;
  /** Reads everything that is stored, in one call. */
  readAll(): Readonly<Record<string, string>>;
  /** Writes several values in one call. Returns whether they are stored; there may be no room. */
  writeAll(values: Readonly<Record<string, string>>): boolean;
}

/** The lock is held for some calls of stores, so an execution that holds it for longer than this has died. */
export const RECORD_LOCK_WAIT_MS = 10_000;

/** Mutual exclusion between executions. */
export interface Lock {
  /**
   * Runs `body` while holding the lock. Answers `held: false` when the lock was not free in time or
   * Google refused it. Throws only what `body` throws.
   */
  run<T>(waitMs: number, body: () => T): { readonly held: true; readonly value: T } | NotHeld;
}

export interface NotHeld {
  readonly held: false;
}

/** Sends a wave of requests at once. The outcomes come in the order of the requests. */
export interface Http {
  sendAll(requests: readonly HttpRequest[]): readonly HttpOutcome[];
}

/** A one-way hash, for names that must not reveal what they stand for. */
export interface Hasher {
  sha256Hex(text: string): string;
}

/**
 * Everything that a door hands to the engine. Members are created on first use, so an unused one
 * costs nothing.
 */
export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  /** Shared by all users of this spreadsheet. */
  readonly cache: Cache;
  readonly userStore: Store;
  readonly documentStore: Store;
  /** Shared by all users of this spreadsheet. */
  readonly lock: Lock;
  readonly hasher: Hasher;
  /** The id of the active spreadsheet; null: a clock trigger may run without one. */
  spreadsheetId(): string | null;
}

/** The spreadsheet's cache, or the user's where a script runs without a spreadsheet. */
export function spreadsheetCache(): Cache {
  return cache(() => CacheService.getDocumentCache() ?? CacheService.getUserCache());
}

/** Apps Script refuses a larger value together with everything else in the same call. */
const CACHE_VALUE_BYTES_MAX = 102_400;

function cache(open: () => GoogleAppsScript.Cache.Cache): Cache {
  let opened: GoogleAppsScript.Cache.Cache | undefined;
  const service = () => {
    opened ??= open();
    return opened;
  };
  return {
    getAll(names, isPaidFor = false) {
      const read = () => service().getAll([...names]);
      return isPaidFor ? serviceCall(read) : serviceCallOr({}, read);
    },
    putAll(values, ttlSeconds) {
      // A value that is too large is simply not cached; a cache may forget anything. Its answers
      // are paid for by now and matter more to the caller than caching them.
      const fitting = Object.entries(values).filter(
        ([, value]) => bytesOf(value) <= CACHE_VALUE_BYTES_MAX,
      );
      return serviceCallOr(false, () => {
        service().putAll(Object.fromEntries(fitting), ttlSeconds);
        return true;
      });
    },
  };
}

/** The limit for one value, from Google's page "Quotas for Google services". */
const STORE_VALUE_BYTES_MAX = 9 * 1024;

/**
 * A store holds 500 KB. One that rejects a value of any allowed size already holds more than this.
 */
const STORE_CHARS_FULL = 490_000;

type Properties = GoogleAppsScript.Properties.Properties;

/** In a cell, these are the properties of the spreadsheet's owner, whoever views it. */
function userStore(): Store {
  return propertyStore('you', () => PropertiesService.getUserProperties());
}

/**
 * Shared by all users of the spreadsheet. It stays empty where a script runs without a spreadsheet.
 */
export function documentStore(): Store {
  return propertyStore('here', () => PropertiesService.getDocumentProperties());
}

function propertyStore(holder: 'you' | 'here', open: () => Properties | null): Store {
  let opened: Properties | null | undefined;
  const properties = () => {
    if (opened === undefined) opened = open();
    return opened;
  };
  const holds = (name: string, value: string | null): boolean | undefined =>
    properties()?.getProperty(name) === value || undefined;
  /**
   * Google's message is in the person's language, so the amount of stored text is measured instead.
   */
  const isFull = () =>
    serviceCallOr('', () => JSON.stringify(properties()?.getProperties() ?? '')).length >
    STORE_CHARS_FULL;
  return {
    read: (name) => serviceCall(() => properties()?.getProperty(name) ?? null),
    // A call that failed may still have written the value; if it did, that is a success.
    write(name, value) {
      try {
        serviceCall(
          () => void properties()?.setProperty(name, value),
          () => holds(name, value),
        );
      } catch (error) {
        throw isBusy(error) && isFull() ? new Refused({ kind: 'store-full', holder }) : error;
      }
    },
    remove: (name) =>
      serviceCall(
        () => void properties()?.deleteProperty(name),
        () => holds(name, null),
      ),
    readAll: () => serviceCall(() => properties()?.getProperties() ?? {}),
    // Values written in one go are nice to have, so a refusal by Google returns false and does not
    // throw.
    writeAll: (values) =>
      Object.values(values).every((value) => bytesOf(value) <= STORE_VALUE_BYTES_MAX) &&
      serviceCallOr(false, () =>
        serviceCall(
          () => (properties()?.setProperties({ ...values }) ?? null) !== null,
          () => Object.entries(values).every(([name, value]) => holds(name, value)) || undefined,
        ),
      ),
  };
}

/** `Utilities.sleep` refuses more than five minutes. */
const SLEEP_MS_MAX = 300_000;

export function googleClock(): Clock {
  return {
    nowMs: () => Date.now(),
    sleep(durationMs) {
      const untilMs = Date.now() + Math.min(Math.ceil(durationMs), SLEEP_MS_MAX);
      // A failed call may have slept already, so the second try sleeps only the remaining time.
      serviceCall(() => {
        const leftMs = untilMs - Date.now();
        if (leftMs > 0) Utilities.sleep(leftMs);
      });
    },
  };
}

export function googleRandom(): Random {
  return { next: () => Math.random() };
}

function googleDigest(): Hasher {
  return {
    sha256Hex(text) {
      const bytes = serviceCall(() =>
        Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text),
      );
      // Apps Script returns signed bytes, as Java does.
      return bytes.map((byte) => ((byte + 256) % 256).toString(16).padStart(2, '0')).join('');
    },
  };
}

/**
 * Google names the lock service in its message when a script has too many lock operations at once.
 * The lock is tried again after this time.
 */
const CROWDED_MS = 200;
const CROWDED = /LockService/;

/** Each try is of a call that is made twice already. */
const RELEASE_TRIES_MAX = 3;

export function googleLock(clock: Clock, random: Random): Lock {
  let opened: GoogleAppsScript.Lock.Lock | undefined;
  const lock = () => {
    opened ??= LockService.getDocumentLock() ?? LockService.getUserLock();
    return opened;
  };

  /**
   * Tries again while there is time. A lock that a failed call had acquired is available at once.
   */
  function acquire(untilMs: number): boolean {
    for (let faults = 0; ; ) {
      try {
        return lock().tryLock(Math.max(1, Math.round(untilMs - clock.nowMs())));
      } catch (error) {
        if (!CROWDED.test(String(error))) faults += 1;
        if (faults > 1 || clock.nowMs() + CROWDED_MS > untilMs) {
          // The failed call may have acquired the lock all the same.
          if (faults > 0) release();
          return false;
        }
        clock.sleep(CROWDED_MS * (1 + random.next()));
      }
    }
  }

  const released = () => {
    lock().releaseLock();
    return true;
  };
  /** A lock that is not released ends with this execution, and keeps everybody waiting until then. */
  const release = () => {
    for (let tries = 0; tries < RELEASE_TRIES_MAX; tries += 1)
      if (serviceCallOr(false, released)) return;
  };

  return {
    run(waitMs, body) {
      if (!acquire(clock.nowMs() + waitMs)) return { held: false };
      try {
        return { held: true, value: body() };
      } finally {
        release();
      }
    },
  };
}

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded` in a POST. */
  readonly form: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
}

/** The result of one request. Header names are lower case. */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed-out' }
  /** The whole wave was lost because one of its requests failed; Google does not say which one. */
  | { readonly kind: 'lost-with-wave' }
  /** Google's daily allowance of calls is used up. */
  | { readonly kind: 'daily-limit' }
  /** The person has not allowed the add-on to call external services. */
  | { readonly kind: 'not-permitted' }
  /**
   * Google did not make the call, or lost its answer. `words` is Google's message in the person's
   * language.
   */
  | { readonly kind: 'google-busy'; readonly words: string };

/** The published types do not know `timeoutSeconds` yet. */
interface RequestOptions extends GoogleAppsScript.URL_Fetch.URLFetchRequestOptions {
  readonly timeoutSeconds: number;
}

/** Milliseconds that count as a whole second of a timeout, because two clocks differ a little. */
const NEARLY_MS = 900;

type FetchRequest = RequestOptions & { readonly url: string };

/** Sends a wave of requests at once. The outcomes come in the order of the requests. */
export function sendAll(requests: readonly HttpRequest[]): readonly HttpOutcome[] {
  const [only] = requests;
  if (only === undefined) return [];
  return requests.length === 1 ? [sendOne(only)] : sendWave(requests);
}

/**
 * Sends one request and never repeats it: only the engine can judge whether a failed call cost
 * something.
 */
function sendOne(request: HttpRequest): HttpOutcome {
  const { url, ...options } = fetchRequest(request);
  const startMs = Date.now();
  return serviceCall(
    () => outcomeOf(UrlFetchApp.fetch(url, options)),
    (words) => outcomeOfThrown(words, request, Date.now() - startMs),
  );
}

/**
 * Sends several requests at once. If one of them cannot be sent, the answers of the whole wave are
 * lost, even of requests that arrived.
 */
function sendWave(requests: readonly HttpRequest[]): readonly HttpOutcome[] {
  return serviceCall(
    () => UrlFetchApp.fetchAll(requests.map(fetchRequest)).map(outcomeOf),
    (words) => {
      const own = withoutAddresses(words, requests);
      // When Google complains of too many calls in a short time, no request has left.
      const refusal = refusalIn(own) ?? (isHurried(own) ? busy(own) : undefined);
      const lost = refusal === undefined ? ({ kind: 'lost-with-wave' } as const) : ofAll(refusal);
      return requests.map(() => lost);
    },
  );
}

const ofAll = (refusal: CallRefusal): HttpOutcome =>
  refusal.kind === 'google-limit' ? { kind: 'daily-limit' } : refusal;

function fetchRequest(request: HttpRequest): FetchRequest {
  return {
    url: request.url,
    method: 'post',
    // UrlFetchApp sends an object as form fields with a form-encoded content type.
    payload: { ...request.form },
    headers: { ...request.headers },
    muteHttpExceptions: true,
    // A redirect would carry the key to another address.
    followRedirects: false,
    timeoutSeconds: request.timeoutSeconds,
  };
}

function outcomeOf(response: GoogleAppsScript.URL_Fetch.HTTPResponse): HttpOutcome {
  // Google returns several headers of one name as an array, and HTTP writes them as one header
  // joined by commas (RFC 9110 §5.3).
  const headers = Object.entries(response.getAllHeaders()).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  return {
    kind: 'response',
    status: response.getResponseCode(),
    headers: Object.fromEntries(headers),
    body: response.getContentText(),
  };
}

/**
 * Google quotes the address in its message about a network fault, in every language. A timeout is
 * recognised by the time that passed.
 */
function outcomeOfThrown(words: string, request: HttpRequest, tookMs: number): HttpOutcome {
  const refusal = refusalIn(withoutAddresses(words, [request]));
  if (refusal !== undefined) return ofAll(refusal);
  if (tookMs >= request.timeoutSeconds * NEARLY_MS) return { kind: 'timed-out' };
  return words.includes(request.url) ? { kind: 'unreachable' } : ofAll(busy(words));
}

/** Removes the addresses before a message is searched, because an address may contain any word. */
function withoutAddresses(words: string, requests: readonly HttpRequest[]): string {
  return requests.reduce((rest, { url }) => rest.split(url).join(''), words);
}

export function googlePlatform(): Platform {
  const clock = googleClock();
  const random = googleRandom();
  return {
    clock,
    random,
    http: { sendAll },
    cache: spreadsheetCache(),
    userStore: userStore(),
    documentStore: documentStore(),
    lock: googleLock(clock, random),
    hasher: googleDigest(),
    spreadsheetId: () => serviceCall(() => SpreadsheetApp.getActiveSpreadsheet()?.getId() ?? null),
  };
}
