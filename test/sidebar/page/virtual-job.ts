// A job in virtual time: a clock, and a server that answers the page's loop within a key's limit.

import { effect } from '@preact/signals-core';
import type { RpcFailure } from '../../../src/sidebar/api/failure-view';
import type { Asked, Choice, EncodedAnswer, JobStatus } from '../../../src/sidebar/api/jobs';
import { createJob } from '../../../src/sidebar/page/ui/job';
import type { RpcClient } from '../../../src/sidebar/page/ui/rpc-client';

export interface Laws {
  readonly products: number;
  readonly perSecond: number;
  readonly burst: number;
  /** How long the service takes to answer one wave, ms. */
  readonly answerMs: number;
  /** How long the server's own work takes for each wave, ms. */
  readonly waveMs: number;
  /** How long a record takes besides a millisecond for each row, ms. */
  readonly recordMs: number;
}

export const USUAL: Laws = {
  products: 1_000,
  perSecond: 5,
  burst: 10,
  answerMs: 400,
  waveMs: 200,
  recordMs: 1_200,
};

/** From the page's call to the first line of the script, and back, ms. */
const CALL_MS = 500;
const START_MS = 3_000;
/** The server looks this often whether the job still runs, ms. */
const LOOK_MS = 1_000;

function createClock() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly wake: () => void }[] = [];
  const settle = () => new Promise<void>((done) => setImmediate(done));
  return {
    nowMs: () => nowMs,
    sleep: (ms: number): Promise<void> =>
      new Promise((wake) => {
        const atMs = nowMs + ms;
        const place = timers.findIndex((timer) => timer.atMs > atMs);
        timers.splice(place === -1 ? timers.length : place, 0, { atMs, wake });
      }),
    /** Lets time pass until this is true, or until nothing more can happen. */
    async until(isOver: () => boolean): Promise<void> {
      await settle();
      while (!isOver()) {
        const [next] = timers;
        if (next === undefined) return;
        timers = timers.slice(1);
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
        await settle();
      }
    },
  };
}

type Fault = (method: string, nth: number) => RpcFailure | undefined;

export const LOST: RpcFailure = { kind: 'page-connection-lost', message: 'Lost.' };

