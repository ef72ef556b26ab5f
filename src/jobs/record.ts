// Writes answers into the Analysis tab and counts them. One caller at a time, every 5 to 15 s.

import { answeredRow, type RecordedRow } from '../analysis/analysis-row';
import { type AnalysisTab, openAnalysisTab } from '../analysis/analysis-tab';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { type Clock, type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import type { Answer } from '../product/analysis';
import { decodeAnswer, type EncodedAnswer } from './ask';
import { ensureClock } from './clock';
import {
  endJob,
  isOver,
  type Job,
  type JobCounts,
  leftProducts,
  NO_COUNTS,
  touchJob,
  withLeft,
} from './job';
import { jobStore } from './job-store';
import { clearQueue, readQueue } from './queue';

/** What a caller does with rows beside writing their answers. */
export interface RecordHooks {
  /** The text of the column *Changed* for a row that is about to be written; null: it stays. */
  readonly changedText?: (row: RecordedRow) => string | null;
  /** Receives rows right after they were written, still under the lock. */
  readonly onRecorded?: (rows: readonly RecordedRow[]) => void;
}

/**
 * @param answers none: a sign of life.
 * @param calls made since the last record.
 */
export function recordAnswers(
  platform: Platform,
  jobId: string,
  answers: readonly EncodedAnswer[],
  calls: number,
  { changedText = () => null, onRecorded = () => undefined }: RecordHooks = {},
): Job | Failure {
  const { clock } = platform;
  let isFirst = false;
  const chores: (() => void)[] = [];
  const withCalls = (job: Job, counts = NO_COUNTS) =>
    touchJob(job, { ...counts, calls }, clock.nowMs());
  /** With the answers written, and ended if nothing is left. */
  function recorded(job: Job): Job | Failure {
    const tab = openAnalysisTab(clock, (chore) => chores.push(chore));
    if (isFailure(tab)) return tab;
    const written = recordInto(tab, job, answers, changedText);
    if (isFailure(written)) return written;
    onRecorded(written.rows);
    return endedIfDone(clock, tab, withCalls(job, written.counts));
  }
  const outcome = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
    const store = jobStore(platform);
    const job = store.read();
    if (job?.id !== jobId) return runProblem('run-ended');
    isFirst = job.counts.calls === 0;
    const next = answers.length === 0 ? withCalls(job) : recorded(job);
    if (isFailure(next)) return next;
    store.write(next, job);
    return next;
  });
  if (!outcome.held) return runProblem('busy');
  // Others ask meanwhile, for which they need the lock.
  for (const chore of chores) chore();
  const job = outcome.value;
  // From now on the clock goes on if the page is closed. Without one a list can be analyzed all the same.
  if (isFirst && !isFailure(job) && !isOver(job)) unlessBusy(() => ensureClock(platform));
  return job;
}

interface Recorded {
  readonly rows: readonly RecordedRow[];
  readonly counts: JobCounts;
}

function recordInto(
  tab: AnalysisTab,
  job: Job,
  encoded: readonly EncodedAnswer[],
  changedText: NonNullable<RecordHooks['changedText']>,
): Recorded | Failure {
  const answers = encoded.flatMap(([product, text]) => {
    const answer = decodeAnswer(text);
    return answer === null ? [] : [{ product, ...answer }];
  });
  const rows = tab.record(
    answers.map(({ product, answer, atMs }) => [
      { product },
      (before) => {
        const after = before && answeredRow(before, answer, atMs);
        return after && { ...after, changed: changedText({ before, after }) ?? after.changed };
      },
    ]),
  );
  if (isFailure(rows)) return rows;
  const byProduct = new Map(answers.map(({ product, answer }) => [product, answer]));
  // Every product counts once, however often its answer is sent and in however many rows it stands.
  const settled = rows.flatMap(({ before, after }) => {
    const product = `${after.asin}|${after.market}`;
    const answer = byProduct.get(product);
    const wasWanted = before?.wantedMs != null && after.wantedMs === null;
    // A record that Google cut off may have written the row without counting it.
    const isUncounted = after.triedMs !== null && after.triedMs > job.touchedMs;
    return answer !== undefined && (wasWanted || isUncounted) ? [[product, answer] as const] : [];
  });
  return { rows, counts: countsOf(job.startedMs, new Map(settled)) };
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

/** The job is done when no row waits any more, whatever its counts say. */
function endedIfDone(clock: Clock, tab: AnalysisTab, job: Job): Job | Failure {
  if (job.state !== 'running' || leftProducts(job) > 0) return job;
  const queue = readQueue(tab, job);
  if (isFailure(queue)) return queue;
  const { length } = queue.products;
  return length === 0 ? endedIn(clock, tab, job) : withLeft(job, length);
}

/** The end of a job whose queue is empty. */
export function endedIn(clock: Clock, tab: AnalysisTab, job: Job): Job | Failure {
  const cleared = clearQueue(tab);
  if (cleared !== null) return cleared;
  tab.tidy();
  return endJob(job, clock.nowMs());
}
