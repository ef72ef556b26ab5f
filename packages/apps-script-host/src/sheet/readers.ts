// Knows who reads which cells: the formulas that a change of some cells may concern.

import { type Area, type KeyIndex, nameOf } from './key-index';
import { meet } from './rectangle';

/** A number for a cell, quicker to look up than a text. Sheets have at most 18,278 columns. */
export const placeOf = (sheetId: number, row: number, column: number) =>
  columnOf(sheetId, column) * 10_000_000 + row;

/** A number for a column of a sheet. */
export const columnOf = (sheetId: number, column: number) => sheetId * 20_000 + column;

export interface Readers<Reader> {
  readonly add: (area: Area, reader: Reader) => void;
  readonly remove: (area: Area, reader: Reader) => void;
  /** Calls back with each reader of any cell of the area, maybe more than once. */
  readonly of: (area: Area, visit: (reader: Reader) => void) => void;
  readonly forget: () => void;
}

const isOneCell = ({ rowCount, columnCount }: Area) => rowCount === 1 && columnCount === 1;

/** Most formulas read single cells and a few columns that all of them share. */
export function createReaders<Reader>(): Readers<Reader> {
  interface Entry {
    readonly area: Area;
    readonly readers: Set<Reader>;
  }
  const cells = new Map<number, Entry>();
  const areas = new Map<string, Entry>();
  const put = <Key>(entries: Map<Key, Entry>, key: Key, area: Area, reader: Reader) => {
    const entry = entries.get(key);
    if (entry) entry.readers.add(reader);
    else entries.set(key, { area, readers: new Set([reader]) });
  };
  const drop = <Key>(entries: Map<Key, Entry>, key: Key, reader: Reader) => {
    const entry = entries.get(key);
    entry?.readers.delete(reader);
    if (entry?.readers.size === 0) entries.delete(key);
  };
  return {
    add(area, reader) {
      if (isOneCell(area)) put(cells, placeOf(area.sheetId, area.row, area.column), area, reader);
      else put(areas, nameOf(area), area, reader);
    },
    remove(area, reader) {
      if (isOneCell(area)) drop(cells, placeOf(area.sheetId, area.row, area.column), reader);
      else drop(areas, nameOf(area), reader);
    },
    of(wanted, visit) {
      const visitIfMet = ({ area, readers }: Entry) => {
        if (area.sheetId === wanted.sheetId && meet(area, wanted)) readers.forEach(visit);
      };
      areas.forEach(visitIfMet);
      const { sheetId, row, column, rowCount, columnCount } = wanted;
      if (rowCount * columnCount > cells.size) {
        cells.forEach(visitIfMet);
        return;
      }
      for (let right = 0; right < columnCount; right += 1)
        for (let down = 0; down < rowCount; down += 1)
          cells.get(placeOf(sheetId, row + down, column + right))?.readers.forEach(visit);
    },
    forget() {
      cells.clear();
      areas.clear();
    },
  };
}

/** The cells, and the keys of indexes, that have changed since it was emptied. */
export interface Changes {
  readonly addCells: (area: Area) => void;
  readonly addKeys: (index: KeyIndex, keys: readonly string[]) => void;
  readonly meets: (area: Area) => boolean;
  readonly hasKey: (index: KeyIndex, key: string) => boolean;
  readonly areas: () => readonly Area[];
  readonly eachKey: (visit: (index: KeyIndex, key: string) => void) => void;
  readonly forget: () => void;
}

export function createChanges(): Changes {
  const areas: Area[] = [];
  const columns = new Map<number, { readonly rows: Set<number>; readonly areas: Area[] }>();
  const keysOf = new Map<KeyIndex, Set<string>>();
  const meetsIn = (column: number, area: Area) => {
    const changed = columns.get(column);
    if (!changed) return false;
    const { row, rowCount } = area;
    if (changed.areas.some((one) => one.row < row + rowCount && row < one.row + one.rowCount))
      return true;
    if (rowCount <= changed.rows.size) {
      for (let down = 0; down < rowCount; down += 1) if (changed.rows.has(row + down)) return true;
      return false;
    }
    for (const one of changed.rows) if (one >= row && one < row + rowCount) return true;
    return false;
  };
  return {
    addCells(area) {
      areas.push(area);
      for (let right = 0; right < area.columnCount; right += 1) {
        const column = columnOf(area.sheetId, area.column + right);
        const changed = columns.get(column) ?? { rows: new Set(), areas: [] };
        columns.set(column, changed);
        if (area.rowCount === 1) changed.rows.add(area.row);
        else changed.areas.push(area);
      }
    },
    addKeys(index, keys) {
      if (keys.length === 0) return;
      const before = keysOf.get(index) ?? new Set();
      keysOf.set(index, before);
      for (const key of keys) before.add(key);
    },
    meets(area) {
      for (let right = 0; right < area.columnCount; right += 1)
        if (meetsIn(columnOf(area.sheetId, area.column + right), area)) return true;
      return false;
    },
    hasKey: (index, key) => keysOf.get(index)?.has(key) ?? false,
    areas: () => areas,
    eachKey: (visit) =>
      keysOf.forEach((keys, index) => {
        for (const key of keys) visit(index, key);
      }),
    forget: () => {
      areas.length = 0;
      columns.clear();
      keysOf.clear();
    },
  };
}
