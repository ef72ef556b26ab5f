// Cells that a script cuts, shifts, fills, splits and shuffles, and what follows them.

import { describe, expect, it } from '@jest/globals';
import { calculating } from '../../../src/calculation';
import type { CellContent, Matrix } from '../../../src/sheet/model';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

const F = (formula: string) => ({ formula });

function calculated(contents: Matrix<CellContent>) {
  const grid = gridOf(contents);
  calculating(grid, { nowMs: () => 0 });
  return grid;
}

describe('cells that are moved', () => {
  it('take values, formats and notes along, over themselves too', async () => {
    const grid = gridOf([['a', 'b']]);
    const body = `
      sheet.getRange('A1:B1').setBackground('#ff0000').setNumberFormat('0.0').setNote('kept');
      sheet.getRange('A1:B1').moveTo(sheet.getRange('B1'));
      const row = sheet.getRange('A1:C1');
      return [row.getValues(), row.getBackgrounds(), row.getNumberFormats(), row.getNotes()];`;
    expect(await on(grid, body)).toEqual([
      [['', 'a', 'b']],
      [['#ffffff', '#ff0000', '#ff0000']],
      [['0.###############', '0.0', '0.0']],
      [['', 'kept', 'kept']],
    ]);
  });

  it('are followed by formulas and names, but not by ranges of which they were a part', async () => {
    const grid = calculated([
      [1, F('=A1*2'), F('=SUM(A1:A2)')],
      [2, F('=$A$1+A2'), F('=SUM(A1:A3)')],
    ]);
    const body = `
      spreadsheet.setNamedRange('First', sheet.getRange('A1'));
      sheet.getRange('A1:A2').moveTo(sheet.getRange('E5'));
      return [sheet.getRange('B1:C2').getFormulas(), sheet.getRange('B1:C2').getValues(),
        spreadsheet.getRangeByName('First').getA1Notation()];`;
    expect(await on(grid, body)).toEqual([
      [
        ['=E5*2', '=SUM(E5:E6)'],
        ['=$E$5+E6', '=SUM(A1:A3)'],
      ],
      [
        [2, 3],
        [3, 0],
      ],
      'E5',
    ]);
  });

  it('keep what their own formulas refer to, in another sheet as well', async () => {
    const grid = calculated([[1, F('=A1+1'), F('=B1+A1')]]);
    const body = `
      const other = spreadsheet.insertSheet('Other one');
      sheet.getRange('B1:C1').moveTo(other.getRange('A3'));
      sheet.getRange('D1').setFormula("='Other one'!B3");
      sheet.getRange('A1').moveTo(other.getRange('A1'));
      return [other.getRange('A3:B3').getFormulas(), other.getRange('A3:B3').getValues(),
        sheet.getRange('D1').getValue()];`;
    expect(await on(grid, body)).toEqual([
      [["='Other one'!A1+1", "=A3+'Other one'!A1"]],
      [[2, 3]],
      3,
    ]);
  });

  it('take validation, rules of format and merges along', async () => {
    const grid = gridOf();
    const body = `
      const rule = SpreadsheetApp.newDataValidation().requireNumberBetween(1, 9).build();
      sheet.getRange('A1:B2').setDataValidation(rule).merge();
      sheet.setConditionalFormatRules([SpreadsheetApp.newConditionalFormatRule()
        .whenCellEmpty().setBold(true).setRanges([sheet.getRange('A1:A4')]).build()]);
      sheet.getRange('A1:B2').moveTo(sheet.getRange('D1'));
      return [
        ['A1', 'D1', 'E2'].map((cell) => sheet.getRange(cell).getDataValidation() !== null),
        sheet.getRange('A1:H9').getMergedRanges().map((one) => one.getA1Notation()),
        sheet.getConditionalFormatRules()[0].getRanges().map((one) => one.getA1Notation()),
      ];`;
    expect(await on(grid, body)).toEqual([[false, true, true], ['D1:E2'], ['A3:A4', 'D1:D2']]);
  });

  it('lie within the sheet, and merged cells go as a whole', async () => {
    const outside = "sheet.getRange('A1:C1').moveTo(sheet.getRange('Z1'));";
    expect(await errorOn(gridOf(), outside)).toMatch(/outside the dimensions/);
    const cut =
      "sheet.getRange('A1:A2').merge(); sheet.getRange('A2').moveTo(sheet.getRange('C1'))";
    expect(await errorOn(gridOf(), cut)).toMatch(/select all cells in a merged range/);
  });
});

