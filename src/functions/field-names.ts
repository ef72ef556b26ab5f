// The `fields` argument of a formula: which figures it shows, in which order.

import { cellsOf, isLeftOut } from '../analysis/cells';
import { readFieldNames } from '../analysis/field-values';
import { DEFAULT_FIELDS } from '../analysis/fields';

/** The names asked for, or the default ones when the argument is left out or blank. */
export function fieldNamesOf(fields: unknown): readonly string[] {
  if (isLeftOut(fields)) return DEFAULT_FIELDS;
  const names = readFieldNames(cellsOf(fields));
  return names.length === 0 ? DEFAULT_FIELDS : names;
}
