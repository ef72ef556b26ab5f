// A job: one bulk analysis of a list. Its record, its states and its counts. Transitions are pure.

import type { Failure } from '../failures/failure';
import type { GroupMarket } from '../list/lookup-formulas';

/** `blocked`: nothing can be asked for now; `why` says why, `resumesMs` when it goes on by itself. */
export type JobState = 'running' | 'paused' | 'blocked' | 'stopped' | 'done';

export interface JobCounts {
  /** Products answered by a call of this job. */
  readonly answered: number;
  /** Products that needed no call. */
  readonly cached: number;
  /** Products by kind of failure. */
  readonly failures: Readonly<Record<string, number>>;
  readonly calls: number;
}

/** The record in the spreadsheet's properties. One job at a time. */
export interface Job {
  readonly version: number;
  readonly id: string;
  /** The person who started it or continued it last, as a random name. */
  readonly by: string;
  readonly state: JobState;
  readonly why: Failure | null;
  readonly resumesMs: number | null;
  readonly sheetId: number;
  readonly sheetName: string;
  /** The list's mark, see `MarkedList`. */
  readonly listId: string;
  readonly market: GroupMarket;
  readonly startedMs: number;
  /** When a page or the clock last worked on it. Older than three minutes: nobody does. */
  readonly touchedMs: number;
  readonly endedMs: number | null;
  /** Rows of the list, and distinct products that it has to settle. */
  readonly rows: number;
  readonly products: number;
  readonly counts: JobCounts;
  /** Set if a schedule started it. */
  readonly scheduleId?: string;
}
