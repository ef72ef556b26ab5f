// A job: one bulk analysis of a list. Its record with its states and counts, whose transitions are pure,
// and where it is stored: with the person's name, and the sign by which executions that ask learn of a
// command.

import * as z from 'zod/mini';
import { changeRuleSchema } from '../analysis/changes';
import { whileLeased } from '../analysis/leased';
import { personOf } from '../analysis/person';
import { identityHere } from '../connection/connection-store';
import { HOUR } from '../failures/duration';
import { concernOf, type Failure, isFailure, runProblem } from '../failures/failure';
import { beforeWrite } from '../google/lease';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { choiceSchema } from '../list/choice';
import type { MarketSource } from '../list/tagged-list';
import { isMarket } from '../product/market';
import { type Fits, lazySchema, storedAs, storedItems, storedJson } from '../schema/stored-record';

/** `blocked`: nothing can be asked for now; `why` says why, `resumesMs` when it goes on by itself. */
export type JobState = 'running' | 'paused' | 'blocked' | 'stopped' | 'done';

const stateSchema = lazySchema(() =>
  z.literal(['running', 'paused', 'blocked', 'stopped', 'done']),
);

export const failureSchema = lazySchema(() => z.custom<Failure>(isFailure));

const countSchema = lazySchema(() => z.number().check(z.nonnegative()));

const countsSchema = lazySchema(() =>
  z.object({
    /** Products answered by a call of this job. */
    answered: countSchema(),
    /** Products that needed no call. */
    cached: countSchema(),
    /** Products by kind of failure. */
    failures: z.record(z.string(), countSchema()),
    calls: countSchema(),
    /** Lines that were added to the change log. */
    changes: countSchema(),
  }),
);

export type JobCounts = Fits<typeof countsSchema>;

/** What is analyzed once this job is over: a list of another sheet, or this list for the other market. */
const nextSchema = lazySchema(() =>
  z.object({
    /** The person who wants it, as a random name: it is their key that pays. */
    by: z.string(),
    sheetName: z.string(),
    choice: choiceSchema(),
    /** The id of its list, if this job has tagged it. */
    listId: z.exactOptional(z.string()),
  }),
);

export type NextJob = Fits<typeof nextSchema>;

/** The record in the spreadsheet's properties. One job at a time. */
const jobSchema = lazySchema(() =>
  z.object({
    id: z.string(),
    /** The spreadsheet in which it was started, by its identity. In a copy it has stopped. */
    home: z.string(),
    /** The person who started it or continued it last, as a random name. */
    by: z.string(),
    /** How often it was continued. A page that worked on it before ends. */
    continued: countSchema(),
    state: stateSchema(),
    why: z.nullable(failureSchema()),
    resumesMs: z.nullable(z.number()),
    sheetId: z.number(),
    sheetName: z.string(),
    /** The list's id, see `TaggedList`. */
    listId: z.string(),
    market: z.custom<MarketSource>((value) => value === 'column' || isMarket(value)),
    startedMs: z.number(),
    /** When a page or the clock last worked on it. Older than three minutes: nobody does. */
    touchedMs: z.number(),
    endedMs: z.nullable(z.number()),
    /** How long it was worked on, pauses left out. */
    workedMs: z.number(),
    /** Rows of the list, and distinct products that it has to settle. */
    rows: countSchema(),
    products: countSchema(),
    counts: countsSchema(),
    /** Answers must have been fetched at or after this moment, ms since 1970. */
    notBeforeMs: z.exactOptional(z.number()),
    /** Set if a person goes on although many products in a row were not found. */
    goesOn: z.exactOptional(z.literal(true)),
    /** Set if a schedule started it. */
    scheduleId: z.exactOptional(z.string()),
    /** What its schedule wants marked. */
    rules: z.exactOptional(z.array(changeRuleSchema())),
    /** Why some changes are not in the change log. */
    unlogged: z.exactOptional(failureSchema()),
    /** In turn. */
    next: z.exactOptional(z.array(nextSchema())),
  }),
);

