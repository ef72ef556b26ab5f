// The position of a range, and the ranges beside it.

import { say } from '../../messages';
import type { PartOf } from '../../service';
import { toA1 } from '../../sheet/a1-notation';
import type { Place } from './calls';
import { DIMENSIONS, DIRECTIONS } from './enums';
import { type Making, wrongParameters } from './making';

/** A range on a sheet, after the host has confirmed that it lies there. */
export function checkedRange(making: Making, place: Place): object {
  const { row, column, rowCount, columnCount } = place;
  const { exception, call } = making;
  if (row < 1) throw exception(say('row-too-small'));
  if (column < 1) throw exception(say('column-too-small'));
  if (rowCount < 1) throw exception(say('too-few-rows'));
  if (columnCount < 1) throw exception(say('too-few-columns'));
  call('spreadsheet.getRange', place);
  return making.range(place);
}

export function placeMembers(making: Making, place: Place) {
  const { sheetId, row, column, rowCount, columnCount, open = [] } = place;
  return {
    getRow: () => row,
    getRowIndex: () => row,
    getColumn: () => column,
    /** An older name, which programs still call. The published types lack it. */
    ...{ getColumnIndex: () => column },
    getLastRow: () => row + rowCount - 1,
    getLastColumn: () => column + columnCount - 1,
    getNumRows: () => rowCount,
    getNumColumns: () => columnCount,
    getHeight: () => rowCount,
    getWidth: () => columnCount,
    getGridId: () => sheetId,
    getA1Notation: () => toA1(place),
    isStartRowBounded: () => !open.includes('startRow'),
    isEndRowBounded: () => !open.includes('endRow'),
    isStartColumnBounded: () => !open.includes('startColumn'),
    isEndColumnBounded: () => !open.includes('endColumn'),
    getSheet: () => making.sheet(sheetId),
    getDataRegion: (dimension?: unknown) => {
      const wanted = DIMENSIONS.find((each) => making.dimensions[each] === dimension) ?? null;
      return making.range(making.call('spreadsheet.read.getDataRegion', place, wanted));
    },
    getNextDataCell: (direction: unknown) => {
      const wanted = DIRECTIONS.find((each) => making.directions[each] === direction);
      if (wanted === undefined) throw wrongParameters(making, 'Range.getNextDataCell', [direction]);
      return making.range(making.call('spreadsheet.read.getNextDataCell', place, wanted));
    },
    getCell: (down: number, right: number) => {
      if (down < 1 || right < 1 || down > rowCount || right > columnCount) {
        throw making.exception(say('cell-outside'));
      }
      const cell = { sheetId, row: row + down - 1, column: column + right - 1 };
      return making.range({ ...cell, rowCount: 1, columnCount: 1 });
    },
    offset: (down: number, right: number, rows = rowCount, columns = columnCount) =>
      checkedRange(making, {
        sheetId,
        row: row + down,
        column: column + right,
        rowCount: rows,
        columnCount: columns,
      }),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Range>;
}
