// What the Analyze page may ask of bulk runs, and what it is told: types only, for both sides.

import type { Market } from '../../product/market';

import type { RpcFailure } from './connection-contract';

/** Which rows of the column a run takes. Rows count by what stands in them when the run starts. */
export type RowChoice =
  /** Every row below the header with something in the product column. */
  | { readonly kind: 'all' }
  /** What is selected in the sheet at the moment of the call. */
  | { readonly kind: 'selection' }
  /** Neither filtered out nor hidden. */
  | { readonly kind: 'visible' }
  /** Never analyzed. */
  | { readonly kind: 'empty' }
  /** Whose last analysis failed. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'older'; readonly days: number };

export type MarketChoice =
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'one'; readonly market: Market };

/** Everything a run is started with. Columns count from 1. */
export interface BulkChoice {
  readonly sheetId: number;
  /** 0: the list has no header; its first row is a product. */
  readonly headerRow: number;
  readonly productColumn: number;
  readonly market: MarketChoice;
  readonly rows: RowChoice;
  /** Names of figures, as `BulkLook.fields` gives them; those without a column get one. */
  readonly fields: readonly string[];
  /**
   * Whether a market gets columns of its own beside those of the other one. Left out: it does where
   * the figures that stand there are all of the other.
   */
  readonly apart?: boolean;
}

export interface BulkColumn {
  readonly column: number;
  /** "C" */
  readonly letter: string;
  /** The header's text; '' where there is none. */
  readonly title: string;
}

export interface BulkField {
  readonly name: string;
  /** The header of its column, or the one that it will get. */
  readonly title: string;
  /** Where it stands already; null: a column is added at the right. */
  readonly column: BulkColumn | null;
  /** Whether it is written unless the person says otherwise. */
  readonly chosen: boolean;
}

export type BulkLook = {
  readonly sheet: { readonly id: number; readonly name: string };
  /** Columns with anything in them, for the two lists of columns; none in an empty sheet. */
  readonly columns: readonly BulkColumn[];
  readonly fields: readonly BulkField[];
  /** Rows with something in the column of `choice`; without one, rows below the header. */
  readonly listRows: number;
  /** Those of them that are selected. */
  readonly selectedRows: number;
  /** What the page starts from: remembered for this sheet, else found. null: no product column. */
  readonly choice: BulkChoice | null;
  /** Set where no column could be taken: what goes with one that a person picks. */
  readonly byHand?: Omit<BulkChoice, 'productColumn'>;
  /** Set where no column could be taken: the one that comes nearest. */
  readonly nearest?: BulkColumn & { readonly products: number; readonly sampled: number };
  /** The latest run of this spreadsheet, if it is not over. */
  readonly run: BulkStatus | null;
};

/** Why a row wants a look: what is wrong with its product cell, or what was made of the row. */
export type RowWhy =
  | { readonly why: string }
  | {
      readonly repair: 'leading-zeros' | 'isbn-13' | 'link' | 'foreign-link' | 'no-market';
      readonly asin: string;
      readonly market: string;
    }
  /** The row in which its product stands first. */
  | { readonly first: number }
  /** The row is left out: cells are merged in it, or its status cell holds something else. */
  | { readonly isMerged: boolean };

/** Rows that want a look, with why. Long lists are cut; `count` is the whole number. */
export interface RowList {
  readonly count: number;
  readonly rows: readonly ({ readonly row: number; readonly shown: string } & RowWhy)[];
}

export interface BulkPreflight {
  /** Rows that the choice takes. */
  readonly rows: number;
  /** Distinct products in them. */
  readonly products: number;
  /** Products whose answer is there already, so that they cost no call. */
  readonly fresh: number;
  /** Calls that the run makes if nothing fails. */
  readonly calls: number;
  /** Of these, calls for products whose answer is there and cannot be read as settings say by now. */
  readonly again: number;
  /** At the key's rate; null while the rate is not known. */
  readonly expectedMs: number | null;
  readonly unreadable: RowList;
  /** Read, but not as they stand: lost zeros, links, ISBN-13. */
  readonly repaired: RowList;
  /** Rows whose product stands in an earlier row; they are filled and cost no call. */
  readonly duplicates: RowList;
  /** Rows of other columns of the choice that hold what the add-on did not write: they are kept. */
  readonly kept: RowList;
  /** Columns that will be added, in order, by their headers. */
  readonly added: readonly string[];
  /** Rows whose figures are another market's, and are replaced. */
  readonly replaced: number;
  /** What is written has columns of its own, beside those of the other market. */
  readonly areApart: boolean;
  /** Calls that Google still allows today, as far as the add-on counted its own; at most. */
  readonly googleCallsLeft: number;
  /**
   * Calls left of the key's plan: 0 once the service said that it is used up. Before that it says
   * nothing that would tell: what its headers leave over is the rate's, not the plan's. So null.
   */
  readonly planCallsLeft: 0 | null;
  /** Why the run cannot be started as it is. */
  readonly problem?: RpcFailure;
}

/**
 * `interrupted`: nobody works on it although nobody paused it, as after a closed sidebar.
 * `paused`, `interrupted` and `stuck` can be resumed. `stuck`: it cannot go on by itself, see `problem`.
 */
