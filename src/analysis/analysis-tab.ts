// The Analysis tab: the memory of all figures, one row for each product and market that a list
// names. It is visible, in plain words, and written by the add-on alone.

import type { Failure } from '../failures/failure';
import type { Sheet, SheetPlatform } from '../platform/ports';
import { FIELDS, type Field, type Figures, fieldTitle } from '../product/fields';

/** The columns beside the figures, by what they hold, with their titles. */
const OTHER_TITLES = {
  key: 'Key',
  asin: 'ASIN',
  market: 'Market',
  status: 'Status',
  analyzed_at: 'Analyzed at',
  tried_at: 'Tried at',
  wanted_since: 'Wanted since',
  changed: 'Changed',
  also_sent: 'Also sent',
} as const;

export type TabColumn = Field | keyof typeof OTHER_TITLES;

/** From left to right. */
export const TAB_COLUMNS: readonly TabColumn[] = [
  ...(['key', 'asin', 'market', 'status'] as const),
  ...FIELDS,
  ...(['analyzed_at', 'tried_at', 'wanted_since', 'changed', 'also_sent'] as const),
];

export const tabTitle = (column: TabColumn): string =>
  column in OTHER_TITLES
    ? OTHER_TITLES[column as keyof typeof OTHER_TITLES]
    : fieldTitle(column as Field);

/** One row of the tab. */
export interface AnalysisRow {
  /** What lists look up: the product cell's text, "|" and the market's text. "B0…|US" */
  readonly key: string;
  /** '' while none is known: the product cell cannot be read, or it is a barcode. */
  readonly asin: string;
  /** "US"; '' if the market's text names none. */
  readonly market: string;
  /** A plain word of the table of failures, "OK", "Waiting", or ''. */
  readonly status: string;
  /** null where there is none. ROI is a fraction wherever its unit is known. */
  readonly figures: Figures;
  /** When the figures were fetched, ms since 1970, whole seconds; null: there are none. */
  readonly analyzedMs: number | null;
  /** When the service was last asked, whatever it said. */
  readonly triedMs: number | null;
  /** Since when the product waits to be asked; null: it does not. */
  readonly wantedMs: number | null;
  /** The rules that the latest change met. "No longer eligible · 21 Nov 06:04" */
  readonly changed: string;
  /** Further fields of the service. "sales_rank: 1200; brand: Acme" */
  readonly alsoSent: string;
}

/** Keys are compared as lookups compare them. */
export const foldedKey = (key: string): string => key.toLowerCase();

/** What a row becomes; null: it stays as it is. @param before null: the tab has no such row. */
export type RowChange = (before: AnalysisRow | null) => AnalysisRow | null;

/** A row as it was found and as it was written. */
export interface RecordedRow {
  readonly before: AnalysisRow | null;
  readonly after: AnalysisRow;
}

/** The rows that a change is for. */
export type RowsMeant =
  /** The row with this key, which is added if there is none. */
  | { readonly key: string }
  /** Every row of this product, whatever it is written like in lists. A productKey. */
  | { readonly product: string };

export interface AnalysisTab {
  readonly sheet: Sheet;
  /** The tab's present name, for formulas. */
  readonly name: string;
  /** The letter of a column by now. "E" */
  letter(column: TabColumn): string;
  /** Every row by its folded key; of several rows with one key, the newest. */
  read(): ReadonlyMap<string, AnalysisRow> | Failure;
  /**
   * Changes rows and returns them. The caller holds the document's lock, so only people can change
   * the tab meanwhile. A row that a person moves away under the write is at worst asked again:
   * its key gets a new row that is wanted.
   */
  record(changes: readonly (readonly [RowsMeant, RowChange])[]): readonly RecordedRow[] | Failure;
  /** Deletes rows that repeat a key. */
  tidy(): void;
}

/** Opens the tab, or makes it. */
export function openAnalysisTab(_platform: SheetPlatform): AnalysisTab | Failure {
  throw new Error('Not there yet.');
}

/** The same, without making it; null: there is none. */
export function existingAnalysisTab(_platform: SheetPlatform): AnalysisTab | null | Failure {
  throw new Error('Not there yet.');
}
