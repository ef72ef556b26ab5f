// Data validation, as a script makes it and finds it: what a cell accepts.

import type { PartOf } from '../../service';
import { isDate } from '../../sheet/date-serial';
import type { CellValue } from '../../sheet/model';
import type { ValidationFacts } from './calls';
import type { ValidationCriteria } from './enums';
import { type Making, placeOf, type RangeHandle } from './making';

/** Reference of DataValidationBuilder.setAllowInvalid: a new rule only warns. */
const NO_RULE: ValidationFacts = {
  criteria: 'VALUE_IN_LIST',
  values: [],
  from: null,
  help: null,
  allowsInvalid: true,
};

const described = new WeakMap<object, ValidationFacts>();

/** The facts of a rule that a builder made. null: no rule. Throws for any other object. */
export function validationFacts(rule: unknown): ValidationFacts | null {
  if (rule === null || rule === undefined) return null;
  const facts = described.get(rule as object);
  if (!facts) throw new Error('A cell takes rules that were built, or that it was asked for.');
  return facts;
}

const asCell = (value: unknown): CellValue =>
  typeof value === 'number' || typeof value === 'boolean' || isDate(value)
    ? (value as CellValue)
    : String(value);

/** Members that a rule and its builder share. */
function telling({ range, validationCriteria }: Making, facts: () => ValidationFacts) {
  return {
    getAllowInvalid: () => facts().allowsInvalid,
    getCriteriaType: () => validationCriteria[facts().criteria],
    getCriteriaValues: () => {
      const { criteria, from, values } = facts();
      if (criteria === 'VALUE_IN_LIST') return [[...values], true];
      return from ? [range(from), true] : [...values];
    },
    getHelpText: () => facts().help,
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidation>;
}

export function validationOf(making: Making, facts: ValidationFacts): object {
  const rule = making.guard('DataValidation', {
    ...telling(making, () => facts),
    copy: () => validationBuilder(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidation>);
  described.set(rule, facts);
  return rule;
}

/** Builder members that each set one of the criteria, with the criteria's own arguments. */
const REQUIREMENTS = {
  requireDate: 'DATE_IS_VALID_DATE',
  requireDateAfter: 'DATE_AFTER',
  requireDateBefore: 'DATE_BEFORE',
  requireDateBetween: 'DATE_BETWEEN',
  requireDateEqualTo: 'DATE_EQUAL_TO',
  requireDateNotBetween: 'DATE_NOT_BETWEEN',
  requireDateOnOrAfter: 'DATE_ON_OR_AFTER',
  requireDateOnOrBefore: 'DATE_ON_OR_BEFORE',
  requireNumberBetween: 'NUMBER_BETWEEN',
  requireNumberEqualTo: 'NUMBER_EQUAL_TO',
  requireNumberGreaterThan: 'NUMBER_GREATER_THAN',
  requireNumberGreaterThanOrEqualTo: 'NUMBER_GREATER_THAN_OR_EQUAL_TO',
  requireNumberLessThan: 'NUMBER_LESS_THAN',
  requireNumberLessThanOrEqualTo: 'NUMBER_LESS_THAN_OR_EQUAL_TO',
  requireNumberNotBetween: 'NUMBER_NOT_BETWEEN',
  requireNumberNotEqualTo: 'NUMBER_NOT_EQUAL_TO',
  requireTextContains: 'TEXT_CONTAINS',
  requireTextDoesNotContain: 'TEXT_DOES_NOT_CONTAIN',
  requireTextEqualTo: 'TEXT_EQUAL_TO',
  requireTextIsEmail: 'TEXT_IS_VALID_EMAIL',
  requireTextIsUrl: 'TEXT_IS_VALID_URL',
} as const satisfies Readonly<Record<string, ValidationCriteria>>;

type Requirements = Readonly<Record<keyof typeof REQUIREMENTS, (...values: unknown[]) => unknown>>;

/** developers.google.com/apps-script/reference/spreadsheet/data-validation-builder */
export function validationBuilder(making: Making, from: ValidationFacts = NO_RULE): object {
  let facts = from;
  const change = (part: Partial<ValidationFacts>) => {
    facts = { ...facts, ...part };
    return self;
  };
  const takes = (criteria: ValidationCriteria, values: readonly unknown[]) =>
    change({ criteria, values: values.map(asCell), from: null });
  const requirements = Object.entries(REQUIREMENTS).map(
    ([name, criteria]) => [name, (...values: unknown[]) => takes(criteria, values)] as const,
  );
  const self: object = making.guard('DataValidationBuilder', {
    ...(Object.fromEntries(requirements) as Requirements),
    ...telling(making, () => facts),
    requireCheckbox: (
      checked: unknown = true,
      unchecked: unknown = checked === true ? false : '',
    ) => takes('CHECKBOX', [checked, unchecked]),
    requireValueInList: (values: string[]) => takes('VALUE_IN_LIST', values.map(String)),
    requireValueInRange: (range: RangeHandle) =>
      change({ criteria: 'VALUE_IN_RANGE', values: [], from: placeOf(range) }),
    setAllowInvalid: (isAllowed: boolean) => change({ allowsInvalid: Boolean(isAllowed) }),
    setHelpText: (help: string) => change({ help: String(help) }),
    copy: () => validationBuilder(making, facts),
    build: () => validationOf(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidationBuilder>);
  return self;
}
