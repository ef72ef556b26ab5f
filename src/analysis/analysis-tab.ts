// The Analysis tab: the memory of all figures, one row for each product and market that a list
// names. It is visible, in plain words, and written by the add-on alone.

import { ANALYSIS_KEEP_MS } from '../cache/bucket';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { OK_STATUS } from '../failures/status';
import { areaOf, stretches } from '../google/cells';
import type { Clock } from '../google/platform';
import type { Sheet } from '../google/sheet';
import { zoneHere } from '../google/spreadsheet';
import { type AssignedRow, keyedRows, type RowTable } from '../sheet/keyed-rows';
import { makeOwnTab, ownTabs } from '../sheet/own-tab';
import { ensureRefreshCell } from '../sheet/refresh-cell';
import { completeColumns, type Layout, roughLayout } from '../sheet/tagged-columns';
import {
  type Changes,
  changedRows,
  concernedBy,
  foldedKey,
  HIDDEN_COLUMNS,
  keyIn,
  lostRow,
  newestByKey,
  type RecordedRow,
  type RowFound,
  type RowSeen,
  rowIn,
  shownCell,
  TAB_COLUMNS,
  type TabColumn,
  tabFormat,
  tabTitle,
  WIDE_COLUMNS,
  writtenMs,
} from './analysis-row';
import { type AnalysisRow, recordOf } from './row-record';

/** Of a new one. */
export const TAB_TITLE = 'Analysis';

const COLUMNS = {
  title: TAB_TITLE,
  columns: TAB_COLUMNS,
  titleOf: tabTitle,
  formatOf: tabFormat,
} as const;

const TAB = { tag: 'analysis', title: TAB_TITLE, titles: TAB_COLUMNS.map(tabTitle) };

const PURPOSE =
  'What the service answered, a row for each product and market. Your lists look it up here.';

const WARNING = 'The add-on writes this tab. What you type here may be overwritten.';

/** Sheets becomes slow with more. */
const ROWS_MAX = 50_000;

/** What only looks good may be done once the figures are in the sheet. */
export type Later = (chore: () => void) => void;

export const AT_ONCE: Later = (chore) => chore();

/** Whether a list or the present job names a row. */
export type IsNeeded = (row: AnalysisRow) => boolean;

export interface AnalysisTab {
  readonly sheet: Sheet;
  /** As formulas write it, read once; '': the tab is gone. */
  readonly name: string;
  /** Where its columns are by now. */
  readonly layout: Layout<TabColumn>;
  /** Every row by its folded key; of several rows with one key, the newest. */
  read(): ReadonlyMap<string, AnalysisRow> | Failure;
  /**
   * Changes rows and returns them. The caller has the lease, so only people can change the tab
   * meanwhile. A row that a person moves away under the write is at worst asked again:
   * its key gets a new row that is wanted.
   */
  record(changes: Changes): readonly RecordedRow[] | Failure;
  /**
   * Deletes rows that repeat a key, and where there are too many the oldest that nobody needs.
   *
   * @param needed says which rows stay. It is asked for only where there are too many.
   */
  tidy(needed: () => IsNeeded): void;
  /** The same tab with its present name and layout. */
  again(): AnalysisTab | Failure;
}

/**
 * Opens the tab to write into it, or makes it. A new one is finished, and the refresh cell is brought
 * back where a person has deleted it.
 *
 * @param later takes both.
 */
export function openAnalysisTab(clock: Clock, later = AT_ONCE): AnalysisTab | Failure {
  const tab = existingAnalysisTab(clock) ?? makeAnalysisTab(clock);
  if (isFailure(tab)) return tab;
  const { sheet, layout } = tab;
  if (layout.isRough === true) later(() => finishTab(sheet));
  later(() => ensureRefreshCell(sheet));
  return tab;
}

/** Whether there is none, as where a person has deleted it. */
export const isTabGone = (): boolean => ownTabs(TAB).length === 0;

/** Opens the tab; null: there is none. */
export function existingAnalysisTab(clock: Clock): AnalysisTab | null | Failure {
  const [sheet] = ownTabs(TAB);
  return sheet === undefined ? null : tabNow(sheet, clock);
}

/** Every row of the tab by its folded key; none where there is no tab. */
export function analysisRows(clock: Clock): ReadonlyMap<string, AnalysisRow> | Failure {
  const tab = existingAnalysisTab(clock);
  if (tab === null) return new Map();
  return isFailure(tab) ? tab : tab.read();
}

