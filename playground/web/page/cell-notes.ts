// Shows why a cell is an error, on hover and when the cell is selected.
import { InterceptorEffectEnum } from '@univerjs/core';
import {
  CellAlertManagerService,
  INTERCEPTOR_POINT,
  SheetInterceptorService,
} from '@univerjs/preset-sheets-core';
import type { CellMessage } from '../protocol';
import { element } from './elements';
import type { Grid } from './grid';

export interface CellNotes {
  readonly show: (messages: readonly CellMessage[]) => void;
  readonly select: (sheetId: string, row: number, column: number) => void;
}

const LOADING = 'Loading...';
const MARK = { tr: { color: '#d93025', size: 6 } };
const QUIET_TEXT = { rgb: '#80868b' };

export function createCellNotes(grid: Grid): CellNotes {
  const notes = new Map<string, string>();
  let selected = '';
  const line = element('cell-note', HTMLElement);
  const showLine = (): void => {
    const message = notes.get(selected);
    line.textContent = message ?? '';
    line.classList.toggle('error', message !== undefined);
  };
  styleCells(grid, (key) => notes.has(key));
  followPointer(grid, (key) => notes.get(key) ?? null);
  return {
    show: (messages) => {
      notes.clear();
      for (const { sheetId, row, column, message } of messages) {
        notes.set(keyOf(sheetId, row, column), message);
      }
      showLine();
    },
    select: (sheetId, row, column) => {
      selected = keyOf(sheetId, row, column);
      showLine();
    },
  };
}

function keyOf(sheetId: string, row: number, column: number): string {
  return `${sheetId} ${row} ${column}`;
}

/** Gives errors a red corner, as in Sheets, and shows "Loading…" in grey. */
function styleCells(grid: Grid, hasNote: (key: string) => boolean): void {
  const interceptors = grid.univer.__getInjector().get(SheetInterceptorService);
  interceptors.intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    // Runs after Univer's own marks and replaces them.
    priority: 0,
    effect: InterceptorEffectEnum.Style,
    handler: (cell, { subUnitId, row, col }, next) => {
      if (!cell) return next(cell);
      if (hasNote(keyOf(subUnitId, row, col))) return next({ ...cell, markers: MARK });
      if (cell.v !== LOADING) return next(cell);
      const style = typeof cell.s === 'object' ? cell.s : {};
      return next({ ...cell, s: { ...style, cl: QUIET_TEXT } });
    },
  });
}

function followPointer(grid: Grid, noteOf: (key: string) => string | null): void {
  const tip = element('hover-note', HTMLElement);
  const container = element('grid', HTMLElement);
  let pointer = { x: 0, y: 0 };
  // Listens in the capture phase, because Univer stops pointer events from bubbling.
  const onWayIn = { capture: true };
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    pointer = { x: clientX, y: clientY };
  };
  container.addEventListener('pointermove', follow, onWayIn);
  const hide = (): void => {
    tip.hidden = true;
  };
  container.addEventListener('pointerleave', hide);
  container.addEventListener('pointerdown', hide, onWayIn);
  container.addEventListener('wheel', hide, onWayIn);
  grid.api.addEvent(grid.api.Event.CellHover, ({ worksheet, row, column }) => {
    const note = noteOf(keyOf(worksheet.getSheetId(), row, column));
    tip.hidden = note === null;
    if (note === null) return;
    tip.textContent = note;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.min(pointer.x + 14, innerWidth - width - 8)}px`;
    tip.style.top = `${Math.min(pointer.y + 18, innerHeight - height - 8)}px`;
  });
  // Univer has its own message for every error, while the note here knows the reason.
  const alerts = grid.univer.__getInjector().get(CellAlertManagerService);
  alerts.currentAlert$.subscribe((shown) => {
    for (const [key, { alert }] of shown) {
      const { subUnitId, row, col } = alert.location;
      if (noteOf(keyOf(subUnitId, row, col)) !== null) alerts.removeAlert(key);
    }
  });
}
