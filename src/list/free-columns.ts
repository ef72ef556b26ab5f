// Where new columns of ours go beside a list: decisions right before its figures, all else at the right
// end.

import { type Failure, fail } from '../failures/failure';
import { type Area, addressOf, areaOf, stretches } from '../google/cells';
import type { Sheet, SheetSize } from '../google/sheet';
import { refusalOf } from '../sheet/refusal';
import { type FoundTag, lookupTagsOf } from './tagged-list';

/** The sheet of a list as it is. */
export interface ListOnSheet {
  readonly sheet: Sheet;
  readonly id: string;
  readonly headerRow: number;
  readonly productColumn: number;
  readonly size: SheetSize;
  readonly tags: readonly FoundTag[];
  /** What the cells of the title row show, from the first column on. */
  readonly titles: readonly string[];
  /** The last column with content or with metadata of ours: columns are tagged before they have a title. */
  readonly lastColumn: number;
}

/** Where columns may be added at the right end: the first of as many as are wanted. */
export function freeAtEnd(
  { sheet, size, headerRow, lastColumn }: ListOnSheet,
  count: number,
): number | Failure {
  let first = lastColumn + 1;
  const rowCount = Math.max(1, size.lastRow - headerRow + 1);
  // A merged cell shows its content in its first column and reaches into others.
  const right = size.maxColumns - first + 1;
  const merges = right > 0 ? (sheet.merges(areaOf(headerRow, first, rowCount, right)) ?? []) : [];
  for (const { column, columnCount } of merges) first = Math.max(first, column + columnCount);
  const lacking = first + count - 1 - size.maxColumns;
  const grown = lacking > 0 ? sheet.addColumns(size.maxColumns, lacking) : 'written';
  const refusal = refusalOf(grown, areaOf(headerRow, first, 1, count));
  return refusal ?? protectionOf(sheet, areaOf(headerRow, first, rowCount, count)) ?? first;
}

/** Why this person may not add columns at the right end, as far as that is known before; null: nothing is. */
export function refusedAtEnd(
  { sheet, size, headerRow, lastColumn }: ListOnSheet,
  count: number,
): Failure | null {
  const columnCount = Math.min(count, size.maxColumns - lastColumn);
  if (columnCount <= 0) return null;
  const top = Math.max(1, headerRow);
  const rowCount = Math.max(1, size.lastRow - top + 1);
  return protectionOf(sheet, areaOf(top, lastColumn + 1, rowCount, columnCount));
}

/** The cells in which this person may not write: all of them, or already the titles; null: there are none. */
function protectionOf(sheet: Sheet, area: Area): Failure | null {
  if (sheet.canEdit(area)) return null;
  const head = { ...area, rowCount: 1 };
  return fail({ kind: 'protected', cells: addressOf(sheet.canEdit(head) ? area : head) });
}

/**
 * Where columns may be added right before the list's figures: the first of as many as are wanted. `moved`:
 * columns were inserted for them, so what was read of the sheet holds no longer. null: there is no room.
 */
export function freeBeforeFigures(around: ListOnSheet, count: number): number | 'moved' | null {
  const { sheet, id, headerRow, productColumn, size, tags } = around;
  const figures = lookupTagsOf(tags, id).find(({ at }) => at > productColumn)?.at;
  if (figures === undefined) return null;
  const left = areaOf(1, productColumn, Math.max(1, size.lastRow), figures - productColumn);
  const ends = (sheet.merges(left) ?? []).map(({ column, columnCount }) => column + columnCount);
  const end = Math.max(productColumn + 1, ...ends);
  // In a cell that is merged across the border, the titles would be lost.
  if (end > figures) return null;
  const free = blankBefore(around, figures, Math.max(end, figures - count));
  const first = figures - count;
  if (free === count) {
    const rowCount = Math.max(1, size.lastRow - headerRow + 1);
    return sheet.canEdit(areaOf(headerRow, first, rowCount, count)) ? first : null;
  }
  // They look like the figures, and have the figures' rules for what may be typed: none.
  return sheet.insertColumns(figures, count - free) === 'written' ? 'moved' : null;
}

/** How many columns before this one, but not before `first`, are neither ours nor hold anything. */
function blankBefore(
  { sheet, size, tags, titles }: ListOnSheet,
  figures: number,
  first: number,
): number {
  const tagged = new Set(
    tags.flatMap(({ metadata }) => (metadata.on === 'column' ? [metadata.at] : [])),
  );
  let from = figures;
  while (from > first && (titles[from - 2] ?? '') === '' && !tagged.has(from - 1)) from -= 1;
  const count = figures - from;
  return count - 1 - areBlank(sheet, size.lastRow, from, count).lastIndexOf(false);
}

/** Which of these columns hold nothing. */
function areBlank(sheet: Sheet, lastRow: number, first: number, count: number): readonly boolean[] {
  if (count === 0) return [];
  const area = areaOf(1, first, Math.max(1, lastRow), count);
  const [values, formulas] = [sheet.values(area), sheet.formulas(area)];
  const rows = values && formulas && [...values, ...formulas];
  return Array.from({ length: count }, (_, at) => rows?.every((row) => row[at] === '') === true);
}

/** Deletes the columns that hold nothing. */
export function deleteBlank(sheet: Sheet, columns: readonly number[]): void {
  const lastRow = sheet.lastRow() ?? 0;
  const fromRight = (runs: ReturnType<typeof stretches<number>>) => [...runs].reverse();
  const inOrder = [...columns].sort((a, b) => a - b);
  for (const run of fromRight(stretches(inOrder, (at) => at))) {
    const flags = areBlank(sheet, lastRow, run[0], run.length);
    const blank = run.filter((_, at) => flags[at]);
    for (const [first, ...rest] of fromRight(stretches(blank, (at) => at)))
      sheet.deleteColumns(first, 1 + rest.length);
  }
}
