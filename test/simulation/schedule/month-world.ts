// A world for a month of schedules: a spreadsheet in some time zone, the service, the clock, and
// people.

import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { FiringLaw } from 'apps-script-host/firings';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import {
  createInlineHost,
  type Firing,
  type InlineHost,
} from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { type Catalogue, createCatalogue } from '../../../playground/api/catalogue';
import { createState, handle } from '../../../playground/api/handle';
import type { SandboxKey } from '../../../playground/api/keys';
import { withWords } from '../../../src/sidebar/page/ui/rpc-client';
import { noteOf, remarkOf } from '../bulk-world';

export const SERVICE_HOST = 'api.sandbox.example';
export const DOCUMENT = 'sheet-1';
/** Another spreadsheet of the same owner, with formulas. */
export const OTHER_DOCUMENT = 'sheet-2';
const API_KEY = 'simulation-key';
const DAY_MS = 24 * 3_600_000;

const PRODUCTS = 4_000;
const CATALOGUE = createCatalogue(1, PRODUCTS);

/** Products that the service knows, without the samples, which come first. */
export const ASINS: readonly string[] = [...CATALOGUE.asins.US].slice(-PRODUCTS);

export const OWNER = 'owner@example.com';
export const EDITOR = 'editor@example.com';

const FIRST_CELL = { row: 1, column: 1, rowCount: 1, columnCount: 1 };

const HEADERS = ['Note', 'ASIN', 'Remark', 'Star'] as const;

/** What the add-on writes beside a product, by header; null means unknown. */
export type Figures = Readonly<Record<string, number | boolean | null>>;

/** One call that the service received. */
export interface Call {
  readonly atMs: number;
  readonly asin: string;
  /** null: there was no analysis, or UrlFetchApp lost it. */
  readonly figures: Figures | null;
  /**
   * Whether the product need not be asked for again. A product that the service does not know is
   * settled and stays so. One whose answer UrlFetchApp lost is not, so it may be asked for once
   * more for each loss.
   */
  readonly isSettled: boolean;
  /** The status of the reply; 0: there was none. */
  readonly status: number;
  /** The key of the call. */
  readonly key: string;
}

export interface MonthWorld {
  readonly host: InlineHost;
  readonly grid: PlainGrid;
  /** The grid of the other spreadsheet. */
  readonly other: PlainGrid;
  /** In the order of arrival. */
  readonly calls: readonly Call[];
  readonly callsOf: (asin: string) => readonly Call[];
  /** Requests that UrlFetchApp failed to send, which a script cannot distinguish from others. */
  readonly unsent: readonly Pick<Call, 'asin' | 'atMs'>[];
  readonly rpc: (method: string, payload?: object, userEmail?: string) => Reply;
  /**
   * Runs while a tab without a list is active, so that a page that looks then reads no list to
   * suggest a schedule for.
   */
  readonly inBlankView: <T>(look: () => T) => T;
}

export interface Reply {
  readonly value?: Readonly<Record<string, unknown>>;
  readonly failure?: { readonly kind: string; readonly message: string };
}

export interface MonthOptions {
  readonly dist: HostOptions['dist'];
  readonly seed: number;
  readonly startMs: number;
  readonly timeZone: string;
  readonly asins: readonly string[];
  readonly isStarred: (place: number) => boolean;
  readonly quota: { readonly calls: number; readonly perSeconds: number; readonly burst: number };
  /** When the service fails. */
  readonly outages: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly consents: Readonly<Record<string, readonly string[]>>;
  readonly firings: FiringLaw;
  readonly betweenCalls: BetweenCalls;
  readonly onFiring: (execution: Execution) => Execution;
  readonly onFired: (firing: Firing) => void;
  readonly onFault: () => void;
}