export type BulkState =
  | 'running'
  | 'pausing'
  | 'paused'
  | 'interrupted'
  | 'stuck'
  | 'stopping'
  | 'stopped'
  | 'finished';

/** Rows that failed for one reason. */
export interface FailedRows {
  readonly kind: string;
  readonly rows: number;
}

export interface BulkStatus {
  readonly jobId: string;
  readonly state: BulkState;
  /** Whether the person who looks at it started it. */
  readonly isMine: boolean;
  /** A schedule started it and keeps it going: no page calls `bulk.run` for it. */
  readonly isScheduled?: boolean;
  /** Stuck for a reason that passes: its person's clock tries again. */
  readonly isHeldUp?: boolean;
  readonly startedAtMs: number;
  /** When it was finished or stopped; absent before. */
  readonly endedAtMs?: number;
  readonly sheet: { readonly id: number; readonly name: string };
  /** Rows; `answered + cached + failed + left` is `rows`, as far as rows were not deleted. */
  readonly rows: number;
  readonly answered: number;
  readonly cached: number;
  readonly failed: number;
  readonly left: number;
  readonly failures: readonly FailedRows[];
  /** Calls made so far. */
  readonly calls: number;
  /** Time that the run was at work, without pauses. */
  readonly workedMs: number;
  /** Rows a minute at present; null until it is known. */
  readonly rowsPerMinute: number | null;
  readonly expectedMs: number | null;
  /** First and last row that are worked on; null where none is. */
  readonly currentRows: readonly [first: number, last: number] | null;
  /** When the next call is due, where the run waits for the key's limit for more than a moment. */
  readonly nextCallAtMs?: number;
  /** Results whose row is gone from the sheet, or is not marked for this run any more. */
  readonly notPlaced: {
    readonly count: number;
    readonly products: readonly { readonly asin: string; readonly market: string }[];
  };
  /** Cells that hold what the add-on did not write: they were left as they are. */
  readonly keptCells: number;
  /** Rows of the choice that the run leaves alone: `kept` of the check. */
  readonly leftOut: number;
  /** How many chains of `bulk.run` the page keeps going; each with its own `lane`, from 0 on. */
  readonly lanes: number;
  /** Within so many minutes the clock goes on with it if everybody closes the sidebar; absent: never. */
  readonly rescueMinutes?: number;
  /** Why it is stuck. */
  readonly problem?: RpcFailure;
}

/** Ends of the latest runs, the newest first. */
export interface PastRun {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isMine: boolean;
  readonly sheetName: string;
  readonly outcome: 'finished' | 'stopped';
  readonly rows: number;
  readonly answered: number;
  readonly cached: number;
  readonly failed: number;
  readonly calls: number;
}

type Nothing = Readonly<Record<string, never>>;
type OfJob = { readonly jobId: string };

/** Merged into `RpcMethods`. */
export interface BulkMethods {
  /** The sheet on view: its columns, what was found in it, and a run that is not over. */
  readonly 'bulk.look': { readonly payload: Nothing; readonly value: BulkLook };
  /** Reads the sheet and the cache only. */
  readonly 'bulk.preflight': { readonly payload: BulkChoice; readonly value: BulkPreflight };
  /** Adds missing columns, marks the rows and notes the run. Asks nothing yet: `bulk.run` does. */
  readonly 'bulk.start': { readonly payload: BulkChoice; readonly value: BulkStatus };
  /**
   * Works on the run for at most `maxMs` (up to 300,000), then returns; the page calls it again as
   * long as `againInMs` is a number, once for each lane at a time.
   */
  readonly 'bulk.run': {
    readonly payload: OfJob & { readonly lane: number; readonly maxMs: number };
    readonly value: { readonly status: BulkStatus; readonly againInMs: number | null };
  };
  /** The latest run, over or not; also while a slice of it is under way. For every 2 s or so. */
  readonly 'bulk.status': { readonly payload: Nothing; readonly value: BulkStatus | null };
  /** Ends the slices under way within a second or two; `pausing` until they have. */
  readonly 'bulk.pause': { readonly payload: OfJob; readonly value: BulkStatus };
  /** Only takes the pause away; `bulk.run` is the page's to call. */
  readonly 'bulk.resume': { readonly payload: OfJob; readonly value: BulkStatus };
  /** Ends the run for good; what it wrote stays. */
  readonly 'bulk.stop': { readonly payload: OfJob; readonly value: BulkStatus };
  /** A new run over the rows that failed in this one, for these kinds of `FailedRows`. */
  readonly 'bulk.retry': {
    readonly payload: OfJob & { readonly kinds: readonly string[] };
    readonly value: BulkStatus;
  };
  readonly 'bulk.history': {
    readonly payload: Nothing;
    readonly value: { readonly runs: readonly PastRun[] };
  };
  /** Selects rows in the sheet, scrolled to the first of them, wherever they are by now. */
  readonly 'bulk.show': {
    readonly payload:
      | {
          readonly sheetId: number;
          readonly productColumn: number;
          /** Of a check: where each stood, and what its product cell showed. */
          readonly rows: readonly { readonly row: number; readonly shown: string }[];
        }
      | {
          readonly jobId: string;
          /** All rows that failed in this way. */
          readonly failed: string;
        };
    readonly value: { readonly shown: number };
  };
}
