// Small pictures in cells: what the page is told to draw, and when it is told so.
import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellContent, Matrix } from 'apps-script-host/sheet/model';
import { type LiveSheet, openLiveSheet } from '../../../playground/web/live-sheet';
import type { SheetLook } from '../../../playground/web/protocol';
import { followLooks } from '../../../playground/web/sheet-looks';

const SHEET = 0;

const opened: LiveSheet[] = [];

afterEach(() => {
  for (const sheet of opened.splice(0)) sheet.dispose();
});

function opens() {
  const first = { id: 'first', name: 'Sheet1', rowCount: 100, columnCount: 26 };
  const sheet = openLiveSheet({
    data: { id: 'document', sheetOrder: ['first'], sheets: { first } },
    functionNames: [],
    execute: () => Promise.resolve({ kind: 'value', value: '' }),
  });
  opened.push(sheet);
  const told: (readonly SheetLook[])[] = [];
  const looks = followLooks(sheet, (all) => told.push(all));
  const drawn = ([look]: readonly SheetLook[] = []) =>
    look?.sparklines.map(({ row, column, points }) => [row, column, ...points]);
  return {
    write: async (row: number, column: number, contents: Matrix<CellContent>) => {
      sheet.model.write(SHEET, row, column, contents);
      await sheet.settled();
      await new Promise(setImmediate);
    },
    insertRow: async (row: number) => {
      sheet.model.insertRows(SHEET, row, 1);
      await sheet.settled();
      await new Promise(setImmediate);
    },
    now: () => drawn(looks.now()),
    lastTold: () => drawn(told.at(-1)),
  };
}

describe('a SPARKLINE', () => {
  it('is drawn by its points, and anew when one of them is another', async () => {
    const sheet = opens();
    await sheet.write(1, 1, [[3, 5, 4, { formula: '=SPARKLINE(A1:C1)' }]]);
    expect(sheet.lastTold()).toEqual([[0, 3, 3, 5, 4]]);
    await sheet.write(1, 2, [[9]]);
    expect(sheet.lastTold()).toEqual([[0, 3, 3, 9, 4]]);
  });

  it('is drawn inside of other functions, and not any more where they show something else', async () => {
    const sheet = opens();
    const formula = '=IF(E1="";"";LET(own;A1:C1;SPARKLINE(own)))';
    await sheet.write(1, 1, [[1, 2, 3, { formula: formula.replaceAll(';', ',') }, 'yes']]);
    expect(sheet.now()).toEqual([[0, 3, 1, 2, 3]]);
    await sheet.write(1, 5, [['']]);
    expect(sheet.now()).toEqual([]);
    await sheet.write(1, 5, [['yes']]);
    expect(sheet.lastTold()).toEqual([[0, 3, 1, 2, 3]]);
  });

  it('goes with its row, and is gone where something is typed over it', async () => {
    const sheet = opens();
    await sheet.write(1, 1, [[1, 2, 3, { formula: '=SPARKLINE(A1:C1)' }]]);
    await sheet.insertRow(1);
    expect(sheet.now()).toEqual([[1, 3, 1, 2, 3]]);
    await sheet.write(2, 4, [['typed']]);
    expect(sheet.lastTold()).toEqual([]);
  });
});
