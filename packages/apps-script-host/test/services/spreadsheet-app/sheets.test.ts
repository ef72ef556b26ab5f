// Spreadsheet and Sheet: what they say of themselves, rows and columns, tabs, what is on view.

import { describe, expect, it } from '@jest/globals';
import { resultOf } from '../../script-host';
import { contentsOf, errorOn, gridOf, OWNER, on } from './grid-script';

describe('a sheet', () => {
  it('tells its sizes and finds its data', async () => {
    const grid = gridOf([
      ['a', '', ''],
      ['', '', 'b'],
    ]);
    const body = `
      const empty = spreadsheet.insertSheet();
      return [sheet.getLastRow(), sheet.getLastColumn(), sheet.getMaxRows(), sheet.getMaxColumns(),
        sheet.getDataRange().getA1Notation(), empty.getDataRange().getA1Notation(),
        sheet.getFrozenRows(), sheet.getIndex(), sheet.getSheetId(), sheet.getName()];`;
    expect(await on(grid, body)).toEqual([2, 3, 1000, 26, 'A1:C2', 'A1', 0, 1, 0, 'List']);
  });

  it('is copied to the end of its spreadsheet, under a name of its own', async () => {
    const grid = gridOf([['a', { formula: '=A1' }]]);
    const body = `
      spreadsheet.insertSheet('Other');
      const copies = [sheet.copyTo(spreadsheet), sheet.copyTo(spreadsheet)];
      return [spreadsheet.getSheets().map((each) => each.getName()),
        copies[0].getRange('B1').getFormula(), copies[0].getIndex()];`;
    expect(await on(grid, body)).toEqual([
      ['List', 'Other', 'Copy of List', 'Copy of List 1'],
      ...['=A1', 3],
    ]);
    const duplicate = `const made = spreadsheet.setActiveSheet(sheet).getParent().duplicateActiveSheet();
      return [made.getName(), made.getIndex(), spreadsheet.getActiveSheet().getName()];`;
    expect(await on(grid, duplicate)).toEqual(['Copy of List 2', 2, 'Copy of List 2']);
    const elsewhere = "sheet.copyTo({ getId: () => 'other' })";
    expect(await errorOn(grid, elsewhere)).toMatch(/^Document other is missing/);
  });

  it('takes rows and columns in and out', async () => {
    const grid = gridOf([
      [1, 2],
      [3, { formula: '=A1' }],
    ]);
    const body = `
      sheet.insertRowBefore(1).insertRowsAfter(2, 2);
      sheet.insertColumnBefore(1).insertColumnAfter(1).insertColumnsBefore(1, 1);
      sheet.deleteColumns(2, 2);
      sheet.deleteRow(1).deleteRow(2);
      return [sheet.getRange('C3').getFormula(), sheet.getMaxRows(), sheet.getMaxColumns()];`;
    expect(await on(grid, body)).toEqual(['=B1', 1001, 27]);
    expect(contentsOf(grid)).toEqual([
      ['', 1, 2],
      ['', '', ''],
      ['', 3, ''],
    ]);
  });

  it('appends rows, beyond its end too', async () => {
    const grid = gridOf([['a']], { maxRows: 2, maxColumns: 2 });
    await on(grid, "sheet.appendRow(['b', 'x']).appendRow(['1', 'y', '=A1'])");
    expect(contentsOf(grid)).toEqual([
      ['a', '', ''],
      ['b', 'x', ''],
      [1, 'y', ''],
    ]);
  });

  const rowsOut = 'Those rows are out of bounds.';
  it.each([
    ['deleteRows(999, 3)', rowsOut],
    ['deleteRow(0)', rowsOut],
    ['insertRowBefore(1002)', rowsOut],
    ['insertRowsAfter(1, 0)', rowsOut],
    ['deleteColumn(27)', 'Those columns are out of bounds.'],
    ['deleteRows(1, 1000)', 'Sorry, it is not possible to delete all non-frozen rows.'],
    ['deleteColumns(1, 26)', 'Sorry, it is not possible to delete all non-frozen columns.'],
    [
      'insertRowsAfter(1, 400000)',
      'This action would increase the number of cells in the workbook above the limit of ' +
        '10000000 cells.',
    ],
    [
      "setName('other')",
      'A sheet with the name "other" already exists. Please enter another name.',
    ],
  ])('refuses %s', async (statement, message) => {
    const grid = gridOf();
    grid.addSheet('Other', 2);
    expect(await errorOn(grid, `sheet.${statement}`)).toBe(message);
  });

  it('that was deleted meanwhile is refused', async () => {
    const body = `
      const other = spreadsheet.insertSheet('Other');
      spreadsheet.deleteSheet(other);
      other.getName();`;
    expect(await errorOn(gridOf(), body)).toBe('Sheet 1 not found');
  });
});

