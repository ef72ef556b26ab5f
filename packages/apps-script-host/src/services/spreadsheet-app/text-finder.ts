// TextFinder: finds and replaces a text in cells, as shown or in formulas.

import type { PartOf } from '../../service';
import type { Place, Search, SearchScope } from './calls';
import { type Making, placeOf, type RangeHandle } from './making';

export function textFinderOf(making: Making, scope: SearchScope, text: string): object {
  const { call, range } = making;
  let search: Search = {
    ...{ text, matchCase: false, matchEntireCell: false, matchFormulaText: false },
    ...{ ignoreDiacritics: false, isPattern: false },
  };
  let start: Place | null = null;
  /** The matches, once the script goes from one to the next, and the place of the current one. */
  let found: readonly Place[] | null = null;
  let at = -1;
  const chain = (change: Partial<Search>) => {
    search = { ...search, ...change };
    found = null;
    return self;
  };
  const findAll = () => [...call('spreadsheet.read.findAll', scope, search)];
  const isAfterStart = (place: Place) => {
    if (start === null || place.sheetId !== start.sheetId) return true;
    const [row, column] = [start.row + start.rowCount - 1, start.column + start.columnCount - 1];
    return place.row > row || (place.row === row && place.column > column);
  };
  const go = (by: 1 | -1) => {
    if (found === null) {
      found = findAll();
      const first = found.findIndex(isAfterStart);
      const next = start === null ? 0 : first < 0 ? found.length : first;
      at = by === 1 ? next : next - 1;
    } else at = Math.min(Math.max(at + by, -1), found.length);
    return current();
  };
  const current = () => {
    const place = found?.[at];
    return place ? range(place) : null;
  };
  const self: object = making.guard('TextFinder', {
    matchCase: (is: boolean) => chain({ matchCase: Boolean(is) }),
    matchEntireCell: (is: boolean) => chain({ matchEntireCell: Boolean(is) }),
    matchFormulaText: (is: boolean) => chain({ matchFormulaText: Boolean(is) }),
    ignoreDiacritics: (is: boolean) => chain({ ignoreDiacritics: Boolean(is) }),
    useRegularExpression: (is: boolean) => chain({ isPattern: Boolean(is) }),
    startFrom: (place: RangeHandle) => {
      start = placeOf(place);
      return chain({});
    },
    findAll: () => findAll().map(range),
    findNext: () => go(1),
    findPrevious: () => go(-1),
    getCurrentMatch: current,
    replaceWith: (replacement: string) => {
      const place = found?.[at];
      if (!place) return 0;
      const cell: SearchScope = { in: 'range', place };
      return call('spreadsheet.write.replaceAllWith', cell, search, String(replacement));
    },
    replaceAllWith: (replacement: string) =>
      call('spreadsheet.write.replaceAllWith', scope, search, String(replacement)),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.TextFinder>);
  return self;
}
