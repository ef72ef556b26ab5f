// What a filter by a condition hides, and what it tells of its criteria.

import { describe, expect, it } from '@jest/globals';
import { errorOn, gridOf, on } from './grid-script';

const DAY = (day: number) => new Date(Date.UTC(2026, 0, day, 13));
const CELLS = ['head', 'Apple', 'pear', 10, 25, '', DAY(5), DAY(6)];

const hiddenBy = (criteria: string) => `
  const filter = sheet.getRange('A1:A8').createFilter();
  filter.setColumnFilterCriteria(1, SpreadsheetApp.newFilterCriteria().${criteria}.build());
  return [1, 2, 3, 4, 5, 6, 7, 8].filter((row) => !sheet.isRowHiddenByFilter(row));`;

/** The host's clock begins on 5 January 2026. */
const shown = (criteria: string) => on(gridOf(CELLS.map((cell) => [cell])), hiddenBy(criteria));

describe('a filter', () => {
  it.each([
    ['whenCellEmpty()', [6]],
    ['whenCellNotEmpty()', [2, 3, 4, 5, 7, 8]],
    ["whenTextEqualTo('PEAR')", [3]],
    ["whenTextContains('p')", [2, 3]],
    ["whenTextDoesNotContain('p')", [4, 5, 6, 7, 8]],
    ["whenTextStartsWith('a')", [2]],
    ["whenTextEndsWith('LE')", [2]],
    ['whenNumberEqualTo(10)', [4]],
    ['whenNumberBetween(10, 25)', [4, 5]],
    ['whenNumberNotBetween(11, 50000)', [4]],
    ['whenNumberLessThan(25)', [4]],
    ['whenNumberLessThanOrEqualTo(25)', [4, 5]],
    ['whenDateEqualTo(new Date(2026, 0, 6))', [8]],
    ['whenDateAfter(new Date(2026, 0, 5))', [8]],
    ['whenDateBefore(SpreadsheetApp.RelativeDate.TOMORROW)', [7]],
    ['withCriteria(SpreadsheetApp.BooleanCriteria.NUMBER_GREATER_THAN, [24])', [5, 7, 8]],
    ["whenNumberGreaterThanOrEqualTo(0).setHiddenValues(['25'])", [4, 7, 8]],
  ])('by %s', async (criteria, expected) => {
    expect(await shown(criteria)).toEqual([1, ...expected]);
  });

  it('tells its criteria, with which another is built', async () => {
    const body = `
      const R = SpreadsheetApp.RelativeDate;
      const built = SpreadsheetApp.newFilterCriteria().whenDateAfter(R.TODAY).setHiddenValues(['x']);
      const filter = sheet.getRange('A1:B9').createFilter();
      filter.setColumnFilterCriteria(2, built.build());
      const told = filter.getColumnFilterCriteria(2);
      const copied = told.copy().whenCellEmpty().build();
      return [String(told.getCriteriaType()), told.getCriteriaValues()[0] === R.TODAY,
        told.getHiddenValues(), String(copied.getCriteriaType()), copied.getHiddenValues(),
        copied.getVisibleValues(), SpreadsheetApp.newFilterCriteria().build().getCriteriaType()];`;
    expect(await on(gridOf(), body)).toEqual([
      ...['DATE_AFTER_RELATIVE', true],
      ['x'],
      'CELL_EMPTY',
      ['x'],
      [],
      null,
    ]);
  });

  it('refuses by name what is not emulated', async () => {
    const formula = hiddenBy("whenFormulaSatisfied('=A1>1')");
    expect(await errorOn(gridOf(), formula)).toMatch(/filter by a formula is not emulated/);
    const period = hiddenBy('whenDateAfter(SpreadsheetApp.RelativeDate.PAST_WEEK)');
    expect(await errorOn(gridOf(), period)).toMatch(/PAST_WEEK is not emulated/);
  });
});
