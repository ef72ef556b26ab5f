// A job: one bulk analysis of a list. Its record, its states and its counts. Transitions are pure.

import * as z from 'zod/mini';
import { concernOf, type Failure, isFailure } from '../failures/failure';
import type { GroupMarket } from '../list/marked-list';
import { lazySchema, storedAs } from '../schema/stored-record';

/** `blocked`: nothing can be asked for now; `why` says why, `resumesMs` when it goes on by itself. */
export type JobState = 'running' | 'paused' | 'blocked' | 'stopped' | 'done';

export interface JobCounts {
  /** Products answered by a call of this job. */
  readonly answered: number;
  /** Products that needed no call. */
  readonly cached: number;
  /** Products by kind of failure. */
  readonly failures: Readonly<Record<string, number>>;
  readonly calls: number;
}

/** The record in the spreadsheet's properties. One job at a time. */
export interface Job {
  readonly version: number;
  readonly id: string;
  /** The person who started it or continued it last, as a random name. */
  readonly by: string;
  /** How often it was continued. A page that worked on it before ends. */
  readonly continued: number;
  readonly state: JobState;
  readonly why: Failure | null;
  readonly resumesMs: number | null;
  readonly sheetId: number;
  readonly sheetName: string;
  /** The list's mark, see `MarkedList`. */
  readonly listId: string;
  readonly market: GroupMarket;
  readonly startedMs: number;
  /** When a page or the clock last worked on it. Older than three minutes: nobody does. */
  readonly touchedMs: number;
  readonly endedMs: number | null;
  /** How long it was worked on, pauses left out. */
  readonly workedMs: number;
  /** Rows of the list, and distinct products that it has to settle. */
  readonly rows: number;
  readonly products: number;
  readonly counts: JobCounts;
  /** Answers must have been fetched at or after this moment, ms since 1970. */
  readonly notBeforeMs?: number;
  /** Set if a schedule started it. */
  readonly scheduleId?: string;
}

/** Increased when the form of the record changes; a job of another version counts as none. */
export const JOB_VERSION = 1;

export const NO_COUNTS: JobCounts = { answered: 0, cached: 0, failures: {}, calls: 0 };

export const failureSchema = lazySchema(() => z.custom<Failure>(isFailure));

/** Only what is used is checked. */
export const jobSchema = lazySchema(() => {
  const count = z.number().check(z.nonnegative());
  return z.looseObject({
    version: z.literal(JOB_VERSION),
    id: z.string(),
    state: z.literal(['running', 'paused', 'blocked', 'stopped', 'done']),
    why: z.nullable(failureSchema()),
    startedMs: z.number(),
    touchedMs: z.number(),
    continued: count,
    products: count,
    counts: z.looseObject({
      answered: count,
      cached: count,
      calls: count,
      failures: z.record(z.string(), count),
    }),
  });
});

/** null for a text that is no record of this version. */
export const parseJob = (text: string | null): Job | null =>
  storedAs(text, jobSchema()) as Job | null;

/** A page calls every 15 s and the clock works without a break, so after this time nobody does. */
const ABANDONED_MS = 3 * 60_000;

export const isOver = ({ state }: Job): boolean => state === 'stopped' || state === 'done';

export const isWorkedOn = ({ state, touchedMs }: Job, nowMs: number): boolean =>
  state === 'running' && nowMs < touchedMs + ABANDONED_MS;

/** Whether the clock of its owner should go on with it. */
export function awaitsClock(job: Job, person: string, nowMs: number): boolean {
  // A schedule starts another job at its next turn.
  if (job.by !== person || job.scheduleId !== undefined) return false;
  if (job.state === 'running') return !isWorkedOn(job, nowMs);
  return job.state === 'blocked' && job.resumesMs !== null && nowMs >= job.resumesMs;
}

export const failedProducts = ({ failures }: JobCounts): number =>
  Object.values(failures).reduce((total, products) => total + products, 0);

