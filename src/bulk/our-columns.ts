// The columns a run reads and writes: known by their headers, found again wherever they went. Pure.

import { FIELDS, type Field, fieldOfName, fieldTitle, nameForm } from '../analysis/fields';
import type { SheetCell } from '../platform/sheet-ports';
import type { Cells } from './find-columns';

/** What a column is to a run; `change` tells of rules that were crossed. */
export type ColumnKey = 'product' | 'market' | 'status' | 'at' | 'change' | Field;

/** Those that a run may write. */
export const OWN_KEYS: readonly ColumnKey[] = ['status', 'at', 'change', ...FIELDS];

export interface KnownColumn {
  readonly key: ColumnKey;
  /** The header as it was seen last; '' for a list whose products have none. */
  readonly title: string;
  readonly column: number;
}

export interface Layout {
  readonly headerRow: number;
  readonly columns: readonly KnownColumn[];
  /** Headers of other columns when the run began: under one of them stands nothing of ours. */
  readonly others: readonly string[];
}

/** The run's record has room for so many headers, each cut. */
const OTHERS_MAX = 60;
const OTHER_CHARS = 30;

export function otherTitles(
  titles: readonly SheetCell[],
  columns: readonly KnownColumn[],
): readonly string[] {
  const others = titles.filter((_, at) => columns.every(({ column }) => column !== at + 1));
  const texts = others.map(titleOf).filter((title) => title !== '');
  return texts.slice(0, OTHERS_MAX).map((title) => title.slice(0, OTHER_CHARS));
}

/** Columns that nobody but us heads so. */
const OWN_TITLES = {
  status: 'Analysis status',
  at: 'Analyzed at',
  change: 'What changed',
} as const;

const isOwn = (key: ColumnKey): key is keyof typeof OWN_TITLES => key in OWN_TITLES;

/** Behind a title that somebody's own figures already have. */
const OWN_SUFFIX = ' (analyzed)';

/** Rows are inserted above a header one at a time: it is looked for so far below where it was. */
export const HEADER_DRIFT_ROWS = 10;

/** A header may be an essay, and the run's record has 9 KB. */
const TITLE_CHARS = 250;

/** As much of a header as it is known by. */
export const titleOf = (cell: SheetCell | undefined) =>
  String(cell ?? '')
    .slice(0, TITLE_CHARS)
    .trim();

export function columnOf({ columns }: Layout, key: ColumnKey): number | undefined {
  return columns.find((one) => one.key === key)?.column;
}

/** Whether all columns and the header are where they were. */
export function isSame(one: Layout, other: Layout): boolean {
  return (
    one.headerRow === other.headerRow &&
    one.columns.every(({ key, column }) => columnOf(other, key) === column)
  );
}

export const isRenamed = (before: Layout, { columns }: Layout): boolean =>
  columns.some(({ title }, at) => title !== before.columns[at]?.title);

