// Where runs are stored: the record, the workers' leases, the history of runs, and the status that
// is shown.

import * as z from 'zod/mini';
import { CHANGE_NAME } from '../connection/connection-store';
import type { Failure } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import { drawName, isBusy, listText, type Platform, RECORD_LOCK_WAIT_MS } from '../platform/ports';
import { storedAs, storedItems } from '../platform/stored-record';
import {
  type Counters,
  countersSchema,
  failedRows,
  isOver,
  NO_COUNTS,
  parseRun,
  type Run,
  runSchema,
  settledRows,
  sum,
} from './run';

const RUN_NAME = 'bulk-run';
const HISTORY_NAME = 'bulk-history';
const PERSON_NAME = 'bulk-person';

/** Longer than a run may rest. After that, only the record describes it. */
const TTL_SECONDS = 21_600;

/** A property holds 9 KB. */
export const RUNS_KEPT = 20;

/**
 * A worker that is silent this long beyond the time it announced is dead, and another one may take
 * its place.
 */
export const LEASE_MS = 12_000;

/**
 * The most workers that a page calls: Google runs ten calls of one page at a time, and status
 * requests need some of them.
 */
export const WORKERS_MAX = 8;

export type Command = 'pause' | 'stop';

/** What every worker reports about itself. */
interface Lease {
  /** Identifies the execution. */
  readonly owner: string;
  /** By then the worker will have been heard from again. */
  readonly aliveUntilMs: number;
  readonly isDone: boolean;
  readonly nextCallMs: number | null;
  /** The number of workers that would send every wave in time, as far as this one has measured. */
  readonly load?: number | undefined;
}

/**
 * The lease of the first worker, which reads, marks and writes the list, and asks itself if it is
 * alone.
 */
export interface WriterLease extends Lease {
  /** Whether rows may hold other products' figures. */
  readonly mends: boolean;
  /** What was done since the record was last changed, unless the record names this writer. */
  readonly counters: Counters;
  readonly rowsPerMinute: number | null;
  readonly rows: readonly [first: number, last: number] | null;
  /** The askers' calls that were already counted, by owner. */
  readonly heard?: Readonly<Record<string, number>>;
}

/** The lease of one of the others, which ask for what they are handed and never touch the sheet. */
export interface AskerLease extends Lease {
  readonly calls: number;
  /** Answers that the writer has not taken yet, in the form of a bucket of the result cache. */
  readonly bucket: string;
}

/** The products that an asker has to ask for. */
export interface Hand {
  readonly worker: number;
  /** Until then no other asker gets these products. */
  readonly aliveUntilMs: number;
  /** Product keys, until their answers are in the shared cache. */
  readonly keys: readonly string[];
}

/** What the writer tells the askers. */
export interface Work {
  /** The number of workers that there is work for. */
  readonly wanted: number;
  /** By owner. */
  readonly hands: Readonly<Record<string, Hand>>;
}

const leaseMembers = () => ({
  owner: z.string(),
  aliveUntilMs: z.number(),
  nextCallMs: z.nullable(z.number()),
});

/**
 * Only what is used is checked, as with the record: any version may have written what the cache
 * holds.
 */
const writerLeaseSchema = lazySchema(() =>
  z.looseObject({
    ...leaseMembers(),
    counters: countersSchema(),
    heard: z.exactOptional(z.record(z.string(), z.number())),
    rowsPerMinute: z.nullable(z.number()),
    rows: z.nullable(z.array(z.number())),
    load: z.exactOptional(z.number()),
  }),
);

const askerLeaseSchema = lazySchema(() =>
  z.looseObject({ ...leaseMembers(), calls: z.number(), bucket: z.string() }),
);

const workSchema = lazySchema(() =>
  z.looseObject({
    wanted: z.number(),
    hands: z.record(
      z.string(),
      z.looseObject({
        worker: z.number(),
        aliveUntilMs: z.number(),
        keys: z.array(z.string()),
      }),
    ),
  }),
);

const endedRunSchema = lazySchema(() =>
  z.object({
    startedMs: z.number(),
    endedMs: z.number(),
    by: z.string(),
    sheetName: z.string(),
    outcome: z.literal(['finished', 'stopped']),
    rows: z.number(),
    answered: z.number(),
    cached: z.number(),
    failed: z.number(),
    calls: z.number(),
  }),
);

export type EndedRun = Fits<typeof endedRunSchema>;

/**
 * Records of runs that are kept for longer than the cache keeps anything, with the schema of each.
 */
