// What every sheet model has to do, whatever is behind it: one suite, run on each of them.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  CellContent,
  CellValue,
  Matrix,
  Rectangle,
  SheetChange,
  SheetModel,
} from '../../playground/host/sheet/model';

/** `create` makes a new spreadsheet in UTC with one empty sheet, Sheet1, of 1,000 × 26 cells. */
export function describeSheetModel(name: string, create: () => SheetModel): void {
  describe(name, () => {
    describeTabs(create);
    describeContents(create);
    describeFormats(create);
    describeMoves(create);
    describeFormulasThatFollow(create);
    describeSorting(create);
    describeListening(create);
  });
}

function cells(row: number, column: number, rowCount = 1, columnCount = 1): Rectangle {
  return { row, column, rowCount, columnCount };
}

/** A model with these contents from A1 on, and the questions that tests ask most. */
function withContents(model: SheetModel, contents: Matrix<CellContent> = []) {
  const [sheet] = model.sheets();
  const id = sheet?.id ?? Number.NaN;
  if (contents.length > 0) model.write(id, 1, 1, contents);
  const used = (): Rectangle => {
    const { lastRow, lastColumn } = model.size(id);
    return cells(1, 1, lastRow, lastColumn);
  };
  return {
    model,
    id,
    values: (): CellValue[][] => model.values(id, used()),
    formula: (row: number, column: number) => model.formulas(id, cells(row, column))[0]?.[0],
    format: (row: number, column: number) => model.numberFormats(id, cells(row, column))[0]?.[0],
  };
}

function describeTabs(create: () => SheetModel): void {
  describe('tabs', () => {
    it('begin with one', () => {
      expect(create().sheets()).toMatchObject([{ name: 'Sheet1' }]);
    });

    it('are added at a place, renamed and deleted', () => {
      const model = create();
      const first = model.addSheet('First', 1);
      const last = model.addSheet('Last', 3);
      model.renameSheet(last, 'End');
      expect(model.sheets().map((sheet) => sheet.name)).toEqual(['First', 'Sheet1', 'End']);
      model.deleteSheet(first);
      expect(model.sheets().map((sheet) => sheet.name)).toEqual(['Sheet1', 'End']);
    });

    it('keep their cells and their ids apart', () => {
      const { model, id } = withContents(create(), [['here']]);
      const gone = model.addSheet('Gone', 2);
      model.deleteSheet(gone);
      const other = model.addSheet('Other', 1);
      expect(new Set([id, gone, other]).size).toBe(3);
      expect(model.values(other, cells(1, 1))).toEqual([['']]);
      expect(model.values(id, cells(1, 1))).toEqual([['here']]);
    });

    it('refuse an id that is none', () => {
      expect(() => create().size(987_654)).toThrow(RangeError);
    });

    it('remember what is selected', () => {
      const { model, id } = withContents(create());
      const other = model.addSheet('Other', 2);
      expect(model.selection().sheetId).toBe(id);
      model.select({ sheetId: other, rectangle: cells(2, 3, 4, 5) });
      expect(model.selection()).toEqual({ sheetId: other, rectangle: cells(2, 3, 4, 5) });
    });

    it('select another sheet when the selected one goes', () => {
      const { model, id } = withContents(create());
      const other = model.addSheet('Other', 2);
      model.select({ sheetId: other, rectangle: cells(2, 3) });
      model.deleteSheet(other);
      expect(model.selection().sheetId).toBe(id);
    });
  });
}

function describeContents(create: () => SheetModel): void {
  describe('contents', () => {
    it('of a blank cell are an empty text', () => {
      const { model, id } = withContents(create());
      expect(model.values(id, cells(1, 1, 2, 2))).toEqual([
        ['', ''],
        ['', ''],
      ]);
    });

    it('come back as they were put in', () => {
      const rows = [
        ['text', 12.5, true],
        ['007', -3, false],
        ['', 'é "quoted"', 1e21],
      ];
      expect(withContents(create(), rows).values()).toEqual(rows);
    });

    it('bring dates back as dates', () => {
      const moment = new Date('2026-03-29T10:20:30.456Z');
      const { values } = withContents(create(), [[moment, new Date('1999-12-31T00:00:00Z')]]);
      expect(values()).toEqual([[moment, new Date('1999-12-31T00:00:00Z')]]);
    });

    it('tell a formula from a text that begins like one', () => {
      const { model, id, formula } = withContents(create(), [[{ formula: '=B1' }, '=B1']]);
      expect([formula(1, 1), formula(1, 2)]).toEqual(['=B1', '']);
      expect(model.values(id, cells(1, 2))).toEqual([['=B1']]);
    });

    it('put over a formula end it', () => {
      const { model, id, formula, values } = withContents(create(), [[{ formula: '=B1' }]]);
      model.write(id, 1, 1, [[5]]);
      expect([formula(1, 1), values()]).toEqual(['', [[5]]]);
    });

    it('make the used part of the sheet grow and shrink', () => {
      const { model, id } = withContents(create());
      expect(model.size(id)).toMatchObject({ lastRow: 0, lastColumn: 0 });
      model.write(id, 5, 3, [['x']]);
      model.write(id, 2, 6, [[{ formula: '=C5' }]]);
      expect(model.size(id)).toMatchObject({ lastRow: 5, lastColumn: 6 });
      model.write(id, 5, 3, [['']]);
      expect(model.size(id)).toMatchObject({ lastRow: 2, lastColumn: 6 });
    });

    it('are cleared with formulas and without formats', () => {
      const { model, id, format } = withContents(create(), [[1, { formula: '=A1' }, 3]]);
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      model.clearContents(id, cells(1, 1, 1, 2));
      expect(model.values(id, cells(1, 1, 1, 3))).toEqual([['', '', 3]]);
      expect(model.formulas(id, cells(1, 1, 1, 2))).toEqual([['', '']]);
      expect(format(1, 1)).toBe('0.00');
    });

    it.each([
      cells(0, 1),
      cells(1, 0),
      cells(1000, 1, 2, 1),
      cells(1, 26, 1, 2),
      cells(1, 1, 0, 1),
      cells(1.5, 1),
    ])('outside the sheet are refused: %j', (rectangle) => {
      const { model, id } = withContents(create());
      expect(() => model.values(id, rectangle)).toThrow(RangeError);
      expect(() => model.clearContents(id, rectangle)).toThrow(RangeError);
    });

    it('that are ragged or leave the sheet are refused and nothing is written', () => {
      const { model, id } = withContents(create());
      expect(() => model.write(id, 1, 1, [['a', 'b'], ['c']])).toThrow(RangeError);
      expect(() => model.write(id, 1000, 1, [['a'], ['b']])).toThrow(RangeError);
      expect(model.size(id)).toMatchObject({ lastRow: 0, lastColumn: 0 });
    });
  });
}

