// Alignment, wrapping, fonts, borders and merges as a script sets them, and where its data ends.

import { describe, expect, it } from '@jest/globals';
import { lookIn } from '../../../src/sheet/cell-looks';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

const cell = (row: number, column: number) => ({ row, column, rowCount: 1, columnCount: 1 });

describe('looks of cells', () => {
  it('of a new cell are those that Google names', async () => {
    const body = `const cell = sheet.getRange('A1');
      return [cell.getHorizontalAlignment(), cell.getVerticalAlignment(), cell.getFontFamily(),
        cell.getFontSize(), cell.getFontStyle(), cell.getFontLine(), cell.getTextDirection(),
        cell.getWrapStrategy() === SpreadsheetApp.WrapStrategy.OVERFLOW, cell.getWrap()];`;
    expect(await on(gridOf(), body)).toEqual([
      ...['general', 'bottom', 'Arial', 10, 'normal', 'none', null],
      ...[true, true],
    ]);
  });

  it('are set for all cells or for each, and null makes them as new', async () => {
    const body = `const range = sheet.getRange('A1:B1');
      range.setHorizontalAlignment('center').setVerticalAlignments([['top', 'middle']])
        .setFontSizes([[12, 8]]).setFontFamily('Roboto').setFontStyle('italic').setFontLine('underline');
      sheet.getRange('B1').setHorizontalAlignment(null).setFontLine(null);
      return [range.getHorizontalAlignments(), range.getVerticalAlignments(), range.getFontSizes(),
        range.getFontFamilies(), range.getFontStyles(), range.getFontLines()];`;
    expect(await on(gridOf(), body)).toEqual([
      [['center', 'general']],
      [['top', 'middle']],
      [[12, 8]],
      [['Roboto', 'Roboto']],
      [['italic', 'italic']],
      [['underline', 'none']],
    ]);
  });

  it('pass over in silence what is none, and tell null from "normal"', async () => {
    const body = `const cell = sheet.getRange('A1').setHorizontalAlignment('right');
      const kept = cell.setHorizontalAlignment('sideways').getHorizontalAlignment();
      return [kept, cell.setHorizontalAlignment('normal').getHorizontalAlignment()];`;
    expect(await on(gridOf(), body)).toEqual(['right', 'general-left']);
  });

  it('say of a cell that was told to overflow that it does not wrap', async () => {
    const body = `const { WrapStrategy } = SpreadsheetApp;
      const cell = sheet.getRange('A1').setWrap(true);
      const seen = [cell.getWrapStrategy() === WrapStrategy.WRAP];
      cell.setWrapStrategy(WrapStrategy.OVERFLOW);
      seen.push(cell.getWrap());
      cell.setWrapStrategies([[WrapStrategy.CLIP]]);
      return [...seen, cell.getWrapStrategies()[0][0] === WrapStrategy.CLIP, cell.getWraps()[0][0]];`;
    expect(await on(gridOf(), body)).toEqual([true, false, true, false]);
  });

  it('go with their cells when rows are sorted, come and go, and are copied', async () => {
    const grid = gridOf([['b'], ['a']]);
    const body = `sheet.getRange('A1').setFontSize(20);
      sheet.getRange('A1:A2').sort(1);
      sheet.insertRowBefore(1);
      sheet.insertColumnBefore(1);
      sheet.getRange('B3').copyTo(sheet.getRange('D1'));
      sheet.getRange('B3').copyTo(sheet.getRange('D2'), SpreadsheetApp.CopyPasteType.PASTE_VALUES, false);
      const sizes = ['B2', 'B3', 'D1', 'D2'].map((at) => sheet.getRange(at).getFontSize());
      sheet.deleteRow(1);
      return [sizes, sheet.getRange('B2').getFontSize(), sheet.getRange('B2').clearFormat().getFontSize()];`;
    expect(await on(grid, body)).toEqual([[10, 20, 20, 10], 20, 10]);
  });

  it('have the shape of their range', async () => {
    const body = "sheet.getRange('A1:B1').setFontSizes([[8]])";
    expect(await errorOn(gridOf(), body)).toMatch(/columns/);
  });
});

describe('borders', () => {
  it('are drawn around a range and between its cells, and null leaves them', async () => {
    const grid = gridOf();
    const { SOLID, DASHED } = { SOLID: 'SOLID #000000', DASHED: 'DASHED #ff0000' };
    await on(
      grid,
      `sheet.getRange('A1:B2').setBorder(true, true, true, true, false, false);
       sheet.getRange('A1').setBorder(null, false, null, true, null, null, '#ff0000',
         SpreadsheetApp.BorderStyle.DASHED);`,
    );
    const bordersAt = (row: number, column: number) =>
      lookIn(grid.looks(0, cell(row, column))[0]?.[0] ?? '', 'borders');
    expect(bordersAt(1, 1)).toBe(`top:${SOLID};right:${DASHED}`);
    expect(bordersAt(2, 2)).toBe(`bottom:${SOLID};right:${SOLID}`);
    expect(bordersAt(3, 1)).toBe('');
  });
});

