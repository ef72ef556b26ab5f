// How the tests of the sandbox ask it: one call after another, each at a moment of their choice.

import type { SandboxAnswer, SandboxRequest } from 'apps-script-host/internet/sandboxed';
import { handle } from '../../../playground/api/handle';
import { DEMO_KEY } from '../../../playground/api/keys';
import { createState, type SandboxOptions } from '../../../playground/api/state';

export interface Ask {
  readonly asin?: string;
  readonly market?: string;
  /** Null: no header at all. */
  readonly key?: string | null;
  readonly atMs?: number;
  /** What differs from a proper call. */
  readonly request?: Partial<SandboxRequest>;
}

export const MUG = 'B0XKT7M4QN';

export function callFor({ asin = MUG, market = 'US', key = DEMO_KEY }: Ask): SandboxRequest {
  return {
    method: 'POST',
    path: '/v1/analyze',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: new URLSearchParams({ asin, market }).toString(),
  };
}

export function openSandbox(options: SandboxOptions = {}) {
  let state = createState({ latency: { medianMs: 0, sigma: 0 }, ...options });
  const reply = (ask: Ask = {}) => {
    const handled = handle({ ...callFor(ask), ...ask.request }, state, ask.atMs ?? 0);
    state = handled.state;
    return handled.reply;
  };
  const answer = (ask: Ask = {}): SandboxAnswer => {
    const given = reply(ask);
    if (given.kind !== 'answer') throw new Error(`Expected an answer, got ${given.kind}.`);
    return given;
  };
  return { reply, answer, state: () => state };
}