describe('inserted and deleted cells', () => {
  const rows = [
    ['a1', 'b1', 'c1'],
    ['a2', 'b2', 'c2'],
    ['a3', 'b3', 'c3'],
  ];

  it.each([
    [
      "sheet.getRange('B1:B2').insertCells(D.ROWS)",
      [
        ['a1', '', 'c1'],
        ['a2', '', 'c2'],
        ['a3', 'b1', 'c3'],
        ['', 'b2', ''],
        ['', 'b3', ''],
      ],
    ],
    [
      "sheet.getRange('A2:B2').insertCells(D.COLUMNS)",
      [
        ['a1', 'b1', 'c1', '', ''],
        ['', '', 'a2', 'b2', 'c2'],
        ['a3', 'b3', 'c3', '', ''],
      ],
    ],
    [
      "sheet.getRange('A1:B2').deleteCells(D.ROWS)",
      [
        ['a3', 'b3', 'c1'],
        ['', '', 'c2'],
        ['', '', 'c3'],
      ],
    ],
    [
      "sheet.getRange('A1:B2').deleteCells(D.COLUMNS)",
      [
        ['c1', '', ''],
        ['c2', '', ''],
        ['a3', 'b3', 'c3'],
      ],
    ],
  ])('shift the others: %s', async (change, expected) => {
    const grid = gridOf(rows);
    await on(grid, `const D = SpreadsheetApp.Dimension; ${change};`);
    expect(contentsOf(grid)).toEqual(expected);
  });

  it('are followed by formulas within the shifted columns', async () => {
    const grid = calculated(
      [[1, F('=A3'), F('=SUM(A1:A4)'), F('=SUM(A1:B4)')], [2], [3], [4]].map((row) =>
        Array.from({ length: 4 }, (_, at) => row[at] ?? ''),
      ),
    );
    const formulas = "return sheet.getRange('B1:D1').getFormulas()[0];";
    const insert = "sheet.getRange('A2').insertCells(SpreadsheetApp.Dimension.ROWS);";
    expect(await on(grid, insert + formulas)).toEqual(['=A4', '=SUM(A1:A5)', '=SUM(A1:B4)']);
    const remove = "sheet.getRange('A3:A4').deleteCells(SpreadsheetApp.Dimension.ROWS);";
    expect(await on(grid, remove + formulas)).toEqual(['=#REF!', '=SUM(A1:A3)', '=SUM(A1:B4)']);
    expect(grid.values(0, { row: 1, column: 2, rowCount: 1, columnCount: 2 })).toEqual([
      ['#REF!', 5],
    ]);
  });

  it('keep the formats that were there, and rules and merges move', async () => {
    const body = `
      const D = SpreadsheetApp.Dimension;
      sheet.getRange('A1').setBackground('#00ff00').setNote('old');
      sheet.getRange('A3:A4').merge();
      sheet.setConditionalFormatRules([SpreadsheetApp.newConditionalFormatRule()
        .whenCellEmpty().setBold(true).setRanges([sheet.getRange('A1:A4')]).build()]);
      sheet.getRange('A1').insertCells(D.ROWS);
      return [
        sheet.getRange('A1:A2').getBackgrounds().flat(), sheet.getRange('A1:A2').getNotes().flat(),
        sheet.getRange('A1:A9').getMergedRanges()[0].getA1Notation(),
        sheet.getConditionalFormatRules()[0].getRanges()[0].getA1Notation(),
      ];`;
    expect(await on(gridOf(), body)).toEqual([
      ['#00ff00', '#00ff00'],
      ['', 'old'],
      'A4:A5',
      'A2:A5',
    ]);
  });

  it('lose nothing: what is pushed over the edge gets new lines', async () => {
    const grid = gridOf([['first']], { maxRows: 3, maxColumns: 2 });
    grid.write(0, 3, 1, [['last']]);
    await on(grid, "sheet.getRange('A1:A2').insertCells(SpreadsheetApp.Dimension.ROWS)");
    expect(contentsOf(grid).flat()).toEqual(['', '', 'first', '', 'last']);
    const unknown = "sheet.getRange('A1').insertCells('ROWS')";
    expect(await errorOn(grid, unknown)).toMatch(/don't match the method signature/);
  });

  it('are refused where another cannot edit a cell that would move', async () => {
    const grid = gridOf([['x']]);
    grid.protect({ sheetId: 0, rectangle: { row: 9, column: 1, rowCount: 1, columnCount: 1 } });
    const body = "sheet.getRange('A1').deleteCells(SpreadsheetApp.Dimension.ROWS)";
    expect(await errorOn(grid, body, { userEmail: 'ann@example.com' })).toMatch(/protected/);
  });
});

describe('cells that are filled from others', () => {
  const DAY = (day: number, month = 1) => new Date(Date.UTC(2026, month - 1, day));

  it.each<[string, CellContent[], string, string, CellContent[]]>([
    ['numbers by their step', [1, 3], 'A1:A2', 'A1:A4', [1, 3, 5, 7]],
    ['upwards', ['', '', 4, 2], 'A3:A4', 'A1:A4', [8, 6, 4, 2]],
    ['dates by days', [DAY(1), DAY(3)], 'A1:A2', 'A1:A3', [DAY(1), DAY(3), DAY(5)]],
    [
      'dates by months',
      [DAY(1), DAY(1, 2)],
      'A1:A2',
      'A1:A4',
      [DAY(1), DAY(1, 2), DAY(1, 3), DAY(1, 4)],
    ],
    ['one date', [DAY(31)], 'A1', 'A1:A2', [DAY(31), DAY(1, 2)]],
    ['months', ['Nov', 'Dec'], 'A1:A2', 'A1:A3', ['Nov', 'Dec', 'Jan']],
    ['days', ['Monday'], 'A1', 'A1:A3', ['Monday', 'Tuesday', 'Wednesday']],
    ['numbered texts', ['Item 9'], 'A1', 'A1:A3', ['Item 9', 'Item 10', 'Item 11']],
    ['other texts', ['x', 'y'], 'A1:A2', 'A1:A5', ['x', 'y', 'x', 'y', 'x']],
  ])('go on with %s', async (_, known, from, to, expected) => {
    const grid = gridOf(known.map((cell) => [cell]));
    const body = `sheet.getRange('${from}')
      .autoFill(sheet.getRange('${to}'), SpreadsheetApp.AutoFillSeries.DEFAULT_SERIES);`;
    await on(grid, body);
    expect(contentsOf(grid).flat()).toEqual(expected);
  });

  it('are copies in the alternate series, and formulas and formats move along', async () => {
    const grid = gridOf([
      [1, F('=A1')],
      [2, F('=A2')],
    ]);
    const body = `
      const S = SpreadsheetApp.AutoFillSeries;
      sheet.getRange('A2').setBackground('#0000ff');
      sheet.getRange('A1:A2').autoFill(sheet.getRange('A1:A4'), S.ALTERNATE_SERIES);
      sheet.getRange('B1:B2').autoFill(sheet.getRange('B1:B4'), S.DEFAULT_SERIES);
      return [sheet.getRange('A1:A4').getValues().flat(), sheet.getRange('B1:B4').getFormulas().flat(),
        sheet.getRange('A4').getBackground()];`;
    expect(await on(grid, body)).toEqual([[1, 2, 1, 2], ['=A1', '=A2', '=A3', '=A4'], '#0000ff']);
  });

  it('reach as far as their neighbours', async () => {
    const grid = gridOf([
      ['a', 1],
      ['b', 2],
      ['c', ''],
      ['', ''],
    ]);
    await on(
      grid,
      "sheet.getRange('B1:B2').autoFillToNeighbor(SpreadsheetApp.AutoFillSeries.DEFAULT_SERIES)",
    );
    expect(contentsOf(grid).map((row) => row[1])).toEqual([1, 2, 3]);
  });

  it('lie in one direction around the known ones; an unknown series is refused by name', async () => {
    const fill = (from: string, to: string) => `sheet.getRange('${from}')
      .autoFill(sheet.getRange('${to}'), SpreadsheetApp.AutoFillSeries.DEFAULT_SERIES)`;
    const grid = gridOf([[1], [2], [9]]);
    expect(await errorOn(grid, fill('A1:A2', 'C1:C5'))).toMatch(/must contain the source range/);
    expect(await errorOn(grid, fill('A1:A2', 'A1:B5'))).toMatch(/in only one direction/);
    expect(await errorOn(grid, fill('A1:A3', 'A1:A5'))).toMatch(/series is not emulated/);
    expect(await errorOn(grid, fill('A1', 'A1:A5'))).toMatch(/series is not emulated/);
  });
});

describe('texts that are split', () => {
  it.each([
    [
      'what divides them',
      '',
      ['a,b', 'c,'],
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
    [
      'a given text',
      "'#'",
      ['a#1', '2#c'],
      [
        ['a', 1],
        [2, 'c'],
      ],
    ],
    [
      'a preset',
      'SpreadsheetApp.TextToColumnsDelimiter.SPACE',
      ['a b', 'c'],
      [
        ['a', 'b'],
        ['c', ''],
      ],
    ],
  ])('by %s', async (_, by, texts, expected) => {
    const grid = gridOf(texts.map((text) => [text]));
    const body = `sheet.getRange('A1:A2').splitTextToColumns(${by});
      return sheet.getRange('A1:B2').getValues();`;
    expect(await on(grid, body)).toEqual(expected);
  });
});

it('shuffles rows as a whole, the same way with the same seed', async () => {
  const rows = Array.from({ length: 9 }, (_, at) => [at, `of ${at}`]);
  const shuffled = async () => {
    const grid = gridOf(rows);
    await on(grid, "sheet.getRange('A1:B9').randomize()");
    return contentsOf(grid);
  };
  const [once, again] = [await shuffled(), await shuffled()];
  expect(once).toEqual(again);
  expect(once).not.toEqual(rows);
  expect([...once].sort((a, b) => Number(a[0]) - Number(b[0]))).toEqual(rows);
});
