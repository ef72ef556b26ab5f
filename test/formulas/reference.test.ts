// References as formulas write them, and the cells that they name in a sheet of a given size.

import { describe, expect, it } from '@jest/globals';
import { readReference, valuesOf } from '../../src/formulas/parse-formula';

/** The cells of a sheet of 5 rows and 3 columns, each by its address. */
const CELLS = [1, 2, 3, 4, 5].map((row) => ['A', 'B', 'C'].map((letter) => letter + row));

describe('a reference', () => {
  it.each<[string, readonly string[]]>([
    ['A2', ['A2']],
    ['$C$4', ['C4']],
    ['c4', ['C4']],
    ['A2:B3', ['A2', 'B2', 'A3', 'B3']],
    ['B3:A2', ['A2', 'B2', 'A3', 'B3']],
    ['A:A', ['A1', 'A2', 'A3', 'A4', 'A5']],
    ['$A4:A', ['A4', 'A5']],
    ['4:4', ['A4', 'B4', 'C4']],
    ['A4:A500', ['A4', 'A5']],
    ['A500', []],
    ['AA1', []],
  ])('%s is these cells', (text, expected) => {
    const reference = readReference(text);
    expect(reference && valuesOf(reference, CELLS).flat()).toEqual(expected);
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
