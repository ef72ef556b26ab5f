// Cells as formulas hand them over: one value, a range, or nothing.

import { describe, expect, it } from '@jest/globals';
import { cellsOf, firstCell, isLeftOut, isRange } from '../../src/product/arguments';

describe('an argument', () => {
  it.each<[string, unknown, boolean, readonly unknown[]]>([
    ['a value', 'a', false, ['a']],
    ['a blank', '', false, ['']],
    ['nothing', undefined, false, [undefined]],
    ['a range of one cell', [['a']], false, ['a']],
    ['a column', [['a'], ['b']], true, ['a', 'b']],
    ['a row', [['a', 'b']], true, ['a', 'b']],
    [
      'a block, row by row',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      true,
      ['a', 'b', 'c', 'd'],
    ],
    ['a plain list', ['a', 'b'], true, ['a', 'b']],
  ])('that is %s', (_, argument, range, cells) => {
    expect(isRange(argument)).toBe(range);
    expect(cellsOf(argument)).toEqual(cells);
    expect(firstCell(argument)).toBe(cells[0]);
  });

  it('is left out when there is nothing in it', () => {
    for (const argument of [undefined, null, '', [['']], [['', '']], [[''], [null]]])
      expect(isLeftOut(argument)).toBe(true);
    for (const argument of [0, false, 'x', [['', 'x']]]) expect(isLeftOut(argument)).toBe(false);
  });
});
