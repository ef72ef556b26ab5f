// Dropdowns that reject other input: Google refuses a script's values, by the name of the first such cell.

import { describe, expect, it } from '@jest/globals';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

function grid() {
  const made = gridOf([
    ['ASIN', 'Buy'],
    ['B1', ''],
    ['B2', ''],
  ]);
  const rectangle = { row: 2, column: 2, rowCount: 2, columnCount: 1 };
  made.setDropdowns(0, [{ rectangle, options: ['yes', true] }]);
  return made;
}

it('names the cell when the write is met, and writes nothing of it', async () => {
  const sheet = grid();
  const write = "sheet.getRange('A2:B3').setValues([['X', 'yes'], ['Y', 'no']]);";
  const error = await on(
    sheet,
    `${write} try { sheet.getRange('A1').getValue(); } catch (error) { return error.message; }`,
  );
  const text =
    'The data you entered in cell B3 violates the data validation rules set on this cell.';
  expect(error).toBe(text);
  expect(contentsOf(sheet)[2]).toEqual(['B2', '']);
});

it.each(["'yes'", 'true', "''"])('takes %s', async (value) => {
  const write = `sheet.getRange('B2').setValue(${value}); SpreadsheetApp.flush();`;
  expect(await errorOn(grid(), write)).toBeUndefined();
});

it('moves along with rows and columns', async () => {
  const sheet = grid();
  sheet.insertRows(0, 2, 1);
  sheet.insertColumns(0, 1, 1);
  const into = (cell: string) => `sheet.getRange('${cell}').setValue(1); SpreadsheetApp.flush();`;
  expect(await errorOn(sheet, into('C2'))).toBeUndefined();
  expect(await errorOn(sheet, into('C3'))).toContain('cell C3');
  expect(() => sheet.setDropdowns(0, [{ rectangle: { ...BEYOND }, options: [] }])).toThrow();
});

it('is made, replaced and taken away by a script, as the reference of DataValidationBuilder says', async () => {
  const sheet = grid();
  const rule = (values: string, more = '.setAllowInvalid(false)') =>
    `SpreadsheetApp.newDataValidation().requireValueInList(${values})${more}.build()`;
  const set = (cell: string, made: string) =>
    `sheet.getRange('${cell}').setDataValidation(${made});`;
  const type = (cell: string, text: string) =>
    `sheet.getRange('${cell}').setValue('${text}'); SpreadsheetApp.flush();`;
  expect(await errorOn(sheet, set('A2', rule("['a', 'b']")) + type('A2', 'b'))).toBeUndefined();
  expect(await errorOn(sheet, type('A2', 'c'))).toContain('cell A2');
  expect(await errorOn(sheet, type('B2', 'no'))).toContain('cell B2');
  expect(await errorOn(sheet, set('A2', rule("['c']")) + type('A2', 'c'))).toBeUndefined();
  // Left as it is, a rule warns and rejects nothing.
  expect(await errorOn(sheet, set('B2', rule("['x']", '')) + type('B2', 'no'))).toBeUndefined();
  expect(await errorOn(sheet, set('A2', 'null') + type('A2', 'anything'))).toBeUndefined();
});

it.each([
  ['requireNumberBetween(1, 10)', '5', '11'],
  ['requireNumberGreaterThanOrEqualTo(3)', '3', '2.9'],
  ['requireNumberNotEqualTo(0)', '1', '0'],
  ["requireTextContains('@')", "'a@b'", "'ab'"],
  ['requireTextIsEmail()', "'ann@example.com'", "'ann@example'"],
  ['requireTextIsUrl()', "'https://shop.example/1'", "'no address'"],
  ["requireDateAfter(new Date('2026-01-01'))", "new Date('2026-01-02')", "new Date('2025-12-31')"],
  ['requireDate()', "new Date('2026-01-02')", "'soon'"],
  ['requireCheckbox()', 'true', "'true-ish'"],
  ["requireCheckbox('yes', 'no')", "'no'", "'maybe'"],
])('%s takes %s and not %s', async (requirement, taken, refused) => {
  const write = (value: string) => `
    const rule = SpreadsheetApp.newDataValidation().${requirement}.setAllowInvalid(false).build();
    sheet.getRange('A1').setDataValidation(rule).setValue(${value});
    SpreadsheetApp.flush();`;
  expect(await errorOn(gridOf(), write(taken))).toBeUndefined();
  expect(await errorOn(gridOf(), write(refused))).toContain('cell A1');
});

