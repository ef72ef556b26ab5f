// Works on a job while the page is open: several asks at a time, one record after the other. Knows
// no DOM, so tests and the bench drive it in virtual time.

import type { RpcReply } from '../../api/define-api';
import type { RpcFailure } from '../../api/failure-view';
import type { Asked, Choice, EncodedAnswer, JobStatus } from '../../api/jobs';
import { createPauses, isBusyHere, isOfTheWay, type RpcClient } from './rpc-client';
import { isOver } from './texts';

/** What the page learns from the loop. */
export type JobEvent =
  /** The page has gone on with a job that nobody worked on. */
  | { readonly type: 'workBegun'; readonly status: JobStatus }
  | { readonly type: 'statusArrived'; readonly status: JobStatus }
  /** Google cannot be reached; it is tried again. */
  | { readonly type: 'linkLost' }
  /** When the key allows the next call, if that is more than a moment away. */
  | { readonly type: 'nextCallKnown'; readonly atMs: number | null }
  /** A call failed in a way that another try does not mend. */
  | { readonly type: 'workFailed'; readonly failure: RpcFailure }
  /** The page no longer works on this job. */
  | { readonly type: 'workEnded'; readonly jobId: string };

/** How long an ask may take, ms: its overhead is small beside it, and its answers are still news. */
const ASK_MS = 16_000;
/** The first asks end after a wave, so the first figures are in the sheet within seconds. */
const FIRST_ASK_MS = 4_000;
const FIRST_PRODUCTS = 5;
/** Asked at a time before the job has begun: so few, because nobody can stop them until then. */
const AHEAD_PRODUCTS = 10;
/** Each has one wave booked while the start works on the sheet. */
const AHEAD_ASKERS = 4;
/** Fewer are not worth a call. */
const PRODUCTS_MIN = 5;
/** A thousand answers in one reply are about 200 KB. */
const PRODUCTS_MAX = 1_000;
/** More products than the last speed suggests, so that an ask ends by its time. */
const SPARE = 3;

/** With two asks in flight, one uses the key's limit while the other comes back. */
const ASKERS_MIN = 2;
/** At first nothing is known. */
const ASKERS_FIRST = 3;
/** So long before or after one ask no other ends. */
const APART_MS = 3_000;
/** Google runs ten calls of a page at a time; one records, and one stays free. */
const ASKERS_MAX = 8;
/** More than this share of its time in calls: with one more ask, more calls are under way. */
const SERVED_LONG = 1 / 2;
/** Below this share in waits for the key's limit, the limit is not used up. */
const WAITED_LITTLE = 1 / 4;
/** Above this share, one ask fewer brings as much. */
const WAITED_LONG = 1 / 2;
/** Where the time goes into Google's stores and locks, more asks than this only meet each other. */
const BUSY_ASKERS_MAX = 6;

const RECORD_EVERY_MS = 5_000;
const RECORD_EVERY_MS_MAX = 15_000;
/** Records take at most a fifth of the time, so a slow sheet gets larger ones. */
const RECORD_REST_FACTOR = 4;
/** After three minutes without a record, others take the job for abandoned. */
const SIGN_OF_LIFE_MS = 60_000;

const RETRY_MS = 2_000;
const RETRY_MS_MAX = 60_000;
/** An ask that brings nothing in less than this time is followed by a pause. */
const QUICK_MS = 2_000;
/** How long the pause is at most, also when the next call is due later. */
const REST_MS_MAX = 30_000;
/** Queues that are read in a row because the job is not over, and that bring nothing. */
const EMPTY_ROUNDS_MAX = 4;

/** For a job that this page shows and does not work on. */
const LOOK_EVERY_MS = 2_000;
const REST_LOOK_EVERY_MS = 10_000;
/** A person who continues a job waits at most this long for its last asks. */
const LAST_ASKS_MS = 20_000;

