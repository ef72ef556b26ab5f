// A simulated spreadsheet: the built add-on, lists of products, the service, and people at the
// sidebar. Native formulas are calculated, so a list shows what a person sees.

import type { BetweenCalls } from 'apps-script-host/bystanders';
import { calculating } from 'apps-script-host/calculation';
import type { ExecutionEnd } from 'apps-script-host/execution';
import type { Execution } from 'apps-script-host/host-contract';
import {
  createInlineHost,
  type InlineHost,
  type InlineOptions,
} from 'apps-script-host/inline/inline-host';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import {
  BASE_URL,
  createService,
  type Quota,
  type Service,
  type ServiceOptions,
  type Spell,
} from './service';

/** The owner's key, and a colleague's. */
export const KEYS = ['simulation-key', 'other-simulation-key'] as const;
export type Key = (typeof KEYS)[number];

export const OWNER = 'owner@example.com';
export const COLLEAGUE = 'colleague@example.com';
export const DOCUMENT = 'sheet-1';

/** Fast enough that a world ends soon, slow enough that a job takes many waves. */
export const QUOTA: Quota = { calls: 20, perSeconds: 1, burst: 40 };

export const LIST = 0;

export const HEADERS = ['Note', 'ASIN', 'Remark'] as const;
const noteOf = (product: string): string => `note of ${product}`;
const remarkOf = (product: string): string => `remark on ${product}`;

/** A row of the list: the person's own cells say which product they belong to. */
export const rowOf = (product: string): readonly CellValue[] => [
  noteOf(product),
  product,
  remarkOf(product),
];

/** Who calls, and from which spreadsheet. Left out: the owner in the first one. */
export type Who = Pick<Execution, 'userEmail' | 'documentId'>;

export type Kill = Pick<Execution, 'killAtCall' | 'killAfterCall'>;

/** What the page receives. Neither value nor failure: the execution was cut off. */
export interface Reply {
  readonly value?: Readonly<Record<string, unknown>> | null;
  readonly failure?: { readonly kind: string; readonly message: string; readonly action?: string };
  readonly end: ExecutionEnd;
}

export interface BookPlan
  extends Pick<
    InlineOptions,
    'dist' | 'seed' | 'startMs' | 'faults' | 'firings' | 'consents' | 'onFiring' | 'onFired'
  > {
  /** The rows of the first tab below its headers. */
  readonly rows: readonly (readonly CellValue[])[];
  readonly headers?: readonly string[];
  readonly timeZone?: string;
  readonly quota?: Quota;
  readonly outages?: readonly Spell[];
  readonly spoil?: ServiceOptions['spoil'];
  readonly changed?: ServiceOptions['changed'];
  readonly betweenCalls?: BetweenCalls;
  readonly onFault?: (fault: string) => void;
}

export interface Book {
  readonly host: InlineHost;
  readonly grid: PlainGrid;
  readonly service: Service;
  /** Google's faults so far: "after cache.putAll". */
  readonly faults: readonly string[];
  /** Requests that UrlFetchApp failed to send, which a script cannot tell from others. */
  readonly unsent: () => number;
  readonly rpc: (method: string, payload?: object, kill?: Kill, who?: Who) => Reply;
}

export function createBook(plan: BookPlan): Book {
  const {
    rows,
    headers = HEADERS,
    timeZone = 'Etc/UTC',
    quota = QUOTA,
    outages,
    spoil,
    changed,
  } = plan;
  const grid = createPlainGrid({ maxRows: rows.length + 60, maxColumns: 24, timeZone });
  grid.write(LIST, 1, 1, [headers, ...rows]);
  const faults: string[] = [];
  let isLost = false;
  let unsent = 0;
  let requests = 0;
  const service = createService({
    keys: Object.fromEntries(KEYS.map((key) => [key, quota])),
    ...(outages && { outages }),
    ...(spoil && { spoil }),
    ...(changed && { changed }),
    isLost: () => isLost,
  });
  const host: InlineHost = createInlineHost({
    ...plan,
    internet: service.internet,
    sheetsFailUnderLock: true,
    documents: [
      { id: DOCUMENT, name: 'Products', ownerEmail: OWNER, editors: [COLLEAGUE], model: grid },
    ],
    // One execution runs at a time, so what arrives before its next call was sent by this one.
    observe: ({ operation, args }) => {
      isLost = false;
      const [sent] = args;
      if (operation.startsWith('urlFetch.')) requests = Array.isArray(sent) ? sent.length : 1;
    },
    onFault: (fault) => {
      faults.push(fault);
      isLost = fault.startsWith('after urlFetch');
      if (fault.startsWith('before urlFetch')) unsent += requests;
      plan.onFault?.(fault);
    },
  });
  calculating(grid, { nowMs: host.nowMs });
  const rpc: Book['rpc'] = (method, payload = {}, kill = {}, who = {}) => {
    const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
    const end = host.call({ ...call, ...kill, ...who });
    if (end.ended !== 'returned') return { end };
    return { ...(end.value as Omit<Reply, 'end'>), end };
  };
  return { host, grid, service, faults, unsent: () => unsent, rpc };
}

const CONNECTS_MAX = 5;

/** Connects as a person does: if Google's services fail, the page says to try again. */
export function connect(book: Book, apiKey: Key = KEYS[0], who: Who = {}, more = {}): void {
  const draft = { baseUrl: BASE_URL, apiKey, quota: QUOTA, sharing: 'me', ...more };
  for (let tries = 1; ; tries += 1) {
    const { value, failure } = book.rpc('connection.save', draft, {}, who);
    if (value !== undefined) return;
    if (failure?.kind !== 'google-busy' || tries === CONNECTS_MAX)
      throw new Error(`Not connected: ${JSON.stringify(failure)}`);
  }
}