export const runsKept = () => ({ [RUN_NAME]: runSchema(), [HISTORY_NAME]: endedRunSchema() });

export interface WorkersReading {
  readonly command: Command | null;
  readonly writer: WriterLease | null;
  /** By number; the first is 1. */
  readonly askers: ReadonlyMap<number, AskerLease>;
  readonly work: Work | null;
  /** Changes whenever somebody saves or removes a key. */
  readonly connection: string;
}

export interface RunStore {
  read(): Run | null;
  /**
   * Changes the record under the lock; undefined: the lock was not available or Google's services
   * failed, and nothing changed.
   *
   * @param ended makes the run's entry for the history, in place of an earlier one; both are
   * written in one call.
   */
  change(
    next: (run: Run | null) => Run | null,
    ended?: (run: Run) => EndedRun | null,
  ): Run | null | undefined;
  /**
   * The commands for the workers, and their leases. Costs one cache call.
   *
   * @param asker reads only this asker's lease and the writer's.
   */
  look(runId: string, asker?: number): WorkersReading;
  /**
   * Takes a lease that nobody holds, 0 being the writer's; null: it is taken, or `leaseAfter`
   * declined.
   */
  take(
    runId: string,
    worker: number,
    nowMs: number,
    leaseAfter: (before: WorkersReading) => WriterLease | AskerLease | null,
  ): WorkersReading | null;
  command(runId: string, command: Command | null): void;
  /** Costs one cache call. */
  tell(runId: string, worker: number, lease: WriterLease | AskerLease, work?: Work): void;
  history(): readonly EndedRun[];
  /** The name of this person, created when first asked for and always the same. */
  person(): string;
}

export function runStore({ documentStore, userStore, cache, lock, random }: Platform): RunStore {
  const nameOf = (runId: string, what: string | number) => `b:${runId}:${what}`;
  const read = () => parseRun(documentStore.read(RUN_NAME));
  const history = () => storedItems(documentStore.read(HISTORY_NAME), endedRunSchema());

  const look: RunStore['look'] = (runId, asker) => {
    const numbers = asker === undefined ? ASKERS : [asker];
    const names = ['command', 'work', 0, ...numbers].map((what) => nameOf(runId, what));
    const texts = cache.getAll([CHANGE_NAME, ...names]);
    const told = <T>(what: string | number, schema: z.ZodMiniType) =>
      storedAs(texts[nameOf(runId, what)], schema) as T | null;
    const command = texts[nameOf(runId, 'command')];
    const askers = numbers.flatMap((number) => {
      const lease = told<AskerLease>(number, askerLeaseSchema());
      return lease === null ? [] : [[number, lease] as const];
    });
    return {
      command: command === 'pause' || command === 'stop' ? command : null,
      writer: told<WriterLease>(0, writerLeaseSchema()),
      askers: new Map(askers),
      work: told<Work>('work', workSchema()),
      connection: texts[CHANGE_NAME] ?? '',
    };
  };
  const tell: RunStore['tell'] = (runId, worker, lease, work) => {
    const told = work && { [nameOf(runId, 'work')]: JSON.stringify(work) };
    cache.putAll({ [nameOf(runId, worker)]: JSON.stringify(lease), ...told }, TTL_SECONDS);
  };

  return {
    read,
    look,
    tell,
    take(runId, worker, nowMs, leaseAfter) {
      const outcome = lock.run(RECORD_LOCK_WAIT_MS, () => {
        const before = worker === 0 ? look(runId) : look(runId, worker);
        const holder = worker === 0 ? before.writer : before.askers.get(worker);
        if (isAlive(holder, nowMs)) return null;
        const lease = leaseAfter(before);
        if (lease === null) return null;
        tell(runId, worker, lease);
        return before;
      });
      return outcome.held ? outcome.value : null;
    },
    change(next, ended) {
      const write = (run: Run): boolean => {
        const text = JSON.stringify(run);
        const entry = ended?.(run);
        if (entry) {
          const others = history().filter(({ startedMs }) => startedMs !== entry.startedMs);
          const log = listText([entry, ...others].slice(0, RUNS_KEPT));
          return documentStore.writeAll({ [RUN_NAME]: text, [HISTORY_NAME]: log });
        }
        documentStore.write(RUN_NAME, text);
        return true;
      };
      try {
        const outcome = lock.run(RECORD_LOCK_WAIT_MS, () => {
          const before = read();
          const after = next(before);
          return after === null || after === before || write(after) ? after : undefined;
        });
        return outcome.held ? outcome.value : undefined;
      } catch (error) {
        if (isBusy(error)) return undefined;
        throw error;
      }
    },
    command: (runId, command) =>
      cache.putAll({ [nameOf(runId, 'command')]: command ?? '-' }, TTL_SECONDS),
    history,
    person() {
      const known = userStore.read(PERSON_NAME);
      if (known !== null) return known;
      const name = drawName(random);
      userStore.write(PERSON_NAME, name);
      return name;
    },
  };
}

