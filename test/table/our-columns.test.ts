// The columns of a run, found again by their headers, wherever they went and whatever they are called now.

import { describe, expect, it } from '@jest/globals';
import { existingColumns, type Layout, located, newTitle } from '../../src/table/columns';

const TITLES = ['ASIN', 'Note', 'Profit', 'ROI', 'Analysis status', 'Analyzed at', 'Remark'];
const LAYOUT: Layout = {
  headerRow: 1,
  columns: [
    { key: 'product', title: 'ASIN', column: 1 },
    { key: 'profit', title: 'Profit', column: 3 },
    { key: 'roi', title: 'ROI', column: 4 },
    { key: 'status', title: 'Analysis status', column: 5 },
    { key: 'at', title: 'Analyzed at', column: 6 },
  ],
  others: ['Note', 'Remark'],
};

const columnsIn = (titles: readonly string[], rowsAbove = 0) => {
  const top = [...Array.from({ length: rowsAbove }, () => ['']), [...titles], ['', '']];
  const found = located(LAYOUT, top);
  return typeof found === 'string' ? found : found.columns.map(({ column }) => column);
};

describe('the columns of a run', () => {
  it('follow their headers through insertions and moves', () => {
    expect(columnsIn(TITLES)).toEqual([1, 3, 4, 5, 6]);
    expect(columnsIn(['New', ...TITLES])).toEqual([2, 4, 5, 6, 7]);
    expect(columnsIn(['ASIN', 'Analyzed at', 'ROI', 'Profit', 'Analysis status'])).toEqual([
      1, 4, 3, 5, 2,
    ]);
  });

  it('follow a header that moved down', () => {
    expect(located(LAYOUT, [[''], [''], TITLES])).toMatchObject({ headerRow: 3 });
  });

  it('are found between their neighbours under another name', () => {
    expect(columnsIn(TITLES.map((title) => (title === 'ROI' ? 'Return' : title)))).toEqual([
      1, 3, 4, 5, 6,
    ]);
  });

  it('are gone, and not the next column, when they were deleted', () => {
    expect(columnsIn(TITLES.filter((title) => title !== 'ROI'))).toBe('ROI');
    expect(columnsIn(TITLES.filter((title) => title !== 'Analyzed at'))).toBe('Analyzed at');
    expect(columnsIn(TITLES.filter((title) => title !== 'ASIN'))).toBe('ASIN');
  });
});

describe('columns that stand there before a run', () => {
  it('are reused by any name of their figure, unless somebody fills them', () => {
    const titles = ['ASIN', 'Net profit', 'roi'];
    const found = existingColumns(titles, ['profit', 'roi', 'fees'], (column) => column === 3);
    expect([...found.values()]).toEqual([{ key: 'profit', title: 'Net profit', column: 2 }]);
  });

  it('are told from new ones by the header', () => {
    expect(newTitle('roi', ['ASIN', 'ROI'])).toBe('ROI (analyzed)');
    expect(newTitle('fees', ['ASIN', 'ROI'])).toBe('Fees');
  });
});