const settledProducts = (counts: JobCounts): number =>
  counts.answered + counts.cached + failedProducts(counts);

export const leftProducts = ({ products, counts }: Job): number =>
  Math.max(0, products - settledProducts(counts));

/** The job with as many products left as really wait: rows were deleted, or wait once more. */
export const withLeft = (job: Job, left: number): Job => ({
  ...job,
  products: settledProducts(job.counts) + left,
});

export function addCounts(one: JobCounts, other: JobCounts): JobCounts {
  const failures: Record<string, number> = { ...one.failures };
  for (const [kind, products] of Object.entries(other.failures))
    failures[kind] = (failures[kind] ?? 0) + products;
  return {
    answered: one.answered + other.answered,
    cached: one.cached + other.cached,
    failures,
    calls: one.calls + other.calls,
  };
}

/** A longer silence is a pause and not work. */
const WORK_GAP_MS = 60_000;

/** Somebody works on it, and has settled these products since the last time. */
export function touchJob(job: Job, more: JobCounts, nowMs: number): Job {
  const gapMs = Math.max(0, nowMs - job.touchedMs);
  return {
    ...job,
    counts: addCounts(job.counts, more),
    workedMs: job.workedMs + (gapMs > WORK_GAP_MS ? 0 : gapMs),
    touchedMs: nowMs,
  };
}

/** Nothing is wanted any more. Products whose rows were deleted no longer belong to it. */
export const endJob = (job: Job, nowMs: number): Job => ({
  ...job,
  state: 'done',
  why: null,
  resumesMs: null,
  products: settledProducts(job.counts),
  touchedMs: nowMs,
  endedMs: nowMs,
});

export const stopJob = (job: Job, nowMs: number): Job => ({
  ...job,
  state: 'stopped',
  why: null,
  resumesMs: null,
  touchedMs: nowMs,
  endedMs: nowMs,
});

export const pauseJob = (job: Job, nowMs: number): Job => ({
  ...job,
  state: 'paused',
  why: null,
  resumesMs: null,
  touchedMs: nowMs,
});

/** The person who continues it owns it from then on, because it uses their key and their clock. */
export const continueJob = (job: Job, by: string, nowMs: number): Job => ({
  ...job,
  by,
  continued: job.continued + 1,
  state: 'running',
  why: null,
  resumesMs: null,
  touchedMs: nowMs,
});

export const blockJob = (job: Job, why: Failure, nowMs: number): Job => ({
  ...job,
  state: 'blocked',
  why,
  resumesMs: resumesMs(why, nowMs),
  touchedMs: nowMs,
});

/** A service that is down, or Google, is tried again after this time if none was named. */
const TRY_AGAIN_MS = 10 * 60_000;

/** When the cause is over by itself; null: a person has to do something first. */
function resumesMs(why: Failure, nowMs: number): number | null {
  const isPassing =
    why.kind === 'run' || why.kind === 'google-limit' || concernOf(why.kind) === 'service';
  const waitMs = 'waitMs' in why ? why.waitMs : undefined;
  if (waitMs === undefined && !isPassing) return null;
  return nowMs + (waitMs ?? TRY_AGAIN_MS);
}

/** How long the rest takes at the pace so far; null: nothing is settled yet. */
export function expectedMs(job: Job): number | null {
  const settled = job.counts.answered + failedProducts(job.counts);
  return settled === 0 ? null : (leftProducts(job) / settled) * job.workedMs;
}

/** A job that is over, for the history. */
export interface EndedJob {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly by: string;
  readonly sheetName: string;
  readonly state: JobState;
  readonly products: number;
  readonly failed: number;
  readonly calls: number;
}

export const endedJobSchema = lazySchema(() =>
  z.object({
    startedMs: z.number(),
    endedMs: z.number(),
    by: z.string(),
    sheetName: z.string(),
    state: z.literal(['stopped', 'done']),
    products: z.number(),
    failed: z.number(),
    calls: z.number(),
  }),
);
