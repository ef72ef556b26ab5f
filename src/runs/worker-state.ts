// What a worker of a run knows: its queue, its heartbeat, what it was told, how it ends.

import type { LastGood } from '../cache/last-good';
import type { Failure } from '../failures/failure';
import { isBusy, Refused, type Sheet, type SheetPlatform } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { type Product, productKey } from '../product/asin';
import { identityOf, isMisplaced, productOf, type Row } from '../table/row';
import { type List, list } from '../table/table';
import { type Counters, type Job, settledRows, type Tally, tally } from './run';
import { isAlive, type JobStore, type Lane, type Wish } from './run-store';

/** Two chains take blocks of so many rows in turn: then each writes rows that stand together. */
const LANE_ROWS = 40;

/** Rows in one write; more would make a person wait too long to see something. */
export const WRITE_ROWS_MAX = 500;

interface Lanes {
  readonly lane: number;
  readonly count: number;
  /** Rows of every lane, once the own ones are done and nobody is at the others. */
  readonly takesAll: boolean;
}

/**
 * Rows this slice may settle, in order.
 *
 * @param mends whether a row that holds another product's figures is to be mended. Such are left by
 *   rows that moved while they were written; a person may also have changed the product since.
 */
export function openRows(
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
  lanes: Lanes,
  mends: (row: Row) => boolean,
): readonly Row[] {
  return rows.filter((row) => {
    if (!isOpen(row) || (isMisplaced(row) && !mends(row))) return false;
    return lanes.takesAll || Math.floor(row.row / LANE_ROWS) % lanes.count === lanes.lane;
  });
}

/** The next rows to ask for: so many products, in the order of the rows. */
export function nextPage(
  queue: readonly Row[],
  productsMax: number,
  isKnown: (key: string) => boolean,
): { readonly rows: readonly Row[]; readonly products: readonly Product[] } {
  const products = new Map<string, Product>();
  const rows: Row[] = [];
  for (const row of queue) {
    const product = productOf(row);
    if (product !== null && !isKnown(productKey(product)))
      products.set(productKey(product), product);
    rows.push(row);
    if (products.size >= productsMax || rows.length >= productsMax * 4) break;
  }
  return { rows, products: [...products.values()] };
}

/** Of the rows those that can be written: answered, unreadable, or with figures that are not theirs. */
export function readyRows(
  rows: readonly Row[],
  answers: ReadonlyMap<string, Answer>,
): readonly Row[] {
  return rows.filter(
    (row) => row.content.kind !== 'product' || answers.has(identityOf(row)) || isMisplaced(row),
  );
}

/** The first of the rows, as far as one write reaches. */
export function nextChunk(ready: readonly Row[]): readonly Row[] {
  const first = ready[0]?.row ?? 0;
  return ready.filter(({ row }) => row < first + WRITE_ROWS_MAX);
}

/** A wish is heard within so long, and progress is told twice as seldom. */
const HEAR_EACH_MS = 1_000;
const TELL_EACH_MS = 2_000;
const BUSY_MS = 1_500;

export type Heard =
  | { readonly kind: 'wish'; readonly wish: Wish }
  | { readonly kind: 'replaced' | 'time' };

interface Progress {
  readonly counters: Counters;
  readonly rows: readonly [first: number, last: number] | null;
  readonly nextCallMs: number | null;
}

