// Converts cells between the forms of SpreadsheetApp and Univer.
import type { ICellData, Nullable } from '@univerjs/core';
import type { DateSerial } from 'apps-script-host/sheet/date-serial';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { displayText, isDateFormat } from 'apps-script-host/sheet/number-format';
import type { UniverEngine } from 'apps-script-host/univer-bundle';

/** How a date is displayed in a cell that had no format for one. */
const DATE_FORMAT = 'yyyy-mm-dd';
const DATE_TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss';

/** Univer leaves any part of a cell unchanged that is not named. */
const NOTHING = { v: null, f: null, si: null, p: null };

export interface CellConversion {
  /** The value, with dates as serial numbers. */
  readonly plain: (cell: Nullable<ICellData>) => string | number | boolean;
  readonly value: (cell: Nullable<ICellData>, format: string) => CellValue;
  readonly display: (cell: Nullable<ICellData>, format: string) => string;
  readonly toCell: (content: CellContent, format: string) => ICellData;
}

export function createCellConversion(
  { CellValueType }: UniverEngine,
  dates: DateSerial,
): CellConversion {
  const plain: CellConversion['plain'] = (cell) => {
    const content = cell?.v ?? '';
    return cell?.t === CellValueType.BOOLEAN ? Boolean(content) : content;
  };
  const toDateCell = (date: Date, format: string): ICellData => {
    const serial = dates.toSerial(date);
    const cell = { ...NOTHING, v: serial, t: CellValueType.NUMBER };
    if (isDateFormat(format)) return cell;
    return {
      ...cell,
      s: { n: { pattern: Number.isInteger(serial) ? DATE_FORMAT : DATE_TIME_FORMAT } },
    };
  };
  return {
    plain,
    value: (cell, format) => {
      const content = plain(cell);
      const isDay = typeof content === 'number' && isDateFormat(format);
      return isDay ? dates.toDate(content) : content;
    },
    display: (cell, format) => displayText(plain(cell), format),
    toCell: (content, format) => {
      switch (typeof content) {
        case 'string': {
          if (content === '') return NOTHING;
          // A text that looks like a number must be marked, or Univer makes it a number.
          const { FORCE_STRING, STRING } = CellValueType;
          return { ...NOTHING, v: content, t: isNumeric(content) ? FORCE_STRING : STRING };
        }
        case 'number':
          return { ...NOTHING, v: content, t: CellValueType.NUMBER };
        case 'boolean':
          return { ...NOTHING, v: content ? 1 : 0, t: CellValueType.BOOLEAN };
        default:
          if ('formula' in content) return { ...NOTHING, f: content.formula };
          return toDateCell(content, format);
      }
    },
  };
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text));
}
