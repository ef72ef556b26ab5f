// References in formulas: the cells that a text such as 'My, sheet'!$A2:A names. Pure.

import type { Area, SheetSize } from '../../../platform/sheet-ports';

export interface Reference {
  /** null: the sheet of the formula. */
  readonly sheetName: string | null;
  /** null: from the first or to the last there is. */
  readonly from: Corner;
  /** null: a single cell. */
  readonly to: Corner | null;
}

interface Corner {
  readonly row: number | null;
  readonly column: number | null;
}

const CORNER = String.raw`(?:\$?([A-Za-z]{1,3}))?(?:\$?([1-9]\d*))?`;
const REFERENCE = new RegExp(
  String.raw`^(?:('(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?${CORNER}(?:(:)${CORNER})?$`,
  'u',
);

/** null for anything that is not a reference to cells. */
export function readReference(text: string): Reference | null {
  const [whole, name = null, letters, digits, colon, toLetters, toDigits] =
    REFERENCE.exec(text) ?? [];
  if (whole === undefined) return null;
  const from = cornerOf(letters, digits);
  const isCell = from.row !== null && from.column !== null;
  if (colon === undefined ? !isCell : !(letters ?? digits) || !(toLetters ?? toDigits)) return null;
  const sheetName = name?.startsWith("'") ? name.slice(1, -1).replace(/''/g, "'") : name;
  return { sheetName, from, to: colon === undefined ? null : cornerOf(toLetters, toDigits) };
}

const cornerOf = (letters: string | undefined, digits: string | undefined): Corner => ({
  row: digits === undefined ? null : Number(digits),
  column: letters === undefined ? null : columnNumber(letters),
});

export function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
}

/** The cells in a sheet of this size; null: it has no such cells. */
export function areaOf({ from, to }: Reference, { maxRows, maxColumns }: SheetSize): Area | null {
  const end = to ?? from;
  const [top, bottom] = ordered(from.row ?? 1, end.row ?? maxRows);
  const [left, right] = ordered(from.column ?? 1, end.column ?? maxColumns);
  if (top > maxRows || left > maxColumns) return null;
  const rowCount = Math.min(bottom, maxRows) - top + 1;
  return { row: top, column: left, rowCount, columnCount: Math.min(right, maxColumns) - left + 1 };
}

const ordered = (one: number, other: number): readonly [number, number] =>
  one <= other ? [one, other] : [other, one];
