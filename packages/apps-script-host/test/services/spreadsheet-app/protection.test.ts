// Protected sheets and ranges: the owner and named editors may change them, others get Google's refusal.

import { describe, expect, it } from '@jest/globals';
import { contentsOf, errorOn, gridOf, OWNER, on } from './grid-script';

const ANN = 'ann@example.com';
const REFUSAL = /^You are trying to edit a protected cell or object\. /;

function protectedFor(editors: readonly string[]) {
  const grid = gridOf([['kept']]);
  grid.protect({ sheetId: 0, rectangle: null, editors });
  return grid;
}

describe('a protected sheet', () => {
  it.each([
    "sheet.getRange('A1').setValue(1)",
    "sheet.getRange('A1').setNumberFormat('@')",
    "sheet.getRange('A1').clearContent()",
    'sheet.appendRow([1])',
    'sheet.insertRowBefore(1)',
    'sheet.deleteRow(1)',
    'sheet.insertColumnsAfter(26, 2)',
    'sheet.hideRows(1)',
    "sheet.getRange('A1').setNote('x')",
    'spreadsheet.insertSheet(); spreadsheet.deleteSheet(sheet)',
    "sheet.setName('Other')",
    "sheet.createTextFinder('kept').replaceAllWith('b')",
    "spreadsheet.createTextFinder('kept').replaceAllWith('b')",
    "sheet.getRange('A1').createTextFinder('kept').replaceAllWith('b')",
  ])('refuses %s to who is not named', async (statement) => {
    const grid = protectedFor([]);
    expect(await errorOn(grid, statement, { userEmail: ANN })).toMatch(REFUSAL);
    expect(contentsOf(grid)).toEqual([['kept']]);
  });

  it.each([
    [ANN, [ANN]],
    [OWNER, []],
  ])('is changed by %s where its editors are %j', async (userEmail, editors) => {
    const grid = protectedFor(editors);
    const body = "sheet.getRange('A1').setValue('new')";
    expect(await errorOn(grid, body, { userEmail })).toBeUndefined();
    expect(contentsOf(grid)).toEqual([['new']]);
  });

  it('can still be read and looked at, and new sheets be made beside it', async () => {
    const grid = protectedFor([]);
    const body = `sheet.activate();
      spreadsheet.insertSheet('Free').getRange('A1').setValue(1);
      return [sheet.getRange('A1').getValue(), sheet.getRange('A1').canEdit()];`;
    expect(await on(grid, body, { userEmail: ANN })).toEqual(['kept', false]);
    const mayEdit = "return sheet.getRange('A1').canEdit()";
    expect(await on(grid, mayEdit, { userEmail: OWNER })).toBe(true);
  });
});

