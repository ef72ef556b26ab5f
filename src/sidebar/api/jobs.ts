// The methods of the List page: the list in view, the preview, and the job that the page drives.

import * as z from 'zod/mini';
import { existingAnalysisTab } from '../../analysis/analysis-tab';
import { whileLeased } from '../../analysis/leased';
import { type ShoppedList, shoppedList } from '../../deal/shopping-list';
import { openEngine } from '../../engine/doors';
import type { Engine } from '../../engine/engine';
import { type Failure, isFailure, runProblem } from '../../failures/failure';
import { columnSchema, sheetIdSchema } from '../../google/cells';
import type { Platform } from '../../google/platform';
import { activeSheet } from '../../google/spreadsheet';
import { askAhead, askProducts, type EncodedAnswer } from '../../jobs/ask';
import { bringBackTab, showColumns } from '../../jobs/columns';
import {
  dueNext,
  expectedMs,
  failedProducts,
  isCutByCopy,
  isOver,
  isWorkedOn,
  type Job,
  type JobAtWork,
  type JobState,
  jobKept,
  jobStore,
  leftProducts,
  setAside,
} from '../../jobs/job';
import { beginNext, queueNext } from '../../jobs/next';
import { showFailed } from '../../jobs/show-failed';
import { startJob } from '../../jobs/start';
import { goOnAtOnce, pause, recordAnswers, stop } from '../../jobs/work';
import { type Choice, choiceSchema, marketSourceOf } from '../../list/choice';
import { fillInNewRows } from '../../list/our-cells';
import { type Preview, preview } from '../../list/preview';
import { type SheetInView, sheetInView } from '../../list/sheet-in-view';
import { selectedRows, showListed, showSheet } from '../../list/show-rows';
import { type MarketSource, taggedLists } from '../../list/tagged-list';
import { DEFAULT_MARKET } from '../../product/market';
import { scheduleRunsKept } from '../../schedules/schedule';
import { lazySchema } from '../../schema/stored-record';
import type { Filled } from '../../sheet/filled-formulas';
import { addCopyOfValues } from '../../sheet/own-tab';
import { defineApi, nothingSchema } from './define-api';
import { described, type FailedProducts, failedProductsOf, type RpcFailure } from './failure-view';

export type { EncodedAnswer } from '../../jobs/ask';
export type { Choice } from '../../list/choice';
export type { ListColumn } from '../../list/cost-choice';
export type { RowList, RowNote } from '../../list/preview';

export interface ListInView extends SheetInView {
  /** The job of this spreadsheet unless it is over. One that a copy has cut off is shown once. */
  readonly job: JobStatus | null;
  /** Damaged records have just been set aside. True only once. */
  readonly isSetAside: boolean;
  /** Set if the person wants a list analyzed that can begin now. */
  readonly isNextDue?: boolean;
  /** Set if the sheet is a shopping list. */
  readonly shoppedFrom?: ShoppedList;
}

export interface JobPreview extends Omit<Preview, 'stop' | 'problem'> {
  readonly calls: number;
  /** 0: Google has refused further calls today. null: it has not. */
  readonly googleCallsLeft: 0 | null;
  readonly planCallsLeft: 0 | null;
  readonly capCallsLeft: number | null;
  /** The rows that cannot be read, as a job tells them; null: there are none. */
  readonly unread: FailedProducts | null;
  readonly problem?: RpcFailure;
}

/** A list that waits for a job. */
export interface NextShown {
  readonly sheetId: number;
  readonly market: MarketSource;
  readonly isMine: boolean;
}

/** `answered + cached + failed + left` is `products`. */
export interface JobStatus {
  readonly jobId: string;
  readonly state: JobState;
  readonly isMine: boolean;
  /** Whether a page or the clock has worked on it within three minutes. */
  readonly isWorkedOn: boolean;
  /** How often it was continued. If another page has continued it, this one works on it no more. */
  readonly continued: number;
  readonly isScheduled: boolean;
  readonly sheet: { readonly id: number; readonly name: string };
  /** The list's mark in its sheet, for a schedule. */
  readonly listId: string;
  readonly rows: number;
  readonly products: number;
  readonly answered: number;
  readonly cached: number;
  readonly failed: number;
  readonly left: number;
  readonly failures: readonly FailedProducts[];
  readonly calls: number;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  /** How long it was worked on, pauses left out. */
  readonly workedMs: number;
  readonly expectedMs: number | null;
  /** When a blocked job goes on by itself. */
  readonly resumesAtMs?: number;
  /** Why it is blocked. */
  readonly problem?: RpcFailure;
  /** What is analyzed once it is over, in turn. */
  readonly next: readonly NextShown[];
}

