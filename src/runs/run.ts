// A run: the choice, the record, its states and counters. All transitions are pure.

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
      /** For a retry: earlier failures are not included. */
      readonly sinceMs?: number | undefined;
    }
  | { readonly kind: 'older'; readonly days: number }
  /** The rows of one product, given by key, which is asked for again whatever is stored. */
  | { readonly kind: 'product'; readonly product: string };

/** What a run should do, as a person chose it. */
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
   * Whether a market gets columns of its own instead of replacing another market's figures. Left
   * out: it gets its own if all existing figures are another market's.
   */
  readonly apart?: boolean;
  /** Whether rules mark rows, which takes a column. */
  readonly marksChanges?: boolean;
}

/** The most rows of a sheet: ten million cells in one column. */
export const ROWS_MAX = 10_000_000;
export const COLUMNS_MAX = 18_278;

/** The schema members of a list's place. */
export const listPlace = () => ({
  sheetId: upTo(Number.MAX_SAFE_INTEGER),
  headerRow: upTo(ROWS_MAX),
  productColumn: wholeNumber(COLUMNS_MAX),
  market: either(
    record({ kind: oneOf('column'), column: wholeNumber(COLUMNS_MAX) }),
    record({ kind: oneOf('one'), market: oneOf(...MARKETS) }),
  ),
});

/** A choice without the product column. */
export type ChoiceByHand = Omit<Choice, 'productColumn'>;

/** Increased when the form of the record changes; a run of another version counts as over. */
export const RUN_VERSION = 1;

/** Up to this many products without a row are listed; further ones are only counted. */
const LOST_LISTED_MAX = 20;

export interface Counters {
  readonly answered: number;
  readonly cached: number;
  /** The number of rows by kind of failure. */
  readonly failures: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly workedMs: number;
  /** The number of cells that were left as they are. */
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
  /**
   * The person who started it, as a random name, because the add-on does not see e-mail addresses.
   */
  readonly by: string;
  readonly state: RunState;
  readonly startedMs: number;
  /** null: it has not ended, or was never ended properly. */
  readonly endedMs: number | null;
  /** When the record was last changed. */
  readonly touchedMs: number;
  readonly sheetId: number;
  readonly sheetName: string;
  readonly layout: Layout;
  readonly fields: readonly Field[];
  readonly market: MarketRule;
  readonly rows: number;
  /**
   * The number of rows in the choice that are not written, because their status is a person's own
   * text or cells are merged.
   */
  readonly leftOut?: number;
  /**
   * Whether rows outside the choice already showed other products' figures before the run began.
   */
  readonly isPastedOver?: boolean;
  /** Answers must have been fetched at or after this moment, ms since 1970. */
  readonly notBeforeMs?: number;
  /** The number of workers at the beginning. */
  readonly workers?: number;
  /** How often the clock checks whether the run was abandoned, in minutes; absent: never. */
  readonly rescueMinutes?: number;
  /**
   * New columns that still need formats and widths, possibly none. Present until the last part of
   * the start, which is these and the clock, is done.
   */
  readonly toDress?: readonly ColumnKey[];
  /** The counts of calls that ended normally; those under way keep their own in the cache. */
  readonly counters: Counters;
  /**
   * The writer whose counts are already included, although its lease may still hold them as well.
   */
  readonly recorded?: string;
  readonly problem: Failure | null;
  readonly scheduled?: Scheduled;
}

/** How answers are read and with which key, as a hash, and since when. */
export interface Reading {
  readonly of: string;
  readonly sinceMs: number;
}

/** The constraints of a run that a schedule started. */
export interface Scheduled {
  /** The id of the schedule. */
  readonly id: string;
  /** The most calls that it may make; null: any number. */
  readonly callsMax: number | null;
  /** For the next run if this one is cut off. Absent: an older version started it. */
  readonly reading?: Reading | undefined;
}

/** A start that has not ended by then was cut off. */
const STARTING_MS_MAX = 120_000;

export const hasEnded = <R extends Run>(
  run: R,
): run is R & { readonly state: 'stopped' | 'finished' } =>
  run.state === 'stopped' || run.state === 'finished';

export function isOver(run: Run, nowMs: number): boolean {
  if (run.state === 'starting') return nowMs > run.startedMs + STARTING_MS_MAX;
  return hasEnded(run);
}

/**
 * After a person stopped it. A run that is starting still has to remove its marks and ends after
 * that.
 */
export const stopped = (run: Run, nowMs: number): Run => ({
  ...run,
  state: 'stopped',
  endedMs: run.state === 'starting' ? null : nowMs,
  problem: null,
  touchedMs: nowMs,
});

/** Whether it was stopped during its start, which goes on for a moment. */
export const isEnding = ({ state, startedMs, endedMs }: Run, nowMs: number): boolean =>
  state === 'stopped' && endedMs === null && nowMs <= startedMs + STARTING_MS_MAX;

/** Whether it is stuck only for the time being, so that its owner's clock tries again. */
export function isHeldUp({ state, problem, rescueMinutes, scheduled }: Run): boolean {
  if (state !== 'stuck' || problem === null || scheduled !== undefined) return false;
  if (rescueMinutes === undefined) return false;
  // A person has to change or allow the key.
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

/** Only what is used is checked; other members with unexpected values are shown as they are. */
export const runSchema = () =>
  atLeast({
    ...{ version: oneOf(RUN_VERSION), id: text(), fields: listOf(text()) },
    layout: atLeast({ columns: listOf(knownColumn()), others: listOf(text()) }),
    market: atLeast({ kind: text() }),
    counters: countersSchema(),
    problem: orNone(that(isFailure)),
  });

/** null for a text that is no record of this version. */
export const parseRun = (text: string | null): Run | null => storedAs(text, runSchema());

export interface RunCounter {
  read(): Counters;
  /** Counts a row that holds its answer. `isCached`: the answer existed before the run. */
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
