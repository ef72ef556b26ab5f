// Jobs over a list under good and bad conditions ("laws"), with the page's own loop.

import type { Host } from 'apps-script-host/host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import { refusalsOf } from '../../playground/api/state';
import type { BenchCase } from '../bulk/bulk-cases';
import type { Bundles } from '../bundles';
import { type Figures, p95 } from '../figures';
import { known as knownBulk, tellBulk } from '../gate/bulk';
import { tellCells } from '../gate/cells';
import { bucketOf } from '../gate/quotas';
import type { Strategy, Telling } from '../gate/scenario';
import { asked, pageRpc, runJob, watchTab } from '../page-job';
import { createTally, since } from '../store-calls';
import { createHostUnder, LAWS, type Law, type LawName } from './laws';

const SERVICE_HOST = 'api.sandbox.example';
const API_KEY = 'bench-key';
const CATALOGUE_SEED = 1;
const ROWS = 1_000;
const LONG_ROWS = 10_000;
const SHORT_ROWS = 300;
const RATE = { calls: 5, perSeconds: 1 } as const;
const BURST = 10;
const NO_DAILY_LIMIT = 1_000_000_000;

/** A list takes about four minutes, a long one 34; one that takes three hours makes no progress. */
const MS_MAX = 3 * 3_600_000;

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

type KeyName = keyof typeof KEYS;

interface LawList {
  readonly law: Law;
  readonly key: KeyName;
  readonly rows: number;
  /** How many single formulas are typed in meanwhile, one each 3 s. */
  readonly cells?: number;
}

function createWorld(bundles: Bundles, seed: number, { law, key, rows, cells = 0 }: LawList) {
  const catalogue = createCatalogue(CATALOGUE_SEED, rows + cells);
  const products = [...catalogue.asins.US].slice(-rows - cells);
  const asins = products.slice(cells);
  const grid = createPlainGrid({ maxRows: rows + 1_000, maxColumns: 20 });
  const list: CellValue[][] = [['ASIN', 'Note'], ...asins.map((asin) => [asin, ''])];
  grid.write(0, 1, 1, list);
  const keys: SandboxKey[] = [{ name: API_KEY, what: 'measured', quota: KEYS[key].quota }];
  const latency = law.service === undefined ? {} : { latency: law.service };
  // Headers would reveal what has to be found out without them.
  const state = createState({ seed, productsPerMarket: 1, keys, dialect: 'silent', ...latency });
  const sandbox = withState(handle, { ...state, catalogue });
  const tally = createTally();
  let sheetCalls = 0;
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
  const firstRowMs = watchTab(grid, host.nowMs);
  const inCells = products.slice(0, cells);
  return { host, sandbox, tally, sheetCalls: () => sheetCalls, firstRowMs, inCells };
}

async function tellJob(bundles: Bundles, seed: number, list: LawList): Promise<Figures> {
  const world = createWorld(bundles, seed, list);
  const { host, sandbox, tally } = world;
  const rpc = pageRpc(host);
  const draft = { baseUrl: `https://${SERVICE_HOST}`, apiKey: API_KEY, sharing: 'me' } as const;
  await asked(host, rpc, 'connection.save', { ...draft, quota: KEYS[list.key].told });
  const { choice } = await asked(host, rpc, 'list.look', {});
  if (choice === null) throw new Error('No list was found.');
  const { first } = await asked(host, rpc, 'jobs.preview', choice);
  const clickMs = host.nowMs();
  const before = { stores: tally.read(), sheet: world.sheetCalls() };
  const beside = world.inCells.map((asin, at) =>
    startCell(host, asin, clickMs + at * CELL_EACH_MS),
  );
  const { status, tookMs, shownMs } = await runJob(host, rpc, choice, first, MS_MAX);
  if (beside.length > 0) await host.run();
  const cells = await Promise.all(beside);
  await host.stop();
  const { answered } = status;
  const idealMs = (1_000 * answered * RATE.perSeconds) / RATE.calls;
  const stores = since(before.stores, tally.read());
  return {
    // From the click on Start until the page says that the job is done.
    ratio: tookMs / idealMs,
    firstRowSeconds: ((world.firstRowMs() ?? clickMs + tookMs) - clickMs) / 1_000,
    firstRowShownSeconds: shownMs / 1_000,
    refused: refusalsOf(sandbox.state()),
    calls: sandbox.state().arrived,
    storeCallsPerCall: stores.gate / answered,
    resultStoreCallsPerRow: stores.results / answered,
    sheetCallsPer1000: (1_000 * (world.sheetCalls() - before.sheet)) / answered,
    errors: list.rows - answered,
    ...(cells.length > 0 && {
      p95Ms: p95(cells.map(({ startedMs, endedMs }) => endedMs - startedMs)),
      waiting: cells.filter((cell) => !cell.ok || cell.endedMs - cell.startedMs > CELL_MS).length,
    }),
  };
}

const CELL_EACH_MS = 3_000;

/** A person who has typed one formula waits no longer than this. */
const CELL_MS = 15_000;

const startCell = (host: Host, asin: string, atMs: number) =>
  host.start({ functionName: 'ANALYZE', args: [asin, 'US', 'profit'], door: 'cell' }, atMs);

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
  const list = { law: rules, key, rows: ROWS };
  return {
    name,
    ideal: { ratio: BEST_RATIO[key], refused: 0, errors: 0 },
    tell: async (bundles, seed) => ({ [name]: await tellJob(bundles, seed, list) }),
    ...(rules.faults === undefined && {
      tellPeer: async (bundles, seed, strategy) => ({
        [name]: await tellPeerRun({ bundles, seed, strategy }, rules, key),
      }),
    }),
  };
}

/** A list of ten thousand rows with a stated burst. */
function longCase(law: LawName): BenchCase {
  const name = `${law}-10k`;
  const list = { law: LAWS[law], key: 'burst', rows: LONG_ROWS } as const;
  return {
    name,
    ideal: { ratio: 1, refused: 0, errors: 0 },
    tell: async (bundles, seed) => ({ [name]: await tellJob(bundles, seed, list) }),
  };
}

/** A short list, alone and while a person types formulas. */
function besideCase(name: string, cells: number): BenchCase {
  const list = { law: LAWS.base, key: 'burst', rows: SHORT_ROWS, cells } as const;
  return {
    name,
    ideal: { ratio: 1, refused: 0, errors: 0, ...(cells > 0 && { waiting: 0 }) },
    tell: async (bundles, seed) => ({ [name]: await tellJob(bundles, seed, list) }),
  };
}

/** A thousand formulas at once in place of a job. */
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
  longCase('base'),
  longCase('service-4s'),
  longCase('slow-stores'),
  lawCase('base', 'spaced'),
  lawCase('service-1500ms', 'spaced'),
  besideCase('short-alone', 0),
  besideCase('short-beside-cells', 60),
];
