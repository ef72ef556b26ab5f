// One call of a chain: takes a lane of the run, works a slice, and leaves things in order for the next.

import { type Failure, isFailure } from '../analysis/failure';
import type { SheetPlatform } from '../platform/sheet-ports';
import { type Counters, failedRows, type Job, NO_COUNTS, settledRows, sum } from './job';
import { isAlive, type JobStore, jobStore, type Run } from './job-store';
import { list } from './list';
import { markRows } from './mark-rows';
import { runProblem } from './problem';
import type { Row } from './rows';
import { runSlice } from './slice';
import {
  newSlice,
  progressOf,
  type Slice,
  type SliceEnd,
  type SliceOptions,
  stuck,
} from './slice-state';

/** From the end of a slice to the next call. */
const NEXT_MS = 100;

/** Somebody else is at it: a dead one is known for one by then. */
const TAKEN_MS = 3_000;

/** The engine may end its last wave so long after the time is up, and the platform's limit is 6 min. */
export const SLICE_MS_MAX = 300_000;

/** When the chain's next call is due; null: there is nothing to call for. */
export interface LaneEnd {
  readonly againInMs: number | null;
  /** The list as it was read after the last write. */
  readonly seen?: readonly Row[];
}

const OVER: LaneEnd = { againInMs: null };

export function runLane(
  platform: SheetPlatform,
  jobId: string,
  lane: number,
  maxMs: number,
  more: Pick<SliceOptions, 'changes' | 'rows' | 'byClock'> = {},
): LaneEnd | Failure {
  const store = jobStore(platform);
  const job = store.read();
  if (job === null || job.id !== jobId) return runProblem('over');
  if (job.state !== 'running' || lane >= job.lanes) return OVER;
  const owner = Math.floor(platform.random.next() * 36 ** 8).toString(36);
  const taken = store.take(job, lane, owner, platform.clock.nowMs());
  if (taken === null) return { againInMs: TAKEN_MS };
  const { before, connection } = taken;
  const mends = before === null ? job.counters.workedMs > 0 : !before.isDone || before.mends;
  const counters = before === null || before.isDone ? NO_COUNTS : before.counters;
  const sheet = platform.spreadsheet.sheet(job.sheetId);
  const options = {
    platform,
    store,
    job,
    lane,
    maxMs,
    owner,
    connection,
    before: counters,
    mends,
    ...more,
  };
  if (sheet === null) {
    const end = stuck(runProblem('sheet-gone'));
    return leave(store, platform, { job, lane, owner, counters, layout: job.layout, mends }, end);
  }
  const slice = newSlice(options, sheet);
  const end = runSlice(slice);
  if (end.kind === 'replaced') return { againInMs: TAKEN_MS };
  const done = progressOf(slice).counters;
  if (end.kind === 'wish' && end.wish === 'stop') markRows(slice.list, job.id, []);
  const left = leave(store, platform, leftBy(slice, done), end);
  return slice.seen === null ? left : { ...left, seen: slice.seen };
}

interface Left {
  readonly job: Job;
  readonly lane: number;
  readonly owner: string;
  readonly counters: Counters;
  readonly layout: Job['layout'];
  readonly mends: boolean;
}

const leftBy = ({ job, lane, owner, mends, list: own }: Slice, counters: Counters): Left => ({
  job,
  lane,
  owner,
  counters,
  layout: own.layout(),
  mends,
});

/**
 * The lane's counts go from the cache into the record; the cache first, so that none counts twice.
 * Where the lock is not had they go back, for the next slice to take over.
 */
function leave(store: JobStore, platform: SheetPlatform, left: Left, end: SliceEnd): LaneEnd {
  const { job, lane, owner, counters, mends } = left;
  const nowMs = platform.clock.nowMs();
  const empty = { counters: NO_COUNTS, rowsPerMinute: null, rows: null, nextCallMs: null };
  store.tell(job.id, lane, { owner, heardMs: nowMs, isDone: true, mends, ...empty });
  const { lanes } = store.look(job);
  const isLast = !lanes.some((other, at) => at !== lane && isAlive(other, nowMs));
  const ofPerson = (now: Job) =>
    now.state === 'finished' && now.scheduled === undefined ? runOf(now, 'finished', nowMs) : null;
  const after = store.change((now) => {
    if (now?.id !== job.id) return now;
    const next = {
      ...now,
      layout: left.layout,
      counters: sum(now.counters, counters),
      touchedMs: nowMs,
    };
    if (now.state !== 'running') return next;
    if (end.kind === 'stuck') return { ...next, state: 'stuck', problem: end.problem };
    return end.kind === 'done' && isLast ? finished(next, nowMs) : next;
  }, ofPerson);
  if (after === undefined) {
    store.tell(job.id, lane, { owner, heardMs: 0, isDone: false, mends, ...empty, counters });
    return { againInMs: TAKEN_MS };
  }
  if (after?.state !== 'running') return OVER;
  return { againInMs: end.kind === 'time' ? NEXT_MS : TAKEN_MS };
}

/** Rows that were deleted meanwhile are no part of it any more. */
function finished(job: Job, nowMs: number): Job {
  const rows = settledRows(job.counters) + job.counters.lostCount;
  return { ...job, state: 'finished', endedMs: nowMs, rows };
}

export function runOf(job: Job, outcome: Run['outcome'], nowMs: number): Run {
  const { startedMs, by, sheetName, rows, counters } = job;
  const { answered, cached, calls } = counters;
  const failed = failedRows(counters);
  return {
    startedMs,
    endedMs: nowMs,
    by,
    sheetName,
    outcome,
    rows,
    answered,
    cached,
    failed,
    calls,
  };
}

/** Takes the marks of a stopped run away, if nobody is left to do so; the list as it is then. */
export function cleanUp(platform: SheetPlatform, job: Job): readonly Row[] | Failure {
  // It is starting yet, and takes its marks away itself.
  if (job.layout.columns.length === 0) return [];
  const sheet = platform.spreadsheet.sheet(job.sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const marked = markRows(list(sheet, job.layout, job.market, job.id), job.id, []);
  return isFailure(marked) ? marked : marked.seen;
}
