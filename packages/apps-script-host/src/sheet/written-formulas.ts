// The formulas of a spreadsheet, cell by cell.

import type { SheetModel } from './model';

export interface WrittenFormula {
  readonly sheetId: number;
  readonly row: number;
  readonly column: number;
  readonly formula: string;
}

export function writtenFormulas(model: SheetModel): readonly WrittenFormula[] {
  return model.sheets().flatMap(({ id: sheetId }) => {
    const { lastRow, lastColumn } = model.size(sheetId);
    if (lastRow === 0) return [];
    const all = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    return model
      .formulas(sheetId, all)
      .flatMap((texts, down) =>
        texts.flatMap((formula, right) =>
          formula === '' ? [] : [{ sheetId, row: 1 + down, column: 1 + right, formula }],
        ),
      );
  });
}
