// A worker of a run: holds a lease, asks page after page, writes, and leaves.

import { readingOf } from '../connection/connection';
import { keptAnswers, withLast } from '../engine/analyze';
import { ask } from '../engine/ask';
import { type BulkEngine, bulkEngine, type Engine, type Watch } from '../engine/engine';
import { concernOf, endsRun, type Failure, isFailure, runProblem } from '../failures/failure';
import { isBusy, Refused, type SheetPlatform } from '../platform/ports';
import type { Answer, Freshness } from '../product/analysis';
import { productKey, productOfKey } from '../product/asin';
import { roiUnitToldBy } from '../service/calibration';
import { failureOfStop } from '../service/response';
import { formatRoi } from '../table/formats';
import { identityOf, productOf, type Row } from '../table/row';
import { list, markRows } from '../table/table';
import { type Counters, failedRows, type Job, NO_COUNTS, settledRows, sum, tally } from './run';
import { type JobStore, jobStore, type Lane, type Run, SILENT } from './run-store';
import { isPercentIn, notePercent, percentName } from './saved-choice';
import { hasReady, mend, queueRows, readQueue, writeAll, writeChunk } from './worker-rows';
import {
  countBusy,
  endSlice,
  type Heard,
  isWanted,
  listen,
  newSlice,
  nextPage,
  type PulseOptions,
  progressOf,
  pulse,
  readyRows,
  type Slice,
  type SliceEnd,
  type SliceOptions,
  sentWave,
  stuck,
  untilEnd,
  WRITE_ROWS_MAX,
  workersFor,
} from './worker-state';

/** Each write costs about half a second whatever its size; people want to see something happen. */
const WRITE_EVERY_MS = 6_000;

/** Nobody watches the clock's runs. What is answered and not yet written is in the cache. */
const CLOCK_WRITES_EVERY_MS = 20_000;

/** A wait that is long enough for a write. */
const WRITE_MS = 1_500;

/** Products that are looked up and asked for in one go; their answers are written as they come. */
const PAGE_PRODUCTS = 2_000;

/** Answers go to the shared cache together: so many share its buckets that two calls are enough. */
const KEEP_ANSWERS_MIN = 60;

/** While others ask for the same list, who must find them there before a claim is over. */
const SHARED_KEEP_MS = 8_000;

/** Waiting for less is not worth telling. */
const LONG_WAIT_MS = 3_000;

/** So many failures of the service in a row: the rest of the list would fail as well. */
const SERVICE_FAILURES_MAX = 30;

/** Works until the time is up, nothing is left or somebody wants it to end. */
function runSlice(slice: Slice): SliceEnd {
  const bulk = bulkEngine(slice.platform, slice.untilMs, watchOf(slice));
  if (isFailure(bulk)) return stuck(bulk);
  slice.lastGood = bulk.engine.lastGood;
  let last: SliceEnd;
  try {
    const end = untilEnd(slice, () => work(slice, bulk.engine));
    slice.changes?.hold();
    bulk.keep();
    last = end.kind === 'replaced' ? end : untilEnd(slice, () => lastWrite(slice, end));
  } finally {
    // Whatever breaks, nobody pays for an answer twice.
    bulk.keep();
    bulk.engine.cache.save(slice.platform.clock.nowMs());
  }
  // Nothing follows, so other spreadsheets with this key need not wait for its silence.
  if (last.kind === 'done' || last.kind === 'wish' || last.kind === 'stuck')
    bulk.engine.gate.leave();
  return last;
}

/** What was answered by then is shown, whatever ended the slice. */
function lastWrite(slice: Slice, end: SliceEnd): SliceEnd {
  const isWritable = end.kind !== 'stuck' || !['protected', 'run'].includes(end.problem.kind);
  if (isWritable) writeAll(slice);
  return end;
}

function work(slice: Slice, engine: Engine): SliceEnd {
  const { clock } = slice.platform;
  if (slice.rows === undefined) readQueue(slice);
  else queueRows(slice, slice.rows);
  slice.chosen = new Set(slice.queue.map(identityOf));
  mend(slice);
  while (clock.nowMs() < slice.untilMs) {
    if (slice.queue.length > 0) {
      workPage(slice, engine);
      continue;
    }
    readQueue(slice);
    if (slice.queue.length === 0) return { kind: 'done' };
  }
  return { kind: 'time' };
}

/** The products of a page that nobody has answered yet are everybody's. */
function sharePage({ answers, job, page, store }: Slice): void {
  const open = page.flatMap((row) => productOf(row) ?? []).map(productKey);
  store.share(job.id, [...new Set(open.filter((key) => !answers.has(key)))]);
}

