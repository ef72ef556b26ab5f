// Runs over a list under good and bad conditions ("laws"), driven as the page drives them, with all
// its workers.

import type { Host } from 'apps-script-host/host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import { refusalsOf } from '../../playground/api/state';
import type { Choice } from '../../src/runs/run';
import type { Payload, RpcMethod } from '../../src/sidebar/api/methods';
import type { BulkStatus } from '../../src/sidebar/api/runs';
import { createRunFollower } from '../../src/sidebar/page/analyze/run-follower';
import {
  createRpcClient,
  type RpcClient,
  type ScriptRunner,
} from '../../src/sidebar/page/ui/rpc-client';
import type { BenchCase } from '../bulk/bulk-cases';
import type { Bundles } from '../bundles';
import type { Figures } from '../figures';
import { known as knownBulk, tellBulk } from '../gate/bulk';
import { tellCells } from '../gate/cells';
import { bucketOf } from '../gate/quotas';
import type { Strategy, Telling } from '../gate/scenario';
import { createTally, since } from '../store-calls';
import { createHostUnder, LAWS, type Law, type LawName } from './laws';

const SERVICE_HOST = 'api.sandbox.example';
const API_KEY = 'bench-key';
const CATALOGUE_SEED = 1;
const ROWS = 1_000;
const RATE = { calls: 5, perSeconds: 1 } as const;
const BURST = 10;
const NO_DAILY_LIMIT = 1_000_000_000;

/** A list takes about four minutes; a run that takes three hours makes no progress. */
const MS_MAX = 3 * 3_600_000;

/** If many calls fail, at most two in a row do. */
const TRIES_MAX = 3;

/** By how much calls may get closer on their way: the host sends within 20 to 300 ms. */
const SQUEEZE_SECONDS = 0.28;

/** How the service counts, and what the person states about it. */
const KEYS = {
  /** A bucket whose burst is stated. */
  burst: { quota: { kind: 'bucket', ...RATE, burst: BURST }, told: { ...RATE, burst: BURST } },
  /** "5 per second", counted in every window of one second. */
  plain: { quota: { kind: 'sliding', ...RATE }, told: RATE },
  /** Stated in the same way, but two calls at the same moment are one too many. */
  spaced: { quota: { kind: 'bucket', ...RATE, burst: 1 }, told: RATE },
} as const satisfies Record<string, { quota: SandboxKey['quota']; told: object }>;

/**
 * The status cell of the list's first row: to the right of its own two columns and five figures.
 */
const FIRST_STATUS = { row: 2, column: 8, rowCount: 1, columnCount: 1 };

type KeyName = keyof typeof KEYS;

