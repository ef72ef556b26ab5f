// Any sequence of changes leaves the plain grid as it leaves a naive one.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPlainGrid } from '../../src/sheet/plain-grid';
import { createNaiveGrid } from './naive-grid';

const ROWS = 7;
const COLUMNS = 5;
/** The naive grid names columns by one letter. */
const LINES_MAX = 26;

/** Letters are lower case and differ, so that the order is the same in any alphabet. */
const content = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('a', 'b', 'c', ''),
  fc.boolean(),
);
/** A place in a sheet of any size: as a share of what there is. */
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const axis = fc.constantFrom('row' as const, 'column' as const);

const change = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('write' as const), row: place, column: place, content }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('name' as const),
      row: place,
      column: place,
      namedRow: place,
      namedColumn: place,
    }),
  },
  fc.record({ do: fc.constant('format' as const), row: place, column: place }),
  fc.record({
    do: fc.constant('insert' as const),
    axis,
    before: place,
    count: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ do: fc.constant('remove' as const), axis, first: place, share: place }),
  fc.record({ do: fc.constant('move' as const), axis, first: place, share: place, before: place }),
  fc.record({
    do: fc.constant('sort' as const),
    row: place,
    column: place,
    ascending: fc.boolean(),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function createBoth() {
  const grid = createPlainGrid({ maxRows: ROWS, maxColumns: COLUMNS });
  const naive = createNaiveGrid(ROWS, COLUMNS);
  const rowAt = (share: number) => Math.floor(share * naive.rows());
  const columnAt = (share: number) => Math.floor(share * naive.columns());
  const insert = ({ axis, before, count }: Extract<Change, { do: 'insert' }>) => {
    const last = axis === 'row' ? naive.rows() : naive.columns();
    if (last + count > LINES_MAX) return;
    const at = Math.floor(before * (last + 1));
    naive.insert(axis, at, count);
    if (axis === 'row') grid.insertRows(0, at + 1, count);
    else grid.insertColumns(0, at + 1, count);
  };
  const remove = ({ axis, first, share }: Extract<Change, { do: 'remove' }>) => {
    const last = axis === 'row' ? naive.rows() : naive.columns();
    const from = Math.floor(first * last);
    const count = Math.ceil(share * Math.min(last - from, last - 1));
    if (count === 0) return;
    naive.remove(axis, from, count);
    if (axis === 'row') grid.deleteRows(0, from + 1, count);
    else grid.deleteColumns(0, from + 1, count);
  };
  const move = ({ axis, first, share, before }: Extract<Change, { do: 'move' }>) => {
    const last = axis === 'row' ? naive.rows() : naive.columns();
    const from = Math.floor(first * last);
    const count = Math.ceil(share * (last - from));
    const to = Math.floor(before * (last + 1));
    if (count === 0) return;
    naive.move(axis, from, count, to);
    if (axis === 'row') grid.moveRows(0, from + 1, count, to + 1);
    else grid.moveColumns(0, from + 1, count, to + 1);
  };
  const sort = ({ row, column, ascending }: Extract<Change, { do: 'sort' }>) => {
    const [firstRow, by] = [rowAt(row), columnAt(column)];
    naive.sort(firstRow, by, ascending);
    const rows = { row: firstRow + 1, rowCount: naive.rows() - firstRow };
    const rectangle = { ...rows, column: 1, columnCount: naive.columns() };
    grid.sort(0, rectangle, [{ column: by + 1, ascending }]);
  };
  const apply = (change: Change) => {
    if (change.do === 'insert') return insert(change);
    if (change.do === 'remove') return remove(change);
    if (change.do === 'move') return move(change);
    if (change.do === 'sort') return sort(change);
    const [row, column] = [rowAt(change.row), columnAt(change.column)];
    if (change.do === 'write') {
      naive.write(row, column, change.content);
      grid.write(0, row + 1, column + 1, [[change.content]]);
    } else if (change.do === 'name') {
      const [namedRow, namedColumn] = [rowAt(change.namedRow), columnAt(change.namedColumn)];
      const formula = naive.name(row, column, namedRow, namedColumn);
      grid.write(0, row + 1, column + 1, [[{ formula }]]);
    } else {
      naive.format(row, column, '0.00');
      grid.setNumberFormats(0, row + 1, column + 1, [['0.00']]);
    }
  };
  return { grid, naive, apply };
}

describe('the plain grid', () => {
  it('is the same as a naive one after every random change', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const { grid, naive, apply } = createBoth();
        for (const each of changes) {
          apply(each);
          const [rowCount, columnCount] = [naive.rows(), naive.columns()];
          const everything = { row: 1, column: 1, rowCount, columnCount };
          expect(grid.size(0)).toMatchObject({ maxRows: rowCount, maxColumns: columnCount });
          expect(grid.values(0, everything)).toEqual(naive.values());
          expect(grid.formulas(0, everything)).toEqual(naive.formulas());
          expect(grid.numberFormats(0, everything)).toEqual(naive.formats());
        }
      }),
      { numRuns: 300, seed: 1 },
    );
  });
});
