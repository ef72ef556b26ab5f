// What a slice of a run knows while it works, and how it ends.

import type { Answer } from '../analysis/answer';
import type { Failure } from '../analysis/failure';
import type { LastGood } from '../analysis/last-good';
import { isBusy, Refused } from '../platform/ports';
import type { Sheet, SheetPlatform } from '../platform/sheet-ports';
import type { Counters, Job } from './job';
import type { JobStore, Wish } from './job-store';
import { list } from './list';
import type { List } from './list-contract';
import { type Progress, type Pulse, pulse } from './pulse';
import type { Lanes } from './queue';
import type { Row } from './rows';
import type { ChangeKeeper } from './schedule/change-keeper';
import { type Tally, tally } from './tally';

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
  readonly changes?: ChangeKeeper | undefined;
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
