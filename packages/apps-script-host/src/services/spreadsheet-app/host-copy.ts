// Copies a script's cells into others, as often as they fit: contents, formulas and formats.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import { featuresOf } from '../../sheet/book-features';
import { moveDown } from '../../sheet/formula-references';
import type { CellContent, Matrix, Rectangle, SheetModel } from '../../sheet/model';
import type { PlainGrid } from '../../sheet/plain-grid';
import { isWithin, meet } from '../../sheet/rectangle';
import type { PasteType, Place } from './calls';
import { checkPlace } from './host-book';
import { checkUnmerged } from './host-merges';

/**
 * Fills the destination as often as the source fits, down and across, and at least once (measured by
 * gas-fakes on GitHub, "range.copyValuesToRange"). Relative references move along. A cell without a
 * formula is copied as its value even if only formulas are requested, as in Sheets.
 */
export function copyTo(
  model: SheetModel,
  from: Place,
  to: Place,
  what: PasteType,
  isTransposed: boolean,
): void {
  const source = isTransposed
    ? { ...from, rowCount: from.columnCount, columnCount: from.rowCount }
    : from;
  const times = (room: number, size: number) => Math.max(1, Math.floor(room / size)) * size;
  const place = {
    ...to,
    rowCount: times(to.rowCount, source.rowCount),
    columnCount: times(to.columnCount, source.columnCount),
  };
  checkPlace(model, place);
  checkUnmerged(model, place);
  const turned = <Cell>(cells: Matrix<Cell>): Matrix<Cell> =>
    isTransposed ? transposed(cells) : cells;
  if (what !== 'PASTE_FORMAT')
    copyContents(model, from, place, { isPlain: what === 'PASTE_VALUES', isTransposed });
  if (what === 'PASTE_FORMAT' || what === 'PASTE_NORMAL') copyFormats(model, from, place, turned);
  if (what === 'PASTE_NORMAL' && 'runs' in model) {
    const grid = model as PlainGrid;
    const runs = tiled(place, turned(grid.runs(from.sheetId, from)), (run) => run);
    if (runs.flat().some((run) => run !== ''))
      grid.setRuns(place.sheetId, place.row, place.column, runs);
  }
}

const transposed = <Cell>(cells: Matrix<Cell>): Matrix<Cell> =>
  (cells[0] ?? []).map((_cell, right) => cells.map((row) => row[right] as Cell));

/** Makes a value for every cell of the place from its counterpart in the source. */
const tiled = <Cell, Made>(
  { rowCount, columnCount }: Rectangle,
  cells: Matrix<Cell>,
  make: (cell: Cell, down: number, right: number) => Made,
): Made[][] =>
  Array.from({ length: rowCount }, (_row, down) =>
    Array.from({ length: columnCount }, (_cell, right) => {
      const row = cells[down % cells.length] ?? [];
      const cell = row[right % row.length];
      if (cell === undefined) throw new ServiceException('There is nothing to copy');
      return make(cell, down, right);
    }),
  );

interface ContentsCopy {
  readonly isPlain: boolean;
  readonly isTransposed: boolean;
}

function copyContents(
  model: SheetModel,
  from: Place,
  to: Place,
  { isPlain, isTransposed }: ContentsCopy,
): void {
  const formulas = model.formulas(from.sheetId, from);
  const cells = model.values(from.sheetId, from).map((line, down) =>
    line.map((value, right) => ({
      value,
      formula: isPlain ? '' : (formulas[down]?.[right] ?? ''),
      row: from.row + down,
      column: from.column + right,
    })),
  );
  const contents = tiled(
    to,
    isTransposed ? transposed(cells) : cells,
    ({ value, formula, row, column }, down, right): CellContent =>
      formula === ''
        ? value
        : { formula: moveDown(formula, to.row + down - row, to.column + right - column) },
  );
  model.write(to.sheetId, to.row, to.column, contents);
}

/** Merges cells again in each copy that lies in the place. */
function copyMerges(model: SheetModel, from: Place, to: Place): void {
  const merges = model.merges(from.sheetId).filter((merge) => meet(merge, from));
  if (merges.some((merge) => !isWithin(merge, from)))
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
function copyFormats(
  model: SheetModel,
  from: Place,
  to: Place,
  turned: (cells: Matrix<string>) => Matrix<string>,
): void {
  const { sheetId, row, column } = to;
  const copied = (cells: Matrix<string>) => tiled(to, turned(cells), (cell) => cell);
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
    const isThere = rule.rectangles.some((each) => isWithin(rectangle, each));
    return isMet && !isThere ? { ...rule, rectangles: [...rule.rectangles, rectangle] } : rule;
  });
  features.setLook(sheetId, { rules });
}
