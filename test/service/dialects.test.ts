// The request as it goes out, and what every dialect of the service answers to it; never with the key in it.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DIALECTS, type DialectName } from '../../playground/api/dialects';
import { createState, handle, type SandboxState } from '../../playground/api/handle';
import type { Failure } from '../../src/failures/failure';
import type { HttpOutcome } from '../../src/google/platform';
import { analyzeRequest, jsonWithoutKey, textWithoutKey } from '../../src/service/request';
import { failureOfStop, type Interpretation, receive } from '../../src/service/response';
import { readReply } from './reading';

const NOW = 1_760_000_000_000;

// The one request of the contract, as it goes out.
it('POSTs the product as form fields, with the key as a bearer', () => {
  const access = { baseUrl: 'https://api.example.com/tools', apiKey: 'demo-key-12345678' };
  expect(analyzeRequest(access, 'B0XKT7M4QN', 'US', 12)).toEqual({
    url: 'https://api.example.com/tools/v1/analyze',
    headers: { Authorization: 'Bearer demo-key-12345678', Accept: 'application/json' },
    form: { asin: 'B0XKT7M4QN', market: 'US' },
    timeoutSeconds: 12,
  });
});

// The reader against the sandbox: every dialect of the service is understood, refusals included.
describe('a dialect', () => {
  const MUG = 'B0XKT7M4QN';

  const KEY = 'demo-key-5-per-second';

  const NAMES = Object.keys(DIALECTS) as DialectName[];

  interface Ask {
    readonly asin?: string;
    readonly apiKey?: string;
  }

  /** Asks as the add-on does, and gives what it makes of the reply. */
  function ask(state: SandboxState, { asin = MUG, apiKey = KEY }: Ask = {}) {
    const market = 'US';
    const wire = DIALECTS[state.dialect].markets[market];
    const request = analyzeRequest({ baseUrl: 'https://x.example', apiKey }, asin, wire, 12);
    const headers = Object.entries(request.headers).map(([name, v]) => [name.toLowerCase(), v]);
    const handled = handle(
      {
        method: 'POST',
        path: new URL(request.url).pathname,
        headers: {
          ...Object.fromEntries(headers),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams(request.form).toString(),
      },
      state,
      NOW,
    );
    if (handled.reply.kind !== 'answer') throw new Error(handled.reply.kind);
    const outcome = { ...handled.reply, kind: 'response' } as const;
    return { read: readReply(outcome, apiKey, { asin, market }, NOW), state: handled.state };
  }

  function failureOf(read: Interpretation): Failure | undefined {
    if (read.kind === 'lost') return undefined;
    if (read.kind !== 'answer') return read.failure;
    return read.answer.ok ? undefined : read.answer.failure;
  }

  describe.each(NAMES)('%s', (name) => {
    const state = createState({ dialect: name });

    it('does not know a product', () => {
      const failure = failureOf(ask(state, { asin: 'B0NOTFOUND' }).read);
      // A 404 without a word could be any web server's: then the address is in doubt.
      expect(failure?.kind).toBe(name === 'silent' ? 'wrong-address' : 'not-found');
    });

    it.each(['demo-key-revoked', 'nobodys-key'])('refuses the key %s, for everybody', (apiKey) => {
      const { read } = ask(state, { apiKey });
      expect(read).toMatchObject({ kind: 'end', stop: { reason: 'key-refused' } });
    });

    it('is too fast at the eleventh call at once, and everybody stops', () => {
      let now = state;
      for (let i = 0; i < 10; i++) now = ask(now).state;
      const { read } = ask(now);
      expect(read).toMatchObject({ kind: 'again', failure: { kind: 'waiting' } });
      const untilMs = 'stop' in read ? (read.stop?.untilMs ?? 0) : 0;
      // A token drips in every 200 ms; a stop is as long as the service says, else five seconds.
      expect(untilMs - NOW).toBeGreaterThanOrEqual(200);
      expect(untilMs - NOW).toBeLessThanOrEqual(5_000);
    });
  });

  describe('a used-up plan', () => {
    it.each(NAMES)('is told from other refusals in %s', (name) => {
      const { read } = ask(createState({ dialect: name }), { apiKey: 'demo-key-out-of-plan' });
      expect(read).toMatchObject({ kind: 'end', stop: { reason: 'plan-used-up' } });
    });
  });
});

// What a reply means: the answer of a product, another try, or the end for everybody.
describe('what a reply means', () => {
  const HOUR = 3_600_000;

  const MUG = { asin: 'B0XKT7M4QN', market: 'US' } as const;

  const ofOutcome = (outcome: HttpOutcome) => readReply(outcome, 'demo-key-12345678', MUG, NOW);

  const meaning = (status: number, body: object | string, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return ofOutcome({ kind: 'response', status, headers, body: text });
  };

  const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) });

  it('what may pass is asked again', () => {
    expect(meaning(503, '', { 'x-request-id': 'r-1' })).toEqual({
      kind: 'again',
      failure: { kind: 'service-busy', status: 503, requestId: 'r-1' },
    });
    expect(meaning(202, '')).toEqual({ kind: 'again', failure: { kind: 'not-ready' } });
    for (const seconds of [20, 3_600])
      expect(meaning(502, '', retryAfter(seconds))).toMatchObject({
        kind: 'again',
        failure: { kind: 'service-busy', status: 502, waitMs: 1_000 * seconds },
      });
    expect(meaning(502, '', retryAfter(48 * 3_600))).toMatchObject({ failure: { waitMs: HOUR } });
    const unreachable = { kind: 'again', failure: { kind: 'unreachable' } };
    expect(ofOutcome({ kind: 'unreachable' })).toEqual(unreachable);
    expect(ofOutcome({ kind: 'lost-with-wave' })).toEqual({ kind: 'lost' });
  });

  describe('too fast', () => {
    const stopOf = (headers: object) => {
      const read = meaning(429, '', headers);
      return 'stop' in read ? read.stop : undefined;
    };

    it('stops everybody until the time the service names', () => {
      expect(meaning(429, '', retryAfter(2))).toEqual({
        kind: 'again',
        failure: { kind: 'waiting', waitMs: 2_000 },
        stop: { reason: 'throttled', untilMs: NOW + 2_000 },
      });
    });

    it('without a time stops everybody for five seconds, and longer each time', () => {
      expect(stopOf({})).toEqual({ reason: 'throttled', untilMs: NOW + 5_000, grows: true });
    });

    it('for more than an hour is a used-up plan, however it is told', () => {
      const untilMs = NOW + 48 * HOUR;
      expect(stopOf(retryAfter(3_600))).toEqual({ reason: 'throttled', untilMs: NOW + HOUR });
      expect(stopOf(retryAfter(48 * 3_600))).toEqual({ reason: 'plan-used-up', untilMs });
      expect(meaning(429, 'Max 2 calls per second', retryAfter(48 * 3_600))).toMatchObject({
        stop: { reason: 'plan-used-up', untilMs },
      });
    });

    it('until the year 9999 is no time that a service means', () => {
      const headers = { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' };
      expect(stopOf(headers)).toEqual({ reason: 'throttled', untilMs: NOW + 5_000, grows: true });
    });

    it('with a time that is over still stops everybody for a moment, and longer each time', () => {
      for (const headers of [retryAfter(0), { 'retry-after': 'Thu, 01 Jan 2015 00:00:00 GMT' }])
        expect(stopOf(headers)).toEqual({ reason: 'throttled', untilMs: NOW + 1_000, grows: true });
    });
  });

  describe('the end for everybody', () => {
    it('is a refused key', () => {
      expect(meaning(401, '', { 'x-request-id': 'r-1' })).toEqual({
        kind: 'end',
        failure: { kind: 'key-refused', requestId: 'r-1' },
        stop: { reason: 'key-refused', untilMs: NOW + 10 * 365 * 24 * HOUR },
      });
    });

    it('is a plan that is used up, until the time the service names', () => {
      const stopUntil = (headers: object) => {
        const read = meaning(402, '', headers);
        return 'stop' in read ? read.stop?.untilMs : undefined;
      };
      expect(stopUntil({})).toBe(NOW + 6 * HOUR);
      expect(stopUntil(retryAfter(3_600))).toBe(NOW + HOUR);
      expect(stopUntil(retryAfter(48 * 3_600))).toBe(NOW + 48 * HOUR);
      expect(stopUntil(retryAfter(400 * 24 * 3_600))).toBe(NOW + 6 * HOUR);
      // "0 s until the rate's reset" says nothing about the plan.
      expect(stopUntil(retryAfter(0))).toBe(NOW + 60_000);
      expect(meaning(402, '')).toMatchObject({ kind: 'end', failure: { kind: 'plan-used-up' } });
    });

    it("is Google's daily limit, at which somebody looks an hour later", () => {
      expect(ofOutcome({ kind: 'daily-limit' })).toEqual({
        kind: 'end',
        failure: { kind: 'google-limit' },
        stop: { reason: 'google-limit', untilMs: NOW + 3_600_000 },
      });
    });

    it('is a missing permission, or a form that is not understood, and neither stops the key', () => {
      const missing = { kind: 'end', failure: { kind: 'not-permitted' } };
      expect(ofOutcome({ kind: 'not-permitted' })).toEqual(missing);
      expect(meaning(415, { detail: 'Unsupported media type' })).toEqual({
        kind: 'end',
        failure: { kind: 'request-form', excerpt: 'Unsupported media type' },
      });
    });
  });

  it('a stop is told to who comes later as what it is', () => {
    const untilMs = NOW + 40_000;
    expect(failureOfStop({ reason: 'throttled', untilMs }, NOW)).toEqual({
      kind: 'waiting',
      waitMs: 40_000,
    });
    const down = { reason: 'throttled', untilMs, status: 503 } as const;
    expect(failureOfStop(down, NOW)).toEqual({ kind: 'waiting', waitMs: 40_000, status: 503 });
    expect(failureOfStop({ reason: 'throttled', untilMs }, NOW + 50_000)).toMatchObject({
      waitMs: 0,
    });
    expect(failureOfStop({ reason: 'key-refused', untilMs }, NOW)).toEqual({
      kind: 'key-refused',
    });
    expect(failureOfStop({ reason: 'plan-used-up', untilMs }, NOW)).toEqual({
      kind: 'plan-used-up',
      waitMs: 40_000,
    });
  });
});

