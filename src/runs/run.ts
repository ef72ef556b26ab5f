// A run: what was chosen, the record, its states and counters; all changes pure.

import { type Failure, isFailure, willPass } from '../failures/failure';
import {
  atLeast,
  byName,
  either,
  listOf,
  numberWithin,
  oneOf,
  orNone,
  record,
  storedAs,
  text,
  that,
  upTo,
  wholeNumber,
} from '../platform/schema';
import type { Answer } from '../product/analysis';
import type { Product } from '../product/asin';
import type { Field } from '../product/fields';
import { MARKETS, type Market } from '../product/market';
import { type ColumnKey, knownColumn, type Layout } from '../table/columns';
import { identityOf, type MarketRule, type Row } from '../table/row';

export type RowSelection =
  | { readonly kind: 'all' }
  | { readonly kind: 'selection' }
  | { readonly kind: 'visible' }
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'failed';
      readonly kinds?: readonly string[] | undefined;
      /** Of a retry: what failed earlier is no part of it. */
      readonly sinceMs?: number | undefined;
    }
  | { readonly kind: 'older'; readonly days: number }
  /** The rows of one product, by its key, which is asked anew whatever is stored. */
  | { readonly kind: 'product'; readonly product: string };

/** What a run is to do, as a person chose it. */
export interface Choice {
  readonly sheetId: number;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly market:
    | { readonly kind: 'column'; readonly column: number }
    | { readonly kind: 'one'; readonly market: Market };
  readonly rows: RowSelection;
  readonly fields: readonly Field[];
  /**
   * Whether a market gets columns of its own, or replaces the figures of another one that stand there.
   * Left out: its own, where those are all another's.
   */
  readonly apart?: boolean;
  /** Rules mark rows: there is to be a column for it. */
  readonly marksChanges?: boolean;
}

/** The largest sheet: ten million cells in one column. */
export const ROWS_MAX = 10_000_000;
export const COLUMNS_MAX = 18_278;

/** Members of a schema: where a list stands. */
export const listPlace = () => ({
  sheetId: upTo(Number.MAX_SAFE_INTEGER),
  headerRow: upTo(ROWS_MAX),
  productColumn: wholeNumber(COLUMNS_MAX),
  market: either(
    record({ kind: oneOf('column'), column: wholeNumber(COLUMNS_MAX) }),
    record({ kind: oneOf('one'), market: oneOf(...MARKETS) }),
  ),
});

/** A choice but for the column of products. */
export type ChoiceByHand = Omit<Choice, 'productColumn'>;

/** Raised when the record changes its form; a run of another version is over. */
export const RUN_VERSION = 1;

/** Products without a row are listed up to this number, and counted beyond. */
const LOST_LISTED_MAX = 20;

export interface Counters {
  readonly answered: number;
  readonly cached: number;
  /** Rows by the kind of their failure. */
  readonly failures: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly workedMs: number;
  /** Cells that were left as they are. */
  readonly kept: number;
  readonly lostCount: number;
  readonly lost: readonly Product[];
}

export const NO_COUNTS: Counters = {
  answered: 0,
  cached: 0,
  failures: {},
  calls: 0,
  workedMs: 0,
  kept: 0,
  lostCount: 0,
  lost: [],
};

export type RunState = 'starting' | 'running' | 'paused' | 'stuck' | 'stopped' | 'finished';

export interface Run {
  readonly version: number;
  readonly id: string;
  /** Who started it; a random name of the person, as e-mail addresses are not ours to see. */
  readonly by: string;
  readonly state: RunState;
  readonly startedMs: number;
  /** null: not yet, or nobody is known to have ended it in order. */
  readonly endedMs: number | null;
  /** When the record was changed last. */
  readonly touchedMs: number;
  readonly sheetId: number;
  readonly sheetName: string;
  readonly layout: Layout;
  readonly fields: readonly Field[];
  readonly market: MarketRule;
  readonly rows: number;
  /** Rows of the choice that are not written: their status is somebody's own, or cells are merged. */
  readonly leftOut?: number;
  /** Rows that were not chosen showed other products' figures before it began. */
  readonly isPastedOver?: boolean;
  /** Answers that were fetched before will not do. */
  readonly notBeforeMs?: number;
  /** How many workers it begins with. */
  readonly workers?: number;
  /** So often the clock looks whether it was left alone; absent: never. */
  readonly rescueMinutes?: number;
  /**
   * The new columns that lack formats and widths yet, often none. Present until the start's last work
   * is done, which is these and the clock.
   */
  readonly toDress?: readonly ColumnKey[];
  /** Of the slices that ended in order; those under way have their own in the cache. */
  readonly counters: Counters;
  /** The writer whose counts are among them: its lease may still tell them as well. */
  readonly recorded?: string;
  readonly problem: Failure | null;
  readonly scheduled?: Scheduled;
}

