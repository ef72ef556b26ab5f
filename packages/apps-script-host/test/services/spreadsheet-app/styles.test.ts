// Colours, styles, turned text and bands as objects, and the sorting of a filter.

import { describe, expect, it } from '@jest/globals';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

describe('a colour', () => {
  it('is of a code or of the theme, and is nothing else', async () => {
    const body = `
      const { ACCENT1 } = SpreadsheetApp.ThemeColorType;
      const red = SpreadsheetApp.newColor().setRgbColor('red').build().asRgbColor();
      const theme = SpreadsheetApp.newColor().setThemeColor(ACCENT1).build();
      const refused = [() => theme.asRgbColor(), () => SpreadsheetApp.newColor().asThemeColor()]
        .map((use) => { try { use(); } catch (error) { return error.message; } });
      return [red.asHexString(), red.getRed(), red.getBlue(), String(theme.getColorType()),
        theme.asThemeColor().getThemeColorType() === ACCENT1, refused];`;
    expect(await on(gridOf(), body)).toEqual([
      '#ff0000',
      255,
      0,
      'THEME',
      true,
      ['Object is not of type RgbColor.', 'Object is not of type ThemeColor.'],
    ]);
  });

  it('is set and told as an object, and a code that is set later is no colour of the theme', async () => {
    const body = `
      const accent = SpreadsheetApp.newColor().setThemeColor(SpreadsheetApp.ThemeColorType.ACCENT2).build();
      const cell = sheet.getRange('A1').setFontColorObject(accent).setBackgroundObject(accent);
      const kind = () => [cell.getFontColorObject(), cell.getBackgroundObject()].map((color) =>
        String(color.getColorType()));
      const before = [kind(), cell.getFontColor()];
      cell.setFontColor('#ea4336').setBackgroundRGB(1, 2, 255);
      return [...before, kind(), cell.getBackground(),
        sheet.getRange('B1').setBackgroundColor('Blue').getBackgroundColor(),
        sheet.getRange('A1:B1').getBackgroundColors()];`;
    expect(await on(gridOf(), body)).toEqual([
      ['THEME', 'THEME'],
      '#ea4335',
      ['RGB', 'RGB'],
      '#0102ff',
      '#0000ff',
      [['#0102ff', '#0000ff']],
    ]);
    expect(await errorOn(gridOf(), "sheet.getRange('A1').setFontColorObject('red');")).toBe(
      'A cell takes colours that were built, or that it was asked for.',
    );
  });
});

it('a style sets what it was told, and tells all of a cell', async () => {
  const body = `
    const style = SpreadsheetApp.newTextStyle().setBold(true).setUnderline(true).setFontSize(14)
      .setForegroundColor('red').build();
    const cell = sheet.getRange('A1').setFontStyle('italic').setTextStyle(style);
    const told = (each) => [each.isBold(), each.isItalic(), each.isUnderline(), each.isStrikethrough(),
      each.getFontSize(), each.getFontFamily(), each.getForegroundColor()];
    return [told(style), told(cell.getTextStyle()), told(sheet.getRange('A1:B1').getTextStyles()[0][1]),
      cell.getFontWeight(), cell.getFontColor(), told(style.copy().setBold(false).build())[0]];`;
  expect(await on(gridOf(), body)).toEqual([
    [true, null, true, null, 14, null, '#ff0000'],
    [true, true, true, false, 14, 'arial,sans,sans-serif', '#ff0000'],
    [false, false, false, false, 10, 'arial,sans,sans-serif', '#000000'],
    'bold',
    '#ff0000',
    false,
  ]);
});

it('text is turned by degrees, or stands upright', async () => {
  const body = `
    const cell = sheet.getRange('A1');
    const told = () => [cell.getTextRotation().getDegrees(), cell.getTextRotation().isVertical()];
    return [told(), (cell.setTextRotation(45), told()), (cell.setVerticalText(true), told()),
      (cell.setTextRotation(sheet.getRange('B1').getTextRotation()), told())];`;
  expect(await on(gridOf(), body)).toEqual([
    [0, false],
    [45, false],
    [0, true],
    [0, false],
  ]);
});

describe('bands', () => {
  it('have the colours of their theme, move with their rows, and go', async () => {
    const body = `
      const { BandingTheme } = SpreadsheetApp;
      const rows = sheet.getRange('A2:B4').applyRowBanding(BandingTheme.CYAN, true, true);
      const columns = sheet.getRange('D1:E4').applyColumnBanding();
      const told = (each) => [each.getRange().getA1Notation(), each.getHeaderRowColor(),
        each.getFirstRowColor(), each.getSecondRowColor(), each.getFooterRowColor(),
        each.getHeaderColumnColor(), each.getFooterColumnColor()];
      const before = [told(rows), told(columns)];
      rows.setHeaderRowColor('red').setFooterRowColor(null);
      sheet.insertRowBefore(1);
      const after = sheet.getBandings().map(told);
      columns.remove();
      return [before, after, sheet.getBandings().length];`;
    const cyan = ['#4dd0e1', '#ffffff', '#e0f7fa', '#a2e8f1', null, null];
    const grey = [null, null, null, null, '#bdbdbd', null];
    expect(await on(gridOf([['a']]), body)).toEqual([
      [
        ['A2:B4', ...cyan],
        ['D1:E4', ...grey],
      ],
      [
        ['D2:E5', ...grey],
        ['A3:B5', '#ff0000', '#ffffff', '#e0f7fa', null, null, null],
      ],
      1,
    ]);
  });

  it.each([
    ["sheet.getRange('B2').applyRowBanding();", /already has alternating background colors/],
    ['bands.setSecondRowColor(null);', /Second row color should not be null\./],
  ])('are refused: %s', async (statement, message) => {
    const body = `const bands = sheet.getRange('A1:C3').applyRowBanding(); ${statement}`;
    expect(await errorOn(gridOf(), body)).toMatch(message);
  });
});

it('a filter sorts what is below its head, and tells by which column', async () => {
  const grid = gridOf([
    ['n', 't'],
    [2, 'b'],
    [1, 'c'],
    [3, 'a'],
  ]);
  const body = `
    const filter = sheet.getRange('A1:B4').createFilter().sort(2, false);
    const spec = filter.getColumnSortSpec(2);
    let refused;
    try { filter.getColumnSortSpec(1).getSortOrder(); } catch (error) { refused = error.message; }
    return [spec.isAscending(), String(spec.getSortOrder()), refused];`;
  expect(await on(grid, body)).toEqual([
    false,
    'DESCENDING',
    expect.stringMatching(/getSortOrder on object SpreadsheetApp\.SortSpec/),
  ]);
  expect(contentsOf(grid).map(([n]) => n)).toEqual(['n', 1, 2, 3]);
});