describe('merging', () => {
  it('makes one cell, rows, or columns, keeps the first contents, and is taken apart', async () => {
    const grid = gridOf([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const body = `const notations = () =>
        sheet.getRange('A1:C9').getMergedRanges().map((range) => range.getA1Notation());
      sheet.getRange('A1:C2').mergeAcross();
      const across = notations();
      sheet.getRange('A1:C2').mergeVertically();
      const down = notations();
      sheet.getRange('A1:C2').merge();
      const all = [notations(), sheet.getRange('C2').isPartOfMerge()];
      sheet.getRange('A1:D9').breakApart();
      return [across, down, all, notations()];`;
    expect(await on(grid, body)).toEqual([
      ['A1:C1', 'A2:C2'],
      ['A1:A2', 'B1:B2', 'C1:C2'],
      [['A1:C2'], true],
      [],
    ]);
    expect(contentsOf(grid)).toEqual([[1]]);
  });

  it('wants whole merges, and none across what is frozen', async () => {
    const grid = gridOf();
    await on(grid, "sheet.setFrozenRows(1); sheet.getRange('B2:C3').merge();");
    const partly = 'You must select all cells in a merged range to merge or unmerge them.';
    expect(await errorOn(grid, "sheet.getRange('C3:D4').merge()")).toBe(partly);
    expect(await errorOn(grid, "sheet.getRange('B2').breakApart()")).toBe(partly);
    expect(await errorOn(grid, "sheet.getRange('A1:A2').merge()")).toBe(
      "You can't merge frozen and non-frozen rows.",
    );
    expect(await errorOn(grid, 'sheet.setFrozenColumns(2)')).toMatch(/only part of a merged cell/);
    expect(await on(grid, 'sheet.setFrozenColumns(3); return sheet.getFrozenColumns()')).toBe(3);
  });

  it('outlasts clearing, and goes along when cells are copied with their formats', async () => {
    const body = `sheet.getRange('A1:B1').merge().setValue('title');
      sheet.getRange('A1:B1').copyTo(sheet.getRange('A3'));
      sheet.clear();
      return sheet.getRange('A1:B9').getMergedRanges().map((range) => range.getA1Notation());`;
    expect(await on(gridOf(), body)).toEqual(['A1:B1', 'A3:B3']);
    expect(
      await errorOn(
        gridOf(),
        "sheet.getRange('A1:B1').merge(); sheet.getRange('A1').copyTo(sheet.getRange('D1'))",
      ),
    ).toMatch(/^You must select all cells/);
  });
});

describe('the data around a cell', () => {
  // A B C D E
  const grid = () =>
    gridOf([
      ['a', 'b', '', '', 'far'],
      ['c', '', '', '', ''],
      ['', '', 'diagonal', '', ''],
      ['', '', 'below', '', ''],
    ]);

  it('reaches as far as cells touch, and corners do not', async () => {
    const body = `const { Dimension } = SpreadsheetApp;
      const of = (at, dimension) => sheet.getRange(at).getDataRegion(dimension).getA1Notation();
      return [of('A1'), of('B1', Dimension.COLUMNS), of('A1', Dimension.ROWS), of('D4'), of('G9')];`;
    expect(await on(grid(), body)).toEqual(['A1:B2', 'A1:B1', 'A1:A2', 'C3:D4', 'G9']);
  });

  it('ends where an arrow key with Ctrl would', async () => {
    const body = `const { UP, DOWN, PREVIOUS, NEXT } = SpreadsheetApp.Direction;
      const from = (at, direction) => sheet.getRange(at).getNextDataCell(direction).getA1Notation();
      return [from('A1', NEXT), from('B1', NEXT), from('E1', NEXT), from('A1', DOWN), from('A2', DOWN),
        from('C9', UP), from('C4', UP), from('E1', PREVIOUS)];`;
    expect(await on(grid(), body)).toEqual([
      ...['B1', 'E1', 'Z1', 'A2', 'A1000'],
      ...['C4', 'C3', 'B1'],
    ]);
    expect(await errorOn(grid(), "sheet.getRange('A1').getNextDataCell('UP')")).toMatch(
      /don't match the method signature/,
    );
  });
});
