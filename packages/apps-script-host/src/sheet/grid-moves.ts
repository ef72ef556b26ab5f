// Inserts, deletes and reorders rows and columns of a plain grid, and adapts the formulas.

import { moveDown, type Shift, shiftReferences } from './formula-references';
import type { Book, GridSheet } from './grid-book';
import { shiftMarks } from './grid-marks';
import {
  arrangeRows,
  eachFormula,
  eachLine,
  type Stored,
  shiftColumns,
  valuesIn,
  withRowsShifted,
} from './grid-rows';
import { type LineMove, moveItems } from './line-move';
import type { Rectangle, SheetModel } from './model';
import { checkDeletion, checkInsertion, checkInside, checkOrder } from './rectangle';
import { sortedOrder } from './sort-order';

export interface LineMoves {
  /**
   * Moves rows or columns before the one with that number, with all that belongs to them, as
   * dragging them does. References follow.
   */
  readonly moveRows: (sheetId: number, first: number, count: number, before: number) => void;
  readonly moveColumns: (sheetId: number, first: number, count: number, before: number) => void;
}

export function movesOf(book: Book) {
  return { ...linesOf(book), ...orderOf(book) } satisfies Partial<SheetModel> & LineMoves;
}

function linesOf({ sheets, of, tell }: Book) {
  /** Adapts the formulas of every sheet to what moved on this one. */
  const follow = (moved: GridSheet, shift: Shift) => {
    shiftMarks(moved, shift);
    for (const { id, rows } of sheets) {
      eachFormula(rows, (formula) =>
        shiftReferences(formula, shift, (name) =>
          name === null ? id === moved.id : name.toLowerCase() === moved.name.toLowerCase(),
        ),
      );
    }
  };
  const shiftRows = (sheet: GridSheet, first: number, count: number) => {
    sheet.rows = withRowsShifted(sheet.rows, first - 1, count);
    sheet.maxRows += count;
    follow(sheet, { axis: 'row', first, count });
  };
  const moveColumns = (sheet: GridSheet, first: number, count: number) => {
    shiftColumns(sheet.rows, first - 1, count);
    sheet.maxColumns += count;
    follow(sheet, { axis: 'column', first, count });
  };
  const isSame = ({ first, count, before }: LineMove) => before >= first && before <= first + count;
  return {
    moveRows: (sheetId, first, count, before) => {
      const sheet = of(sheetId);
      checkInside({ row: first, column: 1, rowCount: count, columnCount: 1 }, sheet);
      checkInsertion(before, 1, sheet.maxRows);
      if (isSame({ first, count, before })) return;
      moveItems(sheet.rows, { first, count, before });
      follow(sheet, { axis: 'row', first, count, before });
      tell({ kind: 'rowsMoved', sheetId, first, count, before });
    },
    moveColumns: (sheetId, first, count, before) => {
      const sheet = of(sheetId);
      checkInside({ row: 1, column: first, rowCount: 1, columnCount: count }, sheet);
      checkInsertion(before, 1, sheet.maxColumns);
      if (isSame({ first, count, before })) return;
      eachLine(sheet.rows, (cells) => moveItems(cells, { first, count, before }));
      follow(sheet, { axis: 'column', first, count, before });
      tell({ kind: 'columnsMoved', sheetId, first, count, before });
    },
    insertRows: (sheetId, beforeRow, count) => {
      checkInsertion(beforeRow, count, of(sheetId).maxRows);
      shiftRows(of(sheetId), beforeRow, count);
      tell({ kind: 'rowsInserted', sheetId, first: beforeRow, count });
    },
    deleteRows: (sheetId, firstRow, count) => {
      checkDeletion(firstRow, count, of(sheetId).maxRows);
      shiftRows(of(sheetId), firstRow, -count);
      tell({ kind: 'rowsDeleted', sheetId, first: firstRow, count });
    },
    insertColumns: (sheetId, beforeColumn, count) => {
      checkInsertion(beforeColumn, count, of(sheetId).maxColumns);
      moveColumns(of(sheetId), beforeColumn, count);
      tell({ kind: 'columnsInserted', sheetId, first: beforeColumn, count });
    },
    deleteColumns: (sheetId, firstColumn, count) => {
      checkDeletion(firstColumn, count, of(sheetId).maxColumns);
      moveColumns(of(sheetId), firstColumn, -count);
      tell({ kind: 'columnsDeleted', sheetId, first: firstColumn, count });
    },
  } satisfies Partial<SheetModel> & LineMoves;
}

/** The values by which rows are sorted, with dates as their serial numbers. */
function stored({ rows }: GridSheet, rectangle: Rectangle) {
  return valuesIn<Stored>(rows, rectangle, (value) => value);
}

function orderOf({ of, tell }: Book) {
  const arrange = (sheetId: number, rectangle: Rectangle, order: readonly number[]) => {
    const sheet = of(sheetId);
    checkInside(rectangle, sheet);
    checkOrder(order, rectangle.rowCount);
    arrangeRows(sheet.rows, rectangle, order, moveDown);
    tell({ kind: 'cells', sheetId, rectangle });
  };
  return {
    arrange,
    sort: (sheetId, rectangle, keys) => {
      const sheet = of(sheetId);
      checkInside(rectangle, sheet);
      const lastColumn = rectangle.column + rectangle.columnCount - 1;
      if (keys.some(({ column }) => column < rectangle.column || column > lastColumn)) {
        throw new RangeError('Rows are sorted by their own columns only.');
      }
      const rules = keys.map(({ column, ascending }) => ({
        place: column - rectangle.column,
        ascending,
      }));
      arrange(sheetId, rectangle, sortedOrder(stored(sheet, rectangle), rules));
    },
  } satisfies Partial<SheetModel>;
}