function tabNow(sheet: Sheet, clock: Clock): AnalysisTab | Failure {
  const layout = completeColumns(sheet, COLUMNS);
  return isFailure(layout) ? layout : tabIn(sheet, null, layout, clock);
}

/** Makes the tab. `finishTab` comes later, since it reads. */
function makeAnalysisTab(clock: Clock): AnalysisTab | Failure {
  const made = makeOwnTab(TAB);
  if (made === 'full') return runProblem('full');
  if (made === 'protected') return fail({ kind: 'protected' });
  if (made === 'gone') return runProblem('sheet-gone');
  return tabIn(made.sheet, made.name, roughLayout(COLUMNS), clock);
}

/** Gives a new tab what only looks good, and its columns their formats and marks. */
function finishTab(sheet: Sheet): void {
  const layout = completeColumns(sheet, COLUMNS, true);
  if (isFailure(layout)) return;
  const at = (column: TabColumn) => layout.columns.get(column) ?? 1;
  sheet.note(areaOf(1, at('product')), PURPOSE);
  const placesOf = (columns: readonly TabColumn[]) =>
    stretches(
      columns.map(at).sort((a, b) => a - b),
      (place) => place,
    );
  for (const { 0: first, length } of placesOf(HIDDEN_COLUMNS)) sheet.hideColumns(first, length);
  for (const [width, columns] of WIDE_COLUMNS)
    for (const { 0: first, length } of placesOf(columns))
      sheet.setWidths(first, Array<number>(length).fill(width));
  sheet.freezeDownTo(1);
  sheet.warnBeforeEdits(WARNING);
}

/** @param layout as it was a moment ago. */
function tabIn(
  sheet: Sheet,
  made: string | null,
  layout: Layout<TabColumn>,
  clock: Clock,
): AnalysisTab {
  let name = made;
  let zone: ReturnType<typeof zoneHere> | null = null;
  const aheadMs = (atMs: number) => {
    zone ??= zoneHere();
    return zone(atMs);
  };
  const table: RowTable<TabColumn, RowFound, RowSeen> = {
    ...COLUMNS,
    ids: ['key', 'asin', 'market'],
    kept: ['record', 'key', 'asin', 'market'],
    ...{ keyIn, rowIn },
    cellOf: (row, column) =>
      column === 'record' ? recordOf(row, aheadMs) : shownCell(row, column),
    newest: newestByKey,
    lost: (key, before) =>
      lostRow(before?.key || key, before ?? { asin: '', market: '' }, clock.nowMs()),
  };
  const rows = keyedRows(sheet, layout, table);
  return {
    sheet,
    get name() {
      name ??= sheet.name() ?? '';
      return name;
    },
    layout,
    read: rows.read,
    record(changes) {
      const keys = new Set(
        changes.flatMap(([meant]) => ('key' in meant ? [foldedKey(meant.key)] : [])),
      );
      const products = new Set(
        changes.flatMap(([meant]) => ('product' in meant ? [meant.product] : [])),
      );
      return rows.put(
        (all) => concernedBy(keys, products, all),
        (found) => changedRows(changes, found),
      );
    },
    tidy: (needed) =>
      rows.tidy(ROWS_MAX, (all, isOver) => surplusRows(all, isOver ? needed() : () => true)),
    again: () => tabNow(sheet, clock),
  };
}

/** Rows with a key that a newer row has, and above `ROWS_MAX` the oldest that nobody needs. */
function surplusRows(
  rows: readonly AssignedRow<AnalysisRow>[],
  isNeeded: IsNeeded,
): readonly AssignedRow<AnalysisRow>[] {
  const newestFirst = [...rows].sort((a, b) => writtenMs(b.data) - writtenMs(a.data));
  const distinct = new Map<string, AssignedRow<AnalysisRow>>();
  for (const one of newestFirst) if (!distinct.has(one.key)) distinct.set(one.key, one);
  const others = [...distinct.values()].filter(({ data }) => !isNeeded(data));
  const room = Math.max(0, ROWS_MAX - (distinct.size - others.length));
  const going = new Set(others.slice(room));
  return rows.filter((one) => going.has(one) || distinct.get(one.key) !== one);
}

/** Whether a row's figures are as good as an answer of the cache of who reads them. */
export const isFresh = (
  { status, analyzedMs, fetchedWith }: AnalysisRow,
  reader: string,
  nowMs: number,
): boolean =>
  status === OK_STATUS &&
  fetchedWith === reader &&
  analyzedMs !== null &&
  analyzedMs > nowMs - ANALYSIS_KEEP_MS;
