// Pauses, stops and continues a job.

import { openAnalysisTab } from '../analysis/analysis-tab';
import { openEngine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { type Platform, RECORD_LOCK_WAIT_MS } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { ensureClock } from './clock';
import { addCounts, continueJob, isOver, type Job, pauseJob, stopJob, withLeft } from './job';
import { jobStore } from './job-store';
import { clearQueue, readQueue } from './queue';
import { endedIn } from './record';
import type { JobAtWork } from './start';

/**
 * Changes the job under the lock.
 *
 * @param finish what remains to be done once executions that ask can hear of the change.
 */
function change(
  platform: Platform,
  jobId: string,
  next: (job: Job) => JobAtWork | Failure,
  finish: () => Failure | null = () => null,
): JobAtWork | Failure {
  const store = jobStore(platform);
  const outcome = platform.lock.run(RECORD_LOCK_WAIT_MS, () => {
    const job = store.read();
    if (job?.id !== jobId) return runProblem('run-ended');
    const changed = next(job);
    if (isFailure(changed)) return changed;
    if (changed.job !== job) store.write(changed.job, job);
    return finish() ?? changed;
  });
  return outcome.held ? outcome.value : runProblem('busy');
}

/** Executions that ask hear of it within two seconds, and send nothing more. */
export const pause = (platform: Platform, jobId: string): JobAtWork | Failure =>
  change(platform, jobId, (job) => ({
    job: isOver(job) ? job : pauseJob(job, platform.clock.nowMs()),
    queue: [],
  }));

/** What was answered stays, and no row waits any more. Where that was cut off, a second stop does it. */
export const stop = (platform: Platform, jobId: string): JobAtWork | Failure =>
  change(
    platform,
    jobId,
    (job) => ({ job: isOver(job) ? job : stopJob(job, platform.clock.nowMs()), queue: [] }),
    () => {
      const tab = openAnalysisTab(platform.clock);
      return isFailure(tab) ? tab : clearQueue(tab);
    },
  );

/** Makes the caller the one who works on the job, with their key. */
export function goOn(platform: Platform, jobId: string): JobAtWork | Failure {
  const engine = openEngine(platform);
  if (isFailure(engine)) return engine;
  const me = jobStore(platform).person();
  let isTakenOver = false;
  const work = change(platform, jobId, (job) => {
    if (isOver(job)) return { job, queue: [] };
    isTakenOver = job.by !== me;
    return withQueue(platform, job, (one) => continueJob(one, me, platform.clock.nowMs()));
  });
  if (isTakenOver && !isFailure(work)) unlessBusy(() => ensureClock(platform));
  return work;
}

/** What is left of a job that runs. It ends if nothing is. */
export const leftOf = (platform: Platform, jobId: string): JobAtWork | Failure =>
  change(platform, jobId, (job) =>
    job.state === 'running' ? withQueue(platform, job) : { job, queue: [] },
  );

function withQueue(
  platform: Platform,
  before: Job,
  next: (job: Job) => Job = (job) => job,
): JobAtWork | Failure {
  const tab = openAnalysisTab(platform.clock);
  if (isFailure(tab)) return tab;
  const queue = readQueue(tab, before);
  if (isFailure(queue)) return queue;
  const { products, uncounted } = queue;
  const job = next({ ...before, counts: addCounts(before.counts, uncounted) });
  if (products.length > 0) return { job: withLeft(job, products.length), queue: products };
  const ended = endedIn(platform.clock, tab, job);
  return isFailure(ended) ? ended : { job: ended, queue: [] };
}
