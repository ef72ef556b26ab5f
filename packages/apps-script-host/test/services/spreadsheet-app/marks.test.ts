// Hidden rows, filters, merges, notes and links, as a script meets them.

import { describe, expect, it } from '@jest/globals';
import { contentsOf, errorOn, gridOf, on } from './grid-script';

const square = { row: 1, column: 1, rowCount: 2, columnCount: 2 };

describe('rows', () => {
  it('are hidden by a user or by a filter', async () => {
    const grid = gridOf([['market'], ['US'], ['UK'], ['US']]);
    const hiddenTexts = [{ column: 1, texts: ['UK'] }];
    grid.setFilter(0, { rectangle: { ...square, rowCount: 4 }, hiddenTexts });
    const body = `
      sheet.hideRows(2, 2);
      sheet.showRows(3);
      return [2, 3, 4].map((row) => [sheet.isRowHiddenByUser(row), sheet.isRowHiddenByFilter(row)]);`;
    expect(await on(grid, body)).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
    expect(await errorOn(grid, 'sheet.isRowHiddenByUser(1001)')).toBe(
      'Those rows are out of bounds.',
    );
  });
});

describe('a filter', () => {
  it('is made, found, made once only, and removed', async () => {
    const grid = gridOf([['market'], ['US']]);
    const body = `
      const before = sheet.getFilter();
      sheet.getRange('A1:B2').createFilter();
      const found = sheet.getFilter().getRange().getA1Notation();
      sheet.getFilter().remove();
      return [before, found, sheet.getFilter()];`;
    expect(await on(grid, body)).toEqual([null, 'A1:B2', null]);
    const twice = "sheet.getRange('A1').createFilter(); sheet.getRange('A1').createFilter()";
    expect(await errorOn(grid, twice)).toBe(
      "You can't create a filter in a sheet that already has a filter.",
    );
  });
});

describe('merged cells', () => {
  it('are found by each of their cells', async () => {
    const grid = gridOf();
    grid.merge(0, square);
    const body = `return [sheet.getRange('B2').isPartOfMerge(), sheet.getRange('C3').isPartOfMerge(),
      sheet.getRange('B1:D9').getMergedRanges().map((range) => range.getA1Notation())];`;
    expect(await on(grid, body)).toEqual([true, false, ['A1:B2']]);
  });

  it('take what is written into any of them into their first', async () => {
    const grid = gridOf([['title', '', 'c']]);
    grid.merge(0, square);
    await on(grid, "sheet.getRange('A1:C2').setValues([[1, 2, 3], [4, 5, 6]])");
    expect(contentsOf(grid)).toEqual([
      [1, '', 3],
      ['', '', 6],
    ]);
    await on(grid, "sheet.getRange('B2:C3').setValues([['lands', 7], ['below', 8]])");
    expect(contentsOf(grid)).toEqual([
      ['lands', '', 3],
      ['', '', 7],
      ['', 'below', 8],
    ]);
  });

  it('are not sorted', async () => {
    const grid = gridOf([[2], [1], [3]]);
    grid.merge(0, square);
    expect(await errorOn(grid, "sheet.getRange('A1:A3').sort(1)")).toMatch(/merged/);
  });
});

describe('cells', () => {
  it('have notes beside their contents', async () => {
    const grid = gridOf([['a']]);
    const body = `
      sheet.getRange('A1').setNote('why').setValue('b');
      sheet.getRange('A2:B2').setNotes([['x', null]]);
      sheet.getRange('A2').clearNote();
      return [sheet.getRange('A1').getNote(), sheet.getRange('A2:B2').getNotes()];`;
    expect(await on(grid, body)).toEqual(['why', [['', '']]]);
  });

  it('tell their text and where it leads, if they hold one', async () => {
    const grid = gridOf([['Mug', 'plain', 5]]);
    grid.setLinks(0, 1, 1, [['https://shop.example/1']]);
    const body = `return sheet.getRange('A1:C1').getRichTextValues()[0]
      .map((value) => value && [value.getText(), value.getLinkUrl()]);`;
    expect(await on(grid, body)).toEqual([
      ['Mug', 'https://shop.example/1'],
      ['plain', null],
      null,
    ]);
    const one = "return sheet.getRange('A1').getRichTextValue().getLinkUrl()";
    expect(await on(grid, one)).toBe('https://shop.example/1');
  });
});
