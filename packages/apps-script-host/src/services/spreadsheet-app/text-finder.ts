// TextFinder: finds and replaces a text in cells, as shown or in formulas.

import type { PartOf } from '../../service';
import type { Place, Search, SearchScope } from './calls';
import type { Making } from './making';

export function textFinderOf(making: Making, scope: SearchScope, text: string): object {
  let search: Search = {
    text,
    matchCase: false,
    matchEntireCell: false,
    matchFormulaText: false,
  };
  let rest: Place[] | null = null;
  const chain = (change: Partial<Search>) => {
    search = { ...search, ...change };
    return self;
  };
  const findAll = () => [...making.call('spreadsheet.read.findAll', scope, search)];
  const self: object = making.guard('TextFinder', {
    matchCase: (matchCase: boolean) => chain({ matchCase: Boolean(matchCase) }),
    matchEntireCell: (matchEntireCell: boolean) =>
      chain({ matchEntireCell: Boolean(matchEntireCell) }),
    matchFormulaText: (matchFormulaText: boolean) =>
      chain({ matchFormulaText: Boolean(matchFormulaText) }),
    findAll: () => findAll().map(making.range),
    findNext: () => {
      rest ??= findAll();
      const next = rest.shift();
      return next ? making.range(next) : null;
    },
    replaceAllWith: (replacement: string) =>
      making.call('spreadsheet.write.replaceAllWith', scope, search, String(replacement)),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.TextFinder>);
  return self;
}
