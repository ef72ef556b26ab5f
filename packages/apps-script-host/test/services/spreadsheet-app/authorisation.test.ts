// Who may do what with a spreadsheet: cells, simple triggers, scripts without a scope.

import { describe, expect, it } from '@jest/globals';
import { manifestWith } from '../../script-host';
import { contentsOf, errorOn, gridOf, inSheet, on } from './grid-script';

const CURRENT_ONLY = 'https://www.googleapis.com/auth/spreadsheets.currentonly';
const ANY_SPREADSHEET = 'https://www.googleapis.com/auth/spreadsheets';

describe('authorisation', () => {
  const required = (scopes: string) => `. Required permissions: ${scopes}`;

  it('lets a cell read and flush', async () => {
    const body = "SpreadsheetApp.flush(); return sheet.getRange('A1').getValues()";
    expect(await on(gridOf([['seen']]), body, { door: 'cell' })).toEqual([['seen']]);
  });

  it.each([
    ["sheet.getRange('A1').setValue(1)", 'setValue'],
    ["sheet.getRange('A1').setValues([[1]])", 'setValues'],
    ["sheet.getRange('A1').setFormula('=1')", 'setFormula'],
    ["sheet.getRange('A1').clearContent()", 'clearContent'],
    ["sheet.getRange('A1').sort(1)", 'sort'],
    ['sheet.appendRow([1])', 'appendRow'],
    ['sheet.insertRowsAfter(1, 2)', 'insertRowsAfter'],
    ['sheet.deleteRow(1)', 'deleteRow'],
    ['sheet.activate()', 'setActiveSheet'],
    ['spreadsheet.insertSheet()', 'insertSheet'],
    ["sheet.createTextFinder('a').replaceAllWith('b')", 'replaceAllWith'],
    ["spreadsheet.toast('x')", 'toast'],
    ['spreadsheet.getOwner()', 'getOwner'],
  ])('refuses %s in a cell', async (statement, callName) => {
    const grid = gridOf([['kept']]);
    const message = await errorOn(grid, statement, { door: 'cell' });
    expect(message).toBe(`You do not have permission to call ${callName}`);
    expect(contentsOf(grid)).toEqual([['kept']]);
  });

  it('refuses other spreadsheets in a cell, and elsewhere without the scope', async () => {
    const byId = `SpreadsheetApp.openById('doc-1')`;
    expect(await errorOn(gridOf(), byId, { door: 'cell' })).toBe(
      `You do not have permission to call SpreadsheetApp.openById${required(ANY_SPREADSHEET)}`,
    );
    expect(await errorOn(gridOf(), "SpreadsheetApp.openByUrl('https://x/')")).toBe(
      'Specified permissions are not sufficient to call SpreadsheetApp.openByUrl' +
        required(ANY_SPREADSHEET),
    );
  });

  it('opens its own spreadsheet with that scope', async () => {
    const manifest = manifestWith([ANY_SPREADSHEET]);
    const dist = { code: '', html: {}, manifest };
    const body = `return [SpreadsheetApp.openById('doc-1').getName(),
      SpreadsheetApp.openByUrl(spreadsheet.getUrl()).getId()];`;
    const options = { dist: { ...dist, code: inSheet(body) } };
    expect(await on(gridOf(), body, {}, options)).toEqual(['Products', 'doc-1']);
  });

  it('gives no document before the add-on is enabled, nor without a scope', async () => {
    const name = 'SpreadsheetApp.getActiveSpreadsheet';
    const scopes = required(`${CURRENT_ONLY} || ${ANY_SPREADSHEET}`);
    expect(await errorOn(gridOf(), '', { door: 'open', authMode: 'NONE' })).toBe(
      `You do not have permission to call ${name}${scopes}`,
    );
    const dist = { code: inSheet(''), html: {}, manifest: manifestWith([]) };
    expect(await errorOn(gridOf(), '', {}, { dist })).toBe(
      `Specified permissions are not sufficient to call ${name}${scopes}`,
    );
  });

  it('lets onOpen change the sheet', async () => {
    const grid = gridOf();
    await on(grid, "sheet.getRange('A1').setValue('x')", { door: 'open' });
    expect(contentsOf(grid)).toEqual([['x']]);
  });

  it('does not tell onOpen who the users are', async () => {
    expect(await errorOn(gridOf(), 'spreadsheet.getEditors()', { door: 'open' })).toBe(
      'You do not have permission to call getEditors',
    );
  });
});
