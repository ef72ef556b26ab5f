// Cells put together into rectangles that one write can fill, and rectangles into batches. Pure.

import type { Area } from '../../../platform/sheet-ports';

interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Rectangle<Cell extends Place> {
  readonly area: Area;
  readonly rows: readonly (readonly Cell[])[];
}

/** Each write costs some time whatever its size. */
const RECTANGLES_PER_BATCH = 40;

/** The smallest area around cells: at least one, and no more than a batch. */
export function areaAround(cells: readonly Place[]): Area {
  const [rows, columns] = [cells.map((cell) => cell.row), cells.map((cell) => cell.column)];
  const [row, column] = [Math.min(...rows), Math.min(...columns)];
  const [rowCount, columnCount] = [Math.max(...rows) - row + 1, Math.max(...columns) - column + 1];
  return { row, column, rowCount, columnCount };
}

/** Batches of at most so many cells, each in a few rectangles. The cells come row by row. */
export function batchesOf<Cell extends Place>(
  cells: readonly Cell[],
  cellsMax: number,
): readonly (readonly Rectangle<Cell>[])[] {
  const batches: Rectangle<Cell>[][] = [];
  let room = 0;
  for (const rectangle of rectanglesOf(cells, cellsMax)) {
    const size = rectangle.area.rowCount * rectangle.area.columnCount;
    const batch = batches[batches.length - 1];
    if (batch === undefined || size > room || batch.length >= RECTANGLES_PER_BATCH) {
      batches.push([rectangle]);
      room = cellsMax - size;
    } else {
      batch.push(rectangle);
      room -= size;
    }
  }
  return batches;
}

/** Cells side by side, and such rows one under the other. */
function rectanglesOf<Cell extends Place>(
  cells: readonly Cell[],
  cellsMax: number,
): readonly Rectangle<Cell>[] {
  const all: Cell[][][] = [];
  const growing = new Map<string, Cell[][]>();
  for (const run of runsOf(cells)) {
    const key = `${run[0]?.column} ${run.length}`;
    const rows = growing.get(key);
    const next = (rows?.[0]?.[0]?.row ?? 0) + (rows?.length ?? 0);
    const hasRoom = ((rows?.length ?? 0) + 1) * run.length <= cellsMax;
    if (rows !== undefined && next === run[0]?.row && hasRoom) rows.push(run);
    else {
      const begun = [run];
      growing.set(key, begun);
      all.push(begun);
    }
  }
  return all.map((rows) => ({ area: areaAround(rows.flat()), rows }));
}

function runsOf<Cell extends Place>(cells: readonly Cell[]): readonly Cell[][] {
  const runs: Cell[][] = [];
  for (const cell of cells) {
    const run = runs[runs.length - 1];
    const last = run?.[run.length - 1];
    if (last?.row === cell.row && last.column === cell.column - 1) run?.push(cell);
    else runs.push([cell]);
  }
  return runs;
}
