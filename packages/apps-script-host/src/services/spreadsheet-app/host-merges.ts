// What becomes of a script's writing and sorting where cells are merged.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import type { CellContent, Matrix, SheetModel } from '../../sheet/model';
import { meet } from '../../sheet/rectangle';
import type { Place } from './calls';

/**
 * Merged cells have one content, that of their first cell. Google does not say what becomes of a
 * value that a script puts into another one of them; here the first such value lands in the first
 * cell, which is the worst that can happen to whoever did not look.
 */
export function writeInto(model: SheetModel, place: Place, contents: Matrix<CellContent>): void {
  const { sheetId, row, column } = place;
  const merges = model.merges(sheetId).filter((merge) => meet(merge, place));
  if (merges.length === 0) {
    model.write(sheetId, row, column, contents);
    return;
  }
  const mergeAt = (down: number, right: number) =>
    merges.find((merge) => meet(merge, cellAt(row + down, column + right)));
  const landed = new Set<object>();
  const rows = contents.map((cells, down) =>
    cells.map((content, right) => {
      const merge = mergeAt(down, right);
      if (!merge) return content;
      const isFirst = merge.row === row + down && merge.column === column + right;
      const isForFirst = !landed.has(merge);
      landed.add(merge);
      if (isFirst) return content;
      const isOutside = merge.row < row || merge.column < column;
      if (isForFirst && isOutside) model.write(sheetId, merge.row, merge.column, [[content]]);
      return '';
    }),
  );
  model.write(sheetId, row, column, rows);
}

function cellAt(row: number, column: number) {
  return { row, column, rowCount: 1, columnCount: 1 };
}

export function checkUnmerged(model: SheetModel, place: Place): void {
  if (!model.merges(place.sheetId).some((merge) => meet(merge, place))) return;
  throw new ServiceException(say('merged-unsorted'));
}
