// Which formulas come to the same as before, after rows or columns were inserted, deleted or moved.

import { parseAddress } from './a1-notation';
import type { FormulaCell, FormulaSheet, Pattern, Seen } from './formula-cells';
import type { Shift } from './formula-references';
import type { Area, KeyIndex } from './key-index';
import type { Rectangle } from './model';
import { shiftedRectangle } from './rectangle';

export interface Shifted {
  readonly sheetId: number;
  readonly shift: Shift;
  /** As they were before. */
  readonly sheets: readonly FormulaSheet[];
  /** The index over a row or column, as it is now. */
  readonly over: (area: Area) => KeyIndex;
}

/** Functions whose result depends on where their cell is. */
const POSITIONAL = /\b(?:ROW|COLUMN|CELL|SHEET)\s*\(/i;

const CELL = String.raw`(\$?[A-Z]{1,3}\$?[1-9]\d*)?`;

/** Whether two places are in one row, column or sheet, as an argument or in brackets: "(ROW(B5)=ROW())". */
const COMPARED = new RegExp(
  String.raw`(?<=[(,;]|^=)(ROW|COLUMN|SHEET)\(${CELL}\)=\1\(${CELL}\)(?=[),;]|$)`,
  'gi',
);

/** A single cell has no open ends, for which a sheet's size counts. */
const NO_ENDS = { maxRows: 0, maxColumns: 0 };

/** Where a formula's cell is now. null: it is gone. */
export function shiftedPlace(
  { sheetId, row, column }: FormulaCell,
  shifted: Shifted,
): Pick<Rectangle, 'row' | 'column'> | null {
  const cell = { row, column, rowCount: 1, columnCount: 1 };
  return sheetId === shifted.sheetId ? shiftedRectangle(cell, shifted.shift) : cell;
}

/**
 * On what the lookups of a formula depend in its new place, if it still comes to the same. null: it
 * must be calculated.
 */
export function seenAfter(old: FormulaCell, now: FormulaCell, shifted: Shifted): Seen | null {
  const isFilling = old.spill !== null || old.isBlocked;
  if (old.seen === null || isFilling || old.pattern.isVolatile || !isPlacedAlike(old, now))
    return null;
  if (!areSame(old.reads, now.reads, (area) => sameArea(area, shifted))) return null;
  const lookedUp = (area: Area) => grownArea(area, shifted) ?? sameArea(area, shifted);
  if (!areSame(old.lookedUp, now.lookedUp, lookedUp)) return null;
  const cells = old.seen.cells.map(lookedUp);
  const keys = old.seen.keys.map(({ index, key }) => ({ area: lookedUp(index.area), key }));
  if (cells.includes(null) || keys.some(({ area }) => area === null)) return null;
  return {
    cells: cells.filter((area) => area !== null),
    keys: keys.flatMap(({ area, key }) => (area ? { index: shifted.over(area), key } : [])),
  };
}

/**
 * Whether what a formula says of places is the same in its new one: it only compares two of them, and they
 * have moved together or are as far from each other as before.
 */
function isPlacedAlike(old: FormulaCell, now: FormulaCell): boolean {
  if (old.column === now.column && old.pattern === now.pattern && isAlikeInRows(old.pattern))
    return true;
  if (!POSITIONAL.test(old.text)) return true;
  if (POSITIONAL.test(old.text.replace(COMPARED, ''))) return false;
  const [before, after] = [comparisonsIn(old), comparisonsIn(now)];
  return before.length === after.length && before.every((isTrue, at) => isTrue === after[at]);
}

const alikeInRows = new WeakMap<Pattern, boolean>();

/** Whether what it says of places is the same in every row that it is filled down to. */
function isAlikeInRows(pattern: Pattern): boolean {
  const known = alikeInRows.get(pattern);
  if (known !== undefined) return known;
  const isCompared = !POSITIONAL.test(pattern.text.replace(COMPARED, ''));
  const isAlike =
    isCompared &&
    [...pattern.text.matchAll(COMPARED)].every(
      ([, name = '', one = '', other = '']) =>
        name.toUpperCase() !== 'ROW' || !FIXED_ROW.test(one + other),
    );
  alikeInRows.set(pattern, isAlike);
  return isAlike;
}

const FIXED_ROW = /\$\d/;

const comparisonsIn = (cell: FormulaCell): readonly boolean[] =>
  [...cell.text.matchAll(COMPARED)].map(([, name = '', one, other]) => {
    if (name.toUpperCase() === 'SHEET') return true;
    const axis = name.toUpperCase() === 'ROW' ? 'row' : 'column';
    const placeOf = (text: string | undefined) =>
      (text === undefined ? cell : parseAddress(text)?.within(NO_ENDS))?.[axis];
    return placeOf(one) === placeOf(other);
  });

function areSame(
  before: readonly Area[],
  now: readonly Area[],
  after: (area: Area) => Area | null,
): boolean {
  if (before.length !== now.length) return false;
  return before.every((area, at) => {
    const [expected, found] = [after(area), now[at]];
    return expected !== null && found !== undefined && isEqual(expected, found);
  });
}

const isEqual = (one: Area, other: Area) =>
  one.sheetId === other.sheetId &&
  one.row === other.row &&
  one.column === other.column &&
  one.rowCount === other.rowCount &&
  one.columnCount === other.columnCount;

/** The same cells in the same order, wherever they are now. null: they are others, or reordered. */
function sameArea(area: Area, { sheetId, shift }: Shifted): Area | null {
  if (area.sheetId !== sheetId) return area;
  const isOneCell = area.rowCount * area.columnCount === 1;
  if (shift.before !== undefined && !isOneCell && isTouched(area, shift)) return null;
  const rectangle = shiftedRectangle(area, shift);
  if (!rectangle) return null;
  const isWhole =
    rectangle.rowCount === area.rowCount && rectangle.columnCount === area.columnCount;
  return isWhole ? { sheetId, ...rectangle } : null;
}

/** Whether any of the area's rows or columns have moved. */
function isTouched(area: Area, { axis, first, count, before = first }: Shift): boolean {
  const [start, length] =
    axis === 'row' ? [area.row, area.rowCount] : [area.column, area.columnCount];
  const from = Math.min(first, before);
  const end = Math.max(first + count, before);
  return start < end && from < start + length;
}

/** A whole row or column that has grown at its end, by blank cells in which a lookup finds nothing. */
function grownArea(area: Area, { sheetId, shift, sheets }: Shifted): Area | null {
  const sheet = sheets.find(({ id }) => id === sheetId);
  const { axis, first, count, before } = shift;
  if (area.sheetId !== sheetId || !sheet || before !== undefined || count < 0) return null;
  const [start, length, last] =
    axis === 'row'
      ? [area.row, area.rowCount, sheet.maxRows]
      : [area.column, area.columnCount, sheet.maxColumns];
  if (first !== last + 1 || start !== 1 || length !== last) return null;
  return axis === 'row'
    ? { ...area, rowCount: length + count }
    : { ...area, columnCount: length + count };
}
