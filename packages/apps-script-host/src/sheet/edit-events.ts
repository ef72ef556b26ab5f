// Builds the events that Apps Script gets when people edit or change a spreadsheet.

import { type Act, covered } from './acts';
import { createDateSerial, isDate } from './date-serial';
import type { CellValue, Rectangle, SheetModel } from './model';

export interface SheetEvent {
  readonly eventType: 'ON_EDIT' | 'ON_CHANGE';
  /** Members of the event object. Its place becomes its range. */
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * Kinds of change, as the guide of event objects names them. An edit is a change too (users report
 * both events for it). What a sort, a move or a mark counts as no page says.
 */
const CHANGE_TYPES: Partial<Record<Act['do'], string>> = {
  edit: 'EDIT',
  sort: 'EDIT',
  cutPaste: 'EDIT',
  copyPaste: 'EDIT',
  pasteValues: 'EDIT',
  insertCells: 'EDIT',
  deleteCells: 'EDIT',
  format: 'FORMAT',
  link: 'FORMAT',
  insertRows: 'INSERT_ROW',
  insertColumns: 'INSERT_COLUMN',
  deleteRows: 'REMOVE_ROW',
  deleteColumns: 'REMOVE_COLUMN',
  deleteSheet: 'REMOVE_GRID',
  copySheet: 'INSERT_GRID',
};

/** Nobody is told where people look, or that they undo something. */
const UNHEARD: readonly Act['do'][] = ['select', 'undo'];

/**
 * As users find it in `e.value`: a tick is "TRUE" and a date its number of days. No page says so.
 */
function eventText(model: SheetModel, value: CellValue): string {
  if (typeof value === 'boolean') return String(value).toUpperCase();
  return String(isDate(value) ? createDateSerial(model.timeZone()).toSerial(value) : value);
}

/** The current value of an edit's first cell. undefined: the act edits nothing. */
export function firstCell(model: SheetModel, act: Act): CellValue | undefined {
  if (act.do !== 'edit') return undefined;
  const { row, column } = act;
  return model.values(act.sheetId, { row, column, rowCount: 1, columnCount: 1 })[0]?.[0];
}

/** The events of an act. */
export function eventsOfAct(
  model: SheetModel,
  act: Act,
  before: CellValue | undefined,
): readonly SheetEvent[] {
  if (UNHEARD.includes(act.do)) return [];
  const changeType = CHANGE_TYPES[act.do] ?? 'OTHER';
  const change: SheetEvent = { eventType: 'ON_CHANGE', members: { changeType } };
  return act.do === 'edit' ? [editOf(model, act, before), change] : [change];
}

/** Only an edit of a single cell includes its new and old values. */
function editOf(
  model: SheetModel,
  act: Extract<Act, { do: 'edit' }>,
  before: CellValue | undefined,
): SheetEvent {
  const rectangle: Rectangle = covered(act);
  const members = { place: { sheetId: act.sheetId, ...rectangle } };
  if (rectangle.rowCount * rectangle.columnCount !== 1) return { eventType: 'ON_EDIT', members };
  const now = firstCell(model, act);
  const told = (name: string, value: CellValue | undefined) =>
    value === undefined || value === '' ? {} : { [name]: eventText(model, value) };
  return {
    eventType: 'ON_EDIT',
    members: { ...members, ...told('value', now), ...told('oldValue', before) },
  };
}
