// Spreadsheets that a script opens or makes beside its own.

import { expect, it } from '@jest/globals';
import { createHost } from '../src/project-host';

const files = {
  'Code.gs': `
    const ID = 'prices-2026';
    function both() {
      const own = SpreadsheetApp.getActive().getSheets()[0];
      const book = SpreadsheetApp.openById(ID);
      const sheet = SpreadsheetApp.openByUrl(book.getUrl()).getSheets()[0];
      sheet.appendRow(['c', 3]);
      own.getRange('A1').setValue(sheet.getRange('B3').getValue() + sheet.getLastRow());
      sheet.getRange('C1').setFormula('=SUM(B1:B3)');
      book.insertSheet('Log').getRange('A1').setValue('done');
      return [book.getName(), sheet.getParent().getId(), book.getActiveSheet().getName(), own.getLastRow(),
        sheet.getRange('A1:B3').getValues(), SpreadsheetApp.getActive().getNumSheets(), book.getNumSheets()];
    }
    function copy() {
      const book = SpreadsheetApp.openById(ID);
      const copy = book.getSheets()[0].copyTo(SpreadsheetApp.getActive());
      const back = copy.copyTo(book);
      return [copy.getName(), copy.getRange('A2').getValue(), copy.getParent().getId() === ID, back.getParent().getId() === ID];
    }
    function make() {
      const book = SpreadsheetApp.create('Report', 5, 3);
      const sheet = book.getSheets()[0].appendRow(['x', 2, '=B1*2']);
      SpreadsheetApp.flush();
      return [book.getId(), book.getName(), sheet.getMaxRows(), sheet.getMaxColumns(), SpreadsheetApp.openById(book.getId()).getName()];
    }
    function across() {
      SpreadsheetApp.openById(ID).getSheets()[0].getRange('A1').copyTo(SpreadsheetApp.getActive().getRange('A1'));
    }
    function open(id) { SpreadsheetApp.openById(id); }`,
};

const documents = {
  'prices-2026': [
    ['a', 1],
    ['b', 2],
  ],
};

it('are opened by id and address, and each keeps its own cells', async () => {
  const host = createHost({ files, documents });
  const { value, error } = await host.run('both');
  expect([error, value]).toEqual([
    undefined,
    [
      ...['prices-2026', 'prices-2026', 'Log', 1],
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
      ...[1, 2],
    ],
  ]);
  expect(host.values('A1')).toEqual([[6]]);
  expect(host.values('A1:C1', 'prices-2026')).toEqual([['a', 1, 6]]);
  expect(host.values('Log!A1', 'prices-2026')).toEqual([['done']]);
});

it('take sheets from each other', async () => {
  const host = createHost({ files, documents });
  expect((await host.run('copy')).value).toEqual(['Copy of Sheet1', 'b', false, true]);
});

it('are made by a script, and their formulas are worked out', async () => {
  const host = createHost({ files, documents });
  const { value } = await host.run('make');
  const [id, ...told] = value as [string];
  expect(told).toEqual(['Report', 5, 3, 'Report']);
  expect(host.values('A1:C1', id)).toEqual([['x', 2, 4]]);
});

it('share no ranges', async () => {
  const host = createHost({ files, documents });
  expect((await host.run('across')).error?.message).toBe(
    'Target range and source range must be on the same spreadsheet.',
  );
});

it('are missing where a test has none, to a script and to the test', async () => {
  const host = createHost({ files, documents });
  expect((await host.run('open', 'budget')).error?.message).toBe(
    "Document budget is missing (perhaps it was deleted, or you don't have read access?)",
  );
  expect(() => host.values('A1', 'budget')).toThrow(
    'There is no spreadsheet budget. There are the-spreadsheet, prices-2026.',
  );
});
