// A worker of a run: takes a lease, asks for one page of products after the other, writes, and
// leaves.

import { readingOf } from '../connection/connection';
import { extendDecisions } from '../deal/decision-columns';
import { analyze } from '../engine/analyze';
import type { Hooks, Policy } from '../engine/ask';
import { type Engine, openEngine } from '../engine/engine';
import { type Failure, isFailure, runProblem } from '../failures/failure';
import { drawName, type SheetPlatform } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { productKey } from '../product/asin';
import { HORIZON_MS } from '../quota/rate';
import { roiUnitIn } from '../service/calibration';
import { failureOfStop } from '../service/response';
import type { KnownColumn, Layout } from '../table/columns';
import { formatRoi } from '../table/formats';
import { identityOf, type Row } from '../table/row';
import { list, markRows } from '../table/table';
import {
  awaitAskers,
  claimedRun,
  hasAskers,
  lead,
  longWait,
  runAsker,
  settleAll,
  take,
  type Unkept,
} from './askers';
import { dressColumns, finishStart } from './finish-start';
import { workersFor } from './lease';
import { type Counters, failedRows, hasEnded, type Run, settledRows, sum } from './run';
import { type EndedRun, LEASE_MS, runStore, unrecorded } from './run-store';
import { isPercentIn, notePercent, percentName } from './saved-choice';
import {
  hasReady,
  queueRows,
  readQueue,
  repairMisplaced,
  writeAll,
  writeChunk,
} from './worker-rows';
import {
  countersOf,
  endSlice,
  listen,
  newSlice,
  nextPage,
  PAGE_PRODUCTS,
  readyRows,
  type Slice,
  type SliceEnd,
  type SliceOptions,
  stuck,
  tell,
  untilEnd,
  WRITE_ROWS_MAX,
} from './worker-state';

/**
 * The time between writes. Each takes about half a second whatever its size, and people want to see
 * progress.
 */
const WRITE_EVERY_MS = 6_000;

/**
 * Nobody watches the clock's runs, so they write more rarely; answers that are not written yet are
 * in the cache.
 */
const CLOCK_WRITES_EVERY_MS = 20_000;

/** Once everything is handed out, the writer looks this often for the last answers. */
const LAST_HEAR_EACH_MS = 300;

/** A wait that is long enough for a write. */
const WRITE_MS = 1_500;

/**
 * Answers are stored in the shared cache together: this many share its buckets, so that two calls
 * are enough.
 */
const KEEP_ANSWERS_MIN = 60;

/** After this many consecutive failures of the service, the rest of the list would fail as well. */
const SERVICE_FAILURES_MAX = 30;

/** Works until time is up, nothing is left, or a person commands it to end. */
function runSlice(slice: Slice): SliceEnd {
  const engine = openEngine(slice.platform, slice.untilMs);
  if (isFailure(engine)) return stuck(engine);
  const unkept = unkeptOf(engine);
  let last: SliceEnd;
  try {
    const end = untilEnd(slice, () => work(slice, engine, unkept));
    if (end.kind === 'command' || end.kind === 'stuck')
      untilEnd(slice, () => awaitAskers(slice, engine, unkept, end));
    slice.changes?.hold();
    unkept.keep();
    last = end.kind === 'replaced' ? end : untilEnd(slice, () => lastWrite(slice, end));
  } finally {
    // Whatever fails, answers that were paid for are stored.
    unkept.keep();
  }
  // Nothing follows, so other spreadsheets with this key need not wait for this one's silence.
  if (last.kind === 'done' || last.kind === 'command' || last.kind === 'stuck') engine.gate.leave();
  return last;
}

/**
 * Collects answers before they are stored. Each product is in two of many buckets, so storing
 * answers together takes far fewer calls.
 */
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

/** Writes the answers received so far, whatever ended the slice. */
function lastWrite(slice: Slice, end: SliceEnd): SliceEnd {
  const isWritable = end.kind !== 'stuck' || !['protected', 'run'].includes(end.problem.kind);
  if (isWritable) writeAll(slice);
  // A short list leaves no time for these between waves, and after a stop nobody returns to do
  // them.
  if (isWritable && end.kind !== 'time') for (const chore of slice.chores.splice(0)) chore();
  return end;
}

function work(slice: Slice, engine: Engine, unkept: Unkept): SliceEnd {
  const { clock } = slice.platform;
  const tend = (isLast = false) => tendList(slice, engine, unkept, isLast);
  const hooks = hooksOf(slice, engine, unkept, tend);
  if (slice.rows === undefined) readQueue(slice);
  else queueRows(slice, slice.rows);
  slice.chosen = new Set(slice.queue.map(identityOf));
  addChores(slice, engine, slice.seen ?? []);
  repairMisplaced(slice);
  while (clock.nowMs() < slice.untilMs) {
    if (slice.queue.length > 0) {
      if (hasAskers(slice)) lead(slice, engine, unkept, tend);
      else workPage(slice, engine, hooks);
      continue;
    }
    readQueue(slice);
    if (slice.queue.length === 0) return { kind: 'done' };
  }
  return { kind: 'time' };
}

