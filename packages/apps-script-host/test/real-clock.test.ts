// The same host with the machine's clock: real HTTP to this machine, real time, nothing blocked.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Host, HostOptions } from '../src/host';
import { loopbackInternet } from '../src/internet/http';
import { hostOf } from './script-host';

let server: Server;
let address = '';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    if (request.url === '/silence') return;
    if (request.url === '/reset') {
      request.socket.destroy();
      return;
    }
    let body = '';
    for await (const part of request) body += part;
    const status = request.url === '/moved' ? 302 : 200;
    response.writeHead(status, { Location: '/elsewhere', 'Set-Cookie': ['a=1', 'b=2'] });
    response.end(JSON.stringify({ url: request.url, type: request.headers['content-type'], body }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function withHost<Result>(
  code: string,
  use: (host: Host) => Promise<Result>,
  options: Partial<HostOptions> = {},
): Promise<Result> {
  const host = hostOf(code, { clock: 'real', internet: loopbackInternet, ...options });
  try {
    return await use(host);
  } finally {
    await host.stop();
  }
}

const menu = { args: [], door: 'menu' } as const;

describe('a request in real time', () => {
  const code = `function f(url, options) {
    const response = UrlFetchApp.fetch(url, options || {});
    return [response.getResponseCode(), response.getContentText(), response.getAllHeaders()];
  }`;
  const fetching = (path: string, options = {}) =>
    withHost(code, (host) =>
      host.start({ functionName: 'f', args: [address + path, options], door: 'sidebar' }),
    );

  it('goes out to this machine and comes back', async () => {
    const { value } = await fetching('/path', { payload: { a: 'b c' } });
    const [status, text, headers] = value as [number, string, Record<string, unknown>];
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      url: '/path',
      type: 'application/x-www-form-urlencoded',
      body: 'a=b+c',
    });
    expect(headers['Set-Cookie']).toEqual(['a=1', 'b=2']);
  });

  it('follows a redirect only if it may', async () => {
    const followed = await fetching('/moved');
    const stayed = await fetching('/moved', { followRedirects: false });
    expect((followed.value as unknown[])[0]).toBe(200);
    expect((stayed.value as unknown[])[0]).toBe(302);
  });

  it('fails as Google says when the connection breaks or nobody answers in time', async () => {
    const reset = await fetching('/reset');
    const silence = await fetching('/silence', { timeoutSeconds: 0.2 });
    expect(reset.error?.message).toBe(`Address unavailable: ${address}/reset`);
    expect(silence.error?.message).toBe(`Timeout: ${address}/silence`);
  });

  it('never leaves this machine', async () => {
    const { error } = await withHost(code, (host) =>
      host.start({ functionName: 'f', args: ['https://example.com/'], door: 'menu' }),
    );
    expect(error).toEqual({ name: 'Exception', message: 'DNS error: https://example.com/' });
  });
});

describe('executions in real time', () => {
  it('run beside each other, and the clock is the machine’s', async () => {
    // Each returns only once all four are there.
    const code = `function f() {
      Utilities.sleep(400);
      const lock = LockService.getScriptLock();
      const cache = CacheService.getScriptCache();
      lock.waitLock(60000);
      cache.put('there', String(Number(cache.get('there')) + 1));
      lock.releaseLock();
      while (cache.get('there') !== '4') Utilities.sleep(20);
      return Date.now();
    }`;
    const outcomes = await withHost(code, (host) =>
      Promise.all([1, 2, 3, 4].map(() => host.start({ functionName: 'f', ...menu }))),
    );
    for (const { value, startedMs, endedMs } of outcomes) {
      expect(value).toBeGreaterThanOrEqual(startedMs + 390);
      expect(value).toBeLessThanOrEqual(endedMs);
    }
  });

  it('are ended by their time limit, also in an endless loop, and the host goes on', async () => {
    const code = `
      function loop() { for (;;); }
      function sleep() { LockService.getScriptLock().waitLock(60000); Utilities.sleep(60000); }
      function lock() { return LockService.getScriptLock().tryLock(60000); }`;
    const options = { limits: { shortRunMs: 300 } };
    const outcomes = await withHost(
      code,
      (host) =>
        Promise.all([
          host.start({ functionName: 'loop', args: [], door: 'cell' }),
          host.start({ functionName: 'sleep', args: [], door: 'cell' }),
          host.start({ functionName: 'lock', ...menu }, Date.now() + 100),
        ]),
      options,
    );
    expect(outcomes.map(({ ended }) => ended)).toEqual(['timedOut', 'timedOut', 'returned']);
    expect(outcomes[2]?.value).toBe(true);
  });

  it('can be killed at a call', async () => {
    const code = 'function f() { Utilities.getUuid(); Utilities.getUuid(); }';
    const outcome = await withHost(code, (host) =>
      host.start({ functionName: 'f', ...menu, killAtCall: 2 }),
    );
    expect(outcome).toMatchObject({ ended: 'killed', serviceCalls: 2 });
  });
});

