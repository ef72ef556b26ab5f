// The Analysis tab: the memory of all figures, one row for each product and market that a list
// names. It is visible, in plain words, and written by the add-on alone.

import { ANALYSIS_KEEP_MS } from '../cache/result-cache';
import { type Failure, isFailure, OK_STATUS } from '../failures/failure';
import { areaOf, type SheetCell, stretches } from '../google/cells';
import type { Clock } from '../google/platform';
import { unlessBusy } from '../google/service-call';
import type { Sheet } from '../google/sheet';
import { AUTOMATIC } from '../product/cell-formats';
import {
  type AnalysisRow,
  type CellsOfRow,
  type Changes,
  cellOf,
  changedRows,
  foldedKey,
  type Keys,
  keyIn,
  keysToRepeat,
  lostRow,
  newestByKey,
  type PlacedRow,
  placeRows,
  productIn,
  type RecordedRow,
  rowIn,
  rowsByKey,
  type TabColumn,
  tabFormat,
  writtenMs,
} from './analysis-row';
import {
  AT_ONCE,
  addTab,
  blockProblem,
  completeLayout,
  ensureRefreshCell,
  finishTab,
  isSameLayout,
  type Layout,
  markedTab,
  tabFull,
  tabGone,
  tabKeepsChanging,
  tabProtected,
  tabRejects,
} from './tab-layout';

/** Whether a list or the present job names a row. */
export type IsNeeded = (row: AnalysisRow) => boolean;

