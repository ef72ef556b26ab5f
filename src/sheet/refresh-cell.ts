// The cell that formulas name to be calculated again when it changes: ANALYZE_REFRESH, in the first row of
// the Analysis tab.

import { HOUR } from '../failures/duration';
import { areaOf } from '../google/cells';
import { MOMENT } from '../google/moment-format';
import type { Sheet, WriteOutcome } from '../google/sheet';
import { nameCell, namedCell } from '../google/spreadsheet';
import { lastFilled } from './own-tab';

/**
 * What formulas call the cell that they name as their refresh argument. It says how old their figures
 * may be, and when it changes, they are all calculated again: =ANALYZE(A2;"US";;ANALYZE_REFRESH)
 */
export const REFRESH_NAME = 'ANALYZE_REFRESH';

const REFRESH_LABEL = 'Formulas show figures since';

/** A blank column keeps it out of a filter over the rows. */
const GAP_COLUMNS = 1;

export interface RefreshCell {
  /** ms since 1970; null: it was never set, or a person has typed something that is no date. */
  atMs(): number | null;
  set(atMs: number): WriteOutcome;
}

/** Finds the cell by its name; null: it was never made, or a person has deleted it. */
export function findRefreshCell(): RefreshCell | null {
  const named = namedCell(REFRESH_NAME);
  if (named === null) return null;
  const { sheet, area } = named;
  const cell = areaOf(area.row, area.column);
  const atMs = () => {
    const shown = sheet.values(cell)?.[0]?.[0];
    return shown instanceof Date ? shown.getTime() : null;
  };
  const write = (ms: number) => sheet.write(cell, [[new Date(ms)]]);
  return {
    atMs,
    set(ms) {
      const outcome = write(ms);
      // In the hour that the clocks repeat, a cell may show the later of two moments, for which no
      // answer would be recent enough.
      return Number(atMs()) > ms ? write(ms - HOUR) : outcome;
    },
  };
}

/**
 * Puts it into the first row of the Analysis tab, which people neither sort nor delete, if no cell has
 * its name. Where the tab is protected or full, it stays missing.
 */
export function ensureRefreshCell(sheet: Sheet): void {
  if (findRefreshCell() !== null) return;
  const size = sheet.size();
  if (size === null) return;
  const cellAt = (column: number) => areaOf(1, column);
  const last = lastFilled(sheet, size);
  // A label without its cell was left by a script that was cut off.
  const isLabelled = last > 0 && sheet.values(cellAt(last))?.[0]?.[0] === REFRESH_LABEL;
  const column = isLabelled ? last : last + GAP_COLUMNS + 1;
  const missing = column + 1 - size.maxColumns;
  if (missing > 0 && sheet.addColumns(size.maxColumns, missing) !== 'written') return;
  if (sheet.write(cellAt(column), [[REFRESH_LABEL]]) !== 'written') return;
  sheet.setFormat(cellAt(column + 1), MOMENT);
  nameCell(REFRESH_NAME, sheet, cellAt(column + 1));
}
