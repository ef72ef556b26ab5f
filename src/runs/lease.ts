// A worker's lease: its heartbeat, what it hears by the way, and how many workers its waves ask for.

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

/** A command is heard within so long, and progress is told twice as seldom. */
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
  /** Names this execution. */
  readonly owner: string;
  /** As it was when the lease was taken. */
  readonly look: WorkersReading;
}

export interface Heartbeat {
  /** As it was seen last. */
  look(): WorkersReading;
  /** Looks if it is time to; null: go on. */
  hear(eachMs?: number): Heard | null;
  /** Whether it is time to tell: a little later if there is much to do. */
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
      // The next one works with what is connected then. The cache may also have forgotten.
      if (connection !== first.connection && connection !== '') return { kind: 'time' };
      const own = worker === 0 ? seen.writer : seen.askers.get(worker);
      if (own) return own.owner === owner ? null : { kind: 'replaced' };
      // The cache forgets; the record does not.
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

/** A wave may take so long as far as is known before the first one. */
const FIRST_WAVE_MS = 4_000;

/** The newest wave tells so much of what the next will take. */
const NEWEST_PART = 0.3;

/** Measures what a worker's waves cost it: from a slot to the booking of the next one. */
export interface WaveMeter {
  /** A wave goes out. */
  sent(): void;
  /** The next one is booked, or refused its slot: what follows is waiting. */
  booked(pace: Pace | undefined): void;
  load(): number | undefined;
  /** Of a writer: what its askers have measured. */
  learn(load: number): void;
  /** Until then the worker will have been heard of again, although a wave may go out before. */
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

/** Whose waves cost this part of the time between two slots sends, writes and hears alone. */
const ALONE_LOAD = 0.1;

/** Askers are called at the one and let go at the other, in parts of their time. */
const BUSY_LOAD = 0.55;
const IDLE_LOAD = 0.4;

/**
 * How many workers a run wants: askers, and the writer, which asks too where it is alone.
 *
 * @param load askers that would be at work without a pause. @param now workers wanted so far.
 */
export function workersFor(load: number, now: number): number {
  if (load <= ALONE_LOAD) return 1;
  const askers = Math.max(
    Math.ceil(load / BUSY_LOAD),
    Math.min(now - 1, Math.ceil(load / IDLE_LOAD)),
  );
  return Math.min(WORKERS_MAX, 1 + askers);
}
