// A run: the choice, the record, its states and counters. All transitions are pure.

import * as z from 'zod/mini';
import { type Failure, willPass } from '../failures/failure';
import { failureSchema } from '../failures/failure-schema';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { storedAs } from '../platform/stored-record';
import type { Answer } from '../product/analysis';
import type { Product } from '../product/asin';
import { FIELDS, type Field } from '../product/fields';
import { type ColumnKey, knownColumnSchema, type Layout } from '../table/columns';
import { listPositionSchema } from '../table/list-position';
import { identityOf, type MarketRule, type Row } from '../table/row';

const DAYS_MAX = 3_650;

/** Longer than any name of ours. */
const NAME_CHARS_MAX = 40;

/** The name of a run, a product or a kind of failure. */
export const nameSchema = lazySchema(() =>
  z.string().check(z.minLength(1), z.maxLength(NAME_CHARS_MAX)),
);

/** A check of lists. */
export const withoutDuplicates = () =>
  z.refine<readonly unknown[]>((list) => new Set(list).size === list.length);

/** The figures to fill in. */
export const fieldsSchema = lazySchema(() => z.array(z.literal(FIELDS)).check(withoutDuplicates()));

export const rowSelectionSchema = lazySchema(() =>
  z.union([
    z.strictObject({ kind: z.literal('all') }),
    z.strictObject({ kind: z.literal('selection') }),
    z.strictObject({ kind: z.literal('visible') }),
    z.strictObject({ kind: z.literal('empty') }),
    z.strictObject({ kind: z.literal('failed') }),
    z.strictObject({
      kind: z.literal('older'),
      days: z.int().check(z.minimum(1), z.maximum(DAYS_MAX)),
    }),
    /** The rows of one product, given by key, which is asked for again whatever is stored. */
    z.strictObject({ kind: z.literal('product'), product: nameSchema() }),
  ]),
);

/** What a run should do, as a person chose it. */
export const choiceSchema = lazySchema(() =>
  z.strictObject({
    ...listPositionSchema().shape,
    rows: rowSelectionSchema(),
    fields: fieldsSchema(),
    /**
     * Whether a market gets columns of its own instead of replacing another market's figures. Left
     * out: it gets its own if all existing figures are another market's.
     */
    apart: z.exactOptional(z.boolean()),
  }),
);

type SentChoice = Fits<typeof choiceSchema>;

/** Failed rows of some kinds only, for a retry. */
interface FailedRowsOnly {
  readonly kind: 'failed';
  readonly kinds?: readonly string[] | undefined;
  /** Earlier failures are not included. */
  readonly sinceMs?: number | undefined;
}

export type RowSelection = Exclude<SentChoice['rows'], { kind: 'failed' }> | FailedRowsOnly;

export interface Choice extends Omit<SentChoice, 'rows'> {
  readonly rows: RowSelection;
  /** Whether rules mark rows, which takes a column. */
  readonly marksChanges?: boolean;
}

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
export const readingSchema = lazySchema(() => z.object({ of: z.string(), sinceMs: z.number() }));

export type Reading = Fits<typeof readingSchema>;

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

export const countersSchema = lazySchema(() => {
  const count = z.number().check(z.nonnegative());
  return z.looseObject({
    answered: count,
    cached: count,
    failures: z.record(z.string(), count),
    calls: count,
    workedMs: count,
    kept: count,
    lostCount: count,
    lost: z.array(z.looseObject({})),
  });
});

/** Only what is used is checked; other members with unexpected values are shown as they are. */
export const runSchema = lazySchema(() =>
  z.looseObject({
    version: z.literal(RUN_VERSION),
    id: z.string(),
    fields: z.array(z.string()),
    layout: z.looseObject({ columns: z.array(knownColumnSchema()), others: z.array(z.string()) }),
    market: z.looseObject({ kind: z.string() }),
    counters: countersSchema(),
    problem: z.nullable(failureSchema()),
  }),
);

/** null for a text that is no record of this version. */
export const parseRun = (text: string | null): Run | null =>
  storedAs(text, runSchema()) as Run | null;

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
