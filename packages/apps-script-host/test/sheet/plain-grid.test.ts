// The plain grid: the contract of every sheet model, and its own extras.

import { describe, expect, it } from '@jest/globals';
import { createPlainGrid } from '../../src/sheet/plain-grid';
import { describeSheetModel } from '../contracts/sheet-model';

describeSheetModel('the plain grid', createPlainGrid);

const ONE_CELL = { row: 1, column: 1, rowCount: 1, columnCount: 1 };

describe('the plain grid', () => {
  it('shows what a formula is said to have come to', () => {
    const grid = createPlainGrid();
    grid.write(0, 1, 1, [[{ formula: '=NOW()' }]]);
    expect(grid.values(0, ONE_CELL)).toEqual([['']]);
    grid.setComputed(0, 1, 1, new Date('2026-01-05T09:00:00Z'));
    expect(grid.values(0, ONE_CELL)).toEqual([[new Date('2026-01-05T09:00:00Z')]]);
    expect(grid.formulas(0, ONE_CELL)).toEqual([['=NOW()']]);
  });

  it.each([
    ['America/New_York', '2026-03-08T06:30:00Z', '2026-03-08 01:30'],
    ['America/New_York', '2026-03-08T07:30:00Z', '2026-03-08 03:30'],
    ['Europe/London', '2026-07-01T23:30:00Z', '2026-07-02 00:30'],
    ['Asia/Kolkata', '2026-01-05T00:00:00Z', '2026-01-05 05:30'],
  ])('keeps dates local to %s', (timeZone, moment, shown) => {
    const grid = createPlainGrid({ timeZone });
    grid.write(0, 1, 1, [[new Date(moment)]]);
    grid.setNumberFormats(0, 1, 1, [['yyyy-mm-dd hh:mm']]);
    expect(grid.displayValues(0, ONE_CELL)).toEqual([[shown]]);
    expect(grid.values(0, ONE_CELL)).toEqual([[new Date(moment)]]);
  });

  it('takes a column of 100,000 rows', () => {
    const grid = createPlainGrid({ maxRows: 100_000 });
    const column = Array.from({ length: 100_000 }, (_, index) => [index]);
    grid.write(0, 1, 1, column);
    grid.insertRows(0, 1, 50_000);
    grid.deleteRows(0, 1, 50_001);
    const kept = { row: 1, column: 1, rowCount: 99_999, columnCount: 1 };
    expect(grid.values(0, kept)).toEqual(column.slice(1));
    expect(grid.size(0)).toMatchObject({ lastRow: 99_999, maxRows: 99_999 });
  });
});
