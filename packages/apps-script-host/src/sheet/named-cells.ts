// Replaces names of cells in a formula by their addresses.

import { toA1 } from './a1-notation';
import { featuresOf } from './book-features';
import type { SheetModel } from './model';

/**
 * Matches texts, sheet names and words that may be the name of cells, which are followed by neither
 * "(" nor "!".
 */
const WORD = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[A-Za-z_][\w.]*(?![\w.]*[(!])/g;

/** Puts something in the place of each name in a formula; undefined: the word is no name. */
export const replaceNames = (formula: string, put: (name: string) => string | undefined): string =>
  formula.replace(WORD, (word) => put(word) ?? word);

/** Whether a formula has one of these names, which are in lower case. */
export function hasName(formula: string, names: readonly string[]): boolean {
  const all = new Set(names);
  let isFound = false;
  replaceNames(formula, (word) => {
    isFound ||= all.has(word.toLowerCase());
    return undefined;
  });
  return isFound;
}

/** The formula with each name of cells replaced by their address. */
export function withNames(grid: SheetModel, formula: string): string {
  const names = featuresOf(grid).names();
  if (names.length === 0) return formula;
  const byName = new Map(names.map((each) => [each.name.toLowerCase(), each]));
  return replaceNames(formula, (word) => {
    const named = byName.get(word.toLowerCase());
    if (named === undefined) return undefined;
    const sheet = grid.sheets().find(({ id }) => id === named.sheetId);
    if (!sheet || !named.rectangle) return '#REF!';
    const fixed = toA1(named.rectangle).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
    return `'${sheet.name.replaceAll("'", "''")}'!${fixed}`;
  });
}