/** How many asks are kept in flight after one of them has come back. @param tookMs its duration. */
export function askersAfter(
  askers: number,
  { servedMs, waitedMs }: Pick<Asked, 'servedMs' | 'waitedMs'>,
  tookMs: number,
): number {
  if (waitedMs > WAITED_LONG * tookMs) return Math.max(ASKERS_MIN, askers - 1);
  if (servedMs > SERVED_LONG * tookMs) return Math.min(ASKERS_MAX, askers + 1);
  const isFree = waitedMs < WAITED_LITTLE * tookMs && askers < BUSY_ASKERS_MAX;
  return isFree ? askers + 1 : askers;
}

/**
 * How many products the next ask gets: what it can do in its time, or its share of a short queue,
 * so that all asks end together.
 *
 * @param perSecond what an ask did lately; null: nothing is known yet.
 */
export function batchSize(queued: number, askers: number, perSecond: number | null): number {
  const wished =
    perSecond === null ? FIRST_PRODUCTS : Math.ceil((perSecond * SPARE * ASK_MS) / 1_000);
  const share = Math.ceil(queued / askers);
  return Math.min(queued, Math.max(PRODUCTS_MIN, Math.min(wished, share, PRODUCTS_MAX)));
}

/**
 * How long an ask may take, ms, so that it does not come back together with others.
 *
 * @param endsMs when those in flight are to end.
 */
export function askMs(endsMs: readonly number[], nowMs: number): number {
  const isApart = (ms: number) => endsMs.every((endMs) => Math.abs(nowMs + ms - endMs) >= APART_MS);
  for (let ms = ASK_MS; ms >= ASK_MS / 2; ms -= APART_MS / 2) if (isApart(ms)) return ms;
  return ASK_MS;
}

/** The pause before another try, ms: 2 s, 4 s, 8 s … one minute. */
export const retryPauseMs = (failed: number): number =>
  Math.min(RETRY_MS_MAX, RETRY_MS * 2 ** (failed - 1));

/** How far records are apart, ms. @param tookMs the duration of the last one. */
export const recordEveryMs = (tookMs: number): number =>
  Math.min(RECORD_EVERY_MS_MAX, Math.max(RECORD_EVERY_MS, RECORD_REST_FACTOR * tookMs));

/** Whether this page goes on with a job that it has found and did not work on. */
export function goesOnHere(status: JobStatus, nowMs: number): boolean {
  const { state, isMine, isScheduled, isWorkedOn, resumesAtMs } = status;
  if (!isMine || isScheduled) return false;
  if (state === 'blocked') return resumesAtMs !== undefined && resumesAtMs <= nowMs;
  return state === 'running' && !isWorkedOn;
}

/** A job that this page works on. */
interface Work {
  readonly jobId: string;
  status: JobStatus;
  /** Products to ask for, by key. */
  queue: readonly string[];
  /** When each of the asks in flight is to end, and how many there should be. */
  askEndsMs: readonly number[];
  askers: number;
  perSecond: number | null;
  /** What the next record takes along. */
  answers: readonly EncodedAnswer[];
  calls: number;
  /** When the latest record began, and how long it took. At first, when the work began. */
  recordedMs: number;
  recordTookMs: number;
  /** Whether this queue has had a record, whose status says whether the job is over. */
  hasRecorded: boolean;
  /** Nothing more is asked, because the job was paused, stopped or blocked, or a call failed. */
  isEnding: boolean;
  /** A failure that another try does not mend. */
  failure: RpcFailure | null;
  /** Times in a row that the server was not reached or the sheet was in use; calls that were lost together count once. */
  failed: number;
  failedMs: number;
  /** Asks in a row that brought nothing. */
  empty: number;
  readonly recorder: ReturnType<typeof createPauses>;
}

/** What the functions below share. */
interface Page {
  readonly rpc: RpcClient;
  nowMs(): number;
  pause(ms: number): Promise<void>;
  /** A pause that ends early once the connection is back. */
  rest(ms: number): Promise<void>;
  dispatch(event: JobEvent): void;
}

function newWork(page: Page, status: JobStatus, queue: readonly string[]): Work {
  return {
    jobId: status.jobId,
    status,
    queue,
    askEndsMs: [],
    askers: ASKERS_FIRST,
    perSecond: null,
    answers: [],
    calls: 0,
    recordedMs: page.nowMs(),
    recordTookMs: 0,
    hasRecorded: false,
    isEnding: false,
    failure: null,
    failed: 0,
    failedMs: 0,
    empty: 0,
    recorder: createPauses((ms) => page.pause(ms)),
  };
}

