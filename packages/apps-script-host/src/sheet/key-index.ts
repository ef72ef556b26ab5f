// Finds keys in a row or column as lookups do, by an index that follows its cells: a search does not
// read them again, and a change of a cell is put into the index by itself.

import type { Rectangle } from './model';
import { meet } from './rectangle';

/** A value as formulas read it. A date is its serial number. null: blank. */
export type Plain = string | number | boolean | null;

/** The errors that cells show. A cell with one of them holds no text. */
const ERRORS: ReadonlySet<Plain> = new Set([
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#DIV/0!',
  '#NUM!',
  '#NAME?',
  '#NULL!',
  '#ERROR!',
]);

export const isErrorText = (value: Plain): boolean => ERRORS.has(value);

export type Area = Rectangle & { readonly sheetId: number };

/**
 * What equal values have in common: texts are compared regardless of case, and no text equals a
 * number. null: a blank, an empty text or an error, none of which is found.
 */
export function keyOf(value: Plain): string | null {
  if (value === null || value === '' || isErrorText(value)) return null;
  return typeof value === 'string' ? `s${value.toLowerCase()}` : `${typeof value}${value}`;
}

/** One index over a single row or column of cells. */
export interface KeyIndex {
  readonly area: Area;
  /** The place, from 0, of the first or the last cell with this key. null: there is none. */
  readonly find: (key: string, from: 'first' | 'last') => number | null;
  /** Takes over the cells that have changed, and returns the keys that are found elsewhere now. */
  readonly takeOver: (changed: Area) => readonly string[];
}

type Read = (sheetId: number, row: number, column: number) => Plain;

function createKeyIndex(area: Area, read: Read): KeyIndex {
  const { sheetId, row, column, rowCount, columnCount } = area;
  const isColumn = columnCount === 1;
  const places = new Map<string, number[]>();
  const keys: (string | null)[] = [];
  const keyAt = (place: number) =>
    keyOf(isColumn ? read(sheetId, row + place, column) : read(sheetId, row, column + place));
  const insert = (key: string, place: number) => {
    const found = places.get(key);
    if (!found) {
      places.set(key, [place]);
      return;
    }
    const isLast = (found.at(-1) ?? 0) < place;
    found.splice(isLast ? found.length : found.findIndex((one) => one > place), 0, place);
  };
  const remove = (key: string, place: number) => {
    const left = (places.get(key) ?? []).filter((one) => one !== place);
    if (left.length > 0) places.set(key, left);
    else places.delete(key);
  };
  for (let place = 0; place < rowCount * columnCount; place += 1) {
    const key = keyAt(place);
    keys.push(key);
    if (key !== null) insert(key, place);
  }
  return {
    area,
    find: (key, from) => places.get(key)?.at(from === 'first' ? 0 : -1) ?? null,
    takeOver(changed) {
      if (changed.sheetId !== sheetId || !meet(changed, area)) return [];
      const [start, count] = isColumn
        ? [changed.row - row, changed.rowCount]
        : [changed.column - column, changed.columnCount];
      const moved: string[] = [];
      for (
        let place = Math.max(start, 0);
        place < Math.min(start + count, keys.length);
        place += 1
      ) {
        const before = keys[place] ?? null;
        const now = keyAt(place);
        if (before === now) continue;
        keys[place] = now;
        if (before !== null) remove(before, place);
        if (now !== null) insert(now, place);
        moved.push(...[before, now].filter((key) => key !== null));
      }
      return moved;
    },
  };
}

export interface KeyIndexes {
  /** The index over a row or column, which is made at its first search. */
  readonly over: (area: Area) => KeyIndex;
  readonly all: () => Iterable<KeyIndex>;
  readonly forget: () => void;
  /** How many indexes were made, each by reading all of its cells. */
  readonly made: () => number;
}

export function createKeyIndexes(read: Read): KeyIndexes {
  const known = new Map<string, KeyIndex>();
  let made = 0;
  return {
    over(area) {
      const name = nameOf(area);
      const before = known.get(name);
      if (before) return before;
      const index = createKeyIndex(area, read);
      made += 1;
      known.set(name, index);
      return index;
    },
    all: () => known.values(),
    forget: () => known.clear(),
    made: () => made,
  };
}

export const nameOf = ({ sheetId, row, column, rowCount, columnCount }: Area): string =>
  `${sheetId} ${row} ${column} ${rowCount} ${columnCount}`;