/**
 * Adds the later parts of the start, which follow the first figures. They are taken from the
 * record, because a start may be cut off before them.
 */
function addChores(slice: Slice, engine: Engine, rows: readonly Row[]): void {
  const { chores, platform, run } = slice;
  const { toDress } = run;
  if (toDress === undefined) return;
  chores.push(
    () => {
      // In a list of two markets formats differ by row, and rows may have moved since.
      const now = run.market.kind === 'cell' ? slice.list.read() : rows;
      if (!isFailure(now))
        dressColumns(platform, engine, run, slice.list.layout(), toDress, now, null);
    },
    () => finishStart(platform, run),
  );
}

function workPage(slice: Slice, engine: Engine, hooks: Hooks): void {
  const { answers } = slice;
  const page = nextPage(slice.queue, PAGE_PRODUCTS, (key) => answers.has(key));
  slice.page = page.rows;
  try {
    settleAll(slice, analyze(engine, page.products, policyOf(slice), hooks));
  } catch (error) {
    if (error !== SHARED) throw error;
    return;
  }
  if (page.products.some((product) => !answers.has(productKey(product)))) endIfSpent(slice);
  writeAll(slice);
  showRoi(slice, engine);
  slice.page = [];
}

/** Thrown through the engine when askers have appeared that can ask instead. */
const SHARED = new Error('The products are shared out.');

/** Ends the slice if products are left but no calls for them. */
function endIfSpent(slice: Slice): void {
  if (callsLeftOf(slice) > 0) return;
  const { calls } = slice.tally.read();
  // All calls were tries, and none of them got a result.
  if (calls > 0 && isUnanswered(slice)) endSlice(slice, isDown(calls));
  endSlice(slice, { kind: 'spent' });
}

/**
 * Shows ROI as a percentage from the first run on: if nothing had revealed the unit of ROI when the
 * run began, its own answers do, provided that all of them agree.
 */
function showRoi(slice: Slice, { connection }: Engine): void {
  const { answers, run, list, marked, platform } = slice;
  if (slice.isRoiShown || readingOf(connection).roiUnit !== undefined) return;
  const told = [...answers.values()].flatMap((one) => (one.ok ? roiUnitIn(one.analysis) : []));
  const units = new Set(told.filter((unit) => unit !== undefined));
  if (!units.has('fraction') || units.size > 1) return;
  slice.isRoiShown = true;
  const name = percentName(run.sheetId, connection.fingerprint);
  const sheet = platform.spreadsheet.sheet(run.sheetId);
  if (sheet === null || isPercentIn(platform.documentStore, name)) return;
  formatRoi(sheet, list.layout(), marked);
  notePercent(platform.documentStore, name);
}

function policyOf(slice: Slice): Policy {
  const { notBeforeMs } = slice.run;
  return {
    ...(notBeforeMs !== undefined && { notBeforeMs }),
    horizonMs: HORIZON_MS,
    callsMax: callsLeftOf(slice),
    triesAgain: true,
  };
}

/** How many more calls the run may make, as far as a schedule limits them. */
function callsLeftOf({ run: { scheduled, counters }, tally }: Slice): number {
  const callsMax = scheduled?.callsMax ?? Number.POSITIVE_INFINITY;
  return callsMax - counters.calls - tally.read().calls;
}

/**
 * What is due between two waves. Anything that takes longer than the time to the next slot costs
 * calls, so it does one thing at a time.
 */
function tendList(slice: Slice, engine: Engine, unkept: Unkept, isLast: boolean): void {
  if (slice.serviceFailures >= SERVICE_FAILURES_MAX) endSlice(slice, isDown(SERVICE_FAILURES_MAX));
  // The last write is due as soon as the last answers have arrived, and should not have to wait for
  // another one.
  const writes = isWriteDue(slice, isLast ? 2 : 1);
  listen(slice, writes, isLast ? LAST_HEAR_EACH_MS : undefined);
  if (writes) {
    writeChunk(slice);
    tell(slice);
    slice.isRoiDue = true;
  } else if (slice.isRoiDue) {
    // Not directly after a write, so that a command to pause or stop is noticed in between.
    slice.isRoiDue = false;
    showRoi(slice, engine);
  } else if (slice.chores.length > 0 && slice.answers.size > 0) {
    slice.chores.shift()?.();
  } else if (unkept.count() >= KEEP_ANSWERS_MIN) {
    slice.changes?.hold();
    unkept.keep();
  }
}

