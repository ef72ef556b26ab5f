// Moves of cells at random: what follows from them for any cells and formulas.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calculating } from '../../src/calculation';
import { toA1 } from '../../src/sheet/a1-notation';
import { cutCells, deleteCells, insertCells } from '../../src/sheet/cell-moves';
import { createPlainGrid } from '../../src/sheet/plain-grid';

const SIZE = 6;
const line = fc.integer({ min: 1, max: SIZE });
const cell = fc.record({ row: line, column: line });
const block = fc.tuple(cell, cell).map(([one, other]) => ({
  row: Math.min(one.row, other.row),
  column: Math.min(one.column, other.column),
  rowCount: Math.abs(one.row - other.row) + 1,
  columnCount: Math.abs(one.column - other.column) + 1,
}));

/** A number, or a formula that reads one cell above or to the left, so that none reads itself. */
const contents = fc.array(
  fc.array(
    fc.record({
      number: fc.integer({ min: 1, max: 9 }),
      isFormula: fc.boolean(),
      down: line,
      right: line,
      fixed: fc.boolean(),
    }),
    {
      minLength: SIZE,
      maxLength: SIZE,
    },
  ),
  { minLength: SIZE, maxLength: SIZE },
);

function gridOf(cells: typeof contents extends fc.Arbitrary<infer Made> ? Made : never) {
  const grid = createPlainGrid({ maxRows: 40, maxColumns: 26 });
  calculating(grid, { nowMs: () => 0 });
  grid.write(
    0,
    1,
    1,
    cells.map((row, down) =>
      row.map(({ number, isFormula, down: up, right: left, fixed: isFixed }, right) => {
        const place = { row: down + 1 - up, column: right + 1 - left };
        if (!isFormula || place.row < 1 || place.column < 1) return number;
        const address = toA1({ ...place, rowCount: 1, columnCount: 1 });
        return { formula: `=${isFixed ? '$' : ''}${address}+${number}` };
      }),
    ),
  );
  return grid;
}

const ALL = { row: 1, column: 1, rowCount: 30, columnCount: 20 };
const everything = (grid: ReturnType<typeof gridOf>) => ({
  values: grid.values(0, ALL),
  formulas: grid.formulas(0, ALL),
});

describe('cells that are cut', () => {
  it('and pasted where nothing stands come to the same, and so do all that refer to them', () => {
    const property = fc.property(contents, block, (cells, from) => {
      const grid = gridOf(cells);
      const before = grid.values(0, ALL);
      const to = { ...from, sheetId: 0, row: from.row + 10, column: from.column + 7 };
      cutCells(grid, { ...from, sheetId: 0 }, to);
      const after = grid.values(0, ALL);
      before.forEach((row, down) => {
        row.forEach((value, right) => {
          if (value === '') return;
          const isCut =
            down + 1 >= from.row &&
            down + 1 < from.row + from.rowCount &&
            right + 1 >= from.column &&
            right + 1 < from.column + from.columnCount;
          expect((isCut ? after[down + 10]?.[right + 7] : after[down]?.[right]) ?? null).toBe(
            value,
          );
          if (isCut) expect(after[down]?.[right]).toBe('');
        });
      });
      // Back again, everything is as it was.
      cutCells(grid, to, { ...from, sheetId: 0 });
      expect(grid.values(0, ALL)).toEqual(before);
    });
    fc.assert(property, { numRuns: 100 });
  });
});

describe('cells that are inserted', () => {
  it.each(['row', 'column'] as const)('and deleted again leave nothing (%s)', (axis) => {
    const property = fc.property(contents, block, (cells, place) => {
      const grid = gridOf(cells);
      const before = everything(grid);
      insertCells(grid, { ...place, sheetId: 0 }, axis);
      deleteCells(grid, { ...place, sheetId: 0 }, axis);
      expect(everything(grid)).toEqual(before);
    });
    fc.assert(property, { numRuns: 100 });
  });
});