export interface Asked {
  readonly answers: readonly EncodedAnswer[];
  /** Products that were not asked in the time. */
  readonly left: readonly string[];
  readonly calls: number;
  /** How long calls were under way, and how long slots were waited for, ms. */
  readonly servedMs: number;
  readonly waitedMs: number;
  /** When the next call is due, if that is more than a moment away. */
  readonly nextCallAtMs?: number;
  /** Set once the job no longer runs: nothing more should be asked. */
  readonly status?: JobStatus;
}

const productsSchema = lazySchema(() => z.array(z.string().check(z.maxLength(40))));
const jobIdSchema = lazySchema(() => z.string().check(z.maxLength(40)));

const maxMsSchema = lazySchema(() => z.int().check(z.minimum(1), z.maximum(300_000)));

/** The most characters that a cell holds. */
const CELL_CHARS_MAX = 50_000;

function withEngine<T>(platform: Platform, use: (engine: Engine) => T): T | Failure {
  const engine = openEngine(platform, 'list');
  return isFailure(engine) ? engine : use(engine);
}

function statusOf(platform: Platform, job: Job): JobStatus {
  const { counts } = job;
  const isMe = (by: string) => by === jobStore(platform).person();
  const nowMs = platform.clock.nowMs();
  return {
    jobId: job.id,
    state: job.state,
    isMine: isMe(job.by),
    isWorkedOn: isWorkedOn(job, nowMs),
    continued: job.continued,
    isScheduled: job.scheduleId !== undefined,
    sheet: { id: job.sheetId, name: job.sheetName },
    listId: job.listId,
    rows: job.rows,
    products: job.products,
    answered: counts.answered,
    cached: counts.cached,
    failed: failedProducts(counts),
    left: leftProducts(job),
    failures: Object.entries(counts.failures).map(([kind, products]) =>
      failedProductsOf(kind, products, job.market),
    ),
    calls: counts.calls,
    startedAtMs: job.startedMs,
    workedMs: job.workedMs,
    ...(job.endedMs !== null && { endedAtMs: job.endedMs }),
    expectedMs: expectedMs(job),
    ...(job.resumesMs !== null && { resumesAtMs: job.resumesMs }),
    ...(job.why !== null && { problem: described(job.why) }),
    next: (job.next ?? []).map(({ by, choice }) => ({
      sheetId: choice.sheetId,
      market: marketSourceOf(choice),
      isMine: isMe(by),
    })),
  };
}

const statusAfter = (platform: Platform, job: Job | Failure): JobStatus | Failure =>
  isFailure(job) ? job : statusOf(platform, job);

const atWork = (platform: Platform, { job, queue }: JobAtWork) => ({
  status: statusOf(platform, job),
  queue,
});

const withQueue = (platform: Platform, work: JobAtWork | Failure) =>
  isFailure(work) ? work : atWork(platform, work);

/** The job unless it is over. One that was cut off by a copy of its spreadsheet ends with being shown. */
function jobToShow(platform: Platform, job: Job | null): Job | null {
  if (job === null || !isOver(job)) return job;
  const ended = isCutByCopy(job) ? stop(platform, job.id) : null;
  return ended === null || isFailure(ended) ? null : ended.job;
}

function listInView(platform: Platform): ListInView {
  const engine = openEngine(platform, 'list');
  const { defaultMarket = DEFAULT_MARKET } = isFailure(engine) ? {} : engine.connection.settings;
  const store = jobStore(platform);
  const latest = store.read();
  const job = jobToShow(platform, latest);
  const isNextDue =
    (latest?.next ?? []).length > 0 &&
    dueNext(latest, store.person(), platform.clock.nowMs()) !== null;
  const shoppedFrom = shoppedList(activeSheet());
  return {
    ...sheetInView(defaultMarket),
    job: job && statusOf(platform, job),
    ...(shoppedFrom !== null && { shoppedFrom }),
    ...(isNextDue && { isNextDue }),
    isSetAside: setAside(platform, { ...jobKept(), ...scheduleRunsKept() }),
  };
}

