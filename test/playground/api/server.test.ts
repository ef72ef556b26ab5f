// The sandbox over real HTTP on loopback.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DEMO_KEY } from '../../../playground/api/keys';
import { type SandboxServer, startSandbox } from '../../../playground/api/server';
import { callsByProduct, countsOf } from '../../../playground/api/state';
import { callFor, MUG } from './ask';

let sandbox: SandboxServer;

beforeEach(async () => {
  sandbox = await startSandbox({ latency: { medianMs: 0, sigma: 0 } });
});

afterEach(() => sandbox.stop());

function ask(asin = MUG, market = 'US'): Promise<Response> {
  const { method, headers, body } = callFor({ asin, market });
  return fetch(`${sandbox.baseUrl}/v1/analyze`, { method, headers, body, redirect: 'manual' });
}

const readable = async (response: Response): Promise<string> =>
  response
    .json()
    .then((body: { asin?: string }) => (body.asin === MUG ? 'answered' : `${response.status}`))
    .catch(() => `${response.status} unreadable`);

describe('the server', () => {
  it('answers on loopback, at a port of its own', async () => {
    expect(sandbox.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const response = await ask();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-sandbox')).toContain('invented');
    expect(await response.json()).toMatchObject({ asin: MUG, sell_price: 32.99 });
  });

  it('counts what arrived, so that a test can read it', async () => {
    const given = await Promise.all(Array.from({ length: 12 }, () => ask()));
    const tooMany = given.filter(({ status }) => status === 429).length;
    // The bucket may drip in a token while the twelve are on their way.
    expect(tooMany).toBeLessThanOrEqual(2);
    const counts = countsOf(sandbox.state(), DEMO_KEY);
    expect(counts).toEqual({ calls: 12, refused: tooMany, answered: 12 - tooMany });
    expect(callsByProduct(sandbox.state()).get(`US ${MUG}`)).toBe(12);
  });

  it('breaks the connection where a fault says so', async () => {
    const failure = await ask('B0RESET000').catch((error: Error) => error.cause);
    expect(failure).toMatchObject({ code: 'ECONNRESET' });
  });

  it('is out while it is told to be', async () => {
    sandbox.setTrouble('outage');
    expect((await ask()).status).toBe(503);
    sandbox.setTrouble('none');
    expect((await ask()).status).toBe(200);
  });

  it('has faults of several kinds in some calls while it is told to, and answers the others', async () => {
    sandbox.setTrouble('faults');
    const outcomes: string[] = [];
    for (let call = 0; call < 10; call += 1)
      await ask()
        .then(readable, () => 'broken off')
        .then((one) => outcomes.push(one));
    expect(outcomes).toContain('answered');
    expect(new Set(outcomes).size).toBeGreaterThan(2);
  });

  it('has other prices a day later, and figures that follow from them', async () => {
    const read = async () => (await ask()).json() as Promise<Record<string, number>>;
    const before = await read();
    sandbox.passDay();
    const after = await read();
    expect(after.buy_price).not.toBe(before.buy_price);
    expect(after.sell_price).not.toBe(before.sell_price);
    const profitOf = ({ sell_price = 0, buy_price = 0, fees = 0 }) => sell_price - buy_price - fees;
    expect(after.profit).toBeCloseTo(profitOf(after), 2);
  });

  it('sends a redirect as it is', async () => {
    const response = await ask('B0REDIRECT');
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('https://elsewhere.example/v1/analyze');
  });

  it('reads a body that is far too long, and refuses it', async () => {
    const { method, headers } = callFor({});
    const body = 'x'.repeat(1024 * 1024);
    const response = await fetch(`${sandbox.baseUrl}/v1/analyze`, { method, headers, body });
    expect(response.status).toBe(413);
  });

  it('stops at once, even while it is silent to somebody', async () => {
    const silent = ask('B0SILENCE0').then(
      () => 'answered',
      () => 'broken off',
    );
    const slow = ask('B0SLOW0020').then(
      () => 'answered',
      () => 'broken off',
    );
    while (sandbox.state().arrived < 2) await new Promise((resolve) => setImmediate(resolve));
    await sandbox.stop();
    expect(await Promise.all([silent, slow])).toEqual(['broken off', 'broken off']);
    await expect(ask()).rejects.toThrow();
  });

  it('says so when its port is taken', async () => {
    const port = Number(new URL(sandbox.baseUrl).port);
    await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
