// Adds, deletes, names, measures and grows sheets on behalf of a script.

import type { Message } from '../../messages';
import { say } from '../../messages';
import type { Caller, Operations, World } from '../../service';
import { ServiceException } from '../../service';
import { copySheet } from '../../sheet/cell-copy';
import { NotInThisModel } from '../../sheet/marks';
import type { Rectangle, SheetModel } from '../../sheet/model';
import { duplicate, nameOfCopy } from '../../sheet/people';
import type { PlainGrid } from '../../sheet/plain-grid';
import type { Place, SheetCalls, TabCalls } from './calls';
import { checkGrowth, checkSheet, documentOf, modelOf } from './host-book';
import type { TypeIn } from './host-cells';
import { crosses } from './host-merges';
import { checkEditable, checkSheetEditable } from './host-protection';

export type TabOperations = Pick<
  Operations<TabCalls>,
  | 'spreadsheet.getSheets'
  | 'spreadsheet.getSheetByName'
  | 'spreadsheet.write.insertSheet'
  | 'spreadsheet.write.copySheetTo'
  | 'spreadsheet.write.duplicateActiveSheet'
  | 'spreadsheet.write.deleteSheet'
  | 'spreadsheet.write.setName'
  | 'spreadsheet.read.getName'
>;

/** Sheets treats names that differ only in case as the same. */
function isTaken(model: SheetModel, name: string, exceptId?: number): boolean {
  const lower = name.toLowerCase();
  return model.sheets().some((tab) => tab.id !== exceptId && tab.name.toLowerCase() === lower);
}

function checkName(model: SheetModel, name: string, exceptId?: number): void {
  if (!isTaken(model, name, exceptId)) return;
  throw new ServiceException(say('name-taken', name));
}

function freeName(model: SheetModel): string {
  let number = model.sheets().length + 1;
  while (isTaken(model, `Sheet${number}`)) number += 1;
  return `Sheet${number}`;
}

function copied(model: SheetModel, sheetId: number, position: number): number {
  checkSheet(model, sheetId);
  const { maxRows, maxColumns } = model.size(sheetId);
  checkGrowth(model, maxRows * maxColumns);
  return duplicate(model, sheetId, position);
}

/** Formulas come along as they are. */
function copiedTo(target: SheetModel, from: SheetModel, sheetId: number): number {
  checkSheet(from, sheetId);
  const { maxRows, maxColumns } = from.size(sheetId);
  checkGrowth(target, maxRows * maxColumns);
  const copy = target.addSheet(nameOfCopy(from, sheetId, target), target.sheets().length + 1);
  copySheet(from, target, sheetId, copy);
  return copy;
}

export function tabOperations({ documents }: World): TabOperations {
  return {
    'spreadsheet.getSheets': (caller) =>
      modelOf(caller)
        .sheets()
        .map(({ id }) => id),
    'spreadsheet.getSheetByName': (caller, name) =>
      modelOf(caller)
        .sheets()
        .find((tab) => tab.name === name)?.id ?? null,
    'spreadsheet.read.getName': (caller, sheetId) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      return model.sheets().find(({ id }) => id === sheetId)?.name ?? '';
    },
    'spreadsheet.write.insertSheet': (caller, name, position) => {
      const model = modelOf(caller);
      if (name !== null) checkName(model, name);
      const count = model.sheets().length;
      const at = Math.min(Math.max(position ?? count + 1, 1), count + 1);
      return model.addSheet(name ?? freeName(model), at);
    },
    'spreadsheet.write.copySheetTo': (caller, sheetId, documentId) => {
      const { model, id } = documentOf(caller);
      const target = documents.get(documentId);
      if (target === undefined) throw new ServiceException(say('spreadsheet-gone', documentId));
      if (documentId === id) return copied(model, sheetId, model.sheets().length + 1);
      return copiedTo(target.model, model, sheetId);
    },
    'spreadsheet.write.duplicateActiveSheet': (caller, sheetId) => {
      const model = modelOf(caller);
      return copied(model, sheetId, model.sheets().findIndex(({ id }) => id === sheetId) + 2);
    },
    'spreadsheet.write.deleteSheet': (caller, sheetId) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      if (model.sheets().length === 1) {
        throw new ServiceException(say('last-sheet'));
      }
      checkSheetEditable(caller, model, sheetId, lines({ row: 1 }));
      model.deleteSheet(sheetId);
    },
    'spreadsheet.write.setName': (caller, sheetId, name) => {
      const model = modelOf(caller);
      checkSheet(model, sheetId);
      checkName(model, name, sheetId);
      checkSheetEditable(caller, model, sheetId);
      model.renameSheet(sheetId, name);
    },
  };
}

