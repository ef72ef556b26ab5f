// Converts a custom function's return value to the values of its cell and of the cells it fills.
import type { BaseValueObject } from '@univerjs/preset-sheets-node-core';
import { isDate } from 'apps-script-host/sheet/date-serial';
import type { UniverEngine } from 'apps-script-host/univer-bundle';
import type { CellPlace } from './cell-call';
import { dates } from './sheet-dates';

const DATE_PATTERN = 'yyyy-mm-dd';
const DATE_TIME_PATTERN = 'yyyy-mm-dd hh:mm:ss';

export function toCell(univer: UniverEngine, value: unknown, place: CellPlace): BaseValueObject {
  if (!Array.isArray(value)) return toValue(univer, value);
  // A plain list fills a column.
  const rows = value.map((row: unknown) => (Array.isArray(row) ? row : [row]));
  const columnCount = Math.max(0, ...rows.map((row) => row.length));
  if (columnCount === 0) return univer.StringValueObject.create('');
  if (rows.some((row) => row.length !== columnCount)) {
    return univer.ErrorValueObject.create(univer.ErrorType.REF);
  }
  if (rows.length === 1 && columnCount === 1) return toValue(univer, rows[0]?.[0]);
  return new univer.ArrayValueObject({
    calculateValueList: rows.map((row) => row.map((cell: unknown) => toValue(univer, cell))),
    rowCount: rows.length,
    columnCount,
    unitId: '',
    sheetId: place.sheetId,
    row: place.row,
    column: place.column,
  });
}

function toValue(univer: UniverEngine, value: unknown): BaseValueObject {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value)
        ? univer.NumberValueObject.create(value)
        : univer.ErrorValueObject.create(univer.ErrorType.NUM);
    case 'boolean':
      return univer.BooleanValueObject.create(value);
    case 'string':
      return univer.StringValueObject.create(value);
    default:
      if (isDate(value)) return toDate(univer, value);
      return univer.StringValueObject.create(value == null ? '' : String(value));
  }
}

function toDate(univer: UniverEngine, date: Date): BaseValueObject {
  const serial = dates.toSerial(date);
  if (Number.isNaN(serial)) return univer.ErrorValueObject.create(univer.ErrorType.NUM);
  const pattern = Number.isInteger(serial) ? DATE_PATTERN : DATE_TIME_PATTERN;
  return univer.NumberValueObject.create(serial, pattern);
}
