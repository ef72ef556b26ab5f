// What lies over the cells of a plain grid, and how it moves along with rows and columns.

import type { Shift } from './formula-references';
import type { Book, GridSheet } from './grid-book';
import type { NewProtection, Protection, RowFilter, SheetMarks } from './marks';
import type { Rectangle, SheetModel } from './model';
import { checkInside, meet, shiftedRectangle } from './rectangle';

type Cells = Pick<SheetModel, 'displayValues' | 'clearContents' | 'write' | 'values' | 'formulas'>;

export function marksOf(book: Book, cells: Cells) {
  return {
    ...hidingOf(book, cells),
    ...mergesOf(book, cells),
    ...protectionsOf(book),
    ...dropdownsOf(book),
  };
}

export function shiftMarks(sheet: GridSheet, shift: Shift): void {
  const { axis, first, count } = shift;
  const isRow = axis === 'row';
  for (const lines of isRow ? [sheet.hidden.user, sheet.hidden.filter] : [sheet.columnWidths]) {
    if (lines.length < first) continue;
    lines.splice(first - 1, Math.max(-count, 0), ...new Array(Math.max(count, 0)).fill(undefined));
  }
  const kept = (rectangles: readonly Rectangle[]) =>
    rectangles.flatMap((each) => shiftedRectangle(each, shift) ?? []);
  sheet.merges = kept(sheet.merges).filter((each) => each.rowCount * each.columnCount > 1);
  sheet.protections = sheet.protections.flatMap((each) => {
    const unprotected = kept(each.unprotected);
    if (each.rectangle === null) return { ...each, unprotected };
    const rectangle = shiftedRectangle(each.rectangle, shift);
    return rectangle ? { ...each, rectangle, unprotected } : [];
  });
  sheet.dropdowns = sheet.dropdowns.flatMap((each) => {
    const rectangle = shiftedRectangle(each.rectangle, shift);
    const from = each.from && shiftedRectangle(each.from, shift);
    return rectangle ? [{ ...each, rectangle, ...(from ? { from } : {}) }] : [];
  });
  sheet.filter = sheet.filter && shiftedFilter(sheet.filter, shift);
}

function shiftedFilter(filter: RowFilter, shift: Shift): RowFilter | null {
  const { rectangle, hiddenTexts, equalTo = [] } = filter;
  const moved = shiftedRectangle(rectangle, shift);
  if (!moved) return null;
  const follow = <One extends { readonly column: number }>(ones: readonly One[]): One[] =>
    ones.flatMap((one) => {
      const { row, rowCount } = rectangle;
      const place = shiftedRectangle({ row, column: one.column, rowCount, columnCount: 1 }, shift);
      return place ? { ...one, column: place.column } : [];
    });
  const conditions = equalTo.length === 0 ? {} : { equalTo: follow(equalTo) };
  return { rectangle: moved, hiddenTexts: follow(hiddenTexts), ...conditions };
}

