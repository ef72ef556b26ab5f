// Finds a text in cells and replaces it, by the rules of TextFinder.

import { say } from '../../messages';
import { ServiceException } from '../../service';
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

const withoutMarks = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '');

interface Offset {
  readonly down: number;
  readonly right: number;
}

function patternOf(search: Search): RegExp {
  const { text, matchCase, matchEntireCell, ignoreDiacritics, isPattern } = search;
  const wanted = ignoreDiacritics ? withoutMarks(text) : text;
  const inner = isPattern ? wanted : wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const source = matchEntireCell ? `^(?:${inner})$` : inner;
  try {
    return new RegExp(source, matchCase ? 'g' : 'gi');
  } catch {
    throw new ServiceException(say('invalid-argument', text));
  }
}

/** Searches row by row, from left to right. */
export function findIn(cells: SearchedCells, search: Search): Offset[] {
  if (search.text === '') return [];
  const pattern = patternOf(search);
  return cells.shown.flatMap((row, down) =>
    row.flatMap((_shown, right) => {
      const place = { down, right };
      const text = searchedText(cells, search, place);
      const compared = search.ignoreDiacritics ? withoutMarks(text) : text;
      return compared.search(pattern) === -1 ? [] : [place];
    }),
  );
}

/** A formula's result cannot be replaced, so without matchFormulaText formulas stay unchanged. */
export function replaceIn(
  cells: SearchedCells,
  search: Search,
  replacement: string,
): { readonly count: number; readonly replaced: readonly Replacement[] } {
  if (search.ignoreDiacritics)
    throw new ServiceException('Replacing regardless of diacritics is not emulated');
  const pattern = patternOf(search);
  let count = 0;
  const replaced = findIn(cells, search)
    .filter(({ down, right }) => search.matchFormulaText || !cells.formulas[down]?.[right])
    .map((place) => {
      const found = searchedText(cells, search, place);
      count += found.match(pattern)?.length ?? 0;
      const text = search.isPattern
        ? found.replace(pattern, replacement)
        : found.replace(pattern, () => replacement);
      return { ...place, text };
    });
  return { count, replaced };
}