function workPage(slice: Slice, engine: Engine): void {
  const { answers, cached, platform, queue } = slice;
  const page = nextPage(queue, PAGE_PRODUCTS, (key) => answers.has(key));
  slice.page = page.rows;
  const keys = page.products.map(productKey);
  const wish = wishOf(slice);
  const found =
    keys.length === 0 ? new Map() : engine.cache.find(keys, wish, platform.clock.nowMs());
  for (const key of found.keys()) cached.add(key);
  const unknown = keys.filter((key) => !found.has(key));
  const kept = keptAnswers(engine, unknown, wish, (key) => slice.chosen.has(key));
  for (const key of kept.keys()) cached.add(key);
  take(slice, kept);
  const missing = page.products.filter((product) => !cached.has(productKey(product)));
  if (missing.length > 0) {
    if (slice.wanted > 1) sharePage(slice);
    for (const [key, answer] of ask(engine, missing, wish)) {
      if (answer.ok || !(endsRun(answer.failure) || isOfAll(answer.failure))) continue;
      if (!isOfProduct(slice, answer.failure)) endSlice(slice, stuck(answer.failure));
      slice.answers.set(key, answer);
    }
  }
  writeAll(slice);
  showRoi(slice, engine);
  slice.page = [];
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

function wishOf({ job: { scheduled } }: Slice): Freshness {
  return scheduled === undefined ? {} : { notBeforeMs: scheduled.notBeforeMs };
}

/** Calls that the run may make yet, as far as a schedule limits them. */
function callsLeftOf({ job: { scheduled, counters }, tally }: Slice): number {
  const callsMax = scheduled?.callsMax ?? Number.POSITIVE_INFINITY;
  return callsMax - counters.calls - tally.read().calls;
}

function watchOf(slice: Slice): Watch {
  const { clock } = slice.platform;
  const everyMs = slice.job.scheduled === undefined ? WRITE_EVERY_MS : CLOCK_WRITES_EVERY_MS;
  const isDue = () =>
    clock.nowMs() >= slice.writtenMs + everyMs ? hasReady(slice) : isFull(slice);
  const isKeepDue = (bulk: BulkEngine) =>
    bulk.unkept() >= KEEP_ANSWERS_MIN ||
    (slice.wanted > 1 && bulk.unkept() > 0 && clock.nowMs() >= slice.keptMs + SHARED_KEEP_MS);
  return {
    shares: () => (slice.wanted > 1 ? 'leads' : null),
    onCalls(count) {
      sentWave(slice.load, clock.nowMs());
      slice.tally.add({ calls: count });
      slice.nextCallMs = null;
    },
    booked(dueMs) {
      countBusy(slice.load, clock.nowMs());
      const isLong = dueMs !== null && dueMs > clock.nowMs() + LONG_WAIT_MS;
      slice.nextCallMs = isLong ? dueMs : null;
    },
    onAnswers: (answers) => take(slice, answers),
    callsLeft: () => callsLeftOf(slice),
    betweenWaves(bulk) {
      slice.load.sinceMs ??= clock.nowMs();
      callWorkers(slice, bulk.engine);
      if (callsLeftOf(slice) <= 0) {
        const { calls } = slice.tally.read();
        // All of them were tries, of which none has come to an end.
        if (calls > 0 && isUnanswered(slice)) endSlice(slice, isDown(calls));
        endSlice(slice, { kind: 'time' });
      }
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
        showRoi(slice, bulk.engine);
      } else if (isKeepDue(bulk)) {
        slice.changes?.hold();
        bulk.keep();
        slice.keptMs = clock.nowMs();
      }
    },
    beyond(booking) {
      const stop = booking.kind === 'stopped' ? booking.stop : undefined;
      // A schedule tells why, and so does a run that a service holds up which is down.
      if (stop !== undefined && (slice.job.scheduled !== undefined || stop.status !== undefined))
        endSlice(slice, stuck(failureOfStop(stop, clock.nowMs())));
      // Google counts the time of a firing: the next one goes on.
      if (slice.byClock === true) endSlice(slice, { kind: 'time' });
    },
    asleep(untilMs) {
      const leftMs = untilMs - clock.nowMs();
      listen(slice, false);
      if (leftMs > WRITE_MS + WRITE_EVERY_MS / 2 && isDue()) writeChunk(slice);
    },
  };
}

/** The page alone has more than one worker: what the clock starts, it waits for. */
function callWorkers(slice: Slice, { gate }: Engine): void {
  const wave = gate.wave();
  if (slice.byClock === true || slice.job.scheduled !== undefined || wave === undefined) return;
  const before = slice.wanted;
  slice.wanted = workersFor(slice.load, wave.everyMs, before);
  if (before === 1 && slice.wanted > 1) sharePage(slice);
}

const isDown = (calls: number): SliceEnd => stuck(runProblem('service-down', String(calls)));

/** Whether there is nothing but what was known before. */
const isUnanswered = ({ answers, cached }: Slice) =>
  [...answers.keys()].every((key) => cached.has(key));

const isFull = ({ page, answers }: Slice) => readyRows(page, answers).length >= WRITE_ROWS_MAX;

