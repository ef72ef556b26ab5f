// How a worker reads marked rows and writes results back, a part at a time.

import { isFailure, runProblem } from '../failures/failure';
import { type Answer, unanswered } from '../product/analysis';
import { productKey, productOfKey } from '../product/asin';
import { identityOf, isMisplaced, type Row, stretchesOf } from '../table/row';
import type { Result } from '../table/snapshot';
import { keptIn, queuedText, withKept } from '../table/status';
import { emptied, resultOf } from '../table/write-plan';
import {
  endSlice,
  LATE_WRITES_MS,
  listen,
  nextChunk,
  openRows,
  readyRows,
  type Slice,
  stuck,
} from './worker-state';

/** A row that rejects its values this often is given up and reported. */
const REFUSALS_MAX = 2;

/** After this many writes in a row that placed nothing, the sheet cannot be written at present. */
const FUTILE_WRITES_MAX = 8;

/** Rows may move while they are marked again, but rarely more often than this. */
const MARKS_MAX = 5;

/** Reads the whole list and queues the rows that this call may still settle. */
export function readQueue(slice: Slice): void {
  let rows = readList(slice);
  for (let tries = 0; tries < MARKS_MAX && markAgain(slice, rows); tries += 1)
    rows = readList(slice);
  queueRows(slice, rows);
}

/** Queues the rows of a list that was read a moment ago and that this call may still settle. */
export function queueRows(slice: Slice, rows: readonly Row[]): void {
  slice.seen = rows;
  if (slice.marked.length === 0)
    slice.marked = rows.filter(({ status }) => status.kind === 'queued');
  slice.rejected.clear();
  const isGivenUp = (row: Row) => (slice.refusals.get(identityOf(row)) ?? 0) >= REFUSALS_MAX;
  const mends = (row: Row) => slice.mends && isOurs(slice, row);
  const open = openRows(rows, slice.list.isOpen, mends);
  const asked = new Set(slice.page.map(identityOf));
  for (const key of asked) slice.unplaced.add(key);
  slice.queue = open.filter((row) => !isGivenUp(row));
  slice.page = slice.queue.filter((row) => asked.has(identityOf(row)) || isMisplaced(row));
  const isTold = ({ status }: Row) => status.kind === 'ok' || status.kind === 'failed';
  const unsure = new Set(slice.unsure.map(identityOf));
  for (const row of rows) if (isTold(row) && unsure.has(identityOf(row))) count(slice, row);
  slice.unsure = [];
  const there = rows.filter((row) => isTold(row) || slice.list.isOpen(row));
  countLost(slice, new Set(there.map(identityOf)));
}

/**
 * Whether the figures beside another product may come from this run. If such figures existed
 * before, because somebody pasted a new list over an old one, only those as new as the run count;
 * nobody asked for the others.
 */
function isOurs({ answers, run }: Slice, { status, atMs }: Row): boolean {
  if (run.isPastedOver !== true || (status.kind !== 'ok' && status.kind !== 'failed')) return true;
  const triedMs = status.kind === 'failed' ? status.triedMs : null;
  const isKnown = status.product !== null && answers.has(productKey(status.product));
  return isKnown || Math.max(atMs ?? 0, triedMs ?? 0) >= run.startedMs;
}

function readList(slice: Slice): readonly Row[] {
  const rows = slice.list.read();
  return isFailure(rows) ? endSlice(slice, stuck(rows)) : rows;
}

/**
 * Marks rows of this run that have lost their mark, at once, because only this execution knows of
 * them. Either a write erased the mark when rows moved, or a product's cell was cut and pasted into
 * another row without its mark. For each mark without a product, one missing product of this call
 * is searched for in rows without a status. Returns whether it marked any.
 */
function markAgain(slice: Slice, rows: readonly Row[]): boolean {
  const { list, queue, run } = slice;
  const free = rows.filter(({ status, isLocked }) => status.kind === 'none' && !isLocked);
  const open = rows.filter(list.isOpen);
  const alone = open.filter(
    ({ content, status }) => content.kind === 'blank' && status.kind === 'queued',
  );
  const there = new Set(open.map(identityOf));
  const missing = new Set(queue.map(identityOf).filter((key) => !there.has(key)));
  const erased = free.filter(list.isOpen);
  const moved = free.filter((row) => missing.has(identityOf(row))).slice(0, alone.length);
  for (const row of erased) slice.erased.add(identityOf(row));
  const wanted = [...erased, ...moved].sort((a, b) => a.row - b.row);
  for (const rows of stretchesOf(wanted)) {
    const texts = rows.map((row) => withKept(queuedText(run.id), keptIn(row.statusText)));
    const seen = rows.map(({ statusText }) => statusText);
    const problem = list.writeStatus(rows[0]?.row ?? 1, texts, seen, []);
    if (isFailure(problem)) endSlice(slice, stuck(problem));
  }
  return wanted.length > 0;
}

/**
 * Counts products that were answered but are no longer in any row that waits for the answer or has
 * it.
 */
function countLost({ answers, unplaced, tally }: Slice, there: ReadonlySet<string>): void {
  const lost = [...unplaced].filter((key) => !there.has(key) && answers.has(key));
  for (const key of [...there, ...lost]) unplaced.delete(key);
  tally.lost(lost.flatMap((key) => productOfKey(key) ?? []));
}