function showStatus(page: Page, work: Work, status: JobStatus): void {
  if (status.jobId !== work.jobId) return;
  const isContinued = status.continued !== work.status.continued;
  work.status = status;
  // Another page or person has paused, stopped or continued the job.
  if (status.state !== 'running' || !status.isMine || isContinued) work.isEnding = true;
  page.dispatch({ type: 'statusArrived', status });
}

/** Notes a call that failed. Returns whether another try can help. @param begunMs when it began. */
function noteFailure(page: Page, work: Work, failure: RpcFailure, begunMs: number): boolean {
  if (isOfTheWay(failure) || isBusyHere(failure)) {
    if (begunMs >= work.failedMs) work.failed += 1;
    work.failedMs = page.nowMs();
    if (!isBusyHere(failure)) page.dispatch({ type: 'linkLost' });
    return true;
  }
  work.failure ??= failure;
  work.isEnding = true;
  return false;
}

function takeBatch(work: Work): readonly string[] {
  const size = batchSize(work.queue.length, work.askers, work.perSecond);
  const batch = work.queue.slice(0, size);
  work.queue = work.queue.slice(size);
  return batch;
}

/** Takes the reply to an ask in. Returns how long the next ask has to wait, ms. */
function takeReply(page: Page, work: Work, asked: Asked, askedMs: number): number {
  const nowMs = page.nowMs();
  const tookMs = Math.max(1, nowMs - askedMs);
  const { answers, left, calls, nextCallAtMs, status } = asked;
  work.failed = 0;
  work.answers = [...work.answers, ...answers];
  work.calls += calls;
  work.queue = [...left, ...work.queue];
  page.dispatch({ type: 'nextCallKnown', atMs: nextCallAtMs ?? null });
  if (status !== undefined) {
    work.isEnding = true;
    showStatus(page, work, status);
    return 0;
  }
  if (answers.length > 0) {
    work.empty = 0;
    work.askers = askersAfter(work.askers, asked, tookMs);
    work.perSecond = (1_000 * answers.length) / tookMs;
    return 0;
  }
  work.empty += 1;
  const dueMs = Math.max(0, (nextCallAtMs ?? nowMs) - nowMs);
  const quietMs = tookMs < QUICK_MS ? 1_000 * 2 ** work.empty : 0;
  return Math.min(REST_MS_MAX, Math.max(dueMs, quietMs));
}

async function askOnce(page: Page, work: Work, maxMs: number): Promise<void> {
  const { jobId } = work;
  const products = takeBatch(work);
  const askedMs = page.nowMs();
  const reply = await page.rpc('jobs.ask', { jobId, products, maxMs });
  let restMs = 0;
  if (reply.ok) restMs = takeReply(page, work, reply.value, askedMs);
  else {
    // What was answered before the call was lost is in the server's cache.
    work.queue = [...products, ...work.queue];
    if (noteFailure(page, work, reply.failure, askedMs)) restMs = retryPauseMs(work.failed);
  }
  work.recorder.wake();
  if (restMs > 0 && !work.isEnding) await page.rest(restMs);
}

const hasToAsk = (work: Work): boolean => !work.isEnding && work.queue.length > 0;

/** Fills up to the wished number of asks in flight. */
function fillAsks(page: Page, work: Work): void {
  while (hasToAsk(work) && work.askEndsMs.length < work.askers) {
    const nowMs = page.nowMs();
    const maxMs = work.perSecond === null ? FIRST_ASK_MS : askMs(work.askEndsMs, nowMs);
    const endMs = nowMs + maxMs;
    work.askEndsMs = [...work.askEndsMs, endMs];
    void askOnce(page, work, maxMs).then(() => {
      work.askEndsMs = work.askEndsMs.filter((_, at, all) => at !== all.indexOf(endMs));
      fillAsks(page, work);
      work.recorder.wake();
    });
  }
}