const ASKERS = Array.from({ length: WORKERS_MAX - 1 }, (_, at) => at + 1);

export const isAlive = (lease: Lease | null | undefined, nowMs: number): boolean =>
  !!lease && !lease.isDone && nowMs < lease.aliveUntilMs;

/** What was done and is not yet in the record. */
export const unrecorded = (writer: WriterLease | null, { recorded }: Run): Counters =>
  writer === null || writer.owner === recorded ? NO_COUNTS : writer.counters;

/** All that was done. */
export const countsOf = (writer: WriterLease | null, run: Run): Counters =>
  sum(run.counters, unrecorded(writer, run));

export interface RunStatus {
  readonly run: Run;
  readonly isMine: boolean;
  readonly state:
    | 'running'
    | 'pausing'
    | 'paused'
    | 'interrupted'
    | 'stuck'
    | 'stopping'
    | 'stopped'
    | 'finished';
  readonly counters: Counters;
  readonly failed: number;
  readonly left: number;
  readonly rowsPerMinute: number | null;
  readonly expectedMs: number | null;
  readonly currentRows: readonly [first: number, last: number] | null;
  readonly nextCallMs: number | null;
  readonly problem: Failure | null;
  /** How many workers the page should keep calling. */
  readonly workers: number;
}

/** null: there is no run, or only a start that was cut off and may be repeated by its person. */
export function runStatus(platform: Platform, store: RunStore): RunStatus | null {
  const run = store.read();
  if (run === null) return null;
  const [viewer, nowMs] = [store.person(), platform.clock.nowMs()];
  const isBegun = run.state !== 'starting' || (run.by !== viewer && !isOver(run, nowMs));
  if (!isBegun) return null;
  // After a stop, the worker's calls on their way are still answered and written.
  const look = run.state === 'finished' ? null : store.look(run.id);
  return statusOf(run, look, viewer, nowMs);
}

function statusOf(run: Run, look: WorkersReading | null, viewer: string, nowMs: number): RunStatus {
  const counters = countsOf(look?.writer ?? null, run);
  const writer = look !== null && isAlive(look.writer, nowMs) ? look.writer : null;
  const isAtWork = writer !== null || aliveAskers(look, nowMs).length > 0;
  const left = Math.max(0, run.rows - settledRows(counters) - counters.lostCount);
  const rowsPerMinute = writer?.rowsPerMinute ?? null;
  return {
    run,
    isMine: run.by === viewer,
    state: stateOf(run, isAtWork, nowMs),
    counters,
    failed: failedRows(counters),
    left: run.state === 'finished' ? 0 : left,
    rowsPerMinute,
    expectedMs:
      rowsPerMinute === null || rowsPerMinute <= 0 ? null : (left / rowsPerMinute) * 60_000,
    currentRows: writer?.rows ?? null,
    nextCallMs: writer?.nextCallMs ?? null,
    problem: run.problem,
    workers: wantedOf(run, look),
  };
}

export const aliveAskers = (
  look: WorkersReading | null,
  nowMs: number,
): readonly (readonly [number: number, lease: AskerLease])[] =>
  [...(look?.askers ?? [])].filter(([, lease]) => isAlive(lease, nowMs));

/** The clock drives a single worker, and so does a page that shows a schedule's run. */
export const wantedOf = (run: Run, look: WorkersReading | null): number =>
  look?.work?.wanted ?? run.workers ?? 1;

/**
 * Between two calls a worker is silent for a moment; a run counts as interrupted only after this
 * time.
 */
const GAP_MS = 15_000;

function stateOf(run: Run, isAtWork: boolean, nowMs: number): RunStatus['state'] {
  switch (run.state) {
    case 'paused':
      return isAtWork ? 'pausing' : 'paused';
    case 'stopped':
      return isAtWork ? 'stopping' : 'stopped';
    case 'finished':
    case 'stuck':
      return run.state;
    case 'starting':
      return 'running';
    case 'running':
      return isAtWork || nowMs - run.touchedMs < GAP_MS ? 'running' : 'interrupted';
  }
}
