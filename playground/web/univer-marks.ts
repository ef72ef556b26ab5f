// What lies over a sheet's cells in Univer, as far as a user can create it in the playground.
import type { FRange } from '@univerjs/preset-sheets-node-core';
import type { Protection, SheetMarks } from 'apps-script-host/sheet/marks';
import { NotInThisModel } from 'apps-script-host/sheet/marks';
import type { Rectangle, SheetChange, SheetModel } from 'apps-script-host/sheet/model';
import {
  newOverlays,
  type Overlays,
  overlaysOf,
  shiftOf,
  shiftOverlays,
} from 'apps-script-host/sheet/overlays';
import { checkInside } from 'apps-script-host/sheet/rectangle';
import type { UniverSheets } from './univer-sheets';

/** Univer itself keeps no filters or dropdowns here. The spreadsheet model has its own. */
export interface UniverMarks extends Omit<SheetMarks, 'notes' | 'setNotes'> {
  /**
   * Must be called before other listeners, so that filters and dropdowns move with their rows and
   * columns.
   */
  readonly follow: (change: SheetChange) => void;
}

export function createUniverMarks(
  sheets: UniverSheets,
  cells: Pick<SheetModel, 'size' | 'displayValues' | 'values' | 'timeZone'>,
  tell: (change: SheetChange) => void,
): UniverMarks {
  const kept = new Map<number, Overlays>();
  const of = (sheetId: number): Overlays => {
    sheets.sheet(sheetId);
    const overlays = kept.get(sheetId) ?? newOverlays();
    kept.set(sheetId, overlays);
    return overlays;
  };
  return {
    ...hidingOf(sheets, (sheetId, row) => of(sheetId).behindFilter[row - 1] ?? false),
    ...mergesOf(sheets),
    ...overlaysOf({ of, tell, cells }),
    ...protectionsOf(sheets),
    ...missingFrom(sheets),
    follow: (change) => {
      const shift = shiftOf(change);
      if (shift && change.kind !== 'sheets') shiftOverlays(of(change.sheetId), shift);
    },
  };
}

function hidingOf(sheets: UniverSheets, isBehindFilter: (sheetId: number, row: number) => boolean) {
  const rowsOf = (sheetId: number, row: number, rowCount: number) => {
    const sheet = sheets.sheet(sheetId);
    checkInside({ row, column: 1, rowCount, columnCount: 1 }, boundsOf(sheets, sheetId));
    return sheet;
  };
  return {
    isRowHidden: (sheetId, row, by) => {
      const sheet = rowsOf(sheetId, row, 1).getSheet();
      return by === 'user' ? !sheet.getRowRawVisible(row - 1) : isBehindFilter(sheetId, row);
    },
    hideRows: (sheetId, firstRow, count) => {
      rowsOf(sheetId, firstRow, count).hideRows(firstRow - 1, count);
    },
    showRows: (sheetId, firstRow, count) => {
      rowsOf(sheetId, firstRow, count).showRows(firstRow - 1, count);
    },
  } satisfies Partial<SheetMarks>;
}

function mergesOf(sheets: UniverSheets) {
  const rangeOf = (sheetId: number, rectangle: Rectangle) => {
    checkInside(rectangle, boundsOf(sheets, sheetId));
    const { row, column, rowCount, columnCount } = rectangle;
    return sheets.sheet(sheetId).getRange(row - 1, column - 1, rowCount, columnCount);
  };
  return {
    merges: (sheetId) => sheets.sheet(sheetId).getMergedRanges().map(rectangleOf),
    merge: (sheetId, rectangle) => {
      rangeOf(sheetId, rectangle).merge({ isForceMerge: true });
    },
    breakApart: (sheetId, rectangle) => {
      rangeOf(sheetId, rectangle).breakApart();
    },
  } satisfies Partial<SheetMarks>;
}

/**
 * Protection of whole sheets. It stops the scripts of who may not edit them; what is typed into the
 * page is not stopped, and the page shows no warning.
 */
function protectionsOf(sheets: UniverSheets) {
  const kept = new Map<number, readonly Protection[]>();
  const of = (sheetId: number): readonly Protection[] => {
    sheets.sheet(sheetId);
    return kept.get(sheetId) ?? [];
  };
  let ids = 0;
  return {
    protections: of,
    protect: (wanted) => {
      if (wanted.rectangle !== null)
        throw new NotInThisModel("The playground's spreadsheet protects whole sheets only.");
      ids += 1;
      const usual = { unprotected: [], isWarningOnly: false, editors: [], description: '' };
      kept.set(wanted.sheetId, [...of(wanted.sheetId), { ...usual, ...wanted, id: ids }]);
      return ids;
    },
    unprotect: (sheetId, protectionId) => {
      kept.set(
        sheetId,
        of(sheetId).filter(({ id }) => id !== protectionId),
      );
    },
  } satisfies Partial<SheetMarks>;
}

/**
 * The playground leaves out Univer's links, so no user can create them on the page.
 */
function missingFrom(sheets: UniverSheets) {
  const missing = (what: string) => (): never => {
    throw new NotInThisModel(`The playground's spreadsheet has no ${what}.`);
  };
  const none = (sheetId: number, rectangle: Rectangle): string[][] => {
    checkInside(rectangle, boundsOf(sheets, sheetId));
    const { rowCount, columnCount } = rectangle;
    return Array.from({ length: rowCount }, () => new Array<string>(columnCount).fill(''));
  };
  return {
    links: none,
    setLinks: missing('links behind texts'),
  } satisfies Partial<SheetMarks>;
}

function boundsOf(sheets: UniverSheets, sheetId: number) {
  const sheet = sheets.sheet(sheetId);
  return { maxRows: sheet.getMaxRows(), maxColumns: sheet.getMaxColumns() };
}

function rectangleOf(range: FRange): Rectangle {
  return {
    row: range.getRow() + 1,
    column: range.getColumn() + 1,
    rowCount: range.getHeight(),
    columnCount: range.getWidth(),
  };
}
