// A world for the sweep of temporary faults: a list, formulas, a service that records calls, and a
// view of everything stored.

import type { ExecutionEnd } from 'apps-script-host/execution';
import { faultTexts, type PlannedFault } from 'apps-script-host/faults';
import type { Execution, HostOptions } from 'apps-script-host/host-contract';
import { createInlineHost, type InlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet, withState } from 'apps-script-host/internet/sandboxed';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../../playground/api/catalogue';
import { createState, handle } from '../../../playground/api/handle';
import type { SandboxKey } from '../../../playground/api/keys';
import { failedProducts, isOver, type Job } from '../../../src/jobs/job';
import { withoutMoments } from '../seen';

const SERVICE_HOST = 'api.sandbox.example';
export const BASE_URL = `https://${SERVICE_HOST}`;
export const API_KEY = 'sweep-key';
export const QUOTA = { calls: 20, perSeconds: 1, burst: 40 } as const;

export const OWNER = 'owner@example.com';
export const EDITOR = 'editor@example.com';

const CATALOGUE = createCatalogue(1, 40);

/** Products that the service knows, without the samples, which come first. */
export const ASINS: readonly string[] = [...CATALOGUE.asins.US].slice(-20);

/** The number of rows in the list; formulas ask for the remaining products. */
export const LISTED = 6;

const HOUR_MS = 3_600_000;

const SERVICES = ['cache', 'properties', 'lock', 'spreadsheet', 'urlFetch', 'script', 'mail'];

/** Google's messages when a service fails temporarily, without the names in them. */
const RAW: readonly string[] = [
  ...new Set(SERVICES.flatMap((name) => faultTexts(`${name}.`)).map((text) => text.slice(0, 40))),
];

export interface Reply {
  readonly ok: boolean;
  readonly value?: Readonly<Record<string, unknown>>;
  readonly failure?: { readonly kind: string; readonly message: string; readonly action?: string };
}

/** What is stored in a world, without times, random names and counts of Google's calls. */
export interface Kept {
  /** Connection and schedules, by the names of their stores. */
  readonly settings: string;
  /** What checks have settled; the next check finds again what was not stored. */
  readonly records: string;
  /** These together with sheets and triggers: what people see and own. */
  readonly core: string;
  /** What a job that is over came to. */
  readonly jobs: string;
  /** These together with everything else that is stored, such as the result of a firing. */
  readonly all: string;
}

/** A call of a service. */
export interface Operation {
  readonly name: string;
  /** Whether the execution has the lease when it returns. */
  readonly isLeased: boolean;
}

export interface FaultWorld {
  readonly host: InlineHost;
  readonly grid: PlainGrid;
  readonly run: (execution: Execution, faults?: readonly PlannedFault[]) => ExecutionEnd;
  readonly rpc: (method: string, payload?: object, userEmail?: string) => Reply;
  readonly cell: (functionName: string, ...args: readonly unknown[]) => ExecutionEnd;
  /** The requests that the service received, by product. */
  readonly asked: () => ReadonlyMap<string, number>;
  readonly kept: () => Kept;
  /** Google's own messages that reached a store, a cache, a sheet or the screen. */
  readonly raw: readonly string[];
  /** The operations of the last execution, in order. */
  readonly operations: () => readonly Operation[];
}

/** @param sheetsFailUnderLock not where Google fails to release a lock, which then stays. */
export function createFaultWorld(
  dist: HostOptions['dist'],
  sheetsFailUnderLock = true,
): FaultWorld {
  const grid = listGrid();
  const calls = new Map<string, number>();
  const key: SandboxKey = {
    name: API_KEY,
    what: 'the key of the sweep',
    quota: { kind: 'bucket', ...QUOTA },
  };
  const state = createState({ seed: 1, productsPerMarket: 1, keys: [key] });
  const sandbox = withState(
    (request, now: typeof state, nowMs: number) =>
      // Figures change from day to day, so that a schedule has something to report.
      handle(request, { ...now, catalogue: { ...CATALOGUE, seed: dayOf(nowMs) } }, nowMs),
    state,
  );
  const raw: string[] = [];
  let operations: Operation[] = [];
  let isLeased = false;
  const host = createInlineHost({
    dist,
    seed: 1,
    locales: 'en',
    sheetsFailUnderLock,
    internet: createSandboxedInternet({
      [SERVICE_HOST]: (request, nowMs) => {
        const asin = /asin=([0-9A-Z]{10})/.exec(request.body)?.[1] ?? '';
        calls.set(asin, (calls.get(asin) ?? 0) + 1);
        return sandbox.service(request, nowMs);
      },
    }),
    documents: [
      { id: 'sheet-1', name: 'Products', ownerEmail: OWNER, editors: [EDITOR], model: grid },
    ],
    observe: ({ operation, args }) => {
      if (args[1] === 'lease') isLeased = operation === 'properties.set';
      operations.push({ name: operation, isLeased });
      const found = rawIn(args);
      if (found !== null) raw.push(`${operation} was given "${found}"`);
    },
  });

  const run: FaultWorld['run'] = (execution, faults = []) => {
    [operations, isLeased] = [[], false];
    return host.call({ ...execution, faults });
  };
  return {
    host,
    grid,
    run,
    rpc: (method, payload = {}, userEmail = OWNER) => {
      const end = run({ functionName: 'rpc', args: [method, payload], door: 'sidebar', userEmail });
      if (end.ended === 'returned') return end.value as Reply;
      throw new Error(`${method} ${end.ended}: ${end.error?.message}`);
    },
    cell: (functionName, ...args) => run({ functionName, args, door: 'cell' }),
    asked: () => new Map(calls),
    kept: () => keptIn(host, grid),
    raw,
    operations: () => operations,
  };
}

