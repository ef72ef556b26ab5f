// Finds a text in cells and replaces it, by the rules of TextFinder.

import type { Matrix } from '../../sheet/model';
import type { Search } from './calls';

export interface SearchedCells {
  readonly shown: Matrix<string>;
  readonly formulas: Matrix<string>;
}

export interface Replacement {
  readonly down: number;
  readonly right: number;
  readonly text: string;
}

/** TextFinder searches what cells show, and formulas only if it is told to. */
function searchedText({ shown, formulas }: SearchedCells, search: Search, place: Offset): string {
  const formula = formulas[place.down]?.[place.right] ?? '';
  if (formula !== '' && search.matchFormulaText) return formula;
  return shown[place.down]?.[place.right] ?? '';
}

interface Offset {
  readonly down: number;
  readonly right: number;
}

function patternOf({ text, matchCase, matchEntireCell }: Search): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const source = matchEntireCell ? `^(?:${literal})$` : literal;
  return new RegExp(source, matchCase ? 'g' : 'gi');
}

/** Searches row by row, from left to right. */
export function findIn(cells: SearchedCells, search: Search): Offset[] {
  if (search.text === '') return [];
  const pattern = patternOf(search);
  return cells.shown.flatMap((row, down) =>
    row.flatMap((_shown, right) => {
      const place = { down, right };
      return searchedText(cells, search, place).search(pattern) === -1 ? [] : [place];
    }),
  );
}

/** A formula's result cannot be replaced, so without matchFormulaText formulas stay unchanged. */
export function replaceIn(
  cells: SearchedCells,
  search: Search,
  replacement: string,
): { readonly count: number; readonly replaced: readonly Replacement[] } {
  const pattern = patternOf(search);
  let count = 0;
  const replaced = findIn(cells, search)
    .filter(({ down, right }) => search.matchFormulaText || !cells.formulas[down]?.[right])
    .map((place) => {
      const text = searchedText(cells, search, place).replace(pattern, () => {
        count += 1;
        return replacement;
      });
      return { ...place, text };
    });
  return { count, replaced };
}