/** Columns in runs without a gap, left to right. */
export function sideBySide(columns: readonly KnownColumn[]): readonly (readonly KnownColumn[])[] {
  const groups: KnownColumn[][] = [];
  for (const one of [...columns].sort((a, b) => a.column - b.column)) {
    const last = groups[groups.length - 1];
    if (last?.[last.length - 1]?.column === one.column - 1) last.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** What we call a column that we add. */
export function plainTitle(key: ColumnKey): string {
  if (isOwn(key)) return OWN_TITLES[key];
  return key === 'product' || key === 'market' ? '' : fieldTitle(key);
}

/** Whether a header stands for this column of ours; `sure` where only we write such a header. */
function recognises(key: ColumnKey, title: string): 'sure' | 'maybe' | null {
  if (title === '') return null;
  if (title === plainTitle(key) + OWN_SUFFIX) return 'sure';
  if (isOwn(key) && nameForm(title) === nameForm(plainTitle(key)))
    return key === 'at' ? 'maybe' : 'sure';
  return fieldOfName(title) === key ? 'maybe' : null;
}

/**
 * Where each of our columns stands already, null where it has to be added.
 *
 * @param isTaken whether a column is full of what somebody else wrote, so that it is not for us.
 */
export function existingColumns(
  titles: readonly SheetCell[],
  keys: readonly ColumnKey[],
  isTaken: (column: number) => boolean,
): ReadonlyMap<ColumnKey, KnownColumn> {
  const found = new Map<ColumnKey, KnownColumn>();
  for (const key of keys) {
    const fits = titles.flatMap((cell, at) => {
      const sure = recognises(key, titleOf(cell));
      if (sure === null || (sure === 'maybe' && isTaken(at + 1))) return [];
      return [{ key, title: titleOf(cell), column: at + 1, sure }];
    });
    const best = fits.find(({ sure }) => sure === 'sure') ?? fits[0];
    if (best !== undefined) found.set(key, { key, title: best.title, column: best.column });
  }
  return found;
}

/** The header that a new column gets: none that stands there already. */
export function newTitle(key: ColumnKey, titles: readonly SheetCell[]): string {
  const title = plainTitle(key);
  const isThere = titles.some((cell) => nameForm(titleOf(cell)) === nameForm(title));
  const isShared = isThere && (!isOwn(key) || key === 'at');
  return isShared ? title + OWN_SUFFIX : title;
}

/**
 * The layout as it is now, or the title of a column that is gone.
 *
 * @param top the sheet's first rows, from row 1 and column 1 on, some more than the header's.
 */
export function located(layout: Layout, top: Cells): Layout | string {
  const { others } = layout;
  const headerRow = headerRowNow(layout, top);
  const titles = (top[headerRow - 1] ?? []).map(titleOf);
  const places = new Map<KnownColumn, number>();
  for (const known of layout.columns) {
    const column = columnByTitle(known, titles, others);
    if (column !== null) places.set(known, column);
  }
  const shifts = new Set([...places].map(([known, now]) => now - known.column));
  const taken = [...places.values()];
  for (const known of layout.columns) {
    if (places.has(known)) continue;
    // A renamed one is known by its place, where all others stand as they stood beside it.
    const [shift = 0] = shifts;
    const [now, title] = [known.column + shift, titles[known.column + shift - 1]];
    const isThere = title !== undefined && (title === '') === (known.title === '');
    const isTheirs = taken.includes(now) || others.includes(title?.slice(0, OTHER_CHARS) ?? '');
    if (shifts.size !== 1 || !isThere || isTheirs)
      return known.title === '' ? known.key : known.title;
    places.set(known, now);
  }
  const columns = layout.columns.map((known) => {
    const column = places.get(known) ?? known.column;
    return { ...known, column, title: titles[column - 1] ?? '' };
  });
  return { ...layout, headerRow, columns };
}

/** The row that has most of our titles, the old place before all others. */
function headerRowNow({ headerRow, columns }: Layout, top: Cells): number {
  const hits = (row: number) => {
    const titles = new Set((top[row - 1] ?? []).map(titleOf));
    return columns.filter(({ title }) => title !== '' && titles.has(title)).length;
  };
  const rows = [headerRow, ...top.map((_, at) => at + 1)];
  return rows.reduce((best, row) => (hits(row) > hits(best) ? row : best), headerRow);
}

/**
 * Of several columns with one title the nearest to where it was. Where somebody else's column had
 * the same title from the start, one that stands elsewhere may be that.
 */
function columnByTitle(
  { title, column }: KnownColumn,
  titles: readonly string[],
  others: readonly string[],
): number | null {
  if (title === '') return null;
  const places = titles.flatMap((text, at) => (text === title ? [at + 1] : []));
  if (others.includes(title.slice(0, OTHER_CHARS)) && !places.includes(column)) return null;
  places.sort((a, b) => Math.abs(a - column) - Math.abs(b - column));
  return places[0] ?? null;
}