function hidingOf({ of, tell }: Book, { displayValues }: Cells) {
  const setHidden = (sheetId: number, firstRow: number, count: number, isHidden: boolean) => {
    const { hidden, ...bounds } = of(sheetId);
    checkInside({ row: firstRow, column: 1, rowCount: count, columnCount: 1 }, bounds);
    for (let place = firstRow - 1; place < firstRow - 1 + count; place += 1) {
      hidden.user[place] = isHidden;
    }
    tell({ kind: 'marks', sheetId });
  };
  return {
    isRowHidden: (sheetId, row, by) => {
      const { hidden, ...bounds } = of(sheetId);
      checkInside({ row, column: 1, rowCount: 1, columnCount: 1 }, bounds);
      return hidden[by][row - 1] ?? false;
    },
    hideRows: (sheetId, firstRow, count) => setHidden(sheetId, firstRow, count, true),
    showRows: (sheetId, firstRow, count) => setHidden(sheetId, firstRow, count, false),
    filter: (sheetId) => of(sheetId).filter,
    setFilter: (sheetId, filter) => {
      const sheet = of(sheetId);
      if (filter) checkInside(filter.rectangle, sheet);
      sheet.filter = filter;
      sheet.hidden.filter.length = 0;
      const { row, rowCount } = filter?.rectangle ?? { row: 1, rowCount: 1 };
      const hide = (column: number, isHidden: (text: string) => boolean) => {
        displayValues(sheetId, { row, column, rowCount, columnCount: 1 }).forEach(
          ([text = ''], down) => {
            if (down > 0 && isHidden(text)) sheet.hidden.filter[row - 1 + down] = true;
          },
        );
      };
      for (const { column, texts } of filter?.hiddenTexts ?? [])
        hide(column, (text) => texts.includes(text));
      for (const { column, text: wanted } of filter?.equalTo ?? [])
        hide(column, (text) => text.toLowerCase() !== wanted.toLowerCase());
      tell({ kind: 'marks', sheetId });
    },
  } satisfies Partial<SheetMarks>;
}

function mergesOf({ of, tell }: Book, cells: Cells) {
  const keepFirst = (sheetId: number, rectangle: Rectangle) => {
    const { row, column, rowCount, columnCount } = rectangle;
    const below = { row: row + 1, column, rowCount: rowCount - 1, columnCount };
    const beside = { row, column: column + 1, rowCount: 1, columnCount: columnCount - 1 };
    for (const rest of [below, beside]) {
      if (rest.rowCount > 0 && rest.columnCount > 0) cells.clearContents(sheetId, rest);
    }
  };
  const apart = (sheetId: number, rectangle: Rectangle) => {
    const sheet = of(sheetId);
    checkInside(rectangle, sheet);
    sheet.merges = sheet.merges.filter((each) => !meet(each, rectangle));
  };
  return {
    merges: (sheetId) => of(sheetId).merges,
    merge: (sheetId, rectangle) => {
      apart(sheetId, rectangle);
      keepFirst(sheetId, rectangle);
      const sheet = of(sheetId);
      if (rectangle.rowCount * rectangle.columnCount > 1)
        sheet.merges = [...sheet.merges, rectangle];
      tell({ kind: 'marks', sheetId });
    },
    breakApart: (sheetId, rectangle) => {
      apart(sheetId, rectangle);
      tell({ kind: 'marks', sheetId });
    },
  } satisfies Partial<SheetMarks>;
}

function dropdownsOf({ of, tell }: Book) {
  return {
    dropdowns: (sheetId) => of(sheetId).dropdowns,
    setDropdowns: (sheetId, dropdowns) => {
      const sheet = of(sheetId);
      for (const { rectangle } of dropdowns) checkInside(rectangle, sheet);
      sheet.dropdowns = dropdowns;
      tell({ kind: 'marks', sheetId });
    },
  } satisfies Partial<SheetMarks>;
}

function protectionsOf({ of, tell }: Book) {
  let ids = 0;
  const filledIn = (protection: NewProtection): Protection => {
    ids += 1;
    const open = { unprotected: [], isWarningOnly: false, editors: [], description: '' };
    return { ...open, ...protection, id: ids };
  };
  return {
    protections: (sheetId) => of(sheetId).protections,
    protect: (wanted) => {
      const sheet = of(wanted.sheetId);
      const protection = filledIn(wanted);
      for (const each of [protection.rectangle ?? [], protection.unprotected].flat()) {
        checkInside(each, sheet);
      }
      sheet.protections = [...sheet.protections, protection];
      tell({ kind: 'marks', sheetId: sheet.id });
      return protection.id;
    },
    unprotect: (sheetId, protectionId) => {
      const sheet = of(sheetId);
      sheet.protections = sheet.protections.filter(({ id }) => id !== protectionId);
      tell({ kind: 'marks', sheetId });
    },
  } satisfies Partial<SheetMarks>;
}