const dayOf = (nowMs: number) => Math.floor(nowMs / (24 * HOUR_MS));

/**
 * Google's message anywhere in a value. null: there is none, or one of our sentences quotes it, as
 * for a failure about which nothing else is known.
 */
export function rawIn(value: unknown): string | null {
  const text = (JSON.stringify(value) ?? '').replace(/&#(\d+);/g, (_, code) =>
    String.fromCharCode(code),
  );
  const unquoted = text.replace(/(?:problem \(|its clock \(|words\\*":|what\\*":)\\*"[^"]*"/g, '');
  return RAW.find((words) => unquoted.includes(words)) ?? null;
}

function listGrid(): PlainGrid {
  const grid = createPlainGrid({ maxRows: 60, maxColumns: 20 });
  const [list] = grid.sheets();
  const rows = ASINS.slice(0, LISTED).map((asin): CellValue[] => [`note of ${asin}`, asin, 5]);
  grid.write(list?.id ?? 0, 1, 1, [['Note', 'ASIN', 'Cost'], ...rows]);
  const formulas = grid.addSheet('Formulas', 2);
  const cells = ASINS.slice(LISTED, LISTED + 3).map((asin, at): CellContent[] => [
    asin,
    { formula: `=ANALYZE(A${at + 1},"US","profit",ANALYZE_REFRESH)` },
  ]);
  grid.write(formulas, 1, 1, cells);
  return grid;
}

/** Data stored under names that differ from run to run, or that count Google's calls. */
const OF_CHANCE = /^(?:google|key-day|cells-owner|runtime)/;

interface Schedule {
  readonly settings: unknown;
  readonly isOn: unknown;
}

/** The part of a schedule that people decide; its progress changes with every firing. */
const ofPerson = ({ settings, isOn }: Schedule) => [settings, isOn];

/** The random name under which a person's jobs and schedules are stored. */
const PERSON = 'person';

const CHANGE_LOG = 'Analysis changes';

function keptIn(host: InlineHost, grid: PlainGrid): Kept {
  const { properties, triggers } = host.stores;
  const stores = [`user/${OWNER}`, `user/${EDITOR}`, 'document/sheet-1'].map((name) => {
    const values = Object.entries(properties.read(name))
      .filter(([key]) => !OF_CHANCE.test(key))
      .map(([key, text]) => [key, key === PERSON ? 'a name' : plain(parsed(text))] as const);
    return [name, Object.fromEntries(values.sort(([a], [b]) => (a < b ? -1 : 1)))] as const;
  });
  const sheets = grid.sheets().map(({ id, name: title }) => {
    // A tab that takes another's place may keep a number.
    const name = title.replace(/ \d+$/, '');
    const { lastRow, lastColumn } = grid.size(id);
    if (lastRow === 0) return [name];
    const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    const formulas = grid.formulas(id, area);
    const shown = grid
      .values(id, area)
      .map((row, down) => row.map((value, right) => plain(formulas[down]?.[right] || value)));
    const lines = shown.map((row) => JSON.stringify(row));
    // Products that are asked for again are logged later; the lines of one run have no fixed order.
    return [name, ...(name === CHANGE_LOG ? lines.sort() : lines)];
  });
  const settings = stores.map(([name, values]) => [
    name,
    Object.entries(values).flatMap(([key, value]) => {
      if (key.startsWith('schedule:')) return [ofPerson(value as Schedule)];
      return key === 'connection' ? [value] : [];
    }),
  ]);
  const jobs = stores.map(([, values]) => {
    const job = values.job as Job | undefined;
    if (job === undefined || !isOver(job)) return null;
    return [job.state, job.products, failedProducts(job.counts), job.counts.calls];
  });
  const clocks = triggers
    .all()
    .map(({ functionName, userEmail }) => `${functionName} ${userEmail}`);
  return {
    settings: textOf(settings),
    records: JSON.stringify(settings),
    core: textOf([settings, sheets, clocks]),
    jobs: textOf(jobs),
    all: textOf([stores, sheets, clocks]),
  };
}

/** One line for each member, without the note that the address has answered. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (key, one) => (key === 'answered' ? undefined : one), 1);
}

function parsed(text: string): unknown {
  try {
    // Some values begin with the identity of the spreadsheet.
    return JSON.parse(text.slice(Math.max(0, text.search(/[[{]/))));
  } catch {
    return text;
  }
}

/**
 * Times, durations, random names and counts of repetitions differ from run to run. A column is
 * identified by its title, and by its number only once it was found again.
 */
const NAMES_OF_CHANCE =
  /(?:Ms|^at|^id|^by|^person|^runId|^owner|^recorded|^calls|^spent|^tries|^column|^rescueMinutes)$/;

function plain(value: unknown): unknown {
  if (value instanceof Date) return 'a date';
  if (typeof value === 'number' && value > 1e10) return 'a time';
  if (typeof value === 'string')
    return withoutMoments(value).replace(/\d{4}-\d\d-\d\d[ T][\d:]+/g, 'a time');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      NAMES_OF_CHANCE.test(key) && typeof one !== 'object' ? [] : [[key, plain(one)]],
    ),
  );
}
