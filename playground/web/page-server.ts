// Serves the playground's page on loopback and holds the WebSockets of the open pages.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import { isOwn, LOOPBACK } from '../loopback';
import { type FromPage, type FromServer, readFromPage } from './protocol';

export interface PageServer {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

export interface PageServerOptions {
  readonly folder: string;
  readonly port: number;
  /** Called when a page has opened. Returns what to do with its messages and when it leaves. */
  readonly onPage: (send: (message: FromServer) => void) => PageListener;
}

export interface PageListener {
  /** Rejects if the message cannot be carried out. */
  readonly receive: (message: FromPage) => Promise<void>;
  readonly left: () => void;
}

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  '/script-frame.js': ['script-frame.js', 'text/javascript; charset=utf-8'],
};

export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const server = createServer((request, response) => {
    if (isOwn(request.headers)) serve(options.folder, request.url ?? '/', response);
    else refuse(response, 403, 'This page is for this machine alone.\n');
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    // Only a page from this server may talk to its script.
    const { headers } = request;
    if (headers.origin === undefined || !isOwn(headers)) return socket.destroy();
    sockets.handleUpgrade(request, socket, head, (page) => link(page, options.onPage));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, LOOPBACK, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return {
    address: `http://${LOOPBACK}:${address.port}/`,
    stop: () =>
      new Promise((resolve) => {
        for (const page of sockets.clients) page.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(words);
}

/** @param target the requested path, which need not be a valid address */
function serve(folder: string, target: string, response: ServerResponse): void {
  const [path = ''] = target.split('?', 1);
  const found = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (found === undefined) {
    refuse(response, 404, 'There is nothing here.\n');
    return;
  }
  const [file, type] = found;
  response
    .writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
    .end(readFileSync(join(folder, file)));
}

/** RFC 6455, 7.4.1. */
const UNSUPPORTED_DATA = 1003;

function link(page: WebSocket, onPage: PageServerOptions['onPage']): void {
  const listener = onPage((message) => page.send(JSON.stringify(message)));
  const hangUp = (why: string): void => {
    console.error(`A page was hung up on: ${why}`);
    page.close(UNSUPPORTED_DATA);
  };
  page.on('message', (data) => {
    const message = readFromPage(String(data));
    if (message === null) hangUp('it sent what is no message.');
    else listener.receive(message).catch((error: unknown) => hangUp(String(error)));
  });
  // Frames that break the protocol cause errors. The library closes the connection itself.
  page.on('error', () => {});
  page.on('close', listener.left);
}
