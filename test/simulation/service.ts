// The analysis service of a simulated world, whose figures change from day to day, and a book of all
// calls that it received.

import {
  createSandboxedInternet,
  type SandboxReply,
  withState,
} from 'apps-script-host/internet/sandboxed';
import { type Catalogue, createCatalogue } from '../../playground/api/catalogue';
import { createState, handle } from '../../playground/api/handle';
import type { SandboxKey } from '../../playground/api/keys';

const SERVICE_HOST = 'api.sandbox.example';
export const BASE_URL = `https://${SERVICE_HOST}`;

const DAY_MS = 24 * 3_600_000;

/** Every world has the same products. */
const PRODUCTS = 4_000;
const CATALOGUE = createCatalogue(1, PRODUCTS);

/** Products that the service knows in both markets, without the samples. */
export const ASINS: readonly string[] = [...CATALOGUE.asins.US].filter(
  (asin) => CATALOGUE.asins.UK.has(asin) && !asin.includes('SAMPLE'),
);

export interface Quota {
  readonly calls: number;
  readonly perSeconds: number;
  readonly burst: number;
}

/** Figures by the titles of their columns; null: the service gave none. */
export type Figures = Readonly<Record<string, number | string | null>>;

export interface Call {
  readonly atMs: number;
  /** "B0XKT7M4QN|US" */
  readonly product: string;
  readonly key: string;
  /** 0: there was no reply. */
  readonly status: number;
  /** null: there was no analysis, or UrlFetchApp lost it. */
  readonly figures: Figures | null;
  /** Whether the product need not be asked for again: it was answered, or it is unknown. */
  readonly isSettled: boolean;
}

export interface Spell {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ServiceOptions {
  /** Left out: that of `ASINS`. */
  readonly catalogue?: Catalogue;
  readonly keys: Readonly<Record<string, Quota>>;
  readonly outages?: readonly Spell[];
  /** What it says instead of its answer; undefined: it answers. */
  readonly spoil?: (asin: string, nowMs: number) => SandboxReply | undefined;
  /** The limit of all keys from a moment on. */
  readonly changed?: { readonly fromMs: number; readonly quota: Quota };
  /** Whether UrlFetchApp loses the answer. */
  readonly isLost: () => boolean;
  readonly onCall?: (call: Call) => void;
}

export interface Service {
  readonly internet: ReturnType<typeof createSandboxedInternet>;
  /** In the order of arrival. */
  readonly calls: readonly Call[];
  /** The calls for a product, "B0XKT7M4QN|US". */
  readonly callsOf: (product: string) => readonly Call[];
}

export function createService(options: ServiceOptions): Service {
  const { keys, outages = [], spoil, changed, isLost, onCall } = options;
  const first = options.catalogue ?? CATALOGUE;
  const known = Object.entries(keys).map(
    ([name, quota]): SandboxKey => ({
      name,
      what: 'a key of the simulation',
      quota: { kind: 'bucket', ...quota },
      ...(changed && {
        changes: [{ fromMs: changed.fromMs, quota: { kind: 'bucket', ...changed.quota } }],
      }),
    }),
  );
  let catalogue = first;
  const state = createState({ seed: 1, productsPerMarket: 1, keys: known, outages });
  const sandbox = withState((request, now: typeof state, nowMs: number) => {
    const seed = Math.floor(nowMs / DAY_MS);
    if (catalogue.seed !== seed) catalogue = { ...first, seed, known: new Map() };
    return handle(request, { ...now, catalogue }, nowMs);
  }, state);
  const calls: Call[] = [];
  const byProduct = new Map<string, Call[]>();
  const note = (call: Call) => {
    calls.push(call);
    const own = byProduct.get(call.product);
    if (own === undefined) byProduct.set(call.product, [call]);
    else own.push(call);
    onCall?.(call);
  };
  const internet = createSandboxedInternet({
    [SERVICE_HOST]: (request, nowMs) => {
      const form = new URLSearchParams(request.body);
      const usual = sandbox.service(request, nowMs);
      const reply = spoil?.(form.get('asin') ?? '', nowMs) ?? usual;
      const status = reply.kind === 'answer' ? reply.status : 0;
      const isGiven = reply.kind === 'answer' && status === 200 && !isLost();
      note({
        atMs: nowMs,
        product: `${form.get('asin') ?? ''}|${form.get('market') ?? ''}`,
        key: /Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '',
        status,
        figures: isGiven ? figuresIn(reply.body) : null,
        isSettled: !isLost() && (status === 200 || status === 404),
      });
      return reply;
    },
  });
  return { internet, calls, callsOf: (product) => byProduct.get(product) ?? [] };
}

/** As the tab and lists show it. */
const ELIGIBLE: ReadonlyMap<unknown, string> = new Map([
  [true, 'Yes'],
  [false, 'No'],
]);

function figuresIn(body: string): Figures {
  const { eligible, ...answer } = JSON.parse(body) as Figures;
  return {
    Profit: answer.profit ?? null,
    ROI: answer.roi ?? null,
    Fees: answer.fees ?? null,
    Eligible: ELIGIBLE.get(eligible) ?? null,
    'Rank drops 30d': answer.rank_drops_30d ?? null,
    'Buy price': answer.buy_price ?? null,
    'Sell price': answer.sell_price ?? null,
  };
}
