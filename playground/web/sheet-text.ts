// Formats the answered sheet as an aligned table for terminals.
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import { LOADING } from './cell-call';
import type { LiveSheet } from './live-sheet';

/** Characters. Longer texts are cut, so that the columns fit a terminal. */
const WIDEST = 40;
const BETWEEN = '  ';

/** All cells with content, as displayed, with numbers aligned to the right. */
export function sheetTable({ model }: LiveSheet): string {
  const [first] = model.sheets();
  const sheetId = first?.id ?? 0;
  const { lastRow, lastColumn } = model.size(sheetId);
  const all = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const values = model.values(sheetId, all);
  const texts = model.displayValues(sheetId, all).map((row) => row.map(shorten));
  const widths = (texts[0] ?? []).map((_, column) =>
    Math.max(...texts.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], at: number): string =>
    row
      .map((text, column) => {
        const width = widths[column] ?? 0;
        const isNumber = typeof values[at]?.[column] === 'number';
        return isNumber ? text.padStart(width) : text.padEnd(width);
      })
      .join(BETWEEN)
      .trimEnd();
  return texts.map(line).join('\n');
}

export interface OpenCell {
  /** For example "D7". */
  readonly name: string;
  readonly reason: string;
}

/** Cells that show no answer: pending ones and errors. */
export function cellsWithoutAnswer({ model, messages }: LiveSheet): readonly OpenCell[] {
  const errors = messages().map(({ row, column, message }) => ({
    name: cellName(row, column),
    reason: message,
  }));
  const [first] = model.sheets();
  const sheetId = first?.id ?? 0;
  const { lastRow, lastColumn } = model.size(sheetId);
  const all = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
  const pending = model
    .values(sheetId, all)
    .flatMap((cells, row) =>
      cells.flatMap((value, column) =>
        value === LOADING ? [{ name: cellName(row, column), reason: 'still waiting' }] : [],
      ),
    );
  return [...errors, ...pending];
}

function shorten(text: string): string {
  return text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text;
}

/** Rows and columns count from 0. */
function cellName(row: number, column: number): string {
  return columnLetters(column + 1) + (row + 1);
}