function previewOf(engine: Engine, choice: Choice): JobPreview | Failure {
  const inView = activeSheet();
  if (inView.id !== choice.sheetId) return runProblem('out-of-view', inView.name() ?? '');
  const seen = preview(engine, choice);
  return isFailure(seen) ? seen : shownPreview(engine, seen);
}

function shownPreview(engine: Engine, { stop: stopped, problem, ...seen }: Preview): JobPreview {
  const { cellsPerDay } = engine.limits;
  return {
    ...seen,
    calls: seen.products - seen.fresh,
    unread:
      seen.unreadable.count === 0 ? null : failedProductsOf('bad-asin', seen.unreadable.count),
    googleCallsLeft: stopped?.reason === 'google-limit' ? 0 : null,
    planCallsLeft: stopped?.reason === 'plan-used-up' ? 0 : null,
    capCallsLeft: cellsPerDay ? Math.max(0, cellsPerDay - engine.gate.cellCallsToday()) : null,
    ...(problem !== null && { problem: described(problem) }),
  };
}

function askForJob(
  platform: Platform,
  jobId: string,
  products: readonly string[],
  maxMs: number,
): Asked | Failure {
  const asked = askProducts(platform, jobId, products, { maxMs });
  if (isFailure(asked)) return asked;
  const { nextCallMs, ended, ...rest } = asked;
  return {
    ...rest,
    ...(nextCallMs !== null && { nextCallAtMs: nextCallMs }),
    ...(ended !== null && { status: statusOf(platform, ended) }),
  };
}

/** Fills in the rows of all lists of the active sheet. The caller has the lease. */
function fillInAll(platform: Platform): Filled | Failure {
  const tab = existingAnalysisTab(platform.clock);
  if (isFailure(tab)) return tab;
  let all: Filled = { filled: 0, kept: 0 };
  if (tab === null) return all;
  for (const list of taggedLists(activeSheet())) {
    const filled = fillInNewRows(tab, list);
    if (isFailure(filled)) return filled;
    all = { filled: all.filled + filled.filled, kept: all.kept + filled.kept };
  }
  return all;
}

