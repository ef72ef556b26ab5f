// Reads and writes the contents of a plain grid's cells.

import { createDateSerial, type DateSerial, isDate, isDateSerial } from './date-serial';
import type { Book } from './grid-book';
import type { Extra, GridRow, GridRows, SpillOf, Stored } from './grid-rows';
import { putExtra, putValue, rowAt, valuesIn } from './grid-rows';
import type { CellContent, CellValue, Matrix, Rectangle, SheetModel } from './model';
import { GENERAL_FORMAT } from './model';
import { displayText, isDateFormat } from './number-format';
import { checkInside, covered } from './rectangle';

/** Styles and links of parts of texts, in the form that rich-text defines, as JSON. '': none. */
export interface TextRuns {
  readonly runs: (sheetId: number, rectangle: Rectangle) => string[][];
  /** New contents remove what was set. */
  readonly setRuns: (sheetId: number, row: number, column: number, runs: Matrix<string>) => void;
}

export interface Calculated {
  /** Sets a formula's result, as a calculation engine would put it into its cell. */
  readonly setComputed: (sheetId: number, row: number, column: number, value: CellValue) => void;
  /**
   * A cell as formulas read it: a date is its serial number. null: blank; "" is the empty text of a formula. No rectangle is checked and
   * no matrix made, because a formula over a column reads thousands.
   */
  readonly readCell: (sheetId: number, row: number, column: number) => Stored | null;
  /**
   * Sets the results of many cells, given down the columns. Adjacent cells are reported as one
   * change.
   */
  readonly setResults: (sheetId: number, results: readonly Result[], of?: SpillOf) => void;
  /** Keeps with a formula's cell the name of the list that it has answered. null: none. */
  readonly setAnswer: (sheetId: number, row: number, column: number, name: string | null) => void;
  /** The cells with the name of a list, and those that custom functions elsewhere have filled. */
  readonly answers: (sheetId: number) => {
    readonly answers: readonly { row: number; column: number; name: string }[];
    readonly filled: readonly { row: number; column: number }[];
  };
  /**
   * The cells that Sheets' own formulas elsewhere have filled. Google counts them as used, even
   * those with empty texts.
   */
  readonly spilled: (
    sheetId: number,
  ) => readonly { readonly row: number; readonly column: number }[];
}

export interface Result {
  readonly row: number;
  readonly column: number;
  /** null: blank, which is no text. In the cell of a neighbour, what was filled in goes. */
  readonly value: CellValue | null;
  /** True if a formula in another cell put the value there. */
  readonly isSpilled: boolean;
}

/** Formats that a date gets if the cell has none. */
const DAY_FORMAT = 'm/d/yyyy';
const MOMENT_FORMAT = 'm/d/yyyy h:mm:ss';

/** Puts contents into the cells of one row, in the form in which the grid keeps them. */
function createPut(toSerial: DateSerial['toSerial']) {
  const putDate = (row: GridRow, place: number, date: Date) => {
    const serial = toSerial(date);
    putValue(row, place, serial);
    if (isDateFormat(row.formats?.[place] ?? GENERAL_FORMAT)) return;
    putExtra(row, 'formats', place, Number.isInteger(serial) ? DAY_FORMAT : MOMENT_FORMAT);
  };
  const value = (row: GridRow, place: number, content: CellValue | null) => {
    if (isDate(content)) putDate(row, place, content);
    else putValue(row, place, content ?? undefined);
  };
  return {
    value,
    content: (row: GridRow, place: number, content: CellContent) => {
      const isFormula = typeof content === 'object' && 'formula' in content;
      putExtra(row, 'formulas', place, isFormula ? content.formula : undefined);
      putExtra(row, 'links', place, undefined);
      putExtra(row, 'runs', place, undefined);
      putExtra(row, 'spills', place, undefined);
      putExtra(row, 'answers', place, undefined);
      value(row, place, isFormula ? null : content);
    },
  };
}

const COLOURS = { background: 'backgrounds', text: 'colours' } as const;

type ReadCell<Read> = (value: Stored, format: string, formula: string) => Read;

