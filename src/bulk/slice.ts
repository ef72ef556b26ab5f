// A slice of a run: some minutes of asking and writing, after which the next one may begin.

import type { Answer, Freshness } from '../analysis/answer';
import { ask } from '../analysis/ask';
import { roiUnitToldBy } from '../analysis/calibration';
import type { Engine } from '../analysis/engine';
import { concernOf, endsRun, type Failure, isFailure } from '../analysis/failure';
import { failureOfStop } from '../analysis/interpret';
import { productKey } from '../analysis/product';
import { withLast } from '../analysis/with-last';
import { readingOf } from '../connection/connection';
import { bulkEngine, type Watch } from './bulk-engine';
import { formatRoi } from './format-columns';
import { isAlive } from './job-store';
import { keptAnswers } from './kept-answers';
import { runProblem } from './problem';
import { nextPage, readyRows, WRITE_ROWS_MAX } from './queue';
import { isPercentIn, notePercent, percentName } from './remembered';
import { identityOf } from './rows';
import { endSlice, listen, type Slice, type SliceEnd, stuck, untilEnd } from './slice-state';
import { hasReady, mend, queueRows, readQueue, writeAll, writeChunk } from './slice-write';

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
export function runSlice(slice: Slice): SliceEnd {
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
  return {
    onCalls(count) {
      slice.tally.add({ calls: count });
      slice.nextCallMs = null;
    },
    booked(dueMs) {
      const isLong = dueMs !== null && dueMs > clock.nowMs() + LONG_WAIT_MS;
      slice.nextCallMs = isLong ? dueMs : null;
    },
    onAnswers: (answers) => take(slice, answers),
    callsLeft: () => callsLeftOf(slice),
    betweenWaves(bulk) {
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
      } else if (bulk.unkept() >= KEEP_ANSWERS_MIN) {
        slice.changes?.hold();
        bulk.keep();
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
