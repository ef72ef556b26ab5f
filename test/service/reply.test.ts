// Replies: status first, then the words of the body, for every way in which services say no.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { planWaitMs } from '../../src/service/rate-headers';
import { errorWords, excerptOf, isHtml } from '../../src/service/reply-meaning';
import { interpret, type Received, receive } from '../../src/service/response';
import { meansOf, readReply } from './reading';

describe('a reply', () => {
  const NOW = 1_760_000_000_000;

  const KEY = 'demo-key-12345678';

  const HTML = '<!doctype html><html><body><h1>404 Not Found</h1></body></html>';

  function read(
    status: number,
    body: unknown = '',
    headers: Readonly<Record<string, string>> = {},
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return receive({ kind: 'response', status, headers, body: text }, KEY, {});
  }

  const requestIdOf = (reply: Received) => ('requestId' in reply ? reply.requestId : undefined);

  const kindOf = (...args: Parameters<typeof read>) => meansOf(read(...args));

  /** What follows for a product. */
  const follows = (...args: Parameters<typeof read>) =>
    interpret(read(...args), 'new', { asin: 'B0XKT7M4QN', market: 'US' }, {}, NOW);

  const failureOf = (...args: Parameters<typeof read>) => {
    const one = follows(...args);
    return 'failure' in one ? one.failure : undefined;
  };

  describe('an answer', () => {
    it.each([200, 201, 203, 299])('is JSON with status %d', (status) => {
      expect(kindOf(status, { profit: 1 })).toBe('answer');
      expect(read(status, { profit: 1 })).toMatchObject({ json: { profit: 1 } });
    });

    it('keeps the name of the call, cleaned', () => {
      expect(requestIdOf(read(200, {}, { 'x-request-id': 'r-1' }))).toBe('r-1');
      expect(requestIdOf(read(200, { request_id: 'r-2' }))).toBe('r-2');
      expect(requestIdOf(read(200, {}, { 'x-request-id': '<b>"r"</b>\n3' }))).toBe('brb3');
      expect(requestIdOf(read(200, {}, { 'x-request-id': 'r'.repeat(500) }))).toHaveLength(80);
      expect(read(200, {})).not.toHaveProperty('requestId');
      expect(read(200, {}, { 'x-request-id': '<>' })).not.toHaveProperty('requestId');
    });

    it.each([KEY, `call-${KEY}-1`, `demo-key-"12345678"`, `${'r'.repeat(75)}${KEY}`])(
      'has no name for the call where the service gives the key for one: %s',
      (id) => {
        expect(read(200, {}, { 'x-request-id': id })).not.toHaveProperty('requestId');
        expect(read(200, { request_id: id })).not.toHaveProperty('requestId');
      },
    );

    it('with a byte order mark before it is one all the same', () => {
      expect(kindOf(200, '\uFEFF{"profit":1}')).toBe('answer');
    });

    it.each([
      [{ error: null }],
      [{ error: false }],
      [{ error: '' }],
      [{ errors: [] }],
      [{ errors: {} }],
      [{ error: 0 }],
      [{ error: {}, errors: [] }],
    ])('that says %j says nothing against itself', (more) => {
      expect(kindOf(200, { profit: 1, ...more })).toBe('answer');
    });

    it.each([
      ['nothing', '', 'it is not JSON'],
      ['half of one', '{"profit":', 'it is not JSON'],
      ['words', 'OK', 'it is not JSON'],
      ['a long text', `{"x":"${'x'.repeat(300_000)}"}`, 'it is too long'],
    ])('is not %s', (_, body, what) => {
      const failure = { kind: 'not-understood', what };
      expect(follows(200, body)).toMatchObject({ answer: { ok: false, failure } });
    });

    it('is not a web page', () => {
      expect(kindOf(200, HTML)).toBe('elsewhere');
    });
  });

  it('the plan says when it goes on, where the service does', () => {
    const headers = { 'retry-after': '3600' };
    expect(failureOf(402, { error: 'No credits' }, headers)).toEqual({
      kind: 'plan-used-up',
      waitMs: 3_600_000,
    });
  });

  describe('speed', () => {
    it('says when to come back, also with status 200', () => {
      const ok = { success: false, message: 'Slow down' };
      const failure = { kind: 'waiting', waitMs: 3_000 };
      expect(failureOf(200, ok, { 'retry-after': '3' })).toEqual(failure);
    });

    it('says when to come back', () => {
      const failure = { kind: 'waiting', waitMs: 2_000 };
      expect(failureOf(429, '', { 'retry-after': '2' })).toEqual(failure);
      expect(failureOf(429, { error: 'slow down', refillIn: 2_000 })).toEqual(failure);
      expect(failureOf(503, 'Too many requests', { 'retry-after': '2' })).toEqual(failure);
    });
  });

  describe('a problem of the service', () => {
    it.each<[number, unknown]>([
      [500, ''],
      [500, { error: 'plan credits api key' }],
      [502, HTML],
      [503, { error: 'down' }],
      [504, ''],
      [520, ''],
    ])('is %d with %j', (status, body) => {
      expect(failureOf(status, body)).toEqual({ kind: 'service-busy', status });
    });

    it('says when to come back, if the service does so outright', () => {
      const failing = { kind: 'service-busy', status: 503 };
      const named = failureOf(503, '', { 'retry-after': '7' });
      expect(named).toEqual({ ...failing, waitMs: 7_000 });
      // The end of a period of the limit has nothing to do with a problem.
      expect(failureOf(503, '', { 'x-ratelimit-reset': '3600' })).toEqual(failing);
    });

    it('is a time-out by 408', () => {
      expect(kindOf(408)).toBe('timed-out');
    });
  });

  it('a product is rejected by 400 and 422 in the words of the service', () => {
    const rejected = (excerpt: string) => ({
      answer: { ok: false, failure: { kind: 'rejected', excerpt } },
    });
    const body = { detail: [{ loc: ['body', 'asin'], msg: 'bad asin', type: 'v' }] };
    expect(follows(422, body)).toMatchObject(rejected('bad asin v'));
    expect(follows(400, '')).toMatchObject(rejected(''));
    expect(follows(400, HTML)).toMatchObject(rejected(''));
  });

  describe('another place', () => {
    it.each<[number, unknown]>([
      [404, HTML],
      [404, { detail: 'Not Found' }],
      [404, ''],
      [404, '404 page not found'],
      [404, { message: 'Route not found' }],
      [404, { message: 'no Route matched with those values' }],
      [404, { message: 'Cannot POST /v1/analyze', error: 'Not Found', statusCode: 404 }],
      [404, { message: 'Route POST:/v1/analyze not found' }],
      [301, ''],
      [302, HTML],
      [307, ''],
      [405, ''],
      [410, ''],
    ])('answers %d with %j', (status, body) => {
      expect(follows(status, body)).toMatchObject({
        answer: { ok: false, failure: { kind: 'wrong-address', status } },
      });
    });
  });

  describe('no response', () => {
    it.each([
      'unreachable',
      'timed-out',
      'lost-with-wave',
      'daily-limit',
      'not-permitted',
    ] as const)('is %s', (kind) => {
      expect(receive({ kind }, KEY, {})).toEqual({ kind });
    });

    it("of a service of Google's is told in its words, without the key", () => {
      const words = `Service error at ${KEY}`;
      const told = { kind: 'google-busy', words: 'Service error at …' };
      expect(receive({ kind: 'google-busy', words }, KEY, {})).toEqual(told);
    });
  });

  it('whatever comes back is a reply, and the key is in none of its words', () => {
    const status = fc.oneof(
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom(200, 400, 403, 429),
    );
    const text = fc.string().map((one) => `${one} ${KEY} ${one}`);
    const body = fc.oneof(
      text,
      fc.json(),
      text.map((one) => JSON.stringify({ error: { message: one, code: KEY }, request_id: one })),
    );
    fc.assert(
      fc.property(status, body, (code, sent) => {
        expect(JSON.stringify(read(code, sent))).not.toContain(KEY);
      }),
      { numRuns: 1_000 },
    );
  });
});

