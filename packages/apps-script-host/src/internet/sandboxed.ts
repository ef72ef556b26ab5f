// The internet of virtual time: pure services by host name, each with its state kept here.

import type { Internet, InternetReply, InternetRequest } from './internet';

/** What a service is asked: plain data, so that any transport can carry it. */
export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SandboxAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What comes on top of the usual latency, ms. */
  readonly delayMs: number;
}

export type SandboxReply =
  | SandboxAnswer
  /** The connection breaks. */
  | { readonly kind: 'reset'; readonly delayMs: number }
  /** Nothing is ever said. */
  | { readonly kind: 'silence' };

/** One service: answers at once and says how long it took. It keeps its own state. */
export type SandboxedService = (request: SandboxRequest, nowMs: number) => SandboxReply;

/** Makes a service from a pure function and its first state. */
export function withState<State>(
  handle: (
    request: SandboxRequest,
    state: State,
    nowMs: number,
  ) => { readonly reply: SandboxReply; readonly state: State },
  first: State,
): { readonly service: SandboxedService; readonly state: () => State } {
  let current = first;
  const service: SandboxedService = (request, nowMs) => {
    const { reply, state } = handle(request, current, nowMs);
    current = state;
    return reply;
  };
  return { service, state: () => current };
}

function requestOf({ method, headers, body }: InternetRequest, url: URL): SandboxRequest {
  const text = Buffer.from(body).toString('utf8');
  return { method, path: url.pathname + url.search, headers, body: text };
}

function replyOf(reply: SandboxReply): InternetReply {
  switch (reply.kind) {
    case 'answer':
      return { ...reply, body: Buffer.from(reply.body, 'utf8') };
    case 'reset':
      return { kind: 'fault', fault: 'unavailable', delayMs: reply.delayMs };
    case 'silence':
      return reply;
  }
}

/** How long it takes to learn that a name is unknown, ms. */
const UNKNOWN_NAME_MS = 20;

/** Services by host name, with the port where the address has one: "api.example.com". */
export function createSandboxedInternet(
  services: Readonly<Record<string, SandboxedService>>,
): Internet {
  return (request, nowMs) => {
    const url = new URL(request.url);
    const service = services[url.host];
    if (!service) return { kind: 'fault', fault: 'dns', delayMs: UNKNOWN_NAME_MS };
    return replyOf(service(requestOf(request, url), nowMs));
  };
}
