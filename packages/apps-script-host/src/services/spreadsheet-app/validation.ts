// Data validation, as a script makes it: a list of what a cell takes.

import type { PartOf } from '../../service';
import type { Choices } from './calls';
import { type Making, placeOf, type RangeHandle } from './making';

export interface ValidationHandle {
  readonly getCriteriaValues: () => unknown[];
  readonly getAllowInvalid: () => boolean;
}

/** Only lists that reject everything else are kept by the sheet; a warning stops nobody. */
export function choicesOf(rule: ValidationHandle | null): Choices | null {
  if (rule === null || rule.getAllowInvalid()) return null;
  const [values] = rule.getCriteriaValues();
  if (Array.isArray(values)) return { list: values.map(String) };
  return values ? { from: placeOf(values as RangeHandle) } : null;
}

export function validationBuilder({ guard }: Making): object {
  let [options, isInvalidAllowed] = [[] as readonly string[] | RangeHandle, true];
  const self: object = guard('DataValidationBuilder', {
    requireValueInList: (values: string[]) => {
      options = values.map(String);
      return self;
    },
    requireValueInRange: (range: RangeHandle) => {
      options = range;
      return self;
    },
    setAllowInvalid: (isAllowed: boolean) => {
      isInvalidAllowed = Boolean(isAllowed);
      return self;
    },
    build: () =>
      guard('DataValidation', {
        getCriteriaValues: () => [Array.isArray(options) ? [...options] : options, true],
        getAllowInvalid: () => isInvalidAllowed,
      } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidation>),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidationBuilder>);
  return self;
}