export type Job = Fits<typeof jobSchema>;

/** A job that has just begun or goes on, and the keys of the products that are left, in order. */
export interface JobAtWork {
  readonly job: Job;
  readonly queue: readonly string[];
}

/** A job for which the caller asks nothing. */
export const atRest = (job: Job): JobAtWork => ({ job, queue: [] });

export const NO_COUNTS: JobCounts = {
  answered: 0,
  cached: 0,
  failures: {},
  calls: 0,
  changes: 0,
};

/** A page calls every 15 s and the clock works without a break, so after this time nobody does. */
const ABANDONED_MS = 3 * 60_000;

export const isOver = ({ state }: Job): boolean => state === 'stopped' || state === 'done';

/** Whether it was under way when its spreadsheet was copied, and nobody has looked at it in the copy. */
export const isCutByCopy = (job: Job): boolean => isOver(job) && job.endedMs === null;

export const isWorkedOn = ({ state, touchedMs }: Job, nowMs: number): boolean =>
  state === 'running' && nowMs < touchedMs + ABANDONED_MS;

/** A person who comes back later than this begins anew; what was answered is in the tab. */
const FORGOTTEN_MS = 12 * HOUR;

/** Whether nobody has gone on with it for long, although somebody could have. */
export const isForgotten = (job: Job, nowMs: number): boolean =>
  !isOver(job) && nowMs >= Math.max(job.touchedMs, job.resumesMs ?? 0) + FORGOTTEN_MS;

/** Whether the clock of its owner should go on with it. */
export function awaitsClock(job: Job, person: string, nowMs: number): boolean {
  // A schedule starts another job at its next turn.
  if (job.by !== person || job.scheduleId !== undefined) return false;
  if (job.state === 'running') return !isWorkedOn(job, nowMs);
  return job.state === 'blocked' && job.resumesMs !== null && nowMs >= job.resumesMs;
}

/** The job with these to follow it. */
export const withNext = ({ next: _, ...job }: Job, next: readonly NextJob[]): Job => ({
  ...job,
  ...(next.length > 0 && { next: [...next] }),
});

/** What follows a job in other sheets than this one. */
export const nextElsewhere = ({ next = [] }: Job, sheetId: number): readonly NextJob[] =>
  next.filter(({ choice }) => choice.sheetId !== sheetId);

/** What follows a job; nothing if it ended too long ago for anybody to wait. */
export const nextOf = (job: Job | null, nowMs: number): readonly NextJob[] =>
  job?.next && !(isOver(job) && nowMs >= job.touchedMs + FORGOTTEN_MS) ? job.next : [];

