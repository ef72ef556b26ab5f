// Conditions on a cell by the names of BooleanCriteria, as rules of format and filters take them.

import { type Making, wrongParameters } from './making';

type GoogleSheets = typeof GoogleAppsScript.Spreadsheet;

/** The members of BooleanCriteria with which a condition can be made here. */
export const BOOLEAN_CRITERIA: readonly (keyof GoogleSheets['BooleanCriteria'] & string)[] = [
  ...(['CELL_EMPTY', 'CELL_NOT_EMPTY', 'CUSTOM_FORMULA', 'DATE_AFTER', 'DATE_BEFORE'] as const),
  ...(['DATE_EQUAL_TO', 'NUMBER_BETWEEN', 'NUMBER_EQUAL_TO', 'NUMBER_GREATER_THAN'] as const),
  ...(['NUMBER_GREATER_THAN_OR_EQUAL_TO', 'NUMBER_LESS_THAN'] as const),
  ...(['NUMBER_LESS_THAN_OR_EQUAL_TO', 'NUMBER_NOT_BETWEEN', 'NUMBER_NOT_EQUAL_TO'] as const),
  ...(['TEXT_CONTAINS', 'TEXT_DOES_NOT_CONTAIN', 'TEXT_ENDS_WITH', 'TEXT_EQUAL_TO'] as const),
  ...(['TEXT_STARTS_WITH', 'DATE_AFTER_RELATIVE', 'DATE_BEFORE_RELATIVE'] as const),
  ...(['DATE_EQUAL_TO_RELATIVE'] as const),
];

/** Criteria by dates come in two forms: for a date, and for a day that moves. */
const RELATIVE_DATES = [
  ...(['TODAY', 'TOMORROW', 'YESTERDAY', 'PAST_WEEK', 'PAST_MONTH', 'PAST_YEAR'] as const),
] as const;

export type RelativeDates = Readonly<Record<(typeof RELATIVE_DATES)[number], object>>;

export const relativeDates = ({ enumeration }: Pick<Making, 'enumeration'>): RelativeDates =>
  enumeration<RelativeDates>('RelativeDate', RELATIVE_DATES);

/** The arguments of criteria as a script sees them. */
export function toldValues(
  making: Making,
  criteria: string | null,
  values: readonly unknown[],
): unknown[] {
  if (!criteria?.endsWith('_RELATIVE')) return [...values];
  return values.map((day) => making.relativeDates[day as keyof RelativeDates]);
}

/** The members of a builder that set its condition. */
export function whenMembers<Builder>(
  making: Making,
  builder: string,
  set: (criteria: string, values: readonly unknown[]) => Builder,
) {
  const when =
    (criteria: string) =>
    (...values: readonly unknown[]) =>
      set(criteria, values);
  const whenText = (criteria: string) => (text: string) => set(criteria, [String(text)]);
  const whenNumber = (criteria: string) => (number: number) => set(criteria, [number]);
  const whenNumbers = (criteria: string) => (start: number, end: number) =>
    set(criteria, [start, end]);
  const whenDate = (criteria: string) => (date: unknown) => {
    const day = RELATIVE_DATES.find((each) => making.relativeDates[each] === date);
    return day === undefined ? set(criteria, [date]) : set(`${criteria}_RELATIVE`, [day]);
  };
  return {
    whenFormulaSatisfied: whenText('CUSTOM_FORMULA'),
    whenTextEqualTo: whenText('TEXT_EQUAL_TO'),
    whenTextContains: whenText('TEXT_CONTAINS'),
    whenTextDoesNotContain: whenText('TEXT_DOES_NOT_CONTAIN'),
    whenTextStartsWith: whenText('TEXT_STARTS_WITH'),
    whenTextEndsWith: whenText('TEXT_ENDS_WITH'),
    whenNumberEqualTo: whenNumber('NUMBER_EQUAL_TO'),
    whenNumberNotEqualTo: whenNumber('NUMBER_NOT_EQUAL_TO'),
    whenNumberLessThan: whenNumber('NUMBER_LESS_THAN'),
    whenNumberLessThanOrEqualTo: whenNumber('NUMBER_LESS_THAN_OR_EQUAL_TO'),
    whenNumberGreaterThan: whenNumber('NUMBER_GREATER_THAN'),
    whenNumberGreaterThanOrEqualTo: whenNumber('NUMBER_GREATER_THAN_OR_EQUAL_TO'),
    whenNumberBetween: whenNumbers('NUMBER_BETWEEN'),
    whenNumberNotBetween: whenNumbers('NUMBER_NOT_BETWEEN'),
    whenDateAfter: whenDate('DATE_AFTER'),
    whenDateBefore: whenDate('DATE_BEFORE'),
    whenDateEqualTo: whenDate('DATE_EQUAL_TO'),
    whenCellEmpty: when('CELL_EMPTY'),
    whenCellNotEmpty: when('CELL_NOT_EMPTY'),
    withCriteria: (criteria: unknown, args: unknown[]) => {
      const name = BOOLEAN_CRITERIA.find((each) => making.booleanCriteria[each] === criteria);
      if (name === undefined)
        throw wrongParameters(making, `${builder}.withCriteria`, [criteria, args]);
      if (!name.endsWith('_RELATIVE')) return set(name, args);
      return whenDate(name.replace('_RELATIVE', ''))(args[0]);
    },
  };
}
