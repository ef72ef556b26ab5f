// Asks for products of a job, within the key's limit. Any number of executions may do so at once:
// none of them writes a cell, and every answer is in the cache before anything else is done with it.

import type { GivenAnswer } from '../analysis/analysis-row';
import { decode, type EncodedAnalysis, encode } from '../cache/bucket';
import { analyze } from '../engine/analyze';
import { openEngine } from '../engine/doors';
import type { Engine } from '../engine/engine';
import type { Hooks } from '../engine/policy';
import { concernOf, endsRun, type Failure, isFailure, runProblem } from '../failures/failure';
import type { Clock, Platform } from '../google/platform';
import { HORIZON_MS } from '../limit/gate';
import { productOfKey } from '../product/asin';
import { type Answer, answered, unanswered } from '../product/fields';
import { storedList } from '../schema/stored-record';
import { atRest, blockJob, type Job, type JobStore, jobStore, leftProducts } from './job';

/** An answer on its way to the tab: the product's key, and the answer as text. */
export type EncodedAnswer = readonly [product: string, answer: string];

export interface AskedProducts {
  readonly answers: readonly EncodedAnswer[];
  /** Products that were not asked in the time. */
  readonly left: readonly string[];
  readonly calls: number;
  /** How long calls were under way, and how long slots were waited for, ms. */
  readonly servedMs: number;
  readonly waitedMs: number;
  /** When the next call is due, if that is more than a moment away. */
  readonly nextCallMs: number | null;
  /** The job, if it no longer runs. */
  readonly ended: Job | null;
}

/** A wait that is worth showing. */
const LONG_WAIT_MS = 3_000;

/** How often commands are looked for, apart from the waits, which look once a second. */
const COMMAND_POLL_MS = 500;

/** After this many failures of the service in a row, the rest would fail as well. */
const SERVICE_FAILURES_MAX = 30;

/** Thrown through the engine when a command has ended the asking. */
const HALTED = new Error('The job no longer runs.');

export interface AskOptions {
  readonly maxMs: number;
  /** The most calls that may be made, for a schedule with a budget. */
  readonly callsMax?: number;
  /** Whether it runs on the clock, whose time Google counts: it does not wait for a resting key. */
  readonly isByClock?: boolean;
}

/**
 * Asks for the first products of a job that is being started meanwhile, which finds the answers in
 * the cache. What goes wrong, the job tells.
 */
export function askAhead(
  platform: Platform,
  products: readonly string[],
  maxMs: number,
): { readonly calls: number } | Failure {
  let calls = 0;
  const engine = openEngine(platform, 'list', platform.clock.nowMs() + maxMs);
  if (isFailure(engine)) return engine;
  const store = jobStore(platform);
  const before = store.latestCommand();
  const checkHalt = haltsOn(platform.clock, () => store.latestCommand() !== before);
  const hooks = {
    onCalls(count: number) {
      calls += count;
    },
    betweenWaves: checkHalt,
    asleep: checkHalt,
  };
  const wanted = products.flatMap((key) => productOfKey(key) ?? []);
  const policy = {
    horizonMs: HORIZON_MS,
    triesAgain: true,
    listLeft: Number.POSITIVE_INFINITY,
  };
  untilHalted(() => analyze(engine, wanted, policy, hooks));
  return { calls };
}

/** Throws `HALTED` soon after a command. It looks no more often than it has to. */
function haltsOn(clock: Clock, isHalted: () => boolean): () => void {
  let polledMs = clock.nowMs();
  return () => {
    if (clock.nowMs() < polledMs + COMMAND_POLL_MS) return;
    polledMs = clock.nowMs();
    if (isHalted()) throw HALTED;
  };
}

/** Returns whether a command has ended it. */
function untilHalted(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error !== HALTED) throw error;
    return true;
  }
}

