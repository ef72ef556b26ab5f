// A worker of a run: holds a lease, asks page after page, writes, and leaves.

import { readingOf } from '../connection/connection';
import { extendDecisions } from '../deal/decision-columns';
import { analyze } from '../engine/analyze';
import type { Hooks, Policy } from '../engine/ask';
import { type Engine, openEngine } from '../engine/engine';
import { concernOf, endsRun, type Failure, isFailure, runProblem } from '../failures/failure';
import type { SheetPlatform } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { productKey } from '../product/asin';
import { HORIZON_MS } from '../quota/rate';
import { roiUnitToldBy } from '../service/calibration';
import { failureOfStop } from '../service/response';
import { formatRoi } from '../table/formats';
import { identityOf, type Row } from '../table/row';
import { list, markRows } from '../table/table';
import { type Counters, failedRows, type Job, NO_COUNTS, settledRows, sum } from './run';
import { isAlive, type JobStore, jobStore, type Run } from './run-store';
import { isPercentIn, notePercent, percentName } from './saved-choice';
import { hasReady, mend, queueRows, readQueue, writeAll, writeChunk } from './worker-rows';
import {
  endSlice,
  listen,
  newSlice,
  nextPage,
  progressOf,
  readyRows,
  type Slice,
  type SliceEnd,
  type SliceOptions,
  stuck,
  untilEnd,
  WRITE_ROWS_MAX,
} from './worker-state';

/** Each write costs about half a second whatever its size; people want to see something happen. */
const WRITE_EVERY_MS = 6_000;

/** Nobody watches the clock's runs. What is answered and not yet written is in the cache. */
const CLOCK_WRITES_EVERY_MS = 20_000;

/** A wait that is long enough for a write. */
const WRITE_MS = 1_500;

/** Products that are looked up and asked for in one go; their answers are written as they come. */
const PAGE_PRODUCTS = 400;

/** Answers go to the shared cache together: so many share its buckets that two calls are enough. */
const KEEP_ANSWERS_MIN = 60;

/** Waiting for less is not worth telling. */
const LONG_WAIT_MS = 3_000;

/** So many failures of the service in a row: the rest of the list would fail as well. */
const SERVICE_FAILURES_MAX = 30;

/** Works until the time is up, nothing is left or somebody wants it to end. */
function runSlice(slice: Slice): SliceEnd {
  const engine = openEngine(slice.platform, slice.untilMs);
  if (isFailure(engine)) return stuck(engine);
  const unkept = unkeptOf(engine);
  let last: SliceEnd;
  try {
    const end = untilEnd(slice, () => work(slice, engine, hooksOf(slice, engine, unkept)));
    slice.changes?.hold();
    unkept.keep();
    last = end.kind === 'replaced' ? end : untilEnd(slice, () => lastWrite(slice, end));
  } finally {
    // Whatever breaks, nobody pays for an answer twice.
    unkept.keep();
    engine.cache.save(slice.platform.clock.nowMs());
  }
  // Nothing follows, so other spreadsheets with this key need not wait for its silence.
  if (last.kind === 'done' || last.kind === 'wish' || last.kind === 'stuck') engine.gate.leave();
  return last;
}

/** Answers of a slice that are not in the cache yet that all doors share. */
interface Unkept {
  add(answers: ReadonlyMap<string, Answer>): void;
  count(): number;
  keep(): void;
}

/** Each product of a wave is in two of many buckets: kept together, they cost far fewer calls. */
function unkeptOf({ cache, platform }: Engine): Unkept {
  let answers = new Map<string, Answer>();
  return {
    add(more) {
      for (const [key, answer] of more) answers.set(key, answer);
    },
    count: () => answers.size,
    keep() {
      if (answers.size === 0) return;
      const kept = answers;
      answers = new Map();
      cache.keep(kept, {}, platform.clock.nowMs());
    },
  };
}