/** Failures of the connection are no row's; they come back from `ask` and end the slice. */
function take(slice: Slice, answers: ReadonlyMap<string, Answer>): void {
  const { lastGood } = slice;
  for (const [key, answer] of lastGood ? withLast({ lastGood }, answers) : answers) {
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
  if (job.state !== 'running') return OVER;
  if (lane > 0 && !isWanted(store.look(job).lanes, lane)) return OVER;
  const owner = Math.floor(platform.random.next() * 36 ** 8).toString(36);
  const taken = store.take(job, lane, owner, platform.clock.nowMs());
  if (taken === null) return { againInMs: TAKEN_MS };
  const { before, connection } = taken;
  if (lane > 0) return help({ platform, store, job, lane, owner, connection }, before, maxMs);
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
    wanted: before?.wanted,
    ...more,
  };
  if (sheet === null) {
    const end = stuck(runProblem('sheet-gone'));
    return leave(store, platform, { job, lane, owner, counters, mends }, end);
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
  /** Of the first worker alone. */
  readonly layout?: Job['layout'];
  readonly mends: boolean;
  /** How many workers there is work for. */
  readonly wanted?: number | undefined;
}

const leftBy = (
  { job, lane, owner, mends, wanted, list: own }: Slice,
  counters: Counters,
): Left => ({
  job,
  lane,
  owner,
  wanted,
  counters,
  layout: own.layout(),
  mends,
});

/**
 * The lane's counts go from the cache into the record; the cache first, so that none counts twice.
 * Where the lock is not had they go back, for the next slice to take over.
 */
function leave(store: JobStore, platform: SheetPlatform, left: Left, end: SliceEnd): LaneEnd {
  const { job, lane, owner, counters, layout, mends, wanted } = left;
  const nowMs = platform.clock.nowMs();
  const empty = { ...SILENT, counters: NO_COUNTS, ...(end.kind === 'time' && { wanted }) };
  store.tell(job.id, lane, { owner, heardMs: nowMs, isDone: true, mends, ...empty });
  const ofPerson = (now: Job) =>
    now.state === 'finished' && now.scheduled === undefined ? runOf(now, 'finished', nowMs) : null;
  const after = store.change((now) => {
    if (now?.id !== job.id || (lane > 0 && counters.calls === 0)) return now;
    const next = {
      ...now,
      ...(layout && { layout }),
      counters: sum(now.counters, counters),
      touchedMs: nowMs,
    };
    if (now.state !== 'running') return next;
    if (end.kind === 'stuck') return { ...next, state: 'stuck', problem: end.problem };
    return end.kind === 'done' ? finished(next, nowMs) : next;
  }, ofPerson);
  if (after === undefined) {
    store.tell(job.id, lane, { owner, heardMs: 0, isDone: false, mends, ...empty, counters });
    return { againInMs: TAKEN_MS };
  }
  if (after?.state !== 'running') return OVER;
  return { againInMs: end.kind === 'time' ? NEXT_MS : TAKEN_MS };
}

/**
 * One worker more: it asks for what the first one has shared, and puts the answers where that one finds
 * them. It never touches the sheet, and nothing hangs on it: what it leaves, the first one asks for.
 */
function help(options: PulseOptions, before: Lane | null, maxMs: number): LaneEnd | Failure {
  const { platform, store, job, lane, owner } = options;
  const { clock } = platform;
  const own = tally(before === null || before.isDone ? NO_COUNTS : before.counters);
  const heartbeat = pulse(options);
  let heard: Heard | null = null;
  const beat = () => {
    const progress = () => ({ counters: own.read(), rows: null, nextCallMs: null });
    heard = heartbeat.beat(progress, false);
    if (heard !== null) throw LEFT;
  };
  const bulk = bulkEngine(platform, clock.nowMs() + maxMs, {
    shares: () => 'helps',
    onCalls: (count) => own.add({ calls: count }),
    betweenWaves(now) {
      beat();
      now.keep();
    },
    beyond() {
      throw LEFT;
    },
    asleep: beat,
    booked: () => undefined,
    onAnswers: () => undefined,
    callsLeft: () => Number.POSITIVE_INFINITY,
  });
  if (isFailure(bulk)) return OVER;
  try {
    const products = store.shared(job.id).flatMap((key) => productOfKey(key) ?? []);
    const keys = products.map(productKey);
    const found = bulk.engine.cache.find(keys, {}, clock.nowMs());
    ask(
      bulk.engine,
      products.filter((one) => !found.has(productKey(one))),
      {},
    );
  } catch (error) {
    if (error !== LEFT && !(error instanceof Refused && isBusy(error))) throw error;
  } finally {
    bulk.keep();
  }
  const kind = (heard as Heard | null)?.kind;
  if (kind === 'replaced') return { againInMs: TAKEN_MS };
  const end: SliceEnd = { kind: kind === 'time' ? 'time' : 'idle' };
  return leave(store, platform, { job, lane, owner, counters: own.read(), mends: true }, end);
}

/** Thrown through the engine when a helper has to go. */
const LEFT = new Error('left');

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
