// The work on a job: what waits in the Analysis tab, recording answers there, pausing, stopping and
// going on. The page and the clock do the same; the clock does it in one execution.

import {
  answeredRow,
  foldedKey,
  keyOfProduct,
  type RecordedRow,
  unwantRow,
  writtenMs,
} from '../analysis/analysis-row';
import { type AnalysisTab, openAnalysisTab } from '../analysis/analysis-tab';
import { changeTracker } from '../analysis/changes';
import { endRest } from '../engine/alike';
import { openEngine } from '../engine/doors';
import { type Failure, isFailure } from '../failures/failure';
import { isFailureStatus, kindOfStatus } from '../failures/status';
import type { Clock, Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { keysOfLists } from '../list/rows';
import type { Answer } from '../product/fields';
import { askProducts, decodeAnswer, type EncodedAnswer } from './ask';
import { ensureClock } from './clock';
import {
  addCounts,
  atRest,
  awaitsClock,
  continueJob,
  endJob,
  isCutByCopy,
  isOver,
  isTriedEarly,
  type Job,
  type JobAtWork,
  type JobCounts,
  jobStore,
  leftProducts,
  NO_COUNTS,
  pauseJob,
  stopJob,
  touchJob,
  withLeft,
} from './job';

/** What the tab says of a job. */
interface Queue {
  /** Keys of products that wait, in the order of the tab's rows. */
  readonly products: readonly string[];
  /** Whether any row waits, also one that names no product. */
  readonly waits: boolean;
  /** Of rows that were answered after the job was last touched. */
  readonly uncounted: JobCounts;
}

/** The kind of a failure whose status several kinds share. */
const UNKNOWN_KIND = 'timed-out';

/** Google may cut off a record between writing its rows and counting them, so they are counted here. */
function readQueue(tab: AnalysisTab, { touchedMs }: Job): Queue | Failure {
  const rows = tab.read();
  if (isFailure(rows)) return rows;
  const wanted = new Set<string>();
  const answered = new Map<string, string>();
  let waits = false;
  for (const row of rows.values()) {
    const product = keyOfProduct(row);
    waits ||= row.wantedMs !== null;
    if (row.wantedMs !== null && product !== '') wanted.add(product);
    else if (row.triedMs !== null && row.triedMs > touchedMs) answered.set(product, row.status);
  }
  let uncounted = NO_COUNTS;
  for (const status of answered.values())
    uncounted = addCounts(
      uncounted,
      isFailureStatus(status)
        ? { ...NO_COUNTS, failures: { [kindOfStatus(status) ?? UNKNOWN_KIND]: 1 } }
        : { ...NO_COUNTS, answered: 1 },
    );
  return { products: [...wanted], waits, uncounted };
}

/** Empties the queue: no row waits any more. */
export function clearQueue(tab: AnalysisTab): Failure | null {
  const rows = tab.read();
  if (isFailure(rows)) return rows;
  const waiting = [...rows.values()].filter(({ wantedMs }) => wantedMs !== null);
  if (waiting.length === 0) return null;
  const cleared = tab.record(
    waiting.map(({ key }) => [{ key }, (before) => before && unwantRow(before)]),
  );
  return isFailure(cleared) ? cleared : null;
}

/**
 * Writes answers into the tab, logs what changed, and counts. One caller at a time, every 5 to 15 s.
 *
 * @param answers none: a sign of life.
 * @param calls made since the last record.
 */
export function recordAnswers(
  platform: Platform,
  jobId: string,
  answers: readonly EncodedAnswer[],
  calls: number,
): Job | Failure {
  const { clock } = platform;
  const store = jobStore(platform);
  const touched = (more: JobCounts) => (job: Job) =>
    atRest(touchJob(job, { ...more, calls }, clock.nowMs()));
  const write = (job: Job) => {
    const chores: (() => void)[] = [];
    const tab = openAnalysisTab(clock, (chore) => chores.push(chore));
    if (isFailure(tab)) return tab;
    const written = recordInto(platform, tab, job, answers);
    if (isFailure(written)) return written;
    // A tab whose start was cut off, or that this record has made, is finished as soon as it is met. The
    // first record also brings the refresh cell back.
    const isUnfinished = tab.layout.isRough === true;
    if (isUnfinished || job.counts.calls === 0) for (const chore of chores) chore();
    const { counts, unlogged } = written;
    const after = touched(counts)(job).job;
    const end = endIfDone(clock, tab, after);
    if (isFailure(end)) return end;
    const noted = unlogged === null ? {} : { unlogged };
    return (now: Job) => end({ ...touched(counts)(now).job, ...noted });
  };
  const work =
    answers.length === 0
      ? store.change(jobId, touched(NO_COUNTS))
      : store.work(jobId, 'writing results', write);
  return isFailure(work) ? work : work.job;
}

interface RecordedAnswers {
  readonly counts: JobCounts;
  /** Why changes are not in the log. */
  readonly unlogged: Failure | null;
}

function recordInto(
  platform: Platform,
  tab: AnalysisTab,
  job: Job,
  encoded: readonly EncodedAnswer[],
): RecordedAnswers | Failure {
  const answers = encoded.flatMap(([product, text]) => {
    const given = decodeAnswer(text);
    return given === null ? [] : [{ product, given }];
  });
  const { rules = [], scheduleId = '' } = job;
  const tracker = changeTracker(platform, { name: scheduleId, rules });
  const rows = tab.record(
    answers.map(({ product, given }) => [
      { product },
      (before) => {
        const after = before && answeredRow(before, given);
        return after && tracker.marked(before, after);
      },
    ]),
  );
  if (isFailure(rows)) return rows;
  const { changes, problem } = tracker.log(rows);
  const byProduct = new Map(answers.map(({ product, given }) => [product, given.answer]));
  const settled = settledBy(rows, byProduct, job);
  return { counts: { ...countsOf(job.startedMs, settled), changes }, unlogged: problem };
}

/** Every product counts once, however often its answer is sent and in however many rows it stands. */
function settledBy(
  rows: readonly RecordedRow[],
  answers: ReadonlyMap<string, Answer>,
  { touchedMs }: Job,
): ReadonlyMap<string, Answer> {
  const settled = new Map<string, Answer>();
  for (const { before, after } of rows) {
    const product = keyOfProduct(after);
    const answer = answers.get(product);
    const wasWanted = before?.wantedMs != null && after.wantedMs === null;
    // A record that Google cut off may have written the row without counting it.
    const isUncounted = after.triedMs !== null && after.triedMs > touchedMs;
    if (answer !== undefined && (wasWanted || isUncounted)) settled.set(product, answer);
  }
  return settled;
}

/** What answers of distinct products add to the counts of a job that began at this moment. */
export function countsOf(startedMs: number, answers: ReadonlyMap<string, Answer>): JobCounts {
  const failures: Record<string, number> = {};
  let answered = 0;
  let cached = 0;
  for (const answer of answers.values()) {
    if (!answer.ok) failures[answer.failure.kind] = (failures[answer.failure.kind] ?? 0) + 1;
    else if (answer.analysis.fetchedAtMs < startedMs) cached += 1;
    else answered += 1;
  }
  return { ...NO_COUNTS, answered, cached, failures };
}

type Next = (now: Job) => JobAtWork;

/** The job is done when no row waits any more, whatever its counts say. */
function endIfDone(clock: Clock, tab: AnalysisTab, job: Job): Next | Failure {
  if (job.state !== 'running' || leftProducts(job) > 0) return atRest;
  const queue = readQueue(tab, job);
  if (isFailure(queue)) return queue;
  const { length } = queue.products;
  return length === 0 ? endOf(clock, tab, job, queue) : (now) => atRest(withLeft(now, length));
}

/** The end of a job for which no product waits. */
function endOf(
  clock: Clock,
  tab: AnalysisTab,
  { startedMs }: Job,
  { waits }: Queue,
): Next | Failure {
  const cleared = waits ? clearQueue(tab) : null;
  if (cleared !== null) return cleared;
  tab.tidy(() => {
    const named = keysOfLists();
    return (row) => writtenMs(row) >= startedMs || named.has(foldedKey(row.key));
  });
  return (now) => atRest(isOver(now) ? now : endJob(now, clock.nowMs()));
}

/** Executions that ask hear of it within two seconds, and send nothing more. */
export const pause = (platform: Platform, jobId: string): JobAtWork | Failure =>
  jobStore(platform).change(jobId, (job) =>
    atRest(isOver(job) ? job : pauseJob(job, platform.clock.nowMs())),
  );

/** What was answered stays, and no row waits any more. Where that was cut off, a second stop does it. */
export function stop(platform: Platform, jobId: string): JobAtWork | Failure {
  const store = jobStore(platform);
  const stopped = store.change(jobId, (job) =>
    atRest(isOver(job) && !isCutByCopy(job) ? job : stopJob(job, platform.clock.nowMs())),
  );
  if (isFailure(stopped)) return stopped;
  return store.work(jobId, 'stopping an analysis', () => {
    const tab = openAnalysisTab(platform.clock);
    return isFailure(tab) ? tab : (clearQueue(tab) ?? atRest);
  });
}

/** Makes the caller the one who works on the job, with their key. */
function goOn(platform: Platform, jobId: string): JobAtWork | Failure {
  const engine = openEngine(platform, 'list');
  if (isFailure(engine)) return engine;
  const store = jobStore(platform);
  const me = store.person();
  let isTakenOver = false;
  const work = store.work(jobId, 'continuing an analysis', (job) => {
    if (isOver(job)) return atRest;
    isTakenOver = job.by !== me;
    if (isTriedEarly(job, platform.clock.nowMs())) endRest(engine);
    return withQueue(platform, job, (now) => continueJob(now, me, platform.clock.nowMs()));
  });
  if (isTakenOver && !isFailure(work)) unlessBusy(() => ensureClock(platform));
  return work;
}

/** The time for the call by which it is found out whether a stop of the key still holds. */
const TRY_MS = 12_000;

/** So few that one may be left out that the service had no answer for. */
const TRY_PRODUCTS = 3;

/**
 * The same for a person, who may have just paid or mended what held it up: one call is made at once,
 * whatever holds. Where it is refused as well, the job is held up as before.
 */
export function goOnAtOnce(platform: Platform, jobId: string): JobAtWork | Failure {
  const work = goOn(platform, jobId);
  if (isFailure(work) || work.queue.length === 0) return work;
  const engine = openEngine(platform, 'list');
  if (isFailure(engine) || !engine.gate.tryAgain()) return work;
  const asked = askProducts(platform, jobId, work.queue.slice(0, TRY_PRODUCTS), {
    maxMs: TRY_MS,
    callsMax: 1,
    isByClock: true,
  });
  if (isFailure(asked)) return asked;
  return asked.ended === null ? work : atRest(asked.ended);
}

/** What is left of a job that runs. It ends if nothing is. */
export const leftOf = (platform: Platform, jobId: string): JobAtWork | Failure =>
  jobStore(platform).work(jobId, 'writing results', (job) => {
    if (job.state !== 'running') return atRest;
    const next = withQueue(platform, job, (now) =>
      touchJob(now, NO_COUNTS, platform.clock.nowMs()),
    );
    return isFailure(next) ? next : (now) => (now.state === 'running' ? next(now) : atRest(now));
  });

function withQueue(platform: Platform, job: Job, next: (now: Job) => Job): Next | Failure {
  const tab = openAnalysisTab(platform.clock);
  if (isFailure(tab)) return tab;
  const queue = readQueue(tab, job);
  if (isFailure(queue)) return queue;
  const { products, uncounted } = queue;
  const end = products.length === 0 ? endOf(platform.clock, tab, job, queue) : null;
  if (isFailure(end)) return end;
  return (now) => {
    if (isOver(now)) return atRest(now);
    const after = next({ ...now, counts: addCounts(now.counts, uncounted) });
    return end?.(after) ?? { job: withLeft(after, products.length), queue: products };
  };
}

/**
 * Answers are recorded this often, and no call is made meanwhile. If the execution is cut off before, they
 * are in the cache. A person who has pressed *Run now* watches them come.
 */
const RECORD_EACH_MS = 100_000;
const WATCHED_EACH_MS = 30_000;

/** As many as are recorded at once. */
const BATCH_PRODUCTS = 1_000;

/**
 * Asks and records in one execution, for the clock, until nothing is left, nothing more can be asked,
 * or the time or the calls are used up. Returns the job as it is then.
 *
 * @param callsMax the most calls that may be made.
 */
export function drainQueue(
  platform: Platform,
  begun: JobAtWork,
  untilMs: number,
  { callsMax = Number.POSITIVE_INFINITY, isWatched = false } = {},
): Job | Failure {
  const { clock } = platform;
  let { job, queue } = begun;
  const eachMs = isWatched ? WATCHED_EACH_MS : RECORD_EACH_MS;
  let callsLeft = callsMax;
  while (job.state === 'running' && clock.nowMs() < untilMs) {
    if (queue.length === 0) {
      const rest = leftOf(platform, job.id);
      if (isFailure(rest)) return rest;
      ({ job, queue } = rest);
      continue;
    }
    const batch = queue.slice(0, BATCH_PRODUCTS);
    const asked = askProducts(platform, job.id, batch, {
      maxMs: Math.min(eachMs, untilMs - clock.nowMs()),
      isByClock: true,
      ...(Number.isFinite(callsLeft) && { callsMax: callsLeft }),
    });
    if (isFailure(asked)) return asked;
    callsLeft -= asked.calls;
    const recorded = recordAnswers(platform, job.id, asked.answers, asked.calls);
    if (isFailure(recorded)) return recorded;
    job = recorded;
    if (asked.answers.length === 0 && asked.calls === 0) break;
    // What waits for the answers of others comes after them.
    queue = [...queue.slice(batch.length), ...asked.left];
  }
  return job;
}

/**
 * Goes on with a job of this person that no page works on, on their own clock: with another person's
 * key it would cost them calls. null: there is none.
 */
export function continueAbandoned(platform: Platform, untilMs: number): Job | Failure | null {
  const store = jobStore(platform);
  const job = store.read();
  if (job === null || !awaitsClock(job, store.person(), platform.clock.nowMs())) return null;
  const rest = goOn(platform, job.id);
  return isFailure(rest) ? rest : drainQueue(platform, rest, untilMs);
}
