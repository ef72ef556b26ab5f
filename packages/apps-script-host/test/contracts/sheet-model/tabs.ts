// Tabs and the selection: the part of the sheet models' contract that is about whole sheets.

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SheetChange, SheetModel } from '../../../src/sheet/model';
import { cells, withContents } from './sheet-with-contents';

export function describeTabs(create: () => SheetModel): void {
  describe('the layout of a sheet', () => {
    it('has widths that stay with their columns', () => {
      const { model, id } = withContents(create());
      const before = model.columnWidth(id, 2);
      model.setColumnWidths(id, 2, 2, 240);
      model.insertColumns(id, 1, 1);
      const widths = [2, 3, 4, 5].map((column) => model.columnWidth(id, column));
      expect(widths).toEqual([before, 240, 240, before]);
    });

    it('has columns that stay on view', () => {
      const { model, id } = withContents(create());
      expect(model.frozenColumns(id)).toBe(0);
      model.setFrozenColumns(id, 2);
      expect(model.frozenColumns(id)).toBe(2);
    });
  });

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

    it('remember what else is selected', () => {
      const { model, id } = withContents(create());
      const selection = { sheetId: id, rectangle: cells(9, 1), others: [cells(2, 1, 3, 1)] };
      model.select(selection);
      expect(model.selection()).toEqual(selection);
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

export function describeListening(create: () => SheetModel): void {
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
