// Range: where it is, what it reads, and which ranges are refused.

import { describe, expect, it } from '@jest/globals';
import { errorOn, gridOf, on } from './grid-script';

describe('a range', () => {
  it('gives values as the sheet keeps them, blank cells as empty texts', async () => {
    const day = new Date('2026-01-05T00:00:00Z');
    const grid = gridOf([
      ['B00005N5PF', 12.5, true],
      [day, '', '#N/A'],
    ]);
    const body = `
      const values = sheet.getDataRange().getValues();
      return [values, values[1][0] instanceof Date, sheet.getRange('B1').getValue()];`;
    const cells = [
      ['B00005N5PF', 12.5, true],
      [day, '', '#N/A'],
    ];
    expect(await on(grid, body)).toEqual([cells, true, 12.5]);
  });

  it('gives what is shown, formulas and formats', async () => {
    const grid = gridOf([[1234.5, { formula: '=A1*2' }]]);
    grid.setNumberFormats(0, 1, 1, [['#,##0.00']]);
    grid.setComputed(0, 1, 2, 2469);
    const body = `
      const range = sheet.getRange(1, 1, 1, 2);
      return [range.getDisplayValues(), range.getFormulas(), range.getNumberFormats(),
        range.getDisplayValue(), range.getFormula(), range.getNumberFormat(), range.getValues()];`;
    expect(await on(grid, body)).toEqual([
      [['1,234.50', '2469']],
      [['', '=A1*2']],
      [['#,##0.00', '0.###############']],
      '1,234.50',
      '',
      '#,##0.00',
      [[1234.5, 2469]],
    ]);
  });

  it('knows where it is', async () => {
    const body = `
      const range = sheet.getRange(2, 3, 4, 5);
      const beside = range.offset(1, -1, 2, 2);
      return [range.getRow(), range.getColumn(), range.getLastRow(), range.getLastColumn(),
        range.getNumRows(), range.getNumColumns(), range.getA1Notation(),
        range.getSheet().getName(), beside.getA1Notation(), range.getCell(4, 5).getA1Notation()];`;
    expect(await on(gridOf(), body)).toEqual([2, 3, 5, 7, 4, 5, 'C2:G5', 'List', 'B3:C4', 'G5']);
  });

  it.each([
    ["'B2'", 'B2'],
    ["'$b$2:d4'", 'B2:D4'],
    ["'D4:B2'", 'B2:D4'],
    // What an address leaves open stays open.
    ["'C:D'", 'C:D'],
    ["'C5:C'", 'C5:C'],
    ["'3:2'", '2:3'],
    ["'R5C3'", 'C5'],
    ["'r10c5:R1C2'", 'B1:E10'],
    ['"List!R1C1:R2C2"', 'A1:B2'],
    ['"List!A1"', 'A1'],
    ['2, 27 - 1', 'Z2'],
    ['1000, 26, 1, 1', 'Z1000'],
  ])('is found by getRange(%s)', async (args, notation) => {
    expect(await on(gridOf(), `return sheet.getRange(${args}).getA1Notation()`)).toBe(notation);
  });

  it('knows which of its ends are bound to a row or column', async () => {
    const body = `return ['C:D', 'C5:C', '2:3', 'B2'].map((at) => {
      const range = sheet.getRange(at);
      return [range.isStartRowBounded(), range.isEndRowBounded(), range.isStartColumnBounded(),
        range.isEndColumnBounded(), range.getNumRows() * range.getNumColumns()];
    });`;
    expect(await on(gridOf(), body)).toEqual([
      [false, false, true, true, 2000],
      [true, false, true, true, 996],
      [true, true, false, false, 52],
      [true, true, true, true, 1],
    ]);
  });

  const outside = 'The coordinates of the range are outside the dimensions of the sheet.';
  const signature = "don't match the method signature for SpreadsheetApp.Sheet.getRange.";
  it.each([
    ['0, 1', 'The starting row of the range is too small.'],
    ['1, 0', 'The starting column of the range is too small.'],
    ['1, 1, 0', 'The number of rows in the range must be at least 1.'],
    ['1, 1, 1, 0', 'The number of columns in the range must be at least 1.'],
    ['1001, 1', outside],
    ['1, 26, 1, 2', outside],
    ["'AA1'", outside],
    ["'nonsense'", 'Range not found'],
    ["'Other!A1'", 'Range not found'],
    ['1, "2"', `The parameters (number,String) ${signature}`],
    ['null', `The parameters (null) ${signature}`],
  ])('is refused for getRange(%s)', async (args, message) => {
    expect(await errorOn(gridOf(), `sheet.getRange(${args})`)).toBe(message);
  });

  it('that has left the sheet meanwhile is refused', async () => {
    const body = `
      const range = sheet.getRange(1000, 1);
      sheet.deleteRow(1);
      range.getValue();`;
    expect(await errorOn(gridOf(), body)).toBe(outside);
  });

  it('is blank only without formulas too', async () => {
    const grid = gridOf([['', { formula: '=""' }]]);
    const body = "return [sheet.getRange('A1').isBlank(), sheet.getRange('A1:B1').isBlank()]";
    expect(await on(grid, body)).toEqual([true, false]);
  });
});
