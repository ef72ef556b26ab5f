// Merges cells for a script, and handles writing and sorting where cells are merged.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import type { CellContent, Matrix, Rectangle, SheetModel } from '../../sheet/model';
import { meet, without } from '../../sheet/rectangle';
import type { MergeKind, Place } from './calls';

/**
 * Merged cells have one content, that of their first cell. Google does not say what happens to a
 * value that a script puts into another one of them. Here the first such value goes into the first
 * cell, which is the worst case for a script that did not check.
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

function blocksOf(rectangle: Rectangle, kind: MergeKind): readonly Rectangle[] {
  const { row, column, rowCount, columnCount } = rectangle;
  if (kind === 'block') return [rectangle];
  if (kind === 'across')
    return Array.from({ length: rowCount }, (_, at) => ({
      row: row + at,
      column,
      rowCount: 1,
      columnCount,
    }));
  return Array.from({ length: columnCount }, (_, at) => ({
    row,
    column: column + at,
    rowCount,
    columnCount: 1,
  }));
}

/** Google: "You must select all cells in a merged range to merge or unmerge them." */
function checkWhole(model: SheetModel, { sheetId, ...rectangle }: Place): void {
  const isCut = (merge: Rectangle) =>
    meet(merge, rectangle) && without(merge, rectangle).length > 0;
  if (model.merges(sheetId).some(isCut)) throw new ServiceException(say('merge-partial'));
}

/** Google refuses a merge that crosses the line between frozen and other cells. */
export function crosses(merge: Rectangle, frozenRows: number, frozenColumns: number) {
  const isCut = (first: number, count: number, frozen: number) =>
    first <= frozen && first + count - 1 > frozen;
  return {
    rows: isCut(merge.row, merge.rowCount, frozenRows),
    columns: isCut(merge.column, merge.columnCount, frozenColumns),
  };
}

/**
 * Google does not say which content remains if the first cell is blank; its question to users
 * mentions the "top-left most". Here the first cell's content remains, even if it is blank.
 */
export function mergeCells(model: SheetModel, place: Place, kind: MergeKind): void {
  const { sheetId, ...rectangle } = place;
  checkWhole(model, place);
  const blocks = blocksOf(rectangle, kind);
  for (const block of blocks) {
    const { rows, columns } = crosses(
      block,
      model.frozenRows(sheetId),
      model.frozenColumns(sheetId),
    );
    if (rows) throw new ServiceException(say('merge-frozen-rows'));
    if (columns) throw new ServiceException(say('merge-frozen-columns'));
  }
  model.breakApart(sheetId, rectangle);
  for (const block of blocks)
    if (block.rowCount * block.columnCount > 1) model.merge(sheetId, block);
}

export function unmergeCells(model: SheetModel, place: Place): void {
  const { sheetId, ...rectangle } = place;
  checkWhole(model, place);
  model.breakApart(sheetId, rectangle);
}

export function checkUnmerged(model: SheetModel, place: Place): void {
  if (!model.merges(place.sheetId).some((merge) => meet(merge, place))) return;
  throw new ServiceException(say('merged-unsorted'));
}