function createWorld(bundles: Bundles, seed: number, law: Law, key: KeyName) {
  const catalogue = createCatalogue(CATALOGUE_SEED, ROWS);
  const asins = [...catalogue.asins.US].slice(-ROWS);
  const grid = createPlainGrid({ maxRows: ROWS + 1_000, maxColumns: 12 });
  const cells: CellValue[][] = [['ASIN', 'Note'], ...asins.map((asin) => [asin, ''])];
  grid.write(0, 1, 1, cells);
  const keys: SandboxKey[] = [{ name: API_KEY, what: 'measured', quota: KEYS[key].quota }];
  const latency = law.service === undefined ? {} : { latency: law.service };
  // Headers would reveal what has to be found out without them.
  const state = createState({ seed, productsPerMarket: 1, keys, dialect: 'silent', ...latency });
  const sandbox = withState(handle, { ...state, catalogue });
  const tally = createTally();
  let sheetCalls = 0;
  let firstRowMs: number | undefined;
  const host = createHostUnder(law, {
    dist: { code: bundles.code, html: bundles.html, manifest: bundles.manifest },
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

const none = () => undefined;

/** A page's google.script.run connected to this host. */
const runnerTo = (
  host: Host,
  onValue: (value: unknown) => void = none,
  onError: (error: unknown) => void = none,
): ScriptRunner => ({
  withSuccessHandler: (handler) => runnerTo(host, handler, onError),
  withFailureHandler: (handler) => runnerTo(host, onValue, handler),
  rpc: (method, payload) => {
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    void host.start(call).then(({ ok, value, error }) => (ok ? onValue(value) : onError(error)));
  },
});

const pauseOf =
  (host: Host) =>
  (ms: number): Promise<void> =>
    new Promise((wake) => host.at(host.nowMs() + ms, wake));

/** A call made before the measurement starts, and repeated if Google failed it. */
async function asked<Method extends RpcMethod>(
  host: Host,
  rpc: RpcClient,
  method: Method,
  payload: Payload<Method>,
) {
  for (let tries = 1; ; tries += 1) {
    const call = rpc(method, payload);
    await host.run();
    const reply = await call;
    if (reply.ok) return reply.value;
    if (tries === TRIES_MAX) throw new Error(`${method}: ${reply.failure.message}`);
  }
}

/**
 * The step in which time passes; between two steps the page receives replies and does what is due.
 */
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

interface RunEnd {
  readonly answered: number;
  /** When the page first showed an answer, and when it said that the run was over. */
  readonly shownMs: number;
  readonly overMs: number;
}

/** Runs from the click on Start, as the page continues from there. */
function runFrom(host: Host, rpc: RpcClient, choice: Choice): Promise<RunEnd> {
  const clickMs = host.nowMs();
  let shownMs: number | undefined;
  return new Promise((resolve, reject) => {
    const told = (status: BulkStatus) => {
      const [{ answered, state }, nowMs] = [status, host.nowMs()];
      if (answered > 0) shownMs ??= nowMs;
      follower.follow(status);
      // While the cache has lost the workers' leases, a run looks as if nobody worked on it.
      if (/ing$/.test(state) || state === 'interrupted') return;
      if (state === 'finished') resolve({ answered, shownMs: shownMs ?? nowMs, overMs: nowMs });
      else reject(new Error(`The run is ${state}.`));
    };
    const follower = createRunFollower(
      rpc,
      (event) => {
        if (host.nowMs() > clickMs + MS_MAX) reject(new Error('The run does not end.'));
        if (event.type === 'sliceFailed') reject(new Error(JSON.stringify(event.failure)));
        if (event.type === 'statusArrived') told(event.status);
      },
      pauseOf(host),
      host.nowMs,
    );
    void follower.begin(choice, ROWS).then((begun) => {
      if ('failure' in begun) reject(new Error(JSON.stringify(begun.failure)));
      else told(begun);
    });
  });
}

async function tellRun(bundles: Bundles, seed: number, law: Law, key: KeyName): Promise<Figures> {
  const world = createWorld(bundles, seed, law, key);
  const { host, sandbox, tally } = world;
  const browser = { runner: runnerTo(host), isOnline: () => true };
  const rpc = createRpcClient(browser, { ended: none, pause: pauseOf(host) });
  const draft = { baseUrl: `https://${SERVICE_HOST}`, apiKey: API_KEY, sharing: 'me' } as const;
  await asked(host, rpc, 'connection.save', { ...draft, quota: KEYS[key].told });
  const { choice } = await asked(host, rpc, 'bulk.look', {});
  if (choice === null) throw new Error('No list was found.');
  const clickMs = host.nowMs();
  const before = { stores: tally.read(), sheet: world.sheetCalls() };
  const { answered, shownMs, overMs } = await passed(host, runFrom(host, rpc, choice));
  await host.stop();
  const idealMs = (1_000 * answered * RATE.perSeconds) / RATE.calls;
  const stores = since(before.stores, tally.read());
  return {
    // From the click on Start until the page says that the run is done.
    ratio: (overMs - clickMs) / idealMs,
    firstRowSeconds: ((world.firstRowMs() ?? overMs) - clickMs) / 1_000,
    firstRowShownSeconds: (shownMs - clickMs) / 1_000,
    refused: refusalsOf(sandbox.state()),
    calls: sandbox.state().arrived,
    storeCallsPerCall: stores.gate / answered,
    resultStoreCallsPerRow: stores.results / answered,
    sheetCallsPer1000: (1_000 * (world.sheetCalls() - before.sheet)) / answered,
    errors: ROWS - answered,
  };
}

/**
 * The best possible ratio: everything sent within a second plus the squeeze may arrive within one
 * second.
 */
const BEST_RATIO = { burst: 1, plain: 1 + SQUEEZE_SECONDS / RATE.perSeconds, spaced: 1 };

/**
 * The part of a run that peers have: a list without a sheet, and a wait in place of each write. A
 * peer cannot continue after a fault, so laws with faults are left out.
 */
async function tellPeerRun(telling: Telling, law: Law, key: KeyName): Promise<Figures> {
  const { quota } = KEYS[key];
  const known = knownBulk(RATE.calls, 1, ROWS);
  const told = { ...known.quota, burst: key === 'burst' ? BURST : 1 };
  return tellBulk({ ...known, quota: told, counted: quota, law }, telling);
}

function lawCase(law: LawName, key: KeyName): BenchCase {
  const name = `${law}-${key}`;
  const rules: Law = LAWS[law];
  return {
    name,
    ideal: { ratio: BEST_RATIO[key], refused: 0, errors: 0 },
    tell: async (bundles, seed) => ({ [name]: await tellRun(bundles, seed, rules, key) }),
    ...(rules.faults === undefined && {
      tellPeer: async (bundles, seed, strategy) => ({
        [name]: await tellPeerRun({ bundles, seed, strategy }, rules, key),
      }),
    }),
  };
}

/** A thousand formulas at once in place of a run. */
function cellsCase(law: LawName): BenchCase {
  const name = `${law}-cells`;
  const tell = async (bundles: Bundles, seed: number, strategy: Strategy = 'addOn') => ({
    [name]: await tellCells(bucketOf(RATE.calls), { bundles, seed, strategy }, { law: LAWS[law] }),
  });
  return {
    name,
    ideal: { ratio: 1, refused: 0, errors: 0, waiting: 0 },
    tell,
    tellPeer: tell,
  };
}

const EVERY_LAW = Object.keys(LAWS) as LawName[];

export const LAWS_CASES: readonly BenchCase[] = [
  ...EVERY_LAW.flatMap((law) => [lawCase(law, 'burst'), lawCase(law, 'plain'), cellsCase(law)]),
  lawCase('base', 'spaced'),
  lawCase('service-1500ms', 'spaced'),
];
