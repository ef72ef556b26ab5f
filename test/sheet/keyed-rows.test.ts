// Where rows with keys are written, and which have to be written again.
import { describe, expect, it } from '@jest/globals';
import { stretches } from '../../src/google/cells';
import { assignRows, keysToRepeat, type Write } from '../../src/sheet/keyed-rows';

const KEYS = ['', 'a|', 'b|', 'a|', '', 'c|'];

const placesOf = (keys: readonly string[], lastRow = 8) =>
  assignRows(new Map(keys.map((key) => [key, null])), KEYS, lastRow).map(({ key, row }) => [
    row,
    key,
  ]);

describe('a row', () => {
  it('is written wherever its key stands', () => {
    expect(placesOf(['c|', 'a|'])).toEqual([
      [2, 'a|'],
      [4, 'a|'],
      [6, 'c|'],
    ]);
  });

  it.each([8, 6, 5])('is new below the last, also where %d rows are left of them', (lastRow) => {
    const below = Math.max(lastRow, KEYS.length) + 1;
    expect(placesOf(['x|', 'c|', 'y|'], lastRow)).toEqual([
      [6, 'c|'],
      [below, 'x|'],
      [below + 1, 'y|'],
    ]);
  });

  it('is new where another stands twice', () => {
    expect(placesOf(['x|', 'a|', 'y|'])).toEqual([
      [2, 'a|'],
      [4, 'x|'],
      [9, 'y|'],
    ]);
  });

  it('is written together with its neighbours, and read across small gaps', () => {
    const tops = (gap?: number) => stretches([2, 3, 5, 9], (row) => row, gap);
    expect(tops()).toEqual([[2, 3], [5], [9]]);
    expect(tops(1)).toEqual([[2, 3, 5], [9]]);
  });
});

describe('after a write', () => {
  const repeated = (keys: readonly string[], change: Partial<Write> = {}) => [
    ...keysToRepeat({
      before: KEYS,
      assigned: [{ row: 3, key: 'b|' }],
      after: keys,
      hasShifted: false,
      ...change,
    }),
  ];

  it.each<[string, readonly string[], readonly string[]]>([
    ['nothing moved', KEYS, []],
    ['a row was inserted above', ['', '', 'a|', 'b|', 'a|', '', 'c|'], []],
    ['the write hit another', ['', 'a|', 'b|', 'b|', '', 'c|'], ['b|', 'a|']],
    ['the written row is gone', ['', 'a|', 'a|', '', 'c|'], ['b|']],
    ['another was deleted', ['', 'a|', 'b|', 'a|'], ['c|']],
  ])('where %s', (_, keys, again) => {
    expect(repeated(keys)).toEqual(again);
  });

  it('where columns moved', () => {
    expect(repeated(KEYS, { hasShifted: true })).toEqual(['b|']);
    expect(repeated(['', 'b|', 'c|', 'a|', '', 'a|'], { hasShifted: true })).toEqual(['b|', 'c|']);
  });
});