export const jobsApi = defineApi({
  /** Reads the active sheet: its columns, its list, and a job that is not over. */
  'list.look': { schema: nothingSchema, handler: listInView },
  /** Reads the sheet, the tab and the cache. Asks nothing. */
  'jobs.preview': {
    schema: choiceSchema,
    handler: (platform, choice) => withEngine(platform, (engine) => previewOf(engine, choice)),
  },
  /** Makes the tab and the columns, and writes what is wanted. Asks nothing. */
  'jobs.start': {
    schema: () =>
      z.strictObject({
        ...choiceSchema().shape,
        /** How many the person saw; left out: nobody has counted them. */
        products: z.exactOptional(z.int().check(z.nonnegative())),
      }),
    handler: (platform, { products, ...choice }) =>
      withEngine(platform, (engine) =>
        withQueue(platform, startJob(platform, engine, choice, products)),
      ),
  },
  /** Has lists of a sheet follow a job, in turn; none: takes them back. */
  'jobs.queueNext': {
    schema: () =>
      z.strictObject({
        jobId: jobIdSchema(),
        sheetId: sheetIdSchema(),
        choices: z.array(choiceSchema()),
      }),
    handler: (platform, { jobId, sheetId, choices }) =>
      withQueue(platform, queueNext(platform, jobId, sheetId, choices)),
  },
  /** Begins what follows a job that is over; null: there is nothing. */
  'jobs.beginNext': {
    schema: nothingSchema,
    handler: (platform) => {
      const begun = beginNext(platform);
      if (begun === null || isFailure(begun)) return begun;
      return { ...atWork(platform, begun), choice: begun.choice };
    },
  },
  /** Asks for the first products of a job while it is being started. Writes no cell. */
  'jobs.askAhead': {
    schema: () => z.strictObject({ products: productsSchema(), maxMs: maxMsSchema() }),
    handler: (platform, { products, maxMs }) => askAhead(platform, products, maxMs),
  },
  /** Asks for products, within the key's limit, for at most `maxMs`. Writes no cell. */
  'jobs.ask': {
    schema: () =>
      z.strictObject({
        jobId: jobIdSchema(),
        products: productsSchema(),
        maxMs: maxMsSchema(),
      }),
    handler: (platform, { jobId, products, maxMs }) => askForJob(platform, jobId, products, maxMs),
  },
  /** Writes answers into the tab. One caller, every 5 to 15 s; without answers as a sign of life. */
  'jobs.record': {
    schema: () =>
      z.strictObject({
        jobId: jobIdSchema(),
        answers: z.array(z.tuple([z.string(), z.string()])),
        calls: z.int().check(z.nonnegative()),
      }),
    handler: (platform, { jobId, answers, calls }) =>
      statusAfter(platform, recordAnswers(platform, jobId, answers, calls)),
  },
  /** Pauses, stops or continues. To continue makes the caller the one who works on it. */
  'jobs.setState': {
    schema: () =>
      z.strictObject({ jobId: jobIdSchema(), state: z.literal(['running', 'paused', 'stopped']) }),
    handler: (platform, { jobId, state }) =>
      withQueue(
        platform,
        { running: goOnAtOnce, paused: pause, stopped: stop }[state](platform, jobId),
      ),
  },
  /** The latest job, also one that is over. May be called every 2 s. */
  'jobs.status': {
    schema: nothingSchema,
    handler: (platform) => {
      const job = jobStore(platform).read();
      return job === null ? null : statusOf(platform, job);
    },
  },
  /** Selects the rows of the job's list that show the word of this kind of failure. */
  'jobs.showFailed': {
    schema: () => z.strictObject({ jobId: jobIdSchema(), kinds: z.array(z.string()) }),
    handler: (platform, { jobId, kinds }) => counted(showFailed(platform, jobId, kinds)),
  },
  /** Selects rows of the preview that still hold what was shown. */
  'list.showRows': {
    schema: () =>
      z.strictObject({
        sheetId: sheetIdSchema(),
        productColumn: columnSchema(),
        rows: z.array(
          z.strictObject({ row: z.int(), shown: z.string().check(z.maxLength(CELL_CHARS_MAX)) }),
        ),
      }),
    handler: (_platform, { rows, ...list }) => counted(showListed(list, rows)),
  },
  /** Reads which rows are selected, and one cell of the first one. Cheap enough for every 2 s. */
  'list.selected': {
    schema: () => z.strictObject({ column: columnSchema() }),
    handler: (_platform, { column }) => selectedRows(column),
  },
  /** Brings a sheet into view. */
  'list.showSheet': {
    schema: () => z.strictObject({ sheetId: sheetIdSchema() }),
    handler: (_platform, { sheetId }) => showSheet(sheetId),
  },
  'list.fillInNewRows': {
    schema: nothingSchema,
    handler: (platform) => whileLeased(platform, 'filling in rows', () => fillInAll(platform)),
  },
  /** Copies the active sheet to a new one with plain values. */
  'list.copyAsValues': {
    schema: nothingSchema,
    handler: (platform) =>
      whileLeased(platform, 'copying a sheet', () => addCopyOfValues(activeSheet())),
  },
  /** Adds the columns of a choice that its list lacks, whatever rows it is for. Asks nothing. */
  'list.showColumns': {
    schema: choiceSchema,
    handler: (platform, choice) =>
      withEngine(platform, (engine) => counted(showColumns(platform, engine, choice))),
  },
  /** Makes the tab Analysis again after it was deleted, from stored answers. Asks nothing. */
  'list.bringBackTab': {
    schema: nothingSchema,
    handler: (platform) => withEngine(platform, (engine) => bringBackTab(platform, engine)),
  },
});

const counted = (rows: number | Failure) => (isFailure(rows) ? rows : { rows });
