// Numbers Univer's sheets, as SpreadsheetApp does. A number is never reused.
import type { FWorkbook, FWorksheet } from '@univerjs/preset-sheets-node-core';

export interface UniverSheets {
  readonly all: () => readonly { readonly id: number; readonly sheet: FWorksheet }[];
  /** Throws a RangeError for an unknown number. */
  readonly sheet: (id: number) => FWorksheet;
  readonly idOf: (univerId: string) => number;
}

export function createUniverSheets(workbook: FWorkbook): UniverSheets {
  const ids = new Map<string, number>();
  const idOf = (univerId: string): number => {
    const id = ids.get(univerId) ?? ids.size;
    ids.set(univerId, id);
    return id;
  };
  // Univer makes such an object anew whenever it is asked for one, which takes long.
  const made = new Map<string, FWorksheet>();
  const sheetOf = (univerId: string): FWorksheet | null => {
    const known = made.get(univerId);
    const own = workbook.getWorkbook().getSheetBySheetId(univerId);
    if (own !== undefined && known?.getSheet() === own) return known;
    const sheet = workbook.getSheetBySheetId(univerId);
    if (sheet !== null) made.set(univerId, sheet);
    return sheet;
  };
  const all = () =>
    workbook
      .getWorkbook()
      .getSheetOrders()
      .flatMap((univerId) => {
        const sheet = sheetOf(univerId);
        return sheet === null ? [] : [{ id: idOf(univerId), sheet }];
      });
  return {
    all,
    idOf,
    sheet: (id) => {
      const found = all().find((one) => one.id === id);
      if (found === undefined) throw new RangeError(`There is no sheet ${id}.`);
      return found.sheet;
    },
  };
}
