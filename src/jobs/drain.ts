// Works off the queue of a job in one execution, as the page does with many: for the clock.

import { type Failure, isFailure } from '../failures/failure';
import type { Platform } from '../google/platform';
import { askProducts } from './ask';
import { awaitsClock, type Job } from './job';
import { jobStore } from './job-store';
import { type RecordHooks, recordAnswers } from './record';
import { goOn, leftOf } from './set-state';
import type { JobAtWork } from './start';

export interface DrainOptions extends RecordHooks {
  /** The most calls that may be made; left out: any number. */
  readonly callsMax?: number;
}

/** Answers are recorded this often. If the execution is cut off before, they are in the cache. */
const RECORD_EACH_MS = 30_000;

/** More than are asked for between two records. */
const BATCH_PRODUCTS = 500;

/**
 * Asks and records until nothing is left, nothing more can be asked, or the time or the calls are
 * used up. Returns the job as it is then.
 */
export function drainQueue(
  platform: Platform,
  job: Job,
  untilMs: number,
  { callsMax = Number.POSITIVE_INFINITY, ...hooks }: DrainOptions = {},
): Job | Failure {
  const { clock } = platform;
  let { job: now, queue } = { job, queue: [] } as JobAtWork;
  let callsLeft = callsMax;
  while (now.state === 'running' && clock.nowMs() < untilMs) {
    if (queue.length === 0) {
      const rest = leftOf(platform, job.id);
      if (isFailure(rest)) return rest;
      now = rest.job;
      queue = rest.queue;
      continue;
    }
    const batch = queue.slice(0, BATCH_PRODUCTS);
    const asked = askProducts(platform, job.id, batch, {
      maxMs: Math.min(RECORD_EACH_MS, untilMs - clock.nowMs()),
      isByClock: true,
      ...(Number.isFinite(callsLeft) && { callsMax: callsLeft }),
    });
    if (isFailure(asked)) return asked;
    callsLeft -= asked.calls;
    const recorded = recordAnswers(platform, job.id, asked.answers, asked.calls, hooks);
    if (isFailure(recorded)) return recorded;
    now = recorded;
    if (asked.answers.length === 0) break;
    queue = [...asked.left, ...queue.slice(batch.length)];
  }
  return now;
}

/**
 * Goes on with a job of this person that no page works on, on their own clock: with another person's
 * key it would cost them calls. null: there is none.
 */
export function continueAbandoned(
  platform: Platform,
  untilMs: number,
  hooks: RecordHooks = {},
): Job | Failure | null {
  const store = jobStore(platform);
  const job = store.read();
  if (job === null || !awaitsClock(job, store.person(), platform.clock.nowMs())) return null;
  const rest = goOn(platform, job.id);
  return isFailure(rest) ? rest : drainQueue(platform, rest.job, untilMs, hooks);
}
