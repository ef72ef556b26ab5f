// For the contract of sheet models: a spreadsheet with contents, and short questions to it.

import type {
  CellContent,
  CellValue,
  Matrix,
  Rectangle,
  SheetModel,
} from '../../../src/sheet/model';

export function cells(row: number, column: number, rowCount = 1, columnCount = 1): Rectangle {
  return { row, column, rowCount, columnCount };
}

/** A model with these contents from A1 on, and the questions that tests ask most. */
export function withContents(model: SheetModel, contents: Matrix<CellContent> = []) {
  const [sheet] = model.sheets();
  const id = sheet?.id ?? Number.NaN;
  if (contents.length > 0) model.write(id, 1, 1, contents);
  const used = (): Rectangle => {
    const { lastRow, lastColumn } = model.size(id);
    return cells(1, 1, lastRow, lastColumn);
  };
  return {
    model,
    id,
    values: (): CellValue[][] => model.values(id, used()),
    formula: (row: number, column: number) => model.formulas(id, cells(row, column))[0]?.[0],
    format: (row: number, column: number) => model.numberFormats(id, cells(row, column))[0]?.[0],
  };
}
