// Univer as the spreadsheet that scripts work on: held to what every sheet model has to do.
import { afterAll, expect, it } from '@jest/globals';
import { itTellsBlanks } from 'apps-script-host/sheet/blanks-contract';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import { describeSheetModel } from 'apps-script-host/sheet/contract';
import { createUniverModel } from '../../../playground/web/univer-model';
import { openUniverWorkbook, type UniverWorkbook } from '../../../playground/web/univer-workbook';

const opened: UniverWorkbook[] = [];

afterAll(() => {
  for (const workbook of opened) workbook.dispose();
});

function create() {
  const sheet = { id: 'first', name: 'Sheet1', rowCount: 1000, columnCount: 26 };
  const workbook = openUniverWorkbook({
    data: { id: 'document', sheetOrder: ['first'], sheets: { first: sheet } },
    functionNames: [],
    answer: () => ({ kind: 'pending' }),
  });
  opened.push(workbook);
  return createUniverModel(workbook);
}

itTellsBlanks(() => {
  const model = create();
  return { model, calculated: async () => opened.at(-1)?.calculation.settled() };
});

describeSheetModel('a spreadsheet in Univer', create, ['protection', 'links', 'looks']);

it('keeps the note of a cell, beside a formula as well, and moves it when rows are sorted', () => {
  const model = create();
  const [{ id } = { id: 0 }] = model.sheets();
  const cells = { row: 1, column: 1, rowCount: 3, columnCount: 1 };
  const notes = () => model.notes(id, cells).flat();
  model.write(id, 1, 1, [[2], [1], [{ formula: '=1+2' }]]);
  model.setNotes(id, 1, 1, [['what it is for'], [''], ['a sum']]);
  expect(notes()).toEqual(['what it is for', '', 'a sum']);
  expect(model.formulas(id, cells).flat()).toEqual(['', '', '=1+2']);
  model.sort(id, { ...cells, rowCount: 2 }, [{ column: 1, ascending: true }]);
  expect(notes()).toEqual(['', 'what it is for', 'a sum']);
  model.insertRows(id, 1, 1);
  expect(notes()).toEqual(['', '', 'what it is for']);
  model.setNotes(id, 3, 1, [['']]);
  expect(notes()).toEqual(['', '', '']);
  expect(model.size(id).lastRow).toBe(4);
});

it('hides and shows the columns that a script hides and shows', () => {
  const model = create();
  const [workbook] = opened.slice(-1);
  const isShown = (column: number) =>
    workbook?.workbook
      .getActiveSheet()
      .getSheet()
      .getColVisible(column - 1);
  const [{ id } = { id: 0 }] = model.sheets();
  featuresOf(model).setLook(id, { hiddenColumns: [2, 3] });
  expect([1, 2, 3, 4].map(isShown)).toEqual([true, false, false, true]);
  featuresOf(model).setLook(id, { hiddenColumns: [3] });
  expect([1, 2, 3, 4].map(isShown)).toEqual([true, true, false, true]);
});
