// Sheet: one tab of the spreadsheet, as a script sees it.

import type { PartOf } from '../../service';
import { bandingOf } from './banding';
import { chartsOf } from './chart';
import { namedRangesOf, sheetFeatures } from './features';
import { sheetGroups } from './groups';
import type { Making, RangeHandle } from './making';
import { filled, placeOf, wrongParameters } from './making';
import { protectionsOf, protectSheet } from './protection';
import { type ClearOptions, cellValue, clearPlace } from './range';
import { filterOf } from './range-marks';
import { checkedRange } from './range-place';
import { activeCell, type RangeListHandle, rangeListOf, selectionOf } from './spreadsheet';

export function sheetOf(making: Making, sheetId: number): object {
  const { call } = making;
  const usual = {
    getSheetId: () => sheetId,
    getName: () => call('spreadsheet.read.getName', sheetId),
    getSheetName: () => call('spreadsheet.read.getName', sheetId),
    setName: (name: string) => {
      call('spreadsheet.write.setName', sheetId, String(name));
      return self;
    },
    getIndex: () => call('spreadsheet.getSheets').indexOf(sheetId) + 1,
    getParent: () => {
      const facts = call('spreadsheet.getActiveSpreadsheet');
      return facts && making.spreadsheet(facts);
    },
    copyTo: (target: { readonly getId: () => string }) =>
      making
        .elsewhere(target.getId())
        .sheet(call('spreadsheet.write.copySheetTo', sheetId, target.getId())),
    activate: () => {
      call('spreadsheet.write.setActiveSheet', sheetId);
      return self;
    },
    ...sizes(making, sheetId),
    ...ranges(making, sheetId),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
  const self: object = making.guard(
    'Sheet',
    usual,
    () => changes(making, sheetId, () => self) satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>,
    () =>
      ({
        ...selecting(making, sheetId),
        ...hiding(making, sheetId),
        ...chartsOf(making, sheetId),
        ...sheetFeatures(making, sheetId, () => self),
        ...sheetGroups(making, sheetId, () => self),
        getNamedRanges: () => namedRangesOf(making, sheetId),
        getBandings: () =>
          call('spreadsheet.read.getBandings', sheetId).map((facts) => bandingOf(making, facts)),
        /** A form's answers come from elsewhere. None is emulated. */
        getFormUrl: () => null,
        getType: () => making.sheetTypes.GRID,
        protect: () => protectSheet(making, sheetId),
      }) satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>,
  );
  return self;
}

function sizes({ call }: Making, sheetId: number) {
  return {
    getLastRow: () => call('spreadsheet.read.getLastRow', sheetId).lastRow,
    getLastColumn: () => call('spreadsheet.read.getLastColumn', sheetId).lastColumn,
    getMaxRows: () => call('spreadsheet.read.getMaxRows', sheetId).maxRows,
    getMaxColumns: () => call('spreadsheet.read.getMaxColumns', sheetId).maxColumns,
    getFrozenRows: () => call('spreadsheet.read.getFrozenRows', sheetId),
    getFrozenColumns: () => call('spreadsheet.read.getFrozenColumns', sheetId),
    getColumnWidth: (column: number) => call('spreadsheet.read.getColumnWidth', sheetId, column),
    getRowHeight: (row: number) => call('spreadsheet.read.getRowHeight', sheetId, row),
    hasHiddenGridlines: () => call('spreadsheet.read.hasHiddenGridlines', sheetId),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}

function ranges(making: Making, sheetId: number) {
  const { call } = making;
  return {
    getRange: (...args: readonly unknown[]) => {
      const [notation] = args;
      if (args.length === 1 && typeof notation === 'string') {
        return making.range(call('spreadsheet.getRangeByNotation', sheetId, notation));
      }
      const isNumbers = args.every((arg) => typeof arg === 'number' && Number.isFinite(arg));
      if (!isNumbers || args.length < 2 || args.length > 4) {
        throw wrongParameters(making, 'Sheet.getRange', args);
      }
      const [row = 1, column = 1, rowCount = 1, columnCount = 1] = args.map((arg) =>
        Math.trunc(Number(arg)),
      );
      return checkedRange(making, { sheetId, row, column, rowCount, columnCount });
    },
    /** Reference of Sheet.getSheetValues: the values of `getRange` with the same four numbers. */
    getSheetValues: (row: number, column: number, rowCount: number, columnCount: number) => {
      const place = { sheetId, row, column, rowCount, columnCount };
      checkedRange(making, place);
      return call('spreadsheet.read.getValues', place);
    },
    getDataRange: () => {
      const { lastRow, lastColumn } = call('spreadsheet.read.getDataRange', sheetId);
      const [rowCount, columnCount] = [Math.max(lastRow, 1), Math.max(lastColumn, 1)];
      return making.range({ sheetId, row: 1, column: 1, rowCount, columnCount });
    },
    getRangeList: (notations: readonly string[]) => {
      if (!Array.isArray(notations) || notations.length === 0) {
        throw wrongParameters(making, 'Sheet.getRangeList', [notations]);
      }
      const placeAt = (notation: unknown) =>
        call('spreadsheet.getRangeByNotation', sheetId, String(notation));
      return rangeListOf(making, notations.map(placeAt));
    },
    createTextFinder: (text: string) => making.textFinder({ in: 'sheet', sheetId }, String(text)),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}

function selecting(making: Making, sheetId: number) {
  const { call, range } = making;
  const select = (target: RangeHandle | string) => {
    const place =
      typeof target === 'string'
        ? call('spreadsheet.getRangeByNotation', sheetId, target)
        : placeOf(target);
    call('spreadsheet.write.setActiveRange', place);
    return range(place);
  };
  return {
    getActiveRange: () => {
      const place = call('spreadsheet.getActiveRange');
      return place.sheetId === sheetId ? range(place) : null;
    },
    getActiveCell: () => activeCell(making),
    getCurrentCell: () => activeCell(making),
    getActiveRangeList: () => {
      const places = call('spreadsheet.getActiveRangeList');
      return places[0]?.sheetId === sheetId ? rangeListOf(making, places) : null;
    },
    setActiveRange: (target: RangeHandle) => select(target),
    setCurrentCell: (cell: RangeHandle) => select(cell),
    setActiveRangeList: (list: RangeListHandle) => {
      call('spreadsheet.write.setActiveRangeList', list.getRanges().map(placeOf));
      return list;
    },
    getSelection: () => selectionOf(making),
    setActiveSelection: (target: RangeHandle | string) => select(target),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}

function hiding(making: Making, sheetId: number) {
  const { call } = making;
  return {
    isRowHiddenByUser: (row: number) => call('spreadsheet.read.isRowHiddenByUser', sheetId, row),
    isRowHiddenByFilter: (row: number) =>
      call('spreadsheet.read.isRowHiddenByFilter', sheetId, row),
    hideRow: (target: RangeHandle) => {
      const { row, rowCount } = placeOf(target);
      call('spreadsheet.write.hideRows', sheetId, row, rowCount);
    },
    unhideRow: (target: RangeHandle) => {
      const { row, rowCount } = placeOf(target);
      call('spreadsheet.write.showRows', sheetId, row, rowCount);
    },
    unhideColumn: (target: RangeHandle) => {
      const { column, columnCount } = placeOf(target);
      call('spreadsheet.write.showColumns', sheetId, column, columnCount);
    },
    hideRows: (row: number, count = 1) => call('spreadsheet.write.hideRows', sheetId, row, count),
    showRows: (row: number, count = 1) => call('spreadsheet.write.showRows', sheetId, row, count),
    getFilter: () => {
      const place = call('spreadsheet.read.getFilter', sheetId);
      return place && filterOf(making, place);
    },
    getProtections: (type: unknown) => protectionsOf(making, sheetId, type),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}

function changes(making: Making, sheetId: number, self: () => object) {
  const { call } = making;
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const everything = () => {
    const { maxRows, maxColumns } = call('spreadsheet.read.getMaxRows', sheetId);
    return { sheetId, row: 1, column: 1, rowCount: maxRows, columnCount: maxColumns };
  };
  return {
    setFrozenRows: (rows: number) => {
      call('spreadsheet.write.setFrozenRows', sheetId, rows);
    },
    setFrozenColumns: (columns: number) => {
      call('spreadsheet.write.setFrozenColumns', sheetId, columns);
    },
    setColumnWidth: (column: number, pixels: number) =>
      chain(() => call('spreadsheet.write.setColumnWidth', sheetId, column, 1, pixels)),
    setColumnWidths: (column: number, count: number, pixels: number) =>
      chain(() => call('spreadsheet.write.setColumnWidths', sheetId, column, count, pixels)),
    setRowHeight: (row: number, pixels: number) =>
      chain(() => call('spreadsheet.write.setRowHeight', sheetId, row, 1, pixels)),
    setRowHeights: (row: number, count: number, pixels: number) =>
      chain(() => call('spreadsheet.write.setRowHeights', sheetId, row, count, pixels)),
    setRowHeightsForced: (row: number, count: number, pixels: number) =>
      chain(() => call('spreadsheet.write.setRowHeights', sheetId, row, count, pixels)),
    autoResizeColumn: (column: number) =>
      chain(() => call('spreadsheet.write.autoResizeColumns', sheetId, column, 1)),
    autoResizeColumns: (column: number, count: number) =>
      chain(() => call('spreadsheet.write.autoResizeColumns', sheetId, column, count)),
    setHiddenGridlines: (isHidden: boolean) =>
      chain(() => call('spreadsheet.write.setHiddenGridlines', sheetId, Boolean(isHidden))),
    appendRow: (values: unknown[]) => {
      if (!Array.isArray(values)) throw wrongParameters(making, 'Sheet.appendRow', [values]);
      return chain(() => call('spreadsheet.write.appendRow', sheetId, values.map(cellValue)));
    },
    insertRowBefore: (row: number) =>
      chain(() => call('spreadsheet.write.insertRowBefore', sheetId, row, 1)),
    insertRowAfter: (row: number) =>
      chain(() => call('spreadsheet.write.insertRowAfter', sheetId, row + 1, 1)),
    insertRowsBefore: (row: number, count: number) =>
      chain(() => call('spreadsheet.write.insertRowsBefore', sheetId, row, count)),
    insertRowsAfter: (row: number, count: number) =>
      chain(() => call('spreadsheet.write.insertRowsAfter', sheetId, row + 1, count)),
    insertColumnBefore: (column: number) =>
      chain(() => call('spreadsheet.write.insertColumnBefore', sheetId, column, 1)),
    insertColumnAfter: (column: number) =>
      chain(() => call('spreadsheet.write.insertColumnAfter', sheetId, column + 1, 1)),
    insertColumnsBefore: (column: number, count: number) =>
      chain(() => call('spreadsheet.write.insertColumnsBefore', sheetId, column, count)),
    insertColumnsAfter: (column: number, count: number) =>
      chain(() => call('spreadsheet.write.insertColumnsAfter', sheetId, column + 1, count)),
    /** Reference of Sheet.insertRows and insertColumns: the new ones start at the index. */
    insertRows: (row: number, count = 1) => {
      call('spreadsheet.write.insertRowsBefore', sheetId, row, count);
    },
    insertColumns: (column: number, count = 1) => {
      call('spreadsheet.write.insertColumnsBefore', sheetId, column, count);
    },
    moveRows: (rows: RangeHandle, before: number) => {
      call('spreadsheet.write.moveRows', sheetId, placeOf(rows), before);
    },
    moveColumns: (columns: RangeHandle, before: number) => {
      call('spreadsheet.write.moveColumns', sheetId, placeOf(columns), before);
    },
    deleteRow: (row: number) => chain(() => call('spreadsheet.write.deleteRow', sheetId, row, 1)),
    deleteRows: (row: number, count: number) => {
      call('spreadsheet.write.deleteRows', sheetId, row, count);
    },
    deleteColumn: (column: number) =>
      chain(() => call('spreadsheet.write.deleteColumn', sheetId, column, 1)),
    deleteColumns: (column: number, count: number) => {
      call('spreadsheet.write.deleteColumns', sheetId, column, count);
    },
    clear: (options: ClearOptions = {}) => chain(() => clearPlace(making, everything(), options)),
    clearFormats: () => chain(() => call('spreadsheet.write.clearFormat', everything())),
    clearNotes: () =>
      chain(() => {
        const all = everything();
        const { lastRow, maxColumns } = call('spreadsheet.read.getMaxRows', sheetId);
        const used = { ...all, rowCount: Math.max(lastRow, 1), columnCount: maxColumns };
        call('spreadsheet.write.setNote', used, filled(used, ''));
      }),
    clearContents: () => chain(() => call('spreadsheet.write.clearContent', everything())),
    sort: (column: number, ascending = true) => {
      const frozen = call('spreadsheet.read.getFrozenRows', sheetId);
      const { maxRows, maxColumns } = call('spreadsheet.read.getMaxRows', sheetId);
      const rows = { row: frozen + 1, column: 1, rowCount: maxRows - frozen };
      const place = { sheetId, ...rows, columnCount: maxColumns };
      return chain(() => call('spreadsheet.write.sort', place, [{ column, ascending }]));
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.Sheet>;
}
