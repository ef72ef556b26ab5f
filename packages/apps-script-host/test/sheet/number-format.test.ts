// What cells show by their number format: figures, signs, scales, dates and times.

import { expect, it } from '@jest/globals';
import { displayText, isDateFormat } from '../../src/sheet/number-format';

it.each<[string | number | boolean, string, string]>([
  [0.1 + 0.2, 'General', '0.3'],
  [-12.5, '@', '-12.5'],
  [5, '000', '005'],
  [0.5, '#.##', '0.5'],
  [1234567.891, '#,##0.0#', '1,234,567.89'],
  [2, '0.0##', '2.0'],
  [-0.256, '0%', '-26%'],
  [-1234, '#,##0;(#,##0)', '(1,234)'],
  [0, '0.00;-0.00;"none"', 'none'],
  [3, '0 "items; all"', '3 items; all'],
  [3, '\\x0[red]', 'x3'],
  [1234.5, '[$€]0.00', '€1234.50'],
  [123456, '0.00E+00', '1.23E+05'],
  [0.00123, '0.0E+0', '1.2E-3'],
  [false, '0.00', 'FALSE'],
  ['12', '0.00', '12'],
])('shows %p by %p as %p', (value, format, shown) => {
  expect(displayText(value, format)).toBe(shown);
});

/** Thursday 5 March 2026, 14:07:09.250. */
const MOMENT = 46086 + (14 * 3_600 + 7 * 60 + 9.25) / 86_400;

it.each([
  ['d/m/yy', '5/3/26'],
  ['dddd, d mmmm yyyy', 'Thursday, 5 March 2026'],
  ['ddd dd-mmm', 'Thu 05-Mar'],
  ['hh:mm:ss.000', '14:07:09.250'],
  ['h:mm am/pm', '2:07 PM'],
  ['mm:ss', '07:09'],
  ['yyyy-mm-dd"T"hh:mm', '2026-03-05T14:07'],
])('shows a moment by %p as %p', (format, shown) => {
  expect(displayText(MOMENT, format)).toBe(shown);
});

it.each([
  ['yyyy-mm-dd', true],
  ['h:mm', true],
  ['[h]:mm', true],
  ['General', false],
  ['@', false],
  ['0.00', false],
  ['"days" 0', false],
  ['[$USD] 0.00', false],
])('knows whether %p makes a date: %p', (format, answer) => {
  expect(isDateFormat(format)).toBe(answer);
});
