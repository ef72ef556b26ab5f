// Finds the cells that formulas refer to, and changes the references when cells move.

import { columnLetters, columnNumber } from './a1-notation';
import { movedSpan } from './line-move';

export type Axis = 'row' | 'column';

/** One coordinate of a reference. A "$" keeps it in place when the formula is moved. */
export interface Coordinate {
  readonly at: number;
  readonly isFixed: boolean;
}

/** One end of a reference. A whole column has no row, and a whole row has no column. */
export type Corner = Readonly<Record<Axis, Coordinate | null>>;

export interface Reference {
  /** As written, with quotation marks and "!". '' refers to the formula's own sheet. */
  readonly prefix: string;
  /** null: the formula's own sheet. */
  readonly sheetName: string | null;
  readonly from: Corner;
  /** null: a single cell. */
  readonly to: Corner | null;
}

export const BROKEN = '#REF!';

const CELL = String.raw`\$?[A-Za-z]{1,3}\$?[1-9]\d*`;
const COLUMN = String.raw`\$?[A-Za-z]{1,3}`;
const ROW = String.raw`\$?[1-9]\d*`;
const AREA = `${CELL}(?::(?:${CELL}|${COLUMN}))?|${COLUMN}:${COLUMN}|${ROW}:${ROW}`;
export const SHEET = String.raw`(?:'(?:[^']|'')+'|[A-Za-z_][\w.]*)!`;
/** Quoted texts are matched first, so that text which looks like a cell is skipped. */
const TOKEN = new RegExp(
  String.raw`"(?:[^"]|"")*"|(?<![\w.$!'])(${SHEET})?(${AREA})(?![\w(.!])`,
  'g',
);
const CORNER = /^(?:(\$?)([A-Za-z]+))?(?:(\$?)(\d+))?$/;

function coordinate(dollar: string | undefined, at: number): Coordinate {
  return { at, isFixed: dollar === '$' };
}

function parseCorner(text: string): Corner {
  const [, columnDollar, letters, rowDollar, digits] = CORNER.exec(text) ?? [];
  return {
    column: letters ? coordinate(columnDollar, columnNumber(letters)) : null,
    row: digits ? coordinate(rowDollar, Number(digits)) : null,
  };
}

function cornerText({ row, column }: Corner): string {
  const letters = column ? `${column.isFixed ? '$' : ''}${columnLetters(column.at)}` : '';
  return letters + (row ? `${row.isFixed ? '$' : ''}${row.at}` : '');
}

export function referenceText({ prefix, from, to }: Reference): string {
  return prefix + cornerText(from) + (to ? `:${cornerText(to)}` : '');
}

/** The references in a formula, as written there. */
export function referenceTexts(formula: string): readonly string[] {
  return [...formula.matchAll(TOKEN)].flatMap(([text, _prefix, area]) =>
    area === undefined ? [] : [text],
  );
}

/** A reference, as written, and how the formula reads it. */
interface ReadReference {
  readonly text: string;
  /** True if a lookup function is given the whole of it, to read a few of its cells. */
  readonly isLookedUp: boolean;
}

/** The arguments, counted from 0, in which a function looks something up. */
const LOOKED_UP: Readonly<Record<string, readonly number[]>> = {
  INDEX: [0],
  XLOOKUP: [1, 2],
  XMATCH: [1],
};

const CODE = new RegExp(String.raw`${TOKEN.source}|([A-Za-z_][\w.]*)\s*(?=\()|\s+|[\s\S]`, 'g');

/** The references in a formula. Separators may be commas or semicolons. */
export function readReferences(formula: string): readonly ReadReference[] {
  const parts = [...formula.matchAll(CODE)].filter(([text]) => text.trim() !== '');
  const open: { readonly name: string; argument: number }[] = [];
  return parts.flatMap(([text, _prefix, area], at) => {
    const [before, , , name = ''] = parts[at - 1] ?? ['', '', '', ''];
    if (area !== undefined) {
      const within = open.at(-1);
      const [after] = parts[at + 1] ?? [''];
      const isWhole = '(,;'.includes(before) && '),;'.includes(after);
      const isLookedUp =
        isWhole && (LOOKED_UP[within?.name ?? '']?.includes(within?.argument ?? 0) ?? false);
      return { text, isLookedUp };
    }
    if (text === '(' || text === '{')
      open.push({ name: text === '(' ? name.toUpperCase() : '', argument: 0 });
    if (text === ')' || text === '}') open.pop();
    const within = open.at(-1);
    if ((text === ',' || text === ';') && within) within.argument += 1;
    return [];
  });
}

/** Part of one or more columns from a row on, in this sheet or another. */
const OPEN_RANGE =
  /"(?:[^"]|"")*"|((?:'(?:[^']|'')*'|\w+)!)?(\$?[A-Za-z]{1,3})\$?(\d+):(\$?[A-Za-z]{1,3})(?![\w$])/g;

/** A range without a last row, for example "List!A2:B". */
interface OpenRange {
  /** As written. */
  readonly text: string;
  /** With "!". '' refers to the formula's own sheet. */
  readonly prefix: string;
  /** Column names, including "$" if written. */
  readonly from: string;
  readonly to: string;
  readonly firstRow: number;
}

/** Replaces the open ranges of a formula, because Univer needs a last row. */
export const replaceOpenRanges = (formula: string, put: (range: OpenRange) => string): string =>
  formula.replace(OPEN_RANGE, (text: string, prefix = '', from = '', row = '', to = '') =>
    to === '' ? text : put({ text, prefix, from, to, firstRow: Number(row) }),
  );

