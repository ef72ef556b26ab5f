// Applies a sheet's rules of conditional formatting to a cell. Pure functions.

import type { FormatRule } from './book-features';
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
    (rule) => rule.rectangles.some((each) => meet(each, cell)) && holds(rule, text),
  );
  if (holding.length === 0) return null;
  return Object.assign({}, ...holding.reverse().map(({ format }) => format));
}

/** Compares texts regardless of case, as Sheets does. Other conditions never hold here. */
function holds({ criteria, values }: FormatRule, text: string): boolean {
  const wanted = String(values[0] ?? '').toLowerCase();
  const shown = text.toLowerCase();
  switch (criteria) {
    case 'TEXT_EQUAL_TO':
      return shown === wanted;
    case 'TEXT_CONTAINS':
      return shown.includes(wanted);
    case 'TEXT_DOES_NOT_CONTAIN':
      return !shown.includes(wanted);
    case 'CELL_EMPTY':
      return shown === '';
    case 'CELL_NOT_EMPTY':
      return shown !== '';
    default:
      return false;
  }
}
