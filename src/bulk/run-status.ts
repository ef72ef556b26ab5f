// How a run is at present: the record and what its slices tell, put together.

import type { Failure } from '../analysis/failure';
import type { Platform } from '../platform/ports';
import { type Counters, failedRows, isOver, type Job, settledRows, sum } from './job';
import { countersOf, isAlive, type JobStore, type Lane } from './job-store';

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
