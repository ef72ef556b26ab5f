// The methods of the Analyze page: payloads, and runs as the page receives them.

import * as z from 'zod/mini';
import { type Engine, googleUse, openEngine } from '../../engine/engine';
import { type Failure, isFailure, runProblem } from '../../failures/failure';
import { lazySchema } from '../../platform/lazy-schema';
import { columnLetters, type SheetPlatform } from '../../platform/ports';
import { columnSchema, rowSchema, sheetIdSchema } from '../../platform/sheet-schemas';
import { setAside } from '../../platform/stored-record';
import { FIELDS } from '../../product/fields';
import { DEFAULT_MARKET } from '../../product/market';
import { cellCallsIn } from '../../quota/google-limits';
import { pauseRun, resumeRun, retryRun, stopRun } from '../../runs/control';
import { type Inspection, inspect } from '../../runs/inspect';
import { type Preflight, preflight, shortList } from '../../runs/preflight';
import {
  type Choice,
  type ChoiceByHand,
  type Counters,
  choiceSchema,
  isHeldUp,
  nameSchema,
  type RowSelection,
  type Run,
  withoutDuplicates,
} from '../../runs/run';
import {
  type EndedRun,
  type RunStatus,
  runStatus,
  runStore,
  runsKept,
  WORKERS_MAX,
} from '../../runs/run-store';
import { choicesKept } from '../../runs/saved-choice';
import { showFailed, showListed } from '../../runs/show-rows';
import { startAndWork, startRun } from '../../runs/start';
import { runWorker, SLICE_MS_MAX, type WorkerEnd } from '../../runs/worker';
import { scheduleRunsKept } from '../../schedules/schedule-store';
import { defineApi, nothingSchema } from './define-api';
import { described, type RpcFailure } from './failure-view';

export interface BulkColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  /** The text of the header; '' if there is none. */
  readonly title: string;
}

export interface BulkField {
  readonly name: Choice['fields'][number];
  /** The header of its column, or of the column that would be added. */
  readonly title: string;
  /** Its existing column; null: a column is added at the right. */
  readonly column: BulkColumn | null;
  /** Whether it is written unless the person decides otherwise. */
  readonly chosen: boolean;
}

export interface BulkInspection extends Pick<Inspection, 'listRows' | 'selectedRows' | 'toClean'> {
  readonly sheet: { readonly id: number; readonly name: string };
  /** Columns with content, for the page's two lists of columns; empty for an empty sheet. */
  readonly columns: readonly BulkColumn[];
  readonly fields: readonly BulkField[];
  /**
   * The initial choice: the one saved for this sheet, else the one that was found. null: there is
   * no product column.
   */
  readonly choice: Choice | null;
  /**
   * Set if no product column was found: the rest of the choice for a column that a person picks.
   */
  readonly byHand?: ChoiceByHand;
  /** Set if no product column was found: the best candidate. */
  readonly nearest?: BulkColumn & NonNullable<Inspection['nearest']>;
  /** The latest run of this spreadsheet if it is not over. */
  readonly run: BulkStatus | null;
  /** Whether damaged records of runs have just been set aside. It is true only once. */
  readonly isSetAside: boolean;
}

/**
 * Rows that need attention, each with the reason. A long list is cut; `count` is the full number.
 */
export type RowList = ReturnType<typeof shortList>;

export interface BulkPreflight
  extends Pick<Preflight, 'fresh' | 'again' | 'expectedMs' | 'replaced'> {
  /** The number of rows that the choice covers. */
  readonly rows: number;
  /** The number of distinct products in them. */
  readonly products: number;
  /** The number of calls that the run makes if nothing fails. */
  readonly calls: number;
  readonly unreadable: RowList;
  /** Products that were read but are not written plainly: lost zeros, links, ISBN-13. */
  readonly repaired: RowList;
  /** Rows whose product is already in an earlier row. They are filled without a call. */
  readonly duplicates: RowList;
  /** Rows with content of the person's own in the output columns, which is kept. */
  readonly kept: RowList;
  /** The headers of the columns that will be added, in order. */
  readonly added: readonly string[];
  /** Whether the output has columns of its own, beside those of the other market. */
  readonly areApart: boolean;
  /** The most calls that Google still allows today, according to the add-on's own count. */
  readonly googleCallsLeft: number;
  /**
   * The calls left in the key's plan: 0 once the service has said that the plan is used up. Before
   * that it is null, because the headers of answers concern the rate and not the plan.
   */
  readonly planCallsLeft: 0 | null;
  /**
   * What the owner of a shared key still allows the viewer, who has none of their own, today; null:
   * any number.
   */
  readonly capCallsLeft: number | null;
  /** Why the run cannot be started as it is. */
  readonly problem?: RpcFailure;
}

