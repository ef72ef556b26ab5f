// Stores the cells of one sheet of the plain grid: rows of values, with formulas and formats where
// needed.

import type { Rectangle } from './model';
import type { Sortable } from './sort-order';

/** A cell's stored value. A date is its serial number. */
export type Stored = Sortable;

/** Rows and columns count from 0 here. A cell that is missing from an array is blank. */
export interface GridRow {
  readonly values: (Stored | undefined)[];
  formulas: (string | undefined)[] | null;
  formats: (string | undefined)[] | null;
  notes: (string | undefined)[] | null;
  links: (string | undefined)[] | null;
  /** Styles and links of parts of a text, as JSON of rich-text's parts. */
  runs: (string | undefined)[] | null;
  weights: (string | undefined)[] | null;
  backgrounds: (string | undefined)[] | null;
  colours: (string | undefined)[] | null;
  /** In the form that cell-looks defines. */
  looks: (string | undefined)[] | null;
  /** By which kind of formula a neighbour has put a value there, even an empty text. */
  spills: (string | undefined)[] | null;
  /** Names of the lists that custom functions have answered, each at its formula. */
  answers: (string | undefined)[] | null;
}

/** Whose formula fills a cell: one of Sheets' own, or a custom function. */
export type SpillOf = 'native' | 'custom';

/** Features that only a few cells have, each in an array of its own. */
export type Extra =
  | ('formulas' | 'formats' | 'notes' | 'links' | 'runs')
  | ('weights' | 'backgrounds' | 'colours' | 'looks' | 'spills' | 'answers');

const EXTRAS: readonly Extra[] = [
  ...(['formulas', 'formats', 'notes', 'links', 'runs'] as const),
  ...(['weights', 'backgrounds', 'colours', 'looks', 'spills', 'answers'] as const),
];

export type GridRows = (GridRow | undefined)[];

export function rowAt(rows: GridRows, place: number): GridRow {
  while (rows.length <= place) rows.push(undefined);
  const row = rows[place] ?? {
    values: [],
    formulas: null,
    formats: null,
    notes: null,
    links: null,
    runs: null,
    weights: null,
    backgrounds: null,
    colours: null,
    looks: null,
    spills: null,
    answers: null,
  };
  rows[place] = row;
  return row;
}

export function putValue(row: GridRow, place: number, value: Stored | undefined): void {
  row.values[place] = value;
}

export function putExtra(
  row: GridRow,
  extra: Extra,
  place: number,
  text: string | undefined,
): void {
  if (text === undefined && !row[extra]) return;
  const cells = row[extra] ?? [];
  cells[place] = text;
  row[extra] = cells;
}

/** The number of used columns in a row. A blank row has 0. */
function takenColumns({ values, formulas, spills }: GridRow): number {
  let taken = Math.max(values.length, formulas?.length ?? 0, spills?.length ?? 0);
  const isTaken = (place: number) =>
    (values[place] ?? '') !== '' || formulas?.[place] || spills?.[place];
  while (taken > 0 && !isTaken(taken - 1)) taken -= 1;
  return taken;
}

export function lastRow(rows: GridRows): number {
  return rows.findLastIndex((row) => row !== undefined && takenColumns(row) > 0) + 1;
}

export function lastColumn(rows: GridRows): number {
  return rows.reduce((last, row) => Math.max(last, row ? takenColumns(row) : 0), 0);
}

/** The rows with blank ones inserted or, if `count` is below 0, with some removed. */
export function withRowsShifted(rows: GridRows, place: number, count: number): GridRows {
  if (place >= rows.length) return rows;
  const blank: GridRows = count > 0 ? new Array(count).fill(undefined) : [];
  return [...rows.slice(0, place), ...blank, ...rows.slice(count > 0 ? place : place - count)];
}

/** Visits all that is kept of a row's cells: the values, the formulas and so on. */
export function eachLine(rows: GridRows, change: (cells: unknown[]) => void): void {
  for (const row of rows) {
    if (!row) continue;
    change(row.values);
    for (const extra of EXTRAS) if (row[extra]) change(row[extra]);
  }
}

export function shiftColumns(rows: GridRows, place: number, count: number): void {
  eachLine(rows, (cells) => {
    if (cells.length <= place) return;
    const blanks = new Array(Math.max(count, 0)).fill(undefined);
    cells.splice(place, Math.max(-count, 0), ...blanks);
  });
}

export function eachFormula(rows: GridRows, change: (formula: string) => string): void {
  for (const row of rows) {
    row?.formulas?.forEach((formula, place) => {
      if (formula !== undefined) putExtra(row, 'formulas', place, change(formula));
    });
  }
}

/**
 * The values of a part of the rows. `dated` decides what a number with a format is. Each row is
 * read only once, because this reads columns of a hundred thousand rows.
 */
export function valuesIn<Value>(
  rows: GridRows,
  { row, column, rowCount, columnCount }: Rectangle,
  dated: (value: number, format: string) => Value | Stored,
): (Value | Stored)[][] {
  const matrix = new Array<(Value | Stored)[]>(rowCount);
  for (let down = 0; down < rowCount; down += 1) {
    const cells = new Array<Value | Stored>(columnCount);
    const { values, formats } = rows[row - 1 + down] ?? NO_CELLS;
    for (let right = 0; right < columnCount; right += 1) {
      const at = column - 1 + right;
      const value = values[at] ?? '';
      const format = formats?.[at];
      cells[right] =
        format !== undefined && typeof value === 'number' ? dated(value, format) : value;
    }
    matrix[down] = cells;
  }
  return matrix;
}

const NO_CELLS: Pick<GridRow, 'values' | 'formats'> = { values: [], formats: null };

/**
 * Reorders a part of the rows. `moved` gives the formula of a cell that went down by so many rows.
 */
export function arrangeRows(
  rows: GridRows,
  { row, column, columnCount }: Rectangle,
  order: readonly number[],
  moved: (formula: string, down: number) => string,
): void {
  const columns = Array.from({ length: columnCount }, (_, index) => column - 1 + index);
  const cellsOf = (place: number) => {
    const cells = rows[place];
    return columns.map((at) => ({
      value: cells?.values[at],
      texts: EXTRAS.map((extra) => cells?.[extra]?.[at]),
    }));
  };
  const comers = order.map((from, to) => (from === to ? null : cellsOf(row - 1 + from)));
  comers.forEach((cells, to) => {
    if (!cells) return;
    const target = rowAt(rows, row - 1 + to);
    const down = to - (order[to] ?? to);
    cells.forEach(({ value, texts }, index) => {
      const at = column - 1 + index;
      putValue(target, at, value);
      EXTRAS.forEach((extra, kind) => {
        const text = texts[kind];
        putExtra(target, extra, at, text && extra === 'formulas' ? moved(text, down) : text);
      });
    });
  });
}
