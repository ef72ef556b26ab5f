// Rows, columns and sorting: the part of the sheet models' contract in which cells change places.

import { describe, expect, it } from '@jest/globals';
import type { CellValue, SheetModel } from '../../../src/sheet/model';
import { cells, withContents } from './sheet-with-contents';

export function describeMoves(create: () => SheetModel): void {
  describe('rows and columns', () => {
    const square = [
      [1, 2],
      [3, 4],
    ];

    it('that come push the others down and right', () => {
      const { model, id, values } = withContents(create(), square);
      model.insertRows(id, 2, 2);
      model.insertColumns(id, 1, 1);
      expect(values()).toEqual([
        ['', 1, 2],
        ['', '', ''],
        ['', '', ''],
        ['', 3, 4],
      ]);
      expect(model.size(id)).toMatchObject({ maxRows: 1002, maxColumns: 27 });
    });

    it('may come behind the last', () => {
      const { model, id } = withContents(create(), square);
      model.insertRows(id, 1001, 5);
      model.insertColumns(id, 27, 1);
      model.write(id, 1005, 27, [['corner']]);
      expect(model.size(id)).toEqual({
        maxRows: 1005,
        maxColumns: 27,
        lastRow: 1005,
        lastColumn: 27,
      });
    });

    it('that go take their contents with them', () => {
      const { model, id, values } = withContents(create(), square);
      model.deleteRows(id, 1, 1);
      model.deleteColumns(id, 1, 1);
      expect(values()).toEqual([[4]]);
      expect(model.size(id)).toMatchObject({ maxRows: 999, maxColumns: 25 });
    });

    it('carry their formats along', () => {
      const { model, id, format } = withContents(create(), square);
      model.setNumberFormats(id, 2, 2, [['0.00']]);
      model.insertRows(id, 1, 1);
      model.deleteColumns(id, 1, 1);
      expect([format(3, 1), format(2, 1)]).toEqual(['0.00', 'General']);
    });
  });
}

export function describeEdges(create: () => SheetModel): void {
  describe('rows and columns', () => {
    it('cannot all go, nor come where nothing is', () => {
      const { model, id } = withContents(create());
      expect(() => model.deleteRows(id, 1, 1000)).toThrow(RangeError);
      expect(() => model.deleteColumns(id, 20, 8)).toThrow(RangeError);
      expect(() => model.insertRows(id, 1002, 1)).toThrow(RangeError);
      expect(() => model.insertColumns(id, 1, 0)).toThrow(RangeError);
    });

    it('leave the selection inside the sheet', () => {
      const { model, id } = withContents(create());
      model.select({ sheetId: id, rectangle: cells(999, 1, 2, 3) });
      model.deleteRows(id, 1, 500);
      const { row, rowCount } = model.selection().rectangle;
      expect(row + rowCount - 1).toBeLessThanOrEqual(500);
    });

    it('can be frozen at the top', () => {
      const { model, id } = withContents(create());
      expect(model.frozenRows(id)).toBe(0);
      model.setFrozenRows(id, 1);
      expect(model.frozenRows(id)).toBe(1);
    });
  });
}

export function describeFormulasThatFollow(create: () => SheetModel): void {
  describe('formulas', () => {
    it('follow the cells that they name', () => {
      const { model, id, formula } = withContents(create(), [
        [1, { formula: '=A1+$A$3' }],
        [2, { formula: '=SUM(A1:A3)' }],
        [3, { formula: '=LOG10(A3)&"A3"' }],
      ]);
      model.insertRows(id, 2, 1);
      model.insertColumns(id, 1, 1);
      expect([formula(1, 3), formula(3, 3), formula(4, 3)]).toEqual([
        '=B1+$B$4',
        '=SUM(B1:B4)',
        '=LOG10(B4)&"A3"',
      ]);
    });

    it('lose what is deleted', () => {
      const { model, id, formula } = withContents(create(), [
        [1, { formula: '=SUM(A2:A4)' }],
        [2, 'gone'],
        [3, { formula: '=A1' }],
      ]);
      model.write(id, 1, 3, [[{ formula: '=A2' }]]);
      model.deleteRows(id, 2, 1);
      expect([formula(1, 2), formula(2, 2), formula(1, 3)]).toEqual([
        '=SUM(A2:A3)',
        '=A1',
        '=#REF!',
      ]);
    });

    it('follow cells of another sheet and its name', () => {
      const { model, id } = withContents(create());
      const other = model.addSheet('Other', 2);
      model.write(other, 1, 1, [[{ formula: '=Sheet1!A2+A2' }]]);
      model.insertRows(id, 1, 3);
      expect(model.formulas(other, cells(1, 1))).toEqual([['=Sheet1!A5+A2']]);
      model.renameSheet(id, 'My list');
      expect(model.formulas(other, cells(1, 1))).toEqual([["='My list'!A5+A2"]]);
    });
  });
}

