// The internet of virtual time: pure services by host name, each with its state kept here.

import type { Internet, InternetReply, InternetRequest } from './internet';

/** A request to a service, as plain data that any transport can carry. */
export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  /** Keyed by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SandboxAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Added to the usual latency, in ms. */
  readonly delayMs: number;
}

export type SandboxReply =
  | SandboxAnswer
  /** The connection breaks. */
  | { readonly kind: 'reset'; readonly delayMs: number }
  /** No answer ever arrives. */
  | { readonly kind: 'silence' };

/** One service. It keeps its own state, answers at once and says how long the answer took. */
export type SandboxedService = (request: SandboxRequest, nowMs: number) => SandboxReply;

/** Makes a service from a pure function and its initial state. */
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

/** Time until an unknown name is reported, in ms. */
export const UNKNOWN_NAME_MS = 20;

/**
 * Services keyed by host name, with the port where the address has one, for example
 * "api.example.com".
 */
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
