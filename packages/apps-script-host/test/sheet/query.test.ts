// QUERY over rows of cells: what it selects, groups and orders, and which queries it cannot read.

import { describe, expect, it } from '@jest/globals';
import { columnNumber } from '../../src/sheet/a1-notation';
import { queried } from '../../src/sheet/query';

const rows = [
  ['name', 'group', 'count'],
  ['one', 'a', 1],
  ['two', 'b', 20],
  ['three', 'a', 3],
  ['four', null, 'many'],
];

const ask = (query: string, headers = -1) =>
  queried({ rows, columnOf: (name) => columnNumber(name) - 1 }, query, headers);

describe('a query', () => {
  it.each([
    ['select A where C > 1', [['name'], ['two'], ['three']]],
    [
      'select C, A where B = "a" order by C desc',
      [
        ['count', 'name'],
        [3, 'three'],
        [1, 'one'],
      ],
    ],
    [
      'select B, sum(C), count(A) group by B',
      [
        ['group', 'sum count', 'count name'],
        [null, null, 1],
        ['a', 4, 2],
        ['b', 20, 1],
      ],
    ],
    [
      "select max(C), avg(C) label max(C) 'most', avg(C) ''",
      [
        ['most', ''],
        [20, 8],
      ],
    ],
    ['where A contains "o" and not (B is null or C >= 20)', [rows[0], ['one', 'a', 1]]],
    [
      'select Col1 where Col1 starts with "t" or A ends with "ur" limit 2 offset 1',
      [['name'], ['three'], ['four']],
    ],
    ['select A where A matches "t.*e" or A like "t_o"', [['name'], ['two'], ['three']]],
    ["select A where C < date '1900-01-05'", [['name'], ['one'], ['three']]],
    ['select A where C is null', [['name'], ['four']]],
  ])('%s', (query, found) => {
    expect(ask(query)).toEqual(found);
  });

  it('has no heads where the rows have none and nothing is worked out', () => {
    expect(ask('select A where C = 3', 0)).toEqual([['three']]);
  });

  it.each([
    'nonsense',
    'select D',
    'select A where',
    'select A, sum(C)',
    'select sum(A)',
    'select A pivot B',
    'select (',
    'select A limit x',
  ])('is refused: %s', (query) => {
    expect(ask(query)).toBeNull();
  });
});
