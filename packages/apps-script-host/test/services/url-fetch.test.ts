// UrlFetchApp as the host emulates it: what goes out, what comes back, limits and errors.

import { describe, expect, it } from '@jest/globals';
import type { HostOptions } from '../../src/host';
import { createSandboxedInternet, type SandboxReply } from '../../src/internet/sandboxed';
import { hostOf, outcomeOf, resultOf } from '../script-host';

function answer(status: number, body: string, headers: Record<string, string> = {}): SandboxReply {
  return { kind: 'answer', status, headers, body, delayMs: 100 };
}

/** Says back what it was sent; some paths behave badly. */
const internet = createSandboxedInternet({
  'echo.example.com': (request): SandboxReply => {
    if (request.path === '/reset') return { kind: 'reset', delayMs: 50 };
    if (request.path === '/silence') return { kind: 'silence' };
    if (request.path === '/moved') return answer(302, '', { Location: '/echo' });
    if (request.path === '/loop') return answer(302, '', { Location: '/loop' });
    if (request.path.startsWith('/status/')) {
      return answer(Number(request.path.slice(8)), 'as you asked', { 'Retry-After': '7' });
    }
    return answer(200, JSON.stringify(request), { 'Content-Type': 'application/json' });
  },
});

const echo = 'https://echo.example.com';

function fetching(url: string, options = '{}'): string {
  return `function f() {
    const response = UrlFetchApp.fetch('${url}', ${options});
    return { status: response.getResponseCode(), text: response.getContentText(),
      headers: response.getAllHeaders() };
  }`;
}

async function sent(url: string, options?: string) {
  const value = await resultOf(fetching(url, options), {}, { internet });
  return JSON.parse((value as { text: string }).text);
}

async function errorOf(code: string, options: Partial<HostOptions> = {}) {
  return (await outcomeOf(code, { door: 'menu' }, { internet, ...options })).error?.message;
}

describe('a request', () => {
  it('is a GET without a body when nothing else is said', async () => {
    expect(await sent(`${echo}/echo?a=1`)).toMatchObject({
      method: 'GET',
      path: '/echo?a=1',
      body: '',
    });
  });

  it('carries an object as a form', async () => {
    const options = "{ method: 'post', payload: { asin: 'B0 1&=é', n: 1 }, headers: { A: 'b' } }";
    expect(await sent(`${echo}/`, options)).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', a: 'b' },
      body: 'asin=B0+1%26%3D%C3%A9&n=1',
    });
  });

  it('carries a text as it is, with the content type given', async () => {
    const options = "{ method: 'put', payload: '{}', contentType: 'application/json' }";
    expect(await sent(`${echo}/`, options)).toMatchObject({
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
  });
});

describe('an answer', () => {
  it('has its status, its text and its headers', async () => {
    const options = '{ muteHttpExceptions: true }';
    expect(await resultOf(fetching(`${echo}/status/429`, options), {}, { internet })).toEqual({
      status: 429,
      text: 'as you asked',
      headers: { 'Retry-After': '7' },
    });
  });

  it('throws from 400 on unless that is muted', async () => {
    expect(await errorOf(fetching(`${echo}/status/404`))).toBe(
      'Request failed for https://echo.example.com returned code 404. Truncated server response: ' +
        'as you asked (use muteHttpExceptions option to examine full response)',
    );
  });

  it('is looked for where a redirect points, unless that is refused', async () => {
    expect(await sent(`${echo}/moved`)).toMatchObject({ path: '/echo' });
    const options = '{ followRedirects: false }';
    expect(await resultOf(fetching(`${echo}/moved`, options), {}, { internet })).toMatchObject({
      status: 302,
    });
  });

  it('gives back bytes that are no text, signed', async () => {
    const binary = () =>
      ({
        kind: 'answer',
        status: 200,
        headers: {},
        body: Buffer.from([0, 127, 128, 255]),
        delayMs: 0,
      }) as const;
    const code =
      "function f() { return UrlFetchApp.fetch('https://any.example.com').getContent(); }";
    expect(await resultOf(code, {}, { internet: binary })).toEqual([0, 127, -128, -1]);
  });
});

describe('what the network does', () => {
  it.each([
    ['https://nowhere.example.com/', 'DNS error: https://nowhere.example.com/'],
    [`${echo}/reset`, `Address unavailable: ${echo}/reset`],
    ['ftp://echo.example.com/', 'Invalid argument: ftp://echo.example.com/'],
  ])('throws for %s, muted or not', async (url, message) => {
    expect(await errorOf(fetching(url, '{ muteHttpExceptions: true }'))).toBe(message);
  });

  it('throws after the time-out that was asked for', async () => {
    const code = `function f() {
      const startedMs = Date.now();
      try { UrlFetchApp.fetch('${echo}/silence', { timeoutSeconds: 20 }); }
      catch (error) { return [error.message, Math.round((Date.now() - startedMs) / 1000)]; }
    }`;
    expect(await resultOf(code, {}, { internet })).toEqual([`Timeout: ${echo}/silence`, 20]);
  });

  it('spoils a whole batch by one item', async () => {
    const urls = ['/a', '/reset', '/b'].map((path) => `'${echo}${path}'`);
    const code = `function f() { UrlFetchApp.fetchAll([${urls}]); }`;
    expect(await errorOf(code)).toBe(`Address unavailable: ${echo}/reset`);
  });
});