// Words out of error bodies of every shape, and never the key.
describe('a body of an error', () => {
  const words = (json: unknown) => errorWords(json, JSON.stringify(json));

  describe('the words of an error body', () => {
    it.each<[string, unknown, string]>([
      [
        'problem details',
        { type: 'about:blank', title: 'Bad', status: 400, detail: 'D' },
        'D Bad about:blank',
      ],
      ['details by Oracle', { title: 'Bad', details: 'D' }, 'D Bad'],
      ['an error object', { error: { code: 'c', message: 'M', details: 'D' } }, 'M D c'],
      ['an error text', { error: 'E', message: 'M' }, 'M E'],
      ['a message', { status: 400, message: 'M' }, 'M'],
      ['errors with codes', { errors: [{ code: 'c', message: 'M', details: '' }] }, 'M c'],
      ['JSON:API', { errors: [{ status: '400', title: 'T', detail: 'D' }] }, 'D T'],
      ['error texts', { errors: ['one', 'two'] }, 'one two'],
      ['errors by field', { message: 'M', errors: { asin: ['bad', 'worse'] } }, 'M bad worse'],
      ['a detail', { detail: 'D' }, 'D'],
      ['details in a list', { detail: [{ loc: ['body', 'asin'], msg: 'M', type: 't' }] }, 'M t'],
      ['no success', { success: false, code: 'c', message: 'M' }, 'M c'],
      [
        'an error with tokens',
        { error: { type: 't', message: 'M', details: '' }, tokensLeft: 0 },
        'M t',
      ],
      ['an error message', { errorMsg: 'M' }, 'M'],
      ['a text in JSON', 'text', 'text'],
      ['nothing of the kind', { a: 'b' }, ''],
      ['nothing', {}, ''],
      ['null', null, ''],
    ])('%s', (_, json, expected) => {
      expect(words(json)).toBe(expected);
    });

    it('are the text itself where it is not JSON, and what HTML shows', () => {
      expect(errorWords(undefined, ' Too many \n requests ')).toBe('Too many requests');
      expect(errorWords(undefined, '')).toBe('');
      expect(errorWords(undefined, '<!DOCTYPE html><p>Bad gateway</p>')).toBe('Bad gateway');
    });

    it('are never longer than 2,000 characters, however deep and wide the body', () => {
      expect(
        words({ errors: Array.from({ length: 1e4 }, () => ({ message: 'x'.repeat(1e3) })) }).length,
      ).toBeLessThanOrEqual(2_000);
      fc.assert(
        fc.property(fc.jsonValue(), (json) => {
          expect(words(json).length).toBeLessThanOrEqual(2_000);
        }),
      );
    });
  });

  describe('an excerpt', () => {
    it.each([
      ['the key', 'The key demo-key-12345678 is bad', 'The key … is bad'],
      ['the key twice', 'demo-key-12345678/demo-key-12345678', '…/…'],
      ['a header', 'got "Bearer abcdef"', 'got "Bearer …'],
      ['markup', 'a <b>bad</b> key', 'a bad key'],
      ['control characters', 'a\u0000b\u202Ec', 'a b c'],
    ])('has no %s in it', (_, text, expected) => {
      expect(excerptOf(text, 'demo-key-12345678')).toBe(expected);
    });

    it('is 120 characters at most', () => {
      expect(excerptOf('x'.repeat(120), 'k')).toBe('x'.repeat(120));
      expect(excerptOf('x'.repeat(121), 'k')).toBe(`${'x'.repeat(119)}…`);
    });

    it('shows no beginning of a key that long words cut off', () => {
      const apiKey = 'sk-live-abcdefghijklmnop';
      const text = `<${'x'.repeat(1_980)}>${apiKey}`;
      const shown = excerptOf(errorWords({ message: text }, ''), apiKey);
      expect(shown).not.toContain('sk-live-abc');
    });
  });

  describe('HTML', () => {
    it.each([
      '<!doctype html>',
      '  <HTML lang="en">',
      '<?xml version="1.0"?>',
      '\uFEFF<html>',
      '<body>',
    ])('is known by %j', (text) => {
      expect(isHtml(text)).toBe(true);
    });

    it.each(['{"a":1}', 'a < b', '', '"<html>"'])('is not %j', (text) => {
      expect(isHtml(text)).toBe(false);
    });
  });
});

