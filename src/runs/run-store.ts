// Where runs are kept: the record, worker leases, the log of runs, and the status that is shown.

import { CHANGE_NAME } from '../connection/connection-store';
import type { Failure } from '../failures/failure';
import { isBusy, type Platform, storedJson, storedList } from '../platform/ports';
import {
  type Counters,
  failedRows,
  isOver,
  type Job,
  NO_COUNTS,
  parseJob,
  settledRows,
  sum,
} from './run';

const JOB_NAME = 'bulk-job';
const HISTORY_NAME = 'bulk-runs';
const PERSON_NAME = 'bulk-person';

/** Longer than a run may rest; then the record alone tells of it. */
const TTL_SECONDS = 21_600;

/** A property holds 9 KB. */
const RUNS_KEPT = 20;

/** Changing the record takes two property calls; whoever holds the lock longer is dead. */
const LOCK_WAIT_MS = 10_000;

/** A slice that was not heard of for so long is dead, and another may take its place. */
const LANE_LEASE_MS = 12_000;

export type Wish = 'pause' | 'stop';

/** What a slice under way tells of itself. */
export interface Lane {
  /** Names the execution. */
  readonly owner: string;
  readonly heardMs: number;
  readonly isDone: boolean;
  /** Rows may hold other products' figures. */
  readonly mends: boolean;
  /** Of what it did since the record was changed last. */
  readonly counters: Counters;
  readonly rowsPerMinute: number | null;
  readonly rows: readonly [first: number, last: number] | null;
  readonly nextCallMs: number | null;
}

export interface Run {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly by: string;
  readonly sheetName: string;
  readonly outcome: 'finished' | 'stopped';
  readonly rows: number;
  readonly answered: number;
  readonly cached: number;
  readonly failed: number;
  readonly calls: number;
}

export interface Look {
  readonly wish: Wish | null;
  readonly lanes: readonly (Lane | null)[];
  /** Another text once somebody saved a key or took one back. */
  readonly connection: string;
}

export interface JobStore {
  read(): Job | null;
  /**
   * Changes the record with nobody else at it; undefined: the lock was not had, or Google's services
   * failed, and nothing changed.
   *
   * @param ended what the log is to hold of it from then on: both are written in one call.
   */
  change(
    next: (job: Job | null) => Job | null,
    ended?: (job: Job) => Run | null,
  ): Job | null | undefined;
  /** What somebody wants of the slices under way, and how these are. One cache call. */
  look(job: Pick<Job, 'id' | 'lanes'>): Look;
  /** Takes a lane that nobody is at; `before` is what was left of the one before, null: it is taken. */
  take(
    job: Pick<Job, 'id' | 'lanes'>,
    lane: number,
    owner: string,
    nowMs: number,
  ): (Pick<Look, 'connection'> & { readonly before: Lane | null }) | null;
  wish(jobId: string, wish: Wish | null): void;
  tell(jobId: string, lane: number, state: Lane): void;
  runs(): readonly Run[];
  /** The same for one person always, and made when it is first asked for. */
  person(): string;
}

