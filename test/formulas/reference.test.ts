// References as formulas write them, and the cells that they name in a sheet of a given size.

import { describe, expect, it } from '@jest/globals';
import { areaOf, readReference } from '../../src/formulas/parse-formula';

const SIZE = { lastRow: 40, lastColumn: 4, maxRows: 100, maxColumns: 10 };

describe('a reference', () => {
  it.each([
    ['A2', [2, 1, 1, 1]],
    ['$C$7', [7, 3, 1, 1]],
    ['c7', [7, 3, 1, 1]],
    ['A2:B5', [2, 1, 4, 2]],
    ['B5:A2', [2, 1, 4, 2]],
    ['A:A', [1, 1, 100, 1]],
    ['$A2:A', [2, 1, 99, 1]],
    ['3:4', [3, 1, 2, 10]],
    ['A90:A500', [90, 1, 11, 1]],
    ['A100', [100, 1, 1, 1]],
    ['J1', [1, 10, 1, 1]],
    ['A500', null],
    ['AA1', null],
  ])('%s is these cells', (text, expected) => {
    const reference = readReference(text);
    const area = reference && areaOf(reference, SIZE);
    expect(area && [area.row, area.column, area.rowCount, area.columnCount]).toEqual(expected);
  });

  it('names a sheet in its own way', () => {
    const name = (text: string) => readReference(text)?.sheetName;
    expect(name('A2')).toBeNull();
    expect(name('Stock!A2')).toBe('Stock');
    expect(name("'My, sheet'!A2:A")).toBe('My, sheet');
    expect(name("'It''s'!$A$2")).toBe("It's");
    expect(name('Bücher!A1')).toBe('Bücher');
  });

  it('is nothing else', () => {
    for (const text of [
      '',
      'A',
      '12',
      'Products',
      'A2#',
      'A2:',
      ':A2',
      'A2+1',
      '"A2"',
      'F(A2)',
      'A0',
    ])
      expect(readReference(text)).toBeNull();
  });
});
