// Every fault that a client must survive, provoked by its test ASIN, by a plan, or by an outage.
import { describe, expect, it } from '@jest/globals';
import { isAsin } from '../../../playground/api/asin';
import { FAULT_PRODUCTS } from '../../../playground/api/faults';
import { DEMO_KEY } from '../../../playground/api/keys';
import { countsOf } from '../../../playground/api/state';
import { MUG, openSandbox } from './ask';

describe('the test products', () => {
  it('have ASINs that any honest check lets through', () => {
    expect(Object.keys(FAULT_PRODUCTS).filter((asin) => !isAsin(asin))).toEqual([]);
  });

  it.each([
    ['B0FAULT500', 500, 'internal_error'],
    ['B0FAULT503', 503, 'unavailable'],
    ['B0FAULT504', 504, 'upstream_timeout'],
    ['B0NOTFOUND', 404, 'product_not_found'],
  ])('%s is refused with %i %s, on both markets', (asin, status, code) => {
    for (const market of ['US', 'UK']) {
      const given = openSandbox().answer({ asin, market });
      expect([given.status, JSON.parse(given.body).error.code]).toEqual([status, code]);
    }
  });

  it('B0FAULT503 says when to come back', () => {
    const given = openSandbox().answer({ asin: 'B0FAULT503' });
    expect(given.headers['retry-after']).toBe('2');
  });

  it('B0FAULT502 and B0HTMLPAGE send a page, the latter as if all were well', () => {
    const given = ['B0FAULT502', 'B0HTMLPAGE'].map((asin) => openSandbox().answer({ asin }));
    expect(given.map(({ status }) => status)).toEqual([502, 200]);
    for (const { headers, body } of given) {
      expect(headers['content-type']).toBe('text/html');
      expect(body).toMatch(/^<!doctype html>/);
    }
  });

  it('B0FLAKY001 fails once and is answered from then on', () => {
    const sandbox = openSandbox();
    const given = [1, 2, 3].map(() => sandbox.answer({ asin: 'B0FLAKY001' }));
    expect(given.map(({ status }) => status)).toEqual([503, 200, 200]);
    expect(JSON.parse(given[1]?.body ?? '').asin).toBe('B0FLAKY001');
  });

  it('B0SILENCE0 is never answered and B0RESET000 breaks the connection', () => {
    expect(openSandbox().reply({ asin: 'B0SILENCE0' })).toEqual({ kind: 'silence' });
    expect(openSandbox().reply({ asin: 'B0RESET000' })).toEqual({ kind: 'reset', delayMs: 0 });
  });

  it('B0SLOW0020 gets a good answer after twenty seconds', () => {
    const given = openSandbox().answer({ asin: 'B0SLOW0020' });
    expect([given.status, given.delayMs]).toEqual([200, 20_000]);
  });

  it('B0NEWSHAPE gets JSON without any field of an analysis', () => {
    const body = JSON.parse(openSandbox().answer({ asin: 'B0NEWSHAPE' }).body);
    expect(Object.keys(body)).not.toContain('profit');
  });

  it('B0CUTSHORT gets JSON that cannot be read, B0EMPTY000 nothing at all', () => {
    const cut = openSandbox().answer({ asin: 'B0CUTSHORT' });
    expect(cut.status).toBe(200);
    expect(() => JSON.parse(cut.body)).toThrow(SyntaxError);
    expect(openSandbox().answer({ asin: 'B0EMPTY000' })).toMatchObject({ status: 200, body: '' });
  });

  it('B0HUGE10MB gets ten megabytes', () => {
    const { body } = openSandbox().answer({ asin: 'B0HUGE10MB' });
    expect(body.length).toBeGreaterThanOrEqual(10 * 1024 * 1024);
  });

  it('B0REDIRECT is sent to another host', () => {
    const given = openSandbox().answer({ asin: 'B0REDIRECT' });
    expect(given.status).toBe(302);
    expect(given.headers.location).toBe('https://elsewhere.example/v1/analyze');
  });

  it('B0NULLS000 has an ASIN and not one figure', () => {
    const { asin, ...rest } = JSON.parse(openSandbox().answer({ asin: 'B0NULLS000' }).body);
    expect(asin).toBe('B0NULLS000');
    expect(Object.keys(rest)).toContain('rank_drops_30d');
    expect(Object.values(rest).every((value) => value === null)).toBe(true);
  });

  it('B0FORMULA0 has text that wants to be a formula and text that wants to be HTML', () => {
    const body = JSON.parse(openSandbox().answer({ asin: 'B0FORMULA0' }).body);
    expect(body.note).toMatch(/^=IMPORTXML/);
    expect(body.label).toMatch(/^<img/);
  });

  it('still cost the key its call, but no answer of its plan', () => {
    const sandbox = openSandbox();
    sandbox.answer({ asin: 'B0FAULT500' });
    expect(countsOf(sandbox.state(), DEMO_KEY)).toEqual({ calls: 1, refused: 0, answered: 0 });
  });
});

it('a plan of faults spoils a product of the catalogue, and no other', () => {
  const sandbox = openSandbox({ faults: { [MUG]: 'bad-gateway' } });
  expect(sandbox.answer().status).toBe(502);
  expect(sandbox.answer({ asin: 'B0RWD92FHC' }).status).toBe(200);
});

describe('an outage', () => {
  const outages = [{ fromMs: 1000, toMs: 2000 }];

  it('refuses everybody from its first moment to before its last', () => {
    const sandbox = openSandbox({ outages });
    const statuses = [999, 1000, 1999, 2000].map((atMs) => sandbox.answer({ atMs }).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
  });

  it('costs no quota', () => {
    const sandbox = openSandbox({ outages });
    const key = 'demo-key-60-per-minute';
    expect(sandbox.answer({ key, atMs: 1999 }).status).toBe(503);
    expect(sandbox.answer({ key, atMs: 2000 }).status).toBe(200);
  });

  it('may take another form', () => {
    const [outage] = outages;
    if (outage === undefined) throw new Error('No outage.');
    const sandbox = openSandbox({ outages: [{ ...outage, fault: 'silence' }] });
    expect(sandbox.reply({ atMs: 1500 })).toEqual({ kind: 'silence' });
  });
});

it('latency is the same for the same seed, and spreads round its median', () => {
  const delays = (seed: number) => {
    const sandbox = openSandbox({ seed, latency: { medianMs: 250, sigma: 0.35 } });
    return Array.from({ length: 400 }, () => sandbox.answer({ key: 'demo-key-unlimited' }).delayMs);
  };
  expect(delays(1)).toEqual(delays(1));
  const sorted = delays(2).sort((a, b) => a - b);
  expect(sorted[200]).toBeGreaterThan(225);
  expect(sorted[200]).toBeLessThan(275);
  expect(sorted.at(-1)).toBeGreaterThan(450);
});
