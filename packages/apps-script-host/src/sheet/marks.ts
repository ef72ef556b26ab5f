// What lies over a sheet's cells: hidden rows, a filter, merges, protection, notes and links.

import type { CellValue, Matrix, Rectangle } from './model';

export type HiddenBy = 'user' | 'filter';

export interface RowFilter {
  /** Its first row is the header and stays on view. */
  readonly rectangle: Rectangle;
  /** What is kept from view, as shown in the cells; columns count in the sheet. */
  readonly hiddenTexts: readonly { readonly column: number; readonly texts: readonly string[] }[];
  /** Rows that show another text than this one are kept from view; upper and lower case are the same. */
  readonly equalTo?: readonly { readonly column: number; readonly text: string }[];
}

export interface NewProtection {
  readonly sheetId: number;
  /** null: the whole sheet, but for what is left open. */
  readonly rectangle: Rectangle | null;
  /** Left open in a protected sheet. */
  readonly unprotected?: readonly Rectangle[];
  /** A person is asked whether they mean it; a script is not. */
  readonly isWarningOnly?: boolean;
  /** Who may edit besides the spreadsheet's owner. */
  readonly editors?: readonly string[];
  readonly description?: string;
}

export interface Protection extends Required<NewProtection> {
  readonly id: number;
}

/** What a cell takes, by the names of SpreadsheetApp.DataValidationCriteria. */
export interface ValidationRule {
  readonly criteria: string;
  /** What the criteria are told: bounds, texts. */
  readonly values: readonly CellValue[];
  /** Shown to people beside the cell. */
  readonly help: string | null;
  /** Other input gets a warning, which stops nobody. */
  readonly allowsInvalid: boolean;
}

/** Data validation that rejects other input: a script's too. An empty cell is never rejected. */
export interface Dropdown {
  readonly rectangle: Rectangle;
  readonly options: readonly CellValue[];
  /** Cells of the same sheet whose values are offered, too. */
  readonly from?: Rectangle;
  /** Left out: a list, of which anything else is rejected. */
  readonly rule?: ValidationRule;
}

/** Everything moves along with rows and columns that come and go. */
export interface SheetMarks {
  readonly isRowHidden: (sheetId: number, row: number, by: HiddenBy) => boolean;
  readonly hideRows: (sheetId: number, firstRow: number, count: number) => void;
  /** Shows rows that the user has hidden; those behind a filter stay hidden. */
  readonly showRows: (sheetId: number, firstRow: number, count: number) => void;
  readonly filter: (sheetId: number) => RowFilter | null;
  /** Decides at once which rows are hidden; rows that come or change later are not looked at. */
  readonly setFilter: (sheetId: number, filter: RowFilter | null) => void;

  readonly merges: (sheetId: number) => readonly Rectangle[];
  /** Of the contents, only those of the first cell stay. Merges that it meets become part of it. */
  readonly merge: (sheetId: number, rectangle: Rectangle) => void;
  /** Ends every merge that it meets. */
  readonly breakApart: (sheetId: number, rectangle: Rectangle) => void;

  readonly protections: (sheetId: number) => readonly Protection[];
  readonly protect: (protection: NewProtection) => number;
  readonly unprotect: (sheetId: number, protectionId: number) => void;

  readonly dropdowns: (sheetId: number) => readonly Dropdown[];
  readonly setDropdowns: (sheetId: number, dropdowns: readonly Dropdown[]) => void;

  /** '' where there is none. Sorting moves notes and links along with their cells. */
  readonly notes: (sheetId: number, rectangle: Rectangle) => string[][];
  readonly setNotes: (sheetId: number, row: number, column: number, notes: Matrix<string>) => void;
  /** Where a cell's whole text leads, '' where nowhere; new contents end a link. */
  readonly links: (sheetId: number, rectangle: Rectangle) => string[][];
  readonly setLinks: (sheetId: number, row: number, column: number, links: Matrix<string>) => void;
}

/** A model that has no such thing says so by name. */
export class NotInThisModel extends Error {
  override readonly name = 'NotInThisModel';
}
