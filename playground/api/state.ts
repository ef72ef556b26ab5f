// Defines what the sandbox remembers between two calls, and what a test may read from it.
import { type Catalogue, createCatalogue } from './catalogue';
import type { DialectName } from './dialects';
import type { FaultName } from './faults';
import type { Market } from './fees';
import { KEYS, type SandboxKey } from './keys';
import type { Level } from './limits';
import type { ProblemName } from './problems';

/** Half of the answers take less than `medianMs`. With `sigma` 0 all take the same time. */
export interface LatencyLaw {
  readonly medianMs: number;
  readonly sigma: number;
}

/**
 * Times on the sandbox's clock, from `fromMs` on and before `toMs`. `fault` defaults to a plain
 * 503.
 */
interface Outage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly fault?: FaultName;
  /** The share of calls in that time that fail. Defaults to all. */
  readonly share?: number;
}

export interface SandboxOptions {
  readonly seed?: number;
  readonly dialect?: DialectName;
  readonly productsPerMarket?: number;
  readonly latency?: LatencyLaw;
  readonly outages?: readonly Outage[];
  /** Faults by ASIN, in addition to the table of test ASINs. */
  readonly faults?: Readonly<Record<string, FaultName>>;
  /** Keys in addition to the table of keys. A key with the same name replaces the table's. */
  readonly keys?: readonly SandboxKey[];
}

interface KeyCounts {
  /** All calls that arrived with this key. */
  readonly calls: number;
  /** Calls refused for speed, with status 429. */
  readonly refused: number;
  /** Analyses given, each of which counts against the plan. */
  readonly answered: number;
}

interface Arrival {
  readonly atMs: number;
  /** null: no key, or one that the sandbox does not know. Unknown keys are never kept. */
  readonly key: string | null;
  /** null: the call did not name a readable product. */
  readonly product: ProductName | null;
  readonly outcome: Outcome;
}

/** Answered, refused for a reason, or spoilt by a fault. */
export type Outcome = 'answered' | ProblemName | FaultName;

export type ProductName = `${Market} ${string}`;

/** A linked list, newest first, so that adding to a long one costs nothing. */
interface Journal {
  readonly arrival: Arrival;
  readonly earlier: Journal | null;
}

export interface SandboxState {
  readonly seed: number;
  readonly dialect: DialectName;
  readonly latency: LatencyLaw;
  readonly outages: readonly Outage[];
  readonly faults: Readonly<Record<string, FaultName>>;
  readonly catalogue: Catalogue;
  /** Days since the catalogue was made, by which prices have changed. */
  readonly daysLater: number;
  readonly keys: ReadonlyMap<string, SandboxKey>;
  readonly levels: Readonly<Record<string, Level>>;
  readonly counts: Readonly<Record<string, KeyCounts>>;
  /** How many requests have arrived, which also numbers the next one. */
  readonly arrived: number;
  readonly journal: Journal | null;
}

/** Median and spread of a service that calculates something for each call. */
const USUAL_LATENCY: LatencyLaw = { medianMs: 250, sigma: 0.35 };

const NOTHING_YET: KeyCounts = { calls: 0, refused: 0, answered: 0 };

export function createState(options: SandboxOptions = {}): SandboxState {
  const seed = options.seed ?? 1;
  const keys = [...KEYS, ...(options.keys ?? [])];
  return {
    seed,
    dialect: options.dialect ?? 'canonical',
    latency: options.latency ?? USUAL_LATENCY,
    outages: options.outages ?? [],
    faults: options.faults ?? {},
    catalogue: createCatalogue(seed, options.productsPerMarket),
    daysLater: 0,
    keys: new Map(keys.map((key) => [key.name, key])),
    levels: {},
    counts: {},
    arrived: 0,
    journal: null,
  };
}

export function countsOf(state: SandboxState, key: string): KeyCounts {
  return state.counts[key] ?? NOTHING_YET;
}

/** All calls refused for speed, of all keys. */
export function refusalsOf(state: SandboxState): number {
  return Object.values(state.counts).reduce((total, counts) => total + counts.refused, 0);
}

/** All arrivals, oldest first. */
export function arrivalsOf(state: SandboxState): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  for (let entry = state.journal; entry !== null; entry = entry.earlier) {
    arrivals.push(entry.arrival);
  }
  return arrivals.reverse();
}

/** How often each product was requested, refused calls included. */
export function callsByProduct(state: SandboxState): ReadonlyMap<ProductName, number> {
  const calls = new Map<ProductName, number>();
  for (const { product } of arrivalsOf(state)) {
    if (product !== null) calls.set(product, (calls.get(product) ?? 0) + 1);
  }
  return calls;
}

export function record(state: SandboxState, arrival: Arrival, level?: Level): SandboxState {
  const { key, outcome } = arrival;
  const next = {
    ...state,
    arrived: state.arrived + 1,
    journal: { arrival, earlier: state.journal },
  };
  if (key === null) return next;
  const { calls, refused, answered } = countsOf(state, key);
  return {
    ...next,
    levels: level === undefined ? state.levels : { ...state.levels, [key]: level },
    counts: {
      ...state.counts,
      [key]: {
        calls: calls + 1,
        refused: refused + (outcome === 'too-fast' ? 1 : 0),
        answered: answered + (outcome === 'answered' ? 1 : 0),
      },
    },
  };
}
