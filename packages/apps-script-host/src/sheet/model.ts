// What the host asks of one spreadsheet, be it a plain grid or one with an engine behind it.

import type { SheetMarks } from './marks';

/**
 * What a cell holds, as SpreadsheetApp gives it to a script: '' is a blank cell, an error is its
 * text ("#N/A"), and a number whose number format is a date is a Date.
 */
export type CellValue = string | number | boolean | Date;

/** A formula's text, with the "=" before it. */
export interface Formula {
  readonly formula: string;
}

/**
 * What is put into a cell, literally: the text "=A1" and the text "007" stay texts. A script's
 * inputs are read the way Sheets does before they come here. '' empties the cell.
 */
export type CellContent = CellValue | Formula;

/** Rows of cells, all of the same length. */
export type Matrix<Cell> = readonly (readonly Cell[])[];

/** Cells side by side. Rows and columns count from 1, as in Sheets: A1 is row 1, column 1. */
export interface Rectangle {
  readonly row: number;
  readonly column: number;
  /** At least 1. */
  readonly rowCount: number;
  /** At least 1. */
  readonly columnCount: number;
}

/** A sheet's tab. Its id never changes and is never given again; its name may. */
export interface SheetTab {
  readonly id: number;
  readonly name: string;
}

export interface SheetSize {
  readonly maxRows: number;
  readonly maxColumns: number;
  /** The last row with a value or formula in it, 0 if there is none. */
  readonly lastRow: number;
  readonly lastColumn: number;
}

export interface Selection {
  readonly sheetId: number;
  readonly rectangle: Rectangle;
  /** What else is selected, with Ctrl held, in the order of selecting before the rectangle. */
  readonly others?: readonly Rectangle[];
}

export interface SortKey {
  /** Counted in the sheet, not in the sorted rectangle. */
  readonly column: number;
  readonly ascending: boolean;
}

/** What has changed, told right after it, whoever changed it. */
export type SheetChange =
  /** Contents or number formats; a sort too. */
  | { readonly kind: 'cells'; readonly sheetId: number; readonly rectangle: Rectangle }
  | {
      readonly kind: 'rowsInserted' | 'rowsDeleted' | 'columnsInserted' | 'columnsDeleted';
      readonly sheetId: number;
      /** The first row or column of those that came or went. */
      readonly first: number;
      readonly count: number;
    }
  /** Something that lies over the cells: hidden rows, a filter, merges, protection, notes, links. */
  | { readonly kind: 'marks'; readonly sheetId: number }
  /** A sheet was added, deleted or renamed. */
  | { readonly kind: 'sheets' };

/** Pixels of a column whose width nobody has changed. */
export const COLUMN_WIDTH = 100;

/** What of a cell has a colour of its own. */
export type ColourOf = 'background' | 'text';

/** The number format of a cell for which nobody has chosen one. */
export const GENERAL_FORMAT = 'General';

/**
 * One spreadsheet. Everything is synchronous. Whoever calls has made sure that sheet and cells
 * exist: an unknown sheet id or a rectangle that leaves the sheet is a mistake and throws a
 * RangeError.
 */
export interface SheetModel extends SheetMarks {
  /** Such as "en_US". */
  readonly locale: () => string;
  /** An IANA name, such as "Europe/London"; dates in cells are local to it. */
  readonly timeZone: () => string;
  /** Tells of every change; returns what to call in order to hear no more. */
  readonly onChange: (listener: (change: SheetChange) => void) => () => void;

  /** In the order of their tabs; there is always one. */
  readonly sheets: () => readonly SheetTab[];
  /** Adds an empty sheet before the tab of this number, counted from 1, and returns its id. */
  readonly addSheet: (name: string, position: number) => number;
  readonly deleteSheet: (sheetId: number) => void;
  readonly renameSheet: (sheetId: number, name: string) => void;
  /** The sheet on view and what is selected on it, always inside the sheet. */
  readonly selection: () => Selection;
  readonly select: (selection: Selection) => void;

  readonly size: (sheetId: number) => SheetSize;
  readonly frozenRows: (sheetId: number) => number;
  readonly setFrozenRows: (sheetId: number, rows: number) => void;
  readonly frozenColumns: (sheetId: number) => number;
  readonly setFrozenColumns: (sheetId: number, columns: number) => void;
  /** In pixels. A column keeps its width when others come and go beside it. */
  readonly columnWidth: (sheetId: number, column: number) => number;
  readonly setColumnWidths: (
    sheetId: number,
    firstColumn: number,
    count: number,
    pixels: number,
  ) => void;

  readonly values: (sheetId: number, rectangle: Rectangle) => CellValue[][];
  /** As shown, by number format. */
  readonly displayValues: (sheetId: number, rectangle: Rectangle) => string[][];
  /** '' where a cell has none, also where a neighbour's formula has filled it. */
  readonly formulas: (sheetId: number, rectangle: Rectangle) => string[][];
  readonly numberFormats: (sheetId: number, rectangle: Rectangle) => string[][];
  /** "bold", or '' for the usual weight. */
  readonly fontWeights: (sheetId: number, rectangle: Rectangle) => string[][];
  /** "#rrggbb", or '' where nobody has chosen a colour. */
  readonly colours: (sheetId: number, rectangle: Rectangle, of: ColourOf) => string[][];
  /** What else is shown of a cell, such as alignment and borders, as cell-looks keeps it. */
  readonly looks: (sheetId: number, rectangle: Rectangle) => string[][];

  /**
   * Puts contents into the cells from this one on, to the right and down. Number formats stay,
   * except that a Date makes the format of its cell a date's if it is none.
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
  /** Empties cells; their formats stay. */
  readonly clearContents: (sheetId: number, rectangle: Rectangle) => void;

  /** New blank rows before this one; one beyond the last row is allowed. References follow. */
  readonly insertRows: (sheetId: number, beforeRow: number, count: number) => void;
  readonly deleteRows: (sheetId: number, firstRow: number, count: number) => void;
  readonly insertColumns: (sheetId: number, beforeColumn: number, count: number) => void;
  readonly deleteColumns: (sheetId: number, firstColumn: number, count: number) => void;
  /**
   * Moves whole rows of the rectangle: contents and formats. Equal rows keep their order, blanks go
   * last in either direction, and relative references of moved formulas move with them.
   */
  readonly sort: (sheetId: number, rectangle: Rectangle, keys: readonly SortKey[]) => void;
  /** The same by a given order: its n-th number is the old place, from 0, of the n-th row. */
  readonly arrange: (sheetId: number, rectangle: Rectangle, order: readonly number[]) => void;
}
