// What goes in and comes out of the sandbox: plain data, so that any transport can carry it.

export interface SandboxRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly delayMs: number;
}

export type SandboxReply =
  | Answer
  /** The connection breaks. */
  | { readonly kind: 'reset'; readonly delayMs: number }
  /** Nothing is ever said. */
  | { readonly kind: 'silence' };

/** `delayMs` is what comes on top of the usual latency. */
export function answer(
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  delayMs = 0,
): Answer {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': contentType, ...headers },
    body,
    delayMs,
  };
}
