// Jobs over lists as the bench measures them: the real bundle, called as the sidebar calls it.

import type { ObservedCall } from 'apps-script-host/call';
import { createInlineHost, type InlineOptions } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import type { Bundles } from '../bundles';
import type { Figures } from '../figures';
import type { PeerStrategy } from '../gate/scenario';
import { purposeOf } from '../store-calls';

const SERVICE_HOST = 'api.sandbox.example';
const API_KEY = 'bench-key';
const CATALOGUE_SEED = 1;
export const CALLS_PER_SECOND = 5;
const BURST = 10;
const QUOTA = { calls: CALLS_PER_SECOND, perSeconds: 1, burst: BURST } as const;

const WRITTEN_ROWS = 10_000;
const CHECKED_ROWS = 100_000;
/** The number of rows analyzed in each column; the cost of one of them is what is compared. */
const GROWTH_ANALYZED = 1_000;

/** The most products that the page asks for in one call, and how long that may take. */
const PRODUCTS_MAX = 1_000;
const ASK_MS = 300_000;

const NO_DAILY_LIMIT = 1_000_000_000;

/** By the name of the case. */
export type CaseFigures = Readonly<Record<string, Figures>>;

interface Counts {
  results: number;
  sheet: number;
}

/** A spreadsheet with a list of products, and its owner's sidebar. */
export function createList(
  bundles: Bundles,
  seed: number,
  rows: number,
  moreOptions: Partial<InlineOptions> = {},
) {
  const catalogue = createCatalogue(CATALOGUE_SEED, rows);
  const asins = [...catalogue.asins.US].slice(-rows);
  const grid = createPlainGrid({ maxRows: rows + 1_000, maxColumns: 20 });
  const cells: CellValue[][] = [['ASIN', 'Note'], ...asins.map((asin) => [asin, ''])];
  grid.write(0, 1, 1, cells);
  const key: SandboxKey = {
    name: API_KEY,
    what: 'the one that is measured',
    quota: { kind: 'bucket', ...QUOTA },
  };
  const state = createState({ seed, productsPerMarket: 1, keys: [key] });
  const sandbox = withState(handle, { ...state, catalogue });
  const counts: Counts = { results: 0, sheet: 0 };
  const observe = (call: ObservedCall) => {
    if (purposeOf(call) === 'results') counts.results += 1;
    if (/^spreadsheet\.(read|write|flush)/.test(call.operation)) counts.sheet += 1;
  };
  const host = createInlineHost({
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
    observe,
    ...moreOptions,
  });
  const rpc = (method: string, payload: object = {}) => {
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    const { ended, error, value } = host.call(call);
    const envelope = value as
      | { ok?: boolean; value?: Readonly<Record<string, unknown>> }
      | undefined;
    if (ended !== 'returned' || envelope?.ok !== true)
      throw new Error(`${method}: ${error?.message ?? JSON.stringify(value)}`);
    return envelope.value ?? {};
  };
  rpc('connection.save', {
    baseUrl: `https://${SERVICE_HOST}`,
    apiKey: API_KEY,
    quota: QUOTA,
    sharing: 'me',
  });
  return { host, grid, counts, rpc, calls: () => sandbox.state().arrived };
}

export type List = ReturnType<typeof createList>;

/** A job of the server alone: one ask after the other, each followed by a record. */
export function workOff(list: List, rows: number) {
  const { counts, grid, host, rpc } = list;
  const { choice } = rpc('list.look');
  grid.select({ sheetId: 0, rectangle: { row: 2, column: 1, rowCount: rows, columnCount: 1 } });
  const wished = { ...(choice as object), rows: { kind: 'selection' } };
  let { status, queue } = rpc('jobs.start', wished) as unknown as AtWork;
  const { jobId } = status;
  const before = { ...counts, nowMs: host.nowMs() };
  while (status.state === 'running' && queue.length > 0) {
    const [products, rest] = [queue.slice(0, PRODUCTS_MAX), queue.slice(PRODUCTS_MAX)];
    const { answers, calls, left } = rpc('jobs.ask', { jobId, products, maxMs: ASK_MS });
    status = rpc('jobs.record', { jobId, answers, calls }) as unknown as AtWork['status'];
    queue = [...(left as readonly string[]), ...rest];
  }
  if (status.state !== 'done') throw new Error(`The job is ${status.state}.`);
  return {
    answered: status.answered,
    tookMs: host.nowMs() - before.nowMs,
    results: counts.results - before.results,
    sheet: counts.sheet - before.sheet,
  };
}

interface AtWork {
  readonly status: { readonly jobId: string; readonly state: string; readonly answered: number };
  readonly queue: readonly string[];
}

function writeTenThousand(bundles: Bundles, seed: number): CaseFigures {
  const job = workOff(createList(bundles, seed, WRITTEN_ROWS), WRITTEN_ROWS);
  return {
    'write-10k-5ps': {
      ratio: job.tookMs / ((1_000 * job.answered) / CALLS_PER_SECOND),
      resultStoreCallsPerRow: job.results / job.answered,
      sheetCallsPer1000: (1_000 * job.sheet) / job.answered,
      errors: WRITTEN_ROWS - job.answered,
    },
  };
}

function checkHundredThousand(bundles: Bundles, seed: number): CaseFigures {
  const { host, rpc } = createList(bundles, seed, CHECKED_ROWS);
  const { choice } = rpc('list.look');
  const beginMs = host.nowMs();
  rpc('jobs.preview', choice as object);
  return { 'preview-100k': { serviceSeconds: (host.nowMs() - beginMs) / 1_000 } };
}

/**
 * The time for a row in a long column as a multiple of that in a short one. Calls for each row are
 * those of the long column.
 */
function growth(name: string, shortRows: number, longRows: number): BenchCase {
  const told = (bundles: Bundles, seed: number, rows: number) =>
    workOff(createList(bundles, seed, rows), GROWTH_ANALYZED);
  const tell: BenchCase['tell'] = (bundles, seed) => {
    const [short, long] = [told(bundles, seed, shortRows), told(bundles, seed, longRows)];
    const { answered } = long;
    return {
      [name]: {
        ratio: long.tookMs / answered / (short.tookMs / short.answered),
        resultStoreCallsPerRow: long.results / answered,
        sheetCallsPer1000: (1_000 * long.sheet) / answered,
        errors: GROWTH_ANALYZED - answered,
      },
    };
  };
  return { name, ideal: { ratio: 1, errors: 0 }, tell };
}

export interface BenchCase {
  readonly name: string;
  /** The theoretical optimum; for growth it is 1. */
  readonly ideal: Figures;
  readonly tell: (bundles: Bundles, seed: number) => CaseFigures | Promise<CaseFigures>;
  /** The same with a peer's strategy; left out: no peer does it. */
  readonly tellPeer?: (
    bundles: Bundles,
    seed: number,
    strategy: PeerStrategy,
  ) => Promise<CaseFigures>;
}

export const BULK_CASES: readonly BenchCase[] = [
  { name: 'write-10k-5ps', ideal: { ratio: 1, errors: 0 }, tell: writeTenThousand },
  { name: 'preview-100k', ideal: {}, tell: checkHundredThousand },
  growth('growth-1k-10k', 1_000, 10_000),
  growth('growth-10k-100k', 10_000, 100_000),
];