const areAsksOver = (work: Work): boolean => work.askEndsMs.length === 0 && !hasToAsk(work);

/** How long until the next record is due, ms; null: there is nothing left to record. */
function recordWaitMs(work: Work, nowMs: number): number | null {
  const { recordedMs, recordTookMs, hasRecorded } = work;
  const hasAnswers = work.answers.length > 0;
  if (areAsksOver(work)) return hasAnswers || work.calls > 0 || !hasRecorded ? 0 : null;
  if (hasAnswers && !hasRecorded) return 0;
  const everyMs = hasAnswers ? recordEveryMs(recordTookMs) : SIGN_OF_LIFE_MS;
  return Math.max(0, recordedMs + everyMs - nowMs);
}

async function recordOnce(page: Page, work: Work): Promise<void> {
  const answers = work.answers.slice(0, PRODUCTS_MAX);
  const { calls, jobId } = work;
  const begunMs = page.nowMs();
  const reply = await page.rpc('jobs.record', { jobId, answers, calls });
  if (reply.ok) {
    work.failed = 0;
    work.answers = work.answers.slice(answers.length);
    work.calls -= calls;
    work.recordedMs = begunMs;
    work.recordTookMs = page.nowMs() - begunMs;
    work.hasRecorded = true;
    showStatus(page, work, reply.value);
    return;
  }
  if (noteFailure(page, work, reply.failure, begunMs)) await page.rest(retryPauseMs(work.failed));
  else {
    // The answers stay in the server's cache: whoever continues the job gets them for nothing.
    work.answers = [];
    work.calls = 0;
    work.hasRecorded = true;
  }
}

/** Records until all asks are over and nothing is left to record. */
async function keepRecording(page: Page, work: Work): Promise<void> {
  for (;;) {
    const waitMs = recordWaitMs(work, page.nowMs());
    if (waitMs === null) return;
    if (waitMs === 0) await recordOnce(page, work);
    else await work.recorder.rest(waitMs);
  }
}

async function readQueue(page: Page, work: Work): Promise<void> {
  const begunMs = page.nowMs();
  const reply = await page.rpc('jobs.setState', { jobId: work.jobId, state: 'running' });
  // A command that was given meanwhile counts.
  if (work.isEnding) return;
  if (reply.ok) {
    work.queue = reply.value.queue;
    work.hasRecorded = false;
    work.status = reply.value.status;
    showStatus(page, work, reply.value.status);
  } else noteFailure(page, work, reply.failure, begunMs);
}

/** Works until the job is over, or is no longer this page's to work on. */
async function workOn(page: Page, work: Work): Promise<void> {
  for (let empty = 0; ; ) {
    const before = work.status.left;
    fillAsks(page, work);
    await keepRecording(page, work);
    if (work.isEnding || empty === EMPTY_ROUNDS_MAX) break;
    // Rows that a person moved away under a write, and rows added meanwhile, are wanted again.
    empty = work.status.left < before ? 0 : empty + 1;
    if (empty > 0) await page.rest(retryPauseMs(empty));
    if (work.isEnding) break;
    await readQueue(page, work);
  }
  page.dispatch({ type: 'nextCallKnown', atMs: null });
  // A job that somebody has stopped takes no more records.
  if (work.failure !== null && !isOver(work.status))
    page.dispatch({ type: 'workFailed', failure: work.failure });
  page.dispatch({ type: 'workEnded', jobId: work.jobId });
}

export interface JobLoop {
  /**
   * Starts a job and works on it.
   *
   * @param first products that are asked beside, so that they show as soon as the columns do.
   */
  start(choice: Choice, first?: readonly string[]): Promise<RpcReply<JobStatus>>;
  /** Pauses, stops or continues the job. The page works on a job that it continues. */
  setState(jobId: string, state: 'running' | 'paused' | 'stopped'): Promise<RpcReply<JobStatus>>;
  /** Keeps the status of a job up to date; null: there is none, or it is over. */
  follow(status: JobStatus | null): void;
  /** Ends all pauses, so that what failed is tried again at once. */
  wake(): void;
}

