// Cells and areas of a sheet, their schemas, and how Sheets writes them. Pure.

import * as z from 'zod/mini';
import { lazySchema } from '../schema/stored-record';

/** What a cell holds; '' stands for an empty cell. */
export type SheetCell = string | number | boolean | Date;

/** A rectangle of cells; rows and columns count from 1. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

/** The cells from this one on; by default it alone. */
export const areaOf = (row: number, column: number, rowCount = 1, columnCount = 1): Area => ({
  row,
  column,
  rowCount,
  columnCount,
});

/**
 * Neighbours in ascending order, each run as long as it goes without a gap.
 *
 * @param gap how many positions may be left out within a run.
 */
export function stretches<Item>(
  ascending: readonly Item[],
  positionOf: (item: Item) => number,
  gap = 0,
): readonly (readonly [Item, ...Item[]])[] {
  const runs: [Item, ...Item[]][] = [];
  let before = Number.NaN;
  for (const item of ascending) {
    const position = positionOf(item);
    const isNext = position > before && position <= before + 1 + gap;
    if (isNext) runs[runs.length - 1]?.push(item);
    else runs.push([item]);
    before = position;
  }
  return runs;
}

/** "K1:P1", or "K1" for a single cell. */
export function addressOf({ row, column, rowCount, columnCount }: Area): string {
  const first = `${columnLetters(column)}${row}`;
  const last = `${columnLetters(column + columnCount - 1)}${row + rowCount - 1}`;
  return first === last ? first : `${first}:${last}`;
}

/** @param column counts from 1: 1 is "A", 28 is "AB". */
export function columnLetters(column: number): string {
  const rest = (column - 1) % 26;
  const before = column > 26 ? columnLetters((column - 1 - rest) / 26) : '';
  return before + String.fromCharCode(65 + rest);
}

/** @param letters in either case: "A" is 1, "ab" is 28. */
export function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  );
}

/** Google's limit for the text of a cell. Longer texts are cut. */
const TEXT_CHARS_MAX = 50_000;

/**
 * A text that begins with letters stays a text unless it is TRUE or FALSE or may be read as a date
 * by its month or weekday.
 */
const PLAIN_TEXT = /^(?!true|false|[a-z]{3,9}[-/., ]*\d|[a-z]+day)[a-z]/i;

/**
 * Sheets parses a text as if it were typed. An apostrophe, which Sheets does not keep, stops it
 * from becoming a formula, a number or a date.
 */
export function asContent(cell: SheetCell): SheetCell {
  return typeof cell === 'string' ? asText(cell.slice(0, TEXT_CHARS_MAX)) : cell;
}

const asText = (text: string) => (text === '' || PLAIN_TEXT.test(text) ? text : `'${text}`);

/** The most rows of a sheet: ten million cells in one column. */
export const ROWS_MAX = 10_000_000;

/** The most columns of a sheet: "ZZZ" is the last one. */
const COLUMNS_MAX = 18_278;

/** The longest texts that the page puts into cells are formulas. */
const SENT_CHARS_MAX = 10_000;

// The page shares this file and reads no schema: a call that is marked as pure is left out of it, and zod.

export const sheetIdSchema = /* @__PURE__ */ lazySchema(() => z.int().check(z.nonnegative()));

/** Columns count from 1. */
export const columnSchema = /* @__PURE__ */ lazySchema(() =>
  z.int().check(z.minimum(1), z.maximum(COLUMNS_MAX)),
);

export const cellTextSchema = /* @__PURE__ */ lazySchema(() =>
  z.string().check(z.maxLength(SENT_CHARS_MAX)),
);

export const cellSchema = /* @__PURE__ */ lazySchema(() =>
  z.union([cellTextSchema(), z.number(), z.boolean()]),
);