function readRows<Read>(rows: GridRows, rectangle: Rectangle, readCell: ReadCell<Read>): Read[][] {
  const { row, column, rowCount, columnCount } = rectangle;
  const matrix: Read[][] = [];
  for (let place = row - 1; place < row - 1 + rowCount; place += 1) {
    const { values = [], formats, formulas } = rows[place] ?? {};
    const cells: Read[] = [];
    for (let at = column - 1; at < column - 1 + columnCount; at += 1) {
      cells.push(readCell(values[at] ?? '', formats?.[at] ?? GENERAL_FORMAT, formulas?.[at] ?? ''));
    }
    matrix.push(cells);
  }
  return matrix;
}

function readingOf({ of }: Book, toDate: DateSerial['toDate']) {
  const read = <Read>(sheetId: number, rectangle: Rectangle, readCell: ReadCell<Read>) => {
    const sheet = of(sheetId);
    checkInside(rectangle, sheet);
    return readRows(sheet.rows, rectangle, readCell);
  };
  const textsOf = (extra: Extra, sheetId: number, rectangle: Rectangle): string[][] => {
    const { rows, ...bounds } = of(sheetId);
    checkInside(rectangle, bounds);
    const { row, column, rowCount, columnCount } = rectangle;
    return Array.from({ length: rowCount }, (_row, down) => {
      const texts = rows[row - 1 + down]?.[extra];
      return Array.from({ length: columnCount }, (_cell, at) => texts?.[column - 1 + at] ?? '');
    });
  };
  return {
    values: (sheetId, rectangle) => {
      const { rows, ...bounds } = of(sheetId);
      checkInside(rectangle, bounds);
      return valuesIn<CellValue>(rows, rectangle, (value, format) =>
        isDateFormat(format) && isDateSerial(value) ? toDate(value) : value,
      );
    },
    displayValues: (sheetId, rectangle) => read(sheetId, rectangle, displayText),
    formulas: (sheetId, rectangle) => read(sheetId, rectangle, (_value, _format, text) => text),
    numberFormats: (sheetId, rectangle) => read(sheetId, rectangle, (_value, format) => format),
    notes: (sheetId, rectangle) => textsOf('notes', sheetId, rectangle),
    links: (sheetId, rectangle) => textsOf('links', sheetId, rectangle),
    runs: (sheetId, rectangle) => textsOf('runs', sheetId, rectangle),
    fontWeights: (sheetId, rectangle) => textsOf('weights', sheetId, rectangle),
    colours: (sheetId, rectangle, of) => textsOf(COLOURS[of], sheetId, rectangle),
    looks: (sheetId, rectangle) => textsOf('looks', sheetId, rectangle),
  } satisfies Partial<SheetModel & TextRuns>;
}

