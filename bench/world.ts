// A world for one measurement: the bundle in the emulated host, the service, and counters.

import type { HostDocument } from 'apps-script-host/document';
import type { Host } from 'apps-script-host/host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../playground/api/catalogue';
import { createState, handle, type SandboxState } from '../playground/api/handle';
import type { SandboxKey } from '../playground/api/keys';
import type { SandboxOptions } from '../playground/api/state';
import type { Bundles } from './bundles';
import { createHostUnder, type Law } from './laws/laws';
import { createTally, type Tally } from './store-calls';

const SERVICE_HOST = 'api.sandbox.example';
export const BASE_URL = `https://${SERVICE_HOST}`;
export const API_KEY = 'bench-key';

/** The same products for every seed, enough for the longest list. */
const CATALOGUE_SEED = 1;
const PRODUCTS = 20_000;
const CATALOGUE = createCatalogue(CATALOGUE_SEED, PRODUCTS);

/**
 * Practically unlimited: these tables measure how fast a key can be used, not when Google's day is
 * used up, and the peers' refused calls alone would use it up.
 */
const NO_DAILY_LIMIT = 1_000_000_000;

export interface WorldOptions {
  readonly bundles: Bundles;
  /** Which bundle to run; only its entry points exist. */
  readonly code: 'code' | 'withBulk' | 'peers';
  readonly seed: number;
  readonly quota: SandboxKey['quota'];
  /** How the service's quota changes, in ms after the beginning. */
  readonly changes?: readonly { readonly afterMs: number; readonly quota: SandboxKey['quota'] }[];
  readonly dialect?: SandboxOptions['dialect'];
  readonly law?: Law;
  readonly documents?: number;
}

export interface World {
  readonly host: Host;
  readonly tally: Tally;
  readonly service: () => SandboxState;
  /** Products of the sandbox, in a fixed order. */
  readonly asins: readonly string[];
  readonly documentIds: readonly string[];
}

/** Each document has an owner of its own, so that only the key connects them. */
function documentOf(number: number): HostDocument {
  return {
    id: `sheet-${number}`,
    name: `Products ${number}`,
    ownerEmail: `owner-${number}@example.com`,
    editors: [],
    model: createPlainGrid(),
  };
}

export function createWorld(options: WorldOptions): World {
  const { bundles, seed, quota, changes = [], dialect = 'canonical', law = {} } = options;
  const documents = Array.from({ length: options.documents ?? 1 }, (_, i) => documentOf(i + 1));
  const tally = createTally();
  const host = createHostUnder(law, {
    dist: { code: bundles[options.code], html: bundles.html, manifest: bundles.manifest },
    seed,
    internet: createSandboxedInternet({
      [SERVICE_HOST]: (request, nowMs) => sandbox.service(request, nowMs),
    }),
    documents,
    observe: tally.observe,
    limits: {
      urlFetchPerDay: NO_DAILY_LIMIT,
      propertyCallsPerDay: NO_DAILY_LIMIT,
      triggerRuntimePerDayMs: NO_DAILY_LIMIT,
    },
  });
  const beginMs = host.nowMs();
  const key: SandboxKey = {
    name: API_KEY,
    what: 'the one that is measured',
    quota,
    changes: changes.map(({ afterMs, quota }) => ({ fromMs: beginMs + afterMs, quota })),
  };
  const latency = law.service === undefined ? {} : { latency: law.service };
  const state = createState({ seed, dialect, keys: [key], ...latency });
  const sandbox = withState(handle, { ...state, catalogue: CATALOGUE });
  return {
    host,
    tally,
    service: sandbox.state,
    // Leaves out the samples, which come first.
    asins: [...CATALOGUE.asins.US].slice(-PRODUCTS),
    documentIds: documents.map(({ id }) => id),
  };
}

/** Connects a document by the sidebar's own call, as a seller would. */
export async function connect(
  world: World,
  documentId: string,
  quota: { readonly calls: number; readonly perSeconds: number; readonly burst?: number } | null,
): Promise<void> {
  const draft = { baseUrl: BASE_URL, apiKey: API_KEY, quota, sharing: 'spreadsheet' };
  await asked(world, documentId, 'connection.save', draft);
}

/** Checks the connection by a real call, as the sidebar does once it is saved. */
export const check = (world: World, documentId: string): Promise<void> =>
  asked(world, documentId, 'connection.check', {});

async function asked(
  { host }: World,
  documentId: string,
  method: string,
  payload: object,
): Promise<void> {
  const done = host.start({
    functionName: 'rpc',
    args: [method, payload],
    door: 'sidebar',
    documentId,
  });
  await host.run();
  const { value } = await done;
  const isDone = typeof value === 'object' && value !== null && Reflect.get(value, 'ok') === true;
  if (!isDone) throw new Error(`${method} failed: ${JSON.stringify(value)}`);
}
