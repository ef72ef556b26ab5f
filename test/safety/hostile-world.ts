// The built add-on in the emulated host with a service that is out to do harm, and a thief next to it.

import type { HostOptions } from 'apps-script-host/host';
import type { SandboxReply, SandboxRequest } from 'apps-script-host/internet/sandboxed';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import { createRandom, seedFrom } from 'apps-script-host/random';
import { createWorld, type Envelope, type World } from '../doors/world';
import { type HostileReply, hostileReply, SECRET } from './hostile-replies';

export const HOSTILE_URL = 'https://hostile.example';
export const THIEF_URL = 'https://thief.example';

/** Fast, so that virtual time is spent on replies and not on the key's limit. */
const QUOTA = { calls: 1_000, perSeconds: 1, burst: 1_000 };
const DELAY_MS = 50;

export interface HostileWorld extends World {
  /** Everything that arrived at the thief's. */
  readonly stolen: readonly SandboxRequest[];
  /** Everything that arrived at the service. */
  readonly asked: readonly SandboxRequest[];
  /** Saves the secret key for the hostile service. */
  trust(draft?: object, userEmail?: string): Promise<Envelope>;
}

/** What the service says to one product; null: nothing, ever. */
export type Malice = (asin: string, count: number) => HostileReply | null;

function asinOf(request: SandboxRequest): string {
  return new URLSearchParams(request.body).get('asin') ?? '';
}

/** Every reply is hostile, each in another way. */
export function seededMalice(seed: number): Malice {
  return (asin, count) => {
    const random = createRandom(seedFrom('malice', seed, count));
    return random.chance(0.01) ? null : hostileReply(random, asin);
  };
}

export function createHostileWorld(malice: Malice, host: Partial<HostOptions> = {}): HostileWorld {
  const stolen: SandboxRequest[] = [];
  const asked: SandboxRequest[] = [];
  const service = (request: SandboxRequest): SandboxReply => {
    asked.push(request);
    const reply = malice(asinOf(request), asked.length);
    return reply === null ? { kind: 'silence' } : { kind: 'answer', delayMs: DELAY_MS, ...reply };
  };
  const thief = (request: SandboxRequest): SandboxReply => {
    stolen.push(request);
    return { kind: 'answer', status: 200, headers: {}, body: '{"profit":1}', delayMs: DELAY_MS };
  };
  const internet = createSandboxedInternet({ 'hostile.example': service, 'thief.example': thief });
  const world = createWorld({ host: { internet, ...host } });
  return {
    ...world,
    stolen,
    asked,
    trust: (draft = {}, userEmail) =>
      world.rpc(
        'connection.save',
        {
          baseUrl: HOSTILE_URL,
          apiKey: SECRET,
          quota: QUOTA,
          sharing: 'spreadsheet',
          ...draft,
        },
        userEmail,
      ),
  };
}

/** A plain answer with some parts of one's own. */
export function answering(body: object | string, status = 200, headers = {}): HostileReply {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