// A no that comes with status 200: known by its members and its words, and an answer never taken for one.
describe('a no with status 200', () => {
  function kindOf(json: unknown): string {
    const body = JSON.stringify(json);
    const outcome = { kind: 'response', status: 200, headers: {}, body } as const;
    return meansOf(receive(outcome, 'demo-key-12345678', {}));
  }

  const FREE = { success: false, message: 'Product not found. No credits were charged.' };

  it('is none where figures come with a message', () => {
    expect(kindOf({ status: 'success', message: 'OK', data: { profit: 1 } })).toBe('answer');
    expect(kindOf({ success: { toString: 1, valueOf: 1 }, profit: 1 })).toBe('answer');
    expect(kindOf({ success: 'true', message: 'Your plan: pro', profit: 1 })).toBe('answer');
  });

  it.each<[string, unknown, string]>([
    ['no success', { success: false, code: 'x', message: 'Bad input' }, 'rejected'],
    ['an error', { error: 'Bad input' }, 'rejected'],
    ['not ok', { ok: false }, 'rejected'],
    ['not 1', { success: 0, profit: 1 }, 'rejected'],
    ['an error beside zeros', { error: 'Bad input', profit: 0, roi: 0 }, 'rejected'],
    ['the status that it names', { statusCode: 503, error: 'x' }, 'failing'],
    ['a mistake of theirs', { error: 'Unexpected token < in JSON at position 0' }, 'rejected'],
    ['speed', { success: false, message: 'Rate limit exceeded' }, 'throttled'],
    ['the plan', { success: false, message: 'No credits left' }, 'out-of-plan'],
    ['the key', { success: false, message: 'Invalid API key' }, 'unauthorised'],
    ['the product', { success: false, message: 'Product not found' }, 'not-found'],
    ['the product, which cost nothing', FREE, 'not-found'],
    ['the plan after all', { success: false, message: 'No credits. Upgrade.' }, 'out-of-plan'],
    ['the product by its code', { success: false, code: 'product_not_found' }, 'not-found'],
    ['the key by its code', { error: { code: 'invalid_api_key' } }, 'unauthorised'],
    ['the plan by its code', { error: { code: 'insufficient_credits' } }, 'out-of-plan'],
    ['speed by its code', { error: { code: 'rate_limited' } }, 'throttled'],
    ['speed by a code in one word', { error: { code: 'RateLimitExceeded' } }, 'throttled'],
    ['words alone', { status: 'error', message: 'No credits left.', data: null }, 'out-of-plan'],
    ['words and a status', { status: 402, message: 'Payment required' }, 'out-of-plan'],
    ['false as text', { success: 'false', message: 'Too many requests' }, 'throttled'],
    ['one of several errors', { error: null, errors: ['Unknown product'] }, 'not-found'],
  ])('is known by its words: %s', (_, body, kind) => {
    expect(kindOf(body)).toBe(kind);
  });
});

