// Univer as the spreadsheet that scripts work on: held to what every sheet model has to do.
import { afterAll } from '@jest/globals';
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

describeSheetModel('a spreadsheet in Univer', create, ['protection', 'notes', 'links', 'looks']);
