// The state of a worker during one call, here called a slice: its queue, its heartbeat, commands,
// and how it ends.

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

/** The most rows in one write; with more, a person would wait too long to see something. */
export const WRITE_ROWS_MAX = 500;

/**
 * Rows that are far apart take a write each. Whatever is not written this long after the slice's
 * time is left to the next one: the last answers arrive up to 35 s after it, and the platform's
 * limit is 6 min.
 */
export const LATE_WRITES_MS = 45_000;

/**
 * The number of products that are looked up and asked for at a time; their answers are written as
 * they arrive.
 */
export const PAGE_PRODUCTS = 400;

/**
 * The rows that this slice may settle, in order.
 *
 * @param mends whether to repair a row that holds another product's figures. Rows that move during
 * a write leave such rows behind; a person may also have changed the product since.
 */
export function openRows(
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
  mends: (row: Row) => boolean,
): readonly Row[] {
  return rows.filter((row) => isOpen(row) && (!isMisplaced(row) || mends(row)));
}

/** The next rows to ask for: those of the next products, in the order of the rows. */
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

/** The rows that can be written: answered, unreadable, or with another product's figures. */
export function readyRows(
  rows: readonly Row[],
  answers: ReadonlyMap<string, Answer>,
): readonly Row[] {
  return rows.filter(
    (row) => row.content.kind !== 'product' || answers.has(identityOf(row)) || isMisplaced(row),
  );
}

/** The first of the rows, as many as one write covers. */
export function nextChunk(ready: readonly Row[]): readonly Row[] {
  const first = ready[0]?.row ?? 0;
  return ready.filter(({ row }) => row < first + WRITE_ROWS_MAX);
}

export type SliceEnd =
  /** Nothing is left to do. */
  | { readonly kind: 'done' }
  /** Google's services need a moment of rest. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'time' }
  /** The rest is for the schedule's next firing, which has calls again. */
  | { readonly kind: 'spent' }
  | { readonly kind: 'command'; readonly command: Command }
  /** Another execution took this one's place. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'stuck'; readonly problem: Failure };

/** What a worker reports to the tracker of changes, and asks of it. */
export interface ChangeHooks {
  /** Takes new answers, by product key. The first time costs one cache call. */
  take(answers: ReadonlyMap<string, Answer>): void;
  /**
   * Called before answers are stored or written. Costs one cache call if there is news since the
   * last time.
   */
  hold(): void;
  /** The text for the row's mark; undefined: no news about this product. */
  markOf(productKey: string): string | undefined;
}

export interface SliceOptions extends LeaseOptions {
  readonly maxMs: number;
  /**
   * Whether rows may hold other products' figures, because a slice was cut off or rows moved while
   * it wrote.
   */
  readonly mends: boolean;
  /** The list as read a moment ago, when the rows were marked. */
  readonly rows?: readonly Row[] | undefined;
  readonly list?: List;
  /** For schedules: tracks what has changed about products. */
  readonly changes?: ChangeHooks | undefined;
  /** Set if no person waits for it: work that is not due in its time is left to the next firing. */
  readonly byClock?: boolean | undefined;
}

export interface Slice extends Omit<SliceOptions, 'mends' | 'run' | 'rows'> {
  mends: boolean;
  run: Run;
  rows?: readonly Row[] | undefined;
  readonly sheet: Sheet;
  /** Later parts of the start, done one at a time between two waves. */
  chores: (() => void)[];
  readonly startMs: number;
  readonly settledAtStart: number;
  readonly untilMs: number;
  readonly list: List;
  readonly tally: RunCounter;
  readonly beat: Heartbeat;
  readonly meter: WaveMeter;
  /** The number of workers that there is work for. */
  wanted: number;
  /** The products handed to askers, by owner. */
  readonly hands: Map<string, Hand>;
  /** The askers' calls that were already counted, by owner. */
  readonly heard: Map<string, number>;
  /** Settled answers by product key. */
  readonly answers: Map<string, Answer>;
  /** Products whose answer existed before they were asked for. */
  readonly cached: Set<string>;
  /** How often rows rejected their values, by the rows' content. */
  readonly refusals: Map<string, number>;
  /** Cells that rejected their new value, by row. */
  readonly rejected: Map<number, string>;
  /** Products that were asked for and whose row may have disappeared. */
  readonly unplaced: Set<string>;
  /** The rows that it began with, by content; other rows are only repaired. */
  chosen: ReadonlySet<string>;
  /** Rows that a write may have filled although Google failed before that was seen. */
  unsure: readonly Row[];
  /** Rows that were emptied by mistake, by content. */
  readonly erased: Set<string>;
  /** Rows that were already counted. A row is counted again only if somebody queued it again. */
  readonly counted: Set<string>;
  /** All rows as read after the last write; null: not read since then. */
  seen: readonly Row[] | null;
  /** Rows with the run's mark as first read. */
  marked: readonly Row[];
  isRoiShown: boolean;
  /** Whether answers were written that may reveal the unit of ROI. */
  isRoiDue: boolean;
  /** Open rows, in order. */
  queue: readonly Row[];
  /** The open rows that are being asked for at present. */
  page: readonly Row[];
  writtenMs: number;
  /** The number of consecutive writes that placed nothing. */
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
  // A person who has pressed Start sees the first rows as soon as there are any.
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

/** What the slice has done so far. */
export function countersOf({ platform, startMs, tally: own }: Slice): Counters {
  const counters = own.read();
  return { ...counters, workedMs: counters.workedMs + platform.clock.nowMs() - startMs };
}

/** Writes the lease with its present values and the askers' work. */
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

/** Thrown through the engine when the slice has to end while it is asking. */
const OVER = new Error('The slice is over.');

export function endSlice(slice: Slice, end: SliceEnd): never {
  slice.end = end;
  throw OVER;
}

/** Works until the work ends by itself or through `endSlice`. */
export function untilEnd(slice: Slice, work: () => SliceEnd): SliceEnd {
  try {
    slice.end = work();
  } catch (error) {
    // Rows that were not written are still marked, so the next slice, which may come soon,
    // continues with them.
    if (error instanceof Refused)
      slice.end = isBusy(error) ? { kind: 'idle' } : stuck(error.refusal);
    else if (error !== OVER || slice.end === null) throw error;
  }
  return slice.end;
}

/**
 * Looks for commands and reports that the slice is alive; called between any two steps that take
 * time.
 */
export function listen(slice: Slice, isBusy: boolean, eachMs?: number): void {
  const heard = slice.beat.hear(eachMs);
  // The last writes finish a slice whatever people command, unless another execution has its place.
  if (heard !== null && (slice.end === null || heard.kind === 'replaced')) endSlice(slice, heard);
  if (slice.beat.isDue(isBusy)) tell(slice);
}