export function createVirtualJob(laws: Laws = USUAL, fault: Fault = () => undefined) {
  const clock = createClock();
  const { nowMs, sleep } = clock;
  const burstMs = (1_000 * laws.burst) / laws.perSecond;
  const wave = Math.max(1, Math.floor(laws.burst / 2));
  /** The products that the tab still wants, that were answered, and that were sent: with how often. */
  const wanted = new Set(Array.from({ length: laws.products }, (_, i) => `US B${i}`));
  const cache = new Set<string>();
  const sent = new Map<string, number>();
  const log: { readonly atMs: number; readonly method: string }[] = [];
  const sentAtMs: number[] = [];
  const recorded: { readonly atMs: number; readonly products: number; readonly calls: number }[] =
    [];
  const events: { readonly type: string; readonly failure?: RpcFailure }[] = [];
  const counts = new Map<string, number>();
  /** When the bucket is full again. */
  let fullMs = 0;
  let inFlight = 0;
  let inFlightMax = 0;
  let state: JobStatus['state'] = 'running';
  let changes: Partial<JobStatus> = {};

  const status = (): JobStatus => ({
    jobId: 'job-1',
    state,
    isMine: true,
    isWorkedOn: true,
    continued: 0,
    isScheduled: false,
    sheet: { id: 0, name: 'Sheet1' },
    listId: 'a1',
    rows: laws.products,
    products: laws.products,
    answered: laws.products - wanted.size,
    cached: 0,
    failed: 0,
    left: wanted.size,
    failures: [],
    calls: [...sent.values()].reduce((sum, times) => sum + times, 0),
    startedAtMs: 0,
    workedMs: 0,
    expectedMs: null,
    next: [],
    ...changes,
  });

  async function ask(products: readonly string[], maxMs: number): Promise<Asked> {
    const endMs = nowMs() + maxMs;
    const answers: EncodedAnswer[] = products
      .filter((one) => cache.has(one))
      .map((one) => [one, 'packed']);
    let left = products.filter((one) => !cache.has(one));
    let [calls, servedMs, waitedMs] = [0, 0, 0];
    while (left.length > 0 && nowMs() < endMs && state === 'running') {
      await sleep(laws.waveMs);
      const asked = left.slice(0, wave);
      const bookedMs = Math.max(fullMs, nowMs()) + (1_000 * asked.length) / laws.perSecond;
      const dueMs = bookedMs - burstMs;
      const beganMs = nowMs();
      // Only slots within the ask's time are booked.
      const untilMs = Math.min(dueMs, endMs);
      if (dueMs <= endMs) fullMs = bookedMs;
      while (nowMs() < untilMs && state === 'running')
        await sleep(Math.min(LOOK_MS, untilMs - nowMs()));
      waitedMs += nowMs() - beganMs;
      if (state !== 'running' || dueMs > endMs) break;
      for (const one of asked) {
        sent.set(one, (sent.get(one) ?? 0) + 1);
        sentAtMs.push(nowMs());
        cache.add(one);
        answers.push([one, 'packed']);
      }
      left = left.slice(asked.length);
      calls += asked.length;
      servedMs += laws.answerMs;
      await sleep(laws.answerMs);
    }
    return {
      answers,
      left,
      calls,
      servedMs,
      waitedMs,
      ...(state === 'running' ? {} : { status: status() }),
    };
  }

  const methods: Readonly<Record<string, (payload: never) => Promise<unknown>>> = {
    'jobs.start': async () => {
      await sleep(START_MS);
      return { status: status(), queue: [...wanted] };
    },
    'jobs.ask': async ({ products, maxMs }: { products: readonly string[]; maxMs: number }) => {
      inFlight += 1;
      inFlightMax = Math.max(inFlightMax, inFlight);
      const asked = await ask(products, maxMs);
      inFlight -= 1;
      return asked;
    },
    'jobs.askAhead': async ({
      products,
      maxMs,
    }: {
      products: readonly string[];
      maxMs: number;
    }) => {
      const { calls } = await ask(products, maxMs);
      return { calls };
    },
    'jobs.record': async ({
      answers,
      calls,
    }: {
      answers: readonly EncodedAnswer[];
      calls: number;
    }) => {
      await sleep(laws.recordMs + answers.length);
      for (const [product] of answers) wanted.delete(product);
      recorded.push({ atMs: nowMs(), products: answers.length, calls });
      if (wanted.size === 0 && state === 'running') state = 'done';
      return status();
    },
    'jobs.setState': async ({ state: wished }: { state: JobStatus['state'] }) => {
      if (state === 'running' || state === 'paused' || state === 'blocked') state = wished;
      return { status: status(), queue: state === 'running' ? [...wanted] : [] };
    },
    'jobs.status': async () => status(),
  };

  const rpc = (async (method: string, payload: never) => {
    log.push({ atMs: nowMs(), method });
    const nth = (counts.get(method) ?? 0) + 1;
    counts.set(method, nth);
    await sleep(CALL_MS);
    const failure = fault(method, nth);
    if (failure !== undefined) return { ok: false, failure };
    return { ok: true, value: await methods[method]?.(payload) };
  }) as unknown as RpcClient;

  const page = createJob(rpc, sleep, nowMs);
  effect(() => void (page.isLost.value && events.push({ type: 'linkLost' })));
  effect(() => {
    const failure = page.failure.value;
    if (failure) events.push({ type: 'workFailed', failure });
  });
  effect(() => {
    if (!page.isHere.value) return;
    events.push({ type: 'workBegun' });
    void Promise.resolve()
      .then(() => page.over())
      .then(() => events.push({ type: 'workEnded' }));
  });
  const loop = {
    start: page.start,
    setState: (_: string, wished: 'running' | 'paused' | 'stopped') => page.setState(wished),
    /** @param hereJob the job that this page worked on before. */
    follow: (status: JobStatus | null, hereJob?: string) =>
      status ? void page.show(status, hereJob) : page.close(),
  };
  const types = () => events.map(({ type }) => type);
  return {
    ...{ clock, loop, page, log, sentAtMs, recorded, events, types, wanted, sent },
    inFlightMax: () => inFlightMax,
    /** What the server says from now on, whatever it does. */
    change: (more: Partial<JobStatus>) => {
      changes = more;
      if (more.state !== undefined) state = more.state;
    },
    isOver: () => types().includes('workEnded'),
    /** Runs until the page has ended its work. Returns the moment. @param first see `JobLoop.start`. */
    async run(first: readonly string[] = []): Promise<number> {
      void loop.start({} as Choice, { first, products: first.length });
      await clock.until(() => types().includes('workEnded'));
      return nowMs();
    },
    /** The time a perfect client takes, ms. */
    idealMs: (1_000 * laws.products) / laws.perSecond,
  };
}
