// Shows the note of a cell, or why it is an error, on hover and when the cell is selected.
import { InterceptorEffectEnum } from '@univerjs/core';
import {
  CellAlertManagerService,
  INTERCEPTOR_POINT,
  SheetInterceptorService,
} from '@univerjs/preset-sheets-core';
import { noteIn } from '../cell-note';
import type { CellMessage } from '../protocol';
import { element } from './elements';
import type { Grid } from './grid';

export interface CellNotes {
  readonly show: (messages: readonly CellMessage[]) => void;
  readonly select: (sheetId: string, row: number, column: number) => void;
}

const LOADING = 'Loading...';
const ERROR_MARK = { tr: { color: '#d93025', size: 6 } };
const NOTE_MARK = { tr: { color: '#202124', size: 6 } };
const QUIET_TEXT = { rgb: '#80868b' };

export function createCellNotes(grid: Grid): CellNotes {
  const errors = new Map<string, string>();
  const noteOf: NoteOf = (sheetId, row, column) => {
    const error = errors.get(keyOf(sheetId, row, column));
    if (error !== undefined) return { text: error, isError: true };
    const sheet = grid.api.getActiveWorkbook()?.getSheetBySheetId(sheetId);
    return { text: noteIn(sheet?.getSheet().getCellRaw(row, column)), isError: false };
  };
  let selected: Parameters<NoteOf> = ['', 0, 0];
  const line = element('cell-note', HTMLElement);
  const showLine = (): void => {
    const { text, isError } = noteOf(...selected);
    line.textContent = text;
    line.classList.toggle('error', isError);
  };
  styleCells(grid, (key) => errors.has(key));
  followPointer(grid, noteOf);
  return {
    show: (messages) => {
      errors.clear();
      for (const { sheetId, row, column, message } of messages) {
        errors.set(keyOf(sheetId, row, column), message);
      }
      showLine();
    },
    select: (...cell) => {
      selected = cell;
      showLine();
    },
  };
}

interface Note {
  /** '' if there is none. */
  readonly text: string;
  readonly isError: boolean;
}

type NoteOf = (sheetId: string, row: number, column: number) => Note;

function keyOf(sheetId: string, row: number, column: number): string {
  return `${sheetId} ${row} ${column}`;
}

/** Gives errors a red corner and notes a black one, as in Sheets, and shows "Loading…" in grey. */
function styleCells(grid: Grid, isError: (key: string) => boolean): void {
  const interceptors = grid.univer.__getInjector().get(SheetInterceptorService);
  interceptors.intercept(INTERCEPTOR_POINT.CELL_CONTENT, {
    // Runs after Univer's own marks and replaces them.
    priority: 0,
    effect: InterceptorEffectEnum.Style,
    handler: (cell, { subUnitId, row, col }, next) => {
      if (!cell) return next(cell);
      if (isError(keyOf(subUnitId, row, col))) return next({ ...cell, markers: ERROR_MARK });
      if (noteIn(cell) !== '') return next({ ...cell, markers: NOTE_MARK });
      if (cell.v !== LOADING) return next(cell);
      const style = typeof cell.s === 'object' ? cell.s : {};
      return next({ ...cell, s: { ...style, cl: QUIET_TEXT } });
    },
  });
}

function followPointer(grid: Grid, noteOf: NoteOf): void {
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
    const { text, isError } = noteOf(worksheet.getSheetId(), row, column);
    tip.hidden = text === '';
    if (tip.hidden) return;
    tip.textContent = text;
    tip.classList.toggle('error', isError);
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.min(pointer.x + 14, innerWidth - width - 8)}px`;
    tip.style.top = `${Math.min(pointer.y + 18, innerHeight - height - 8)}px`;
  });
  // Univer has its own message for every error, while the note here knows the reason.
  const alerts = grid.univer.__getInjector().get(CellAlertManagerService);
  alerts.currentAlert$.subscribe((shown) => {
    for (const [key, { alert }] of shown) {
      const { subUnitId, row, col } = alert.location;
      if (noteOf(subUnitId, row, col).isError) alerts.removeAlert(key);
    }
  });
}