export function jobStore({ documentStore, userStore, cache, lock, random }: Platform): JobStore {
  const wishName = (jobId: string) => `b:${jobId}:wish`;
  const laneName = (jobId: string, lane: number) => `b:${jobId}:${lane}`;
  const read = () => parseJob(documentStore.read(JOB_NAME));
  const runs = () =>
    storedList<Run | null>(documentStore.read(HISTORY_NAME)).flatMap((run) => run ?? []);

  const look: JobStore['look'] = ({ id, lanes }) => {
    const names = Array.from({ length: lanes }, (_, lane) => laneName(id, lane));
    const texts = cache.getAll([CHANGE_NAME, wishName(id), ...names]);
    const wish = texts[wishName(id)];
    return {
      wish: wish === 'pause' || wish === 'stop' ? wish : null,
      lanes: names.map((name) => parseLane(texts[name])),
      connection: texts[CHANGE_NAME] ?? '',
    };
  };
  const tell: JobStore['tell'] = (jobId, lane, state) =>
    cache.putAll({ [laneName(jobId, lane)]: JSON.stringify(state) }, TTL_SECONDS);

  return {
    read,
    look,
    tell,
    take(job, lane, owner, nowMs) {
      const outcome = lock.run(LOCK_WAIT_MS, () => {
        const { lanes, connection } = look(job);
        const before = lanes[lane] ?? null;
        if (isAlive(before, nowMs)) return null;
        const counters = before === null || before.isDone ? NO_COUNTS : before.counters;
        const idle = { rowsPerMinute: null, rows: null, nextCallMs: null };
        tell(job.id, lane, {
          owner,
          heardMs: nowMs,
          isDone: false,
          mends: true,
          counters,
          ...idle,
        });
        return { before, connection };
      });
      return outcome.held ? outcome.value : null;
    },
    change(next, ended) {
      const write = (job: Job): boolean => {
        const text = JSON.stringify(job);
        const run = ended?.(job);
        if (run) {
          const log = JSON.stringify([run, ...runs()].slice(0, RUNS_KEPT));
          return documentStore.writeAll({ [JOB_NAME]: text, [HISTORY_NAME]: log });
        }
        documentStore.write(JOB_NAME, text);
        return true;
      };
      try {
        const outcome = lock.run(LOCK_WAIT_MS, () => {
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
    wish: (jobId, wish) => cache.putAll({ [wishName(jobId)]: wish ?? '-' }, TTL_SECONDS),
    runs,
    person() {
      const known = userStore.read(PERSON_NAME);
      if (known !== null) return known;
      const name = Math.floor(random.next() * 36 ** 8).toString(36);
      userStore.write(PERSON_NAME, name);
      return name;
    },
  };
}

export const isAlive = (lane: Lane | null, nowMs: number): boolean =>
  lane !== null && !lane.isDone && nowMs - lane.heardMs < LANE_LEASE_MS;

export const countersOf = (lane: Lane | null): Counters => lane?.counters ?? NO_COUNTS;

function parseLane(text: string | undefined): Lane | null {
  const lane = storedJson(text) as Partial<Lane> | null;
  return typeof lane?.heardMs === 'number' ? (lane as Lane) : null;
}

export interface RunStatus {
  readonly job: Job;
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
}

/** null: there is no run, or only a start that was cut off: whoever made it may start again. */
export function runStatus(platform: Platform, store: JobStore): RunStatus | null {
  const job = store.read();
  if (job === null) return null;
  const [viewer, nowMs] = [store.person(), platform.clock.nowMs()];
  const isBegun = job.state !== 'starting' || (job.by !== viewer && !isOver(job, nowMs));
  if (!isBegun) return null;
  const { lanes } = isOver(job, nowMs) ? { lanes: [] } : store.look(job);
  return statusOf(job, lanes, viewer, nowMs);
}

function statusOf(
  job: Job,
  lanes: readonly (Lane | null)[],
  viewer: string,
  nowMs: number,
): RunStatus {
  const counters = lanes.reduce((total, lane) => sum(total, countersOf(lane)), job.counters);
  const alive = lanes.filter((lane) => isAlive(lane, nowMs)).flatMap((lane) => lane ?? []);
  const left = Math.max(0, job.rows - settledRows(counters) - counters.lostCount);
  const rates = alive.flatMap(({ rowsPerMinute }) => rowsPerMinute ?? []);
  const rowsPerMinute = rates.length === 0 ? null : rates.reduce((total, rate) => total + rate, 0);
  const rows = alive.flatMap(({ rows: at }) => at ?? []);
  const next = alive.flatMap(({ nextCallMs }) => nextCallMs ?? []);
  return {
    job,
    isMine: job.by === viewer,
    state: stateOf(job, alive.length > 0, nowMs),
    counters,
    failed: failedRows(counters),
    left: isOver(job, nowMs) && job.state === 'finished' ? 0 : left,
    rowsPerMinute,
    expectedMs:
      rowsPerMinute === null || rowsPerMinute <= 0 ? null : (left / rowsPerMinute) * 60_000,
    currentRows: rows.length === 0 ? null : [Math.min(...rows), Math.max(...rows)],
    nextCallMs: next.length > 0 && next.length === alive.length ? Math.min(...next) : null,
    problem: job.problem,
  };
}

/** Between two slices nobody is heard of for a moment; only then is a run interrupted. */
const GAP_MS = 15_000;

function stateOf(job: Job, isAtWork: boolean, nowMs: number): RunStatus['state'] {
  switch (job.state) {
    case 'paused':
      return isAtWork ? 'pausing' : 'paused';
    case 'stopped':
      return isAtWork ? 'stopping' : 'stopped';
    case 'finished':
    case 'stuck':
      return job.state;
    case 'starting':
      return 'running';
    case 'running':
      return isAtWork || nowMs - job.touchedMs < GAP_MS ? 'running' : 'interrupted';
  }
}
