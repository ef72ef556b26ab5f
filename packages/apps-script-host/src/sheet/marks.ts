// Defines what lies over a sheet's cells: hidden rows, a filter, merges, protection, notes and
// links.

import type { Condition } from './conditions';
import type { CellValue, Matrix, Rectangle } from './model';

export type HiddenBy = 'user' | 'filter';

export interface ColumnCondition extends Condition {
  /** Its number in the sheet. */
  readonly column: number;
}

export interface RowFilter {
  /** The first row is the header and stays visible. */
  readonly rectangle: Rectangle;
  /** Hidden values, as the cells display them. Columns count in the sheet. */
  readonly hiddenTexts: readonly { readonly column: number; readonly texts: readonly string[] }[];
  /** Hides rows that do not meet all of these. */
  readonly conditions?: readonly ColumnCondition[];
}

export interface NewProtection {
  readonly sheetId: number;
  /** null: the whole sheet, except for unprotected areas. */
  readonly rectangle: Rectangle | null;
  /** The areas of a protected sheet that remain open. */
  readonly unprotected?: readonly Rectangle[];
  /** True if people are only asked to confirm an edit. Scripts are not asked. */
  readonly isWarningOnly?: boolean;
  /** Who may edit besides the spreadsheet's owner. */
  readonly editors?: readonly string[];
  readonly description?: string;
  /** The named range with which it was associated. Left out: none. */
  readonly rangeName?: string;
}

export interface Protection
  extends Required<Omit<NewProtection, 'rangeName'>>,
    Pick<NewProtection, 'rangeName'> {
  readonly id: number;
}

/** What a cell accepts, by the names of SpreadsheetApp.DataValidationCriteria. */
export interface ValidationRule {
  readonly criteria: string;
  /** The arguments of the criteria, such as bounds or texts. */
  readonly values: readonly CellValue[];
  /** Shown to people beside the cell. */
  readonly help: string | null;
  /** True if other input only gets a warning. */
  readonly allowsInvalid: boolean;
  /** True if the choices are not offered in a list. Left out: they are. */
  readonly isListHidden?: boolean;
}

/**
 * Data validation that rejects other input, including a script's. An empty cell is never rejected.
 */
export interface Dropdown {
  readonly rectangle: Rectangle;
  readonly options: readonly CellValue[];
  /** Cells of the same sheet whose values are also offered. */
  readonly from?: Rectangle;
  /** Left out: a list that rejects all other values. */
  readonly rule?: ValidationRule;
}

/** All marks move with rows and columns that are inserted or deleted. */
export interface SheetMarks {
  readonly isRowHidden: (sheetId: number, row: number, by: HiddenBy) => boolean;
  readonly hideRows: (sheetId: number, firstRow: number, count: number) => void;
  /** Shows rows that the user has hidden. Rows hidden by a filter stay hidden. */
  readonly showRows: (sheetId: number, firstRow: number, count: number) => void;
  readonly filter: (sheetId: number) => RowFilter | null;
  /**
   * Decides at once which rows are hidden. Rows that are added or changed later are not checked.
   */
  readonly setFilter: (sheetId: number, filter: RowFilter | null) => void;

  readonly merges: (sheetId: number) => readonly Rectangle[];
  /**
   * Keeps only the content of the first cell. Merges that overlap the rectangle become part of it.
   */
  readonly merge: (sheetId: number, rectangle: Rectangle) => void;
  /** Ends every merge that overlaps the rectangle. */
  readonly breakApart: (sheetId: number, rectangle: Rectangle) => void;

  readonly protections: (sheetId: number) => readonly Protection[];
  readonly protect: (protection: NewProtection) => number;
  readonly unprotect: (sheetId: number, protectionId: number) => void;

  readonly dropdowns: (sheetId: number) => readonly Dropdown[];
  readonly setDropdowns: (sheetId: number, dropdowns: readonly Dropdown[]) => void;

  /** '' where there is no note. Sorting moves notes and links with their cells. */
  readonly notes: (sheetId: number, rectangle: Rectangle) => string[][];
  readonly setNotes: (sheetId: number, row: number, column: number, notes: Matrix<string>) => void;
  /** The link of a cell's whole text, '' where there is none. New contents remove a link. */
  readonly links: (sheetId: number, rectangle: Rectangle) => string[][];
  readonly setLinks: (sheetId: number, row: number, column: number, links: Matrix<string>) => void;
}

/** Thrown by a model that does not support a feature. The message names the feature. */
export class NotInThisModel extends Error {
  override readonly name = 'NotInThisModel';
}
