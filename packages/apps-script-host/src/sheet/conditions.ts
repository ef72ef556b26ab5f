// Whether a cell meets a condition of a filter or of a rule of format. Pure functions.

import { isDate } from './date-serial';
import type { CellValue } from './model';

export interface Condition {
  /** A member of SpreadsheetApp.BooleanCriteria. */
  readonly criteria: string;
  /** The arguments of the criteria, such as bounds or texts. */
  readonly values: readonly unknown[];
  /** The day that a criterion of dates means, as a serial number. */
  readonly day?: number;
}

export interface ShownCell {
  readonly value: CellValue;
  /** As the cell displays it. */
  readonly text: string;
}

/** Texts are compared regardless of case, as Sheets does. */
const TEXTS: Readonly<Record<string, (shown: string, wanted: string) => boolean>> = {
  CELL_EMPTY: (shown) => shown === '',
  CELL_NOT_EMPTY: (shown) => shown !== '',
  TEXT_EQUAL_TO: (shown, wanted) => shown === wanted,
  TEXT_CONTAINS: (shown, wanted) => shown.includes(wanted),
  TEXT_DOES_NOT_CONTAIN: (shown, wanted) => !shown.includes(wanted),
  TEXT_STARTS_WITH: (shown, wanted) => shown.startsWith(wanted),
  TEXT_ENDS_WITH: (shown, wanted) => shown.endsWith(wanted),
};

type Compare = (number: number, bounds: readonly [number, number]) => boolean;

const NUMBERS: Readonly<Record<string, Compare>> = {
  NUMBER_EQUAL_TO: (number, [bound]) => number === bound,
  NUMBER_NOT_EQUAL_TO: (number, [bound]) => number !== bound,
  NUMBER_GREATER_THAN: (number, [bound]) => number > bound,
  NUMBER_GREATER_THAN_OR_EQUAL_TO: (number, [bound]) => number >= bound,
  NUMBER_LESS_THAN: (number, [bound]) => number < bound,
  NUMBER_LESS_THAN_OR_EQUAL_TO: (number, [bound]) => number <= bound,
  NUMBER_BETWEEN: (number, [low, high]) => number >= low && number <= high,
  NUMBER_NOT_BETWEEN: (number, [low, high]) => number < low || number > high,
};

const DAYS: Readonly<Record<string, (day: number, wanted: number) => boolean>> = {
  DATE_AFTER: (day, wanted) => day > wanted,
  DATE_BEFORE: (day, wanted) => day < wanted,
  DATE_EQUAL_TO: (day, wanted) => day === wanted,
};

/** "Shows cells with a number …", "with dates …": other cells meet no criterion of these. */
export function meets(
  condition: Condition,
  { value, text }: ShownCell,
  toSerial: (date: Date) => number,
): boolean {
  const { criteria, values, day } = condition;
  const ofText = TEXTS[criteria];
  if (ofText) return ofText(text.toLowerCase(), String(values[0] ?? '').toLowerCase());
  const serial = isDate(value) ? toSerial(value) : value;
  if (typeof serial !== 'number') return false;
  const [low = 0, high = 0] = values.map(Number);
  const ofNumber = NUMBERS[criteria];
  if (ofNumber) return ofNumber(serial, [low, high]);
  const ofDay = DAYS[criteria.replace(/_RELATIVE$/, '')];
  return (
    ofDay !== undefined && isDate(value) && day !== undefined && ofDay(Math.floor(serial), day)
  );
}
