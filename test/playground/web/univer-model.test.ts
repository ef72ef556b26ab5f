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

describeSheetModel('a spreadsheet in Univer', create, ['protection', 'notes', 'links', 'looks']);

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