export function contentsOf(book: Book, timeZone: string) {
  const { of, tell } = book;
  const { toSerial, toDate } = createDateSerial(timeZone);
  const put = createPut(toSerial);
  /** Visits each cell that a matrix covers, with its row, and returns the rectangle covered. */
  const putEach = <Cell>(
    sheetId: number,
    row: number,
    column: number,
    matrix: Matrix<Cell>,
    putCell: (row: GridRow, place: number, cell: Cell) => void,
  ) => {
    const sheet = of(sheetId);
    const rectangle = covered(row, column, matrix);
    checkInside(rectangle, sheet);
    matrix.forEach((cells, down) => {
      const target = rowAt(sheet.rows, row - 1 + down);
      cells.forEach((cell, right) => {
        putCell(target, column - 1 + right, cell);
      });
    });
    return rectangle;
  };
  const putAll = <Cell>(
    sheetId: number,
    row: number,
    column: number,
    matrix: Matrix<Cell>,
    putCell: (row: GridRow, place: number, cell: Cell) => void,
  ) => {
    const rectangle = putEach(sheetId, row, column, matrix, putCell);
    tell({ kind: 'cells', sheetId, rectangle });
  };
  /** No formula reads formats, notes, links and looks, so nothing is calculated again. */
  const putTexts = (
    extra: Extra,
    sheetId: number,
    row: number,
    column: number,
    texts: Matrix<string>,
  ) => {
    putEach(sheetId, row, column, texts, (target, place, text) =>
      putExtra(target, extra, place, text === '' ? undefined : text),
    );
    tell({ kind: 'marks', sheetId });
  };
  return {
    ...readingOf(book, toDate),
    write: (sheetId, row, column, contents) => putAll(sheetId, row, column, contents, put.content),
    setNumberFormats: (sheetId, row, column, formats) =>
      putTexts('formats', sheetId, row, column, formats),
    setNotes: (sheetId, row, column, notes) => putTexts('notes', sheetId, row, column, notes),
    setLinks: (sheetId, row, column, links) => putTexts('links', sheetId, row, column, links),
    setRuns: (sheetId, row, column, runs) => putTexts('runs', sheetId, row, column, runs),
    setFontWeights: (sheetId, row, column, weights) =>
      putTexts('weights', sheetId, row, column, weights),
    setColours: (sheetId, row, column, of, colours) =>
      putTexts(COLOURS[of], sheetId, row, column, colours),
    setLooks: (sheetId, row, column, looks) => putTexts('looks', sheetId, row, column, looks),
    readCell: (sheetId, row, column) => {
      const cells = of(sheetId).rows[row - 1];
      const value = cells?.values[column - 1] ?? null;
      // A formula's empty text is a text. Typed, it empties the cell.
      const isResult = cells?.formulas?.[column - 1] ?? cells?.spills?.[column - 1];
      return value === '' && !isResult ? null : value;
    },
    setComputed: (sheetId, row, column, value) =>
      putAll(sheetId, row, column, [[value]], put.value),
    setAnswer: (sheetId, row, column, name) =>
      putExtra(rowAt(of(sheetId).rows, row - 1), 'answers', column - 1, name ?? undefined),
    answers: (sheetId) => ({
      answers: marked(of(sheetId).rows, 'answers', () => true).map(({ text, ...cell }) => ({
        ...cell,
        name: text,
      })),
      filled: marked(of(sheetId).rows, 'spills', (by) => by === 'custom'),
    }),
    setResults: (sheetId, results, by = 'native') => {
      const { rows } = of(sheetId);
      for (const { row, column, value, isSpilled } of results) {
        const target = rowAt(rows, row - 1);
        put.value(target, column - 1, value);
        const isFilled = isSpilled && value !== null;
        putExtra(target, 'spills', column - 1, isFilled ? by : undefined);
      }
      for (const rectangle of downwards(results)) tell({ kind: 'cells', sheetId, rectangle });
    },
    spilled: (sheetId) => marked(of(sheetId).rows, 'spills', (by) => by === 'native'),
    clearContents: (sheetId, rectangle) => {
      const { rows, ...bounds } = of(sheetId);
      checkInside(rectangle, bounds);
      const { row, column, rowCount, columnCount } = rectangle;
      for (const cells of rows.slice(row - 1, row - 1 + rowCount)) {
        cells?.values.fill('', column - 1, column - 1 + columnCount);
        cells?.formulas?.fill(undefined, column - 1, column - 1 + columnCount);
        cells?.links?.fill(undefined, column - 1, column - 1 + columnCount);
        cells?.runs?.fill(undefined, column - 1, column - 1 + columnCount);
        cells?.answers?.fill(undefined, column - 1, column - 1 + columnCount);
      }
      tell({ kind: 'cells', sheetId, rectangle });
    },
  } satisfies Partial<SheetModel> & Calculated & TextRuns;
}

/** The cells with such a text, row by row. */
function marked(rows: GridRows, extra: Extra, isMeant: (text: string) => boolean) {
  const found: { row: number; column: number; text: string }[] = [];
  rows.forEach((row, down) => {
    row?.[extra]?.forEach((text, right) => {
      if (text !== undefined && isMeant(text))
        found.push({ row: down + 1, column: right + 1, text });
    });
  });
  return found;
}

/** Joins consecutive cells of a column into rectangles. */
function downwards(results: readonly Result[]): readonly Rectangle[] {
  const ordered = [...results].sort((a, b) => a.column - b.column || a.row - b.row);
  const runs: { row: number; column: number; rowCount: number; columnCount: number }[] = [];
  for (const { row, column } of ordered) {
    const last = runs.at(-1);
    if (last && last.column === column && row <= last.row + last.rowCount)
      last.rowCount = Math.max(last.rowCount, row - last.row + 1);
    else runs.push({ row, column, rowCount: 1, columnCount: 1 });
  }
  return runs;
}