/** The number of rows that failed for one reason. */
export interface FailedRows {
  readonly kind: string;
  readonly rows: number;
}

/** `answered + cached + failed + left` is `rows`, unless rows were deleted. */
export interface BulkStatus
  extends Pick<Run, 'rows' | 'rescueMinutes'>,
    Pick<Counters, 'answered' | 'cached' | 'calls' | 'workedMs'>,
    Omit<RunStatus, 'run' | 'counters' | 'nextCallMs' | 'problem'> {
  readonly runId: string;
  /** Whether a schedule started it and continues it, so that no page calls `bulk.run` for it. */
  readonly isScheduled?: boolean;
  /** Whether it is stuck for a temporary reason and the clock of its owner tries again. */
  readonly isHeldUp?: boolean;
  readonly startedAtMs: number;
  /** When it finished or was stopped; absent before. */
  readonly endedAtMs?: number;
  readonly sheet: { readonly id: number; readonly name: string };
  readonly failures: readonly FailedRows[];
  /** When the next call is due, if the run waits for the key's limit for more than a moment. */
  readonly nextCallAtMs?: number;
  /** Results whose row was deleted or is no longer marked for this run. */
  readonly notPlaced: { readonly count: number; readonly products: Counters['lost'] };
  /** The number of cells with content of the person's own, which were left as they are. */
  readonly keptCells: number;
  /** The number of rows in the choice that the run leaves alone: `kept` of the check. */
  readonly leftOut: number;
  /** Why it is stuck. */
  readonly problem?: RpcFailure;
}

/** A run that is over, for the history. */
export interface PastRun extends Omit<EndedRun, 'by' | 'startedMs' | 'endedMs'> {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isMine: boolean;
}

/** The most characters that a cell holds. */
const CELL_CHARS_MAX = 50_000;

/** The most rows that one click on a list can select; a check lists fewer. */
const ROWS_SHOWN_MAX = 1_000;

const runPayloadSchema = lazySchema(() => z.strictObject({ runId: nameSchema() }));

const sliceMsSchema = lazySchema(() => z.int().check(z.minimum(1), z.maximum(SLICE_MS_MAX)));

const shownRowsSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    productColumn: columnSchema(),
    rows: z
      .array(
        z.strictObject({ row: rowSchema(), shown: z.string().check(z.maxLength(CELL_CHARS_MAX)) }),
      )
      .check(z.maxLength(ROWS_SHOWN_MAX)),
  }),
);

function status(platform: SheetPlatform): BulkStatus | null {
  const now = runStatus(platform, runStore(platform));
  return now === null ? null : shownStatus(now);
}

const statusAfter = (platform: SheetPlatform, outcome: Run | Failure): BulkStatus | Failure =>
  isFailure(outcome) ? outcome : (status(platform) ?? runProblem('run-ended'));

function withStatus(platform: SheetPlatform, end: WorkerEnd | Failure) {
  if (isFailure(end)) return end;
  const now = status(platform);
  return now === null ? runProblem('run-ended') : { status: now, againInMs: end.againInMs };
}

function withEngine<T>(platform: SheetPlatform, use: (engine: Engine) => T): T | Failure {
  const engine = openEngine(platform);
  return isFailure(engine) ? engine : use(engine);
}