describe('protection', () => {
  const area = { row: 2, column: 2, rowCount: 2, columnCount: 2 };

  it('of a range is for its cells and for rows and columns through it', async () => {
    const grid = gridOf([['a', 'b', 'c']]);
    grid.protect({ sheetId: 0, rectangle: area });
    const blocked = [
      "getRange('A1:B2').setValues([[1, 2], [3, 4]])",
      "getRange('C3').clear()",
      "getRange('A1:D9').sort(1)",
      'insertRowBefore(3)',
      'insertColumnAfter(2)',
      'deleteRows(1, 2)',
      'deleteColumn(3)',
    ];
    for (const statement of blocked) {
      expect(await errorOn(grid, `sheet.${statement}`, { userEmail: ANN })).toMatch(REFUSAL);
    }
    const free = `sheet.setName('Mine').insertRowBefore(2).insertColumnAfter(3);
      sheet.getRange('A1:D2').setValue('free');
      return sheet.getRange('B3:C4').canEdit();`;
    expect(await on(grid, free, { userEmail: ANN })).toBe(false);
  });

  it('of a sheet leaves some of it open, together too', async () => {
    const grid = gridOf();
    const unprotected = [area, { ...area, column: 4 }];
    grid.protect({ sheetId: 0, rectangle: null, unprotected });
    const body = `sheet.getRange('B2:E3').setValue(1);
      return [sheet.getRange('B2:E3').canEdit(), sheet.getRange('B2:F3').canEdit()];`;
    expect(await on(grid, body, { userEmail: ANN })).toEqual([true, false]);
  });

  it('that only warns stops no script', async () => {
    const grid = gridOf();
    grid.protect({ sheetId: 0, rectangle: area, isWarningOnly: true });
    const body = `sheet.getRange('B2').setValue(1);
      return sheet.getProtections(SpreadsheetApp.ProtectionType.RANGE)[0].isWarningOnly();`;
    expect(await on(grid, body, { userEmail: ANN })).toBe(true);
  });

  it('that a script makes as a warning stops no script, however it writes, and goes again', async () => {
    const grid = gridOf([['kept', 2]]);
    const made = `const warning = sheet.protect().setDescription('Ours').setWarningOnly(true);
      sheet.getRange('A1').protect().setWarningOnly(true);
      return [warning.isWarningOnly(), warning.getDescription(), warning.canEdit()];`;
    expect(await on(grid, made, { userEmail: OWNER })).toEqual([true, 'Ours', true]);
    const write = `sheet.getRange('A1').setValue('written'); sheet.appendRow([1]);
      sheet.insertRowBefore(1); sheet.deleteColumn(2); sheet.getRange('A1:A3').sort(1);
      sheet.setName('Other'); sheet.hideRows(5); sheet.addDeveloperMetadata('ours');
      const { SHEET, RANGE } = SpreadsheetApp.ProtectionType;
      const before = [sheet.getProtections(SHEET).length, sheet.getProtections(RANGE).length];
      for (const type of [SHEET, RANGE]) sheet.getProtections(type).forEach((one) => one.remove());
      return [before, sheet.getProtections(SHEET).length, sheet.getRange('A1:A2').getValues()];`;
    expect(await on(grid, write, { userEmail: ANN })).toEqual([[1, 1], 0, [[1], ['written']]]);
  });

  it('can be looked at before one writes', async () => {
    const grid = gridOf();
    grid.addSheet('Other', 2);
    grid.protect({ sheetId: 0, rectangle: area, description: 'totals', editors: [ANN] });
    grid.protect({ sheetId: 0, rectangle: null, unprotected: [area] });
    grid.protect({ sheetId: 1, rectangle: area });
    const body = `
      const { RANGE, SHEET } = SpreadsheetApp.ProtectionType;
      const said = (each) => [each.getRange().getA1Notation(), each.getDescription(),
        each.canEdit(), each.isWarningOnly(), each.getProtectionType() === RANGE,
        each.getUnprotectedRanges().map((range) => range.getA1Notation()),
        each.getEditors().map((user) => user.getEmail())];
      return [sheet.getProtections(RANGE).map(said), sheet.getProtections(SHEET).map(said),
        spreadsheet.getProtections(RANGE).length];`;
    expect(await on(grid, body, { userEmail: ANN })).toEqual([
      [['B2:C3', 'totals', true, false, true, [], [ANN]]],
      [['A1:Z1000', '', false, false, false, ['B2:C3'], []]],
      2,
    ]);
  });
});

describe('a protection', () => {
  it('covers other cells, or those of a named range', async () => {
    const body = `
      spreadsheet.setNamedRange('Figures', sheet.getRange('C3:F7'));
      const made = sheet.getRange('A1:D5').protect().setDescription('kept');
      const moved = made.setRange(sheet.getRange('B2:E6')).getRange().getA1Notation();
      const none = made.getRangeName();
      made.setRangeName('figures');
      const named = [made.getRangeName(), made.getRange().getA1Notation()];
      made.setNamedRange(spreadsheet.getNamedRanges()[0]).setRange(sheet.getRange('A1'));
      const all = spreadsheet.getProtections(SpreadsheetApp.ProtectionType.RANGE);
      return [moved, none, named, made.getRangeName(), all.length, all[0].getDescription()];`;
    expect(await on(gridOf(), body)).toEqual([
      ...['B2:E6', null],
      ['Figures', 'C3:F7'],
      ...[null, 1, 'kept'],
    ]);
    const unknown = "sheet.getRange('A1').protect().setRangeName('Nothing')";
    expect(await errorOn(gridOf(), unknown)).toMatch(/named range "Nothing" does not exist/);
  });
});
