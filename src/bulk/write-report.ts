// What became of a write to the list.

import type { Failure } from '../analysis/failure';
import { runProblem } from './problem';
import { type Block, columnsOf, valueAt } from './view';

export interface WriteReport {
  /** Rows that hold their result now. */
  readonly placed: readonly number[];
  /** Rows were not where they had been, or columns: what is known of their places is out of date. */
  readonly hasMoved: boolean;
  /** Rows moved under the very writing: some may hold what belongs to others now. */
  readonly needsMending: boolean;
  /** Rows that were still themselves but took no values. */
  readonly refused: readonly number[];
  readonly kept: number;
  readonly problem?: Failure;
  /** The cell that turned its value down, "B12": nothing is written. */
  readonly rejected?: string;
}

export const NOTHING_WRITTEN = { placed: [], refused: [], kept: 0, needsMending: false };

export const gone = (title: string) => runProblem('columns-gone', title);

export const overwritten = (cells: string) => runProblem('overwritten', cells);

/** Of the rows whose result is not there, those of which nothing changed: they take no values. */
export function refusedOf(rows: readonly number[], back: Block, before: Block): readonly number[] {
  const text = (block: Block, row: number) =>
    columnsOf(before.area)
      .map((column) => String(valueAt(block, row, column)))
      .join('\u0001');
  return rows.filter((row) => text(back, row) === text(before, row));
}
