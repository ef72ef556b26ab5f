// Calls of Google's services that fail: in every language of the host, once or twice, before an effect or after it.

import { afterEach, describe, expect, it } from '@jest/globals';
import { inWords, LOCALES, type Message, say } from 'apps-script-host/messages';
import {
  documentStore,
  googleClock,
  googleLock,
  googleRandom,
  sendAll,
  spreadsheetCache,
} from '../../src/google/platform';
import {
  grantUrl,
  type Refusal,
  Refused,
  serviceCall,
  serviceCallOr,
} from '../../src/google/service-call';
import { makeTrigger } from '../../src/google/triggers';

// Every call of a service: what Google translates, as far as it is told apart, and the second try.
describe('a call of a service', () => {
  /** Throws each of these in turn, then answers. What services throw need not be an Error. */
  function throwing(...messages: readonly string[]) {
    const left = [...messages];
    const seen = { calls: 0 };
    const call = () => {
      seen.calls += 1;
      const message = left.shift();
      if (message !== undefined) throw `Exception: ${message}`;
      return 'answer';
    };
    return { call, seen };
  }

  /** Why a call that always fails like this gives no answer. */
  function refusalOf(message: string): Refusal {
    try {
      serviceCall(throwing(message, message).call);
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      throw error;
    }
    throw new Error('It was not refused.');
  }

  const AUTH = 'https://www.googleapis.com/auth/script.external_request';

  describe('a refusal', () => {
    it.each([
      `No cuentas con el permiso para llamar a UrlFetchApp.fetch. Permisos necesarios: ${AUTH}`,
      `Les autorisations spécifiées ne suffisent pas pour appeler fetch. Requises : ${AUTH}`,
      'UrlFetchApp.fetch を呼び出す権限がありません。',
      'Die Berechtigung für Ui.showSidebar fehlt.',
    ])('of a permission has a scope or the name of what was called: %s', (message) => {
      expect(refusalOf(message)).toEqual({ kind: 'not-permitted' });
    });

    it.each([
      'Serviço chamado muitas vezes no mesmo dia: urlfetch.',
      "Trop d'appels pour ce service aujourd'hui : urlfetch.",
      'Usługa wywołana zbyt wiele razy jednego dnia: properties get.',
      'サービスの呼び出し回数が 1 日の上限を超えました：urlfetch。',
      'Service invoked too many times for one day: premium urlfetch.',
      '1 日にサービス premium urlfetch を実行した回数が多すぎます。',
      'Der Dienst urlfetch wurde an einem Tag zu oft aufgerufen.',
      'Service premium properties read write invoked too many times for one day.',
      'Service invoked too many times for one day: urlfetch. (https://utilities.sleep.example/rateMax)',
    ])('of a day names the service, wherever in the sentence: %s', (message) => {
      expect(refusalOf(message)).toEqual({ kind: 'google-limit' });
    });

    it.each([
      'Serviço chamado muitas vezes em pouco tempo: urlfetch. Tente Utilities.sleep(1000).',
      'Service invoked too many times in a short time: properties rateMax.',
      'Limit Exceeded: URLFetch URL Length.',
      'You have exceeded the property storage quota. Please remove some properties and try again.',
      'Service error: Spreadsheets',
      'Address unavailable: https://example.com/premium urlfetch/ urlfetch.example.com',
      'サービス premium urlfetch を短時間に実行した回数が多すぎます。Utilities.sleep(1000) を試してください。',
    ])('is not: %s', (message) => {
      expect(refusalOf(message).kind).toBe('google-busy');
    });

    it('is not called again', () => {
      const { call, seen } = throwing(`${AUTH}`, `${AUTH}`);
      expect(() => serviceCall(call)).toThrow(Refused);
      expect(seen.calls).toBe(1);
    });
  });

  describe('a fault for no known reason', () => {
    it('gets a second try, and no third', () => {
      expect(serviceCall(throwing('Ein Serverfehler ist aufgetreten.').call)).toBe('answer');
      const { call, seen } = throwing('eins', 'zwei');
      expect(() => serviceCall(call)).toThrow(Refused);
      expect(seen.calls).toBe(2);
    });

    it("is told in Google's words, short and without what may be a key", () => {
      const words = refusalOf(`Invalid argument: sk-live-4f9a2c ${'lang '.repeat(60)}`);
      expect(words).toEqual({
        kind: 'google-busy',
        words: expect.stringMatching(/^Invalid argument: … lang /),
      });
      expect('words' in words && words.words.length).toBe(120);
      expect(refusalOf('DNS: https://me:secret@example.com/v1/analyze')).toEqual({
        kind: 'google-busy',
        words: 'DNS: …',
      });
    });

    it('is judged by the state before it gets another try', () => {
      const { call, seen } = throwing('eins', 'zwei');
      expect(serviceCall(call, (words) => (words.endsWith('eins') ? 'seen' : undefined))).toBe(
        'seen',
      );
      expect(seen.calls).toBe(1);
    });

    it('of what judges gets a second try, too', () => {
      const judge = throwing('drei').call;
      expect(serviceCall(throwing('eins', 'zwei').call, judge)).toBe('answer');
    });

    it('of what is good to have is no answer', () => {
      expect(serviceCallOr('nothing', throwing('eins').call)).toBe('answer');
      expect(serviceCallOr('nothing', throwing('eins', 'zwei').call)).toBe('nothing');
    });
  });

  it('a mistake in the program stays one', () => {
    const broken = () => {
      throw new TypeError('sheet.getNme is not a function');
    };
    expect(() => serviceCall(broken)).toThrow('getNme');
    expect(() => serviceCallOr(1, broken)).toThrow('getNme');
  });
});