export function askProducts(
  platform: Platform,
  jobId: string,
  products: readonly string[],
  options: AskOptions,
): AskedProducts | Failure {
  const store = jobStore(platform);
  const job = store.read();
  if (job?.id !== jobId) return runProblem('run-ended');
  const asking: Asking = {
    answers: new Map(),
    calls: 0,
    servedMs: 0,
    waitedMs: 0,
    nextCallMs: null,
    why: null,
    isHalted: false,
  };
  const asked = (ended: Job | null): AskedProducts => {
    const { answers, calls, servedMs, waitedMs, nextCallMs } = asking;
    const left = products.filter((key) => !answers.has(key));
    return { answers: [...answers], left, calls, servedMs, waitedMs, nextCallMs, ended };
  };
  if (job.state !== 'running' || job.by !== store.person()) return asked(job);
  const engine = openEngine(platform, 'list', platform.clock.nowMs() + options.maxMs);
  if (isFailure(engine)) return asked(block(platform, jobId, engine));
  askAll(platform, engine, job, products, options, asking);
  if (asking.why !== null) return asked(block(platform, jobId, asking.why));
  return asked(asking.isHalted ? store.read() : null);
}

interface Asking {
  readonly answers: Map<string, string>;
  calls: number;
  servedMs: number;
  waitedMs: number;
  nextCallMs: number | null;
  /** Why nothing more can be asked for now. */
  why: Failure | null;
  isHalted: boolean;
}

function askAll(
  platform: Platform,
  engine: Engine,
  job: Job,
  keys: readonly string[],
  { callsMax, isByClock = false }: AskOptions,
  asking: Asking,
): void {
  const found = new Map<string, Answer>();
  const take = (answers: ReadonlyMap<string, Answer>) => {
    for (const [key, answer] of answers) found.set(key, answer);
  };
  const { goesOn, notBeforeMs, startedMs } = job;
  const policy = {
    horizonMs: HORIZON_MS,
    triesAgain: true,
    listLeft: leftProducts(job),
    sinceMs: startedMs,
    ...(goesOn && { goesOn }),
    ...(notBeforeMs !== undefined && { notBeforeMs }),
    ...(callsMax !== undefined && { callsMax }),
  };
  const products = keys.flatMap((key) => productOfKey(key) ?? []);
  const hooks = hooksOf(platform, job.id, asking, take, isByClock);
  asking.isHalted = untilHalted(() => take(analyze(engine, products, policy, hooks)));
  settle(asking, found, jobStore(platform), job.id, {
    atMs: platform.clock.nowMs(),
    fetchedWith: engine.fetchedWith,
  });
}

function hooksOf(
  { clock, ...platform }: Platform,
  jobId: string,
  asking: Asking,
  take: (answers: ReadonlyMap<string, Answer>) => void,
  isByClock: boolean,
): Hooks {
  const store = jobStore({ clock, ...platform });
  const checkHalt = haltsOn(clock, () => store.signs(jobId).isHalted);
  let sentMs: number | null = null;
  let bookedMs: number | null = null;
  /** Whatever a booking gives, the time until the next step is a wait. */
  function endWait(): void {
    if (bookedMs !== null) asking.waitedMs += clock.nowMs() - bookedMs;
    bookedMs = null;
  }
  return {
    onFound: take,
    onAnswers(answers) {
      if (sentMs !== null) asking.servedMs += clock.nowMs() - sentMs;
      sentMs = null;
      take(answers);
    },
    onCalls(count) {
      endWait();
      asking.calls += count;
      asking.nextCallMs = null;
      sentMs = clock.nowMs();
    },
    onBooked(dueMs) {
      const isLong = dueMs > clock.nowMs() + LONG_WAIT_MS;
      asking.nextCallMs = isLong ? dueMs : null;
      bookedMs = clock.nowMs();
    },
    betweenWaves() {
      endWait();
      checkHalt();
    },
    asleep: checkHalt,
    // A service that is down blocks the job, and nobody waits for it here.
    waitsBeyond: (booking) =>
      !isByClock && (booking.kind !== 'stopped' || booking.stop.status === undefined),
  };
}

