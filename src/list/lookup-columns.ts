// The columns of a list that look its figures up in the Analysis tab, and the list as metadata marks it.

import type { AnalysisTab, TabColumn } from '../analysis/analysis-tab';
import type { Failure } from '../failures/failure';
import type { Sheet, SheetPlatform } from '../platform/ports';
import type { Market } from '../product/market';

/** Which market a group of columns is for: one for all rows, or that of the list's market column. */
export type GroupMarket = Market | 'column';

/** A column of ours: the hidden helper, or one that shows a column of the tab. */
export type LookupRole = 'helper' | TabColumn;

/** The columns beside a list that show one market. */
export interface LookupGroup {
  readonly market: GroupMarket;
  readonly columns: ReadonlyMap<LookupRole, number>;
}

/** A list as metadata marks it in its sheet: its columns are found wherever they are by now. */
export interface MarkedList {
  readonly sheet: Sheet;
  /** Names the list in its sheet. A copy of the sheet has a list of the same name. */
  readonly id: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
  readonly groups: readonly LookupGroup[];
}

/** Where a list is, as a person chose it. */
export interface ListPlace {
  readonly sheetId: number;
  /** 0: there is no header, and the first row is a product. */
  readonly headerRow: number;
  readonly productColumn: number;
  readonly marketColumn: number | null;
}

/** The lists of a sheet, in the order of their product columns. */
export function markedLists(_sheet: Sheet): readonly MarkedList[] | Failure {
  throw new Error('Not there yet.');
}

export interface WantedColumns {
  readonly market: GroupMarket;
  /** Columns of the tab to show, besides the status and `analyzed_at`, from left to right. */
  readonly columns: readonly TabColumn[];
  /** Whether ROI is shown as a percentage. */
  readonly roiIsFraction: boolean;
}

/** The titles that `ensureColumns` would add. For the preview. */
export function titlesToAdd(
  _sheet: Sheet,
  _place: ListPlace,
  _wanted: WantedColumns,
): readonly string[] | Failure {
  throw new Error('Not there yet.');
}

/** Adds what is missing beside the list and fills its formulas in down to its last product. */
export function ensureColumns(
  _platform: SheetPlatform,
  _tab: AnalysisTab,
  _place: ListPlace,
  _wanted: WantedColumns,
): MarkedList | Failure {
  throw new Error('Not there yet.');
}

export interface Filled {
  /** Rows whose cells got formulas. */
  readonly filled: number;
  /** Cells with something of a person's own, which stay. */
  readonly kept: number;
}

/** Fills the formulas of all groups in where a row with a product lacks them. */
export function fillInNewRows(_tab: AnalysisTab, _list: MarkedList): Filled | Failure {
  throw new Error('Not there yet.');
}

/** Copies the columns over themselves as values, for sharing. */
export function keepAsValues(_list: MarkedList): Failure | null {
  throw new Error('Not there yet.');
}

/** The way back from values to formulas. */
export function makeLive(_tab: AnalysisTab, _list: MarkedList): Filled | Failure {
  throw new Error('Not there yet.');
}

/** Whether the columns of this group hold values since `keepAsValues`. */
export function isKeptAsValues(_list: MarkedList): boolean {
  throw new Error('Not there yet.');
}

/** The key of a row as the helper's formula joins it, from the cells of product and market. */
export function rowKey(_product: unknown, _market: unknown, _group: GroupMarket): string {
  throw new Error('Not there yet.');
}