function describeFormats(create: () => SheetModel): void {
  describe('number formats', () => {
    it('are "General" until somebody chooses one', () => {
      const { model, id, format } = withContents(create(), [[1]]);
      expect(format(1, 1)).toBe('General');
      model.setNumberFormats(id, 1, 1, [['0.00'], ['@']]);
      expect(model.numberFormats(id, cells(1, 1, 3, 1))).toEqual([['0.00'], ['@'], ['General']]);
    });

    it('stay when contents change', () => {
      const { model, id, format } = withContents(create());
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      model.write(id, 1, 1, [[5]]);
      expect(format(1, 1)).toBe('0.00');
    });

    it('decide between a number and a date', () => {
      const { model, id, values } = withContents(create(), [[new Date('2026-01-05T06:00:00Z')]]);
      model.setNumberFormats(id, 1, 1, [['0.00']]);
      expect(values()).toEqual([[46027.25]]);
      model.setNumberFormats(id, 1, 1, [['yyyy-mm-dd']]);
      expect(values()).toEqual([[new Date('2026-01-05T06:00:00Z')]]);
    });

    it.each<[CellValue, string, string]>([
      ['text', 'General', 'text'],
      ['', '0.00', ''],
      [true, 'General', 'TRUE'],
      [12.5, 'General', '12.5'],
      [12.5, '0.00', '12.50'],
      [-3, '0.0', '-3.0'],
      [1234567, '#,##0', '1,234,567'],
      [0.256, '0.0%', '25.6%'],
      [1234.5, '"$"#,##0.00', '$1,234.50'],
      [5, '[$£-809]#,##0.00', '£5.00'],
      [new Date('2026-01-05T09:07:00Z'), 'yyyy-mm-dd hh:mm', '2026-01-05 09:07'],
    ])('show %p by %p as %p', (value, format, shown) => {
      const { model, id } = withContents(create(), [[value]]);
      model.setNumberFormats(id, 1, 1, [[format]]);
      expect(model.displayValues(id, cells(1, 1))).toEqual([[shown]]);
    });
  });
}

function describeMoves(create: () => SheetModel): void {
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

function describeFormulasThatFollow(create: () => SheetModel): void {
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

function describeSorting(create: () => SheetModel): void {
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

    it('refuses a column that it does not move', () => {
      const { model, id } = withContents(create());
      const sort = () => model.sort(id, cells(1, 1, 2, 2), [{ column: 3, ascending: true }]);
      expect(sort).toThrow(RangeError);
    });
  });
}

function describeListening(create: () => SheetModel): void {
  describe('listeners', () => {
    let heard: SheetChange[] = [];
    beforeEach(() => {
      heard = [];
    });

    it('hear of every kind of change', () => {
      const { model, id } = withContents(create());
      model.onChange((change) => heard.push(change));
      model.write(id, 2, 3, [
        ['a', 'b'],
        ['c', 'd'],
      ]);
      model.insertRows(id, 2, 3);
      model.deleteColumns(id, 4, 1);
      model.addSheet('Other', 2);
      expect(heard).toContainEqual({ kind: 'cells', sheetId: id, rectangle: cells(2, 3, 2, 2) });
      expect(heard).toContainEqual({ kind: 'rowsInserted', sheetId: id, first: 2, count: 3 });
      expect(heard).toContainEqual({ kind: 'columnsDeleted', sheetId: id, first: 4, count: 1 });
      expect(heard).toContainEqual({ kind: 'sheets' });
    });

    it('find the change made when they hear of it', () => {
      const { model, id } = withContents(create());
      const found: unknown[] = [];
      model.onChange(() => found.push(model.values(id, cells(1, 1))));
      model.write(id, 1, 1, [['new']]);
      expect(found).toContainEqual([['new']]);
    });

    it('hear nothing of reading, nor after they have left', () => {
      const { model, id } = withContents(create());
      const leave = model.onChange((change) => heard.push(change));
      model.values(id, cells(1, 1));
      leave();
      model.write(id, 1, 1, [['new']]);
      expect(heard).toEqual([]);
    });
  });
}
