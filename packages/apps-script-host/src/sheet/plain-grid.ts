// A spreadsheet without a calculation engine: fast and reproducible, for tests and simulations.

import { renameSheetIn } from './formula-references';
import { type Book, createBook, type FirstSheet } from './grid-book';
import { type Calculated, contentsOf, type TextRuns } from './grid-contents';
import { marksOf } from './grid-marks';
import { type LineMoves, movesOf } from './grid-moves';
import { eachFormula, lastColumn, lastRow } from './grid-rows';
import { COLUMN_WIDTH, type Rectangle, type Selection, type SheetModel } from './model';
import { checkDeletion, checkInsertion, checkInside, cutTo } from './rectangle';

/** Formulas are kept as texts and follow their cells. Their results must be set from outside. */
export interface PlainGrid extends SheetModel, Calculated, LineMoves, TextRuns {
  /**
   * Restores a deleted tab with its old id, in the last place, as an older version of the file
   * does.
   */
  readonly restoreSheet: (sheetId: number) => void;
}

export interface PlainGridOptions extends FirstSheet {
  readonly locale?: string;
  readonly timeZone?: string;
}

export function createPlainGrid(options: PlainGridOptions = {}): PlainGrid {
  const { locale = 'en_US', timeZone = 'Etc/UTC' } = options;
  const book = createBook(options);
  const contents = contentsOf(book, timeZone);
  const sizes = sizesOf(book);
  return {
    locale: () => locale,
    timeZone: () => timeZone,
    onChange: (listener) => {
      book.listeners.add(listener);
      return () => book.listeners.delete(listener);
    },
    ...tabsOf(book),
    ...sizes,
    ...contents,
    ...movesOf(book),
    ...marksOf(book, { ...sizes, ...contents, timeZone: () => timeZone }),
  };
}

function tabsOf(book: Book) {
  const { sheets, of, tell } = book;
  const firstCell = { row: 1, column: 1, rowCount: 1, columnCount: 1 };
  const deleted = new Map<number, (typeof sheets)[number]>();
  let selection: Selection = { sheetId: of(0).id, rectangle: firstCell };
  return {
    sheets: () => sheets.map(({ id, name }) => ({ id, name })),
    addSheet: (name, position) => {
      checkInsertion(position, 1, sheets.length);
      const sheet = book.newSheet(name);
      sheets.splice(position - 1, 0, sheet);
      tell({ kind: 'sheets' });
      return sheet.id;
    },
    deleteSheet: (sheetId) => {
      const { name } = of(sheetId);
      checkDeletion(1, 1, sheets.length);
      deleted.set(sheetId, of(sheetId));
      sheets.splice(sheets.indexOf(of(sheetId)), 1);
      renameInFormulas(book, name, null);
      tell({ kind: 'sheets' });
    },
    restoreSheet: (sheetId) => {
      const sheet = deleted.get(sheetId);
      if (!deleted.delete(sheetId) || !sheet)
        throw new RangeError(`No tab ${sheetId} was deleted.`);
      sheets.push(sheet);
      tell({ kind: 'sheets' });
    },
    renameSheet: (sheetId, name) => {
      const sheet = of(sheetId);
      renameInFormulas(book, sheet.name, name);
      sheet.name = name;
      tell({ kind: 'sheets' });
    },
    selection: () => {
      const [first] = sheets;
      const shown = sheets.find(({ id }) => id === selection.sheetId);
      if (!shown && first) selection = { sheetId: first.id, rectangle: firstCell };
      const { sheetId, rectangle, others } = selection;
      const inSheet = (each: Rectangle) => cutTo(each, of(sheetId));
      return {
        sheetId,
        rectangle: inSheet(rectangle),
        ...(others && { others: others.map(inSheet) }),
      };
    },
    select: (next) => {
      for (const each of [next.rectangle, ...(next.others ?? [])]) {
        checkInside(each, of(next.sheetId));
      }
      selection = next;
    },
  } satisfies Partial<PlainGrid>;
}

function renameInFormulas({ sheets }: Book, name: string, newName: string | null): void {
  for (const { rows } of sheets) {
    eachFormula(rows, (formula) => renameSheetIn(formula, name, newName));
  }
}

function sizesOf({ of }: Book) {
  return {
    size: (sheetId) => {
      const { maxRows, maxColumns, rows } = of(sheetId);
      // Most callers need only the limits, and finding the last used row and column takes a pass
      // over all rows.
      return {
        maxRows,
        maxColumns,
        get lastRow() {
          return lastRow(rows);
        },
        get lastColumn() {
          return lastColumn(rows);
        },
      };
    },
    frozenRows: (sheetId) => of(sheetId).frozenRows,
    setFrozenRows: (sheetId, rows) => {
      const sheet = of(sheetId);
      if (rows < 0 || rows > sheet.maxRows) throw new RangeError(`${rows} rows cannot be frozen.`);
      sheet.frozenRows = rows;
    },
    frozenColumns: (sheetId) => of(sheetId).frozenColumns,
    setFrozenColumns: (sheetId, columns) => {
      const sheet = of(sheetId);
      if (columns < 0 || columns > sheet.maxColumns)
        throw new RangeError(`${columns} columns cannot be frozen.`);
      sheet.frozenColumns = columns;
    },
    columnWidth: (sheetId, column) => {
      const sheet = of(sheetId);
      checkInside({ row: 1, column, rowCount: 1, columnCount: 1 }, sheet);
      return sheet.columnWidths[column - 1] ?? COLUMN_WIDTH;
    },
    setColumnWidths: (sheetId, firstColumn, count, pixels) => {
      const sheet = of(sheetId);
      checkInside({ row: 1, column: firstColumn, rowCount: 1, columnCount: count }, sheet);
      for (let place = firstColumn - 1; place < firstColumn - 1 + count; place += 1) {
        sheet.columnWidths[place] = pixels;
      }
    },
  } satisfies Partial<SheetModel>;
}