function look(platform: SheetPlatform, run: BulkStatus | null): BulkInspection {
  const engine = openEngine(platform);
  const market = isFailure(engine)
    ? DEFAULT_MARKET
    : (engine.connection.settings.defaultMarket ?? DEFAULT_MARKET);
  const isOver = run !== null && (run.state === 'finished' || run.state === 'stopped');
  // During a run the page shows the run in place of the choice.
  const seen = inspect(platform, market, run === null || isOver);
  const columnAt = (column: number): BulkColumn => ({
    column,
    letter: columnLetters(column),
    title: seen.titles[column - 1] ?? '',
  });
  return {
    sheet: { id: seen.sheet.id, name: seen.name },
    columns: seen.filled.map(columnAt),
    fields: seen.fields.map(({ field, title, column }) => ({
      name: field,
      title,
      column: column === null ? null : columnAt(column),
      chosen: (seen.choice ?? seen.byHand)?.fields.includes(field) ?? false,
    })),
    listRows: seen.listRows,
    selectedRows: seen.selectedRows,
    toClean: seen.toClean,
    choice: seen.choice === null ? null : sentChoice(seen.choice),
    ...(seen.byHand === null ? {} : { byHand: sentChoice(seen.byHand) }),
    ...(seen.nearest === null
      ? {}
      : { nearest: { ...seen.nearest, ...columnAt(seen.nearest.column) } }),
    run: isOver ? null : run,
    isSetAside: setAside(platform, {
      ...runsKept(),
      ...choicesKept(),
      ...scheduleRunsKept(),
      
    }),
  };
}

function readChoice(choice: Choice): Choice {
  return { ...choice, fields: FIELDS.filter((field) => choice.fields.includes(field)) };
}

/** The choice without the kinds of failed rows, which only a retry uses and no page remembers. */
function sentChoice<C extends ChoiceByHand>({ rows, ...choice }: C) {
  const sent: RowSelection = rows.kind === 'failed' ? { kind: 'failed' } : rows;
  return { ...choice, rows: sent };
}

function check(platform: SheetPlatform, engine: Engine, choice: Choice): BulkPreflight | Failure {
  const { id, name } = platform.spreadsheet.active();
  if (id !== choice.sheetId) return runProblem('out-of-view', name() ?? '');
  const found = preflight(platform, engine, choice);
  if (isFailure(found)) return found;
  const { plan, products, fresh, expectedMs, stop } = found;
  const nowMs = platform.clock.nowMs();
  const { perDay, usedToday } = googleUse(engine, nowMs).calls;
  const { cellsPerDay } = engine.limits;
  return {
    rows: plan.rows.length,
    products: products.length,
    fresh,
    calls: products.length - fresh,
    again: found.again,
    expectedMs,
    unreadable: shortList(found.unreadable),
    repaired: shortList(found.repaired),
    duplicates: shortList(found.duplicates),
    kept: shortList(found.kept),
    added: plan.columns.added.map(({ title }) => title),
    replaced: found.replaced,
    areApart: plan.columns.areApart,
    googleCallsLeft: stop?.reason === 'google-limit' ? 0 : Math.max(0, perDay - usedToday),
    planCallsLeft: stop?.reason === 'plan-used-up' ? 0 : null,
    capCallsLeft: cellsPerDay
      ? Math.max(0, cellsPerDay - cellCallsIn(engine.gate.keyDay(), nowMs))
      : null,
    ...(found.problem === null ? {} : { problem: described(found.problem) }),
  };
}

function shownStatus(now: RunStatus): BulkStatus {
  const { run, counters, nextCallMs, problem } = now;
  return {
    runId: run.id,
    state: now.state,
    isMine: now.isMine,
    startedAtMs: run.startedMs,
    ...(run.endedMs === null ? {} : { endedAtMs: run.endedMs }),
    sheet: { id: run.sheetId, name: run.sheetName },
    rows: run.rows,
    answered: counters.answered,
    cached: counters.cached,
    failed: now.failed,
    left: now.left,
    failures: Object.entries(counters.failures).map(([kind, rows]) => ({ kind, rows })),
    calls: counters.calls,
    workedMs: counters.workedMs,
    rowsPerMinute: now.rowsPerMinute,
    expectedMs: now.expectedMs,
    currentRows: now.currentRows,
    ...(nextCallMs === null ? {} : { nextCallAtMs: nextCallMs }),
    notPlaced: { count: counters.lostCount, products: counters.lost },
    keptCells: counters.kept,
    leftOut: run.leftOut ?? 0,
    workers: now.workers,
    ...(run.rescueMinutes === undefined ? {} : { rescueMinutes: run.rescueMinutes }),
    ...(run.scheduled === undefined ? {} : { isScheduled: true }),
    ...(isHeldUp(run) ? { isHeldUp: true } : {}),
    ...(problem === null ? {} : { problem: described(problem) }),
  };
}

