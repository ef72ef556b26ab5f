// Texts of which parts have a style or a link: built, written, read and moved.

import { describe, expect, it } from '@jest/globals';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

const BUILT = `
  const style = () => SpreadsheetApp.newTextStyle();
  const built = SpreadsheetApp.newRichTextValue().setText('Bold plain link')
    .setTextStyle(0, 4, style().setBold(true).setForegroundColor('red').build())
    .setTextStyle(2, 4, style().setItalic(true).build())
    .setLinkUrl(11, 15, 'https://a.example/')
    .build();
  const told = (value) => value.getRuns().map((run) => [run.getText(), run.getStartIndex(),
    run.getEndIndex(), run.getTextStyle().isBold(), run.getTextStyle().isItalic(), run.getLinkUrl()]);`;

const RUNS = [
  ['Bo', 0, 2, true, false, null],
  ['ld', 2, 4, true, true, null],
  [' plain ', 4, 11, false, false, null],
  ['link', 11, 15, false, false, 'https://a.example/'],
];

describe('rich text', () => {
  it('is read back in its runs, over the style of its cell', async () => {
    const body = `${BUILT}
      const cell = sheet.getRange('A1').setFontSize(14).setRichTextValue(built);
      const value = cell.getRichTextValue();
      const whole = value.getTextStyle();
      const first = value.getTextStyle(0, 2);
      return [told(value), [whole.isBold(), whole.getFontSize(), first.getForegroundColor()],
        [value.getLinkUrl(), value.getLinkUrl(12, 14)], cell.getValue()];`;
    expect(await on(gridOf(), body)).toEqual([
      RUNS,
      [null, 14, '#ff0000'],
      [null, 'https://a.example/'],
      'Bold plain link',
    ]);
  });

  it('goes with its cell, and ends with new contents', async () => {
    const body = `${BUILT}
      sheet.getRange('A1:B2').setRichTextValues([[built, built.copy().setText('b').build()],
        [built, built]]);
      sheet.getRange('A1').copyTo(sheet.getRange('C1'));
      sheet.getRange('A1').moveTo(sheet.getRange('D1'));
      sheet.getRange('A2').setValue('Bold plain link');
      sheet.getRange('B2').clearContent().setValue('b');
      return ['C1', 'D1', 'A2', 'B2', 'B1'].map((cell) =>
        sheet.getRange(cell).getRichTextValue().getRuns().length);`;
    expect(await on(gridOf(), body)).toEqual([4, 4, 1, 1, 1]);
  });

  it('is a text whatever it looks like, and a link of the whole text is that of its cell', async () => {
    const grid = gridOf();
    const body = `
      const linked = SpreadsheetApp.newRichTextValue().setText('=A2').setLinkUrl('https://b.example/');
      sheet.getRange('A1').setRichTextValue(linked.build());
      const value = sheet.getRange('A1').getRichTextValue();
      return [value.getText(), value.getLinkUrl(), value.getRuns().length, sheet.getRange('A1').getFormula()];`;
    expect(await on(grid, body)).toEqual(['=A2', 'https://b.example/', 1, '']);
    expect(contentsOf(grid)).toEqual([['=A2']]);
    expect(grid.links(0, { row: 1, column: 1, rowCount: 1, columnCount: 1 })).toEqual([
      ['https://b.example/'],
    ]);
  });

  it('is not there for a number, and has no style beyond its text', async () => {
    expect(await on(gridOf([[1]]), "return sheet.getRange('A1').getRichTextValue()")).toBeNull();
    const beyond =
      "SpreadsheetApp.newRichTextValue().setText('a').setLinkUrl(0, 2, 'https://c.example/')";
    expect(await errorOn(gridOf(), beyond)).toMatch(/setLinkUrl reaches beyond the text/);
  });
});
