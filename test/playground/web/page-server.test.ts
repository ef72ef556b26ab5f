// The playground's two servers, asked as nobody should: they answer, refuse, and go on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { WebSocket } from 'ws';
import { startSandbox } from '../../../playground/api/server';
import { type PageServer, startPageServer } from '../../../playground/web/page-server';
import type { FromPage } from '../../../playground/web/protocol';

const folder = mkdtempSync(join(tmpdir(), 'pages-'));
const received: FromPage[] = [];
let pages: PageServer;
let sandbox: Awaited<ReturnType<typeof startSandbox>>;

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), 'the page');
  sandbox = await startSandbox();
});

beforeEach(async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const receive = async (message: FromPage): Promise<void> => {
    received.push(message);
    if (message.kind === 'choose') throw new Error('There is no such function.');
  };
  pages = await startPageServer({ folder, port: 0, onPage: () => ({ receive, left: () => {} }) });
});

afterEach(async () => {
  received.length = 0;
  jest.restoreAllMocks();
  await pages.stop();
});

afterAll(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true });
});

const portOf = (address: string) => Number(new URL(address).port);
const own = (port: number) => ({ host: `127.0.0.1:${port}` });

/** The first line of the answer to a request as it stands: no client would send some of them. */
function ask(
  address: string,
  target: string,
  headers: object,
  from = '127.0.0.1',
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(portOf(address), from);
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${target} HTTP/1.1\r\nConnection: close\r\n${lines.join('')}\r\n`);
  });
}

const isAlive = async () => expect(await (await fetch(pages.address)).text()).toBe('the page');

function link(headers: Readonly<Record<string, string>> = {}): Promise<WebSocket | null> {
  const host = `127.0.0.1:${portOf(pages.address)}`;
  const socket = new WebSocket(`ws://${host}/link`, {
    headers: { origin: `http://${host}`, ...headers },
  });
  return new Promise((resolve) => {
    socket.on('open', () => resolve(socket));
    socket.on('error', () => resolve(null));
  });
}

const closed = (socket: WebSocket) => new Promise((resolve) => socket.on('close', resolve));

describe('a target that is no address', () => {
  it.each([
    '//',
    '//[',
    '/%',
    '/%ff',
    '/\\',
    '*',
    'http://[',
    '/page.js/..',
    '/__proto__',
    '/toString',
  ])('is answered: %s', async (target) => {
    expect(await ask(pages.address, target, own(portOf(pages.address)))).toBe(
      'HTTP/1.1 404 Not Found',
    );
    const { baseUrl } = sandbox;
    expect(await ask(baseUrl, target, own(portOf(baseUrl)))).toMatch(/^HTTP\/1\.1 40\d /);
    await isAlive();
  });

  it('may have a query behind it that is none', async () => {
    const first = await ask(pages.address, '/?[&=%', own(portOf(pages.address)));
    expect(first).toBe('HTTP/1.1 200 OK');
  });
});

describe('a request of somebody else', () => {
  const headers: readonly (readonly [string, object])[] = [
    ['another name that leads here', { host: 'rebound.example' }],
    ['the same with our port', { host: 'rebound.example:4173' }],
    ['a name that begins like ours', { host: 'localhost.rebound.example' }],
    ['a page of another site', { host: '127.0.0.1', origin: 'https://thief.example' }],
    ['a page of another port', { host: '127.0.0.1', origin: 'http://127.0.0.1:1' }],
    ['a page without a site', { host: '127.0.0.1', origin: 'null' }],
  ];

  it.each(headers)('is refused by both servers: %s', async (_whose, sent) => {
    for (const address of [pages.address, sandbox.baseUrl])
      expect(await ask(address, '/', sent)).toBe('HTTP/1.1 403 Forbidden');
  });

  it.each(headers)('gets no link to the sheet: %s', async (_whose, sent) => {
    expect(await link(sent as Record<string, string>)).toBeNull();
  });

  it('does not get here from outside of loopback', async () => {
    // Answers only where a server listens on every address.
    for (const address of [pages.address, sandbox.baseUrl])
      await expect(ask(address, '/', own(portOf(address)), '127.0.0.2')).rejects.toThrow(
        /ECONNREFUSED|EADDRNOTAVAIL/,
      );
  });
});

describe('a message that is none', () => {
  it.each([
    ...['', 'no JSON', '[', 'null', '[]', '"choose"', '{}', '{"kind":"toString"}'],
    ...['{"kind":"choose"}', '{"kind":"run","functionName":"rpc"}', '{"kind":"mutation"}'],
    ...['{"kind":"selection","selection":{}}', '{"kind":"choose","functionName":"nothing"}'],
  ])('ends its own link alone: %s', async (text) => {
    const [socket, other] = [await link(), await link()];
    if (socket === null || other === null) throw new Error('There is no link.');
    socket.send(text);
    await closed(socket);
    const run = { kind: 'run', call: 1, functionName: 'rpc', args: [] };
    other.send(JSON.stringify(run));
    while (received.every(({ kind }) => kind !== 'run')) await new Promise(setImmediate);
    other.terminate();
    await isAlive();
  });

  it('also where it is no frame of a WebSocket', async () => {
    const socket = await link();
    if (socket === null) throw new Error('There is no link.');
    // Below the library, whose own frames are all good.
    const { _socket } = socket as unknown as { readonly _socket: { write(bytes: Buffer): void } };
    _socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await closed(socket);
    await isAlive();
  });
});