function history(platform: SheetPlatform): { readonly runs: readonly PastRun[] } {
  const store = runStore(platform);
  const viewer = store.person();
  return {
    runs: store.history().map(({ by, startedMs, endedMs, ...run }) => ({
      ...run,
      startedAtMs: startedMs,
      endedAtMs: endedMs,
      isMine: by === viewer,
    })),
  };
}

export const runsApi = defineApi({
  /** Reads the active sheet: its columns, what was found in it, and a run that is not over. */
  'bulk.look': { schema: nothingSchema, handler: (platform) => look(platform, status(platform)) },
  /** Checks a choice, reading only the sheet and the cache. */
  'bulk.preflight': {
    schema: choiceSchema,
    handler: (platform, choice) =>
      withEngine(platform, (engine) => check(platform, engine, readChoice(choice))),
  },
  /** Adds missing columns, marks the rows and records the run. Makes no calls; `bulk.run` does. */
  'bulk.start': {
    schema: choiceSchema,
    handler: (platform, choice) =>
      withEngine(platform, (engine) =>
        statusAfter(platform, startRun(platform, engine, readChoice(choice))),
      ),
  },
  /**
   * `bulk.start` and the first worker's `bulk.run` in one call, so that nothing is read twice.
   * Askers that are called at the same time have work before the rows are marked. `bulk.status`
   * shows when the run has begun.
   */
  'bulk.startRun': {
    schema: () =>
      z.strictObject({
        choice: choiceSchema(),
        runId: z.string().check(z.regex(/^[a-z0-9]{1,12}$/)),
        maxMs: sliceMsSchema(),
      }),
    handler: (platform, { choice, ...ahead }) =>
      withEngine(platform, (engine) =>
        withStatus(platform, startAndWork(platform, engine, readChoice(choice), ahead)),
      ),
  },
  /**
   * Works on the run for at most `maxMs`. The page calls it again while `againInMs` is a number,
   * with at most one call at a time for each of the `workers`.
   */
  'bulk.run': {
    schema: () =>
      z.strictObject({
        runId: nameSchema(),
        worker: z.int().check(z.nonnegative(), z.maximum(WORKERS_MAX - 1)),
        maxMs: sliceMsSchema(),
      }),
    handler: (platform, { runId, worker, maxMs }) =>
      withStatus(platform, runWorker(platform, runId, worker, maxMs)),
  },
  /** The latest run, whether or not it is over or being worked on. May be called every 2 s. */
  'bulk.status': { schema: nothingSchema, handler: status },
  /** Ends the workers within a second or two; the state is `pausing` until then. */
  'bulk.pause': {
    schema: runPayloadSchema,
    handler: (platform, { runId }) => statusAfter(platform, pauseRun(platform, runId)),
  },
  /** Ends the pause. The page then has to call `bulk.run`. */
  'bulk.resume': {
    schema: runPayloadSchema,
    handler: (platform, { runId }) => statusAfter(platform, resumeRun(platform, runId)),
  },
  /** Ends the run for good. What it has written stays. */
  'bulk.stop': {
    schema: runPayloadSchema,
    handler: (platform, { runId }) => statusAfter(platform, stopRun(platform, runId)),
  },
  /** Starts a new run on the rows that failed in this one, for these kinds of `FailedRows`. */
  'bulk.retry': {
    schema: () =>
      z.strictObject({
        runId: nameSchema(),
        kinds: z.array(nameSchema()).check(withoutDuplicates()),
      }),
    handler: (platform, { runId, kinds }) =>
      withEngine(platform, (engine) =>
        statusAfter(platform, retryRun(platform, engine, runId, kinds)),
      ),
  },
  /** The latest runs that are over, newest first. */
  'bulk.history': { schema: nothingSchema, handler: history },
  /**
   * Selects rows in the sheet and scrolls to the first, wherever they are now: rows of a check,
   * given with their former place and text, or all rows that failed in one way.
   */
  'bulk.show': {
    schema: () =>
      z.union([shownRowsSchema(), z.strictObject({ runId: nameSchema(), failed: nameSchema() })]),
    handler(platform, wanted) {
      const shown =
        'rows' in wanted
          ? showListed(platform, wanted, wanted.rows)
          : showFailed(platform, wanted.runId, wanted.failed);
      return isFailure(shown) ? shown : { shown };
    },
  },
});
