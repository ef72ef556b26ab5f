// Every call of a service: what Google translates, as far as it is told apart, and the second try.

import { describe, expect, it } from '@jest/globals';
import { serviceCall, serviceCallOr } from '../../../src/platform/apps-script/service-call';
import { type Refusal, Refused } from '../../../src/platform/ports';

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
  ])('of a day has the service at its end: %s', (message) => {
    expect(refusalOf(message)).toEqual({ kind: 'google-limit' });
  });

  it.each([
    'Serviço chamado muitas vezes em pouco tempo: urlfetch. Tente Utilities.sleep(1000).',
    'Service invoked too many times in a short time: properties rateMax.',
    'Limit Exceeded: URLFetch URL Length.',
    'You have exceeded the property storage quota. Please remove some properties and try again.',
    'Service error: Spreadsheets',
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

describe('a mistake in the program', () => {
  it('stays one', () => {
    const broken = () => {
      throw new TypeError('sheet.getNme is not a function');
    };
    expect(() => serviceCall(broken)).toThrow('getNme');
    expect(() => serviceCallOr(1, broken)).toThrow('getNme');
  });
});