/** Replaces every reference of a formula by a text. */
export function replaceReferences(
  formula: string,
  put: (reference: Reference, text: string) => string,
): string {
  return formula.replace(TOKEN, (text: string, prefix?: string, area?: string) => {
    if (area === undefined) return text;
    const [from = '', to] = area.split(':');
    const name = prefix?.slice(0, -1);
    const reference: Reference = {
      prefix: prefix ?? '',
      sheetName: name?.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : (name ?? null),
      from: parseCorner(from),
      to: to === undefined ? null : parseCorner(to),
    };
    return put(reference, text);
  });
}

/**
 * Changes every reference of a formula. null: the cells no longer exist, so the reference becomes
 * an error.
 */
export function mapReferences(
  formula: string,
  change: (reference: Reference) => Reference | null,
): string {
  return replaceReferences(formula, (reference, text) => {
    const changed = change(reference);
    if (changed === reference) return text;
    return changed ? referenceText(changed) : BROKEN;
  });
}

/**
 * Rows or columns inserted before `first` (count above 0), deleted from there on (below 0) or, with
 * `before`, moved to there.
 */
export interface Shift {
  readonly axis: Axis;
  readonly first: number;
  readonly count: number;
  readonly before?: number;
}

/**
 * The formula after the shift. `isShifted` tells whether a reference's sheet is the shifted one.
 */
export function shiftReferences(
  formula: string,
  shift: Shift,
  isShifted: (sheetName: string | null) => boolean,
): string {
  return mapReferences(formula, (reference) =>
    isShifted(reference.sheetName) ? shiftedReference(reference, shift) : reference,
  );
}

/** The reference after the shift. null: its cells are gone. */
export function shiftedReference(reference: Reference, shift: Shift): Reference | null {
  const { axis, first, count, before } = shift;
  const { from, to } = reference;
  const start = from[axis];
  const end = (to ?? from)[axis];
  const put = (corner: Corner, at: number | null): Corner => {
    const old = corner[axis];
    return old && at !== null ? { ...corner, [axis]: { ...old, at } } : corner;
  };
  if (before !== undefined) {
    if (!start || !end) return reference;
    const [startAt, endAt] = movedSpan({ first, count, before }, start.at, end.at);
    return { ...reference, from: put(from, startAt), to: to && put(to, endAt) };
  }
  if (to && start && end && start.at > end.at) {
    // The range is written from its far end. Swapping its ends gives the same cells.
    const near = { ...from, [axis]: end };
    return shiftedReference({ ...reference, from: near, to: { ...to, [axis]: start } }, shift);
  }
  const lastGone = first - count - 1;
  const moved = (at: number, ifGone: number) => {
    if (at < first) return at;
    return count > 0 || at > lastGone ? at + count : ifGone;
  };
  const startAt = start && moved(start.at, first);
  const endAt = end && moved(end.at, first - 1);
  if (startAt !== null && endAt !== null && startAt > endAt) return null;
  return { ...reference, from: put(from, startAt), to: to && put(to, endAt) };
}

/** The formula moved down by `rows` and to the right by `columns`. Coordinates with "$" stay. */
export function moveDown(formula: string, rows: number, columns = 0): string {
  if (rows === 0 && columns === 0) return formula;
  const by = (one: Coordinate | null, count: number) =>
    one && !one.isFixed ? { ...one, at: one.at + count } : one;
  const move = ({ row, column }: Corner): Corner => ({
    row: by(row, rows),
    column: by(column, columns),
  });
  return mapReferences(formula, (reference) => {
    const moved = {
      ...reference,
      from: move(reference.from),
      to: reference.to && move(reference.to),
    };
    const isBefore = (one: Coordinate | null | undefined) => (one?.at ?? 1) < 1;
    const corners = [moved.from, moved.to];
    const isBroken = corners.some((corner) => isBefore(corner?.row) || isBefore(corner?.column));
    return isBroken ? null : moved;
  });
}

/**
 * The formula with rows counted relative to its own, which gives one text for all formulas that
 * were filled down.
 */
export function asFilledDown(formula: string, row: number): string {
  return formula.replace(TOKEN, (text: string, prefix?: string, area?: string) =>
    area === undefined ? text : (prefix ?? '') + area.replace(ROWS, fromRow(row)),
  );
}

const ROWS = /\$?\d+/g;

/** Relative rows are written in brackets, which a formula does not otherwise contain. */
const fromRow = (row: number) => (digits: string) =>
  digits.startsWith('$') ? digits : `[${Number(digits) - row}]`;

/**
 * How a reference changes when it is filled down: not at all, as a whole, or at only one of its
 * ends.
 */
export function rowsOf(reference: string): 'fixed' | 'moving' | 'mixed' {
  const [, area = reference] = /.*!(.*)/s.exec(reference) ?? [];
  const rows = area.match(ROWS) ?? [];
  const moving = rows.filter((row) => !row.startsWith('$')).length;
  if (moving === 0) return 'fixed';
  return moving === area.split(':').length ? 'moving' : 'mixed';
}

/** The formula after a sheet was renamed or, if the new name is null, deleted. */
export function renameSheetIn(formula: string, name: string, newName: string | null): string {
  return mapReferences(formula, (reference) => {
    if (reference.sheetName?.toLowerCase() !== name.toLowerCase()) return reference;
    return newName === null ? null : { ...reference, prefix: sheetPrefix(newName) };
  });
}

/** The name with "!", as a reference to that sheet begins. */
export function sheetPrefix(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !CELL_NAME.test(name)
    ? `${name}!`
    : `'${name.replaceAll("'", "''")}'!`;
}

/** A sheet with such a name needs quotation marks, because it would otherwise read as a cell. */
const CELL_NAME = new RegExp(`^${CELL}$`);
