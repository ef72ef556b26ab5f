// A spreadsheet as the world of people knows it: its cells, the columns by their developer metadata, and
// nothing of how the add-on works.

import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { tabIn } from '../seen';

/** The sheet with the list, and one that a person has beside it. */
export const LIST = 0;
export const OTHER = 1;

/** Where each column of the add-on or of an offer is, by its role. */
export interface ListView {
  readonly sheetId: number;
  /** 0: the list has lost the mark of its row of titles. */
  readonly headerRow: number;
  readonly columns: ReadonlyMap<string, number>;
  /** The person's own column of markets. */
  readonly marketColumn: number | null;
  readonly lastRow: number;
  readonly lastColumn: number;
}

interface Mark {
  readonly role?: string;
  readonly label?: string;
}

const markIn = (text: string | null): Mark =>
  text?.startsWith('{') ? (JSON.parse(text) as Mark) : {};

export function listView(grid: PlainGrid, sheetId: number): ListView {
  const columns = new Map<string, number>();
  let headerRow = 0;
  let marketColumn: number | null = null;
  for (const { sheetId: of, axis, value, rectangle } of featuresOf(grid).metadata()) {
    const { role, label } = markIn(value);
    if (of !== sheetId || role === undefined || !rectangle) continue;
    if (axis === 'row' && role === 'header') headerRow = rectangle.row;
    if (axis !== 'column') continue;
    // A person's column of markets and the figure "market" have one role.
    if (role === 'market' && label === undefined) marketColumn = rectangle.column;
    else if (!columns.has(role)) columns.set(role, rectangle.column);
  }
  return { sheetId, headerRow, columns, marketColumn, ...grid.size(sheetId) };
}

/** Columns of the Analysis tab, by what they hold. */
export function tabColumns(grid: PlainGrid): ReadonlyMap<string, number> {
  const tab = tabIn(grid);
  return new Map(
    featuresOf(grid)
      .metadata()
      .filter(({ sheetId, axis, rectangle }) => sheetId === tab && axis === 'column' && rectangle)
      .map(({ value, rectangle }) => [value ?? '', rectangle?.column ?? 0]),
  );
}

/** Columns of the add-on that nobody sees, beside those that read costs. */
const HIDDEN = [
  'helper',
  'costsRead',
  'mostLanded',
  'gainReasons',
  'reasons',
  'costTax',
  'saleTax',
];

/** Whether a column of this role is a hidden one of the add-on: nobody sees what happens there. */
export const isHiddenRole = (role: string): boolean =>
  HIDDEN.includes(role) || role.endsWith('Number');

/** What all used cells of a sheet hold. Rows and columns count from 0. */
export interface Cells {
  readonly values: readonly (readonly CellValue[])[];
  readonly formulas: readonly (readonly string[])[];
}

export function cellsOf(grid: PlainGrid, sheetId: number): Cells {
  const { lastRow, lastColumn } = grid.size(sheetId);
  const area = {
    ...{ row: 1, column: 1 },
    ...{ rowCount: Math.max(1, lastRow), columnCount: Math.max(1, lastColumn) },
  };
  return { values: grid.values(sheetId, area), formulas: grid.formulas(sheetId, area) };
}