describe('a clock that is put forward', () => {
  const DAY_MS = 86_400_000;
  const code = `function f() { return Date.now(); }
  function g() { ScriptApp.newTrigger('f').timeBased().everyHours(1).create(); }
  function put() { CacheService.getUserCache().put('a', '1', 600); }
  function look() { return CacheService.getUserCache().get('a'); }`;

  it('is the scripts’ own, and caches have run out', async () => {
    await withHost(code, async (host) => {
      await host.start({ functionName: 'put', ...menu });
      const before = await host.start({ functionName: 'f', ...menu });
      host.skip(DAY_MS);
      const after = await host.start({ functionName: 'f', ...menu });
      const passed = Number(after.value) - Number(before.value);
      expect(passed).toBeGreaterThanOrEqual(DAY_MS);
      expect(passed).toBeLessThan(DAY_MS + 60_000);
      expect(await host.start({ functionName: 'look', ...menu })).toMatchObject({ value: null });
    });
  });

  it('fires a trigger that was due meanwhile, and once', async () => {
    const onTime = { firings: (dueMs: number) => [dueMs] };
    await withHost(
      code,
      async (host) => {
        expect(await host.start({ functionName: 'g', ...menu })).toMatchObject({ ok: true });
        const firings = () => host.trace().filter((line) => /start +clock/.test(line)).length;
        expect(firings()).toBe(0);
        host.skip(DAY_MS);
        await host.start({ functionName: 'f', ...menu });
        await host.run();
        expect(firings()).toBe(1);
      },
      onTime,
    );
  });
});

describe('a real clock in a hurry', () => {
  const HOUR_MS = 3_600_000;
  const code = `
    function nap(times) {
      const begin = Date.now();
      for (let i = 0; i < times; i += 1) Utilities.sleep(300000);
      return Date.now() - begin;
    }
    function compute(ms) {
      const begin = Date.now();
      while (Date.now() - begin < ms);
      Utilities.sleep(1000);
      return Date.now() - begin;
    }`;
  const limits = { longRunMs: HOUR_MS };

  it('does not wait for scripts of which all sleep', () =>
    withHost(
      code,
      async (host) => {
        host.hurry(true);
        const beganMs = performance.now();
        const naps = [6, 3].map((times) =>
          host.start({ functionName: 'nap', ...menu, args: [times] }),
        );
        const slept = (await Promise.all(naps)).map(({ value }) => Number(value));
        expect(slept[0]).toBeGreaterThanOrEqual(HOUR_MS / 2);
        expect(slept[1]).toBeGreaterThanOrEqual(HOUR_MS / 4);
        expect(slept[1]).toBeLessThan(HOUR_MS / 2);
        expect(performance.now() - beganMs).toBeLessThan(60_000);
      },
      { limits },
    ));

  it('waits while one of them computes, and for all once it is in no hurry', () =>
    withHost(code, async (host) => {
      host.hurry(true);
      const sleeping = host.start({ functionName: 'nap', ...menu, args: [1] });
      const busy = await host.start({ functionName: 'compute', ...menu, args: [400] });
      expect(Number(busy.value)).toBeLessThan(60_000);
      expect(Number((await sleeping).value)).toBeGreaterThanOrEqual(300_000);
      host.hurry(false);
      const beganMs = performance.now();
      await host.start({ functionName: 'compute', ...menu, args: [0] });
      expect(performance.now() - beganMs).toBeGreaterThan(900);
    }));
});
