// The sidebar of a simulated person: the page's own client and job loop, in virtual time.

import { effect } from '@preact/signals-core';
import type { ExecutionEnd } from 'apps-script-host/execution';
import type { Random } from 'apps-script-host/random';
import type { JobStatus } from '../../src/sidebar/api/jobs';
import { createJob, type Job } from '../../src/sidebar/page/ui/job';
import {
  createRpcClient,
  type RpcClient,
  type ScriptRunner,
} from '../../src/sidebar/page/ui/rpc-client';
import { isOver } from '../../src/sidebar/page/ui/texts';
import type { Book, Kill, Who } from './book';

export interface Page {
  readonly rpc: RpcClient;
  readonly loop: Job;
  /** The latest status of the job that the page shows. */
  readonly status: () => JobStatus | null;
  /** Failures of its work, as the page tells them. */
  readonly told: readonly string[];
  /** Resolves once the page no longer works on a job. */
  readonly worked: () => Promise<void>;
  readonly pause: (ms: number) => Promise<void>;
  /** Calls that are out arrive at the server; nobody hears their answers. */
  readonly close: () => void;
}

export interface PageOptions {
  readonly who?: Who;
  /** How the next call is cut off. */
  readonly kill?: (method: string) => Kill;
}

/** All pages that are open, in one virtual time. */
export interface Desk {
  readonly open: (options?: PageOptions) => Page;
  /** Lets calls and time go on until a person has done what they came for. */
  readonly until: <T>(done: Promise<T>) => Promise<T>;
}

/** What a page gets for a call. */
interface Heard {
  readonly ended: ExecutionEnd['ended'] | 'refused';
  readonly value?: unknown;
  readonly error?: unknown;
}

/** How a page reaches the server, and how it lets time pass. */
interface PageParts extends Pick<Page, 'pause'> {
  readonly nowMs: () => number;
  readonly send: (method: string, payload: unknown, hear: (heard: Heard) => void) => void;
}

/** The page's own client and job loop. */
export function pageOver({ nowMs, pause, send }: PageParts): Omit<Page, 'close'> {
  const runner = (
    onValue: (value: unknown) => void = () => {},
    onError: (error: unknown) => void = () => {},
  ): ScriptRunner => ({
    withSuccessHandler: (handler) => runner(handler, onError),
    withFailureHandler: (handler) => runner(onValue, handler),
    rpc: (method, payload) =>
      send(method, payload, ({ ended, value, error }) => {
        if (ended === 'returned') onValue(value);
        else onError(error ?? { message: ended });
      }),
  });
  const browser = { runner: runner(), isOnline: () => true };
  const rpc = createRpcClient(browser, { ended: () => {}, pause });
  const told: string[] = [];
  const loop = createJob(rpc, pause, nowMs);
  effect(() => {
    const failure = loop.failure.value;
    if (failure !== null) told.push(`${failure.kind}: ${failure.message}`);
  });
  return { rpc, loop, told, pause, status: () => loop.status.peek(), worked: loop.over };
}

interface Waiting {
  readonly page: object;
  readonly run: () => void;
}

/** All that is ready in this moment happens first. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** @param random in which order calls that are out at the same time arrive. */
export function createDesk({ host }: Pick<Book, 'host'>, random: Random): Desk {
  const calls: Waiting[] = [];
  let pauses: (Waiting & { readonly dueMs: number })[] = [];

  function open({ who = {}, kill = () => ({}) }: PageOptions = {}): Page {
    const page = {};
    let isClosed = false;
    const pause = (ms: number) =>
      new Promise<void>((run) => pauses.push({ page, run, dueMs: host.nowMs() + ms }));
    const send: PageParts['send'] = (method, payload, hear) => {
      const run = () => {
        const call = { functionName: 'rpc', args: [method, payload], door: 'sidebar' } as const;
        const end = host.call({ ...call, ...who, ...kill(method) });
        if (!isClosed) hear(end);
      };
      calls.push({ page, run });
    };
    return {
      ...pageOver({ nowMs: host.nowMs, pause, send }),
      close() {
        isClosed = true;
        pauses = pauses.filter((one) => one.page !== page);
      },
    };
  }

  async function until<T>(done: Promise<T>): Promise<T> {
    let isDone = false;
    const mark = () => {
      isDone = true;
    };
    done.then(mark, mark);
    for (;;) {
      await settled();
      if (isDone) return done;
      if (calls.length > 0) {
        const [call] = calls.splice(random.integer(0, calls.length - 1), 1);
        call?.run();
        continue;
      }
      const next = pauses.reduce(
        (first, one) => (one.dueMs < first.dueMs ? one : first),
        pauses[0] ?? { dueMs: 0, run: () => {}, page: {} },
      );
      if (pauses.length === 0) throw new Error('The page waits for nothing.');
      pauses = pauses.filter((one) => one !== next);
      if (next.dueMs > host.nowMs()) host.wait(next.dueMs - host.nowMs());
      next.run();
    }
  }

  return { open, until };
}

/** How a person's work at the sidebar ended. */
export interface Story {
  readonly status: JobStatus | null;
  /** Why it could not be done, in the page's words; null: it was. */
  readonly problem: string | null;
}

/** What a person does about a problem that the page tells; false: nothing can be done. */
export type PutRight = (words: string) => boolean;

const VISITS_MAX = 25;

const NO_LIST = 'No product column.';
const MINUTE_MS = 60_000;

/** Presses *Analyze*, or goes on with the job that is there, until it is done. */
export async function analyze(page: Page, putRight: PutRight = () => true): Promise<Story> {
  let problem = '';
  for (let visits = 0; visits < VISITS_MAX; visits += 1) {
    const look = await page.rpc('list.look', {});
    if (!look.ok) {
      problem = `${look.failure.kind}: ${look.failure.message}`;
      if (!putRight(problem)) break;
      await page.pause(MINUTE_MS);
      continue;
    }
    const { job, choice } = look.value;
    if (job === null && choice === null) {
      // Cut off as it added the Analysis tab, an execution leaves that tab in view.
      if (problem === NO_LIST || !putRight(NO_LIST)) return { status: null, problem: NO_LIST };
      problem = NO_LIST;
      continue;
    }
    if (job !== null && !job.isMine && job.isWorkedOn) {
      await page.pause(MINUTE_MS);
      continue;
    }
    if (job !== null) await page.loop.show(job);
    const begun =
      job !== null
        ? page.loop.isHere.peek()
          ? ({ ok: true } as const)
          : await page.loop.setState('running')
        : choice !== null
          ? await page.loop.start(choice)
          : null;
    if (begun?.ok === true) {
      await page.worked();
      const status = page.status();
      if (status !== null && isOver(status)) return { status, problem: null };
      problem = status?.problem?.message ?? page.told.at(-1) ?? '';
    } else problem = `${begun?.failure.kind}: ${begun?.failure.message}`;
    if (!putRight(problem)) break;
    await page.pause(MINUTE_MS);
  }
  return { status: page.status(), problem };
}