export interface AnalysisTab {
  readonly sheet: Sheet;
  /** As formulas write it, read once; '': the tab is gone. */
  readonly name: string;
  /** Where its columns are by now. */
  readonly layout: Layout;
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

/** Opens the tab; null: there is none. */
export function existingAnalysisTab(clock: Clock): AnalysisTab | null | Failure {
  const sheet = markedTab();
  return sheet === null ? null : tabNow(sheet, clock);
}

/** Every row of the tab by its folded key; none where there is no tab. */
export function analysisRows(clock: Clock): ReadonlyMap<string, AnalysisRow> | Failure {
  const tab = existingAnalysisTab(clock);
  if (tab === null) return new Map();
  return isFailure(tab) ? tab : tab.read();
}

function tabNow(sheet: Sheet, clock: Clock): AnalysisTab | Failure {
  const layout = completeLayout(sheet);
  return isFailure(layout) ? layout : tabIn(sheet, null, layout, clock);
}

/** Makes the tab, where there is none. */
function makeAnalysisTab(clock: Clock): AnalysisTab | Failure {
  const made = addTab();
  return isFailure(made) ? made : tabIn(made.sheet, made.name, made.layout, clock);
}

/** @param layout as it was a moment ago. */
function tabIn(sheet: Sheet, made: string | null, layout: Layout, clock: Clock): AnalysisTab {
  let name = made;
  return {
    sheet,
    get name() {
      name ??= sheet.name() ?? '';
      return name;
    },
    layout,
    read() {
      const rows = readAll(sheet, layout);
      return isFailure(rows) ? rows : newestByKey(rows.map(({ data }) => data));
    },
    record: (changes) => record(sheet, layout, clock, changes),
    tidy: (needed) => tidy(sheet, clock, needed),
    again: () => tabNow(sheet, clock),
  };
}

/** How often reading begins again because a person moved something meanwhile. */
const READS_MAX = 10;

/** How often a write is looked at and mended. Each time a person must have acted again. */
const WRITES_MAX = 10;

/** Reading a row that is not needed costs a five-hundredth of a further call. */
const GAP_ROWS = 500;

/** Blank rows that are added with the rows that are needed. */
const SPARE_ROWS = 500;

/** Sheets becomes slow with more. */
const ROWS_MAX = 50_000;

const rowOf = ({ row }: PlacedRow): number => row;

/** How many stretches of rows `tidy` deletes, each with a call. */
const DELETIONS_MAX = 100;

/** What a reading found, all at one moment. */
interface Reading {
  readonly layout: Layout;
  readonly keys: Keys;
}

/** The cells of these columns in every row of the sheet; null: the sheet has changed. */
function readColumns(
  sheet: Sheet,
  { columns }: Layout,
  read: readonly TabColumn[],
): readonly CellsOfRow[] | null {
  const places = read.map((column) => columns.get(column) ?? 1);
  const first = Math.min(...places);
  const lines = sheet.columns(first, Math.max(...places) - first + 1);
  return lines?.map((line) => cellsOf(line, columns, first)) ?? null;
}

const cellsOf =
  (line: readonly SheetCell[], columns: Layout['columns'], first: number): CellsOfRow =>
  (column) =>
    line[(columns.get(column) ?? 0) - first];

/** Reads columns while none of ours moves. */
function readWhileStill<Found>(
  sheet: Sheet,
  begin: Layout | Failure,
  read: (layout: Layout) => Found | null,
): { readonly layout: Layout; readonly found: Found } | Failure {
  let layout = begin;
  for (let tries = 0; tries < READS_MAX; tries += 1) {
    if (isFailure(layout)) return layout;
    const found = read(layout);
    const now = completeLayout(sheet);
    if (found !== null && !isFailure(now) && isSameLayout(layout, now)) return { layout, found };
    layout = now;
  }
  return tabKeepsChanging();
}

function readKeys(sheet: Sheet, begin: Layout | Failure): Reading | Failure {
  const read = readWhileStill(sheet, begin, (layout) => readColumns(sheet, layout, ['key']));
  if (isFailure(read)) return read;
  return { layout: read.layout, keys: read.found.map((cells) => keyIn(cells('key'))) };
}

/** Whether rows stand where their keys stood a moment ago. */
const isStill = (rows: readonly PlacedRow[] | null, keys: Keys): rows is readonly PlacedRow[] =>
  rows?.every(({ row, key }) => key === keys[row - 1]) === true;

/** Every row that has a key. */
function readAll(sheet: Sheet, begin: Layout): readonly PlacedRow[] | Failure {
  const read = readWhileStill(sheet, begin, (layout) =>
    readColumns(sheet, layout, [...layout.columns.keys()]),
  );
  if (isFailure(read)) return read;
  return read.found.flatMap((cells, at) => {
    const key = keyIn(cells('key'));
    return key === '' ? [] : [{ row: at + 1, key, data: rowIn(cells) }];
  });
}

/** The rows that changes concern, and what is known of all others. */
interface Found extends Reading {
  /** The newest row of each key that is meant. */
  readonly rows: ReadonlyMap<string, AnalysisRow>;
  /** A row for each key, in case that a write hits the one that stands there. */
  readonly lost: (key: string) => AnalysisRow;
}

function record(
  sheet: Sheet,
  begin: Layout,
  clock: Clock,
  changes: Changes,
): readonly RecordedRow[] | Failure {
  const read = readMeant(sheet, begin, clock, changes);
  if (isFailure(read)) return read;
  const problem = blockProblem(read.layout);
  if (problem !== null) return problem;
  const changed = changedRows(changes, read.rows);
  const after = new Map([...changed].map(([key, row]) => [key, row.after] as const));
  const unwritten = writeRows(sheet, read, after, read.lost);
  if (isFailure(unwritten)) return unwritten;
  return [...changed].flatMap(([key, row]) => (unwritten.has(key) ? [] : [row]));
}

function readMeant(sheet: Sheet, begin: Layout, clock: Clock, changes: Changes): Found | Failure {
  const read = readWhileStill(sheet, begin, (layout) => {
    const ids = readColumns(sheet, layout, ['key', 'asin', 'market']);
    if (ids === null) return null;
    const keys = ids.map((cells) => keyIn(cells('key')));
    const rows = readRows(sheet, layout, rowsMeant(changes, ids, keys));
    return isStill(rows, keys)
      ? { ids, keys, rows: newestByKey(rows.map(({ data }) => data)) }
      : null;
  });
  if (isFailure(read)) return read;
  const { ids, keys, rows } = read.found;
  const places = rowsByKey(keys);
  const lost = (key: string) => {
    const { key: text, asin, market } = rowIn(ids[(places.get(key)?.[0] ?? 0) - 1] ?? (() => ''));
    return lostRow(text === '' ? key : text, { asin, market }, clock.nowMs());
  };
  return { layout: read.layout, keys, rows, lost };
}

/** The numbers of the rows that changes are for, in ascending order. */
function rowsMeant(changes: Changes, ids: readonly CellsOfRow[], keys: Keys): readonly number[] {
  const meantKeys = new Set(
    changes.flatMap(([meant]) => ('key' in meant ? [foldedKey(meant.key)] : [])),
  );
  const products = new Set(
    changes.flatMap(([meant]) => ('product' in meant ? [meant.product] : [])),
  );
  const byKey = (key: string) => key !== '' && meantKeys.has(key);
  const byProduct = (cells: CellsOfRow | undefined) =>
    cells !== undefined && products.size > 0 && products.has(productIn(cells));
  return keys.flatMap((key, at) =>
    key !== '' && (byKey(key) || byProduct(ids[at])) ? [at + 1] : [],
  );
}

function readRows(
  sheet: Sheet,
  { columns, first, last }: Layout,
  rows: readonly number[],
): readonly PlacedRow[] | null {
  const read: PlacedRow[] = [];
  for (const stretch of stretches(rows, (row) => row, GAP_ROWS)) {
    const [top] = stretch;
    const rowCount = (stretch[stretch.length - 1] ?? top) - top + 1;
    const area = areaOf(top, first, rowCount, last - first + 1);
    const lines = sheet.values(area);
    if (lines === null) return null;
    for (const row of stretch) {
      const cells = cellsOf(lines[row - top] ?? [], columns, first);
      read.push({ row, key: keyIn(cells('key')), data: rowIn(cells) });
    }
  }
  return read;
}

/**
 * Writes rows, and reads the keys again. If a person moved rows or columns in that instant, what was
 * hit is written again.
 *
 * @param lost a row for a key that had one before.
 * @returns the keys that are still to be written.
 */
function writeRows(
  sheet: Sheet,
  begin: Reading,
  rows: ReadonlyMap<string, AnalysisRow>,
  lost: (key: string) => AnalysisRow,
): ReadonlySet<string> | Failure {
  const known = new Map(rows);
  let before = begin;
  let left: ReadonlySet<string> = new Set(rows.keys());
  for (let writes = 0; writes < WRITES_MAX && left.size > 0; writes += 1) {
    for (const key of left) if (!known.has(key)) known.set(key, lost(key));
    const data = new Map([...known].filter(([key]) => left.has(key)));
    const placed = placedIn(sheet, before.keys, data);
    if (isFailure(placed)) return placed;
    const problem = writeStretches(sheet, before.layout, placed, writes > 0);
    if (problem !== null) return problem;
    const { layout } = before;
    const look = () => readKeys(sheet, layout);
    // The read carries the write out, and fails where its rows or columns are gone by then.
    const seen = unlessBusy(look);
    const now = isFailure(seen) && seen.kind === 'google-busy' ? look() : seen;
    if (isFailure(now)) return now;
    const rejected = sheet.rejected();
    if (rejected !== null) return tabRejects(rejected);
    const hasShifted = !isSameLayout(layout, now.layout);
    left = keysToRepeat({ before: before.keys, placed, after: now.keys, hasShifted });
    before = now;
  }
  return left;
}

function placedIn(
  sheet: Sheet,
  keys: Keys,
  rows: ReadonlyMap<string, AnalysisRow>,
): readonly PlacedRow[] | Failure {
  const there = new Set(keys);
  if ([...rows.keys()].every((key) => there.has(key))) return placeRows(rows, keys, 0);
  const lastRow = sheet.lastRow();
  if (lastRow === null) return tabGone();
  const placed = placeRows(rows, keys, lastRow);
  // A whole column is read, so there are as many keys as the sheet has rows.
  const more = (placed[placed.length - 1]?.row ?? 0) - keys.length;
  const added = more > 0 ? sheet.addRows(keys.length, more + SPARE_ROWS) : 'written';
  if (added === 'full') return tabFull();
  return added === 'protected' ? tabProtected() : placed;
}

/**
 * Rows are written whole, with their keys, so that no row has another's figures.
 *
 * @param setsFormats a date that was written into a figure's column made its cell one of dates.
 */
function writeStretches(
  sheet: Sheet,
  layout: Layout,
  placed: readonly PlacedRow[],
  setsFormats: boolean,
): Failure | null {
  const block = columnsInOrder(layout);
  for (const stretch of stretches(placed, rowOf)) {
    const [{ row }] = stretch;
    const area = areaOf(row, layout.first, stretch.length, block.length);
    const cells = stretch.map(({ data }) =>
      block.map((column) => (column === undefined ? '' : cellOf(data, column))),
    );
    if (setsFormats) {
      const formats = block.map((column) => (column === undefined ? AUTOMATIC : tabFormat(column)));
      sheet.setFormats(
        area,
        stretch.map(() => formats),
      );
    }
    // Where rows are gone by now, the next reading shows what is missing.
    if (sheet.write(area, cells) === 'protected') return tabProtected();
  }
  return null;
}

/** What each column of the block holds, from left to right; undefined: a person's. */
function columnsInOrder({ columns, first, last }: Layout): readonly (TabColumn | undefined)[] {
  const byPlace = new Map([...columns].map(([column, at]) => [at, column] as const));
  return Array.from({ length: last - first + 1 }, (_, right) => byPlace.get(first + right));
}

function tidy(sheet: Sheet, clock: Clock, needed: () => IsNeeded): void {
  const read = readKeys(sheet, completeLayout(sheet));
  if (isFailure(read) || blockProblem(read.layout) !== null) return;
  const count = read.keys.filter((key) => key !== '').length;
  if (rowsByKey(read.keys).size === count && count <= ROWS_MAX) return;
  const rows = readAll(sheet, read.layout);
  if (isFailure(rows)) return;
  const surplus = surplusRows(rows, count > ROWS_MAX ? needed() : () => true);
  const deleted = stretches(surplus, rowOf).slice(-DELETIONS_MAX);
  // From the bottom up, because rows below a deleted one move up.
  for (const stretch of [...deleted].reverse()) sheet.deleteRows(stretch[0].row, stretch.length);
  const now = readKeys(sheet, read.layout);
  if (isFailure(now)) return;
  const gone = new Set(deleted.flat().map(rowOf));
  const stays = new Map(rows.filter(({ row }) => !gone.has(row)).map((one) => [one.key, one.data]));
  const there = new Set(now.keys);
  const lost = (key: string) => {
    const { key: text, asin, market } = stays.get(key) ?? { key, asin: '', market: '' };
    return lostRow(text, { asin, market }, clock.nowMs());
  };
  const missing = [...stays.keys()].filter((key) => !there.has(key));
  writeRows(sheet, now, new Map(missing.map((key) => [key, lost(key)] as const)), lost);
}

/** Rows with a key that a newer row has, and above `ROWS_MAX` the oldest that nobody needs. */
function surplusRows(rows: readonly PlacedRow[], isNeeded: IsNeeded): readonly PlacedRow[] {
  const newestFirst = [...rows].sort((a, b) => writtenMs(b.data) - writtenMs(a.data));
  const distinct = new Map<string, PlacedRow>();
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