export function describeSorting(create: () => SheetModel): void {
  describe('sorting', () => {
    const column = (values: readonly CellValue[]) => values.map((value) => [value]);

    it.each([
      [true, [-1, 2, 10, 'apple', 'Banana', 'cherry', false, true, '', '']],
      [false, [true, false, 'cherry', 'Banana', 'apple', 10, 2, -1, '', '']],
    ])('puts numbers, texts and truth values in order, ascending: %p', (ascending, sorted) => {
      const mixed = column(['', 'cherry', 10, true, 'apple', -1, '', 'Banana', false, 2]);
      const { model, id } = withContents(create(), mixed);
      model.sort(id, cells(1, 1, 10, 1), [{ column: 1, ascending }]);
      expect(model.values(id, cells(1, 1, 10, 1))).toEqual(column(sorted));
    });

    it('keeps equal rows in order and takes a second column', () => {
      const { model, id, values } = withContents(create(), [
        ['b', 1, 'first'],
        ['a', 1, 'second'],
        ['a', 2, 'third'],
        ['b', 1, 'fourth'],
      ]);
      model.sort(id, cells(1, 1, 4, 3), [
        { column: 1, ascending: true },
        { column: 2, ascending: false },
      ]);
      expect(values().map((row) => row[2])).toEqual(['third', 'second', 'first', 'fourth']);
    });

    it('moves only what is in the rectangle', () => {
      const { model, id, values } = withContents(create(), [
        ['header', 'x'],
        [3, 'stays 3'],
        [1, 'stays 1'],
      ]);
      model.sort(id, cells(2, 1, 2, 1), [{ column: 1, ascending: true }]);
      expect(values()).toEqual([
        ['header', 'x'],
        [1, 'stays 3'],
        [3, 'stays 1'],
      ]);
    });

    it('takes formats and formulas along, whose relative references move', () => {
      const { model, id, formula, format } = withContents(create(), [
        [2, { formula: '=A1*$C$1' }],
        [1, { formula: '=A2*$C$1' }],
      ]);
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      model.sort(id, cells(1, 1, 2, 2), [{ column: 1, ascending: true }]);
      expect([formula(1, 2), formula(2, 2)]).toEqual(['=A1*$C$1', '=A2*$C$1']);
      expect([format(1, 1), format(2, 1)]).toEqual(['General', '0.00']);
    });

    it('can be a given order', () => {
      const { model, id, values, formula } = withContents(create(), [
        ['a', { formula: '=A1' }],
        ['b', 1],
        ['c', 2],
      ]);
      model.arrange(id, cells(1, 1, 3, 2), [2, 0, 1]);
      expect(values().map(([first]) => first)).toEqual(['c', 'a', 'b']);
      expect(formula(2, 2)).toBe('=A2');
      expect(() => model.arrange(id, cells(1, 1, 3, 1), [0, 0, 1])).toThrow(RangeError);
    });

    it('refuses a column that it does not move', () => {
      const { model, id } = withContents(create());
      const sort = () => model.sort(id, cells(1, 1, 2, 2), [{ column: 3, ascending: true }]);
      expect(sort).toThrow(RangeError);
    });
  });
}
