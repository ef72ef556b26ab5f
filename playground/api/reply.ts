// An answer of the sandbox, in the form in which the emulated internet takes it.
import type { SandboxAnswer } from 'apps-script-host/internet/sandboxed';

/** `delayMs` is what comes on top of the usual latency. */
export function answer(
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
  delayMs = 0,
): SandboxAnswer {
  return {
    kind: 'answer',
    status,
    headers: { 'content-type': contentType, ...headers },
    body,
    delayMs,
  };
}
