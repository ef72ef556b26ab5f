// Defines what the host needs from a spreadsheet, whether a plain grid or one with an engine behind
// it.

import type { LineMove } from './line-move';
import type { SheetMarks } from './marks';

/**
 * A cell's content as SpreadsheetApp gives it to a script: '' is a blank cell, an error is its text
 * ("#N/A"), and a number with a date format is a Date.
 */
export type CellValue = string | number | boolean | Date;

/** A formula's text, including the leading "=". */
export interface Formula {
  readonly formula: string;
}

/**
 * What is put into a cell, literally: the texts "=A1" and "007" stay texts. A script's input is
 * interpreted as in Sheets before it comes here. '' empties the cell.
 */
export type CellContent = CellValue | Formula;

/** Rows of cells, all of the same length. */
export type Matrix<Cell> = readonly (readonly Cell[])[];

/** A block of cells. Rows and columns count from 1, as in Sheets: A1 is row 1, column 1. */
export interface Rectangle {
  readonly row: number;
  readonly column: number;
  /** At least 1. */
  readonly rowCount: number;
  /** At least 1. */
  readonly columnCount: number;
}

/** A sheet's tab. Its id never changes and is never reused, while its name may change. */
export interface SheetTab {
  readonly id: number;
  readonly name: string;
}

export interface SheetSize {
  readonly maxRows: number;
  readonly maxColumns: number;
  /** The last row with a value or formula. 0: there is none. */
  readonly lastRow: number;
  readonly lastColumn: number;
}

export interface Selection {
  readonly sheetId: number;
  readonly rectangle: Rectangle;
  /** Further areas selected with Ctrl, in order, before the rectangle. */
  readonly others?: readonly Rectangle[];
}

export interface SortKey {
  /** The column's number in the sheet, not in the sorted rectangle. */
  readonly column: number;
  readonly ascending: boolean;
}

/** A change, reported right after it, whatever its source. */
export type SheetChange =
  /** Contents or number formats have changed, for example through a sort. */
  | { readonly kind: 'cells'; readonly sheetId: number; readonly rectangle: Rectangle }
  | {
      readonly kind: 'rowsInserted' | 'rowsDeleted' | 'columnsInserted' | 'columnsDeleted';
      readonly sheetId: number;
      /** The first of the inserted or deleted rows or columns. */
      readonly first: number;
      readonly count: number;
    }
  | ({
      readonly kind: 'rowsMoved' | 'columnsMoved';
      readonly sheetId: number;
    } & LineMove)
  /**
   * What lies over the cells has changed: hidden rows, a filter, merges, protection, notes, links,
   * font weights or colours.
   */
  | { readonly kind: 'marks'; readonly sheetId: number }
  /** A sheet was added, deleted or renamed. */
  | { readonly kind: 'sheets' };

/** Default width of a column in pixels. */
export const COLUMN_WIDTH = 100;

/** The parts of a cell that have a colour of their own. */
export type ColourOf = 'background' | 'text';

/** The number format of a cell for which none has been chosen. */
export const GENERAL_FORMAT = 'General';

/**
 * One spreadsheet. All methods are synchronous. Callers make sure that sheet and cells exist: an
 * unknown sheet id or a rectangle that extends beyond the sheet throws a RangeError.
 */
export interface SheetModel extends SheetMarks {
  /** For example "en_US". */
  readonly locale: () => string;
  /** An IANA name, for example "Europe/London". Dates in cells are local to it. */
  readonly timeZone: () => string;
  /** Reports every change to the listener. Returns a function that ends this. */
  readonly onChange: (listener: (change: SheetChange) => void) => () => void;

  /** In the order of their tabs. There is always at least one. */
  readonly sheets: () => readonly SheetTab[];
  /** Adds an empty sheet before the tab with this number, counted from 1, and returns its id. */
  readonly addSheet: (name: string, position: number) => number;
  readonly deleteSheet: (sheetId: number) => void;
  readonly renameSheet: (sheetId: number, name: string) => void;
  /** The sheet in view and its selected cells, which always lie inside the sheet. */
  readonly selection: () => Selection;
  readonly select: (selection: Selection) => void;

  readonly size: (sheetId: number) => SheetSize;
  readonly frozenRows: (sheetId: number) => number;
  readonly setFrozenRows: (sheetId: number, rows: number) => void;
  readonly frozenColumns: (sheetId: number) => number;
  readonly setFrozenColumns: (sheetId: number, columns: number) => void;
  /** In pixels. A column keeps its width when columns beside it are inserted or deleted. */
  readonly columnWidth: (sheetId: number, column: number) => number;
  readonly setColumnWidths: (
    sheetId: number,
    firstColumn: number,
    count: number,
    pixels: number,
  ) => void;

  readonly values: (sheetId: number, rectangle: Rectangle) => CellValue[][];
  /** As the cells display them, by number format. */
  readonly displayValues: (sheetId: number, rectangle: Rectangle) => string[][];
  /** '' where a cell has no formula, even if a neighbour's formula has filled it. */
  readonly formulas: (sheetId: number, rectangle: Rectangle) => string[][];
  readonly numberFormats: (sheetId: number, rectangle: Rectangle) => string[][];
  /** "bold", or '' for the usual weight. */
  readonly fontWeights: (sheetId: number, rectangle: Rectangle) => string[][];
  /** "#rrggbb", or '' where no colour has been chosen. */
  readonly colours: (sheetId: number, rectangle: Rectangle, of: ColourOf) => string[][];
  /**
   * Further looks of a cell, such as alignment and borders, in the form that cell-looks defines.
   */
  readonly looks: (sheetId: number, rectangle: Rectangle) => string[][];

  /**
   * Puts contents into the cells from this one on, to the right and down. Number formats stay,
   * except that a Date gives its cell a date format if it has none.
   */
  readonly write: (
    sheetId: number,
    row: number,
    column: number,
    contents: Matrix<CellContent>,
  ) => void;
  readonly setNumberFormats: (
    sheetId: number,
    row: number,
    column: number,
    formats: Matrix<string>,
  ) => void;
  readonly setFontWeights: (
    sheetId: number,
    row: number,
    column: number,
    weights: Matrix<string>,
  ) => void;
  readonly setColours: (
    sheetId: number,
    row: number,
    column: number,
    of: ColourOf,
    colours: Matrix<string>,
  ) => void;
  readonly setLooks: (sheetId: number, row: number, column: number, looks: Matrix<string>) => void;
  /** Empties cells. Their formats stay. */
  readonly clearContents: (sheetId: number, rectangle: Rectangle) => void;

  /**
   * Inserts blank rows before this one, which may be one beyond the last row. References follow.
   */
  readonly insertRows: (sheetId: number, beforeRow: number, count: number) => void;
  readonly deleteRows: (sheetId: number, firstRow: number, count: number) => void;
  readonly insertColumns: (sheetId: number, beforeColumn: number, count: number) => void;
  readonly deleteColumns: (sheetId: number, firstColumn: number, count: number) => void;
  /**
   * Moves whole rows of the rectangle, with contents and formats. Equal rows keep their order,
   * blanks go last in either direction, and relative references of moved formulas move with them.
   */
  readonly sort: (sheetId: number, rectangle: Rectangle, keys: readonly SortKey[]) => void;
  /** Reorders rows in a given order: its n-th number is the old place, from 0, of the n-th row. */
  readonly arrange: (sheetId: number, rectangle: Rectangle, order: readonly number[]) => void;
}
