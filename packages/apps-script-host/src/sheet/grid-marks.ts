// Keeps what lies over the cells of a plain grid, and moves it with rows and columns.

import type { Shift } from './formula-references';
import type { Book, GridSheet } from './grid-book';
import type { NewProtection, Protection, SheetMarks } from './marks';
import type { Rectangle, SheetModel } from './model';
import { overlaysOf, shiftLines, shiftOverlays } from './overlays';
import { checkInside, meet, shiftedRectangle } from './rectangle';

type Cells = Pick<
  SheetModel,
  'size' | 'displayValues' | 'clearContents' | 'write' | 'values' | 'formulas' | 'timeZone'
>;

export function marksOf(book: Book, cells: Cells) {
  return {
    ...hidingOf(book),
    ...mergesOf(book, cells),
    ...protectionsOf(book),
    ...overlaysOf({
      of: (sheetId) => book.of(sheetId).overlays,
      tell: book.tell,
      cells,
    }),
  };
}

export function shiftMarks(sheet: GridSheet, shift: Shift): void {
  shiftLines(shift.axis === 'row' ? sheet.hidden : sheet.columnWidths, shift);
  shiftOverlays(sheet.overlays, shift);
  const kept = (rectangles: readonly Rectangle[]) =>
    rectangles.flatMap((each) => shiftedRectangle(each, shift) ?? []);
  sheet.merges = kept(sheet.merges).filter((each) => each.rowCount * each.columnCount > 1);
  sheet.protections = sheet.protections.flatMap((each) => {
    const unprotected = kept(each.unprotected);
    if (each.rectangle === null) return { ...each, unprotected };
    const rectangle = shiftedRectangle(each.rectangle, shift);
    return rectangle ? { ...each, rectangle, unprotected } : [];
  });
}

function hidingOf({ of, tell }: Book) {
  const setHidden = (sheetId: number, firstRow: number, count: number, isHidden: boolean) => {
    const { hidden, ...bounds } = of(sheetId);
    checkInside({ row: firstRow, column: 1, rowCount: count, columnCount: 1 }, bounds);
    for (let place = firstRow - 1; place < firstRow - 1 + count; place += 1) {
      hidden[place] = isHidden;
    }
    tell({ kind: 'marks', sheetId });
  };
  return {
    isRowHidden: (sheetId, row, by) => {
      const { hidden, overlays, ...bounds } = of(sheetId);
      checkInside({ row, column: 1, rowCount: 1, columnCount: 1 }, bounds);
      return (by === 'user' ? hidden : overlays.behindFilter)[row - 1] ?? false;
    },
    hideRows: (sheetId, firstRow, count) => setHidden(sheetId, firstRow, count, true),
    showRows: (sheetId, firstRow, count) => setHidden(sheetId, firstRow, count, false),
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
