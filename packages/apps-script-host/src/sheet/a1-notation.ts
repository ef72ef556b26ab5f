// Reads and writes addresses as people write them, for example "B2", "A:C" or "'Old list'!A1:D5".

import type { Rectangle, SheetSize } from './model';

const LETTERS = 26;
const LETTER_A = 'A'.charCodeAt(0);

/** 1 → A, 27 → AA. */
export function columnLetters(column: number): string {
  if (!(column >= 1)) throw new RangeError(`There is no column ${column}.`);
  const rest = Math.floor((column - 1) / LETTERS);
  const letter = String.fromCharCode(LETTER_A + ((column - 1) % LETTERS));
  return rest === 0 ? letter : columnLetters(rest) + letter;
}

export function columnNumber(letters: string): number {
  let column = 0;
  for (const letter of letters.toUpperCase()) {
    column = column * LETTERS + letter.charCodeAt(0) - LETTER_A + 1;
  }
  return column;
}

/** An end of a range that its address does not name: the last row in "A2:A". */
export type OpenEnd = 'startRow' | 'endRow' | 'startColumn' | 'endColumn';

/** Open ends are left out, as in "D:F". */
export function toA1(place: Rectangle & { readonly open?: readonly OpenEnd[] }): string {
  const { row, column, rowCount, columnCount, open = [] } = place;
  const corner = (letters: string, number: number, ends: readonly [OpenEnd, OpenEnd]) =>
    (open.includes(ends[0]) ? '' : letters) + (open.includes(ends[1]) ? '' : String(number));
  const first = corner(columnLetters(column), row, ['startColumn', 'startRow']);
  if (rowCount === 1 && columnCount === 1 && open.length === 0) return first;
  const lastLetters = columnLetters(column + columnCount - 1);
  return `${first}:${corner(lastLetters, row + rowCount - 1, ['endColumn', 'endRow'])}`;
}

export interface Address {
  /** null: the address names no sheet. */
  readonly sheetName: string | null;
  readonly within: (size: Pick<SheetSize, 'maxRows' | 'maxColumns'>) => Rectangle;
  readonly open: readonly OpenEnd[];
}

const R1C1 = /^R([1-9]\d*)C([1-9]\d*)(?::R([1-9]\d*)C([1-9]\d*))?$/i;

/** "R2C2:R4C5" as "B2:E4", with the name of the sheet if there is one. Other texts stay as they are. */
export function fromR1C1Address(text: string): string {
  const [prefix = ''] = SHEET_PREFIX.exec(text) ?? [];
  const [, row, column, lastRow, lastColumn] = R1C1.exec(text.slice(prefix.length)) ?? [];
  if (row === undefined) return text;
  const cell = (down: string, right: string | undefined) => columnLetters(Number(right)) + down;
  const last = lastRow === undefined ? '' : `:${cell(lastRow, lastColumn)}`;
  return prefix + cell(row, column) + last;
}

const SHEET_PREFIX = /^(?:'((?:[^']|'')+)'|([^'!]+))!/;
const CELLS = /^\$?([A-Z]{1,3})?\$?([1-9]\d*)?(?::\$?([A-Z]{1,3})?\$?([1-9]\d*)?)?$/i;

/** null: the text is not an address. The rectangle may extend beyond the sheet. */
export function parseAddress(text: string): Address | null {
  const prefix = SHEET_PREFIX.exec(text);
  const sheetName = prefix?.[1]?.replaceAll("''", "'") ?? prefix?.[2] ?? null;
  const cells = CELLS.exec(text.slice(prefix?.[0].length ?? 0));
  if (!cells) return null;
  const [whole, ...parts] = cells;
  const isOneCell = !whole.includes(':');
  const [fromColumn, fromRow, toColumn, toRow] = isOneCell
    ? [...parts.slice(0, 2), ...parts.slice(0, 2)]
    : parts;
  const isColumns = fromColumn !== undefined && toColumn !== undefined;
  const isRows = fromRow !== undefined && toRow !== undefined;
  if (!(isOneCell ? isColumns && isRows : isColumns || isRows)) return null;
  const ends = { startRow: fromRow, endRow: toRow, startColumn: fromColumn, endColumn: toColumn };
  const open = Object.entries(ends).flatMap(([end, part]) => (part ? [] : [end as OpenEnd]));
  return {
    sheetName,
    open,
    within({ maxRows, maxColumns }) {
      const [row, rowCount] = span(fromRow && Number(fromRow), toRow && Number(toRow), maxRows);
      const [column, columnCount] = span(
        fromColumn && columnNumber(fromColumn),
        toColumn && columnNumber(toColumn),
        maxColumns,
      );
      return { row, column, rowCount, columnCount };
    },
  };
}

type End = number | '' | undefined;

/** A missing end is the end of the sheet: A2:A goes to the last row. */
function span(from: End, to: End, last: number): readonly [first: number, count: number] {
  const ends = [from || 1, to || last] as const;
  const first = Math.min(...ends);
  return [first, Math.max(...ends) - first + 1];
}
