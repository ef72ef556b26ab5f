// The methods of the Analyze page: payloads, and runs as the page is shown them.

import * as z from 'zod/mini';
import { wholeNumber } from '../../connection/connection';
import { type Engine, googleUse, openEngine } from '../../engine/engine';
import { type Failure, isFailure, runProblem } from '../../failures/failure';
import { appsScriptSpreadsheet } from '../../platform/apps-script/spreadsheet';
import { appsScriptTriggers } from '../../platform/apps-script/triggers';
import { columnLetters, type SheetPlatform } from '../../platform/ports';
import { FIELDS } from '../../product/fields';
import { DEFAULT_MARKET, MARKETS } from '../../product/market';
import { pauseRun, resumeRun, retryRun, stopRun } from '../../runs/control';
import { lookAt } from '../../runs/inspect';
import { preflight, shortList } from '../../runs/preflight';
import { type Choice, type ChoiceByHand, isHeldUp, type Job } from '../../runs/run';
import { jobStore, type RunStatus, runStatus } from '../../runs/run-store';
import { showFailed, showListed } from '../../runs/show-rows';
import { startRun } from '../../runs/start';
import { runLane, SLICE_MS_MAX } from '../../runs/worker';
import { methodsOf } from './define-api';
import { described } from './failure-view';
import type {
  BulkChoice,
  BulkColumn,
  BulkLook,
  BulkMethods,
  BulkStatus,
  RowChoice,
} from './runs-contract';

/** The largest sheet: ten million cells in one column. */
const ROWS_MAX = 10_000_000;
const COLUMNS_MAX = 18_278;
const DAYS_MAX = 3_650;

/** Rows that one click on a list of rows can select; a check lists fewer. */
const ROWS_SHOWN_MAX = 1_000;

export const upTo = (most: number) =>
  z.number().check(z.refine((value) => Number.isInteger(value) && value >= 0 && value <= most));
const shortText = () => z.string().check(z.refine((text) => text.length > 0 && text.length <= 40));

const jobPayload = () => z.strictObject({ jobId: shortText() });

/** Where a list stands: parts of a schema. */
export const listPlace = () => ({
  sheetId: upTo(Number.MAX_SAFE_INTEGER),
  headerRow: upTo(ROWS_MAX),
  productColumn: wholeNumber(COLUMNS_MAX),
  market: z.union([
    z.strictObject({ kind: z.literal('column'), column: wholeNumber(COLUMNS_MAX) }),
    z.strictObject({ kind: z.literal('one'), market: z.enum(MARKETS) }),
  ]),
});

function choicePayload() {
  const kind = <Kind extends string>(name: Kind) => z.strictObject({ kind: z.literal(name) });
  return z.strictObject({
    ...listPlace(),
    rows: z.union([
      kind('all'),
      kind('selection'),
      kind('visible'),
      kind('empty'),
      kind('failed'),
      z.strictObject({ kind: z.literal('older'), days: wholeNumber(DAYS_MAX) }),
    ]),
    fields: z.array(z.enum(FIELDS)),
    apart: z.exactOptional(z.boolean()),
  });
}

const runPayload = () =>
  z.strictObject({ jobId: shortText(), lane: upTo(9), maxMs: wholeNumber(SLICE_MS_MAX) });

const retryPayload = () => z.strictObject({ jobId: shortText(), kinds: z.array(shortText()) });

function showPayload() {
  const row = z.strictObject({ row: wholeNumber(ROWS_MAX), shown: z.string() });
  const isShort = (list: readonly unknown[]) => list.length <= ROWS_SHOWN_MAX;
  return z.union([
    z.strictObject({
      sheetId: upTo(Number.MAX_SAFE_INTEGER),
      productColumn: wholeNumber(COLUMNS_MAX),
      rows: z.array(row).check(z.refine(isShort)),
    }),
    z.strictObject({ jobId: shortText(), failed: shortText() }),
  ]);
}

type Value<M extends keyof BulkMethods> = BulkMethods[M]['value'];
type Payload<M extends keyof BulkMethods> = BulkMethods[M]['payload'];

type BulkPage = {
  readonly [M in keyof BulkMethods]: (payload: Payload<M>) => Value<M> | Failure;
};