it('is told again as it was made, also a rule that only warns', async () => {
  const body = `const { DataValidationCriteria } = SpreadsheetApp;
    const rule = SpreadsheetApp.newDataValidation().requireNumberBetween(1, 9).setHelpText('1 to 9').build();
    sheet.getRange('A1:B2').setDataValidation(rule);
    sheet.getRange('B1').clearDataValidations();
    sheet.getRange('A3:B3').setDataValidations([[rule.copy().requireValueInList(['a', 'b']).build(), null]]);
    const found = sheet.getRange('A1').getDataValidation();
    return [
      found.getCriteriaType() === DataValidationCriteria.NUMBER_BETWEEN,
      found.getCriteriaValues(), found.getHelpText(), found.getAllowInvalid(),
      sheet.getRange('A1:B2').getDataValidations().map((row) => row.map((each) => each !== null)),
      sheet.getRange('A3').getDataValidation().getCriteriaValues(), sheet.getRange('B3').getDataValidation()];`;
  expect(await on(gridOf(), body)).toEqual([
    ...[true, [1, 9], '1 to 9', true],
    [
      [true, false],
      [true, true],
    ],
    [['a', 'b'], true],
    null,
  ]);
});

describe('checkboxes', () => {
  it('come unticked, are ticked and not, and leave with their values', async () => {
    const body = `const boxes = sheet.getRange('A1:A2').insertCheckboxes();
      const fresh = [boxes.getValues(), boxes.isChecked()];
      sheet.getRange('A1').check();
      const mixed = boxes.isChecked();
      boxes.check();
      const all = boxes.isChecked();
      boxes.uncheck().check();
      sheet.getRange('A2').removeCheckboxes();
      return [fresh, mixed, all, boxes.getValues(), sheet.getRange('A2').isChecked()];`;
    const unticked = [[false], [false]];
    expect(await on(gridOf(), body)).toEqual([[unticked, false], null, true, [[true], ['']], null]);
  });

  it('may have words of their own, and others in their cells stay', async () => {
    const body = `sheet.getRange('A1:A2').insertCheckboxes('yes', 'no');
      sheet.getRange('A2').clearDataValidations().setValue('other');
      sheet.getRange('A1:A2').check();
      return sheet.getRange('A1:A2').getValues();`;
    expect(await on(gridOf(), body)).toEqual([['yes'], ['other']]);
  });
});

const BEYOND = { row: 5_000, column: 1, rowCount: 1, columnCount: 1 };

it('tells of its rule what it was given, and whether a list is offered', async () => {
  const script = `const made = (build) => {
      const cell = sheet.getRange('D1');
      cell.setDataValidation(build(SpreadsheetApp.newDataValidation()).build());
      return cell.getDataValidation().getCriteriaValues();
    };
    const fresh = SpreadsheetApp.newDataValidation();
    const { VALUE_IN_LIST, NUMBER_BETWEEN } = SpreadsheetApp.DataValidationCriteria;
    return [fresh.getCriteriaType(), fresh.getCriteriaValues(),
      made((one) => one.requireCheckbox()), made((one) => one.requireCheckbox('A')),
      made((one) => one.requireValueInList([1, 'b'], false)),
      made((one) => one.requireValueInList(['a'])),
      made((one) => one.requireValueInRange(sheet.getRange('A1:A2'), false))[1],
      made((one) => one.withCriteria(VALUE_IN_LIST, [['x'], false])),
      made((one) => one.withCriteria(NUMBER_BETWEEN, [1, 2])),
      made((one) => one.requireFormulaSatisfied('=A1>1'))];`;
  expect(await on(gridOf(), script)).toEqual([
    null,
    [],
    [],
    ['A'],
    [['1', 'b'], false],
    [['a'], true],
    false,
    [['x'], false],
    [1, 2],
    ['=A1>1'],
  ]);
});

it('ticks a box by its own values, also where only one was given', async () => {
  const script = `const box = sheet.getRange('D1').insertCheckboxes('A');
    const before = box.getValue();
    box.check();
    return [before, box.getValue(), sheet.getRange('E1').insertCheckboxes().getValue()];`;
  expect(await on(gridOf(), script)).toEqual(['', 'A', false]);
});
