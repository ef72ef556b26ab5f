// Runs over a list under good and bad laws: as the page drives them, with all its workers.

import { createHost, type Host } from 'apps-script-host/host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import { refusalsOf } from '../../playground/api/state';
import type { Choice } from '../../src/runs/run';
import type { BulkStatus } from '../../src/sidebar/api/runs';
import { createRunFollower } from '../../src/sidebar/page/analyze/run-follower';
import type { RpcClient } from '../../src/sidebar/page/ui/rpc-client';
import type { BenchCase } from '../bulk/bulk-cases';
import type { Bundles } from '../bundles';
import type { Figures } from '../figures';
import { tellCells } from '../gate/cells';
import { bucketOf } from '../gate/quotas';
import { createTally, since } from '../store-calls';
import { LAWS, type Law, type LawName } from './laws';

const SERVICE_HOST = 'api.sandbox.example';
const API_KEY = 'bench-key';
const CATALOGUE_SEED = 1;
const ROWS = 1_000;
const RATE = { calls: 5, perSeconds: 1 } as const;
const BURST = 10;
const NO_DAILY_LIMIT = 1_000_000_000;

/** A list takes some four minutes; after three hours its run goes round in circles. */
const MS_MAX = 3 * 3_600_000;

/** What calls on their way may come closer by: the host sends within 20 to 300 ms. */
const SQUEEZE_SECONDS = 0.28;

/** How the service counts, and what the person said of it. */
const KEYS = {
  /** A bucket, said with its burst. */
  burst: { quota: { kind: 'bucket', ...RATE, burst: BURST }, told: { ...RATE, burst: BURST } },
  /** "5 per second", counted in every stretch of a second. */
  plain: { quota: { kind: 'sliding', ...RATE }, told: RATE },
  /** Said alike, and two calls at the same moment are one too many. */
  spaced: { quota: { kind: 'bucket', ...RATE, burst: 1 }, told: RATE },
} as const satisfies Record<string, { quota: SandboxKey['quota']; told: object }>;

/** Where the status of the list's first row comes to stand: behind two columns of its own and five figures. */
const FIRST_STATUS = { row: 2, column: 8, rowCount: 1, columnCount: 1 };

type KeyName = keyof typeof KEYS;

function createWorld(
  bundles: Bundles,
  seed: number,
  { service, host: latency }: Law,
  key: KeyName,
) {
  const catalogue = createCatalogue(CATALOGUE_SEED, ROWS);
  const asins = [...catalogue.asins.US].slice(-ROWS);
  const grid = createPlainGrid({ maxRows: ROWS + 1_000, maxColumns: 12 });
  const cells: CellValue[][] = [['ASIN', 'Note'], ...asins.map((asin) => [asin, ''])];
  grid.write(0, 1, 1, cells);
  const keys: SandboxKey[] = [{ name: API_KEY, what: 'measured', quota: KEYS[key].quota }];
  const law = service === undefined ? {} : { latency: service };
  // Headers would tell what is to be done without.
  const state = createState({ seed, productsPerMarket: 1, keys, dialect: 'silent', ...law });
  const sandbox = withState(handle, { ...state, catalogue });
  const tally = createTally();
  let sheetCalls = 0;
  let firstRowMs: number | undefined;
  const host = createHost({
    dist: { code: bundles.code, html: bundles.html, manifest: bundles.manifest },
    clock: 'virtual',
    seed,
    internet: createSandboxedInternet({ [SERVICE_HOST]: sandbox.service }),
    documents: [
      {
        id: 'sheet-1',
        name: 'Products',
        ownerEmail: 'owner@example.com',
        editors: [],
        model: grid,
      },
    ],
    limits: { urlFetchPerDay: NO_DAILY_LIMIT, propertyCallsPerDay: NO_DAILY_LIMIT },
    ...(latency === undefined ? {} : { latency }),
    observe: (call) => {
      tally.observe(call);
      if (/^spreadsheet\.(read|write|flush)/.test(call.operation)) sheetCalls += 1;
    },
  });
  grid.onChange(() => {
    const status = grid.values(0, FIRST_STATUS)[0]?.[0];
    if (String(status).startsWith('OK')) firstRowMs ??= host.nowMs();
  });
  return { host, sandbox, tally, sheetCalls: () => sheetCalls, firstRowMs: () => firstRowMs };
}

/** The page's way to the server: what the server refuses ends the measurement. */
function rpcTo(host: Host): RpcClient {
  const rpc = async (method: string, payload: object) => {
    const outcome = await host.start({
      functionName: 'rpc',
      args: [method, payload],
      door: 'sidebar',
    });
    const envelope = outcome.value as { readonly ok?: boolean } | undefined;
    if (envelope?.ok !== true)
      throw new Error(`${method}: ${outcome.error?.message ?? JSON.stringify(envelope)}`);
    return envelope;
  };
  return rpc as unknown as RpcClient;
}

