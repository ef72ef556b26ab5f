// The sheets of a plain grid and who listens to it: what every part of the grid works on.

import type { GridRows } from './grid-rows';
import type { Protection } from './marks';
import type { Rectangle, SheetChange } from './model';
import { newOverlays, type Overlays } from './overlays';

/** A new sheet of Google's has so many. */
const NEW_SHEET = { maxRows: 1_000, maxColumns: 26 };

export interface GridSheet {
  readonly id: number;
  name: string;
  rows: GridRows;
  maxRows: number;
  maxColumns: number;
  frozenRows: number;
  frozenColumns: number;
  /** By column, counted from 0; in pixels, where somebody changed it. */
  readonly columnWidths: (number | undefined)[];
  /** By row, counted from 0; those behind a filter are not among them. */
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