/** What was answered by then is shown, whatever ended the slice. */
function lastWrite(slice: Slice, end: SliceEnd): SliceEnd {
  const isWritable = end.kind !== 'stuck' || !['protected', 'run'].includes(end.problem.kind);
  if (isWritable) writeAll(slice);
  return end;
}

function work(slice: Slice, engine: Engine, hooks: Hooks): SliceEnd {
  const { clock } = slice.platform;
  if (slice.rows === undefined) readQueue(slice);
  else queueRows(slice, slice.rows);
  slice.chosen = new Set(slice.queue.map(identityOf));
  mend(slice);
  while (clock.nowMs() < slice.untilMs) {
    if (slice.queue.length > 0) {
      workPage(slice, engine, hooks);
      continue;
    }
    if (!slice.lanes.takesAll && othersAlive(slice)) return { kind: 'idle' };
    slice.lanes = { ...slice.lanes, takesAll: true };
    readQueue(slice);
    if (slice.queue.length === 0) return { kind: 'done' };
  }
  return { kind: 'time' };
}

function othersAlive({ job, lane, platform, store }: Slice): boolean {
  const nowMs = platform.clock.nowMs();
  return store.look(job).lanes.some((other, at) => at !== lane && isAlive(other, nowMs));
}

function workPage(slice: Slice, engine: Engine, hooks: Hooks): void {
  const { answers } = slice;
  const page = nextPage(slice.queue, PAGE_PRODUCTS, (key) => answers.has(key));
  slice.page = page.rows;
  for (const [key, answer] of analyze(engine, page.products, policyOf(slice), hooks)) {
    if (answer.ok || !(endsRun(answer.failure) || isOfAll(answer.failure))) continue;
    if (!isOfProduct(slice, answer.failure)) endSlice(slice, stuck(answer.failure));
    answers.set(key, answer);
  }
  if (page.products.some((product) => !answers.has(productKey(product)))) endIfSpent(slice);
  writeAll(slice);
  showRoi(slice, engine);
  slice.page = [];
}

/** Products are left, and no calls for them. */
function endIfSpent(slice: Slice): void {
  if (callsLeftOf(slice) > 0) return;
  const { calls } = slice.tally.read();
  // All of them were tries, of which none has come to an end.
  if (calls > 0 && isUnanswered(slice)) endSlice(slice, isDown(calls));
  endSlice(slice, { kind: 'time' });
}

/** The service is down, and was waited for. */
const isOfAll = (failure: Failure) => failure.kind === 'waiting' && failure.status !== undefined;

/**
 * Where nothing had told the unit of ROI when the run began, its own answers do: a fraction is shown
 * as a percentage from the first run on. All of them have to agree.
 */
function showRoi(slice: Slice, { connection }: Engine): void {
  const { answers, job, list, marked, platform } = slice;
  if (slice.isRoiShown || readingOf(connection).roiUnit !== undefined) return;
  const told = [...answers.values()].flatMap((one) => (one.ok ? roiUnitToldBy(one.analysis) : []));
  const units = new Set(told.filter((unit) => unit !== undefined));
  if (!units.has('fraction') || units.size > 1) return;
  slice.isRoiShown = true;
  const name = percentName(job.sheetId, connection.fingerprint);
  const sheet = platform.spreadsheet.sheet(job.sheetId);
  if (sheet === null || isPercentIn(platform.documentStore, name)) return;
  formatRoi(sheet, list.layout(), marked);
  notePercent(platform.documentStore, name);
}

/** An address at which others were answered is right: this product alone leads astray. */
function isOfProduct({ answers }: Slice, { kind }: Failure): boolean {
  return kind === 'wrong-address' && [...answers.values()].some(({ ok }) => ok);
}

function policyOf(slice: Slice): Policy {
  const { scheduled } = slice.job;
  return {
    ...(scheduled && { notBeforeMs: scheduled.notBeforeMs, dueKeys: slice.chosen }),
    horizonMs: HORIZON_MS,
    callsMax: callsLeftOf(slice),
    triesAgain: true,
  };
}

