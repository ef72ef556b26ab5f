// Adapters before services that fail: in every language of the host, once or twice, before an effect or after it.

import { afterEach, describe, expect, it } from '@jest/globals';
import { inWords, LOCALES, type Message, say } from '../../../playground/host/messages';
import { appsScriptHttp } from '../../../src/platform/apps-script/http';
import {
  appsScriptAccess,
  appsScriptClock,
  appsScriptLock,
  appsScriptRandom,
  documentStore,
} from '../../../src/platform/apps-script/services';
import { appsScriptTriggers } from '../../../src/platform/apps-script/triggers';
import { Refused } from '../../../src/platform/ports';

const SERVICES = ['PropertiesService', 'ScriptApp', 'LockService', 'UrlFetchApp', 'SpreadsheetApp'];

afterEach(() => {
  for (const name of SERVICES) Reflect.deleteProperty(globalThis, name);
});

const provide = (services: object) => Object.assign(globalThis, services);

/** Fails with these messages, one after the other; null: it works once. What is thrown is no Error. */
function failing(...messages: readonly (Message | string | null)[]) {
  const left = [...messages];
  return (locale: (typeof LOCALES)[number] = 'en') => {
    const message = left.shift();
    if (message != null) throw `Exception: ${inWords(message, locale)}`;
  };
}

