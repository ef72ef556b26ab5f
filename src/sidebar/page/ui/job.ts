// Works on a job while the page is open, and shows it: several asks at a time, one record after the
// other. Knows no DOM, so tests and the bench drive it in virtual time.

import { batch, signal } from '@preact/signals-core';
import type { RpcReply } from '../../api/define-api';
import type { RpcFailure } from '../../api/failure-view';
import type { Asked, Choice, EncodedAnswer, JobPreview, JobStatus } from '../../api/jobs';
import { createPauses, isBusyHere, isOfTheWay, type RpcClient } from './rpc-client';
import { isOver } from './texts';

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

/** A shorter wait for the key's limit is not told. */
const TOLD_WAIT_MS = 10_000;

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

export type Job = ReturnType<typeof createJob>;

export function createJob(
  rpc: RpcClient,
  pause: (ms: number) => Promise<void>,
  nowMs: () => number,
) {
  const { rest, wake } = createPauses(pause);
  /** The job that is shown, under way or over. */
  const status = signal<JobStatus | null>(null);
  /** Whether this page works on it. */
  const isHere = signal(false);
  /** Whether Google cannot be reached at present. The page tries again by itself. */
  const isLost = signal(false);
  /** How many products were asked ahead of the job that is being started. */
  const askedAhead = signal(0);
  /** When the key allows the next call, if that is worth telling. */
  const nextCallAtMs = signal<number | null>(null);
  /** Why this page gave up: another try does not mend it. */
  const failure = signal<RpcFailure | null>(null);
  let work: Work | null = null;
  let isLooking = false;

  type Work = ReturnType<typeof startWork>;

  function startWork(begun: JobStatus, first: readonly string[]) {
    const { jobId } = begun;
    let now = begun;
    /** Products to ask for, by key. */
    let queue = first;
    /** When each of the asks in flight is to end, how many there should be, and what one did lately. */
    let endsMs: readonly number[] = [];
    let askers = ASKERS_FIRST;
    let perSecond: number | null = null;
    /** What the next record takes along. */
    let answers: readonly EncodedAnswer[] = [];
    let calls = 0;
    /** When the latest record began, and how long it took. */
    let [recordedMs, recordTookMs] = [nowMs(), 0];
    /** Whether this queue has had a record, whose status says whether the job is over. */
    let hasRecorded = false;
    /** Nothing more is asked: the job was paused, stopped or blocked, or a call failed, and why. */
    let isEnding = false;
    let why: RpcFailure | null = null;
    /** Times in a row that a call was lost (together counts once), and asks that brought nothing. */
    let [failed, failedMs, empty] = [0, 0, 0];
    const recorder = createPauses(pause);
    const hasToAsk = () => !isEnding && queue.length > 0;
    const areAsksOver = () => endsMs.length === 0 && !hasToAsk();

    function take(next: JobStatus): void {
      if (next.jobId !== jobId) return;
      // Another page or person has paused, stopped or continued the job.
      if (next.state !== 'running' || !next.isMine || next.continued !== now.continued)
        isEnding = true;
      now = next;
      if (status.peek()?.jobId === jobId) put(next);
    }

    /** Returns whether another try can help. @param begunMs when the call began. */
    function canTryAgain(lost: RpcFailure, begunMs: number): boolean {
      if (isOfTheWay(lost) || isBusyHere(lost)) {
        if (begunMs >= failedMs) failed += 1;
        failedMs = nowMs();
        if (!isBusyHere(lost)) isLost.value = true;
        return true;
      }
      why ??= lost;
      isEnding = true;
      return false;
    }

    /** Returns how long the next ask has to wait, ms. */
    function takeReply(asked: Asked, askedMs: number): number {
      const tookMs = Math.max(1, nowMs() - askedMs);
      failed = 0;
      answers = [...answers, ...asked.answers];
      calls += asked.calls;
      // What waits for the answers of others comes after them.
      queue = asked.answers.length > 0 ? [...asked.left, ...queue] : [...queue, ...asked.left];
      const callAtMs = asked.nextCallAtMs ?? 0;
      nextCallAtMs.value = callAtMs >= nowMs() + TOLD_WAIT_MS ? callAtMs : null;
      if (asked.status !== undefined) {
        isEnding = true;
        take(asked.status);
        return 0;
      }
      if (asked.answers.length > 0) {
        empty = 0;
        askers = askersAfter(askers, asked, tookMs);
        perSecond = (1_000 * asked.answers.length) / tookMs;
        return 0;
      }
      empty += 1;
      const dueMs = Math.max(0, callAtMs - nowMs());
      return Math.min(REST_MS_MAX, Math.max(dueMs, tookMs < QUICK_MS ? 1_000 * 2 ** empty : 0));
    }

    async function ask(maxMs: number): Promise<void> {
      const size = batchSize(queue.length, askers, perSecond);
      const products = queue.slice(0, size);
      queue = queue.slice(size);
      const askedMs = nowMs();
      const reply = await rpc('jobs.ask', { jobId, products, maxMs });
      let restMs = 0;
      if (reply.ok) restMs = takeReply(reply.value, askedMs);
      else {
        // What was answered before the call was lost is in the server's cache.
        queue = [...products, ...queue];
        if (canTryAgain(reply.failure, askedMs)) restMs = retryPauseMs(failed);
      }
      recorder.wake();
      if (restMs > 0 && !isEnding) await rest(restMs);
    }

    /** Fills up to the wished number of asks in flight. */
    function fill(): void {
      while (hasToAsk() && endsMs.length < askers) {
        const maxMs = perSecond === null ? FIRST_ASK_MS : askMs(endsMs, nowMs());
        const endMs = nowMs() + maxMs;
        endsMs = [...endsMs, endMs];
        void ask(maxMs).then(() => {
          endsMs = endsMs.filter((_, at, all) => at !== all.indexOf(endMs));
          fill();
          recorder.wake();
        });
      }
    }

    /** How long until the next record is due, ms; null: there is nothing left to record. */
    function recordWaitMs(): number | null {
      const hasAnswers = answers.length > 0;
      if (areAsksOver()) return hasAnswers || calls > 0 || !hasRecorded ? 0 : null;
      if (hasAnswers && !hasRecorded) return 0;
      const everyMs = hasAnswers ? recordEveryMs(recordTookMs) : SIGN_OF_LIFE_MS;
      return Math.max(0, recordedMs + everyMs - nowMs());
    }

    async function record(): Promise<void> {
      const taken = { jobId, answers: answers.slice(0, PRODUCTS_MAX), calls };
      const begunMs = nowMs();
      const reply = await rpc('jobs.record', taken);
      if (reply.ok) {
        failed = 0;
        answers = answers.slice(taken.answers.length);
        calls -= taken.calls;
        recordedMs = begunMs;
        recordTookMs = nowMs() - begunMs;
        hasRecorded = true;
        take(reply.value);
      } else if (canTryAgain(reply.failure, begunMs)) await rest(retryPauseMs(failed));
      else {
        // The answers stay in the server's cache: whoever continues the job gets them for nothing.
        answers = [];
        calls = 0;
        hasRecorded = true;
      }
    }

    async function readQueue(): Promise<void> {
      const begunMs = nowMs();
      const reply = await rpc('jobs.setState', { jobId, state: 'running' });
      // A command that was given meanwhile counts.
      if (isEnding) return;
      if (!reply.ok) return void canTryAgain(reply.failure, begunMs);
      queue = reply.value.queue;
      hasRecorded = false;
      now = reply.value.status;
      take(now);
    }

    /** Works until the job is over, or is no longer this page's to work on. */
    async function run(): Promise<void> {
      for (let rounds = 0; ; ) {
        const before = now.left;
        fill();
        for (let ms = recordWaitMs(); ms !== null; ms = recordWaitMs())
          await (ms === 0 ? record() : recorder.rest(ms));
        if (isEnding || rounds === EMPTY_ROUNDS_MAX) break;
        // Rows that a person moved away under a write, and rows added meanwhile, are wanted again.
        rounds = now.left < before ? 0 : rounds + 1;
        if (rounds > 0) await rest(retryPauseMs(rounds));
        if (isEnding) break;
        await readQueue();
      }
      if (work === self) work = null;
      if (status.peek()?.jobId !== jobId) return;
      batch(() => {
        nextCallAtMs.value = null;
        isHere.value = work !== null;
        // A job that somebody has stopped takes no more records.
        if (why !== null && !isOver(now)) failure.value = why;
      });
    }

    const self = {
      jobId,
      addCalls: (more: number) => {
        calls += more;
      },
      /** Nothing more is sent from now on; what is on its way is waited for. */
      end: () => {
        isEnding = true;
      },
      /** The job goes on as if nobody had asked for another state. */
      goOn: (isRunning: boolean) => {
        if (why !== null) return;
        isEnding = false;
        if (isRunning) fill();
        else begin(now, queue);
      },
      over: Promise.resolve(),
    };
    self.over = run();
    return self;
  }

  function put(next: JobStatus): void {
    batch(() => {
      status.value = next;
      isLost.value = false;
    });
    if (!isOver(next)) void look();
  }

  /** Shows a job anew. @param queue what the page asks for; null: it does not work on the job. */
  function begin(begun: JobStatus, queue: readonly string[] | null): void {
    const isToDo = queue !== null && begun.state === 'running';
    batch(() => {
      isHere.value = isToDo;
      nextCallAtMs.value = null;
      failure.value = null;
      put(begun);
    });
    if (isToDo) work = startWork(begun, queue);
  }

  /** Shows a job that was found. @param hereJob the one that this page worked on before. */
  async function show(found: JobStatus, hereJob?: string): Promise<void> {
    if (found.jobId === status.peek()?.jobId) put(found);
    else begin(found, null);
    const isLeft = found.jobId === hereJob;
    if (!goesOnHere({ ...found, isWorkedOn: found.isWorkedOn && !isLeft }, nowMs())) return;
    await setState('running');
  }

  /** Keeps the status of a job that another page works on up to date. */
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (let seen = status.peek(); seen !== null && !isOver(seen); seen = status.peek()) {
      await rest(seen.state === 'running' ? LOOK_EVERY_MS : REST_LOOK_EVERY_MS);
      seen = status.peek();
      if (seen === null || work !== null) continue;
      const reply = await rpc('jobs.status', {});
      // A command that was answered meanwhile is newer.
      if (status.peek() !== seen || work !== null) continue;
      if (!reply.ok) isLost.value = true;
      else if (reply.value !== null) await show(reply.value);
    }
    isLooking = false;
  }

  /** What goes wrong here, the job's own asks tell. */
  async function askAhead(queue: string[], isReplied: () => boolean): Promise<number> {
    let calls = 0;
    let [size, maxMs] = [FIRST_PRODUCTS, FIRST_ASK_MS];
    while (queue.length > 0 && !isReplied()) {
      const products = queue.splice(0, size);
      const reply = await rpc('jobs.askAhead', { products, maxMs });
      if (!reply.ok) break;
      askedAhead.value += products.length;
      calls += reply.value.calls;
      [size, maxMs] = [AHEAD_PRODUCTS, ASK_MS];
    }
    return calls;
  }

  /**
   * Starts a job and works on it.
   *
   * @param counted what the person saw of it: how many products, and which of them are asked beside,
   * so that they show as soon as the columns do.
   */
  async function start(
    choice: Choice,
    counted?: Pick<JobPreview, 'first' | 'products'>,
  ): Promise<RpcReply<JobStatus>> {
    let isReplied = false;
    askedAhead.value = 0;
    const queue = [...(counted?.first ?? [])];
    const ahead = Promise.all(
      Array.from({ length: AHEAD_ASKERS }, () => askAhead(queue, () => isReplied)),
    );
    const products = counted && { products: counted.products };
    const reply = await rpc('jobs.start', { ...choice, ...products });
    isReplied = true;
    if (reply.ok) {
      begin(reply.value.status, reply.value.queue);
      const begun = work;
      // The next record takes them along.
      void ahead.then((calls) => begun?.addCalls(calls.reduce((sum, one) => sum + one, 0)));
      return { ok: true, value: reply.value.status };
    }
    if (!isOfTheWay(reply.failure)) return reply;
    // The job may have begun although the reply was lost.
    const seen = await rpc('jobs.status', {});
    if (!seen.ok || seen.value?.isMine !== true || seen.value.state !== 'running') return reply;
    put(seen.value);
    return setState('running');
  }

  /** Pauses, stops or continues the job. The page works on a job that it continues. */
  async function setState(state: 'running' | 'paused' | 'stopped'): Promise<RpcReply<JobStatus>> {
    const jobId = status.peek()?.jobId ?? '';
    const before = work?.jobId === jobId ? work : null;
    before?.end();
    if (state === 'running') await Promise.race([before?.over, pause(before ? LAST_ASKS_MS : 0)]);
    const reply = await rpc('jobs.setState', { jobId, state });
    if (!reply.ok) {
      before?.goOn(before === work);
      return reply;
    }
    begin(reply.value.status, reply.value.queue);
    return { ok: true, value: reply.value.status };
  }

  /** Shows no job any more. */
  const close = (): void => {
    status.value = null;
  };

  return {
    ...{ status, isHere, isLost, askedAhead, nextCallAtMs, failure },
    ...{ begin, show, close, start, setState, wake },
    /** The work on the job, until this page no longer works on it. */
    over: () => work?.over ?? Promise.resolve(),
  };
}