type Reply<T> = { readonly ok: true; readonly value: T };

async function asked<T>(host: Host, rpc: RpcClient, method: string, payload = {}): Promise<T> {
  const reply = rpc(method as 'bulk.status', payload);
  await host.run();
  return ((await reply) as unknown as Reply<T>).value;
}

/** Time passes in such steps: between two of them the page hears and does what is due. */
const STEP_MS = 50;

async function passed<T>(host: Host, end: Promise<T>): Promise<T> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await host.run(host.nowMs() + STEP_MS);
    await new Promise((next) => setImmediate(next));
  }
  return over;
}

async function tellRun(bundles: Bundles, seed: number, law: Law, key: KeyName): Promise<Figures> {
  const world = createWorld(bundles, seed, law, key);
  const { host, sandbox, tally } = world;
  const rpc = rpcTo(host);
  const draft = { baseUrl: `https://${SERVICE_HOST}`, apiKey: API_KEY, sharing: 'me' };
  await asked(host, rpc, 'connection.save', { ...draft, quota: KEYS[key].told });
  const { choice } = await asked<{ choice: Choice }>(host, rpc, 'bulk.look');
  const clickMs = host.nowMs();
  const before = { stores: tally.read(), sheet: world.sheetCalls() };
  let shownMs: number | undefined;
  const end = new Promise<{ answered: number; atMs: number; state: string }>((resolve, reject) => {
    const pause = (ms: number) => new Promise<void>((wake) => host.at(host.nowMs() + ms, wake));
    const told = (status: BulkStatus) => {
      const { answered, state } = status;
      if (answered > 0) shownMs ??= host.nowMs();
      follower.follow(status);
      if (!/ing$/.test(state)) resolve({ answered, state, atMs: host.nowMs() });
    };
    const follower = createRunFollower(
      (async (method: 'bulk.status', payload: object) => {
        if (host.nowMs() > clickMs + MS_MAX) reject(new Error('The run does not end.'));
        return rpc(method, payload as never);
      }) as unknown as RpcClient,
      (event) => {
        if (event.type === 'sliceFailed') reject(new Error(JSON.stringify(event.failure)));
        if (event.type === 'statusArrived') told(event.status);
      },
      pause,
      () => host.nowMs(),
    );
    void follower.begin(choice).then((begun) => {
      if ('failure' in begun) reject(new Error(JSON.stringify(begun.failure)));
      else told(begun);
    });
  });
  const { answered, atMs, state } = await passed(host, end);
  await host.stop();
  if (state !== 'finished') throw new Error(`The run is ${state}.`);
  const idealMs = (1_000 * answered * RATE.perSeconds) / RATE.calls;
  const stores = since(before.stores, tally.read());
  return {
    // From the click on Start to the page that says that it is done.
    ratio: (atMs - clickMs) / idealMs,
    firstRowSeconds: ((world.firstRowMs() ?? atMs) - clickMs) / 1_000,
    firstRowShownSeconds: ((shownMs ?? atMs) - clickMs) / 1_000,
    refused: refusalsOf(sandbox.state()),
    calls: sandbox.state().arrived,
    storeCallsPerCall: stores.gate / answered,
    resultStoreCallsPerRow: stores.results / answered,
    sheetCallsPer1000: (1_000 * (world.sheetCalls() - before.sheet)) / answered,
    errors: ROWS - answered,
  };
}

/** The best that can be vouched for: of what is sent in a second and a squeeze, all may arrive in a second. */
const BEST_RATIO = { burst: 1, plain: 1 + SQUEEZE_SECONDS / RATE.perSeconds, spaced: 1 };

function lawCase(law: LawName, key: KeyName): BenchCase {
  const name = `${law}-${key}`;
  return {
    name,
    ideal: { ratio: BEST_RATIO[key], refused: 0, errors: 0 },
    tell: async (bundles, seed) => ({ [name]: await tellRun(bundles, seed, LAWS[law], key) }),
  };
}

/** A thousand formulas at once in place of a run. */
function cellsCase(law: LawName): BenchCase {
  const name = `${law}-cells`;
  const tell = (bundles: Bundles, seed: number) =>
    tellCells(bucketOf(RATE.calls), { bundles, seed, strategy: 'addOn' }, { law: LAWS[law] });
  return {
    name,
    ideal: { ratio: 1, refused: 0, errors: 0, waiting: 0 },
    tell: async (bundles, seed) => ({ [name]: await tell(bundles, seed) }),
  };
}

const EVERY_LAW = Object.keys(LAWS) as LawName[];

export const LAWS_CASES: readonly BenchCase[] = [
  ...EVERY_LAW.flatMap((law) => [lawCase(law, 'burst'), lawCase(law, 'plain'), cellsCase(law)]),
  lawCase('base', 'spaced'),
  lawCase('service-1500ms', 'spaced'),
];