function refusalOf(action: () => unknown) {
  try {
    action();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
  return undefined;
}

const FAULT = say('server-error');

describe.each(LOCALES)('in %s', (locale) => {
  describe('a store', () => {
    function withStore(...messages: readonly (Message | null)[]) {
      const fail = failing(...messages);
      const kept: Record<string, string> = {};
      const properties = {
        getProperty: (name: string) => {
          fail(locale);
          return kept[name] ?? null;
        },
        setProperty: (name: string, value: string) => {
          fail(locale);
          kept[name] = value;
        },
        setProperties(values: object) {
          fail(locale);
          Object.assign(kept, values);
          return properties;
        },
        getProperties: () => {
          fail(locale);
          return { ...kept };
        },
      };
      provide({ PropertiesService: { getDocumentProperties: () => properties } });
      return { store: documentStore(), kept };
    }

    it('that is full takes nothing, and says so where it matters', () => {
      const full = say('store-full');
      // Between two tries it is read whether the first was stored after all.
      expect(withStore(full, null, full).store.writeAll({ a: 'x' })).toBe(false);
      expect(refusalOf(() => withStore(full, null, full).store.write('a', 'x'))).toEqual({
        kind: 'google-busy',
        words: expect.stringContaining(inWords(full, locale).slice(0, 12)),
      });
    });

    it('whose calls of a day are spent says so', () => {
      const spent = say('store-day-spent', 'properties get');
      expect(refusalOf(() => withStore(spent).store.read('a'))).toEqual({ kind: 'google-limit' });
      expect(refusalOf(() => withStore(spent).store.readAll())).toEqual({ kind: 'google-limit' });
    });

    it('that fails once is asked again, and nothing is lost', () => {
      const { store, kept } = withStore(FAULT, null, null, FAULT);
      store.write('a', 'x');
      expect(kept).toEqual({ a: 'x' });
      expect(store.read('a')).toBe('x');
    });

    it('that stored what its call failed with is not told as failed', () => {
      const { store, kept } = withStore(FAULT, null, FAULT);
      kept.a = 'x';
      expect(refusalOf(() => store.write('a', 'x'))).toBeUndefined();
      expect(store.writeAll({ a: 'x' })).toBe(true);
      expect(refusalOf(() => store.write('a', 'y'))).toBeUndefined();
      expect(kept).toEqual({ a: 'y' });
    });

    it('that fails twice does not answer that nothing is there', () => {
      expect(refusalOf(() => withStore(FAULT, FAULT).store.read('a'))?.kind).toBe('google-busy');
      expect(refusalOf(() => withStore(FAULT, FAULT).store.readAll())?.kind).toBe('google-busy');
    });

    it('is not offered what is too large', () => {
      expect(withStore().store.writeAll({ a: 'x', b: 'é'.repeat(4_700) })).toBe(false);
      expect(withStore().store.writeAll({ a: 'x', b: 'é'.repeat(4_600) })).toBe(true);
    });
  });

  describe('a trigger', () => {
    /** What came of wishing for one, where `others` triggers are there and `create` fails like this. */
    function made(others: number, isMadeAllTheSame: boolean, ...messages: readonly Message[]) {
      const fail = failing(...messages);
      const triggerOf = (id: number, handler: string) => ({
        getUniqueId: () => String(id),
        getHandlerFunction: () => handler,
      });
      const there = Array.from({ length: others }, (_, at) => triggerOf(at, 'other'));
      const make = () => there.push(triggerOf(there.length, 'onSchedule'));
      const create = () => {
        if (isMadeAllTheSame) make();
        fail(locale);
        if (!isMadeAllTheSame) make();
        return there.at(-1);
      };
      const clock = { everyHours: () => ({ create }), everyMinutes: () => ({ create }) };
      provide({
        ScriptApp: {
          newTrigger: () => ({ timeBased: () => clock }),
          getProjectTriggers: () => [...there],
        },
      });
      return { outcome: appsScriptTriggers().make('onSchedule', 60), count: there.length };
    }

    it('that is there, but not shown, is told as there', () => {
      const { outcome } = made(0, false, say('trigger-there', 'time-based'));
      expect(outcome).toEqual({ kind: 'there' });
    });

    it('beyond twenty is told as too many', () => {
      expect(made(20, false, say('too-many-triggers')).outcome).toEqual({ kind: 'too-many' });
    });

    it('that was made by a call that failed is not made again', () => {
      const { outcome, count } = made(0, true, FAULT);
      expect([outcome, count]).toEqual([{ kind: 'made', id: '0', others: false }, 1]);
    });

    it('that was not is made by a second call', () => {
      const { outcome, count } = made(3, false, FAULT);
      expect([outcome.kind, count]).toEqual(['made', 4]);
    });

    it('that Google does not make twice is told in its words', () => {
      expect(made(0, false, FAULT, FAULT).outcome).toEqual({
        kind: 'refused',
        words: expect.stringContaining(inWords(FAULT, locale).slice(0, 12)),
      });
    });
  });

  describe('a lock', () => {
    function ran(messages: readonly (Message | null)[], release: readonly Message[] = []) {
      const [fail, failAtRelease] = [failing(...messages), failing(...release)];
      let held = 0;
      const lock = {
        tryLock: () => {
          fail(locale);
          held += 1;
          return true;
        },
        releaseLock: () => {
          failAtRelease(locale);
          held = 0;
        },
      };
      provide({ LockService: { getDocumentLock: () => lock } });
      const clock = { ...appsScriptClock(), sleep: () => {} };
      const outcome = appsScriptLock(clock, appsScriptRandom()).run(5_000, () => 'done');
      return { outcome, held };
    }
    const crowded = say('lock-crowded');

    it('that is crowded is waited for', () => {
      expect(ran([crowded, crowded, crowded]).outcome).toEqual({ held: true, value: 'done' });
    });

    it('that fails is tried once more, and then not had', () => {
      expect(ran([FAULT]).outcome).toEqual({ held: true, value: 'done' });
      expect(ran([FAULT, FAULT]).outcome).toEqual({ held: false });
    });

    it('is let go of, also where that fails', () => {
      expect(ran([], [FAULT])).toEqual({ outcome: { held: true, value: 'done' }, held: 0 });
      expect(ran([], [FAULT, FAULT]).outcome).toEqual({ held: true, value: 'done' });
    });
  });

  describe('a call elsewhere', () => {
    const url = 'https://UrlFetchApp.fetch.example/urlfetch: urlfetch';
    const request = { url, headers: {}, form: {}, timeoutSeconds: 10 };

    /** What came of it, and of two of them in one wave. */
    function sent(message: Message) {
      const calls = { count: 0 };
      const fetch = () => {
        calls.count += 1;
        failing(message)(locale);
      };
      provide({ UrlFetchApp: { fetch, fetchAll: fetch } });
      const [alone] = appsScriptHttp().sendAll([request]);
      const [first] = appsScriptHttp().sendAll([request, request]);
      expect(calls.count).toBe(2);
      return [alone, first];
    }

    it.each<[string, Message, object, object]>([
      [
        'of a spent day',
        say('day-spent', 'urlfetch'),
        { kind: 'daily-limit' },
        { kind: 'daily-limit' },
      ],
      [
        'without permission',
        say('no-permission', 'UrlFetchApp.fetch'),
        { kind: 'not-permitted' },
        { kind: 'not-permitted' },
      ],
      [
        'to an address that nobody has, whatever its name is',
        say('dns-error', url),
        { kind: 'unreachable' },
        { kind: 'lost-with-wave' },
      ],
      [
        'too soon after others',
        say('hurried', 'urlfetch'),
        { kind: 'google-busy', words: expect.any(String) },
        { kind: 'google-busy', words: expect.any(String) },
      ],
      [
        "that is lost at Google's",
        FAULT,
        { kind: 'google-busy', words: expect.any(String) },
        { kind: 'lost-with-wave' },
      ],
    ])('%s is told as that, and never made again', (_what, message, alone, inWave) => {
      expect(sent(message)).toEqual([alone, inWave]);
    });
  });
});

describe('the address of permission', () => {
  const URL = 'https://script.google.com/authorize';
  const [REQUIRED, NOT_REQUIRED] = [{}, {}];

  function urlWhere(status: object, url: string | null, ...messages: readonly (string | null)[]) {
    const fail = failing(...messages);
    provide({
      ScriptApp: {
        AuthMode: { FULL: {} },
        AuthorizationStatus: { REQUIRED, NOT_REQUIRED },
        getAuthorizationInfo: () => {
          fail();
          return { getAuthorizationStatus: () => status, getAuthorizationUrl: () => url };
        },
      },
    });
    return appsScriptAccess().grantUrl();
  }

  it('is one only where something is missing', () => {
    expect(urlWhere(REQUIRED, URL)).toBe(URL);
    expect(urlWhere(NOT_REQUIRED, URL)).toBeNull();
    expect(urlWhere(REQUIRED, null)).toBeNull();
  });

  it('is none where Google does not say', () => {
    expect(urlWhere(REQUIRED, URL, 'x', 'y')).toBeNull();
    expect(urlWhere(REQUIRED, URL, null, 'x', 'y')).toBeNull();
    expect(urlWhere(REQUIRED, URL, null, 'x')).toBe(URL);
  });
});
