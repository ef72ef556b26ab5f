// =ANALYZE_FIELDS: the header row above a range of analyses.

import { fieldNamesOf } from '../product/arguments';
import { titleOfName } from '../product/fields';
import { orThrow } from './answer-cells';

/**
 * Gives the header row to put above =ANALYZE of a range: one title for each column.
 *
 * @param {"profit, roi"} fields Optional: the fields, as in =ANALYZE.
 * @return The titles, in one row. =ANALYZE reads them as names of figures.
 * @customfunction
 */
export function ANALYZE_FIELDS(fields?: unknown) {
  return [orThrow(fieldNamesOf(fields)).map(titleOfName)];
}
