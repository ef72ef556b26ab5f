// The pulse of a slice: tells that it lives and how far it is, and hears what people want of the run.

import type { SheetPlatform } from '../platform/sheet-ports';
import type { Job } from './job';
import { type Counters, settledRows } from './job';
import { isAlive, type JobStore, type Lane, type Wish } from './job-store';

/** A wish is heard within so long, and progress is told twice as seldom. */
const HEAR_EACH_MS = 1_000;
const TELL_EACH_MS = 2_000;
const BUSY_MS = 1_500;

export type Heard =
  | { readonly kind: 'wish'; readonly wish: Wish }
  | { readonly kind: 'replaced' | 'time' };

export interface Progress {
  readonly counters: Counters;
  readonly rows: readonly [first: number, last: number] | null;
  readonly nextCallMs: number | null;
}

export interface Pulse {
  /** Looks and tells when it is time to, telling a little later if there is much to do; null: go on. */
  beat(progress: () => Progress, isBusy: boolean): Heard | null;
  /** Of the time since its start that in which a chain before this one was at work as well. */
  sharedMs(): number;
  /** Tells at once; the last time with `isDone`. */
  tell(progress: Progress, isDone: boolean): void;
}

export interface PulseOptions {
  readonly platform: SheetPlatform;
  readonly store: JobStore;
  readonly job: Job;
  readonly lane: number;
  readonly owner: string;
  /** How the connection stood before it was read. */
  readonly connection: string;
}

export function pulse({ platform, store, job, lane, owner, connection }: PulseOptions): Pulse {
  const { clock } = platform;
  const startMs = clock.nowMs();
  let heardMs = startMs;
  let toldMs = startMs;
  let settledAtStart: number | undefined;
  let sharedMs = 0;

  function tell({ counters, rows, nextCallMs }: Progress, isDone: boolean): void {
    toldMs = clock.nowMs();
    const settled = settledRows(counters);
    settledAtStart ??= settled;
    const minutes = (toldMs - startMs) / 60_000;
    // A slice that has settled nothing yet has no rate; "0 rows/min" would be wrong.
    const rowsPerMinute = settled > settledAtStart ? (settled - settledAtStart) / minutes : null;
    const state: Lane = {
      ...{ owner, isDone, counters, rowsPerMinute, rows, nextCallMs },
      heardMs: toldMs,
      mends: true,
    };
    store.tell(job.id, lane, state);
  }

  function hear(): Heard | null {
    const beforeMs = heardMs;
    heardMs = clock.nowMs();
    const { wish, lanes, connection: now } = store.look(job);
    if (lanes.slice(0, lane).some((other) => isAlive(other, heardMs)))
      sharedMs += heardMs - beforeMs;
    if (wish !== null) return { kind: 'wish', wish };
    // The next slice works with what is connected then. The cache may also have forgotten.
    if (now !== connection && now !== '') return { kind: 'time' };
    const own = lanes[lane];
    if (own) return own.owner === owner ? null : { kind: 'replaced' };
    // The cache forgets; the record does not.
    const record = store.read();
    if (record?.id !== job.id || record.state === 'stopped') return { kind: 'wish', wish: 'stop' };
    return record.state === 'paused' ? { kind: 'wish', wish: 'pause' } : null;
  }

  return {
    tell,
    sharedMs: () => sharedMs,
    beat(progress, isBusy) {
      const nowMs = clock.nowMs();
      const heard = nowMs >= heardMs + HEAR_EACH_MS ? hear() : null;
      if (heard === null && nowMs >= toldMs + TELL_EACH_MS + (isBusy ? BUSY_MS : 0))
        tell(progress(), false);
      return heard;
    },
  };
}
