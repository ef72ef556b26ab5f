// For the tests of SpreadsheetApp: a few lines of script run on a plain grid, and their result.

import type { HostDocument } from '../../../src/document';
import type { Execution, HostOptions } from '../../../src/host';
import type { CellContent, CellValue, Matrix } from '../../../src/sheet/model';
import {
  createPlainGrid,
  type PlainGrid,
  type PlainGridOptions,
} from '../../../src/sheet/plain-grid';
import { outcomeOf, resultOf } from '../../script-host';

export const OWNER = 'owner@example.com';

export function gridOf(
  contents: Matrix<CellContent> = [],
  options: PlainGridOptions = {},
): PlainGrid {
  const grid = createPlainGrid({ sheetName: 'List', ...options });
  if (contents.length > 0) grid.write(0, 1, 1, contents);
  return grid;
}

export function documentOf(model: PlainGrid): HostDocument {
  return { id: 'doc-1', name: 'Products', ownerEmail: OWNER, editors: ['ann@example.com'], model };
}

export function inSheet(body: string): string {
  return `function f() {
    const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
    const sheet = spreadsheet.getSheets()[0];
    ${body}
  }`;
}

/** What the body returns that has `spreadsheet` and its first `sheet` at hand. */
export function on(
  grid: PlainGrid,
  body: string,
  execution: Partial<Execution> = {},
  options: Partial<HostOptions> = {},
): Promise<unknown> {
  return resultOf(inSheet(body), execution, { documents: [documentOf(grid)], ...options });
}

export async function errorOn(
  grid: PlainGrid,
  body: string,
  execution: Partial<Execution> = {},
  options: Partial<HostOptions> = {},
): Promise<string | undefined> {
  const world = { documents: [documentOf(grid)], ...options };
  return (await outcomeOf(inSheet(body), execution, world)).error?.message;
}

/** The grid's used cells. */
export function contentsOf(grid: PlainGrid): CellValue[][] {
  const { lastRow, lastColumn } = grid.size(0);
  if (lastRow === 0) return [];
  return grid.values(0, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
}
