// The parts of a sheet that every model of a spreadsheet keeps in the same way: its filter and its
// dropdowns.

import { meets, type ShownCell } from './conditions';
import { createDateSerial } from './date-serial';
import type { Shift } from './formula-references';
import { moveItems } from './line-move';
import type { Dropdown, RowFilter, SheetMarks } from './marks';
import type { Rectangle, SheetChange, SheetModel } from './model';
import { checkInside, shiftedRectangle } from './rectangle';

export interface Overlays {
  filter: RowFilter | null;
  /** Indexed by row from 0. */
  readonly behindFilter: (boolean | undefined)[];
  dropdowns: readonly Dropdown[];
}

export const newOverlays = (): Overlays => ({ filter: null, behindFilter: [], dropdowns: [] });

interface Kept {
  readonly cells: Pick<SheetModel, 'size' | 'displayValues' | 'values' | 'timeZone'>;
  readonly of: (sheetId: number) => Overlays;
  readonly tell: (change: SheetChange) => void;
}

export function overlaysOf({ of, tell, cells }: Kept) {
  const { size, displayValues } = cells;
  return {
    filter: (sheetId) => of(sheetId).filter,
    setFilter: (sheetId, filter) => {
      const overlays = of(sheetId);
      if (filter) checkInside(filter.rectangle, size(sheetId));
      overlays.filter = filter;
      overlays.behindFilter.length = 0;
      const { row, rowCount } = filter?.rectangle ?? { row: 1, rowCount: 1 };
      const hide = (column: number, isHidden: (cell: ShownCell) => boolean) => {
        const place = { row, column, rowCount, columnCount: 1 };
        const values = cells.values(sheetId, place);
        displayValues(sheetId, place).forEach(([text = ''], down) => {
          const value = values[down]?.[0] ?? '';
          if (down > 0 && isHidden({ text, value })) overlays.behindFilter[row - 1 + down] = true;
        });
      };
      for (const { column, texts } of filter?.hiddenTexts ?? [])
        hide(column, ({ text }) => texts.includes(text));
      for (const { column, ...condition } of filter?.conditions ?? []) {
        const { toSerial } = createDateSerial(cells.timeZone());
        hide(column, (cell) => !meets(condition, cell, toSerial));
      }
      tell({ kind: 'marks', sheetId });
    },
    dropdowns: (sheetId) => of(sheetId).dropdowns,
    setDropdowns: (sheetId, dropdowns) => {
      for (const { rectangle } of dropdowns) checkInside(rectangle, size(sheetId));
      of(sheetId).dropdowns = dropdowns;
      tell({ kind: 'marks', sheetId });
    },
  } satisfies Partial<SheetMarks>;
}

export function shiftOverlays(overlays: Overlays, shift: Shift): void {
  if (shift.axis === 'row') shiftLines(overlays.behindFilter, shift);
  overlays.dropdowns = overlays.dropdowns.flatMap((each) => {
    const rectangle = shiftedRectangle(each.rectangle, shift);
    const from = each.from && shiftedRectangle(each.from, shift);
    return rectangle ? [{ ...each, rectangle, ...(from ? { from } : {}) }] : [];
  });
  overlays.filter = overlays.filter && shiftedFilter(overlays.filter, shift);
}

/** Shifts what is stored for each row or column after some were inserted, deleted or moved. */
export function shiftLines(lines: unknown[], { first, count, before }: Shift): void {
  if (before !== undefined) {
    moveItems(lines, { first, count, before });
    return;
  }
  if (lines.length < first) return;
  lines.splice(first - 1, Math.max(-count, 0), ...new Array(Math.max(count, 0)).fill(undefined));
}

function shiftedFilter(filter: RowFilter, shift: Shift): RowFilter | null {
  const { rectangle, hiddenTexts, conditions = [] } = filter;
  const moved = shiftedRectangle(rectangle, shift);
  if (!moved) return null;
  const follow = <One extends { readonly column: number }>(ones: readonly One[]): One[] =>
    ones.flatMap((one) => {
      const { row, rowCount } = rectangle;
      const cell: Rectangle = { row, column: one.column, rowCount, columnCount: 1 };
      const place = shiftedRectangle(cell, shift);
      return place ? { ...one, column: place.column } : [];
    });
  const met = conditions.length === 0 ? {} : { conditions: follow(conditions) };
  return { rectangle: moved, hiddenTexts: follow(hiddenTexts), ...met };
}

/** How a change moves rows or columns. null: it does not. */
export function shiftOf(change: SheetChange): Shift | null {
  switch (change.kind) {
    case 'rowsInserted':
      return { axis: 'row', first: change.first, count: change.count };
    case 'rowsDeleted':
      return { axis: 'row', first: change.first, count: -change.count };
    case 'columnsInserted':
      return { axis: 'column', first: change.first, count: change.count };
    case 'columnsDeleted':
      return { axis: 'column', first: change.first, count: -change.count };
    case 'rowsMoved':
    case 'columnsMoved': {
      const { kind, first, count, before } = change;
      return { axis: kind === 'rowsMoved' ? 'row' : 'column', first, count, before };
    }
    default:
      return null;
  }
}
