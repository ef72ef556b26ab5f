// A spreadsheet with one list of products, under a law: the built bundle, and the page that is connected.

import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import type { Bundles } from '../bundles';
import { asked, pageRpc, watchTab } from '../page-job';
import { createTally } from '../store-calls';
import { createHostUnder, type Law } from './laws';

const SERVICE_HOST = 'api.sandbox.example';
const API_KEY = 'bench-key';
const CATALOGUE_SEED = 1;
export const RATE = { calls: 5, perSeconds: 1 } as const;
export const BURST = 10;
const NO_DAILY_LIMIT = 1_000_000_000;

/** How the service counts, and what the person states about it. */
export const KEYS = {
  /** A bucket whose burst is stated. */
  burst: { quota: { kind: 'bucket', ...RATE, burst: BURST }, told: { ...RATE, burst: BURST } },
  /** "5 per second", counted in every window of one second. */
  plain: { quota: { kind: 'sliding', ...RATE }, told: RATE },
  /** Stated in the same way, but two calls at the same moment are one too many. */
  spaced: { quota: { kind: 'bucket', ...RATE, burst: 1 }, told: RATE },
} as const satisfies Record<string, { quota: SandboxKey['quota']; told: object }>;

export type KeyName = keyof typeof KEYS;

export interface LawList {
  readonly law: Law;
  readonly key: KeyName;
  readonly rows: number;
  /** How many products single formulas ask for that the list does not have. */
  readonly cells?: number;
}

export async function createListWorld(
  bundles: Bundles,
  seed: number,
  { law, key, rows, cells = 0 }: LawList,
) {
  const catalogue = createCatalogue(CATALOGUE_SEED, rows + cells);
  const products = [...catalogue.asins.US].slice(-rows - cells);
  const asins = products.slice(cells);
  const grid = createPlainGrid({ maxRows: rows + 1_000, maxColumns: 20 });
  const list: CellValue[][] = [['ASIN', 'Cost'], ...asins.map((asin) => [asin, ''])];
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
  let keptOut = 0;
  const rpc = pageRpc(host, () => {
    keptOut += 1;
  });
  const draft = { baseUrl: `https://${SERVICE_HOST}`, apiKey: API_KEY, sharing: 'me' } as const;
  await asked(host, rpc, 'connection.save', { ...draft, quota: KEYS[key].told });
  const { choice } = await asked(host, rpc, 'list.look', {});
  if (choice === null) throw new Error('No list was found.');
  const inCells = products.slice(0, cells);
  const counts = () => ({ stores: tally.read(), sheet: sheetCalls });
  return { host, rpc, choice, sandbox, counts, firstRowMs, inCells, keptOut: () => keptOut };
}
