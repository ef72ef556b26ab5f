// Puts the answers of custom functions into cells: a list fills the cells beside and below, if they
// are free, and takes them back when it shrinks, moves or goes.

import type { Result } from './grid-contents';
import type { CellValue, Rectangle } from './model';
import type { PlainGrid } from './plain-grid';

/** At least one row and one column, all rows of the same length. */
export type AnswerRows = readonly (readonly CellValue[])[];

export interface Answers {
  readonly put: (sheetId: number, row: number, column: number, rows: AnswerRows) => void;
  /** Fills and takes back cells after something has changed in the sheet. */
  readonly follow: (sheetId: number) => void;
}

/** What Google shows where a list has no room: it "can't affect" cells that hold something else. */
const NO_ROOM = '#REF!';

const placeOf = ({ row, column }: { readonly row: number; readonly column: number }) =>
  `${row} ${column}`;

/** The grid keeps a name of each list with its formula's cell, so that it moves with the cell. */
export function createAnswers(grid: PlainGrid): Answers {
  const lists = new Map<string, AnswerRows>();
  let count = 0;
  function follow(sheetId: number): void {
    const { answers, filled } = grid.answers(sheetId);
    if (answers.length === 0 && filled.length === 0) return;
    const taken = new Set(filled.map(placeOf));
    const wanted = new Map<string, Result>();
    for (const { row, column, name } of answers) {
      const rows = lists.get(name) ?? [];
      const own = { row, column };
      const area = { ...own, rowCount: rows.length, columnCount: rows[0]?.length ?? 0 };
      if (!isFree(grid, sheetId, area, (place) => taken.has(place) && !wanted.has(place))) {
        wanted.set(placeOf(own), { ...own, value: NO_ROOM, isSpilled: false });
        continue;
      }
      rows.forEach((values, down) => {
        values.forEach((value, right) => {
          const cell = { row: row + down, column: column + right };
          wanted.set(placeOf(cell), { ...cell, value, isSpilled: down + right > 0 });
        });
      });
    }
    const back = filled
      .filter((cell) => !wanted.has(placeOf(cell)))
      .map((cell) => ({ ...cell, value: null, isSpilled: true }));
    const changed = [...wanted.values()].filter(({ row, column, value, isSpilled }) => {
      const cell = { row, column, rowCount: 1, columnCount: 1 };
      const isMarked = taken.has(placeOf(cell)) === isSpilled;
      return !isMarked || !isSame(grid.values(sheetId, cell)[0]?.[0], value);
    });
    if (back.length + changed.length > 0) grid.setResults(sheetId, [...back, ...changed], 'custom');
  }
  return {
    put(sheetId, row, column, rows) {
      const isOne = rows.length === 1 && rows[0]?.length === 1;
      const name = isOne ? null : String(count);
      count += 1;
      if (name !== null) lists.set(name, rows);
      grid.setAnswer(sheetId, row, column, name);
      if (isOne) grid.setComputed(sheetId, row, column, rows[0]?.[0] ?? '');
      follow(sheetId);
    },
    follow,
  };
}

const isSame = (one: CellValue | undefined, other: CellValue | null) =>
  one === other || (one instanceof Date && other instanceof Date && +one === +other);

/** Whether nothing but the formula itself and what lists have filled stands in the area. */
function isFree(
  grid: PlainGrid,
  sheetId: number,
  area: Rectangle,
  isTaken: (place: string) => boolean,
): boolean {
  const { maxRows, maxColumns } = grid.size(sheetId);
  if (area.row + area.rowCount - 1 > maxRows || area.column + area.columnCount - 1 > maxColumns)
    return false;
  const formulas = grid.formulas(sheetId, area);
  return grid.values(sheetId, area).every((values, down) =>
    values.every((value, right) => {
      if (down + right === 0) return true;
      const place = placeOf({ row: area.row + down, column: area.column + right });
      return !formulas[down]?.[right] && (value === '' || isTaken(place));
    }),
  );
}