/** Makes an operation on one sheet of the script's spreadsheet. */
function on<Args extends readonly unknown[], Result>(
  act: (model: SheetModel, sheetId: number, caller: Caller, ...args: Args) => Result,
) {
  return (caller: Caller, sheetId: number, ...args: Args): Result => {
    const model = modelOf(caller);
    checkSheet(model, sheetId);
    return act(model, sheetId, caller, ...args);
  };
}

/** Whole rows or whole columns, as far as a sheet can extend. */
function lines(part: Partial<Rectangle>): Rectangle {
  const everything = { rowCount: Number.POSITIVE_INFINITY, columnCount: Number.POSITIVE_INFINITY };
  return { row: 1, column: 1, ...everything, ...part };
}

const ROWS_OUTSIDE = say('rows-outside');
const COLUMNS_OUTSIDE = say('columns-outside');

/** Throws the message if the span does not lie between 1 and the last allowed row or column. */
function checkSpan(first: number, count: number, last: number, message: Message): void {
  const isSpan = Number.isInteger(first) && Number.isInteger(count) && first >= 1 && count >= 1;
  if (!isSpan || first + count - 1 > last) throw new ServiceException(message);
}

function insertRows(model: SheetModel, sheetId: number, beforeRow: number, count: number): void {
  const { maxRows, maxColumns } = model.size(sheetId);
  checkSpan(beforeRow, 1, maxRows + 1, ROWS_OUTSIDE);
  checkSpan(1, count, Number.POSITIVE_INFINITY, ROWS_OUTSIDE);
  checkGrowth(model, count * maxColumns);
  model.insertRows(sheetId, beforeRow, count);
}

function insertColumns(model: SheetModel, sheetId: number, before: number, count: number): void {
  const { maxRows, maxColumns } = model.size(sheetId);
  checkSpan(before, 1, maxColumns + 1, COLUMNS_OUTSIDE);
  checkSpan(1, count, Number.POSITIVE_INFINITY, COLUMNS_OUTSIDE);
  checkGrowth(model, count * maxRows);
  model.insertColumns(sheetId, before, count);
}

function deleteRows(model: SheetModel, sheetId: number, firstRow: number, count: number): void {
  const { maxRows } = model.size(sheetId);
  checkSpan(firstRow, count, maxRows, ROWS_OUTSIDE);
  if (maxRows - count <= model.frozenRows(sheetId)) {
    throw new ServiceException(say('last-rows'));
  }
  model.deleteRows(sheetId, firstRow, count);
}

function deleteColumns(model: SheetModel, sheetId: number, first: number, count: number): void {
  const { maxColumns } = model.size(sheetId);
  checkSpan(first, count, maxColumns, COLUMNS_OUTSIDE);
  if (maxColumns === count) {
    throw new ServiceException(say('last-columns'));
  }
  model.deleteColumns(sheetId, first, count);
}