describe('the calls of Google', () => {
  const SERVICES = [
    'PropertiesService',
    'ScriptApp',
    'LockService',
    'UrlFetchApp',
    'SpreadsheetApp',
  ];

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
          SpreadsheetApp: { getActiveSpreadsheet: () => null },
        });
        return { outcome: makeTrigger('onSchedule', 60), count: there.length };
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
        expect([outcome, count]).toEqual([{ kind: 'made', id: '0', others: [] }, 1]);
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
        const clock = { ...googleClock(), sleep: () => {} };
        const outcome = googleLock(clock, googleRandom()).run(5_000, () => 'done');
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
        const [alone] = sendAll([request]);
        const [first] = sendAll([request, request]);
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
      return grantUrl();
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
});

// The cache of Apps Script as it may forget anything: what Google does not take or give is not there.
describe('the cache', () => {
  const TOO_LARGE = 100 * 1024 + 1;

  /** A CacheService that fails so many calls, and what was put into it by those it took. */
  function failing(calls: number): Record<string, string> {
    const kept: Record<string, string> = {};
    let left = calls;
    const attempt = () => {
      left -= 1;
      if (left >= 0) throw 'Exception: Ocorreu um erro do servidor.';
    };
    const cache = {
      getAll: (names: readonly string[]) => {
        attempt();
        return Object.fromEntries(names.map((name) => [name, kept[name]]));
      },
      putAll: (values: Readonly<Record<string, string>>) => {
        attempt();
        Object.assign(kept, values);
      },
    };
    Object.assign(globalThis, { CacheService: { getDocumentCache: () => cache } });
    return kept;
  }

  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'CacheService');
  });

  describe('a cache that fails', () => {
    it('once is asked again', () => {
      const kept = failing(1);
      spreadsheetCache().putAll({ name: 'x' }, 60);
      expect(kept).toEqual({ name: 'x' });
      Object.assign(failing(1), kept);
      expect(spreadsheetCache().getAll(['name'])).toEqual({ name: 'x' });
    });

    it('twice is empty, and forgets what it is given', () => {
      const kept = failing(2);
      spreadsheetCache().putAll({ name: 'x' }, 60);
      expect(kept).toEqual({});
      Object.assign(failing(2), { name: 'x' });
      expect(spreadsheetCache().getAll(['name'])).toEqual({});
    });
  });

  describe('a value that is too large', () => {
    it.each([
      ['ASCII', 'x'.repeat(TOO_LARGE)],
      ['Umlauts', 'ä'.repeat(TOO_LARGE / 2 + 1)],
      ['Japanese', '日'.repeat(TOO_LARGE / 3 + 1)],
    ])('is not offered, and what comes with it is kept: %s', (_name, value) => {
      const kept = failing(0);
      spreadsheetCache().putAll({ large: value, name: 'x' }, 60);
      expect(kept).toEqual({ name: 'x' });
    });

    it('is one of more than 100 KB', () => {
      const kept = failing(0);
      spreadsheetCache().putAll({ a: 'x'.repeat(TOO_LARGE - 1), b: 'ä'.repeat(51_200) }, 60);
      expect(Object.keys(kept)).toEqual(['a', 'b']);
    });
  });
});