/** How answers are read, and with which key, as a hash; and since when that is so. */
export interface Reading {
  readonly of: string;
  readonly sinceMs: number;
}

/** What a run keeps to that a schedule started. */
export interface Scheduled {
  /** Of the schedule. */
  readonly id: string;
  /** Calls it may make; null: any number. */
  readonly callsMax: number | null;
  /** For the next one, where this one is cut off. Absent: an older version started it. */
  readonly reading?: Reading | undefined;
}

/** A start that has not ended by then was cut off. */
const STARTING_MS_MAX = 120_000;

export const hasEnded = ({ state }: Run): boolean => state === 'stopped' || state === 'finished';

export function isOver(run: Run, nowMs: number): boolean {
  if (run.state === 'starting') return nowMs > run.startedMs + STARTING_MS_MAX;
  return hasEnded(run);
}

/** As somebody stops it; one that is starting has marks yet to take away, and ends with them. */
export const stopped = (run: Run, nowMs: number): Run => ({
  ...run,
  state: 'stopped',
  endedMs: run.state === 'starting' ? null : nowMs,
  problem: null,
  touchedMs: nowMs,
});

/** Stopped while it was starting, which goes on for a moment. */
export const isEnding = ({ state, startedMs, endedMs }: Run, nowMs: number): boolean =>
  state === 'stopped' && endedMs === null && nowMs <= startedMs + STARTING_MS_MAX;

/** Stuck, but not for good: its person's clock tries again. */
export function isHeldUp({ state, problem, rescueMinutes, scheduled }: Run): boolean {
  if (state !== 'stuck' || problem === null || scheduled !== undefined) return false;
  if (rescueMinutes === undefined) return false;
  // Somebody has to change the key, or allow it.
  if (problem.kind === 'key-refused' || problem.kind === 'copied') return false;
  const isDown = problem.kind === 'run' && problem.why === 'service-down';
  return isDown || problem.kind === 'not-permitted' || willPass(problem);
}

export function sum(one: Counters, other: Counters): Counters {
  const failures: Record<string, number> = { ...one.failures };
  for (const [kind, rows] of Object.entries(other.failures))
    failures[kind] = (failures[kind] ?? 0) + rows;
  return {
    answered: one.answered + other.answered,
    cached: one.cached + other.cached,
    failures,
    calls: one.calls + other.calls,
    workedMs: one.workedMs + other.workedMs,
    kept: one.kept + other.kept,
    lostCount: one.lostCount + other.lostCount,
    lost: [...one.lost, ...other.lost].slice(0, LOST_LISTED_MAX),
  };
}

export const failedRows = ({ failures }: Counters): number =>
  Object.values(failures).reduce((total, rows) => total + rows, 0);

export const settledRows = (counters: Counters): number =>
  counters.answered + counters.cached + failedRows(counters);

export function countersSchema() {
  const count = numberWithin(0, Number.MAX_SAFE_INTEGER);
  return atLeast({
    ...{ answered: count, cached: count, failures: byName(count), calls: count, workedMs: count },
    ...{ kept: count, lostCount: count, lost: listOf(atLeast({})) },
  });
}

/** What is looked into: another value in the place of the rest is shown as it is. */
export const runSchema = () =>
  atLeast({
    ...{ version: oneOf(RUN_VERSION), id: text(), fields: listOf(text()) },
    layout: atLeast({ columns: listOf(knownColumn()), others: listOf(text()) }),
    market: atLeast({ kind: text() }),
    counters: countersSchema(),
    problem: orNone(that(isFailure)),
  });

/** null for text that is no record of this version. */
export const parseRun = (text: string | null): Run | null => storedAs(text, runSchema());

export interface RunCounter {
  read(): Counters;
  /** Rows found in their places with this answer in them; `isCached`: it was there before the run. */
  placed(row: Row, answer: Answer, isCached: boolean): void;
  add(more: Partial<Counters>): void;
  lost(products: readonly Product[]): void;
}

export function runCounter(before: Counters): RunCounter {
  let counters = before;
  const asked = new Set<string>();
  const add = (more: Partial<Counters>) => {
    counters = sum(counters, { ...NO_COUNTS, ...more });
  };
  return {
    read: () => counters,
    add,
    placed(row, answer, isCached) {
      if (!answer.ok) {
        add({ failures: { [answer.failure.kind]: 1 } });
        return;
      }
      const key = identityOf(row);
      const isFree = isCached || asked.has(key);
      asked.add(key);
      add(isFree ? { cached: 1 } : { answered: 1 });
    },
    lost: (products) => add({ lost: products, lostCount: products.length }),
  };
}
