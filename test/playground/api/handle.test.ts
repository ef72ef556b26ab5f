// The sandbox's answers and refusals, one by one, in the dialect that is the usual one.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DIALECTS, type DialectName } from '../../../playground/api/dialects';
import { DEMO_KEY, KEYS } from '../../../playground/api/keys';
import { arrivalsOf, callsByProduct, countsOf, refusalsOf } from '../../../playground/api/state';
import { type Ask, MUG, openSandbox } from './ask';

describe('a proper call', () => {
  it('is answered with the fields of the contract and both prices', () => {
    const { status, headers, body } = openSandbox().answer();
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual({
      asin: MUG,
      profit: 9.85,
      roi: 0.8565,
      fees: 11.64,
      eligible: true,
      rank_drops_30d: 66,
      buy_price: 11.5,
      sell_price: 32.99,
    });
  });

  it('is answered differently for the other market', () => {
    const body = JSON.parse(openSandbox().answer({ market: 'UK' }).body);
    expect(body).toMatchObject({ asin: MUG, sell_price: 27.99, buy_price: 8.9, profit: 5.77 });
  });

  it('may name the character set of its form', () => {
    const headers = {
      authorization: `bearer ${DEMO_KEY}`,
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    };
    expect(openSandbox().answer({ request: { headers } }).status).toBe(200);
  });

  it('leaves the state that it was given as it was', () => {
    const sandbox = openSandbox();
    const before = sandbox.state();
    sandbox.answer();
    expect(before.arrived).toBe(0);
    expect(countsOf(before, DEMO_KEY).calls).toBe(0);
  });
});

describe('a call that is refused', () => {
  const json = { 'content-type': 'application/json', authorization: `Bearer ${DEMO_KEY}` };
  const refusals: readonly [what: string, ask: Ask, status: number, code: string][] = [
    ['another path', { request: { path: '/v2/analyze' } }, 404, 'no_such_path'],
    ['another method', { request: { method: 'GET' } }, 405, 'method_not_allowed'],
    ['no key', { key: null }, 401, 'missing_key'],
    ['a key nobody issued', { key: 'somebody-else' }, 401, 'invalid_key'],
    ['a revoked key', { key: 'demo-key-revoked' }, 401, 'revoked_key'],
    ['a key whose plan is used up', { key: 'demo-key-out-of-plan' }, 402, 'plan_used_up'],
    ['JSON in place of a form', { request: { headers: json } }, 415, 'unsupported_media_type'],
    ['a body far too long', { asin: 'B'.repeat(100_000) }, 413, 'body_too_long'],
    ['no ASIN', { asin: '' }, 422, 'invalid_asin'],
    ['a malformed ASIN', { asin: 'B0-XKT7M4Q' }, 422, 'invalid_asin'],
    ['a wrong check digit', { asin: '0439420890' }, 422, 'invalid_asin'],
    ['no market', { market: '' }, 422, 'invalid_market'],
    ['a market it does not serve', { market: 'DE' }, 422, 'invalid_market'],
    ['another name for the UK', { market: 'GB' }, 422, 'invalid_market'],
    ['a product nobody knows', { asin: 'B0ZZZZZZZZ' }, 404, 'product_not_found'],
  ];

  it.each(refusals)('%s', (_what, ask, status, code) => {
    const given = openSandbox().answer(ask);
    expect(given.status).toBe(status);
    expect(JSON.parse(given.body).error.code).toBe(code);
  });

  it('for its key is told which scheme to use', () => {
    const given = openSandbox().answer({ key: 'somebody-else' });
    expect(given.headers['www-authenticate']).toBe('Bearer');
  });

  it('for its speed is told when to come back, and is served then', () => {
    const sandbox = openSandbox();
    const key = 'demo-key-60-per-minute';
    expect(sandbox.answer({ key, atMs: 0 }).status).toBe(200);
    const refused = sandbox.answer({ key, atMs: 300 });
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('1');
    expect(sandbox.answer({ key, atMs: 1300 }).status).toBe(200);
  });

  it('for its speed costs the key nothing more', () => {
    const sandbox = openSandbox();
    const key = 'demo-key-60-per-minute';
    const statuses = [0, 900, 950, 1000].map((atMs) => sandbox.answer({ key, atMs }).status);
    expect(statuses).toEqual([200, 429, 429, 200]);
  });
});