/** Sorts what belongs to products from what would keep every product from being answered. */
function settle(
  asking: Asking,
  found: ReadonlyMap<string, Answer>,
  store: JobStore,
  jobId: string,
  by: Omit<GivenAnswer, 'answer'>,
): void {
  const isRightAddress = [...found.values()].some(({ ok }) => ok);
  const failed = new Set<string>();
  let isBroken = false;
  for (const [key, answer] of found) {
    if (!answer.ok && isOfAll(answer.failure, isRightAddress)) {
      asking.why ??= answer.failure;
      continue;
    }
    // Its time was up before it was asked.
    if (!answer.ok && answer.failure.kind === 'waiting') continue;
    asking.answers.set(key, encodeAnswer({ ...by, answer }));
    if (!answer.ok && concernOf(answer.failure.kind) === 'service') failed.add(key);
    else {
      isBroken = true;
      failed.clear();
    }
  }
  holdUpUnlike(asking, found);
  if (failed.size === 0 && !isBroken) return;
  const { serviceFailures: before } = store.signs(jobId);
  const inARow = failed.size + (isBroken ? 0 : before);
  if (inARow !== before) store.noteServiceFailures(jobId, inARow);
  if (inARow < SERVICE_FAILURES_MAX) return;
  asking.why ??= runProblem('service-down', String(inARow));
  store.noteServiceFailures(jobId, 0);
  // It is not about these products: they are asked again once the service is back.
  for (const key of failed) asking.answers.delete(key);
}

/** From this many answers in other units on, the connection is at fault and not single products. */
const UNLIKE_MIN = 5;

/**
 * If most answers are impossible in the connection's units, each further one is paid for nothing: a
 * person has to check the connection, and then these products are asked again.
 */
function holdUpUnlike(asking: Asking, found: ReadonlyMap<string, Answer>): void {
  const unlike = [...found].filter(
    ([, answer]) => !answer.ok && answer.failure.kind === 'other-units',
  );
  const answered = [...found.values()].filter(({ ok }) => ok);
  if (unlike.length < UNLIKE_MIN || unlike.length <= answered.length) return;
  for (const [key, answer] of unlike) {
    asking.answers.delete(key);
    if (!answer.ok) asking.why ??= answer.failure;
  }
}

/**
 * Whether the failure is not about this product. If the address has answered for others, it is right,
 * and only this product leads elsewhere.
 */
function isOfAll(failure: Failure, isRightAddress: boolean): boolean {
  if (failure.kind === 'wrong-address') return !isRightAddress;
  return endsRun(failure) || (failure.kind === 'waiting' && failure.status !== undefined);
}

/** Marks the job as blocked if it still runs. */
function block(platform: Platform, jobId: string, why: Failure): Job | null {
  const store = jobStore(platform);
  const changed = store.change(jobId, (job) =>
    atRest(job.state === 'running' ? blockJob(job, why, platform.clock.nowMs()) : job),
  );
  return isFailure(changed) ? store.read() : changed.job;
}

type Encoded = readonly [atMs: number, answer: EncodedAnalysis | Failure, fetchedWith: string];

const encodeAnswer = ({ answer, atMs, fetchedWith }: GivenAnswer): string => {
  const encoded: Encoded = answer.ok
    ? [answer.analysis.fetchedAtMs, encode(answer.analysis), fetchedWith]
    : [atMs, answer.failure, fetchedWith];
  return JSON.stringify(encoded);
};

const isList = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isItem);

/** It comes from a page, and goes into cells. */
const isCell = (value: unknown): boolean => value === null || typeof value !== 'object';

/** The answer in a text, and whose it is; null for a text that holds none. */
export function decodeAnswer(text: string): GivenAnswer | null {
  const [atMs, given, fetchedWith] = storedList(text) as Partial<Encoded>;
  if (typeof atMs !== 'number' || given === undefined || typeof fetchedWith !== 'string')
    return null;
  const by = { atMs, fetchedWith };
  if (isFailure(given)) return { ...by, answer: unanswered(given) };
  const [figures, extras = []] = given;
  const isWhole = isList(figures, isCell) && isList(extras, (extra) => isList(extra, isCell));
  return isWhole ? { ...by, answer: answered(decode(given, atMs)) } : null;
}