describe('the spreadsheet', () => {
  it('says what it is', async () => {
    const grid = gridOf([], { locale: 'en_GB', timeZone: 'Europe/London' });
    const body = `
      return [spreadsheet.getId(), spreadsheet.getName(), spreadsheet.getSpreadsheetLocale(),
        spreadsheet.getSpreadsheetTimeZone(), spreadsheet.getOwner().getEmail(),
        spreadsheet.getEditors().map((user) => user.getEmail())];`;
    const editors = [OWNER, 'ann@example.com'];
    expect(await on(grid, body)).toEqual([
      'doc-1',
      'Products',
      'en_GB',
      'Europe/London',
      OWNER,
      editors,
    ]);
  });

  it('finds, adds, renames and deletes sheets', async () => {
    const body = `
      spreadsheet.insertSheet('Log', 0).setName('Changes');
      const added = spreadsheet.insertSheet();
      const names = spreadsheet.getSheets().map((each) => each.getName());
      spreadsheet.deleteSheet(spreadsheet.getSheetByName('Changes'));
      return [names, spreadsheet.getSheetByName('Changes'), spreadsheet.getSheetById(77),
        spreadsheet.getSheetById(added.getSheetId()).getName(), spreadsheet.getNumSheets()];`;
    expect(await on(gridOf(), body)).toEqual([
      ['Changes', 'List', 'Sheet3'],
      null,
      null,
      'Sheet3',
      2,
    ]);
  });

  it('keeps its last sheet', async () => {
    expect(await errorOn(gridOf(), 'spreadsheet.deleteSheet(sheet)')).toBe(
      "You can't remove all the sheets in a document.",
    );
  });

  it('has the user’s selection on view', async () => {
    const grid = gridOf();
    const other = grid.addSheet('Other', 2);
    const rectangle = { row: 2, column: 3, rowCount: 4, columnCount: 1 };
    grid.select({ sheetId: other, rectangle });
    const body = `
      const seen = [SpreadsheetApp.getActiveSheet().getName(),
        spreadsheet.getActiveRange().getA1Notation(),
        spreadsheet.getRange('A1').getSheet().getName()];
      sheet.getRange('B7').activate();
      return [...seen, SpreadsheetApp.getActiveSheet().getName()];`;
    expect(await on(grid, body)).toEqual(['Other', 'C2:C5', 'Other', 'List']);
    expect(grid.selection()).toMatchObject({ sheetId: 0, rectangle: { row: 7, column: 2 } });
  });

  it('knows everything that is selected, and selects', async () => {
    const grid = gridOf();
    const cell = { row: 2, column: 1, rowCount: 1, columnCount: 1 };
    const others = [{ ...cell, row: 5, rowCount: 3 }];
    grid.select({ sheetId: 0, rectangle: cell, others });
    const body = `
      const selected = (list) => list && list.getRanges().map((range) => range.getA1Notation());
      const before = [SpreadsheetApp.getActiveRangeList(), sheet.getActiveRangeList()].map(selected);
      // What is new is on view.
      const other = spreadsheet.insertSheet('Other');
      const seen = [...before, selected(sheet.getActiveRangeList())];
      other.setActiveSelection('C3:D4');
      const after = spreadsheet.getActiveRange().getA1Notation();
      sheet.setActiveRange(sheet.getRange('B2'));
      const name = spreadsheet.getActiveSheet().getName();
      sheet.getRangeList(['A3', 'B8:C9']).activate();
      return [...seen, after, name, selected(sheet.getActiveRangeList())];`;
    const both = ['A5:A7', 'A2'];
    expect(await on(grid, body)).toEqual([both, both, null, 'C3:D4', 'List', ['A3', 'B8:C9']]);
  });

  it('has its first sheet on view for a clock, whatever the user looks at', async () => {
    const grid = gridOf();
    const other = grid.addSheet('Other', 2);
    grid.select({ sheetId: other, rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 } });
    const body = `
      const seen = spreadsheet.getActiveSheet().getName();
      sheet.getRange('B7').activate();
      return [seen, spreadsheet.getActiveRange().getA1Notation()];`;
    expect(await on(grid, body, { door: 'clock' })).toEqual(['List', 'B7']);
    expect(grid.selection().sheetId).toBe(other);
  });

  it('is null where there is none', async () => {
    const code = 'function f() { return SpreadsheetApp.getActiveSpreadsheet() }';
    expect(await resultOf(code)).toBeNull();
  });

  it('throws the name of what it does not have', async () => {
    const message = await errorOn(gridOf(), "sheet.getRange('A1').getDataSourceUrl()");
    expect(message).toBe('Range.getDataSourceUrl is not emulated');
    expect(await errorOn(gridOf(), 'spreadsheet.getFoo()')).toBe(
      'spreadsheet.getFoo is not a function',
    );
  });
});