describe('what the sandbox says of itself', () => {
  it('stands in a header of every answer, good or bad', () => {
    const sandbox = openSandbox();
    const given = [sandbox.answer(), sandbox.answer({ key: null }), sandbox.answer({ asin: '1' })];
    expect(given.map(({ headers }) => headers['x-sandbox'])).toEqual(
      Array(3).fill(expect.stringContaining('invented')),
    );
  });

  it('stands on its front page, with its keys and test products', () => {
    const sandbox = openSandbox();
    const page = sandbox.answer({ request: { method: 'GET', path: '/', headers: {}, body: '' } });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('every product and figure in it is invented');
    for (const { name } of KEYS) expect(page.body).toContain(name);
    expect(sandbox.state().arrived).toBe(0);
  });
});

describe('what the sandbox counts', () => {
  it('is calls, refusals and answers per key', () => {
    const sandbox = openSandbox();
    for (const _ of Array(12)) sandbox.answer();
    sandbox.answer({ key: 'demo-key-20-per-second' });
    sandbox.answer({ key: 'demo-key-20-per-second', asin: 'B0ZZZZZZZZ' });
    const counts = (key: string) => countsOf(sandbox.state(), key);
    expect(counts(DEMO_KEY)).toEqual({ calls: 12, refused: 2, answered: 10 });
    expect(counts('demo-key-20-per-second')).toEqual({ calls: 2, refused: 0, answered: 1 });
    expect(counts('demo-key-1-per-second')).toEqual({ calls: 0, refused: 0, answered: 0 });
    expect(refusalsOf(sandbox.state())).toBe(2);
  });

  it('is calls per product, each market on its own', () => {
    const sandbox = openSandbox();
    sandbox.answer();
    sandbox.answer();
    sandbox.answer({ market: 'UK' });
    sandbox.answer({ asin: 'no product' });
    expect([...callsByProduct(sandbox.state())]).toEqual([
      [`US ${MUG}`, 2],
      [`UK ${MUG}`, 1],
    ]);
  });

  it('is every arrival with its moment, never with a key that is not of the sandbox', () => {
    const sandbox = openSandbox();
    sandbox.answer({ atMs: 10 });
    sandbox.answer({ atMs: 20, key: 'a-real-key-pasted-by-mistake' });
    sandbox.reply({ atMs: 30, asin: 'B0RESET000' });
    expect(arrivalsOf(sandbox.state())).toEqual([
      { atMs: 10, key: DEMO_KEY, product: `US ${MUG}`, outcome: 'answered' },
      { atMs: 20, key: null, product: `US ${MUG}`, outcome: 'invalid-key' },
      { atMs: 30, key: DEMO_KEY, product: 'US B0RESET000', outcome: 'reset' },
    ]);
    expect(JSON.stringify(sandbox.state())).not.toContain('pasted-by-mistake');
  });

  it('tells keys apart: one that is used up leaves the others alone', () => {
    const sandbox = openSandbox();
    for (const _ of Array(20)) sandbox.answer();
    expect(sandbox.answer().status).toBe(429);
    expect(sandbox.answer({ key: 'demo-key-1-per-second' }).status).toBe(200);
  });
});

describe('whatever arrives', () => {
  const anyText = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '%', '=', '&'));
  const anyRequest = fc.record({
    method: fc.constantFrom('POST', 'GET', 'PUT', ''),
    path: fc.oneof(fc.constant('/v1/analyze'), anyText),
    headers: fc.record({
      authorization: fc.oneof(fc.constant(`Bearer ${DEMO_KEY}`), anyText),
      'content-type': fc.oneof(fc.constant('application/x-www-form-urlencoded'), anyText),
    }),
    body: fc.oneof(
      fc.tuple(anyText, anyText).map(([asin, market]) => `asin=${asin}&market=${market}`),
      fc.constant(`asin=${MUG}&market=US`),
      anyText,
    ),
  });
  const names = Object.keys(DIALECTS) as DialectName[];

  it('gets one answer, with a status, signed by the sandbox, and is counted once', () => {
    fc.assert(
      fc.property(anyRequest, fc.constantFrom(...names), (request, dialect) => {
        const sandbox = openSandbox({ dialect, productsPerMarket: 5 });
        const { status, headers } = sandbox.answer({ request });
        expect(status).toBeGreaterThanOrEqual(200);
        expect(status).toBeLessThan(500);
        expect(headers['x-sandbox']).toBeDefined();
        const isFrontPage = request.method === 'GET' && request.path.split('?')[0] === '/';
        expect(sandbox.state().arrived).toBe(isFrontPage ? 0 : 1);
      }),
      { numRuns: 500 },
    );
  });
});
