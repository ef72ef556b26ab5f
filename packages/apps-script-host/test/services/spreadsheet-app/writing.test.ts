// Writing to a range: how texts are read, what is refused, clearing and sorting.

import { describe, expect, it } from '@jest/globals';
import type { CellValue } from '../../../src/sheet/model';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

describe('writing', () => {
  it('puts values of every kind into the cells', async () => {
    const grid = gridOf();
    const body = `
      sheet.getRange(1, 1, 2, 3).setValues([['a', 1.5, false], [new Date(0), null, undefined]]);
      sheet.getRange('A3:B3').setValue('same');
      sheet.getRange('C3').setValue(NaN);`;
    await on(grid, body);
    expect(contentsOf(grid)).toEqual([
      ['a', 1.5, false],
      [new Date(0), '', ''],
      ['same', 'same', '#NUM!'],
    ]);
  });

  it('reads a leading "=" as a formula', async () => {
    const grid = gridOf();
    const body = `
      sheet.getRange('A1:B1').setValues([['=B1+1', '=']]);
      sheet.getRange('A2').setFormula('SUM(B1:B9)');
      return sheet.getRange('A1:B2').getFormulas();`;
    expect(await on(grid, body)).toEqual([
      ['=B1+1', ''],
      ['=SUM(B1:B9)', ''],
    ]);
  });

  it('fills one formula down and across, and empties cells by null', async () => {
    const body = `sheet.getRange('C1:D2').setFormula('=A1+$B$1');
      sheet.getRange('C4').setValue('x').setFormula(null);
      sheet.getRange('C5:D5').setFormulas([[null, '=A1']]);
      return [sheet.getRange('C1:D2').getFormulas(), sheet.getRange('C4:D5').getFormulas(),
        sheet.getRange('C4').getValue()];`;
    expect(await on(gridOf(), body)).toEqual([
      [
        ['=A1+$B$1', '=B1+$B$1'],
        ['=A2+$B$1', '=B2+$B$1'],
      ],
      [
        ['', ''],
        ['', '=A1'],
      ],
      '',
    ]);
  });

  it('knows the automatic number format by any name', async () => {
    const body = `sheet.getRange('A1:C1').setNumberFormats([['general', '', '0.0']]);
      return sheet.getRange('A1:C1').getNumberFormats()[0];`;
    const automatic = '0.###############';
    expect(await on(gridOf(), body)).toEqual([automatic, automatic, '0.0']);
  });

  it('keeps what a trimmed text is, also one that looks like a formula', async () => {
    const body = `sheet.getRange('A1').setValue("'  =1+2 ").trimWhitespace();
      return [sheet.getRange('A1').getValue(), sheet.getRange('A1').getFormula()];`;
    expect(await on(gridOf(), body)).toEqual(['=1+2', '']);
  });

  it('sets one formula in R1C1 notation for each cell of a range, and reads it back', async () => {
    const body = `const range = sheet.getRange('B2:B4');
      range.setFormulaR1C1('=IF(RC1="";"";XMATCH(RC1&"|R1C1";Analysis!C1;0))');
      sheet.getRange('C2:D2').setFormulasR1C1([['=R[-1]C', '=SUM(R1C1:RC[-1])']]);
      sheet.getRangeList(['E1', 'E2']).setFormulaR1C1('=RC[-1]');
      return [range.getFormulas(), range.getFormulasR1C1(), sheet.getRange('C2:D2').getFormulas(),
        sheet.getRange('E1:E2').getFormulas(), sheet.getRange('A1').getFormulaR1C1(),
        sheet.getRange('A2:B2').getFormulasR1C1()[0][0]];`;
    const a1 = (row: number) => `=IF($A${row}="","",XMATCH($A${row}&"|R1C1",Analysis!$A:$A,0))`;
    const r1c1 = '=IF(R[0]C1="","",XMATCH(R[0]C1&"|R1C1",Analysis!C1:C1,0))';
    expect(await on(gridOf(), body)).toEqual([
      [[a1(2)], [a1(3)], [a1(4)]],
      [[r1c1], [r1c1], [r1c1]],
      [['=C1', '=SUM($A$1:C2)']],
      [['=D1'], ['=D2']],
      null,
      null,
    ]);
  });

  it.each<[string, CellValue, string]>([
    ['0123456789', 123456789, 'General'],
    ['1,234.5', 1234.5, '#,##0.00'],
    ['-.5', -0.5, 'General'],
    ['12.5%', 0.125, '0.00%'],
    ['$5', 5, '"$"#,##0'],
    ['1234E5', 123400000, '0.00E+00'],
    ['TRUE', true, 'General'],
    ['2026-03-04', new Date('2026-03-04T00:00:00Z'), 'yyyy-mm-dd'],
    ['3/4/26', new Date('2026-03-04T00:00:00Z'), 'm/d/yyyy'],
    ['1-2', new Date('2026-01-02T00:00:00Z'), 'm/d/yyyy'],
    ['3/4/2026 6:30', new Date('2026-03-04T06:30:00Z'), 'm/d/yyyy h:mm:ss'],
    [' 12 ', 12, 'General'],
    ['Mar 1 2016', new Date('2016-03-01T00:00:00Z'), 'm/d/yyyy'],
    ['January 5, 2026', new Date('2026-01-05T00:00:00Z'), 'm/d/yyyy'],
    ['5 Sep 2026', new Date('2026-09-05T00:00:00Z'), 'm/d/yyyy'],
    ['1940 10 5', new Date('1940-10-05T00:00:00Z'), 'yyyy-mm-dd'],
    ['2026-03-04 10:30 PM', new Date('2026-03-04T22:30:00Z'), 'yyyy-mm-dd h:mm:ss'],
    // No page says that these become what they look like, nor that they do not: the harsher reading.
    ['5-Jan', new Date('2026-01-05T00:00:00Z'), 'd-mmm'],
    ['Jan-26', new Date('2026-01-26T00:00:00Z'), 'd-mmm'],
    ['MAR 3', new Date('2026-03-03T00:00:00Z'), 'd-mmm'],
    ['(5)', -5, 'General'],
    ['($1,234.50)', -1234.5, '"$"#,##0.00'],
    ['€5', 5, '"€"#,##0'],
    ['(a)', '(a)', 'General'],
    ['Jan-32', 'Jan-32', 'General'],
    ['MARCH1', 'MARCH1', 'General'],
    ['March 2016', 'March 2016', 'General'],
    ['Mars 1 2016', 'Mars 1 2016', 'General'],
    ['13:30 PM', '13:30 PM', 'General'],
    ['+5', 5, 'General'],
    ["'+44 20", '+44 20', 'General'],
    ['+', '+', 'General'],
    ['33/33', '33/33', 'General'],
    ['B00005N5PF', 'B00005N5PF', 'General'],
    ['1,23', '1,23', 'General'],
    ['-', '-', 'General'],
    ["'007", '007', 'General'],
    ["'=A1", '=A1', 'General'],
    ['@home', '@home', 'General'],
  ])('reads the text %p as if it were typed in', async (text, value, format) => {
    const grid = gridOf();
    await on(grid, `sheet.getRange('A1').setValue(${JSON.stringify(text)})`);
    expect(contentsOf(grid)).toEqual([[value]]);
    expect(grid.numberFormats(0, { row: 1, column: 1, rowCount: 1, columnCount: 1 })).toEqual([
      [format],
    ]);
  });

  it('takes a text that begins with "+" for a formula', async () => {
    const grid = gridOf([[3]]);
    const body = `sheet.getRange('B1:C1').setValues([['+A1', '+44 20']]);
      return sheet.getRange('B1:C1').getFormulas();`;
    expect(await on(grid, body)).toEqual([['=+A1', '=+44 20']]);
  });

  it('reads days before months in the United Kingdom', async () => {
    const grid = gridOf([], { locale: 'en_GB' });
    await on(grid, "sheet.getRange('A1').setValue('3/4/2026')");
    expect(contentsOf(grid)).toEqual([[new Date('2026-04-03T00:00:00Z')]]);
  });

  it('leaves texts alone where the format is "@"', async () => {
    const grid = gridOf();
    const body = `
      const range = sheet.getRange('A1:A3');
      range.setNumberFormat('@').setValues([['007'], ['=A1'], ['1/2']]);
      return range.getFormulas();`;
    expect(await on(grid, body)).toEqual([[''], [''], ['']]);
    expect(contentsOf(grid)).toEqual([['007'], ['=A1'], ['1/2']]);
  });

  it('keeps a format that somebody chose', async () => {
    const grid = gridOf();
    await on(grid, "sheet.getRange('A1').setNumberFormat('0.000').setValue('50%')");
    expect(grid.displayValues(0, { row: 1, column: 1, rowCount: 1, columnCount: 1 })).toEqual([
      ['0.500'],
    ]);
  });

  const mismatch = (things: string, data: number, range: number) =>
    `The number of ${things} in the data does not match the number of ${things} in the range. ` +
    `The data has ${data} but the range has ${range}.`;
  const tooLong = 'Your input contains more than the maximum of 50000 characters in a single cell.';
  it.each([
    ["'A1:B2'", 'setValues([[1, 2]])', mismatch('rows', 1, 2)],
    ["'A1:B2'", 'setValues([[1, 2], [3]])', mismatch('columns', 1, 2)],
    ["'A1:B2'", "setFormulas([['=A1']])", mismatch('rows', 1, 2)],
    ["'A1'", "setNumberFormats([['@', '@']])", mismatch('columns', 2, 1)],
    [
      "'A1'",
      "setValues('x')",
      "The parameters (String) don't match the method signature for " +
        'SpreadsheetApp.Range.setValues.',
    ],
    ["'A1'", "setValue('x'.repeat(50001))", tooLong],
    ["'A1'", "setFormula('=' + 'x'.repeat(50000))", tooLong],
  ])('to %s refuses %s', async (notation, statement, message) => {
    const grid = gridOf();
    expect(await errorOn(grid, `sheet.getRange(${notation}).${statement}`)).toBe(message);
    expect(contentsOf(grid)).toEqual([]);
  });

  it('takes 50,000 characters', async () => {
    const grid = gridOf();
    await on(grid, "sheet.getRange('A1').setValue('x'.repeat(50000))");
    expect(String(contentsOf(grid)[0]?.[0])).toHaveLength(50_000);
  });

  it('clears contents, formats or both', async () => {
    const grid = gridOf([[1, 2, 3]]);
    grid.setNumberFormats(0, 1, 1, [['0.0', '0.0', '0.0']]);
    const body = `
      sheet.getRange('A1').clearContent();
      sheet.getRange('B1').clearFormat();
      sheet.getRange('C1').clear();
      const row = sheet.getRange('A1:C1');
      return [row.getValues(), row.getNumberFormats()];`;
    expect(await on(grid, body)).toEqual([
      [['', 2, '']],
      [['0.0', '0.###############', '0.###############']],
    ]);
  });

  it('sorts by columns of the sheet', async () => {
    const grid = gridOf([
      ['n', 'x', 'y'],
      ['a', 2, 1],
      ['b', 1, 1],
      ['c', 3, 0],
    ]);
    const first = (body: string) =>
      on(grid, `${body}; return sheet.getRange('A1:A4').getValues().join('')`);
    expect(await first("sheet.getRange('A2:C4').sort(2)")).toBe('nbac');
    expect(await first("sheet.getRange('A2:C4').sort([3, { column: 2, ascending: false }])")).toBe(
      'ncab',
    );
    expect(await first('sheet.setFrozenRows(1); sheet.sort(1, false)')).toBe('ncba');
    expect(await errorOn(grid, "sheet.getRange('B1:B4').sort(1)")).toBe(
      'The sort column is outside the range.',
    );
  });
});