export function sheetOperations(typeIn: TypeIn): Operations<SheetCalls> {
  const size = on((model, sheetId) => model.size(sheetId));
  const rowsIn = on((model, sheetId, caller, before: number, count: number) => {
    const beside = [before - 1, before].map((row) => lines({ row, rowCount: 1 }));
    checkSheetEditable(caller, model, sheetId, ...beside);
    insertRows(model, sheetId, before, count);
  });
  const columnsIn = on((model, sheetId, caller, before: number, count: number) => {
    const beside = [before - 1, before].map((column) => lines({ column, columnCount: 1 }));
    checkSheetEditable(caller, model, sheetId, ...beside);
    insertColumns(model, sheetId, before, count);
  });
  const rowsOut = on((model, sheetId, caller, row: number, rowCount: number) => {
    checkSheetEditable(caller, model, sheetId, lines({ row, rowCount }));
    deleteRows(model, sheetId, row, rowCount);
  });
  const columnsOut = on((model, sheetId, caller, column: number, columnCount: number) => {
    checkSheetEditable(caller, model, sheetId, lines({ column, columnCount }));
    deleteColumns(model, sheetId, column, columnCount);
  });
  const moving = (axis: 'row' | 'column') =>
    on((model, sheetId, caller, { row, rowCount, column, columnCount }: Place, before: number) => {
      const isRows = axis === 'row';
      const [first, count] = isRows ? [row, rowCount] : [column, columnCount];
      const { maxRows, maxColumns } = model.size(sheetId);
      checkSpan(
        before,
        1,
        (isRows ? maxRows : maxColumns) + 1,
        isRows ? ROWS_OUTSIDE : COLUMNS_OUTSIDE,
      );
      checkSheetEditable(
        caller,
        model,
        sheetId,
        lines(isRows ? { row, rowCount } : { column, columnCount }),
      );
      if (!('moveRows' in model)) throw new NotInThisModel('Moving rows and columns');
      const grid = model as PlainGrid;
      if (isRows) grid.moveRows(sheetId, first, count, before);
      else grid.moveColumns(sheetId, first, count, before);
    });
  const columnWidths = on((model, sheetId, caller, first: number, count: number, width: number) => {
    checkSheetEditable(caller, model, sheetId);
    checkSpan(first, count, model.size(sheetId).maxColumns, COLUMNS_OUTSIDE);
    model.setColumnWidths(sheetId, first, count, width);
  });
  return {
    'spreadsheet.read.getDataRange': size,
    'spreadsheet.read.getLastColumn': size,
    'spreadsheet.read.getLastRow': size,
    'spreadsheet.read.getMaxColumns': size,
    'spreadsheet.read.getMaxRows': size,
    'spreadsheet.read.getFrozenRows': on((model, sheetId) => model.frozenRows(sheetId)),
    'spreadsheet.write.setFrozenRows': on((model, sheetId, caller, rows: number) => {
      checkSheetEditable(caller, model, sheetId);
      checkSpan(1, rows + 1, model.size(sheetId).maxRows, ROWS_OUTSIDE);
      const isCut = model.merges(sheetId).some((merge) => crosses(merge, rows, 0).rows);
      if (isCut) throw new ServiceException(say('freeze-merged-rows'));
      model.setFrozenRows(sheetId, rows);
    }),
    'spreadsheet.read.getFrozenColumns': on((model, sheetId) => model.frozenColumns(sheetId)),
    'spreadsheet.write.setFrozenColumns': on((model, sheetId, caller, columns: number) => {
      checkSheetEditable(caller, model, sheetId);
      checkSpan(1, columns + 1, model.size(sheetId).maxColumns, COLUMNS_OUTSIDE);
      const isCut = model.merges(sheetId).some((merge) => crosses(merge, 0, columns).columns);
      if (isCut) throw new ServiceException(say('freeze-merged-columns'));
      model.setFrozenColumns(sheetId, columns);
    }),
    'spreadsheet.read.getColumnWidth': on((model, sheetId, _caller, column: number) => {
      checkSpan(column, 1, model.size(sheetId).maxColumns, COLUMNS_OUTSIDE);
      return model.columnWidth(sheetId, column);
    }),
    'spreadsheet.write.setColumnWidth': columnWidths,
    'spreadsheet.write.setColumnWidths': columnWidths,
    'spreadsheet.write.appendRow': on((model, sheetId, caller, values) => {
      if (values.length === 0) return;
      const { lastRow, maxRows, maxColumns } = model.size(sheetId);
      const more = values.length - maxColumns;
      if (more > 0) insertColumns(model, sheetId, maxColumns + 1, more);
      if (lastRow === maxRows) insertRows(model, sheetId, maxRows + 1, 1);
      const row = { sheetId, row: lastRow + 1, column: 1, rowCount: 1 };
      const place = { ...row, columnCount: values.length };
      checkEditable(caller, model, place);
      typeIn(model, place, [values]);
    }),
    'spreadsheet.write.insertRowAfter': rowsIn,
    'spreadsheet.write.insertRowBefore': rowsIn,
    'spreadsheet.write.insertRowsAfter': rowsIn,
    'spreadsheet.write.insertRowsBefore': rowsIn,
    'spreadsheet.write.insertColumnAfter': columnsIn,
    'spreadsheet.write.insertColumnBefore': columnsIn,
    'spreadsheet.write.insertColumnsAfter': columnsIn,
    'spreadsheet.write.insertColumnsBefore': columnsIn,
    'spreadsheet.write.moveRows': moving('row'),
    'spreadsheet.write.moveColumns': moving('column'),
    'spreadsheet.write.deleteRow': rowsOut,
    'spreadsheet.write.deleteRows': rowsOut,
    'spreadsheet.write.deleteColumn': columnsOut,
    'spreadsheet.write.deleteColumns': columnsOut,
  };
}