/** Whether there is something to write. */
export function hasReady({ page, answers }: Slice): boolean {
  return readyRows(page, answers).length > 0;
}

/** Writes everything that is ready, in chunks of rows, while there is time. */
export function writeAll(slice: Slice): void {
  while (hasReady(slice) && slice.platform.clock.nowMs() < slice.untilMs + LATE_WRITES_MS) {
    listen(slice, true);
    writeChunk(slice);
  }
}

/** Writes the first rows that are ready, as many as one write covers. */
export function writeChunk(slice: Slice): void {
  const { answers, list, platform, tally } = slice;
  slice.changes?.hold();
  slice.seen = null;
  const chunk = nextChunk(readyRows(slice.page, answers));
  const rows = new Map(chunk.map((row) => [row.row, row]));
  const results = new Map(chunk.map((row) => [row.row, resultFor(slice, row)]));
  slice.unsure = chunk;
  const { mends } = slice;
  // Assumed until it is seen where the write arrived, because Google may fail before that.
  slice.mends = true;
  const report = list.write(results);
  slice.mends = mends || report.needsMending;
  if (!report.hasMoved) slice.unsure = [];
  slice.writtenMs = platform.clock.nowMs();
  if (report.problem !== undefined) endSlice(slice, stuck(report.problem));
  if (report.rejected !== undefined) {
    reject(slice, rows, report.rejected);
    return;
  }
  const placed = new Set(report.placed);
  for (const number of placed) count(slice, rows.get(number));
  tally.add({ kept: report.kept });
  for (const number of report.refused) refuse(slice, rows.get(number));
  const isLeft = ({ row }: Row) => !placed.has(row);
  slice.queue = slice.queue.filter(isLeft);
  slice.page = slice.page.filter(isLeft);
  slice.futileWrites = placed.size > 0 ? 0 : slice.futileWrites + 1;
  if (slice.futileWrites > FUTILE_WRITES_MAX) {
    const what = `row ${chunk[0]?.row}`;
    endSlice(slice, stuck(runProblem('sheet-busy', what)));
  }
  if (!report.hasMoved) return;
  for (const row of chunk) if (isLeft(row)) slice.unplaced.add(identityOf(row));
  readQueue(slice);
  repairMisplaced(slice);
}

/**
 * Repairs rows with another product's figures at once, so that nobody reads them for longer than a
 * write takes.
 */
export function repairMisplaced(slice: Slice): void {
  while (slice.page.some(isMisplaced)) {
    listen(slice, true);
    writeChunk(slice);
  }
}

/**
 * The row shows the rejection instead. If that is rejected as well, or it happens too often, a
 * person has to change the rule first.
 */
function reject(slice: Slice, rows: ReadonlyMap<number, Row>, cell: string): void {
  const row = Number(cell.replace(/\D+/, ''));
  slice.futileWrites += 1;
  if (!rows.has(row) || slice.rejected.has(row) || slice.futileWrites > FUTILE_WRITES_MAX)
    endSlice(slice, stuck(runProblem('rejected', cell)));
  slice.rejected.set(row, cell);
}

function answerFor({ answers, rejected }: Slice, row: Row): Answer | null {
  const cell = rejected.get(row.row);
  if (cell !== undefined) return unanswered(runProblem('rejected', cell));
  if (row.content.kind === 'unreadable') return unanswered(row.content.failure);
  return answers.get(identityOf(row)) ?? null;
}

function resultFor(slice: Slice, row: Row): Result {
  const answer = answerFor(slice, row);
  if (answer === null) return row.content.kind === 'product' ? requeued(slice, row) : emptied(row);
  const news = slice.changes?.markOf(identityOf(row));
  return resultOf(row, answer, slice.platform.clock.nowMs(), news);
}

/**
 * Empties a row with another product's figures; while its own are unknown it waits for them as
 * before.
 */
function requeued({ run }: Slice, row: Row): Result {
  const { identity, cells } = emptied(row);
  return { identity, cells: new Map([...cells, ['status', queuedText(run.id)]]) };
}

/**
 * Counts a row. A repaired row was already counted unless it lost its place before its turn, or
 * does not belong to the run.
 */
function count(slice: Slice, row: Row | undefined): void {
  if (row === undefined) return;
  const { chosen, counted, erased, tally } = slice;
  const key = identityOf(row);
  const answer = answerFor(slice, row);
  if (answer === null) {
    erased.add(key);
    return;
  }
  const isMended = row.status.kind !== 'queued' || erased.has(key);
  if (isMended && (counted.has(key) || !chosen.has(key))) return;
  counted.add(key);
  tally.placed(row, answer, slice.cached.has(key));
}

function refuse(slice: Slice, row: Row | undefined): void {
  if (row === undefined) return;
  const key = identityOf(row);
  const times = (slice.refusals.get(key) ?? 0) + 1;
  slice.refusals.set(key, times);
  if (times < REFUSALS_MAX) return;
  slice.queue = slice.queue.filter((one) => identityOf(one) !== key);
  slice.page = slice.page.filter((one) => identityOf(one) !== key);
  const product = productOfKey(key);
  slice.tally.lost(product === null ? [] : [product]);
}
