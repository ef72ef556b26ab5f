// Builds an answer of the sandbox in the form that the emulated internet takes.
import type { SandboxAnswer } from 'apps-script-host/internet/sandboxed';

/** `delayMs` is added to the usual latency. */
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
