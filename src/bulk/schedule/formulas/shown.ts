// What formulas show at the moment, as far as it tells whether they got their figures.

import { FAILURE_PREFIX } from '../../../analysis/failure';
import type { CellReader } from './cell-reader';
import type { FormulaCell } from './find';
import { callsIn } from './formula-text';
import { literalText } from './refresh-argument';

interface Signs {
  /** Of the cell with the formula. */
  readonly first: RegExp;
  /** What any of its cells begins with: a list shows its failures in the rows of its products. */
  readonly any: string;
}

/** What cells show that got no figures, beside the words for one. */
export const NO_FIGURES: Signs = { first: /^(#|Loading)/, any: FAILURE_PREFIX };
const NO_FIGURES_OR_BLANK: Signs = { ...NO_FIGURES, first: /^(#.*|Loading.*)?$/s };

/** Also where IFERROR shows something else in place of the error. @param rows as below. */
export function lacksFigures(cell: FormulaCell, rows: number, cellsIn: CellReader): boolean {
  const { row, column } = cell;
  const shown = String(cellsIn({ sheetName: null, from: { row, column }, to: null }, cell.on));
  const isInstead = callsIn(cell.formula).some(({ name, args: [, instead] }) => {
    const text = instead?.text ?? '';
    return /^IF(ERROR|NA)$/.test(name) && (literalText(text) ?? text) === shown;
  });
  return isInstead || shows(cell, rows, cellsIn, NO_FIGURES_OR_BLANK);
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
