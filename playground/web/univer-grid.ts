// The cells of a spreadsheet in Univer: read, written and sorted by scripts.
import type { ICellData, Nullable } from '@univerjs/core';
import type { FWorksheet } from '@univerjs/preset-sheets-node-core';
import type { DateSerial } from '../host/sheet/date-serial';
import { moveDown } from '../host/sheet/formula-references';
import type {
  CellContent,
  Matrix,
  Rectangle,
  SheetModel,
  SheetSize,
  SortKey,
} from '../host/sheet/model';
import { checkInside } from '../host/sheet/rectangle';
import { sortedOrder } from '../host/sheet/sort-order';
import { createCellConversion, formatOf } from './univer-cells';
import type { UniverSheets } from './univer-sheets';
import type { UniverWorkbook } from './univer-workbook';

export type UniverGrid = Pick<
  SheetModel,
  | 'size'
  | 'values'
  | 'displayValues'
  | 'formulas'
  | 'numberFormats'
  | 'write'
  | 'setNumberFormats'
  | 'clearContents'
  | 'sort'
>;

interface CellSeen {
  /** What stands in the cell itself. */
  readonly own: Nullable<ICellData>;
  /** The same, or what a neighbour's formula has filled it with. */
  readonly cell: Nullable<ICellData>;
  readonly format: string;
  readonly formula: string;
}

export function createUniverGrid(
  { univer, injector, commands, workbook }: UniverWorkbook,
  sheets: UniverSheets,
  dates: DateSerial,
): UniverGrid {
  const unitId = workbook.getId();
  const formulaModel = injector.get(univer.FormulaDataModel);
  const conversion = createCellConversion(univer, dates);

  /** Formulas' answers that reach into neighbours are kept apart from the cells. */
  const spillsOf = (univerId: string) =>
    formulaModel.getArrayFormulaCellData()[unitId]?.[univerId] ?? {};
  const sizeOf = (sheet: FWorksheet): SheetSize => {
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
    for (const [row, cells] of Object.entries(spillsOf(sheet.getSheetId()))) {
      for (const column of Object.keys(cells ?? {})) reach(Number(row), Number(column));
    }
    const maxRows = sheet.getMaxRows();
    return { maxRows, maxColumns: sheet.getMaxColumns(), lastRow, lastColumn };
  };

  const read = <Seen>(
    sheetId: number,
    rectangle: Rectangle,
    see: (seen: CellSeen) => Seen,
  ): Seen[][] => {
    const sheet = sheets.sheet(sheetId);
    checkInside(rectangle, sizeOf(sheet));
    const matrix = sheet.getSheet().getCellMatrix();
    const styles = workbook.getWorkbook().getStyles();
    const univerId = sheet.getSheetId();
    const spilled = spillsOf(univerId);
    return rowsOf(rectangle).map((row) =>
      columnsOf(rectangle).map((column) => {
        const own = matrix.getValue(row, column);
        const cell = isBlank(own) ? spilled?.[row]?.[column] : own;
        const format = formatOf(styles.getStyleByCell(own)?.n?.pattern);
        const hasFormula = own?.f != null || own?.si != null;
        const found =
          hasFormula && formulaModel.getFormulaStringByCell(row, column, univerId, unitId);
        return see({ own, cell, format, formula: found || '' });
      }),
    );
  };
  const put = (sheetId: number, top: number, left: number, cells: Matrix<ICellData>): void => {
    const sheet = sheets.sheet(sheetId);
    const rows = cells.map(
      (row, down) =>
        [
          top - 1 + down,
          Object.fromEntries(row.map((cell, right) => [left - 1 + right, cell])),
        ] as const,
    );
    commands.syncExecuteCommand(univer.SetRangeValuesMutation.id, {
      unitId,
      subUnitId: sheet.getSheetId(),
      cellValue: Object.fromEntries(rows),
    });
  };
  return {
    size: (sheetId) => sizeOf(sheets.sheet(sheetId)),
    values: (sheetId, rectangle) =>
      read(sheetId, rectangle, ({ cell, format }) => conversion.value(cell, format)),
    displayValues: (sheetId, rectangle) =>
      read(sheetId, rectangle, ({ cell, format }) => conversion.display(cell, format)),
    formulas: (sheetId, rectangle) => read(sheetId, rectangle, ({ formula }) => formula),
    numberFormats: (sheetId, rectangle) => read(sheetId, rectangle, ({ format }) => format),
    write: (sheetId, row, column, contents) => {
      const formats = read(sheetId, over(row, column, contents), ({ format }) => format);
      const toCell = (content: CellContent, down: number, right: number) =>
        conversion.toCell(content, formats[down]?.[right] ?? '');
      put(
        sheetId,
        row,
        column,
        contents.map((cells, down) => cells.map((content, right) => toCell(content, down, right))),
      );
    },
    setNumberFormats: (sheetId, row, column, formats) => {
      checkInside(over(row, column, formats), sizeOf(sheets.sheet(sheetId)));
      put(
        sheetId,
        row,
        column,
        formats.map((cells) => cells.map((pattern) => ({ s: { n: { pattern } } }))),
      );
    },
    clearContents: (sheetId, rectangle) => {
      const blank = read(sheetId, rectangle, () => conversion.toCell('', ''));
      put(sheetId, rectangle.row, rectangle.column, blank);
    },
    sort: (sheetId, rectangle, keys) => {
      const seen = read(sheetId, rectangle, (one) => one);
      const order = sortedOrder(
        seen.map((row) => row.map(({ own }) => conversion.plain(own))),
        keys.map((key) => ({ place: placeIn(rectangle, key), ascending: key.ascending })),
      );
      const sorted = order.map((from, to) =>
        (seen[from] ?? []).map(({ own, formula }): ICellData => {
          const content = formula
            ? { f: moveDown(formula, to - from), v: null, t: null }
            : { f: null, v: own?.v ?? null, t: own?.t ?? null };
          return { ...content, si: null, p: own?.p ?? null, s: own?.s ?? null };
        }),
      );
      put(sheetId, rectangle.row, rectangle.column, sorted);
    },
  };
}

function rowsOf({ row, rowCount }: Rectangle): readonly number[] {
  return Array.from({ length: rowCount }, (_, down) => row - 1 + down);
}

function columnsOf({ column, columnCount }: Rectangle): readonly number[] {
  return Array.from({ length: columnCount }, (_, right) => column - 1 + right);
}

function over(row: number, column: number, matrix: Matrix<unknown>): Rectangle {
  const columnCount = matrix[0]?.length ?? 0;
  if (matrix.some((cells) => cells.length !== columnCount)) {
    throw new RangeError('Rows of unequal length are no rectangle.');
  }
  return { row, column, rowCount: matrix.length, columnCount };
}

/** A sort's column counted from 0 in the rectangle, which has to contain it. */
function placeIn({ column, columnCount }: Rectangle, key: SortKey): number {
  const place = key.column - column;
  if (place >= 0 && place < columnCount) return place;
  throw new RangeError(`Column ${key.column} is not among those that are sorted.`);
}

function isBlank(cell: Nullable<ICellData>): boolean {
  return (cell?.v ?? '') === '' && cell?.f == null && cell?.si == null;
}
