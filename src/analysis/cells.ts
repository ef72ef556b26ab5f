// Cells as formulas hand them over: one value or a grid, read into lists; and grids to hand back.

import { type Failure, fail } from './failure';

/** What a custom function may return for one cell; null leaves it blank. */
export type Cell = string | number | boolean | Date | null;

export type Grid = readonly (readonly unknown[])[];

/** More rows than any list we know of; a formula over more could not answer within its 30 s. */
export const FORMULA_CELLS_MAX = 5_000;

/** Whether an argument is a range of more than one cell. */
export function isRange(argument: unknown): argument is Grid {
  return Array.isArray(argument) && (argument.length > 1 || rowOf(argument[0]).length > 1);
}

/** The cells of an argument, row by row. */
export function cellsOf(argument: unknown): readonly unknown[] {
  return Array.isArray(argument) ? argument.flatMap(rowOf) : [argument];
}

/** Rows of a range come as arrays; a one-dimensional array counts as one column. */
function rowOf(row: unknown): readonly unknown[] {
  return Array.isArray(row) ? row : [row];
}

/** The only cell of an argument, or the first of a range. */
export function firstCell(argument: unknown): unknown {
  return cellsOf(argument)[0];
}

/** Whether an optional argument was left out or points to a blank cell. */
export function isLeftOut(argument: unknown): boolean {
  return cellsOf(argument).every((cell) => cell === undefined || cell === null || cell === '');
}

/**
 * An argument beside a list of products, one value for each of them: one for all, or one of its own.
 *
 * @param what it holds, in the plural.
 */
export function besideEach(
  argument: unknown,
  height: number,
  what: string,
): readonly unknown[] | Failure {
  const cells = isLeftOut(argument) ? [undefined] : cellsOf(argument);
  if (cells.length === 1) return Array<unknown>(height).fill(cells[0]);
  if (cells.length === height) return cells;
  const asins = height === 1 ? 'is 1 cell' : `are ${height} cells`;
  return fail({
    kind: 'bad-argument',
    what: `there ${asins} of ASINs, but ${cells.length} of ${what}`,
  });
}

/** Refuses ranges that no formula could answer in its time, saying the number. */
export function tooLarge(cells: readonly unknown[]): Failure | undefined {
  if (cells.length <= FORMULA_CELLS_MAX) return undefined;
  const [given, most] = [cells.length, FORMULA_CELLS_MAX].map((n) => n.toLocaleString('en-US'));
  return fail({
    kind: 'bad-argument',
    what: `the range has ${given} cells, and one formula can take ${most}. Use a smaller range`,
  });
}
