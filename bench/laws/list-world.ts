// A spreadsheet with one list of products, under a law: the built bundle, and the page that is connected.

import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';
import type { RpcClient } from '../../src/sidebar/page/ui/rpc-client';
import type { AddOn } from '../bundles';
import { asked, pageRpc, watchTab } from '../page-job';
import { createTally } from '../store-calls';
import { createHostUnder, type Law } from './laws';

const SERVICE_HOST = 'api.sandbox.example';
const API_KEY = 'bench-key';
const COLLEAGUE = { email: 'colleague@example.com', apiKey: 'colleague-key' };
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

/** Brings a sheet into view: the host has one view for all people. */
export const select = (grid: PlainGrid, sheetId: number): void =>
  grid.select({ sheetId, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });

export type KeyName = keyof typeof KEYS;

export interface LawList {
  readonly law: Law;
  readonly key: KeyName;
  readonly rows: number;
  /** How many products single formulas ask for that the list does not have. */
  readonly cells?: number;
  /** How many products stand in the list of another sheet, on which a colleague works with a key of their own. */
  readonly theirs?: number;
}

export async function createListWorld(
  bundles: AddOn,
  seed: number,
  { law, key, rows, cells = 0, theirs = 0 }: LawList,
) {
  const all = rows + cells + theirs;
  const catalogue = createCatalogue(CATALOGUE_SEED, all);
  const products = [...catalogue.asins.US].slice(-all);
  const asins = products.slice(cells, cells + rows);
  const grid = createPlainGrid({ maxRows: rows + 1_000, maxColumns: 20 });
  const listOf = (own: readonly string[]): CellValue[][] => [
    ['ASIN', 'Cost'],
    ...own.map((asin) => [asin, '']),
  ];
  grid.write(0, 1, 1, listOf(asins));
  if (theirs > 0) grid.write(grid.addSheet('Theirs', 1), 1, 1, listOf(products.slice(-theirs)));
  const keys: SandboxKey[] = [API_KEY, COLLEAGUE.apiKey].map((name) => ({
    ...{ name, what: 'measured', quota: KEYS[key].quota },
  }));
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
        editors: [COLLEAGUE.email],
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
  async function listOfPerson(client: RpcClient, apiKey: string, sheetId: number) {
    const draft = { baseUrl: `https://${SERVICE_HOST}`, apiKey, sharing: 'me' } as const;
    await asked(host, client, 'connection.save', { ...draft, quota: KEYS[key].told });
    select(grid, sheetId);
    const { choice } = await asked(host, client, 'list.look', {});
    if (choice === null) throw new Error('No list was found.');
    return choice;
  }
  /** The colleague's page, and the list that they work on. */
  async function openTheirs() {
    const client = pageRpc(host, undefined, { userEmail: COLLEAGUE.email });
    const sheetId = grid.sheets().find(({ name }) => name === 'Theirs')?.id ?? 0;
    return { rpc: client, choice: await listOfPerson(client, COLLEAGUE.apiKey, sheetId) };
  }
  const other = theirs > 0 ? await openTheirs() : null;
  const choice = await listOfPerson(rpc, API_KEY, 0);
  const inCells = products.slice(0, cells);
  const counts = () => ({ stores: tally.read(), sheet: sheetCalls });
  return {
    ...{ host, grid, rpc, choice, sandbox, counts, firstRowMs, inCells },
    theirs: other,
    keptOut: () => keptOut,
  };
}
