// The list that is analyzed once the job over another one has ended.

import { openEngine } from '../engine/doors';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import type { Platform } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import { sheetById } from '../google/spreadsheet';
import type { Choice } from '../list/choice';
import { ensureClock } from './clock';
import { atRest, dueNext, isOver, type Job, type JobAtWork, jobStore, withNext } from './job';
import { startJob } from './start';
import { drainQueue } from './work';

/** @param choice null: nothing is to follow the job any more. */
export function queueNext(
  platform: Platform,
  jobId: string,
  choice: Choice | null,
): JobAtWork | Failure {
  const store = jobStore(platform);
  const by = store.person();
  const sheetName = choice && sheetById(choice.sheetId)?.name();
  const next = choice && { by, sheetName: sheetName ?? '', choice };
  let isTaken = false;
  const work = store.change(jobId, (job) => {
    isTaken = job.next !== undefined && job.next.by !== by && choice !== null;
    return atRest(isTaken || (isOver(job) && choice !== null) ? job : withNext(job, next));
  });
  if (isFailure(work) || choice === null) return work;
  if (isTaken) {
    const other = work.job.next?.sheetName ?? '';
    return runProblem('run-in-progress', `someone else’s analysis of "${other}" comes next`);
  }
  if (isOver(work.job)) return runProblem('run-ended');
  // The clock begins it if the page is closed by then.
  unlessBusy(() => ensureClock(platform));
  return work;
}

/** Failures after which it is tried again: another execution works on the sheet, or has begun a job. */
const COMES_AGAIN: readonly string[] = ['busy', 'run-in-progress', 'sheet-busy'];

/** Begins what this person wants next; null: there is nothing. What cannot begin is given up. */
export function beginNext(platform: Platform): JobAtWork | null | Failure {
  const store = jobStore(platform);
  const job = store.read();
  const next = dueNext(job, store.person(), platform.clock.nowMs());
  if (job === null || next === null) return null;
  const engine = openEngine(platform, 'list');
  if (isFailure(engine)) return engine;
  const begun = startJob(platform, engine, next.choice);
  const isForGood = isFailure(begun) && begun.kind === 'run' && !COMES_AGAIN.includes(begun.why);
  if (isForGood) store.change(job.id, (now) => atRest(withNext(now, null)));
  return begun;
}

/** The same for the clock, which works on it until the time is up. */
export function workOnNext(platform: Platform, untilMs: number): Job | null | Failure {
  const begun = beginNext(platform);
  return begun === null || isFailure(begun) ? begun : drainQueue(platform, begun, untilMs);
}