export function createMonthWorld(options: MonthOptions): MonthWorld {
  const { asins, isStarred, timeZone, quota, outages } = options;
  const grid = createPlainGrid({ maxRows: asins.length + 400, maxColumns: 20, timeZone });
  const rows = asins.map((asin, place): CellValue[] => [
    ...[noteOf(asin), asin, remarkOf(asin)],
    isStarred(place) ? 'x' : '',
  ]);
  grid.write(0, 1, 1, [HEADERS, ...rows]);
  const blank = grid.addSheet('Blank', 2);
  const other = createPlainGrid({ maxRows: 100, maxColumns: 5, timeZone });
  let isLost = false;
  let asked: () => MonthWorld['unsent'] = () => [];
  const unsent: { readonly asin: string; readonly atMs: number }[] = [];
  const calls: Call[] = [];
  const callsOf = new Map<string, Call[]>();
  const internet = createService({
    ...{ catalogue: CATALOGUE, outages },
    keys: [{ name: API_KEY, quota }],
    isLost: () => isLost,
    onCall: (call) => {
      calls.push(call);
      callsOf.set(call.asin, [...(callsOf.get(call.asin) ?? []), call]);
    },
  });
  const host = createInlineHost({
    ...options,
    internet,
    // Only one execution runs at a time, so whatever arrives before its next call was sent by this
    // one.
    observe: ({ args, atMs }) => {
      isLost = false;
      asked = () => askedIn(args).map((asin) => ({ asin, atMs }));
    },
    onFault: (fault) => {
      isLost = fault.startsWith('after urlFetch');
      if (fault.startsWith('before urlFetch')) unsent.push(...asked());
      options.onFault();
    },
    documents: [
      { id: DOCUMENT, name: 'Products', ownerEmail: OWNER, editors: [EDITOR], model: grid },
      { id: OTHER_DOCUMENT, name: 'Other', ownerEmail: OWNER, editors: [], model: other },
    ],
  });
  return {
    host,
    ...{ grid, other },
    calls,
    callsOf: (asin) => callsOf.get(asin) ?? [],
    unsent,
    inBlankView(look) {
      const [before, rectangle] = [grid.selection(), FIRST_CELL];
      grid.select({ sheetId: blank, rectangle });
      const seen = look();
      grid.select(before);
      return seen;
    },
    rpc(method, payload = {}, userEmail = OWNER) {
      const args = [method, payload];
      const { ended, error, value } = host.call({
        ...{ functionName: 'rpc', args, door: 'sidebar', userEmail },
        documentId: DOCUMENT,
      });
      if (ended === 'returned') return withWords(value) as Reply;
      throw new Error(`${method} ${ended}: ${error?.message}`);
    },
  };
}

const askedIn = (args: readonly unknown[]): readonly string[] =>
  [...JSON.stringify(args).matchAll(/"asin":"([0-9A-Z]{10})"/g)].map(([, asin = '']) => asin);

export interface ServiceOptions {
  readonly catalogue: Catalogue;
  readonly keys: readonly { readonly name: string; readonly quota: Rate }[];
  readonly outages: MonthOptions['outages'];
  /** Whether UrlFetchApp loses the answer. */
  readonly isLost: () => boolean;
  readonly onCall: (call: Call) => void;
}

interface Rate {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst: number;
}

/** The service, whose figures change every day. */
export function createService({ keys, outages, isLost, onCall, ...first }: ServiceOptions) {
  const known = keys.map(
    ({ name, quota }): SandboxKey => ({
      ...{ name, what: 'a key of the simulation' },
      quota: { kind: 'bucket', ...quota },
    }),
  );
  // Figures of one day are not valid on the next.
  let { catalogue } = first;
  const state = createState({ seed: 1, productsPerMarket: 1, keys: known, outages });
  const sandbox = withState((request, now: typeof state, nowMs: number) => {
    const seed = Math.floor(nowMs / DAY_MS);
    if (catalogue.seed !== seed) catalogue = { ...first.catalogue, seed, known: new Map() };
    return handle(request, { ...now, catalogue }, nowMs);
  }, state);
  return createSandboxedInternet({
    [SERVICE_HOST]: (request, nowMs) => {
      const reply = sandbox.service(request, nowMs);
      const asin = /asin=([0-9A-Z]{10})/.exec(request.body)?.[1] ?? '';
      const status = reply.kind === 'answer' ? reply.status : 0;
      const isGiven = reply.kind === 'answer' && status === 200 && !isLost();
      const figures = isGiven ? figuresIn(reply.body) : null;
      const isSettled = !isLost() && (status === 200 || status === 404);
      const key = /Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      onCall({ atMs: nowMs, asin, figures, isSettled, status, key });
      return reply;
    },
  });
}

function figuresIn(body: string): Figures {
  const answer = JSON.parse(body) as Readonly<Record<string, number | boolean | null>>;
  return {
    Profit: answer.profit ?? null,
    ROI: answer.roi ?? null,
    Fees: answer.fees ?? null,
    Eligible: answer.eligible ?? null,
    'Rank drops 30d': answer.rank_drops_30d ?? null,
  };
}

/**
 * Connects as a person does. @param cellsPerDay the most calls that formulas may make; null: any
 * number.
 */
export function connect(
  { rpc }: MonthWorld,
  quota: MonthOptions['quota'],
  cellsPerDay: number | null,
): void {
  const baseUrl = `https://${SERVICE_HOST}`;
  const draft = { baseUrl, apiKey: API_KEY, quota, sharing: 'me', cellsPerDay };
  const { value, failure } = rpc('connection.save', draft);
  if (value === undefined) throw new Error(`Not connected: ${JSON.stringify(failure)}`);
}