describe('fetchAll', () => {
  it('answers in the order of the requests, having sent them together', async () => {
    const code = `function f() {
      const startedMs = Date.now();
      const urls = Array.from({ length: 20 }, (_, place) => '${echo}/' + place);
      const paths = UrlFetchApp.fetchAll(urls).map((r) => JSON.parse(r.getContentText()).path);
      return [paths, Date.now() - startedMs];
    }`;
    const [paths, tookMs] = (await resultOf(code, {}, { internet })) as [string[], number];
    expect(paths).toEqual(Array.from({ length: 20 }, (_, place) => `/${place}`));
    expect(tookMs).toBeLessThan(100 + 300);
  });

  it('has at most 20 under way at once', async () => {
    const arrivalsMs: number[] = [];
    const noting = createSandboxedInternet({
      'echo.example.com': (_request, nowMs) => {
        arrivalsMs.push(nowMs);
        return { kind: 'answer', status: 200, headers: {}, body: '', delayMs: 1_000 };
      },
    });
    const code = `function f() { UrlFetchApp.fetchAll(new Array(50).fill('${echo}/')); }`;
    await resultOf(code, {}, { internet: noting });
    const inOneSecond = arrivalsMs.map(
      (ms) => arrivalsMs.filter((other) => other >= ms && other < ms + 1_000).length,
    );
    expect(arrivalsMs).toHaveLength(50);
    expect(Math.max(...inOneSecond)).toBe(20);
  });
});

describe('what Google makes of odd requests', () => {
  it('takes options that are null for none', async () => {
    expect(await sent(`${echo}/echo`, 'null')).toMatchObject({ method: 'GET', path: '/echo' });
  });

  it('takes an address without a scheme for one of http', async () => {
    expect(await sent('echo.example.com/bare')).toMatchObject({ path: '/bare' });
  });

  // "Attribute provided with invalid value" is what users quote for each of them.
  it.each([
    ["{ method: 'fetch' }", 'method'],
    ["{ headers: { Host: 'other.example.com' } }", 'Header:Host'],
    ["{ headers: { 'Content-Length': '3' } }", 'Header:Content-Length'],
    ["{ headers: { 'X-Key': null } }", 'Header:null'],
  ])('refuses %s', async (options, attribute) => {
    expect(await errorOf(fetching(`${echo}/echo`, options))).toBe(
      `Attribute provided with invalid value: ${attribute}`,
    );
  });

  it('writes methods in capitals', async () => {
    expect(await sent(`${echo}/echo`, "{ method: 'delete' }")).toMatchObject({ method: 'DELETE' });
  });
});

describe('limits', () => {
  it('of a short time count every item, per user, and are over soon', async () => {
    const host = hostOf(
      `function f() { UrlFetchApp.fetchAll(['${echo}/1', '${echo}/2', '${echo}/3']); }`,
      { internet, limits: { urlFetchInShortTime: 5 } },
    );
    const run = async (atMs: number) => {
      const outcome = host.start({ functionName: 'f', args: [], door: 'cell' }, atMs);
      await host.run();
      return (await outcome).error?.message ?? 'sent';
    };
    const startMs = host.nowMs();
    expect(await run(startMs)).toBe('sent');
    expect(await run(startMs + 2_000)).toBe(
      'Service invoked too many times in a short time: urlfetch. ' +
        'Try Utilities.sleep(1000) between calls.',
    );
    expect(await run(startMs + 15_000)).toBe('sent');
    await host.stop();
  });

  it('of length and size are kept', async () => {
    expect(await errorOf(fetching(`${echo}/${'a'.repeat(2_100)}`))).toBe(
      'Limit Exceeded: URLFetch URL Length.',
    );
    const headers = `{ headers: { a: 'x'.repeat(8200) } }`;
    expect(await errorOf(fetching(echo, headers))).toBe('Limit Exceeded: URLFetch header Size.');
  });

  it('of the day count every item, per user', async () => {
    const host = hostOf(`function f() { UrlFetchApp.fetchAll(['${echo}/1', '${echo}/2']); }`, {
      internet,
      limits: { urlFetchPerDay: 3 },
    });
    const run = async (userEmail: string) => {
      const outcome = host.start({ functionName: 'f', args: [], door: 'cell', userEmail });
      await host.run();
      return outcome;
    };
    const [first, second] = [await run('ann@example.com'), await run('ann@example.com')];
    const other = await run('bob@example.com');
    await host.stop();
    expect([first.ok, other.ok]).toEqual([true, true]);
    expect(second.error?.message).toBe('Service invoked too many times for one day: urlfetch.');
    expect(host.stores.urlFetch.requestsToday('ann@example.com')).toBe(2);
  });
});

it('tells what it would ask: the method in small letters, headers and the type of a body', async () => {
  const code = `function f() {
    return [UrlFetchApp.getRequest('https://a.example/'),
      UrlFetchApp.getRequest('https://a.example/', { method: 'POST', payload: 'x' })];
  }`;
  expect(await resultOf(code)).toEqual([
    { url: 'https://a.example/', method: 'get', headers: {}, payload: '' },
    {
      url: 'https://a.example/',
      method: 'post',
      headers: {},
      payload: 'x',
      contentType: 'application/x-www-form-urlencoded',
    },
  ]);
});

it('gives an answer as a blob with its type, named after its address', async () => {
  const internet = createSandboxedInternet({
    'a.example': () => ({
      kind: 'answer',
      status: 200,
      headers: { 'Content-Type': 'text/csv; charset=utf-8' },
      body: 'a,b',
      delayMs: 1,
    }),
  });
  const code = `function f() {
    const blob = UrlFetchApp.fetch('https://a.example/list.csv?x=1').getBlob();
    return [blob.getName(), blob.getContentType(), blob.getDataAsString()];
  }`;
  expect(await resultOf(code, {}, { internet })).toEqual(['list.csv', 'text/csv', 'a,b']);
});
