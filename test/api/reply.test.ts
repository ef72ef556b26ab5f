// Replies: status first, then the words of the body, for every way in which services say no.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readReply } from '../../src/service/response';

const NOW = 1_760_000_000_000;
const KEY = 'demo-key-12345678';
const HTML = '<!doctype html><html><body><h1>404 Not Found</h1></body></html>';

function read(status: number, body: unknown = '', headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readReply({ kind: 'response', status, headers, body: text }, KEY, NOW);
}
const kindOf = (...args: Parameters<typeof read>) => read(...args).kind;

describe('an answer', () => {
  it.each([200, 201, 203, 299])('is JSON with status %d', (status) => {
    expect(read(status, { profit: 1 })).toEqual({ kind: 'answer', json: { profit: 1 } });
  });

  it('keeps the name of the call, cleaned', () => {
    expect(read(200, {}, { 'x-request-id': 'r-1' }).requestId).toBe('r-1');
    expect(read(200, { request_id: 'r-2' }).requestId).toBe('r-2');
    expect(read(200, {}, { 'x-request-id': '<b>"r"</b>\n3' }).requestId).toBe('brb3');
    expect(read(200, {}, { 'x-request-id': 'r'.repeat(500) }).requestId).toHaveLength(80);
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
    expect(read(200, body)).toEqual({ kind: 'unreadable', what });
  });

  it('is not a web page', () => {
    expect(kindOf(200, HTML)).toBe('elsewhere');
  });
});

describe('the key', () => {
  it.each<[number, unknown]>([
    [401, ''],
    [401, { error: 'token expired' }],
    [403, ''],
    [403, { message: 'Forbidden' }],
    [403, HTML],
  ])('is refused by %d with %j', (status, body) => {
    expect(kindOf(status, body)).toBe('unauthorised');
  });
});

describe('the plan', () => {
  it.each<[number, unknown]>([
    [402, ''],
    [402, { error: 'Payment Required' }],
    [403, { error: { message: 'Your plan does not allow this' } }],
    [403, { code: 'insufficient_credits' }],
    [403, 'Insufficient credits'],
    [429, { message: 'Monthly quota used up' }],
    [429, { error: { message: 'You are out of credits' } }],
    [403, { message: 'Daily quota exceeded' }],
    [400, { error: 'insufficient_credits' }],
    [409, { message: 'Plan limit reached' }],
    [422, { error: { message: 'You have run out of credits' } }],
  ])('is used up by %d with %j', (status, body) => {
    expect(kindOf(status, body)).toBe('out-of-plan');
  });

  it('says when it goes on, where the service does', () => {
    const headers = { 'retry-after': '3600' };
    expect(read(402, { error: 'No credits' }, headers)).toEqual({
      kind: 'out-of-plan',
      excerpt: 'No credits',
      waitMs: 3_600_000,
    });
  });
});

describe('speed', () => {
  it.each<[number, unknown]>([
    [429, ''],
    [429, HTML],
    [429, 'Too many requests'],
    [429, { message: 'Rate limit exceeded. Upgrade your plan for more.' }],
    [429, { error: { code: 'rate_limited', message: 'Slow down' } }],
    [403, { message: 'API rate limit exceeded' }],
  ])('is refused by %d with %j', (status, body) => {
    expect(kindOf(status, body)).toBe('throttled');
  });

  it('says when to come back, also with status 200', () => {
    const ok = { success: false, message: 'Slow down' };
    expect(read(200, ok, { 'retry-after': '3' })).toEqual({ kind: 'throttled', waitMs: 3_000 });
  });

  it('says when to come back', () => {
    expect(read(429, '', { 'retry-after': '2' })).toEqual({ kind: 'throttled', waitMs: 2_000 });
    expect(read(429, { error: 'slow down', refillIn: 700 })).toMatchObject({ waitMs: 700 });
    expect(read(503, 'Too many requests', { 'retry-after': '2' })).toEqual({
      kind: 'throttled',
      waitMs: 2_000,
    });
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
    expect(read(status, body)).toEqual({ kind: 'failing', status });
  });

  it('says when to come back, if the service does so outright', () => {
    const failing = { kind: 'failing', status: 503 };
    expect(read(503, '', { 'retry-after': '7' })).toMatchObject({ ...failing, waitMs: 7_000 });
    // The end of a period of the limit has nothing to do with a problem.
    const reset = read(503, '', { 'x-ratelimit-reset': '3600' });
    expect(reset).toMatchObject(failing);
    expect(reset).not.toHaveProperty('waitMs');
  });

  it('is a time-out by 408', () => {
    expect(kindOf(408)).toBe('timed-out');
  });
});

describe('a product', () => {
  it.each<[number, unknown]>([
    [404, { error: { code: 'product_not_found', message: 'No product.' } }],
    [404, { detail: 'Not Found' }],
    [404, 'No product with this identifier on this marketplace.'],
    [400, { message: 'Unknown ASIN' }],
    [422, { detail: 'no data for this product' }],
  ])('is unknown by %d with %j', (status, body) => {
    expect(kindOf(status, body)).toBe('not-found');
  });

  it('is rejected by 400 and 422 in the words of the service', () => {
    expect(read(422, { detail: [{ loc: ['body', 'asin'], msg: 'bad asin', type: 'v' }] })).toEqual({
      kind: 'rejected',
      excerpt: 'bad asin v',
    });
    expect(read(400, '')).toEqual({ kind: 'rejected', excerpt: '' });
    expect(read(400, HTML)).toEqual({ kind: 'rejected', excerpt: '' });
  });
});

describe('another place', () => {
  it.each<[number, unknown]>([
    [404, HTML],
    [404, ''],
    [404, '404 page not found'],
    [404, { message: 'Route not found' }],
    [301, ''],
    [302, HTML],
    [307, ''],
    [405, ''],
    [410, ''],
  ])('answers %d with %j', (status, body) => {
    expect(read(status, body)).toEqual({ kind: 'elsewhere', status });
  });
});

describe('no response', () => {
  it.each(['unreachable', 'timed-out', 'lost-with-wave', 'daily-limit', 'not-permitted'] as const)(
    'is %s',
    (kind) => {
      expect(readReply({ kind }, KEY, NOW)).toEqual({ kind });
    },
  );

  it("of a service of Google's is told in its words, without the key", () => {
    const words = `Service error at ${KEY}`;
    const told = { kind: 'google-busy', words: 'Service error at …' };
    expect(readReply({ kind: 'google-busy', words }, KEY, NOW)).toEqual(told);
  });
});

describe('whatever comes back', () => {
  it('is a reply, and the key is in none of its words', () => {
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
        const reply = read(code, sent);
        if (reply.kind !== 'answer') expect(JSON.stringify(reply)).not.toContain(KEY);
      }),
      { numRuns: 1_000 },
    );
  });
});
