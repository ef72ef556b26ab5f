// The methods of the Analyze page: the list in view, the preview, and the job that the page drives.

import * as z from 'zod/mini';
import type { Failure } from '../../failures/failure';
import type { JobState } from '../../jobs/job';
import { type Fits, lazySchema } from '../../platform/lazy-schema';
import { columnSchema, ROWS_MAX, sheetIdSchema } from '../../platform/sheet-schemas';
import { FIELDS, type Field } from '../../product/fields';
import { MARKETS } from '../../product/market';
import { defineApi, nothingSchema } from './define-api';
import type { RpcFailure } from './failure-view';

export interface ListColumn {
  /** Columns count from 1. */
  readonly column: number;
  /** "C" */
  readonly letter: string;
  /** The text of the header; '' if there is none. */
  readonly title: string;
}

/** What a job should do, as a person chose it. */
export const choiceSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    /** 0: there is no header, and the first row is a product. */
    headerRow: z.int().check(z.nonnegative(), z.maximum(ROWS_MAX)),
    productColumn: columnSchema(),
    market: z.union([
      z.strictObject({ kind: z.literal('column'), column: columnSchema() }),
      z.strictObject({ kind: z.literal('one'), market: z.literal(MARKETS) }),
    ]),
    rows: z.union([
      z.strictObject({ kind: z.literal(['all', 'selection', 'visible', 'empty', 'failed']) }),
      z.strictObject({
        kind: z.literal('older'),
        days: z.int().check(z.minimum(1), z.maximum(3_650)),
      }),
      /** The rows of one product, by its key, asked again whatever is known. */
      z.strictObject({ kind: z.literal('product'), product: z.string() }),
    ]),
    /** The figures to show beside the list. */
    fields: z.array(z.literal(FIELDS)),
    /** Whether a column shows the clean ASIN of each row. */
    cleanAsins: z.exactOptional(z.boolean()),
  }),
);

export type Choice = Fits<typeof choiceSchema>;

/** Rows that need attention, each with the reason. `count` is the full number. */
export interface RowList {
  readonly count: number;
  readonly rows: readonly RowNote[];
}

export type RowNote = { readonly row: number; readonly shown: string } & (
  | { readonly why: string }
  | { readonly repair: string; readonly asin: string; readonly market: string }
  /** The row that has the same product first. */
  | { readonly first: number }
);

export interface ListInView {
  readonly sheet: { readonly id: number; readonly name: string };
  /** Columns with content; empty for an empty sheet. */
  readonly columns: readonly ListColumn[];
  /** The figures that can be shown, with their present column; null: a column is added. */
  readonly fields: readonly {
    readonly name: Field;
    readonly title: string;
    readonly column: ListColumn | null;
    readonly chosen: boolean;
  }[];
  readonly listRows: number;
  readonly selectedRows: number;
  /** Cells of the product column that hold more than the ASIN, or hold it as a number. */
  readonly toClean: number;
  /** The list as marked in the sheet, else as found; null: there is no product column. */
  readonly choice: Choice | null;
  /** Set if no product column was found: the rest of the choice for one that a person picks. */
  readonly byHand?: Omit<Choice, 'productColumn'>;
  readonly nearest?: ListColumn & { readonly products: number; readonly sampled: number };
  /** The list's columns hold values since *Keep as values*. */
  readonly isKeptAsValues: boolean;
  /** Rows with a product whose formulas are missing. */
  readonly newRows: number;
  /** The job of this spreadsheet unless it is over. */
  readonly job: JobStatus | null;
  /** Damaged records have just been set aside. True only once. */
  readonly isSetAside: boolean;
}

export interface JobPreview {
  readonly rows: number;
  readonly products: number;
  /** Products with recent enough figures. */
  readonly fresh: number;
  readonly calls: number;
  readonly unreadable: RowList;
  readonly repaired: RowList;
  readonly duplicates: RowList;
  /** The titles of the columns that are added, in order. */
  readonly added: readonly string[];
  /** null while the rate is a guess. */
  readonly expectedMs: number | null;
  readonly googleCallsLeft: number;
  readonly planCallsLeft: 0 | null;
  readonly capCallsLeft: number | null;
  readonly problem?: RpcFailure;
}

/** `answered + cached + failed + left` is `products`. */
export interface JobStatus {
  readonly jobId: string;
  readonly state: JobState;
  readonly isMine: boolean;
  /** Whether a page or the clock has worked on it within three minutes. */
  readonly isWorkedOn: boolean;
  readonly isScheduled: boolean;
  readonly sheet: { readonly id: number; readonly name: string };
  /** The list's mark in its sheet, for a schedule. */
  readonly listId: string;
  readonly rows: number;
  readonly products: number;
  readonly answered: number;
  readonly cached: number;
  readonly failed: number;
  readonly left: number;
  readonly failures: readonly { readonly kind: string; readonly products: number }[];
  readonly calls: number;
  readonly startedAtMs: number;
  readonly endedAtMs?: number;
  /** How long it was worked on, pauses left out. */
  readonly workedMs: number;
  readonly expectedMs: number | null;
  /** When a blocked job goes on by itself. */
  readonly resumesAtMs?: number;
  /** Why it is blocked. */
  readonly problem?: RpcFailure;
}

