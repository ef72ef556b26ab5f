// Finds the spreadsheet behind a call and checks its limits before the call reaches the model.

import type { HostDocument } from '../../document';
import { say } from '../../messages';
import type { Caller } from '../../service';
import { ServiceException } from '../../service';
import type { CellValue, Matrix, SheetModel } from '../../sheet/model';
import { isInside } from '../../sheet/rectangle';
import type { Place } from './calls';

/** "Files you can store in Google Drive": limit of a whole spreadsheet. */
const CELLS_MAX = 10_000_000;

/** Characters in one cell, as Sheets says in its error. */
const CELL_LENGTH_MAX = 50_000;

export function documentOf({ document }: Caller): HostDocument {
  // Without a document a script gets no object on which it could make this call.
  if (!document) throw new Error('There is no spreadsheet in this execution.');
  return document;
}

export function modelOf(caller: Caller): SheetModel {
  return documentOf(caller).model;
}

/** A script may hold a sheet that has been deleted in the meantime. */
export function checkSheet(model: SheetModel, sheetId: number): void {
  if (model.sheets().some(({ id }) => id === sheetId)) return;
  throw new ServiceException(say('sheet-gone', sheetId));
}

/** A script may hold a range whose rows have been deleted in the meantime. */
export function checkPlace(model: SheetModel, place: Place): void {
  checkSheet(model, place.sheetId);
  if (isInside(place, model.size(place.sheetId))) return;
  throw new ServiceException(say('range-outside'));
}

export function checkLengths(cells: Matrix<CellValue>): void {
  const isTooLong = (cell: CellValue) => typeof cell === 'string' && cell.length > CELL_LENGTH_MAX;
  if (!cells.some((row) => row.some(isTooLong))) return;
  throw new ServiceException(say('text-too-long', CELL_LENGTH_MAX), {
    name: 'characters of a cell',
    value: CELL_LENGTH_MAX,
  });
}

export function checkGrowth(model: SheetModel, more: number): void {
  const cells = model.sheets().map(({ id }) => {
    const { maxRows, maxColumns } = model.size(id);
    return maxRows * maxColumns;
  });
  if (cells.reduce((sum, count) => sum + count, more) <= CELLS_MAX) return;
  throw new ServiceException(say('spreadsheet-full', CELLS_MAX), {
    name: 'cells of a spreadsheet',
    value: CELLS_MAX,
  });
}
