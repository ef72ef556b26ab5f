// Dropdowns that reject other input: Google refuses a script's values, by the name of the first such cell.

import { expect, it } from '@jest/globals';
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

const BEYOND = { row: 5_000, column: 1, rowCount: 1, columnCount: 1 };
