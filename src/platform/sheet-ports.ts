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

/** What stood in a cell: its formula if it had one, else its value. */
export interface CellContent {
  readonly value: SheetCell;
  readonly formula: string;
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

/** `full`: a spreadsheet holds ten million cells, and this one has no room for more. */
export type GrowthOutcome = WriteOutcome | 'full';

/** One sheet. Whatever reads answers null when the area is no longer there. */
export interface Sheet {
  readonly id: number;
  name(): string | null;
  size(): SheetSize | null;
  values(area: Area): readonly (readonly SheetCell[])[] | null;
  /** '' where a cell has no formula of its own. */
  formulas(area: Area): readonly (readonly string[])[] | null;
  /** Cells that are merged into one, whole, as far as they meet the area. */
  merges(area: Area): readonly Area[] | null;
  /** Whether this person may write there. */
  canEdit(area: Area): boolean;
  /** Texts are put in as texts, whatever they look like. What was written is there once it is read. */
  write(area: Area, cells: readonly (readonly SheetCell[])[]): WriteOutcome;
  /** Every cell of the area becomes its formula, "=" and all. */
  writeFormulas(area: Area, formulas: readonly (readonly string[])[]): WriteOutcome;
  /** Puts back what stood there, texts in their full length. Formats are not touched. */
  putBack(area: Area, cells: readonly (readonly CellContent[])[]): WriteOutcome;
  /**
   * The cell ("B12") whose data validation turned down what was written last. Sheets may say so only
   * when that is read, and the reading answers null then.
   */
  rejected(): string | null;
  formats(area: Area): readonly (readonly string[])[] | null;
  setFormats(area: Area, formats: readonly (readonly string[])[]): WriteOutcome;
  /** Makes room at the right, behind what is the last column. */
  addColumns(afterColumn: number, count: number): GrowthOutcome;
  addRowOnTop(): GrowthOutcome;
  insertRows(beforeRow: number, count: number): GrowthOutcome;
  deleteRows(firstRow: number, count: number): GrowthOutcome;
  /** The first rows stay on view, however far one scrolls. */
  freezeRows(count: number): WriteOutcome;
  /** Of the rows, those that are on view. One call for each row, and one more if there is a filter. */
  visibleRows(rows: readonly number[]): readonly number[];
}

export interface Spreadsheet {
  /** null: there is none at hand, as may happen by the clock. */
  place(): { readonly id: string; readonly timeZone: string } | null;
  /** null: there is none of this id any more. */
  sheet(sheetId: number): Sheet | null;
  /** In the order of their tabs; none where no spreadsheet is at hand. */
  sheets(): readonly Sheet[];
  /** null: no sheet is called so. */
  named(title: string): Sheet | null;
  /**
   * Adds a sheet behind all others under this title, with a number where another has it. What is on
   * view stays on view.
   */
  add(title: string): Sheet | 'protected' | 'full';
  /** The sheet on view; it is this one that a person means. */
  active(): Sheet;
  /** What is selected on the sheet on view. */
  selected(): readonly Area[];
  /** Selects areas and scrolls to the first. */
  select(sheetId: number, areas: readonly Area[]): boolean;
}

/** What came of a wish for a trigger: its name, or why there is none. */
export type TriggerOutcome =
  | { readonly kind: 'made'; readonly id: string; readonly others: boolean }
  /** There is one for this person and spreadsheet that this script was not shown. */
  | { readonly kind: 'there' }
  /** The person has as many as Google allows. */
  | { readonly kind: 'too-many' }
  /** Google's clock does not strike so often for an add-on, or is not allowed here at all; in Google's words. */
  | { readonly kind: 'refused'; readonly words: string };

/** The clock. An add-on may have one trigger for each user and spreadsheet. */
export interface Triggers {
  /** The trigger that calls `handler` for this person here; `known` is its name if it was noted. */
  find(handler: string, known: string | null): string | null;
  make(handler: string, everyMinutes: number): TriggerOutcome;
  remove(id: string): void;
}

/** Clocks of places. */
export interface Zones {
  /** How far a place's clock is ahead of UTC at a moment, in ms. */
  offsetMs(timeZone: string, atMs: number): number;
}

export interface SheetPlatform extends Platform {
  readonly spreadsheet: Spreadsheet;
  readonly triggers: Triggers;
}