interface Pulse {
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

function pulse({ platform, store, job, lane, owner, connection }: PulseOptions): Pulse {
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

export type SliceEnd =
  /** Nothing is left to do. */
  | { readonly kind: 'done' }
  /** Others are at what is left, or Google's services are to be left alone for a moment. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'time' }
  | { readonly kind: 'wish'; readonly wish: Wish }
  /** Another execution took this one's place. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'stuck'; readonly problem: Failure };

/** What a worker tells whoever keeps changes, and asks of them. */
export interface ChangeHooks {
  /** New answers, by product key. One cache call the first time. */
  take(answers: ReadonlyMap<string, Answer>): void;
  /** Before answers are kept or written: one cache call if there is news since the last time. */
  hold(): void;
  /** What the row's mark is to say; undefined: no news about this product. */
  markOf(productKey: string): string | undefined;
}

export interface SliceOptions {
  readonly platform: SheetPlatform;
  readonly store: JobStore;
  readonly job: Job;
  readonly lane: number;
  readonly maxMs: number;
  /** Names this execution. */
  readonly owner: string;
  /** How the connection stood before it was read. */
  readonly connection: string;
  /** Of a slice of this lane that was cut off. */
  readonly before: Counters;
  /** Rows may hold other products' figures: a slice was cut off, or rows moved while it wrote. */
  readonly mends: boolean;
  /** The list as it was read a moment ago, when the rows were marked. */
  readonly rows?: readonly Row[] | undefined;
  /** For schedules: what is new about a product. */
  readonly changes?: ChangeHooks | undefined;
  /** Nobody waits for it: what is not due in its time is left to the next firing. */
  readonly byClock?: boolean | undefined;
}

export interface Slice extends Omit<SliceOptions, 'mends'> {
  mends: boolean;
  readonly startMs: number;
  readonly untilMs: number;
  readonly list: List;
  readonly tally: Tally;
  readonly pulse: Pulse;
  /** Settled products, by product key. */
  readonly answers: Map<string, Answer>;
  /** Products whose answer was there before they were asked for. */
  readonly cached: Set<string>;
  /** Rows that took no values, by what stands in them: how often. */
  readonly refusals: Map<string, number>;
  /** Cells that turned down what their rows were to hold, by row. */
  readonly rejected: Map<number, string>;
  /** Products that were asked for and whose row may not be there any more. */
  readonly unplaced: Set<string>;
  /** What it began with; what stands in other rows is only mended. */
  chosen: ReadonlySet<string>;
  /** Rows that a write may have filled although Google failed before that was seen. */
  unsure: readonly Row[];
  /** Rows that were emptied by mistake, by what stands in them. */
  readonly erased: Set<string>;
  /** What was counted already. A row is only counted again if somebody queued it again. */
  readonly counted: Set<string>;
  /** What stays in a row while the service cannot be asked. */
  lastGood: LastGood | null;
  lanes: Lanes;
  /** All rows as they were read after the last write; null: not since then. */
  seen: readonly Row[] | null;
  /** Rows with the mark of the run, of every lane, as they were read first. */
  marked: readonly Row[];
  isRoiShown: boolean;
  /** Answers were written that may tell the unit of ROI. */
  isRoiDue: boolean;
  /** Open rows, in order. */
  queue: readonly Row[];
  /** Those of them that are asked for at present. */
  page: readonly Row[];
  writtenMs: number;
  /** Writes in a row that placed nothing. */
  futileWrites: number;
  serviceFailures: number;
  rowsAtWork: readonly [first: number, last: number] | null;
  nextCallMs: number | null;
  end: SliceEnd | null;
}

export function newSlice(options: SliceOptions, sheet: Sheet): Slice {
  const { job, lane, maxMs, platform, before } = options;
  const startMs = platform.clock.nowMs();
  return {
    ...options,
    startMs,
    untilMs: startMs + maxMs,
    list: list(sheet, job.layout, job.market, job.id),
    tally: tally(before),
    pulse: pulse(options),
    answers: new Map(),
    cached: new Set(),
    refusals: new Map(),
    rejected: new Map(),
    unplaced: new Set(),
    chosen: new Set(),
    unsure: [],
    erased: new Set(),
    counted: new Set(),
    lastGood: null,
    lanes: { lane, count: job.lanes, takesAll: job.lanes === 1 },
    seen: null,
    marked: [],
    isRoiShown: false,
    isRoiDue: false,
    queue: [],
    page: [],
    writtenMs: startMs,
    futileWrites: 0,
    serviceFailures: 0,
    rowsAtWork: null,
    nextCallMs: null,
    end: null,
  };
}

export function progressOf(slice: Slice): Progress {
  // Two chains at a time make no run longer.
  const workedMs = slice.platform.clock.nowMs() - slice.startMs - slice.pulse.sharedMs();
  const counters = slice.tally.read();
  return {
    counters: { ...counters, workedMs: counters.workedMs + workedMs },
    rows: slice.rowsAtWork,
    nextCallMs: slice.nextCallMs,
  };
}

export const stuck = (problem: Failure): SliceEnd => ({ kind: 'stuck', problem });

/** Thrown through the engine when the slice has to end in the middle of asking. */
const OVER = new Error('The slice is over.');

export function endSlice(slice: Slice, end: SliceEnd): never {
  slice.end = end;
  throw OVER;
}

/** Works until it ends by itself or by `endSlice`. */
export function untilEnd(slice: Slice, work: () => SliceEnd): SliceEnd {
  try {
    slice.end = work();
  } catch (error) {
    // Rows that were not written are marked yet: the next slice, which may be soon, goes on with them.
    if (error instanceof Refused)
      slice.end = isBusy(error) ? { kind: 'idle' } : stuck(error.refusal);
    else if (error !== OVER || slice.end === null) throw error;
  }
  return slice.end;
}

/** Tells that the slice lives, and hears what people want of it: between any two things that take time. */
export function listen(slice: Slice, isBusy: boolean): void {
  const heard = slice.pulse.beat(() => progressOf(slice), isBusy);
  // Its last writes end a slice whatever people want of it, unless another is in its place.
  if (heard !== null && (slice.end === null || heard.kind === 'replaced')) endSlice(slice, heard);
}
