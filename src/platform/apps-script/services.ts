// The small ports – cache, stores, clock, lock, digest, access, mail – on Apps Script's services,
// and the platform they make up.

import {
  type Access,
  bytesOf,
  type Cache,
  type Clock,
  type Digest,
  type Environment,
  isBusy,
  type Lock,
  type Mail,
  type Platform,
  type Random,
  Refused,
  type Store,
  type Zones,
} from '../ports';
import { appsScriptHttp } from './http';
import { isUnauthorised, serviceCall, serviceCallOr } from './service-call';
import { appsScriptSpreadsheet, book } from './spreadsheet';
import { appsScriptTriggers } from './triggers';

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
  return store('you', () => PropertiesService.getUserProperties());
}

/**
 * Shared by all users of the spreadsheet. It stays empty where a script runs without a spreadsheet.
 */
export function documentStore(): Store {
  return store('here', () => PropertiesService.getDocumentProperties());
}

function store(holder: 'you' | 'here', open: () => Properties | null): Store {
  let opened: Properties | null | undefined;
  let calls = 0;
  /** Each use is followed by exactly one property call, which is counted here. */
  const properties = () => {
    calls += 1;
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
    calls: () => calls,
  };
}

/** `Utilities.sleep` refuses more than five minutes. */
const SLEEP_MS_MAX = 300_000;

export function appsScriptClock(): Clock {
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

export function appsScriptRandom(): Random {
  return { next: () => Math.random() };
}

function appsScriptDigest(): Digest {
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

export function appsScriptLock(clock: Clock, random: Random): Lock {
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

  /** If releasing fails, the lock still ends with this execution. */
  const release = () => serviceCallOr(undefined, () => lock().releaseLock());

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

/** The published types do not know yet that Apps Script can be asked about single scopes. */
interface Asking {
  getAuthorizationInfo(
    mode: GoogleAppsScript.Script.AuthMode,
    scopes?: readonly string[],
  ): GoogleAppsScript.Script.AuthorizationInfo;
}

export function appsScriptAccess(): Access {
  const info = (scopes?: readonly string[]) => {
    const app: Asking = ScriptApp;
    return app.getAuthorizationInfo(ScriptApp.AuthMode.FULL, scopes);
  };
  return {
    isGranted: (scope) =>
      serviceCall(
        () => info([scope]).getAuthorizationStatus() === ScriptApp.AuthorizationStatus.NOT_REQUIRED,
      ),
    // Google may return an address although nothing is missing, so the status is asked first.
    grantUrl: () =>
      isUnauthorised() ? serviceCallOr(null, () => info().getAuthorizationUrl() || null) : null,
  };
}

export function appsScriptMail(): Mail {
  return {
    send(subject, text) {
      // If the daily mails are used up or the person has not allowed mail, the page says the same,
      // so both return false.
      return serviceCallOr(false, () => {
        const to = Session.getEffectiveUser().getEmail();
        const left = serviceCall(() => MailApp.getRemainingDailyQuota());
        return serviceCall(
          () => {
            MailApp.sendEmail(to, subject, text);
            return true;
          },
          // The mail may have been sent although the call failed; then fewer mails remain for the
          // day.
          () => MailApp.getRemainingDailyQuota() < left || undefined,
        );
      });
    },
    spreadsheet() {
      return serviceCall(() => {
        const spreadsheet = book();
        return { name: spreadsheet.getName(), url: spreadsheet.getUrl() };
      });
    },
  };
}

export function appsScriptEnvironment(): Environment {
  return {
    places: () =>
      serviceCall(() => {
        const spreadsheet = book();
        return {
          timeZone: spreadsheet.getSpreadsheetTimeZone(),
          locale: spreadsheet.getSpreadsheetLocale(),
          scriptTimeZone: Session.getScriptTimeZone(),
          userLocale: Session.getActiveUserLocale(),
        };
      }),
    triggers: () =>
      serviceCall(() =>
        ScriptApp.getUserTriggers(book()).map((trigger) => trigger.getHandlerFunction()),
      ),
  };
}

const MINUTE_MS = 60_000;

function appsScriptZones(): Zones {
  return {
    offsetMs(timeZone, atMs) {
      // `shown` looks like "-0330".
      const shown = serviceCall(() => Utilities.formatDate(new Date(atMs), timeZone, 'Z'));
      const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(shown) ?? [];
      const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS;
      return sign === '-' ? -ahead : ahead;
    },
  };
}

export function appsScriptPlatform(): Platform {
  const clock = appsScriptClock();
  const random = appsScriptRandom();
  return {
    clock,
    random,
    http: appsScriptHttp(),
    cache: spreadsheetCache(),
    userStore: userStore(),
    documentStore: documentStore(),
    lock: appsScriptLock(clock, random),
    digest: appsScriptDigest(),
    spreadsheetId: () => serviceCall(() => book()?.getId() ?? null),
  };
}

export const withSchedules = (platform: Platform) => ({
  ...platform,
  spreadsheet: appsScriptSpreadsheet(),
  triggers: appsScriptTriggers(),
  access: appsScriptAccess(),
  zones: appsScriptZones(),
});
