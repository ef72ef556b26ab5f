// Copies, colours, criteria of filters and dropdowns of cells: what a script makes of them.
import { describe, expect, it } from '@jest/globals';
import { calculating } from '../../../src/calculation';
import { errorOn, gridOf, on } from './grid-script';

const grid = () =>
  gridOf([
    ['ASIN', 'Cost', 'Verdict'],
    ['B1', 3, 'Buy'],
    ['B2', 1, 'Skip'],
    ['B3', 2, 'buy'],
  ]);
const PASTE = 'const { PASTE_FORMULA, PASTE_FORMAT, PASTE_VALUES } = SpreadsheetApp.CopyPasteType;';

describe('copyTo', () => {
  it('fills a longer range with a formula, relative references beside it and fixed ones as they are', async () => {
    const script = `${PASTE} sheet.getRange('D2').setFormula('=B2*$B$2+Other!A1').setNumberFormat('0.0');
      sheet.getRange('D2').copyTo(sheet.getRange('D2:E4'), PASTE_FORMULA, false);
      return [sheet.getRange('D2:E4').getFormulas(), sheet.getRange('D4').getNumberFormat()];`;
    expect(await on(grid(), script)).toEqual([
      [
        ['=B2*$B$2+Other!A1', '=C2*$B$2+Other!B1'],
        ['=B3*$B$2+Other!A2', '=C3*$B$2+Other!B2'],
        ['=B4*$B$2+Other!A3', '=C4*$B$2+Other!B3'],
      ],
      '0.###############',
    ]);
  });

  it('copies values where there is no formula, and all of it where nothing else is said', async () => {
    const script = `${PASTE} sheet.getRange('B2').setFontWeight('bold').setBackground('#ff0000');
      sheet.getRange('A2:B2').copyTo(sheet.getRange('F1'));
      sheet.getRange('B2').copyTo(sheet.getRange('H1'), PASTE_FORMULA, false);
      sheet.getRange('B2').copyTo(sheet.getRange('I1'), PASTE_FORMAT, false);
      return [sheet.getRange('F1:I1').getValues(), sheet.getRange('F1:I1').getBackgrounds()];`;
    expect(await on(grid(), script)).toEqual([
      [['B1', 3, 3, '']],
      [['#ffffff', '#ff0000', '#ffffff', '#ff0000']],
    ]);
  });

  it('takes rules of conditional formatting along with formats', async () => {
    const script = `${PASTE} const rule = SpreadsheetApp.newConditionalFormatRule().whenTextEqualTo('Buy')
        .setBackground('#00ff00').setRanges([sheet.getRange('C2:C4')]).build();
      sheet.setConditionalFormatRules([rule]);
      sheet.getRange('C2').copyTo(sheet.getRange('C6'), PASTE_FORMAT, false);
      sheet.getRange('C2').copyTo(sheet.getRange('C3'), PASTE_FORMAT, false);
      return sheet.getConditionalFormatRules()[0].getRanges().map((range) => range.getA1Notation());`;
    expect(await on(grid(), script)).toEqual(['C2:C4', 'C6']);
  });

  it.each([
    ['{ contentsOnly: true }', ['B1', 3], '#ffffff'],
    ['{ formatOnly: true }', ['', ''], '#ff0000'],
    ['{}', ['B1', '=B2'], '#ff0000'],
  ])('takes options: %s', async (options, contents, background) => {
    const script = `sheet.getRange('B2').setFormula('=1+2');
      sheet.getRange('A2').setBackground('red');
      sheet.getRange('A2:B2').copyTo(sheet.getRange('F1'), ${options});
      const formulas = sheet.getRange('F1:G1').getFormulas()[0];
      return [sheet.getRange('F1:G1').getValues()[0].map((value, at) => formulas[at] ? '=B2' : value),
        sheet.getRange('F1').getBackground()];`;
    const grid = gridOf([
      ['', ''],
      ['B1', 3],
    ]);
    calculating(grid, { nowMs: () => 0 });
    expect(await on(grid, script)).toEqual([contents, background]);
  });

  it.each([
    ['', /\(\) don't match the method signature for SpreadsheetApp\.Range\.copyTo/],
    ["'A1'", /don't match/],
    ["sheet.getRange('F1'), { contentsOnly: true, formatOnly: true }", /don't match/],
    ["sheet.getRange('F1'), { values: true }", /don't match/],
    ["sheet.getRange('F1'), SpreadsheetApp.CopyPasteType.PASTE_NORMAL, 'yes'", /don't match/],
  ])('refuses other arguments: %s', async (args, message) => {
    expect(await errorOn(grid(), `sheet.getRange('A1').copyTo(${args});`)).toMatch(message);
  });

  it('fills as often as the source fits in each direction, and turns cells on their side', async () => {
    const script = `const { PASTE_NORMAL } = SpreadsheetApp.CopyPasteType;
      sheet.getRange('A2').setBackground('#ff0000');
      sheet.getRange('B2').setFormula('=A2');
      sheet.getRange('A2:B2').copyTo(sheet.getRange('F1:J2'));
      sheet.getRange('A2:C2').copyTo(sheet.getRange('F5:G7'), PASTE_NORMAL, true);
      return [sheet.getRange('F1:J2').getFormulas(), sheet.getRange('F5:G8').getValues(),
        sheet.getRange('F5:G6').getBackgrounds(), sheet.getRange('F6').getFormula()];`;
    expect(
      await on(
        gridOf([
          ['', '', ''],
          ['a', 'b', 'c'],
        ]),
        script,
      ),
    ).toEqual([
      [
        ['', '=F1', '', '=H1', ''],
        ['', '=F2', '', '=H2', ''],
      ],
      [
        ['a', 'a'],
        ['', ''],
        ['c', 'c'],
        ['', ''],
      ],
      [
        ['#ff0000', '#ff0000'],
        ['#ffffff', '#ffffff'],
      ],
      '=E6',
    ]);
  });

  it('is refused beyond the sheet', async () => {
    const script = `${PASTE} const last = sheet.getRange(sheet.getMaxRows(), 1);
      sheet.getRange('A1:A2').copyTo(last, PASTE_VALUES, false);`;
    expect(await errorOn(grid(), script)).toBeDefined();
  });
});

describe('colours', () => {
  it('are read as names and codes, and told as codes', async () => {
    const script = `sheet.getRange('A1:D1').setBackgrounds([['red', 'LightCoral', '#ABC', null]]);
      sheet.getRange('A1').setFontColor('RebeccaPurple'.slice(7));
      return [sheet.getRange('A1:D1').getBackgrounds()[0], sheet.getRange('A1').getFontColor()];`;
    expect(await on(grid(), script)).toEqual([
      ['#ff0000', '#f08080', '#aabbcc', '#ffffff'],
      '#800080',
    ]);
    expect(await errorOn(grid(), "sheet.getRange('A1').setBackground('no colour');")).toBe(
      'Invalid color string: no colour',
    );
  });

  it('move with their cells, and go with the format', async () => {
    const script = `sheet.getRange('B2').setFontColor('#123456').setBackground('#654321');
      sheet.getRange('A2:C4').sort(2);
      const there = [sheet.getRange('B4').getFontColor(), sheet.getRange('B2').getFontColor()];
      sheet.getRange('B4').clearFormat();
      return [...there, sheet.getRange('B4').getBackground()];`;
    expect(await on(grid(), script)).toEqual(['#123456', '#000000', '#ffffff']);
  });
});

describe('criteria of a filter', () => {
  const criteria = `const filter = sheet.getRange('A1:C4').createFilter();
    const buys = SpreadsheetApp.newFilterCriteria().whenTextEqualTo('Buy').build();
    const hidden = () => [2, 3, 4].filter((row) => sheet.isRowHiddenByFilter(row));`;

  it('hide rows at once, whatever the case, and others stay when one goes', async () => {
    const script = `${criteria}
      filter.setColumnFilterCriteria(3, buys);
      const first = hidden();
      filter.setColumnFilterCriteria(1, SpreadsheetApp.newFilterCriteria().setHiddenValues(['B1']).build());
      const both = hidden();
      filter.removeColumnFilterCriteria(3);
      return [first, both, hidden(), sheet.getFilter().getColumnFilterCriteria(1).getHiddenValues(),
        sheet.getFilter().getColumnFilterCriteria(3)];`;
    expect(await on(grid(), script)).toEqual([[3], [2, 3], [2], ['B1'], null]);
  });

  it('are read as they were made, move with their column, and hide nothing that comes later', async () => {
    const script = `${criteria}
      filter.setColumnFilterCriteria(3, buys);
      sheet.insertColumnBefore(2);
      const moved = sheet.getFilter().getColumnFilterCriteria(4);
      sheet.getRange('D2').setValue('Skip');
      return [moved.getCriteriaValues(), moved.getCriteriaType() === SpreadsheetApp.BooleanCriteria.TEXT_EQUAL_TO, hidden()];`;
    expect(await on(grid(), script)).toEqual([['Buy'], true, [3]]);
  });

  it('belong to a column of the filter', async () => {
    const outside = `${criteria} filter.setColumnFilterCriteria(4, buys);`;
    expect(await errorOn(grid(), outside)).toBeDefined();
    const elsewhere = `sheet.getRange('B1:C4').createFilter().getColumnFilterCriteria(2);`;
    expect(await errorOn(grid(), elsewhere)).toContain('not emulated');
  });
});

describe('a dropdown of cells', () => {
  const rule = `const rule = SpreadsheetApp.newDataValidation().requireValueInRange(sheet.getRange('A2:A4'), true)
    .setAllowInvalid(false).build(); sheet.getRange('E1').setDataValidation(rule);`;

  it('takes what stands in them by then, wherever they have moved', async () => {
    const script = `${rule} sheet.insertRowBefore(2); sheet.getRange('A3').setValue('new');
      sheet.getRange('E1').setValue('new'); return sheet.getRange('E1').getValue();`;
    expect(await on(grid(), script)).toBe('new');
  });

  it('takes nothing else, not a blank one among them either', async () => {
    const script = `${rule} sheet.getRange('E1').setValue('B9'); SpreadsheetApp.flush();`;
    expect(await errorOn(grid(), script)).toContain('E1');
  });
});
