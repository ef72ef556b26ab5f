// =ANALYZE_ASIN: the clean ASIN of a cell's content, without a call.

import { isFailure } from '../failures/failure';
import { cellText } from '../failures/failure-words';
import { type Cell, cellsOf, isRange, tooLarge } from '../product/arguments';
import { isBlank, readAsin } from '../product/asin';
import { needProduct, orThrow, throwFailure } from './answer-cells';

/**
 * Gives the clean ASIN of a link, an ISBN, or a code with spaces, dashes or lost zeros. Makes no call.
 *
 * @param {A2} text The cell or range to read.
 * @return The ASIN, or one for each row.
 * @customfunction
 */
export function ANALYZE_ASIN(text: unknown) {
  needProduct(text, 'Name its cell, as in =ANALYZE_ASIN(A2)');
  const cells = cellsOf(text);
  const large = tooLarge(cells);
  if (large !== undefined) throwFailure(large);
  return isRange(text) ? cells.map((cell) => [asinText(cell)]) : singleAsin(cells[0]);
}

function singleAsin(cell: unknown): Cell {
  if (isBlank(cell)) return null;
  return orThrow(readAsin(cell)).asin;
}

function asinText(cell: unknown): Cell {
  if (isBlank(cell)) return null;
  const reading = readAsin(cell);
  return isFailure(reading) ? cellText(reading) : reading.asin;
}
