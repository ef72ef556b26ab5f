// Finds where the data around a cell ends, as Ctrl+A and Ctrl+arrow do.

import type { SheetModel } from '../../sheet/model';
import type { Place } from './calls';
import type { Dimension, Direction } from './enums';

type HasData = (row: number, column: number) => boolean;

/** A cell has data if it holds something or has a formula, even one that shows nothing. */
function dataIn(model: SheetModel, sheetId: number): HasData {
  const { lastRow, lastColumn } = model.size(sheetId);
  if (lastRow === 0) return () => false;
  const used = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const values = model.values(sheetId, used);
  const formulas = model.formulas(sheetId, used);
  return (row, column) =>
    (values[row - 1]?.[column - 1] ?? '') !== '' || (formulas[row - 1]?.[column - 1] ?? '') !== '';
}

interface Edges {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** How far each edge moves in one step: it moves if there is data right beyond it. */
function stepsOf(edges: Edges, hasData: HasData, dimension: Dimension | null): readonly Edges[] {
  const { top, left, bottom, right } = edges;
  const across = Array.from({ length: right - left + 1 }, (_, at) => left + at);
  const down = Array.from({ length: bottom - top + 1 }, (_, at) => top + at);
  const rows = [
    { row: top - 1, moved: { ...edges, top: top - 1 } },
    { row: bottom + 1, moved: { ...edges, bottom: bottom + 1 } },
  ].filter(({ row }) => across.some((column) => hasData(row, column)));
  const columns = [
    { column: left - 1, moved: { ...edges, left: left - 1 } },
    { column: right + 1, moved: { ...edges, right: right + 1 } },
  ].filter(({ column }) => down.some((row) => hasData(row, column)));
  const wanted = [
    ...(dimension === 'COLUMNS' ? [] : rows),
    ...(dimension === 'ROWS' ? [] : columns),
  ];
  return wanted.map(({ moved }) => moved);
}

/**
 * Reference of Range.getDataRegion: "expanded in the four cardinal Directions to cover all adjacent
 * cells with data in them". Cells that touch only a corner are not adjacent. By rows the region
 * grows only up and down.
 */
export function dataRegion(model: SheetModel, place: Place, dimension: Dimension | null): Place {
  const hasData = dataIn(model, place.sheetId);
  let edges: Edges = {
    top: place.row,
    left: place.column,
    bottom: place.row + place.rowCount - 1,
    right: place.column + place.columnCount - 1,
  };
  for (;;) {
    const [next] = stepsOf(edges, hasData, dimension);
    if (next === undefined) break;
    edges = next;
  }
  const { top, left, bottom, right } = edges;
  const size = { rowCount: bottom - top + 1, columnCount: right - left + 1 };
  return { sheetId: place.sheetId, row: top, column: left, ...size };
}

const STEPS: Readonly<Record<Direction, readonly [number, number]>> = {
  UP: [-1, 0],
  DOWN: [1, 0],
  PREVIOUS: [0, -1],
  NEXT: [0, 1],
};

/**
 * Reference of Range.getNextDataCell: from the first cell on, "the edge of a contiguous range of
 * cells with data" or "the cell at the edge of the spreadsheet in that direction", as with Ctrl and
 * an arrow key.
 */
export function nextDataCell(model: SheetModel, place: Place, direction: Direction): Place {
  const hasData = dataIn(model, place.sheetId);
  const { maxRows, maxColumns } = model.size(place.sheetId);
  const [down, right] = STEPS[direction];
  const isInside = (row: number, column: number) =>
    row >= 1 && column >= 1 && row <= maxRows && column <= maxColumns;
  let [row, column] = [place.row, place.column];
  const isInBlock = hasData(row, column) && hasData(row + down, column + right);
  while (isInside(row + down, column + right)) {
    const isNextTaken = hasData(row + down, column + right);
    if (isInBlock && !isNextTaken) break;
    row += down;
    column += right;
    if (!isInBlock && isNextTaken) break;
  }
  return { sheetId: place.sheetId, row, column, rowCount: 1, columnCount: 1 };
}