// How long a used-up plan stays so: by the time that a service names, in a header or in the body.
describe('the time of a used-up plan', () => {
  const NOW = Date.UTC(2025, 10, 21, 12);

  const HOUR = 3_600_000;

  const inAnHour = (form: 's' | 'ms' | 'iso') => {
    if (form === 'iso') return new Date(NOW + HOUR).toISOString();
    return form === 's' ? (NOW + HOUR) / 1_000 : NOW + HOUR;
  };

  it.each<[string, Record<string, string>, unknown]>([
    ['Retry-After in seconds', { 'retry-after': '3600' }, undefined],
    ['Retry-After as a date', { 'retry-after': new Date(NOW + HOUR).toUTCString() }, undefined],
    ['a reset far off', { 'x-ratelimit-reset': String(inAnHour('s')) }, undefined],
    ['a date in the body', {}, { resets_at: inAnHour('iso') }],
    ['seconds since 1970 in the body', {}, { error: { code: 'plan', reset_at: inAnHour('s') } }],
    ['milliseconds since 1970 in the body', {}, { renewsAt: inAnHour('ms') }],
    ['a text of seconds from now', {}, { next_reset: '3600' }],
    [
      'the body, beside the reset of the rate',
      { 'ratelimit-reset': '1' },
      { reset_at: inAnHour('s') },
    ],
  ])('is read from %s', (_, headers, json) => {
    expect(planWaitMs(headers, json, NOW)).toBe(HOUR);
  });

  it.each<[string, Record<string, string>, unknown]>([
    ['nothing is said', {}, { error: 'plan used up' }],
    [
      'only the reset of the rate is told',
      { 'ratelimit-reset': '1', 'x-ratelimit-reset': '30' },
      {},
    ],
    ['the time is no time', {}, { resets_at: 'next month', reset: true }],
    ['the time has passed', {}, { resets_at: '2020-01-01T00:00:00Z' }],
  ])('is not known where %s', (_, headers, json) => {
    expect(planWaitMs(headers, json, NOW)).toBeUndefined();
  });

  it('is a minute at least, however soon a service wants to be asked again', () => {
    expect(planWaitMs({ 'retry-after': '1' }, {}, NOW)).toBe(60_000);
  });

  it.each([
    [402, { error: { code: 'plan_used_up', message: 'No credits.', reset_at: inAnHour('iso') } }],
    [403, { error: 'Your plan is used up.', resets_at: inAnHour('s') }],
    [429, { message: 'Monthly credits used up.', resets_at: inAnHour('s') }],
    [200, { success: false, message: 'Upgrade your plan.', resets_at: inAnHour('s') }],
  ])('is in the reply, whatever the disguise (status %i)', (status, body) => {
    const outcome = { kind: 'response', status, headers: { 'ratelimit-reset': '2' } } as const;
    const product = { asin: 'B0XKT7M4QN', market: 'US' } as const;
    const sent = { ...outcome, body: JSON.stringify(body) };
    expect(readReply(sent, 'demo-key-plan', product, NOW)).toMatchObject({
      failure: { kind: 'plan-used-up', waitMs: HOUR },
    });
  });
});
