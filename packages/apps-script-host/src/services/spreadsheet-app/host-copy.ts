// Copies a script's cells into others, as often as they fit: contents, formulas and formats.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import { featuresOf } from '../../sheet/book-features';
import { moveDown } from '../../sheet/formula-references';
import type { CellContent, Matrix, Rectangle, SheetModel } from '../../sheet/model';
import { isInside, meet } from '../../sheet/rectangle';
import type { PasteType, Place } from './calls';
import { checkPlace } from './host-book';
import { checkUnmerged } from './host-merges';

/**
 * Fills the destination if its size is a whole multiple of the source's. Otherwise only the
 * destination's first cell counts. Relative references move along. A cell without a formula is
 * copied as its value even if only formulas are requested, as in Sheets.
 */
export function copyTo(model: SheetModel, from: Place, to: Place, what: PasteType): void {
  const isFilled = to.rowCount % from.rowCount === 0 && to.columnCount % from.columnCount === 0;
  const size = isFilled ? to : from;
  const place = { ...to, rowCount: size.rowCount, columnCount: size.columnCount };
  checkPlace(model, place);
  checkUnmerged(model, place);
  if (what !== 'PASTE_FORMAT') copyContents(model, from, place, what === 'PASTE_VALUES');
  if (what === 'PASTE_FORMAT' || what === 'PASTE_NORMAL') copyFormats(model, from, place);
}

/** Makes a value for every cell of the place from its counterpart in the source. */
const tiled = <Cell, Made>(
  from: Place,
  { rowCount, columnCount }: Rectangle,
  cells: Matrix<Cell>,
  make: (cell: Cell, down: number, right: number) => Made,
): Made[][] =>
  Array.from({ length: rowCount }, (_row, down) =>
    Array.from({ length: columnCount }, (_cell, right) => {
      const cell = cells[down % from.rowCount]?.[right % from.columnCount];
      if (cell === undefined) throw new ServiceException('There is nothing to copy');
      return make(cell, down - (down % from.rowCount), right - (right % from.columnCount));
    }),
  );

function copyContents(model: SheetModel, from: Place, to: Place, isPlain: boolean): void {
  const formulas = model.formulas(from.sheetId, from);
  const values = model.values(from.sheetId, from);
  const [rows, columns] = [to.row - from.row, to.column - from.column];
  const cells = values.map((line, down) =>
    line.map((value, right) => ({
      value,
      formula: isPlain ? '' : (formulas[down]?.[right] ?? ''),
    })),
  );
  const contents = tiled(
    from,
    to,
    cells,
    ({ value, formula }, down, right): CellContent =>
      formula === '' ? value : { formula: moveDown(formula, rows + down, columns + right) },
  );
  model.write(to.sheetId, to.row, to.column, contents);
}

/** Merges cells again in each copy that lies in the place. */
function copyMerges(model: SheetModel, from: Place, to: Place): void {
  const merges = model.merges(from.sheetId).filter((merge) => meet(merge, from));
  if (merges.some((merge) => !covers(from, merge)))
    throw new ServiceException(say('merge-partial'));
  for (const merge of merges) {
    for (let down = 0; down < to.rowCount; down += from.rowCount) {
      for (let right = 0; right < to.columnCount; right += from.columnCount) {
        const row = to.row + down + merge.row - from.row;
        const column = to.column + right + merge.column - from.column;
        model.merge(to.sheetId, { ...merge, row, column });
      }
    }
  }
}

/** Conditional formatting is copied, as when people copy cells: the same rule covers more cells. */
function copyFormats(model: SheetModel, from: Place, to: Place): void {
  const { sheetId, row, column } = to;
  const copied = (cells: Matrix<string>) => tiled(from, to, cells, (cell) => cell);
  model.setNumberFormats(sheetId, row, column, copied(model.numberFormats(from.sheetId, from)));
  model.setFontWeights(sheetId, row, column, copied(model.fontWeights(from.sheetId, from)));
  for (const part of ['background', 'text'] as const)
    model.setColours(sheetId, row, column, part, copied(model.colours(from.sheetId, from, part)));
  model.setLooks(sheetId, row, column, copied(model.looks(from.sheetId, from)));
  copyMerges(model, from, to);
  if (from.sheetId !== sheetId) return;
  const features = featuresOf(model);
  const { sheetId: _, ...rectangle } = to;
  const rules = features.look(sheetId).rules.map((rule) => {
    const isMet = rule.rectangles.some((each) => meet(each, from));
    const isThere = rule.rectangles.some((each) => covers(each, rectangle));
    return isMet && !isThere ? { ...rule, rectangles: [...rule.rectangles, rectangle] } : rule;
  });
  features.setLook(sheetId, { rules });
}

const covers = (outer: Rectangle, inner: Rectangle) =>
  inner.row >= outer.row &&
  inner.column >= outer.column &&
  isInside(
    { ...inner, row: inner.row - outer.row + 1, column: inner.column - outer.column + 1 },
    { maxRows: outer.rowCount, maxColumns: outer.columnCount },
  );
