// Data validation, as a script makes it: a list of what a cell takes.

import type { PartOf } from '../../service';
import type { CellValue } from '../../sheet/model';
import type { Making } from './making';

export interface ValidationHandle {
  readonly getCriteriaValues: () => unknown[];
  readonly getAllowInvalid: () => boolean;
}

/** Only lists that reject everything else are kept by the sheet; a warning stops nobody. */
export function optionsOf(rule: ValidationHandle | null): readonly CellValue[] | null {
  if (rule === null || rule.getAllowInvalid()) return null;
  const [values] = rule.getCriteriaValues();
  return Array.isArray(values) ? values.map(String) : null;
}

export function validationBuilder({ guard }: Making): object {
  let [options, isInvalidAllowed] = [[] as readonly string[], true];
  const self: object = guard('DataValidationBuilder', {
    requireValueInList: (values: string[]) => {
      options = values.map(String);
      return self;
    },
    setAllowInvalid: (isAllowed: boolean) => {
      isInvalidAllowed = Boolean(isAllowed);
      return self;
    },
    build: () =>
      guard('DataValidation', {
        getCriteriaValues: () => [[...options], true],
        getAllowInvalid: () => isInvalidAllowed,
      } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidation>),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidationBuilder>);
  return self;
}