function isWriteDue(slice: Slice, times = 1): boolean {
  const everyMs = slice.run.scheduled === undefined ? WRITE_EVERY_MS : CLOCK_WRITES_EVERY_MS;
  const isTime = slice.platform.clock.nowMs() >= slice.writtenMs + times * everyMs;
  // Unreadable rows could be written at once, but they wait for the first answers.
  return isTime && slice.answers.size > 0 ? hasReady(slice) : isFull(slice);
}

function hooksOf(slice: Slice, engine: Engine, unkept: Unkept, tend: () => void): Hooks {
  const { clock } = slice.platform;
  return {
    onFound(answers) {
      for (const key of answers.keys()) slice.cached.add(key);
      take(slice, answers);
    },
    onAnswers: (answers) => take(slice, answers),
    keep: unkept.add,
    onCalls(count) {
      slice.meter.sent();
      slice.tally.add({ calls: count });
      slice.nextCallMs = null;
    },
    onBooked(dueMs) {
      slice.meter.booked(engine.gate.pace());
      slice.wanted = workersFor(slice.meter.load() ?? 0, slice.wanted);
      slice.nextCallMs = longWait(dueMs, clock.nowMs());
    },
    betweenWaves() {
      tend();
      if (hasAskers(slice)) throw SHARED;
    },
    waitsBeyond(booking) {
      const stop = booking.kind === 'stopped' ? booking.stop : undefined;
      // A schedule reports why it waits, and so does a run that waits for a service that is down.
      if (stop !== undefined && (slice.run.scheduled !== undefined || stop.status !== undefined))
        endSlice(slice, stuck(failureOfStop(stop, clock.nowMs())));
      // Google counts the run time of a firing, so the next firing continues.
      if (slice.byClock === true) endSlice(slice, { kind: 'time' });
      return true;
    },
    asleep(untilMs) {
      const leftMs = untilMs - clock.nowMs();
      listen(slice, false);
      if (leftMs > WRITE_MS + WRITE_EVERY_MS / 2 && isWriteDue(slice)) writeChunk(slice);
    },
  };
}

const isDown = (calls: number): SliceEnd => stuck(runProblem('service-down', String(calls)));

/** Whether all answers so far existed before. */
const isUnanswered = ({ answers, cached }: Slice) =>
  [...answers.keys()].every((key) => cached.has(key));

const isFull = ({ page, answers }: Slice) => readyRows(page, answers).length >= WRITE_ROWS_MAX;

/** The pause between a slice and the next call. */
const NEXT_MS = 100;

/**
 * Another worker has the place, or Google failed. After this time a dead worker is recognised as
 * dead, ms.
 */
const TAKEN_MS = 3_000;

/**
 * After its time is up, the engine may still end its last wave, and the platform's limit is 6 min.
 */
export const SLICE_MS_MAX = 300_000;

/** When the worker should be called again; null: there is nothing to do. */
export interface WorkerEnd {
  readonly againInMs: number | null;
  /**
   * Another worker has the place, or Google failed, so not everything was done that there was time
   * for.
   */
  readonly isHindered?: boolean;
  /** The list as read after the last write. */
  readonly seen?: readonly Row[];
}

const OVER: WorkerEnd = { againInMs: null };
const NEXT: WorkerEnd = { againInMs: NEXT_MS };
const HINDERED: WorkerEnd = { againInMs: TAKEN_MS, isHindered: true };

/** @param worker 0 writes; the others ask for what it hands them. */
export function runWorker(
  platform: SheetPlatform,
  runId: string,
  worker: number,
  maxMs: number,
  more: Pick<SliceOptions, 'changes' | 'rows' | 'byClock'> = {},
): WorkerEnd | Failure {
  const store = runStore(platform);
  const run = worker > 0 ? claimedRun(platform, store, runId) : store.read();
  if (run === null || run.id !== runId) return runProblem('run-ended');
  if (run.state !== 'running' && (worker === 0 || run.state !== 'starting')) return OVER;
  const owner = drawName(platform.random);
  if (worker > 0) {
    const kind = runAsker({ platform, store, run, worker, owner }, maxMs);
    if (kind === 'unwanted' || store.read()?.state !== 'running') return OVER;
    return kind === 'time' ? NEXT : HINDERED;
  }
  const sheet = platform.spreadsheet.sheet(run.sheetId);
  const nowMs = platform.clock.nowMs();
  if (sheet === null) {
    const problem = runProblem('sheet-gone');
    const isTold = store.change((now) =>
      now?.id === runId && now.state === 'running'
        ? { ...now, state: 'stuck', problem, touchedMs: nowMs }
        : now,
    );
    return isTold === undefined ? HINDERED : OVER;
  }
  let now = run;
  const look = store.take(runId, 0, nowMs, ({ writer }) => {
    const read = store.read();
    if (read?.id !== runId || read.state !== 'running') return null;
    // The previous worker in this place may have changed the record since.
    now = read;
    return {
      ...{ owner, aliveUntilMs: nowMs + LEASE_MS, isDone: false, mends: true, ...SILENT },
      ...{ counters: unrecorded(writer, now), load: writer?.load, heard: writer?.heard ?? {} },
    };
  });
  if (look === null) return HINDERED;
  const { writer } = look;
  const mends = writer === null ? now.counters.workedMs > 0 : !writer.isDone || writer.mends;
  const options = { platform, store, run: now, worker, owner, look, maxMs, mends, ...more };
  return workSlice(newSlice(options, sheet));
}

