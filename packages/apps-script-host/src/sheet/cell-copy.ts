// Copies cells, with everything that belongs to them, from one place to another.

import { isDate } from './date-serial';
import type { CellContent, Matrix, Rectangle, SheetModel } from './model';
import { GENERAL_FORMAT } from './model';
import type { PlainGrid } from './plain-grid';

export interface CopiedCells {
  readonly contents: Matrix<CellContent>;
  readonly formats: Matrix<string>;
  readonly notes: Matrix<string>;
  readonly links: Matrix<string>;
  /** Styles and links of parts of texts. Left out: the model keeps none. */
  readonly runs?: Matrix<string>;
  readonly weights: Matrix<string>;
  readonly backgrounds: Matrix<string>;
  readonly colours: Matrix<string>;
  readonly looks: Matrix<string>;
}

/** Cells that formulas elsewhere have filled are copied as blank ones. */
export function copyCells(model: SheetModel, sheetId: number, rectangle: Rectangle): CopiedCells {
  const formulas = model.formulas(sheetId, rectangle);
  const isFilled = filledIn(model, sheetId);
  return {
    contents: model.values(sheetId, rectangle).map((cells, down) =>
      cells.map((value, right): CellContent => {
        const formula = formulas[down]?.[right] ?? '';
        if (formula !== '') return { formula };
        if (isFilled(rectangle.row + down, rectangle.column + right)) return '';
        return isDate(value) ? new Date(value) : value;
      }),
    ),
    formats: model.numberFormats(sheetId, rectangle),
    notes: model.notes(sheetId, rectangle),
    links: model.links(sheetId, rectangle),
    ...('runs' in model && { runs: (model as PlainGrid).runs(sheetId, rectangle) }),
    weights: model.fontWeights(sheetId, rectangle),
    backgrounds: model.colours(sheetId, rectangle, 'background'),
    colours: model.colours(sheetId, rectangle, 'text'),
    looks: model.looks(sheetId, rectangle),
  };
}

function filledIn(model: SheetModel, sheetId: number) {
  // Only a plain grid tells which cells formulas fill.
  if (!('spilled' in model)) return () => false;
  const grid = model as PlainGrid;
  const cells = [...grid.spilled(sheetId), ...grid.answers(sheetId).filled];
  const places = new Set(cells.map(({ row, column }) => `${row} ${column}`));
  return (row: number, column: number) => places.has(`${row} ${column}`);
}

export function blankCells({ rowCount, columnCount }: Rectangle): CopiedCells {
  const all = (text: string) =>
    Array.from({ length: rowCount }, () => new Array<string>(columnCount).fill(text));
  const beside = { weights: all(''), backgrounds: all(''), colours: all(''), looks: all('') };
  return {
    ...{ contents: all(''), formats: all(GENERAL_FORMAT), notes: all(''), links: all('') },
    ...beside,
  };
}

export function pasteCells(
  model: SheetModel,
  sheetId: number,
  { row, column, ...size }: Rectangle,
  { contents, formats, notes, links, runs, weights, backgrounds, colours, looks }: CopiedCells,
): void {
  // Formats come first, because they decide how a number is interpreted.
  model.setNumberFormats(sheetId, row, column, formats);
  model.write(sheetId, row, column, contents);
  const place = { row, column, ...size };
  const isSame = (found: Matrix<string>, wanted: Matrix<string>) =>
    found.every((cells, down) => cells.every((cell, right) => cell === wanted[down]?.[right]));
  // Only what differs is set, because some models have neither notes nor links.
  if (!isSame(model.notes(sheetId, place), notes)) model.setNotes(sheetId, row, column, notes);
  if (!isSame(model.links(sheetId, place), links)) model.setLinks(sheetId, row, column, links);
  if (runs?.some((cells) => cells.some((run) => run !== '')) && 'setRuns' in model)
    (model as PlainGrid).setRuns(sheetId, row, column, runs);
  if (!isSame(model.fontWeights(sheetId, place), weights))
    model.setFontWeights(sheetId, row, column, weights);
  for (const [of, wanted] of [['background', backgrounds] as const, ['text', colours] as const]) {
    if (!isSame(model.colours(sheetId, place, of), wanted))
      model.setColours(sheetId, row, column, of, wanted);
  }
  if (!isSame(model.looks(sheetId, place), looks)) model.setLooks(sheetId, row, column, looks);
}

/** Copies all cells of a sheet into an empty one, which grows to the same size. */
export function copySheet(from: SheetModel, to: SheetModel, sheetId: number, into = sheetId): void {
  const { maxRows, maxColumns, lastRow, lastColumn } = from.size(sheetId);
  const size = to.size(into);
  if (maxRows > size.maxRows) to.insertRows(into, size.maxRows + 1, maxRows - size.maxRows);
  if (maxColumns > size.maxColumns)
    to.insertColumns(into, size.maxColumns + 1, maxColumns - size.maxColumns);
  if (lastRow === 0) return;
  const cells = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  pasteCells(to, into, cells, copyCells(from, sheetId, cells));
}