export function createJobLoop(
  rpc: RpcClient,
  dispatch: (event: JobEvent) => void,
  pause: (ms: number) => Promise<void>,
  nowMs: () => number,
): JobLoop {
  const { rest, wake } = createPauses(pause);
  const page: Page = { rpc, dispatch, pause, nowMs, rest };
  let work: Work | null = null;
  let workOver: Promise<void> = Promise.resolve();
  let followed: JobStatus | null = null;
  let isLooking = false;

  function begin(status: JobStatus, queue: readonly string[]): void {
    if (status.state !== 'running') return;
    const begun = newWork(page, status, queue);
    work = begun;
    workOver = workOn(page, begun).then(() => {
      if (work === begun) work = null;
    });
  }

  /** What goes wrong here, the job's own asks tell. */
  async function askAhead(queue: string[], isOver: () => boolean): Promise<number> {
    let calls = 0;
    let size = FIRST_PRODUCTS;
    let maxMs = FIRST_ASK_MS;
    while (queue.length > 0 && !isOver()) {
      const products = queue.splice(0, size);
      const reply = await rpc('jobs.askAhead', { products, maxMs });
      if (!reply.ok) break;
      calls += reply.value.calls;
      size = AHEAD_PRODUCTS;
      maxMs = ASK_MS;
    }
    return calls;
  }

  const start: JobLoop['start'] = async (choice, first = []) => {
    let isReplied = false;
    const queue = [...first];
    const asks = Array.from({ length: AHEAD_ASKERS }, () => askAhead(queue, () => isReplied));
    const ahead = Promise.all(asks).then((calls) => calls.reduce((sum, one) => sum + one, 0));
    const reply = await rpc('jobs.start', choice);
    isReplied = true;
    if (reply.ok) {
      begin(reply.value.status, reply.value.queue);
      const begun = work;
      // The next record takes them along.
      void ahead.then((calls) => {
        if (begun !== null) begun.calls += calls;
      });
      return { ok: true, value: reply.value.status };
    }
    if (!isOfTheWay(reply.failure)) return reply;
    // The job may have begun although the reply was lost.
    const seen = await rpc('jobs.status', {});
    const status = seen.ok ? seen.value : null;
    return status?.isMine === true && status.state === 'running'
      ? setState(status.jobId, 'running')
      : reply;
  };

  const setState: JobLoop['setState'] = async (jobId, state) => {
    const before = work?.jobId === jobId ? work : null;
    // Nothing more is sent from the click on, and what is on its way is waited for.
    if (before !== null) before.isEnding = true;
    if (state === 'running') await Promise.race([workOver, pause(LAST_ASKS_MS)]);
    const reply = await rpc('jobs.setState', { jobId, state });
    if (reply.ok) {
      const { status, queue } = reply.value;
      if (before !== null) before.status = status;
      begin(status, queue);
      return { ok: true, value: status };
    }
    // The job goes on as if nobody had asked.
    if (before === null || before.failure !== null) return reply;
    if (before === work) {
      before.isEnding = false;
      fillAsks(page, before);
    } else begin(before.status, before.queue);
    return reply;
  };

  /** Goes on with a job that nobody works on. */
  async function goOn({ jobId }: JobStatus): Promise<void> {
    const reply = await setState(jobId, 'running');
    if (reply.ok) dispatch({ type: 'workBegun', status: reply.value });
  }

  async function look(): Promise<void> {
    while (followed !== null) {
      await rest(followed.state === 'running' ? LOOK_EVERY_MS : REST_LOOK_EVERY_MS);
      if (followed === null || work !== null) continue;
      const before = followed;
      const reply = await rpc('jobs.status', {});
      // A command that was answered meanwhile is newer.
      if (followed !== before || work !== null) continue;
      if (!reply.ok) dispatch({ type: 'linkLost' });
      else if (reply.value !== null) {
        dispatch({ type: 'statusArrived', status: reply.value });
        if (goesOnHere(reply.value, nowMs())) await goOn(reply.value);
      }
    }
  }

  const follow: JobLoop['follow'] = (status) => {
    followed = status === null || isOver(status) ? null : status;
    if (followed === null || isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
    });
  };

  return { start, setState, follow, wake };
}
