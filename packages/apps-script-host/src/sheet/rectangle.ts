// Checks that a request to a spreadsheet lies within it, in the same way for every model.

import type { Shift } from './formula-references';
import { movedSpan } from './line-move';
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

/** For inserted rows or columns, which may also go after the last one. */
export function checkInsertion(before: number, count: number, last: number): void {
  if (isSpan(before, 1, last + 1) && isSpan(1, count, Number.POSITIVE_INFINITY)) return;
  throw new RangeError(`Nothing can be inserted before ${before} of ${last}: ${count}.`);
}

/** For deleted rows or columns, of which at least one must remain. */
export function checkDeletion(first: number, count: number, last: number): void {
  if (isSpan(first, count, last) && count < last) return;
  throw new RangeError(`${count} from ${first} on cannot be deleted of ${last}.`);
}

/** The cells that a matrix covers when it is placed at a cell. */
export function covered(row: number, column: number, matrix: Matrix<unknown>): Rectangle {
  const columnCount = matrix[0]?.length ?? 0;
  if (matrix.some((cells) => cells.length !== columnCount)) {
    throw new RangeError('The rows are not all of the same length.');
  }
  return { row, column, rowCount: matrix.length, columnCount };
}

/** The part of a rectangle that lies in the sheet. If there is none, the sheet's last cell. */
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

/** For reordered rows: each of them must appear exactly once. */
export function checkOrder(order: readonly number[], rowCount: number): void {
  const places = new Set(order);
  const isEach = order.length === rowCount && places.size === rowCount;
  if (isEach && order.every((place) => isSpan(place + 1, 1, rowCount))) return;
  throw new RangeError(`That is no order of ${rowCount} rows.`);
}

export function meet(one: Rectangle, other: Rectangle): boolean {
  return (
    one.row < other.row + other.rowCount &&
    other.row < one.row + one.rowCount &&
    one.column < other.column + other.columnCount &&
    other.column < one.column + one.columnCount
  );
}

/** The cells that both have. null: there are none. */
export function overlap(one: Rectangle, other: Rectangle): Rectangle | null {
  if (!meet(one, other)) return null;
  const row = Math.max(one.row, other.row);
  const column = Math.max(one.column, other.column);
  const end = Math.min(one.row + one.rowCount, other.row + other.rowCount);
  const columnEnd = Math.min(one.column + one.columnCount, other.column + other.columnCount);
  return { row, column, rowCount: end - row, columnCount: columnEnd - column };
}

/** Whether all cells of the inner one are cells of the outer one. */
export function isWithin(inner: Rectangle, outer: Rectangle): boolean {
  return (
    inner.row >= outer.row &&
    inner.column >= outer.column &&
    inner.row + inner.rowCount <= outer.row + outer.rowCount &&
    inner.column + inner.columnCount <= outer.column + outer.columnCount
  );
}

/** The remaining parts of a rectangle after another is removed from it. */
export function without(whole: Rectangle, taken: Rectangle): Rectangle[] {
  if (!meet(whole, taken)) return [whole];
  const { row, column, rowCount, columnCount } = whole;
  const top = Math.max(row, taken.row);
  const bottom = Math.min(row + rowCount, taken.row + taken.rowCount);
  const left = Math.max(column, taken.column);
  const right = Math.min(column + columnCount, taken.column + taken.columnCount);
  const rest = [
    { row, column, rowCount: top - row, columnCount },
    { row: bottom, column, rowCount: row + rowCount - bottom, columnCount },
    { row: top, column, rowCount: bottom - top, columnCount: left - column },
    { row: top, column: right, rowCount: bottom - top, columnCount: column + columnCount - right },
  ];
  return rest.filter((each) => each.rowCount > 0 && each.columnCount > 0);
}

/**
 * The position of a rectangle after a shift. null: all of it was deleted. Insertions within the
 * rectangle enlarge it.
 */
export function shiftedRectangle(rectangle: Rectangle, shift: Shift): Rectangle | null {
  const { row, column, rowCount, columnCount } = rectangle;
  if (shift.axis === 'row') {
    const [first, count] = shiftedSpan(row, rowCount, shift);
    return count > 0 ? { row: first, column, rowCount: count, columnCount } : null;
  }
  const [first, count] = shiftedSpan(column, columnCount, shift);
  return count > 0 ? { row, column: first, rowCount, columnCount: count } : null;
}

function shiftedSpan(
  start: number,
  length: number,
  { first, count, before }: Shift,
): [number, number] {
  if (before !== undefined) {
    const [from, to] = movedSpan({ first, count, before }, start, start + length - 1);
    return [from, to - from + 1];
  }
  const end = start + length;
  if (count > 0) {
    if (first <= start) return [start + count, length];
    return [start, first < end ? length + count : length];
  }
  const goneEnd = first - count;
  const gone = Math.max(Math.min(end, goneEnd) - Math.max(start, first), 0);
  const goneBefore = Math.max(Math.min(start, goneEnd) - first, 0);
  return [start - goneBefore, length - gone];
}
