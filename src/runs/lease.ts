// A worker's lease: its heartbeat, the commands it receives, and how many workers are needed.

import type { SheetPlatform } from '../platform/ports';
import type { Pace } from '../quota/rate';
import type { Run } from './run';
import {
  type Command,
  LEASE_MS,
  type RunStore,
  WORKERS_MAX,
  type WorkersReading,
} from './run-store';

/** Commands are looked for this often, and progress is reported half as often. */
const HEAR_EACH_MS = 1_000;
const TELL_EACH_MS = 2_000;
const BUSY_MS = 1_500;

export type Heard =
  | { readonly kind: 'command'; readonly command: Command }
  /** Another execution has the lease. */
  | { readonly kind: 'replaced' | 'time' };

export interface LeaseOptions {
  readonly platform: SheetPlatform;
  readonly store: RunStore;
  readonly run: Run;
  /** 0 is the writer; the others are askers. */
  readonly worker: number;
  /** Identifies this execution. */
  readonly owner: string;
  /** What was read when the lease was taken. */
  readonly look: WorkersReading;
}

export interface Heartbeat {
  /** What was read last. */
  look(): WorkersReading;
  /** Looks for commands if it is time; null: continue. */
  hear(eachMs?: number): Heard | null;
  /** Whether it is time to report; a little later if there is much to do. */
  isDue(isBusy: boolean): boolean;
  told(): void;
}

export function heartbeat({
  platform,
  store,
  run,
  worker,
  owner,
  look: first,
}: LeaseOptions): Heartbeat {
  const { clock } = platform;
  let seen = first;
  let heardMs = clock.nowMs();
  let toldMs = heardMs;
  return {
    look: () => seen,
    hear(eachMs = HEAR_EACH_MS) {
      if (clock.nowMs() < heardMs + eachMs) return null;
      heardMs = clock.nowMs();
      seen = worker === 0 ? store.look(run.id) : store.look(run.id, worker);
      const { command, connection } = seen;
      if (command !== null) return { kind: 'command', command };
      // The next call works with the new connection. An empty value means that the cache has
      // forgotten it.
      if (connection !== first.connection && connection !== '') return { kind: 'time' };
      const own = worker === 0 ? seen.writer : seen.askers.get(worker);
      if (own) return own.owner === owner ? null : { kind: 'replaced' };
      // The cache may forget, but the record does not.
      const record = store.read();
      if (record?.id !== run.id || record.state === 'stopped')
        return { kind: 'command', command: 'stop' };
      return record.state === 'paused' ? { kind: 'command', command: 'pause' } : null;
    },
    isDue: (isBusy) => clock.nowMs() >= toldMs + TELL_EACH_MS + (isBusy ? BUSY_MS : 0),
    told() {
      toldMs = clock.nowMs();
    },
  };
}

/** The assumed duration of a wave before the first one. */
const FIRST_WAVE_MS = 4_000;

/** The weight of the newest wave in the estimate for the next one. */
const NEWEST_PART = 0.3;

/** Measures how much time waves take a worker, from a slot until the next one is booked. */
export interface WaveMeter {
  /** A wave is being sent. */
  sent(): void;
  /** The next wave was booked or refused a slot, so waiting follows. */
  booked(pace: Pace | undefined): void;
  load(): number | undefined;
  /** For a writer: the load that its askers have measured. */
  learn(load: number): void;
  /** By this time the worker will have been heard from again, even if it sends a wave first. */
  aliveUntilMs(): number;
}

export function waveMeter({ nowMs }: SheetPlatform['clock'], before?: number): WaveMeter {
  let sentMs: number | null = null;
  let waveMs = FIRST_WAVE_MS;
  let load = before;
  return {
    sent() {
      sentMs = nowMs();
    },
    booked(pace) {
      if (sentMs === null) return;
      const tookMs = nowMs() - sentMs;
      sentMs = null;
      waveMs = Math.max(tookMs, waveMs * (1 - NEWEST_PART));
      if (pace === undefined) return;
      const now = tookMs / (pace.burst * pace.intervalMs);
      load = load === undefined ? now : load + NEWEST_PART * (now - load);
    },
    load: () => load,
    learn(told) {
      load = told;
    },
    aliveUntilMs: () => nowMs() + LEASE_MS + 2 * waveMs,
  };
}

/**
 * If waves take up to this share of the time between slots, one worker sends, writes and listens
 * alone.
 */
const ALONE_LOAD = 0.1;

/**
 * The load of an asker, as shares of its time: above the first one, another asker is called; below
 * the second, one is dismissed.
 */
const BUSY_LOAD = 0.55;
const IDLE_LOAD = 0.4;

/**
 * How many workers a run needs: askers, and the writer, which asks itself if it is alone.
 *
 * @param load the number of askers that would be busy all the time.
 * @param now the present number of workers.
 */
export function workersFor(load: number, now: number): number {
  if (load <= ALONE_LOAD) return 1;
  const askers = Math.max(
    Math.ceil(load / BUSY_LOAD),
    Math.min(now - 1, Math.ceil(load / IDLE_LOAD)),
  );
  return Math.min(WORKERS_MAX, 1 + askers);
}
