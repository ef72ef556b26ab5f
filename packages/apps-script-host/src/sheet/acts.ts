// Describes what other people do in a spreadsheet, as plain values.

import { toA1 } from './a1-notation';
import type { Axis } from './formula-references';
import type { LineMove } from './line-move';
import type { NewProtection, RowFilter } from './marks';
import type { CellContent, Matrix, Rectangle, Selection, SortKey } from './model';

export type Act =
  /** Renaming a header is an edit, too. */
  | {
      readonly do: 'edit';
      readonly sheetId: number;
      readonly row: number;
      readonly column: number;
      readonly contents: Matrix<CellContent>;
    }
  | {
      readonly do: 'sort';
      readonly sheetId: number;
      readonly rectangle: Rectangle;
      readonly keys: readonly SortKey[];
    }
  | {
      readonly do: 'insertRows' | 'insertColumns';
      readonly sheetId: number;
      readonly first: number;
      readonly count: number;
    }
  | {
      readonly do: 'deleteRows' | 'deleteColumns';
      readonly sheetId: number;
      readonly first: number;
      readonly count: number;
    }
  /** Drags whole rows or columns to another place, before the one with that number. */
  | ({ readonly do: 'moveRows' | 'moveColumns'; readonly sheetId: number } & LineMove)
  /** "Insert cells" and "Delete cells": those below or to the right move, and references follow. */
  | {
      readonly do: 'insertCells' | 'deleteCells';
      readonly sheetId: number;
      readonly rectangle: Rectangle;
      readonly axis: Axis;
    }
  /**
   * Cuts cells and pastes them, or drags them, with all that belongs to them: references to them
   * follow. A copy leaves them there, and its relative references move along. "Paste values only" brings
   * what is seen of the copied cells, hidden ones too, without formulas, formats and notes.
   */
  | {
      readonly do: 'cutPaste' | 'copyPaste' | 'pasteValues';
      readonly sheetId: number;
      readonly from: Rectangle;
      /** Left out: the same sheet. */
      readonly toSheetId?: number;
      readonly row: number;
      readonly column: number;
    }
  /** Sets how cells look. What is left out stays. */
  | {
      readonly do: 'format';
      readonly sheetId: number;
      readonly rectangle: Rectangle;
      readonly numberFormat?: string;
      /** "#rrggbb". */
      readonly background?: string;
    }
  /** Makes the texts of cells links, or changes where they lead. '': they lead nowhere any more. */
  | {
      readonly do: 'link';
      readonly sheetId: number;
      readonly rectangle: Rectangle;
      readonly url: string;
    }
  | { readonly do: 'renameSheet'; readonly sheetId: number; readonly name: string }
  /** Cannot be undone here, because a sheet's id is never reused. */
  | { readonly do: 'deleteSheet'; readonly sheetId: number }
  /** "Duplicate" of a tab: copies cells and formats into a tab beside it. Cannot be undone here. */
  | { readonly do: 'copySheet'; readonly sheetId: number }
  | {
      readonly do: 'hideRows' | 'showRows';
      readonly sheetId: number;
      readonly first: number;
      readonly count: number;
    }
  | { readonly do: 'filter'; readonly sheetId: number; readonly filter: RowFilter | null }
  | ({ readonly do: 'protect' } & NewProtection)
  | {
      readonly do: 'merge' | 'breakApart';
      readonly sheetId: number;
      readonly rectangle: Rectangle;
    }
  | ({ readonly do: 'select' } & Selection)
  /** Undoes the most recent act that can still be undone. */
  | { readonly do: 'undo' };

/** How an act appears in a trace: where it took place, but never what it wrote. */
export function shownAct(act: Act): string {
  if (act.do === 'undo') return act.do;
  if ('first' in act) return `${act.do} ${act.sheetId}!${act.first}+${act.count}`;
  if ('from' in act) {
    const { toSheetId: other = act.sheetId, row, column } = act;
    const to = other === act.sheetId ? '' : `${other}!`;
    return `${act.do} ${act.sheetId}!${toA1(act.from)} ${to}${row},${column}`;
  }
  if (act.do === 'edit') return `${act.do} ${act.sheetId}!${toA1(covered(act))}`;
  if ('rectangle' in act && act.rectangle) return `${act.do} ${act.sheetId}!${toA1(act.rectangle)}`;
  return `${act.do} ${act.sheetId}`;
}

/** The cells that an edit fills. */
export function covered({ row, column, contents }: Extract<Act, { do: 'edit' }>): Rectangle {
  return { row, column, rowCount: contents.length, columnCount: contents[0]?.length ?? 0 };
}
