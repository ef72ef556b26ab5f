// A bulk run against a service that counts, whose quota nobody knows: what learning costs in time and refusals.

import { createRandom, type Random } from 'apps-script-host/random';
import {
  type Admission,
  admit,
  type Level,
  type Quota as ServiceQuota,
} from '../../playground/api/limits';
import type { RateSignals } from '../../playground/api/rate-signals';
import {
  firstLearned,
  type Learned,
  type LearningEvent,
  learn,
  learnedPace,
} from '../../src/quota/learn-rate';
import { book, idleState, type RateState, stopped } from '../../src/quota/rate';
import { rateSignal } from '../../src/service/rate-headers';

/** A round minute, so that a calendar minute begins here. */
export const START_MS = 1_760_000_040_000;

const SECOND_MS = 1_000;

/** One call to Google's lock or cache takes so long; a booking makes four of them. */
const STORE_MS = [20, 50] as const;
/** On the way to the service; one call in a hundred takes up to the longest. */
const WAY_MS = [20, 90] as const;
const WAY_MS_MAX = 300;
const LATENCY_MS_MEDIAN = 250;
const LATENCY_SPREAD = 0.5;
/** A chunk is written to the sheet about so often, and takes about so long. */
const WRITE_EACH_MS = 5_000;
const WRITE_MS = 700;
/** The stop when a refusal does not say for how long. */
const STOP_MS = 5_000;
/** So long before a wave its execution looks whether another was refused. */
const LOOK_MS = 150;

export interface Run {
  readonly seed: number;
  readonly calls: number;
  readonly workers: number;
  /** The quota at a moment since the start. */
  readonly quotaAt: (sinceStartMs: number) => ServiceQuota;
  /** Refusals name their wait, in whole seconds rounded up, as in a header. */
  readonly saysWait: boolean;
  /** Counted with the booking, before they are sent, or with the next booking, once accepted. */
  readonly counted: 'when-booked' | 'once-accepted';
  /** The headers of every answer; left out: none. */
  readonly signals?: RateSignals;
  readonly startMs?: number;
}

export interface Finish {
  readonly tookMs: number;
  readonly refused: number;
  readonly learned: Learned;
}

interface Worker {
  readyMs: number;
  writtenMs: number;
  uncounted: number;
  wave: { readonly sendMs: number; readonly count: number } | undefined;
}

/** What came back for one wave. */
interface Back {
  readonly doneMs: number;
  readonly accepted: number;
  readonly refused: number;
  readonly waitMs: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Runs until every call was accepted. Workers take turns in the order of time. */
export function runLoop(run: Run): Finish {
  const random = createRandom(run.seed);
  const startMs = run.startMs ?? START_MS;
  let rate: RateState = idleState(startMs);
  let learned = firstLearned();
  let level: Level | undefined;
  let left = run.calls;
  let refused = 0;
  let stoppedMs = 0;
  let endMs = startMs;
  const tell = (event: LearningEvent, nowMs: number) => {
    learned = JSON.parse(JSON.stringify(learn(learned, event, nowMs))) as Learned;
  };
  const workers = Array.from(
    { length: run.workers },
    (_, i): Worker => ({
      readyMs: startMs + i * STORE_MS[1],
      writtenMs: startMs,
      uncounted: 0,
      wave: undefined,
    }),
  );

  function bookWave(worker: Worker): void {
    const nowMs = worker.readyMs;
    if (worker.uncounted > 0) tell({ kind: 'accepted', count: worker.uncounted }, nowMs);
    worker.uncounted = 0;
    const request = { count: left, deadlineMs: Number.POSITIVE_INFINITY };
    const booked = book(rate, request, learnedPace(learned), nowMs);
    rate = booked.state;
    if (booked.slots.kind !== 'go') throw new Error('A run waits for every slot.');
    const { atMs, count } = booked.slots;
    if (run.counted === 'when-booked') tell({ kind: 'accepted', count }, nowMs);
    left -= count;
    worker.wave = { sendMs: Math.max(atMs, nowMs + 2 * storeMs(random)), count };
    worker.readyMs = worker.wave.sendMs;
  }

  function send(worker: Worker, wave: { readonly sendMs: number; readonly count: number }): Back {
    const arrivals = Array.from({ length: wave.count }, () => wave.sendMs + wayMs(random)).sort(
      (a, b) => a - b,
    );
    let accepted = 0;
    let waitMs = 0;
    let headers = {};
    for (const atMs of arrivals) {
      const quota = run.quotaAt(atMs - startMs);
      const admission: Admission = admit(quota, level, atMs);
      headers = run.signals?.({ quota, admission }, atMs) ?? {};
      level = admission.level;
      if (admission.admitted) accepted += 1;
      else waitMs = Math.max(waitMs, admission.waitMs);
    }
    const slowestMs = Math.max(
      ...arrivals.map((atMs) => atMs + random.logNormal(LATENCY_MS_MEDIAN, LATENCY_SPREAD)),
    );
    worker.wave = undefined;
    return { doneMs: slowestMs, accepted, refused: wave.count - accepted, waitMs, headers };
  }

  function take(worker: Worker, back: Back): void {
    endMs = Math.max(endMs, back.doneMs);
    left += back.refused;
    refused += back.refused;
    let nowMs = back.doneMs;
    if (run.counted === 'once-accepted') worker.uncounted = back.accepted;
    if (back.refused > 0) {
      nowMs += 2 * storeMs(random);
      if (worker.uncounted > 0) tell({ kind: 'accepted', count: worker.uncounted }, nowMs);
      worker.uncounted = 0;
      const named = Math.ceil(back.waitMs / SECOND_MS) * SECOND_MS;
      const count = run.counted === 'when-booked' ? { count: back.refused } : {};
      const waitMs = run.saysWait ? named : STOP_MS;
      tell({ kind: 'refused', waitMs, ...count }, nowMs);
      const untilMs = nowMs + waitMs;
      stoppedMs = nowMs;
      rate = stopped(rate, { reason: 'throttled', untilMs });
    }
    const signal = rateSignal(back.headers, undefined, nowMs);
    if (signal !== undefined) tell({ kind: 'signal', signal }, nowMs);
    if (nowMs - worker.writtenMs > WRITE_EACH_MS) {
      nowMs += WRITE_MS;
      worker.writtenMs = nowMs;
    }
    worker.readyMs = nowMs + 2 * storeMs(random);
  }

  /** A wave whose execution has seen that nobody calls at present is booked again. */
  function isDropped({ wave }: Worker): boolean {
    const { stop } = rate;
    if (wave === undefined || stop === undefined) return false;
    return stop.untilMs > wave.sendMs && stoppedMs < wave.sendMs - LOOK_MS;
  }

  function drop(worker: Worker): void {
    left += worker.wave?.count ?? 0;
    worker.wave = undefined;
    worker.readyMs += storeMs(random);
  }

  while (left > 0 || workers.some(({ wave }) => wave !== undefined)) {
    const busy = workers.filter(({ wave }) => wave !== undefined || left > 0);
    const worker = busy.reduce((first, one) => (one.readyMs < first.readyMs ? one : first));
    if (worker.wave === undefined) bookWave(worker);
    else if (isDropped(worker)) drop(worker);
    else take(worker, send(worker, worker.wave));
  }
  return { tookMs: endMs - startMs, refused, learned };
}

function storeMs(random: Random): number {
  return random.between(...STORE_MS);
}

function wayMs(random: Random): number {
  return random.chance(0.01) ? random.between(WAY_MS[1], WAY_MS_MAX) : random.between(...WAY_MS);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
