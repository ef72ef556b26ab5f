// A world for the doors: the built add-on in the emulated host, in virtual time, with the sandbox service.

import { afterAll } from '@jest/globals';
import type { ObservedCall } from 'apps-script-host/call';
import type { HostDocument } from 'apps-script-host/document';
import {
  createHost,
  type Execution,
  type Host,
  type HostOptions,
  type Outcome,
} from 'apps-script-host/host';
import {
  createSandboxedInternet,
  type SandboxedService,
  type SandboxReply,
  type SandboxRequest,
  withState,
} from 'apps-script-host/internet/sandboxed';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createThreadStock } from 'apps-script-host/thread-pool';
import { createState, handle, type SandboxState } from '../../playground/api/handle';
import type { SandboxOptions } from '../../playground/api/state';
import { BUILT, distIn } from '../build-once';

const SERVICE_HOST = 'api.sandbox.example';
export const BASE_URL = `https://${SERVICE_HOST}`;

/** Somebody next to the service, to whom nothing should ever go. */
const THIEFS_HOST = 'thief.example';
export const THIEF_URL = `https://${THIEFS_HOST}`;

export const OWNER = 'owner@example.com';
/** Somebody else who may edit the lists of tests. */
export const EDITOR = 'editor@example.com';

const HOUR_MS = 3_600_000;

export const DEMO = {
  apiKey: 'demo-key-5-per-second',
  quota: { calls: 5, perSeconds: 1, burst: 10 },
};

/** So fast that virtual time is spent on replies and not on the key's limit. */
export const FAST = {
  apiKey: 'demo-key-of-the-owner',
  quota: { calls: 1_000, perSeconds: 1, burst: 1_000 },
};

export function documentOf(id: string): HostDocument {
  return { id, name: 'Products', ownerEmail: OWNER, editors: [], model: createPlainGrid() };
}

/** The worlds of a file come one after the other, and a new thread loads the add-on anew. */
const threads = createThreadStock();
afterAll(threads.close);

export interface World {
  readonly host: Host;
  /** The sandbox's own books. */
  readonly service: () => SandboxState;
  /** What arrived at the service, and at the thief's. */
  readonly requests: readonly SandboxRequest[];
  readonly stolen: readonly SandboxRequest[];
  /** Everything that crossed between scripts and services, as text. */
  readonly crossed: () => string;
  /** Starts something alone and gives its outcome. */
  run(execution: Execution): Promise<Outcome>;
  /** Starts a cell; the outcome is there after `host.run()`. */
  cell(formula: string, ...args: readonly unknown[]): Promise<Outcome>;
  /** Runs one cell alone and gives its outcome. */
  show(formula: string, ...args: readonly unknown[]): Promise<Outcome>;
  /** Calls `rpc` as the page does and gives its envelope. */
  rpc(
    method: string,
    payload?: unknown,
    userEmail?: string,
    documentId?: string,
  ): Promise<Envelope>;
  connect(draft?: object, userEmail?: string): Promise<Envelope>;
  /** Lets time pass, with what happens in it. */
  wait(ms: number): Promise<void>;
  /** The same for hours. */
  pass(hours: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Envelope {
  readonly ok: boolean;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly failure?: { readonly kind: string; readonly message: string; readonly field?: string };
}

/**
 * What the service says of a product, at its call of this number; `own` gives what the sandbox says of it, or
 * of another one.
 */
export type Says = (
  asin: string,
  own: (other?: string) => SandboxReply,
  nth: number,
) => SandboxReply;

export function reply(status: number, body: object | string, headers = {}): SandboxReply {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { kind: 'answer', status, headers, body: text, delayMs: 50 };
}

/** What a service says of a product that is worth buying. */
export const GOOD = {
  ...{ profit: 9.85, roi: 0.8565, fees: 11.65 },
  ...{ eligible: true, rank_drops_30d: 12 },
};

const PLANT = `function plant(values, isOfPerson) {
  var of = isOfPerson ? 'getUserProperties' : 'getDocumentProperties';
  PropertiesService[of]().setProperties(values);
}`;

/** The add-on, with a script of the spreadsheet's own beside it that writes into the same stores. */
export function withPlant(): HostOptions['dist'] {
  const { code, ...files } = distIn(BUILT);
  return { ...files, code: `${code}\n${PLANT}` };
}

/** Stores texts as that script would. */
export const plant = ({ run }: World, values: object, isOfPerson = false): Promise<Outcome> =>
  run({ functionName: 'plant', args: [values, isOfPerson], door: 'menu', userEmail: OWNER });

export interface WorldOptions {
  readonly sandbox?: SandboxOptions;
  readonly says?: Says | undefined;
  readonly host?: Partial<HostOptions>;
}

export function createWorld({
  sandbox: options = {},
  says = (_asin, own) => own(),
  host: hostOptions = {},
}: WorldOptions = {}): World {
  const sandbox = withState(handle, createState(options));
  const requests: SandboxRequest[] = [];
  const stolen: SandboxRequest[] = [];
  const service: SandboxedService = (request, nowMs) => {
    requests.push(request);
    const asin = new URLSearchParams(request.body).get('asin') ?? '';
    const own = (other = asin) =>
      sandbox.service({ ...request, body: request.body.replaceAll(asin, other) }, nowMs);
    return says(asin, own, requests.length);
  };
  const thief: SandboxedService = (request) => {
    stolen.push(request);
    return reply(200, { profit: 1 });
  };
  const calls: ObservedCall[] = [];
  const host = createHost({
    dist: distIn(BUILT),
    clock: 'virtual',
    sheetsFailUnderLock: true,
    seed: 1,
    internet: createSandboxedInternet({ [SERVICE_HOST]: service, [THIEFS_HOST]: thief }),
    documents: [documentOf('sheet-1')],
    observe: (call) => calls.push(call),
    threads,
    ...hostOptions,
  });

  const cell: World['cell'] = (functionName, ...args) =>
    host.start({ functionName, args, door: 'cell' });

  async function run(execution: Execution): Promise<Outcome> {
    const outcome = host.start(execution);
    await host.run();
    return outcome;
  }

  const rpc: World['rpc'] = async (method, payload = {}, userEmail = OWNER, documentId) => {
    const where = documentId === undefined ? {} : { documentId };
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    const { value, error } = await run({ ...call, userEmail, ...where });
    if (error !== undefined) throw new Error(`rpc threw ${error.name}: ${error.message}`);
    return value as Envelope;
  };

  return {
    host,
    service: sandbox.state,
    ...{ requests, stolen },
    crossed: () => calls.map((call) => JSON.stringify(call)).join('\n'),
    run,
    cell,
    show: (functionName, ...args) => run({ functionName, args, door: 'cell' }),
    rpc,
    connect(draft = {}, userEmail) {
      const connection = { baseUrl: BASE_URL, ...DEMO, sharing: 'spreadsheet', ...draft };
      return rpc('connection.save', connection, userEmail);
    },
    wait: (ms) => host.run(host.nowMs() + ms),
    pass: (hours) => host.run(host.nowMs() + hours * HOUR_MS),
    stop: host.stop,
  };
}
