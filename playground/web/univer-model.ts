// The spreadsheet that scripts work on, with Univer behind it.
import type {
  Rectangle,
  Selection,
  SheetChange,
  SheetModel,
  SheetSize,
} from 'apps-script-host/sheet/model';
import { checkDeletion, checkInsertion, cutTo } from 'apps-script-host/sheet/rectangle';
import { TIME_ZONE } from './sheet-dates';
import { toChange } from './univer-changes';
import { followHiddenColumns } from './univer-columns';
import { createUniverGrid } from './univer-grid';
import { createUniverMarks } from './univer-marks';
import { followNames } from './univer-names';
import { createUniverSheets, type UniverSheets } from './univer-sheets';
import type { UniverWorkbook } from './univer-workbook';

export interface UniverModel extends SheetModel {
  /**
   * Reports what a script has selected, so that the pages follow. Selections made in a page are not
   * reported.
   */
  readonly onSelect: (listener: (selection: Selection) => void) => void;
  readonly selectedInPage: (selection: Selection) => void;
  /** Converts between Univer's own id of a sheet and the number by which scripts know it. */
  readonly sheetIdOf: (univerId: string) => number;
  readonly univerIdOf: (sheetId: number) => string;
}

const LOCALE = 'en_US';
/** The size of a new sheet in Sheets. */
const NEW_ROWS = 1000;
const NEW_COLUMNS = 26;
/** In pixels, as in Sheets. */
const NEW_WIDTH = 100;
const A1: Rectangle = { row: 1, column: 1, rowCount: 1, columnCount: 1 };

export function createUniverModel(opened: UniverWorkbook): UniverModel {
  const { workbook, commands, univer } = opened;
  const sheets = createUniverSheets(workbook);
  const grid = createUniverGrid(opened, sheets);
  const changed: Set<(change: SheetChange) => void> = new Set();
  const selected: ((selection: Selection) => void)[] = [];
  let selection: Selection = { sheetId: sheets.all()[0]?.id ?? 0, rectangle: A1 };
  const tell = (change: SheetChange): void => {
    for (const listener of changed) listener(change);
  };
  const { follow, ...marks } = createUniverMarks(
    sheets,
    { ...grid, timeZone: () => TIME_ZONE },
    tell,
  );
  commands.onCommandExecuted((command) => {
    if (command.type !== univer.CommandType.MUTATION) return;
    const change = toChange(command, sheets.idOf);
    if (change === null) return;
    follow(change);
    tell(change);
  });
  const model: UniverModel = {
    ...grid,
    locale: () => LOCALE,
    timeZone: () => TIME_ZONE,
    onChange: (listener) => {
      changed.add(listener);
      return () => changed.delete(listener);
    },
    onSelect: (listener) => selected.push(listener),
    selectedInPage: (shown) => {
      selection = shown;
    },
    sheetIdOf: sheets.idOf,
    univerIdOf: (sheetId) => sheets.sheet(sheetId).getSheetId(),
    sheets: () => sheets.all().map(({ id, sheet }) => ({ id, name: sheet.getSheetName() })),
    addSheet: (name, position) => {
      const size = { rowCount: NEW_ROWS, columnCount: NEW_COLUMNS, defaultColumnWidth: NEW_WIDTH };
      const { defaultStyle } = workbook.getWorkbook().getSnapshot();
      const added = workbook.insertSheet(name, {
        index: position - 1,
        // A sheet does not inherit this from its workbook.
        sheet: { ...size, ...(defaultStyle && { defaultStyle }) },
      });
      return sheets.idOf(added.getSheetId());
    },
    deleteSheet: (sheetId) => {
      workbook.deleteSheet(sheets.sheet(sheetId));
      if (selection.sheetId !== sheetId) return;
      selection = { sheetId: sheets.all()[0]?.id ?? 0, rectangle: A1 };
    },
    renameSheet: (sheetId, name) => {
      sheets.sheet(sheetId).setName(name);
    },
    selection: () => inSheet(selection, grid.size(selection.sheetId)),
    select: (wanted) => {
      sheets.sheet(wanted.sheetId);
      selection = wanted;
      for (const listener of selected) listener(wanted);
    },
    frozenRows: (sheetId) => sheets.sheet(sheetId).getFrozenRows(),
    setFrozenRows: (sheetId, rows) => {
      sheets.sheet(sheetId).setFrozenRows(rows);
    },
    frozenColumns: (sheetId) => sheets.sheet(sheetId).getFrozenColumns(),
    setFrozenColumns: (sheetId, columns) => {
      sheets.sheet(sheetId).setFrozenColumns(columns);
    },
    columnWidth: (sheetId, column) => sheets.sheet(sheetId).getColumnWidth(column - 1),
    setColumnWidths: (sheetId, firstColumn, count, pixels) => {
      sheets.sheet(sheetId).setColumnWidths(firstColumn - 1, count, pixels);
    },
    ...movesOf(sheets),
    ...marks,
  };
  followNames(opened, model);
  followHiddenColumns(sheets, model);
  return model;
}

/** The selection without cells that have been deleted in the meantime. */
function inSheet({ sheetId, rectangle, others }: Selection, size: SheetSize): Selection {
  const left = others?.map((each) => cutTo(each, size));
  return { sheetId, rectangle: cutTo(rectangle, size), ...(left && { others: left }) };
}

type Moves = Pick<SheetModel, 'insertRows' | 'deleteRows' | 'insertColumns' | 'deleteColumns'>;

function movesOf(sheets: UniverSheets): Moves {
  return {
    insertRows: (sheetId, beforeRow, count) => {
      const sheet = sheets.sheet(sheetId);
      const last = sheet.getMaxRows();
      checkInsertion(beforeRow, count, last);
      if (beforeRow > last) sheet.insertRowsAfter(last - 1, count);
      else sheet.insertRows(beforeRow - 1, count);
    },
    deleteRows: (sheetId, firstRow, count) => {
      const sheet = sheets.sheet(sheetId);
      checkDeletion(firstRow, count, sheet.getMaxRows());
      sheet.deleteRows(firstRow - 1, count);
    },
    insertColumns: (sheetId, beforeColumn, count) => {
      const sheet = sheets.sheet(sheetId);
      const last = sheet.getMaxColumns();
      checkInsertion(beforeColumn, count, last);
      if (beforeColumn > last) sheet.insertColumnsAfter(last - 1, count);
      else sheet.insertColumns(beforeColumn - 1, count);
    },
    deleteColumns: (sheetId, firstColumn, count) => {
      const sheet = sheets.sheet(sheetId);
      checkDeletion(firstColumn, count, sheet.getMaxColumns());
      sheet.deleteColumns(firstColumn - 1, count);
    },
  };
}