/** Works with a lease that it already holds. */
export function workSlice(slice: Slice): WorkerEnd {
  const { run, sheet } = slice;
  const end = runSlice(slice);
  if (end.kind === 'done') extendDecisions(sheet, slice.list.layout());
  if (end.kind === 'replaced') return HINDERED;
  const counters = countersOf(slice);
  if (end.kind === 'command' && end.command === 'stop') markRows(slice.list, run.id, []);
  const left = leave(slice, counters, end);
  return slice.seen === null ? left : { ...left, seen: slice.seen };
}

/** Part of the lease of a writer that does nothing at present. */
const SILENT = { rowsPerMinute: null, rows: null, nextCallMs: null };

/**
 * Writes the counts into the record before the lease ends, so that a status request never misses
 * them or finds nobody at work. If the lock is not available, the lease keeps them for the next
 * slice.
 */
function leave(slice: Slice, counters: Counters, end: SliceEnd): WorkerEnd {
  const { run, list: own, mends, owner, platform, store } = slice;
  const touchedMs = platform.clock.nowMs();
  const isSpent = end.kind === 'spent';
  const goesOn = isSpent || end.kind === 'time' || end.kind === 'idle';
  if (!goesOn) {
    slice.wanted = 1;
    slice.hands.clear();
  }
  // A run that was stopped meanwhile has an entry in the history already, without these counts.
  const after = store.change(
    (now) => {
      if (now?.id !== run.id) return now;
      const next = {
        ...{ ...now, layout: own.layout(), touchedMs },
        ...{ counters: sum(now.counters, counters), recorded: owner },
      };
      if (now.state !== 'running') return next;
      if (end.kind === 'stuck') return { ...next, state: 'stuck', problem: end.problem };
      return end.kind === 'done' ? finished(next, touchedMs) : next;
    },
    (now) => runOf(now, touchedMs),
  );
  const isTold = after !== undefined;
  const left = isTold ? { isDone: true } : { aliveUntilMs: 0 };
  tell(slice, { ...left, mends, counters, ...SILENT });
  if (!isTold) return HINDERED;
  if (isSpent || after?.state !== 'running') return OVER;
  return end.kind === 'time' ? NEXT : HINDERED;
}

/** Rows that were deleted meanwhile no longer belong to the run. */
function finished(run: Run, nowMs: number): Run {
  const rows = settledRows(run.counters) + run.counters.lostCount;
  return { ...run, state: 'finished', endedMs: nowMs, rows };
}

/** The entry of a run by hand in the history; null: it is not over. */
export function runOf(run: Run, endedMs: number): EndedRun | null {
  if (run.scheduled !== undefined || !hasEnded(run)) return null;
  const { startedMs, by, sheetName, rows, counters, state: outcome } = run;
  const { answered, cached, calls } = counters;
  const failed = failedRows(counters);
  return { startedMs, endedMs, by, sheetName, outcome, rows, answered, cached, failed, calls };
}

/**
 * Removes the marks of a stopped run if no worker is left to do so; returns the list after that.
 * The run may have stopped because a column of figures is gone, which marks do not need.
 */
export function cleanUp(platform: SheetPlatform, run: Run): readonly Row[] | Failure {
  const { id, layout, market, sheetId } = run;
  const { columns } = layout;
  // It is still starting and removes its marks itself.
  if (columns.length === 0) return [];
  const sheet = platform.spreadsheet.sheet(sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const unmark = (found: Layout['columns']) =>
    markRows(list(sheet, { ...layout, columns: found }, market, id), id, []);
  const marked = unmark(columns);
  if (!isFailure(marked)) return marked.seen;
  unmark(columns.filter(isForMarks));
  return marked;
}

const isForMarks = ({ key }: KnownColumn): boolean => /^(product|market|status)$/.test(key);