function bulkPage(platform: SheetPlatform): BulkPage {
  const { clock } = platform;
  const withEngine = <T>(use: (engine: Engine) => T): T | Failure => {
    const engine = openEngine(platform, clock.nowMs());
    return isFailure(engine) ? engine : use(engine);
  };
  const status = () => {
    const now = runStatus(platform, jobStore(platform));
    return now === null ? null : shownStatus(now);
  };
  const statusAfter = (outcome: Job | Failure): BulkStatus | Failure =>
    isFailure(outcome) ? outcome : (status() ?? runProblem('over'));

  return {
    'bulk.look': () => look(platform, status()),
    'bulk.preflight': (choice) =>
      withEngine((engine) => check(platform, engine, readChoice(choice))),
    'bulk.start': (choice) =>
      withEngine((engine) => statusAfter(startRun(platform, engine, readChoice(choice)))),
    'bulk.run': ({ jobId, lane, maxMs }) => {
      const end = runLane(platform, jobId, lane, maxMs);
      if (isFailure(end)) return end;
      const now = status();
      if (now === null) return runProblem('over');
      return { status: now, againInMs: end.againInMs };
    },
    'bulk.status': () => status(),
    'bulk.pause': ({ jobId }) => statusAfter(pauseRun(platform, jobId)),
    'bulk.resume': ({ jobId }) => statusAfter(resumeRun(platform, jobId)),
    'bulk.stop': ({ jobId }) => statusAfter(stopRun(platform, jobId)),
    'bulk.retry': ({ jobId, kinds }) =>
      withEngine((engine) => statusAfter(retryRun(platform, engine, jobId, kinds))),
    'bulk.history': () => history(platform),
    'bulk.show': (wanted) => {
      const shown =
        'rows' in wanted
          ? showListed(platform, wanted, wanted.rows)
          : showFailed(platform, wanted.jobId, wanted.failed);
      return isFailure(shown) ? shown : { shown };
    },
  };
}

function look(platform: SheetPlatform, run: BulkStatus | null): BulkLook {
  const engine = openEngine(platform, platform.clock.nowMs());
  const market = isFailure(engine)
    ? DEFAULT_MARKET
    : (engine.connection.settings.defaultMarket ?? DEFAULT_MARKET);
  const isOver = run !== null && (run.state === 'finished' || run.state === 'stopped');
  // A run that is under way is shown in place of the choice.
  const seen = lookAt(platform, market, run === null || isOver);
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
    choice: seen.choice === null ? null : sentChoice(seen.choice),
    ...(seen.byHand === null ? {} : { byHand: sentChoice(seen.byHand) }),
    ...(seen.nearest === null
      ? {}
      : { nearest: { ...seen.nearest, ...columnAt(seen.nearest.column) } }),
    run: isOver ? null : run,
  };
}

function readChoice(choice: BulkChoice): Choice {
  return { ...choice, fields: FIELDS.filter((field) => choice.fields.includes(field)) };
}

/** Kinds of failed rows are chosen by a retry alone, and no page remembers them. */
function sentChoice<C extends ChoiceByHand>({ rows, ...choice }: C) {
  const sent: RowChoice = rows.kind === 'failed' ? { kind: 'failed' } : rows;
  return { ...choice, rows: sent };
}

function check(
  platform: SheetPlatform,
  engine: Engine,
  choice: Choice,
): Value<'bulk.preflight'> | Failure {
  const { id, name } = platform.spreadsheet.active();
  if (id !== choice.sheetId) return runProblem('out-of-view', name() ?? '');
  const found = preflight(platform, engine, choice);
  if (isFailure(found)) return found;
  const { plan, products, fresh, expectedMs, stop } = found;
  const { perDay, usedToday } = googleUse(engine, platform.clock.nowMs()).calls;
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
    ...(found.problem === null ? {} : { problem: described(found.problem) }),
  };
}

function shownStatus(now: RunStatus): BulkStatus {
  const { job, counters, nextCallMs, problem } = now;
  return {
    jobId: job.id,
    state: now.state,
    isMine: now.isMine,
    startedAtMs: job.startedMs,
    ...(job.endedMs === null ? {} : { endedAtMs: job.endedMs }),
    sheet: { id: job.sheetId, name: job.sheetName },
    rows: job.rows,
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
    leftOut: job.leftOut ?? 0,
    lanes: job.lanes,
    ...(job.rescueMinutes === undefined ? {} : { rescueMinutes: job.rescueMinutes }),
    ...(job.scheduled === undefined ? {} : { isScheduled: true }),
    ...(isHeldUp(job) ? { isHeldUp: true } : {}),
    ...(problem === null ? {} : { problem: described(problem) }),
  };
}

function history(platform: SheetPlatform): Value<'bulk.history'> {
  const store = jobStore(platform);
  const viewer = store.person();
  return {
    runs: store.runs().map(({ by, startedMs, endedMs, ...run }) => ({
      ...run,
      startedAtMs: startedMs,
      endedAtMs: endedMs,
      isMine: by === viewer,
    })),
  };
}

/** Built on a call, not at load: cells load this file too. */
export function bulkMethods() {
  const nothing = z.strictObject({}) as z.ZodMiniType<Readonly<Record<string, never>>>;
  return methodsOf<BulkMethods, BulkPage>(
    {
      'bulk.look': nothing,
      'bulk.preflight': choicePayload(),
      'bulk.start': choicePayload(),
      'bulk.run': runPayload(),
      'bulk.status': nothing,
      'bulk.pause': jobPayload(),
      'bulk.resume': jobPayload(),
      'bulk.stop': jobPayload(),
      'bulk.retry': retryPayload(),
      'bulk.history': nothing,
      'bulk.show': showPayload(),
    },
    (platform) =>
      bulkPage({
        ...platform,
        spreadsheet: appsScriptSpreadsheet(),
        triggers: appsScriptTriggers(),
      }),
  );
}
