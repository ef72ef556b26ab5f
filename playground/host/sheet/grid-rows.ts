// The cells of one sheet of the plain grid: rows of values, with formulas and formats where needed.

import type { Rectangle } from './model';
import type { Sortable, SortRule } from './sort-order';
import { sortedOrder } from './sort-order';

/** What is kept of a cell's value: a date is its serial number. */
export type Stored = Sortable;

/** Rows and columns count from 0 here; a cell that an array does not have is blank. */
export interface GridRow {
  readonly values: (Stored | undefined)[];
  formulas: (string | undefined)[] | null;
  formats: (string | undefined)[] | null;
}

export type GridRows = (GridRow | undefined)[];

export function rowAt(rows: GridRows, place: number): GridRow {
  while (rows.length <= place) rows.push(undefined);
  const row = rows[place] ?? { values: [], formulas: null, formats: null };
  rows[place] = row;
  return row;
}

export function putValue(row: GridRow, place: number, value: Stored): void {
  row.values[place] = value;
}

export function putFormula(row: GridRow, place: number, formula: string | undefined): void {
  if (formula === undefined && !row.formulas) return;
  row.formulas ??= [];
  row.formulas[place] = formula;
}

export function putFormat(row: GridRow, place: number, format: string | undefined): void {
  if (format === undefined && !row.formats) return;
  row.formats ??= [];
  row.formats[place] = format;
}

/** How many columns of a row are taken, 0 for a blank one. */
function takenColumns({ values, formulas }: GridRow): number {
  let taken = Math.max(values.length, formulas?.length ?? 0);
  while (taken > 0 && (values[taken - 1] ?? '') === '' && !formulas?.[taken - 1]) taken -= 1;
  return taken;
}

export function lastRow(rows: GridRows): number {
  return rows.findLastIndex((row) => row !== undefined && takenColumns(row) > 0) + 1;
}

export function lastColumn(rows: GridRows): number {
  return rows.reduce((last, row) => Math.max(last, row ? takenColumns(row) : 0), 0);
}

/** The rows with blank ones put in, or (count below 0) with some taken out. */
export function withRowsShifted(rows: GridRows, place: number, count: number): GridRows {
  if (place >= rows.length) return rows;
  const blank: GridRows = count > 0 ? new Array(count).fill(undefined) : [];
  return [...rows.slice(0, place), ...blank, ...rows.slice(count > 0 ? place : place - count)];
}

export function shiftColumns(rows: GridRows, place: number, count: number): void {
  for (const row of rows) {
    if (!row) continue;
    for (const cells of [row.values, row.formulas, row.formats]) {
      if (!cells || cells.length <= place) continue;
      const blanks = new Array(Math.max(count, 0)).fill(undefined);
      cells.splice(place, Math.max(-count, 0), ...blanks);
    }
  }
}

export function eachFormula(rows: GridRows, change: (formula: string) => string): void {
  for (const row of rows) {
    row?.formulas?.forEach((formula, place) => {
      if (formula !== undefined) putFormula(row, place, change(formula));
    });
  }
}

/** Sorts a part of the rows; `moved` gives the formula of a cell that went down so many rows. */
export function sortRows(
  rows: GridRows,
  { row, column, rowCount, columnCount }: Rectangle,
  rules: readonly SortRule[],
  moved: (formula: string, down: number) => string,
): void {
  const places = Array.from({ length: rowCount }, (_, index) => row - 1 + index);
  const columns = Array.from({ length: columnCount }, (_, index) => column - 1 + index);
  const old = places.map((place) =>
    columns.map((at) => ({
      value: rows[place]?.values[at] ?? '',
      formula: rows[place]?.formulas?.[at],
      format: rows[place]?.formats?.[at],
    })),
  );
  const order = sortedOrder(
    old.map((cells) => cells.map(({ value }) => value)),
    rules,
  );
  order.forEach((from, to) => {
    if (from === to) return;
    const target = rowAt(rows, row - 1 + to);
    old[from]?.forEach(({ value, formula, format }, index) => {
      const at = column - 1 + index;
      putValue(target, at, value);
      putFormula(target, at, formula && moved(formula, to - from));
      putFormat(target, at, format);
    });
  });
}
