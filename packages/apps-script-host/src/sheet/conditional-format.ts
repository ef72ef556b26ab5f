// Applies a sheet's rules of conditional formatting to a cell. Pure functions.

import type { FormatRule } from './book-features';
import { meets } from './conditions';
import { meet } from './rectangle';

/**
 * The formats of all rules that hold, where an earlier rule overrides a later one. null: none
 * holds.
 */
export function formatShown(
  rules: readonly FormatRule[],
  place: { readonly row: number; readonly column: number },
  text: string,
): FormatRule['format'] | null {
  const cell = { ...place, rowCount: 1, columnCount: 1 };
  const holding = rules.filter(
    (rule) => rule.rectangles.some((each) => meet(each, cell)) && isMet(rule, text),
  );
  if (holding.length === 0) return null;
  return Object.assign({}, ...holding.reverse().map(({ format }) => format));
}

/** Of the cell only the text is known here, so conditions on numbers and dates never hold. */
const isMet = ({ criteria, values }: FormatRule, text: string): boolean =>
  criteria !== null && meets({ criteria, values }, { text, value: text }, () => Number.NaN);