/** Calls that the run may make yet, as far as a schedule limits them. */
function callsLeftOf({ job: { scheduled, counters }, tally }: Slice): number {
  const callsMax = scheduled?.callsMax ?? Number.POSITIVE_INFINITY;
  return callsMax - counters.calls - tally.read().calls;
}

function hooksOf(slice: Slice, engine: Engine, unkept: Unkept): Hooks {
  const { clock } = slice.platform;
  const everyMs = slice.job.scheduled === undefined ? WRITE_EVERY_MS : CLOCK_WRITES_EVERY_MS;
  const isDue = () =>
    clock.nowMs() >= slice.writtenMs + everyMs ? hasReady(slice) : isFull(slice);
  return {
    onFound(answers) {
      for (const key of answers.keys()) slice.cached.add(key);
      take(slice, answers);
    },
    onAnswers: (answers) => take(slice, answers),
    keep: unkept.add,
    onCalls(count) {
      slice.tally.add({ calls: count });
      slice.nextCallMs = null;
    },
    onBooked(dueMs) {
      const isLong = dueMs !== null && dueMs > clock.nowMs() + LONG_WAIT_MS;
      slice.nextCallMs = isLong ? dueMs : null;
    },
    betweenWaves() {
      if (slice.serviceFailures >= SERVICE_FAILURES_MAX)
        endSlice(slice, isDown(SERVICE_FAILURES_MAX));
      // Whatever takes longer than the next slot is away costs calls: one thing at a time.
      const writes = isDue();
      listen(slice, writes);
      if (writes) {
        writeChunk(slice);
        slice.isRoiDue = true;
      } else if (slice.isRoiDue) {
        // Not right behind a write: whoever pauses or stops is heard in between.
        slice.isRoiDue = false;
        showRoi(slice, engine);
      } else if (unkept.count() >= KEEP_ANSWERS_MIN) {
        slice.changes?.hold();
        unkept.keep();
      }
    },
    waitsBeyond(booking) {
      const stop = booking.kind === 'stopped' ? booking.stop : undefined;
      // A schedule tells why, and so does a run that a service holds up which is down.
      if (stop !== undefined && (slice.job.scheduled !== undefined || stop.status !== undefined))
        endSlice(slice, stuck(failureOfStop(stop, clock.nowMs())));
      // Google counts the time of a firing: the next one goes on.
      if (slice.byClock === true) endSlice(slice, { kind: 'time' });
      return true;
    },
    asleep(untilMs) {
      const leftMs = untilMs - clock.nowMs();
      listen(slice, false);
      if (leftMs > WRITE_MS + WRITE_EVERY_MS / 2 && isDue()) writeChunk(slice);
    },
  };
}

const isDown = (calls: number): SliceEnd => stuck(runProblem('service-down', String(calls)));

/** Whether there is nothing but what was known before. */
const isUnanswered = ({ answers, cached }: Slice) =>
  [...answers.keys()].every((key) => cached.has(key));

const isFull = ({ page, answers }: Slice) => readyRows(page, answers).length >= WRITE_ROWS_MAX;

/** Failures of the connection are no row's; they come back from `analyze` and end the slice. */
function take(slice: Slice, answers: ReadonlyMap<string, Answer>): void {
  for (const [key, answer] of answers) {
    if (!answer.ok && (endsRun(answer.failure) || answer.failure.kind === 'waiting')) continue;
    slice.answers.set(key, answer);
    const isOfService = !answer.ok && concernOf(answer.failure.kind) === 'service';
    slice.serviceFailures = isOfService ? slice.serviceFailures + 1 : 0;
  }
  slice.changes?.take(answers);
  const [first] = slice.page;
  const last = slice.page[Math.min(slice.page.length, WRITE_ROWS_MAX) - 1];
  if (first && last) slice.rowsAtWork = [first.row, last.row];
}

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
  if (end.kind === 'done') extendDecisions(sheet, slice.list.layout());
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
