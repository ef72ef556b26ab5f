// Reads cells in Univer, including those that a neighbour's formula has filled.
import type { ICellData, IStyleData, Nullable } from '@univerjs/core';
import { GENERAL_FORMAT, type Rectangle, type SheetSize } from 'apps-script-host/sheet/model';
import { checkInside } from 'apps-script-host/sheet/rectangle';
import type { UniverSheets } from './univer-sheets';
import type { UniverWorkbook } from './univer-workbook';

export interface CellSeen {
  /** The content of the cell itself. */
  readonly own: Nullable<ICellData>;
  /** The same or, if a neighbour's formula has filled the cell, that formula's value. */
  readonly cell: Nullable<ICellData>;
  readonly format: string;
  readonly isBold: boolean;
  readonly style: Nullable<IStyleData>;
  /** '' if there is none. */
  readonly formula: string;
}

export interface UniverReader {
  readonly size: (sheetId: number) => SheetSize;
  /** Throws a RangeError for cells that are not in the sheet. */
  readonly read: <Seen>(
    sheetId: number,
    rectangle: Rectangle,
    see: (seen: CellSeen) => Seen,
  ) => Seen[][];
}

export function createUniverReader(opened: UniverWorkbook, sheets: UniverSheets): UniverReader {
  const { univer, injector, workbook, commands } = opened;
  const unitId = workbook.getId();
  const formulaModel = injector.get(univer.FormulaDataModel);
  const styles = workbook.getWorkbook().getStyles();
  /** Univer stores spilled values apart from the cells. */
  const spillsIn = (univerId: string) =>
    formulaModel.getArrayFormulaCellData()[unitId]?.[univerId] ?? {};

  const counted = (sheetId: number): SheetSize => {
    const sheet = sheets.sheet(sheetId);
    let lastRow = 0;
    let lastColumn = 0;
    const reach = (row: number, column: number): void => {
      lastRow = Math.max(lastRow, row + 1);
      lastColumn = Math.max(lastColumn, column + 1);
    };
    sheet
      .getSheet()
      .getCellMatrix()
      .forValue((row, column, cell) => {
        if (!isBlank(cell)) reach(row, column);
      });
    for (const [row, cells] of Object.entries(spillsIn(sheet.getSheetId()))) {
      for (const column of Object.keys(cells ?? {})) reach(Number(row), Number(column));
    }
    return { maxRows: sheet.getMaxRows(), maxColumns: sheet.getMaxColumns(), lastRow, lastColumn };
  };
  /** Scripts ask for it before each of their calls, and a sheet is long. */
  const known = new Map<number, SheetSize>();
  commands.onCommandExecuted(() => known.clear());
  const size = (sheetId: number): SheetSize => {
    const before = known.get(sheetId);
    if (before !== undefined) return before;
    const now = counted(sheetId);
    known.set(sheetId, now);
    return now;
  };
  return {
    size,
    read: (sheetId, rectangle, see) => {
      const sheet = sheets.sheet(sheetId);
      const [maxRows, maxColumns] = [sheet.getMaxRows(), sheet.getMaxColumns()];
      checkInside(rectangle, { maxRows, maxColumns });
      const univerId = sheet.getSheetId();
      const matrix = sheet.getSheet().getCellMatrix();
      const spills = spillsIn(univerId);
      return from(rectangle.row, rectangle.rowCount).map((row) =>
        from(rectangle.column, rectangle.columnCount).map((column) => {
          const own = matrix.getValue(row, column);
          const cell = isBlank(own) ? spills[row]?.[column] : own;
          // Each is worked out for those that look at it.
          return see({
            own,
            cell,
            get format() {
              return this.style?.n?.pattern || GENERAL_FORMAT;
            },
            get isBold() {
              return this.style?.bl === 1;
            },
            get style() {
              return styles.getStyleByCell(own);
            },
            get formula() {
              if (!hasFormula(own)) return '';
              return formulaModel.getFormulaStringByCell(row, column, univerId, unitId) ?? '';
            },
          });
        }),
      );
    },
  };
}

/** Univer's numbers, counted from 0. */
function from(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => first - 1 + at);
}

function hasFormula(cell: Nullable<ICellData>): boolean {
  return cell?.f != null || cell?.si != null;
}

function isBlank(cell: Nullable<ICellData>): boolean {
  return (cell?.v ?? '') === '' && !hasFormula(cell);
}
