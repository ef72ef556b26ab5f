// The state that all parts of a plain grid share: its sheets and its listeners.

import type { GridRows } from './grid-rows';
import type { Protection } from './marks';
import type { Rectangle, SheetChange } from './model';
import { newOverlays, type Overlays } from './overlays';

/** The size of Google's new sheets. */
const NEW_SHEET = { maxRows: 1_000, maxColumns: 26 };

export interface GridSheet {
  readonly id: number;
  name: string;
  rows: GridRows;
  maxRows: number;
  maxColumns: number;
  frozenRows: number;
  frozenColumns: number;
  /** Indexed by column from 0, in pixels. Undefined: default width. */
  readonly columnWidths: (number | undefined)[];
  /** Indexed by row from 0. Rows hidden by a filter are not included. */
  readonly hidden: (boolean | undefined)[];
  readonly overlays: Overlays;
  merges: readonly Rectangle[];
  protections: readonly Protection[];
}

export type Book = ReturnType<typeof createBook>;

export interface FirstSheet {
  readonly sheetName?: string;
  readonly maxRows?: number;
  readonly maxColumns?: number;
}

export function createBook({ sheetName = 'Sheet1', ...size }: FirstSheet) {
  const listeners = new Set<(change: SheetChange) => void>();
  const sheets: GridSheet[] = [];
  let ids = 0;
  const newSheet = (name: string, { maxRows, maxColumns } = NEW_SHEET): GridSheet => {
    const id = ids;
    ids += 1;
    const marks = { hidden: [], overlays: newOverlays(), merges: [], protections: [] };
    const layout = { frozenRows: 0, frozenColumns: 0, columnWidths: [] };
    return { id, name, rows: [], maxRows, maxColumns, ...layout, ...marks };
  };
  sheets.push(newSheet(sheetName, { ...NEW_SHEET, ...size }));
  return {
    sheets,
    newSheet,
    listeners,
    tell: (change: SheetChange) => {
      for (const listener of listeners) listener(change);
    },
    of: (sheetId: number): GridSheet => {
      const sheet = sheets.find(({ id }) => id === sheetId);
      if (!sheet) throw new RangeError(`There is no sheet ${sheetId}.`);
      return sheet;
    },
  };
}
