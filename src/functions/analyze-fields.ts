// =ANALYZE_FIELDS: the header row above a range of analyses.

import { fieldNamesOf } from '../product/arguments';
import { orThrow } from './answer-cells';

/**
 * Gives the header row to put above =ANALYZE of a range: one name for each column.
 *
 * @param {"profit, roi"} fields Optional: the fields, as in =ANALYZE.
 * @return The names, in one row.
 * @customfunction
 */
export function ANALYZE_FIELDS(fields?: unknown) {
  return [orThrow(fieldNamesOf(fields))];
}
