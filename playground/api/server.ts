// Runs the sandbox on a loopback port: a thin shell of real HTTP and real time around `handle`.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SandboxReply, SandboxRequest } from 'apps-script-host/internet/sandboxed';
import { isOwn, LOOPBACK } from '../loopback';
import { TROUBLES, type Trouble } from './faults';
import { LONGEST_BODY_BYTES } from './form';
import { handle } from './handle';
import { createState, type SandboxOptions, type SandboxState } from './state';

interface SandboxServerOptions extends SandboxOptions {
  /** Defaults to 0, which means any free port. */
  readonly port?: number;
  /** The sandbox's clock, in ms since 1970. Defaults to the machine's. */
  readonly nowMs?: () => number;
}

export interface SandboxServer {
  readonly baseUrl: string;
  readonly state: () => SandboxState;
  /** Sets what is wrong with the service from now on. */
  readonly setTrouble: (trouble: Trouble) => void;
  /** From now on, or no longer, replies are sent without delay. */
  readonly hurry: (isWanted: boolean) => void;
  /** Changes prices by as much as in a day. */
  readonly passDay: () => void;
  /** Ends all open connections, because an answer that never comes must not delay the end. */
  stop(): Promise<void>;
}

export async function startSandbox(options: SandboxServerOptions = {}): Promise<SandboxServer> {
  let state = createState(options);
  const { nowMs = Date.now } = options;
  let isHurried = false;
  const waiting = new Set<NodeJS.Timeout>();
  const later = (delayMs: number, act: () => void): void => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      act();
    }, delayMs);
    waiting.add(timer);
  };
  const server = createServer(async (incoming, response) => {
    const request = await read(incoming);
    if (request === null) return;
    if (!isOwn(incoming.headers)) {
      response.writeHead(403).end('This sandbox is for this machine alone.\n');
      return;
    }
    const handled = handle(request, state, nowMs());
    state = handled.state;
    const { reply } = handled;
    if (reply.kind !== 'silence') {
      later(isHurried ? 0 : reply.delayMs, () => send(reply, response));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, LOOPBACK, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port was given.');
  return {
    baseUrl: `http://${LOOPBACK}:${address.port}`,
    state: () => state,
    hurry: (isWanted) => {
      isHurried = isWanted;
    },
    passDay: () => {
      state = { ...state, daysLater: state.daysLater + 1 };
    },
    setTrouble: (trouble) => {
      const during = { fromMs: nowMs(), toMs: Number.POSITIVE_INFINITY };
      state = { ...state, outages: TROUBLES[trouble].map((one) => ({ ...during, ...one })) };
    },
    stop: () =>
      new Promise((resolve) => {
        for (const timer of waiting) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * null: the request broke off. Of a body that is far too long, this keeps only enough to recognise
 * it.
 */
async function read(incoming: IncomingMessage): Promise<SandboxRequest | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      if (bytes <= LONGEST_BODY_BYTES) chunks.push(chunk);
      bytes += chunk.length;
    }
  } catch {
    return null;
  }
  const headers = Object.entries(incoming.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

function send(reply: Exclude<SandboxReply, { kind: 'silence' }>, response: ServerResponse): void {
  if (reply.kind === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body);
}