// A service that echoes the key: in every form that text may have, no part of an answer keeps it.
describe('a service that echoes the key', () => {
  const KEY = 'demo-key-a/b+c=d&e<f>"g\'h';

  const base64 = (text: string) => Buffer.from(text).toString('base64');

  const FORMS: readonly (readonly [string, string])[] = [
    ['as it is', KEY],
    ['in capitals', KEY.toUpperCase()],
    ['as in an address', encodeURIComponent(KEY)],
    ['in base64', base64(KEY)],
    ['in base64 behind one character', base64(`:${KEY}`)],
    ['in base64 behind two', base64(`k:${KEY}`)],
    ['in base64 of a header', base64(`Authorization: Bearer ${KEY}`)],
    ['in base64 for addresses', Buffer.from(KEY).toString('base64url')],
  ];

  describe('the key in an answer', () => {
    it.each(FORMS)('%s is hidden in text, in names and deep in JSON', (_form, written) => {
      const hidden = textWithoutKey(`sent ${written} twice: ${written}`, KEY);
      expect(hidden).toMatch(/^sent \S{0,40}…\S{0,4} twice: \S{0,40}…\S{0,4}$/);
      const core = written.slice(4, -4);
      const json = { [written]: 1, deep: [{ [`x${written}`]: [`y ${written}`] }] };
      expect(JSON.stringify(jsonWithoutKey(json, KEY))).not.toContain(core);
    });

    it('is hidden where it was escaped for JSON, and where it is a number', () => {
      const escaped = [...KEY].map(
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const body = `{"profit": 1, "echo": "${escaped.join('')}"}`;
      const outcome = { kind: 'response', status: 200, headers: {}, body } as const;
      expect(receive(outcome, KEY, {})).toMatchObject({ json: { profit: 1, echo: '…' } });
      expect(jsonWithoutKey({ echo: 1234567890 }, '1234567890')).toEqual({ echo: null });
    });

    it('that is a common short word changes no answer, and is still hidden in excerpts', () => {
      expect(jsonWithoutKey({ profit: 'profit' }, 'profit')).toEqual({ profit: 'profit' });
      expect(textWithoutKey('key abc refused', 'abc')).toBe('key … refused');
      expect(textWithoutKey('no key', '')).toBe('no key');
    });
  });

  describe('an answer without the key', () => {
    it('stays as it is, whatever its fields are called', () => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
          expect(jsonWithoutKey(json, KEY)).toEqual(json);
        }),
      );
      const names = JSON.parse('{"__proto__": 1, "constructor": {"prototype": 2}}');
      expect(JSON.stringify(jsonWithoutKey(names, KEY))).toBe(JSON.stringify(names));
    });

    it('ends where it is nested too deep to be one', () => {
      const depth = 100_000;
      const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
      expect(JSON.stringify(jsonWithoutKey(deep, KEY))).toBe(
        `${'['.repeat(32)}null${']'.repeat(32)}`,
      );
    });
  });
});