/** What this person wants next, once it can begin; null: nothing. */
export function dueNext(job: Job | null, person: string, nowMs: number): NextJob | null {
  const [next] = nextOf(job, nowMs);
  return next?.by === person && job !== null && isOver(job) ? next : null;
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

export function addCounts(a: JobCounts, b: JobCounts): JobCounts {
  const failures: Record<string, number> = { ...a.failures };
  for (const [kind, products] of Object.entries(b.failures))
    failures[kind] = (failures[kind] ?? 0) + products;
  return {
    answered: a.answered + b.answered,
    cached: a.cached + b.cached,
    failures,
    calls: a.calls + b.calls,
    changes: a.changes + b.changes,
  };
}

/** A longer silence is a pause and not work. The clock records every 100 s. */
const WORK_GAP_MS = 2 * 60_000;

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

const inState = (job: Job, state: JobState, nowMs: number): Job => ({
  ...job,
  state,
  why: null,
  resumesMs: null,
  touchedMs: nowMs,
});

/** Nothing is wanted any more. Products whose rows were deleted no longer belong to it. */
export const endJob = (job: Job, nowMs: number): Job => ({
  ...inState(job, 'done', nowMs),
  products: settledProducts(job.counts),
  endedMs: nowMs,
});

/** The other market of its list is not asked for, either. */
export const stopJob = (job: Job, nowMs: number): Job => ({
  ...inState(withNext(job, nextElsewhere(job, job.sheetId)), 'stopped', nowMs),
  endedMs: nowMs,
});

export const pauseJob = (job: Job, nowMs: number): Job => inState(job, 'paused', nowMs);

/** The person who continues it owns it from then on, because it uses their key and their clock. */
export const continueJob = (job: Job, by: string, nowMs: number): Job => ({
  ...inState(job, 'running', nowMs),
  by,
  continued: job.continued + 1,
  ...(asksWhetherFound(job) && { goesOn: true as const }),
});

/** Whether a person continues it before it goes on by itself: a few products are asked again. */
export const isTriedEarly = (job: Job, nowMs: number): boolean =>
  job.why?.kind === 'alike' &&
  !asksWhetherFound(job) &&
  nowMs < (job.resumesMs ?? Number.POSITIVE_INFINITY);

/** Whether it is blocked because many products in a row were not found: to continue answers that. */
const asksWhetherFound = ({ why }: Job): boolean =>
  why?.kind === 'alike' && why.of.kind === 'not-found';

export const blockJob = (job: Job, why: Failure, nowMs: number): Job => ({
  ...inState(job, 'blocked', nowMs),
  why,
  resumesMs: resumesMs(why, nowMs),
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

/** A pace is known after so long, or after this share of the products. */
const PACE_MS = 10_000;
const PACE_SHARE = 1 / 10;

/** How long the rest takes at the pace so far; null: it is not known yet. */
export function expectedMs(job: Job): number | null {
  const settled = job.counts.answered + failedProducts(job.counts);
  const isKnown = job.workedMs >= PACE_MS || settled >= PACE_SHARE * job.products;
  return settled === 0 || !isKnown ? null : (leftProducts(job) / settled) * job.workedMs;
}

/** What some work with stores alone gives, which only one execution of a spreadsheet does at a time. */
export function whileLocked<T>({ lock }: Pick<Platform, 'lock'>, work: () => T): T | Failure {
  const outcome = lock.run(RECORD_LOCK_WAIT_MS, work);
  return outcome.held ? outcome.value : runProblem('busy');
}

const JOB_NAME = 'job';
const COMMAND_NAME = 'job:command';

/** Longer than an execution that asks can live. */
const SIGN_SECONDS = 3_600;

/** The record of the job, which is kept for longer than the cache keeps anything, with its schema. */
export const jobKept = () => ({ [JOB_NAME]: jobSchema() });

export interface Signs {
  /** A command has ended the asking. */
  readonly isHalted: boolean;
  /** How many products in a row the service has failed for. */
  readonly serviceFailures: number;
}

export interface JobStore {
  /**
   * The latest job. One that was under way when its spreadsheet was copied has stopped in the copy, and
   * has no time of its end there (`isCutByCopy`).
   */
  read(): Job | null;
  /**
   * Replaces the record by another job. The caller has the lease.
   */
  begin(job: Job): void;
  /** Changes the job under the document's lock, also while another execution works on the sheet. */
  change(jobId: string, next: (job: Job) => JobAtWork): JobAtWork | Failure;
  /**
   * Works on the sheet for the job, under the lease. A failure leaves the record as it is.
   *
   * @param work see `Lease`.
   * @param act gives what then becomes of the job, which may have been paused or stopped meanwhile.
   */
  work(
    jobId: string,
    work: string,
    act: (job: Job) => ((now: Job) => JobAtWork) | Failure,
  ): JobAtWork | Failure;
  /** What executions that ask tell each other. Costs one cache call. */
  signs(jobId: string): Signs;
  /**
   * The latest command that ended a job's asking, for who asks before the job is known; empty: none.
   * Costs one cache call.
   */
  latestCommand(): string;
  /** @param inARow see `Signs`. */
  noteServiceFailures(jobId: string, inARow: number): void;
  /** See `personOf`. */
  person(): string;
}

export function jobStore(platform: Platform): JobStore {
  const { documentStore, cache, lock, hasher, spreadsheetId } = platform;
  const signName = (jobId: string) => `job:${jobId}`;
  const failuresName = (jobId: string) => `job:${jobId}:failures`;
  function read(): Job | null {
    const job = storedAs(documentStore.read(JOB_NAME), jobSchema());
    if (job === null || isOver(job) || job.home === identityHere({ hasher, spreadsheetId }))
      return job;
    return { ...withNext(job, []), state: 'stopped', why: null, resumesMs: null };
  }

  function write(job: Job, before: Job | null): void {
    if (job.state !== before?.state) {
      const command = { [COMMAND_NAME]: `${job.state} ${job.id} ${job.touchedMs}` };
      const signs = { [signName(job.id)]: job.state, ...(job.state !== 'running' && command) };
      cache.putAll(signs, SIGN_SECONDS);
    }
    documentStore.write(JOB_NAME, JSON.stringify(job));
  }

  const change: JobStore['change'] = (jobId, next) =>
    whileLocked(platform, () => {
      const before = read();
      if (before?.id !== jobId) return runProblem('run-ended');
      const work = next(before);
      if (work.job !== before) write(work.job, before);
      return work;
    });

  return {
    read,
    begin(job) {
      beforeWrite();
      const begun = () => write(job, null);
      // Rows wait for it by now, and nothing else changes a job that is over.
      if (!lock.run(RECORD_LOCK_WAIT_MS, begun).held) begun();
    },
    change,
    work: (jobId, work, act) =>
      whileLeased(platform, work, () => {
        const job = read();
        if (job?.id !== jobId) return runProblem('run-ended');
        const next = act(job);
        if (isFailure(next)) return next;
        beforeWrite();
        return change(jobId, next);
      }),
    signs(jobId) {
      const names = [signName(jobId), failuresName(jobId)];
      const texts = cache.getAll(names);
      const [state = 'running', failures] = names.map((name) => texts[name]);
      return { isHalted: state !== 'running', serviceFailures: Number(failures) || 0 };
    },
    latestCommand: () => cache.getAll([COMMAND_NAME])[COMMAND_NAME] ?? '',
    noteServiceFailures: (jobId, inARow) =>
      void cache.putAll({ [failuresName(jobId)]: String(inARow) }, SIGN_SECONDS),
    person: () => personOf(platform),
  };
}

/**
 * Moves unreadable records aside: the whole text is kept under `<name>-aside`, and of a list the
 * readable items stay in place. Returns whether anything was moved, so that the person is told
 * once. It costs one property call if all is well, else three.
 *
 * @param schemas by name: the schema of the stored record, or of the items of the stored list. A
 * spreadsheet's identity may precede a list.
 */
export function setAside(
  { documentStore, lock }: Pick<Platform, 'documentStore' | 'lock'>,
  schemas: Readonly<Record<string, z.ZodMiniType>>,
): boolean {
  function damaged() {
    const all = documentStore.readAll();
    return Object.entries(schemas).flatMap(([name, item]) => {
      const text = all[name] ?? '[]';
      const [, home, json] = /^(\w*)(.*)/s.exec(text) ?? [];
      return z.safeParse(z.union([item, z.array(item)]), storedJson(json)).success
        ? []
        : [{ [`${name}-aside`]: text, [name]: home + JSON.stringify(storedItems(json, item)) }];
    });
  }
  if (damaged().length === 0) return false;
  const outcome = lock.run(RECORD_LOCK_WAIT_MS, () => {
    const found = damaged();
    return found.length > 0 && documentStore.writeAll(Object.assign({}, ...found));
  });
  return outcome.held && outcome.value;
}
