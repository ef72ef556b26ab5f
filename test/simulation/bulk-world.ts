// A world for one run over a list: the built add-on, a sheet with products, the service, and a
// person.

import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { ExecutionEnd } from 'apps-script-host/execution';
import type { FaultLaw } from 'apps-script-host/faults';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import { createInlineHost, type InlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle, type SandboxState } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import { withWords } from '../../src/sidebar/page/ui/rpc-client';

const SERVICE_HOST = 'api.sandbox.example';

/** The owner's key, and a colleague's. */
export const KEYS = ['simulation-key', 'other-simulation-key'] as const;
type Key = (typeof KEYS)[number];

export const OWNER = 'owner@example.com';
export const COLLEAGUE = 'colleague@example.com';

export const DOCUMENT = 'sheet-1';

/** Every world has the same products. */
const CATALOGUE_SEED = 1;
const PRODUCTS = 4_000;
const CATALOGUE = createCatalogue(CATALOGUE_SEED, PRODUCTS);

/** Products that the service knows, without the samples, which come first. */
export const ASINS: readonly string[] = [...CATALOGUE.asins.US].slice(-PRODUCTS);

/** Fast enough that a world ends soon, slow enough that a run takes many waves. */
export const CALLS_PER_SECOND = 20;
export const BURST = 2 * CALLS_PER_SECOND;
const QUOTA = { calls: CALLS_PER_SECOND, perSeconds: 1, burst: BURST } as const;

const HEADERS = ['Note', 'ASIN', 'Remark'] as const;

export const noteOf = (asin: string): string => `note of ${asin}`;
export const remarkOf = (asin: string): string => `remark on ${asin}`;

/** A row of the list: the person's own cells say which product they belong to. */
const rowOf = (asin: string): readonly CellValue[] => [noteOf(asin), asin, remarkOf(asin)];

export interface BulkWorld {
  readonly host: InlineHost;
  readonly grid: PlainGrid;
  readonly sheetId: number;
  /** The calls that the service received, by ASIN. */
  readonly calls: ReadonlyMap<string, number>;
  /** The same by key and ASIN. */
  readonly callsWith: ReadonlyMap<string, number>;
  /** The number of calls above a key's limit. */
  readonly refused: () => number;
  readonly service: () => SandboxState;
  /** Google's faults so far: "after cache.putAll". */
  readonly faults: readonly string[];
  /** @param who the person and the document; left out: the owner in the first one. */
  rpc(method: string, payload?: object, kill?: Kill, who?: Who): Reply;
}

export type Who = Pick<Execution, 'userEmail' | 'documentId'>;

export interface Kill {
  readonly killAtCall?: number;
  readonly killAfterCall?: number;
}

/** `value` is undefined if the execution was cut off. */
export interface Reply {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly failure?: { readonly kind: string; readonly message: string };
  readonly serviceCalls: number;
  readonly end: ExecutionEnd;
}

export interface WorldPlan {
  readonly dist: HostOptions['dist'];
  readonly seed: number;
  readonly asins: readonly string[];
  readonly betweenCalls?: BetweenCalls;
  /** How often Google's services fail temporarily. Left out: never. */
  readonly faults?: FaultLaw;
}

export function createBulkWorld(plan: WorldPlan): BulkWorld {
  const { dist, seed, asins, betweenCalls } = plan;
  const faults: string[] = [];
  const grid = createPlainGrid({ maxRows: asins.length + 60, maxColumns: 20 });
  const sheetId = grid.sheets()[0]?.id ?? 0;
  grid.write(sheetId, 1, 1, [HEADERS, ...asins.map(rowOf)]);
  const keys = KEYS.map(
    (name): SandboxKey => ({
      ...{ name, what: 'a key of the simulation' },
      quota: { kind: 'bucket', ...QUOTA },
    }),
  );
  const state = createState({ seed: CATALOGUE_SEED, productsPerMarket: 1, keys });
  const sandbox = withState(handle, { ...state, catalogue: CATALOGUE });
  const [calls, callsWith] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  let refused = 0;
  const host = createInlineHost({
    dist,
    seed,
    internet: createSandboxedInternet({
      [SERVICE_HOST]: (request, nowMs) => {
        const asin = /asin=([0-9A-Z]{10})/.exec(request.body)?.[1] ?? '';
        count(calls, asin);
        count(callsWith, `${request.headers.authorization} ${asin}`);
        const reply = sandbox.service(request, nowMs);
        if (reply.kind === 'answer' && reply.status === 429) refused += 1;
        return reply;
      },
    }),
    documents: [
      {
        id: DOCUMENT,
        name: 'Products',
        ownerEmail: OWNER,
        editors: [COLLEAGUE],
        model: grid,
      },
    ],
    onFault: (fault) => faults.push(fault),
    ...(plan.faults === undefined ? {} : { faults: plan.faults }),
    ...(betweenCalls === undefined ? {} : { betweenCalls }),
  });

  function rpc(method: string, payload: object = {}, kill: Kill = {}, who: Who = {}): Reply {
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    const end = host.call({ ...call, ...kill, ...who });
    if (end.ended !== 'returned') return { serviceCalls: end.serviceCalls, end };
    const { value, failure } = withWords(end.value) as Pick<Reply, 'value' | 'failure'>;
    return {
      ...(value === undefined ? {} : { value }),
      ...(failure === undefined ? {} : { failure }),
      serviceCalls: end.serviceCalls,
      end,
    };
  }

  return {
    ...{ host, grid, sheetId, calls, callsWith, faults, rpc },
    refused: () => refused,
    service: sandbox.state,
  };
}

const CONNECTS_MAX = 5;

/** Connects as a person does. */
export function connect(world: BulkWorld, apiKey: Key = KEYS[0], who: Who = {}): void {
  const draft = {
    baseUrl: `https://${SERVICE_HOST}`,
    apiKey,
    quota: QUOTA,
    sharing: 'me',
  };
  for (let tries = 1; ; tries += 1) {
    const { value, failure } = world.rpc('connection.save', draft, {}, who);
    if (value !== undefined) return;
    // If Google's services failed, the person tries again, as the page says.
    if (failure?.kind !== 'google-busy' || tries === CONNECTS_MAX)
      throw new Error(`Not connected: ${JSON.stringify(failure)}`);
  }
}
