// Data validation, as a script makes it and finds it: what a cell accepts.

import type { PartOf } from '../../service';
import { isDate } from '../../sheet/date-serial';
import type { CellValue } from '../../sheet/model';
import type { ValidationFacts } from './calls';
import type { ValidationCriteria } from './enums';
import { type Making, placeOf, type RangeHandle, wrongParameters } from './making';

/** Reference of DataValidationBuilder.setAllowInvalid: a new rule only warns. */
const NO_RULE: ValidationFacts = {
  criteria: null,
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
    getCriteriaType: () => {
      const { criteria } = facts();
      return criteria && validationCriteria[criteria];
    },
    getCriteriaValues: () => {
      const { criteria, from, values, isListHidden = false } = facts();
      if (criteria === 'VALUE_IN_LIST') return [[...values], !isListHidden];
      return from ? [range(from), !isListHidden] : [...values];
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
    change({ criteria, values: values.map(asCell), from: null, isListHidden: false });
  const requirements = Object.entries(REQUIREMENTS).map(
    ([name, criteria]) => [name, (...values: unknown[]) => takes(criteria, values)] as const,
  );
  const self: object = making.guard('DataValidationBuilder', {
    ...(Object.fromEntries(requirements) as Requirements),
    ...telling(making, () => facts),
    requireCheckbox: (...values: unknown[]) => takes('CHECKBOX', values),
    requireFormulaSatisfied: (formula: string) => takes('CUSTOM_FORMULA', [formula]),
    requireValueInList: (values: string[], isListShown = true) => {
      takes('VALUE_IN_LIST', values.map(String));
      return change({ isListHidden: !isListShown });
    },
    requireValueInRange: (range: RangeHandle, isListShown = true) =>
      change({
        criteria: 'VALUE_IN_RANGE',
        values: [],
        from: placeOf(range),
        isListHidden: !isListShown,
      }),
    withCriteria: (criteria: unknown, args: unknown[]) => {
      const [name] =
        Object.entries(making.validationCriteria).find(([, one]) => one === criteria) ?? [];
      if (name === undefined)
        throw wrongParameters(making, 'DataValidationBuilder.withCriteria', [criteria, args]);
      const [first, isListShown = true] = args;
      if (name === 'VALUE_IN_LIST' || name === 'VALUE_IN_RANGE') {
        change({
          criteria: name,
          values: name === 'VALUE_IN_LIST' ? (first as unknown[]).map(String) : [],
          from: name === 'VALUE_IN_RANGE' ? placeOf(first as RangeHandle) : null,
          isListHidden: !isListShown,
        });
        return self;
      }
      return takes(name as ValidationCriteria, args);
    },
    setAllowInvalid: (isAllowed: boolean) => change({ allowsInvalid: Boolean(isAllowed) }),
    setHelpText: (help: string) => change({ help: String(help) }),
    copy: () => validationBuilder(making, facts),
    build: () => validationOf(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.DataValidationBuilder>);
  return self;
}
