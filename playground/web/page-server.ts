// Serves the playground's page on loopback and holds the WebSockets of the pages that are open.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';
import type { FromPage, FromServer } from './protocol';

export interface PageServer {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

export interface PageServerOptions {
  readonly folder: string;
  readonly port: number;
  /** A page has opened; returns what to do with its messages, and when it has gone. */
  readonly onPage: (send: (message: FromServer) => void) => PageListener;
}

export interface PageListener {
  readonly receive: (message: FromPage) => void;
  readonly left: () => void;
}

const HOST = '127.0.0.1';
const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  '/script-frame.js': ['script-frame.js', 'text/javascript; charset=utf-8'],
};

export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const server = createServer((request, response) => {
    serve(options.folder, new URL(request.url ?? '/', `http://${HOST}`).pathname, response);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    // Another site's page may not talk to this one's script.
    if (request.headers.origin !== `http://${request.headers.host}`) return socket.destroy();
    sockets.handleUpgrade(request, socket, head, (page) => link(page, options.onPage));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, HOST, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return {
    address: `http://${HOST}:${address.port}/`,
    stop: () =>
      new Promise((resolve) => {
        for (const page of sockets.clients) page.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function serve(folder: string, path: string, response: ServerResponse): void {
  const found = FILES[path];
  if (found === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.\n');
    return;
  }
  const [file, type] = found;
  response
    .writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
    .end(readFileSync(join(folder, file)));
}

function link(page: WebSocket, onPage: PageServerOptions['onPage']): void {
  const listener = onPage((message) => page.send(JSON.stringify(message)));
  page.on('message', (data) => listener.receive(JSON.parse(String(data)) as FromPage));
  page.on('close', listener.left);
}
