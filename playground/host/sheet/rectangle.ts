// Checks that what is asked of a spreadsheet lies in it; the same for every implementation.

import type { Matrix, Rectangle, SheetSize } from './model';

type Bounds = Pick<SheetSize, 'maxRows' | 'maxColumns'>;

function isSpan(first: number, count: number, last: number): boolean {
  if (!Number.isInteger(first) || !Number.isInteger(count)) return false;
  return first >= 1 && count >= 1 && first + count - 1 <= last;
}

export function isInside(rectangle: Rectangle, { maxRows, maxColumns }: Bounds): boolean {
  const { row, column, rowCount, columnCount } = rectangle;
  return isSpan(row, rowCount, maxRows) && isSpan(column, columnCount, maxColumns);
}

export function checkInside(rectangle: Rectangle, { maxRows, maxColumns }: Bounds): void {
  if (isInside(rectangle, { maxRows, maxColumns })) return;
  const { row, column, rowCount, columnCount } = rectangle;
  throw new RangeError(
    `${rowCount} × ${columnCount} cells from row ${row} and column ${column} on ` +
      `leave a sheet of ${maxRows} × ${maxColumns}.`,
  );
}

/** For rows or columns that come: they may also go behind the last one. */
export function checkInsertion(before: number, count: number, last: number): void {
  if (isSpan(before, 1, last + 1) && isSpan(1, count, Number.POSITIVE_INFINITY)) return;
  throw new RangeError(`Nothing can be inserted before ${before} of ${last}: ${count}.`);
}

/** For rows or columns that go: one has to stay. */
export function checkDeletion(first: number, count: number, last: number): void {
  if (isSpan(first, count, last) && count < last) return;
  throw new RangeError(`${count} from ${first} on cannot be deleted of ${last}.`);
}

/** The cells that a matrix covers when it is put down at a place. */
export function covered(row: number, column: number, matrix: Matrix<unknown>): Rectangle {
  const columnCount = matrix[0]?.length ?? 0;
  if (matrix.some((cells) => cells.length !== columnCount)) {
    throw new RangeError('The rows are not all of the same length.');
  }
  return { row, column, rowCount: matrix.length, columnCount };
}

/** The part of a rectangle that is in the sheet; its last cell if there is none. */
export function cutTo(rectangle: Rectangle, { maxRows, maxColumns }: Bounds): Rectangle {
  const row = Math.min(rectangle.row, maxRows);
  const column = Math.min(rectangle.column, maxColumns);
  return {
    row,
    column,
    rowCount: Math.min(rectangle.rowCount, maxRows - row + 1),
    columnCount: Math.min(rectangle.columnCount, maxColumns - column + 1),
  };
}
