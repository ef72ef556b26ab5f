// What bulk runs need beside the engine's ports: sheets, what is on view, and the clock's triggers.

import type { Platform } from './ports';

/** What a cell holds; '' is an empty one. */
export type SheetCell = string | number | boolean | Date;

/** Cells side by side; rows and columns count from 1. */
export interface Area {
  readonly row: number;
  readonly column: number;
  readonly rowCount: number;
  readonly columnCount: number;
}

export interface SheetSize {
  /** The last row and column with anything in it; 0 in an empty sheet. */
  readonly lastRow: number;
  readonly lastColumn: number;
  readonly maxRows: number;
  readonly maxColumns: number;
}

/** `gone`: the sheet, or rows or columns of the area, are no longer there. */
export type WriteOutcome = 'written' | 'protected' | 'gone';

/** One sheet. Whatever reads answers null when the area is no longer there. */
export interface Sheet {
  readonly id: number;
  name(): string | null;
  size(): SheetSize | null;
  values(area: Area): readonly (readonly SheetCell[])[] | null;
  /** '' where a cell has no formula of its own. */
  formulas(area: Area): readonly (readonly string[])[] | null;
  /** Whether this person may write there. */
  canEdit(area: Area): boolean;
  /** Texts are put in as texts, whatever they look like. What was written is there once it is read. */
  write(area: Area, cells: readonly (readonly SheetCell[])[]): WriteOutcome;
  setFormats(area: Area, formats: readonly (readonly string[])[]): WriteOutcome;
  /** Makes room at the right. */
  addColumns(afterColumn: number, count: number): WriteOutcome;
  addRowOnTop(): WriteOutcome;
  /** Of the rows, those that are on view. One call for each row, and one more if there is a filter. */
  visibleRows(rows: readonly number[]): readonly number[];
}

export interface Spreadsheet {
  /** null: there is none of this id any more. */
  sheet(sheetId: number): Sheet | null;
  /** The sheet on view; it is this one that a person means. */
  active(): Sheet;
  /** What is selected on the sheet on view. */
  selected(): readonly Area[];
  /** Selects areas and scrolls to the first. */
  select(sheetId: number, areas: readonly Area[]): boolean;
}

/** The clock. An add-on may have one trigger of a kind for each user and spreadsheet. */
export interface Triggers {
  /** Whether `handler` is called about every hour from now on, as it may be already. */
  ensureHourly(handler: string): boolean;
}

export interface SheetPlatform extends Platform {
  readonly spreadsheet: Spreadsheet;
  readonly triggers: Triggers;
}
