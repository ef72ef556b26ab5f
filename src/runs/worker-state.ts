// What a worker of a run knows: its queue, its heartbeat, what it was told, how it ends.

import type { Failure } from '../failures/failure';
import { isBusy, Refused, type Sheet } from '../platform/ports';
import type { Answer } from '../product/analysis';
import { type Product, productKey } from '../product/asin';
import { identityOf, isMisplaced, productOf, type Row } from '../table/row';
import { type List, list } from '../table/table';
import {
  type Heartbeat,
  heartbeat,
  type LeaseOptions,
  type WaveMeter,
  waveMeter,
  workersFor,
} from './lease';
import { type Counters, type Run, type RunCounter, runCounter, settledRows } from './run';
import { type Command, type Hand, unrecorded, type WriterLease } from './run-store';

/** Rows in one write; more would make a person wait too long to see something. */
export const WRITE_ROWS_MAX = 500;

/**
 * Rows far apart are a write each. What is not written so long after a slice's time is left to the
 * next: the last answers come up to 35 s after it, and the platform's limit is 6 min.
 */
export const LATE_WRITES_MS = 45_000;

/** Products that are looked up and asked for in one go; their answers are written as they come. */
export const PAGE_PRODUCTS = 400;

/**
 * Rows this slice may settle, in order.
 *
 * @param mends whether a row that holds another product's figures is to be mended. Such are left by
 *   rows that moved while they were written; a person may also have changed the product since.
 */
export function openRows(
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
  mends: (row: Row) => boolean,
): readonly Row[] {
  return rows.filter((row) => isOpen(row) && (!isMisplaced(row) || mends(row)));
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

export type SliceEnd =
  /** Nothing is left to do. */
  | { readonly kind: 'done' }
  /** Google's services are to be left alone for a moment. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'time' }
  /** What is left is for the schedule's next firing, which has calls again. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'command'; readonly command: Command }
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

export interface SliceOptions extends LeaseOptions {
  readonly maxMs: number;
  /** Rows may hold other products' figures: a slice was cut off, or rows moved while it wrote. */
  readonly mends: boolean;
  /** The list as it was read a moment ago, when the rows were marked. */
  readonly rows?: readonly Row[] | undefined;
  readonly list?: List;
  /** For schedules: what is new about a product. */
  readonly changes?: ChangeHooks | undefined;
  /** Nobody waits for it: what is not due in its time is left to the next firing. */
  readonly byClock?: boolean | undefined;
}

export interface Slice extends Omit<SliceOptions, 'mends' | 'run' | 'rows'> {
  mends: boolean;
  run: Run;
  rows?: readonly Row[] | undefined;
  readonly sheet: Sheet;
  /** What its start has left for later, one between any two waves. */
  chores: (() => void)[];
  readonly startMs: number;
  readonly settledAtStart: number;
  readonly untilMs: number;
  readonly list: List;
  readonly tally: RunCounter;
  readonly beat: Heartbeat;
  readonly meter: WaveMeter;
  /** How many workers there is work for. */
  wanted: number;
  /** What askers were handed, by their owners. */
  readonly hands: Map<string, Hand>;
  /** Calls of askers that are counted, by their owners. */
  readonly heard: Map<string, number>;
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
  /** All rows as they were read after the last write; null: not since then. */
  seen: readonly Row[] | null;
  /** Rows with the mark of the run, as they were read first. */
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
  const { run, maxMs, platform, look } = options;
  const startMs = platform.clock.nowMs();
  const { writer, work } = look;
  const before = unrecorded(writer, run);
  // Whoever has pressed Start sees the first rows as soon as there are any.
  const isFirst = run.scheduled === undefined && settledRows(before) === 0;
  return {
    ...options,
    sheet,
    chores: [],
    startMs,
    untilMs: startMs + maxMs,
    list: options.list ?? list(sheet, run.layout, run.market, run.id),
    settledAtStart: settledRows(before),
    tally: runCounter(before),
    beat: heartbeat(options),
    meter: waveMeter(platform.clock, writer?.load),
    wanted: writer?.load === undefined ? (run.workers ?? 1) : workersFor(writer.load, 1),
    hands: new Map(Object.entries(work?.hands ?? {})),
    heard: new Map(Object.entries(writer?.heard ?? {})),
    answers: new Map(),
    cached: new Set(),
    refusals: new Map(),
    rejected: new Map(),
    unplaced: new Set(),
    chosen: new Set(),
    unsure: [],
    erased: new Set(),
    counted: new Set(),
    seen: null,
    marked: [],
    isRoiShown: false,
    isRoiDue: false,
    queue: [],
    page: [],
    writtenMs: isFirst ? Number.NEGATIVE_INFINITY : startMs,
    futileWrites: 0,
    serviceFailures: 0,
    rowsAtWork: null,
    nextCallMs: null,
    end: null,
  };
}

/** What the slice did, as it is now. */
export function countersOf({ platform, startMs, tally: own }: Slice): Counters {
  const counters = own.read();
  return { ...counters, workedMs: counters.workedMs + platform.clock.nowMs() - startMs };
}

/** Puts the lease back as it is now, and with it what the askers are to do. */
export function tell(slice: Slice, over: Partial<WriterLease> = {}): void {
  const { beat, hands, heard, run, meter, owner, platform, startMs, wanted } = slice;
  const counters = countersOf(slice);
  const news = settledRows(counters) - slice.settledAtStart;
  const minutes = (platform.clock.nowMs() - startMs) / 60_000;
  const lease: WriterLease = {
    ...{ owner, counters, isDone: false, mends: true },
    ...{ rows: slice.rowsAtWork, nextCallMs: slice.nextCallMs },
    aliveUntilMs: meter.aliveUntilMs(),
    // A slice that has settled nothing yet has no rate; "0 rows/min" would be wrong.
    rowsPerMinute: news > 0 ? news / minutes : null,
    load: meter.load(),
    heard: Object.fromEntries(heard),
    ...over,
  };
  slice.store.tell(run.id, 0, lease, { wanted, hands: Object.fromEntries(hands) });
  beat.told();
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

/** Hears what people want of the slice, and tells that it lives: between any two things that take time. */
export function listen(slice: Slice, isBusy: boolean, eachMs?: number): void {
  const heard = slice.beat.hear(eachMs);
  // Its last writes end a slice whatever people want of it, unless another is in its place.
  if (heard !== null && (slice.end === null || heard.kind === 'replaced')) endSlice(slice, heard);
  if (slice.beat.isDue(isBusy)) tell(slice);
}
