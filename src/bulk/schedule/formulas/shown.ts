// What formulas show at the moment, as far as it tells whether they got their figures.

import type { CellReader } from './cell-reader';
import type { FormulaCell } from './find';

interface Signs {
  /** Of the cell with the formula. */
  readonly first: RegExp;
  /** What any of its cells begins with: a list shows its failures in the rows of its products. */
  readonly any: string;
}

/** @param rows how many products it names. */
export function shows(
  { on, row, column }: FormulaCell,
  rows: number,
  cellsIn: CellReader,
  { first, any }: Signs,
): boolean {
  const to = { row: row + Math.max(1, rows) - 1, column };
  const shown = [cellsIn({ sheetName: null, from: { row, column }, to }, on)].flat(2).map(String);
  return first.test(shown[0] ?? '') || shown.some((one) => one.startsWith(any));
}
