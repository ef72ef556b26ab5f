// Formulas of Sheets' own behind the package's front: beside custom functions, and as scripts and people change cells.
import { expect, it } from '@jest/globals';
import { createHost } from '../src/project-host';

const files = {
  'Code.gs': `
    /** @customfunction */
    function DOUBLE(x) { return x * 2; }
    function fill() {
      const sheet = SpreadsheetApp.getActiveSheet();
      sheet.getRange('A1').setValue(10);
      return sheet.getRange('B1:B3').getValues();
    }`,
};

const cells = [
  [1, '=SUM(A1:A3)'],
  [2, '=COUNTIF(A1:A3,">1")'],
  [3, '=TODAY()'],
];

it('works them out, for whoever looks and for scripts', async () => {
  const host = createHost({ files, cells });
  expect(host.values('B1:B2')).toEqual([[6], [2]]);
  const { value } = await host.run('fill');
  expect(value).toEqual([[15], [3], [new Date('2026-01-05T00:00:00Z')]]);
  await host.edit('A2', [[0]]);
  expect(host.values('B1:B2')).toEqual([[13], [2]]);
});

it('works out those that read custom functions, and custom functions that read them', async () => {
  const host = createHost({
    files,
    cells: [[4, '=DOUBLE(A1)', '=SUM(A1:B1)', '=DOUBLE(C1)', '=NOSUCH(A1)']],
  });
  await host.advance(60_000);
  expect(host.values('A1:E1')).toEqual([[4, 8, 12, 24, '#NAME?']]);
  await host.edit('A1', [[5]]);
  await host.advance(60_000);
  expect(host.values('B1:D1')).toEqual([[10, 15, 30]]);
});

it('comes to an end where a function reads a sum of which it is a part', async () => {
  const host = createHost({ files, cells: [[1, '=DOUBLE(C1)', '=SUM(A1:B1)']] });
  await host.advance(60_000);
  expect(host.values('B1:C1')).toEqual([[2, 3]]);
});
