// Replaces names of cells in a formula by their addresses.

import { toA1 } from './a1-notation';
import { featuresOf } from './book-features';
import type { SheetModel } from './model';

/**
 * Matches texts, sheet names and words that may be the name of cells, which are followed by neither
 * "(" nor "!".
 */
const WORD = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[A-Za-z_][\w.]*(?![\w.]*[(!])/g;

/** The formula with each name of cells replaced by their address. */
export function withNames(grid: SheetModel, formula: string): string {
  const names = featuresOf(grid).names();
  if (names.length === 0) return formula;
  const byName = new Map(names.map((each) => [each.name.toLowerCase(), each]));
  return formula.replace(WORD, (word) => {
    const named = byName.get(word.toLowerCase());
    if (named === undefined) return word;
    const sheet = grid.sheets().find(({ id }) => id === named.sheetId);
    if (!sheet || !named.rectangle) return '#REF!';
    const fixed = toA1(named.rectangle).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
    return `'${sheet.name.replaceAll("'", "''")}'!${fixed}`;
  });
}