/** An answer in transit from `jobs.ask` to `jobs.record`: the product's key and the packed answer. */
export type PackedAnswer = readonly [product: string, packed: string];

export interface Asked {
  readonly answers: readonly PackedAnswer[];
  /** Products that were not asked in the time. */
  readonly left: readonly string[];
  readonly calls: number;
  /** How long calls were under way, and how long slots were waited for, ms. */
  readonly servedMs: number;
  readonly waitedMs: number;
  /** When the next call is due, if that is more than a moment away. */
  readonly nextCallAtMs?: number;
  /** Set once the job no longer runs: nothing more should be asked. */
  readonly status?: JobStatus;
}

export interface PastJob {
  readonly sheetName: string;
  readonly state: JobState;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly products: number;
  readonly failed: number;
  readonly calls: number;
  readonly isMine: boolean;
}

const productsSchema = lazySchema(() => z.array(z.string().check(z.maxLength(40))));
const jobIdSchema = lazySchema(() => z.string().check(z.maxLength(40)));

function notThere(): never {
  throw new Error('Not there yet.');
}

export const jobsApi = defineApi({
  /** Reads the active sheet: its columns, its list, and a job that is not over. */
  'list.look': { schema: nothingSchema, handler: (): ListInView | Failure => notThere() },
  /** Reads the sheet, the tab and the cache. Asks nothing. */
  'jobs.preview': { schema: choiceSchema, handler: (): JobPreview | Failure => notThere() },
  /** Makes the tab and the columns, and writes what is wanted. Asks nothing. */
  'jobs.start': {
    schema: choiceSchema,
    handler: (): { readonly status: JobStatus; readonly queue: readonly string[] } | Failure =>
      notThere(),
  },
  /** Asks for products, within the key's limit, for at most `maxMs`. Writes no cell. */
  'jobs.ask': {
    schema: () =>
      z.strictObject({
        jobId: jobIdSchema(),
        products: productsSchema(),
        maxMs: z.int().check(z.minimum(1), z.maximum(300_000)),
      }),
    handler: (): Asked | Failure => notThere(),
  },
  /** Writes answers into the tab. One caller, every 5 to 15 s; without answers as a sign of life. */
  'jobs.record': {
    schema: () =>
      z.strictObject({
        jobId: jobIdSchema(),
        answers: z.array(z.tuple([z.string(), z.string()])),
        calls: z.int().check(z.nonnegative()),
      }),
    handler: (): JobStatus | Failure => notThere(),
  },
  /** Pauses, stops or continues. To continue makes the caller the one who works on it. */
  'jobs.setState': {
    schema: () =>
      z.strictObject({ jobId: jobIdSchema(), state: z.literal(['running', 'paused', 'stopped']) }),
    handler: (): { readonly status: JobStatus; readonly queue: readonly string[] } | Failure =>
      notThere(),
  },
  /** The latest job, also one that is over. May be called every 2 s. */
  'jobs.status': { schema: nothingSchema, handler: (): JobStatus | null | Failure => notThere() },
  'jobs.history': {
    schema: nothingSchema,
    handler: (): { readonly jobs: readonly PastJob[] } | Failure => notThere(),
  },
  /** Selects the rows of the job's list that show the word of this kind of failure. */
  'jobs.showFailed': {
    schema: () => z.strictObject({ jobId: jobIdSchema(), kinds: z.array(z.string()) }),
    handler: (): { readonly rows: number } | Failure => notThere(),
  },
  /** Selects rows of the preview that still hold what was shown. */
  'list.showRows': {
    schema: () =>
      z.strictObject({
        sheetId: sheetIdSchema(),
        productColumn: columnSchema(),
        rows: z.array(z.strictObject({ row: z.int(), shown: z.string() })),
      }),
    handler: (): { readonly rows: number } | Failure => notThere(),
  },
  'list.fillInNewRows': {
    schema: nothingSchema,
    handler: (): { readonly filled: number; readonly kept: number } | Failure => notThere(),
  },
  'list.keepAsValues': {
    schema: nothingSchema,
    handler: (): { readonly rows: number } | Failure => notThere(),
  },
  'list.makeLive': {
    schema: nothingSchema,
    handler: (): { readonly filled: number; readonly kept: number } | Failure => notThere(),
  },
  /** Adds a column with the clean ASIN of each row, from the Analysis tab. */
  'list.addCleanAsins': {
    schema: choiceSchema,
    handler: (): { readonly rows: number } | Failure => notThere(),
  },
});
