// Selects rows in the sheet for a person who wants to see them, wherever they are now.

import { type Failure, runProblem } from '../failures/failure';
import { areaOf, stretches } from '../google/cells';
import type { Sheet } from '../google/sheet';
import { activeSheet, selectedAreas, sheetById } from '../google/spreadsheet';
import { shownOf } from './rows';

/** The most areas that are selected at once; further ones are left out. */
const AREAS_MAX = 100;

/** Selects as many of the rows as possible and returns their number. */
export function showRows(sheet: Sheet | null, rows: readonly number[]): number | Failure {
  const size = sheet?.size();
  if (!sheet || !size) return runProblem('sheet-gone');
  const ascending = [...new Set(rows)].sort((a, b) => a - b);
  const columnCount = Math.max(1, size.lastColumn);
  const shown = stretches(ascending, (row) => row)
    .map((stretch) => areaOf(stretch[0], 1, stretch.length, columnCount))
    .slice(0, AREAS_MAX);
  sheet.select(shown);
  return shown.reduce((total, { rowCount }) => total + rowCount, 0);
}

/** Brings a sheet into view. */
export function showSheet(id: number): Failure | null {
  const sheet = sheetById(id);
  sheet?.show();
  return sheet === null ? runProblem('sheet-gone') : null;
}

export interface SelectedRows {
  readonly sheetId: number;
  /** The first and the last one. */
  readonly rows: readonly [number, number];
  /** What a column shows in the first of them. */
  readonly shown: string;
}

/** null: nothing is selected. @param column whose cell is read. */
export function selectedRows(column: number): SelectedRows | null {
  const sheet = activeSheet();
  const [area] = selectedAreas();
  if (area === undefined) return null;
  const { row, rowCount } = area;
  const [cells = []] = sheet.values(areaOf(row, column)) ?? [];
  return { sheetId: sheet.id, rows: [row, row + rowCount - 1], shown: shownOf(cells[0]) };
}

/** Selects rows of a preview. A row that has changed since is searched for by its former content. */
export function showListed(
  { sheetId, productColumn }: { readonly sheetId: number; readonly productColumn: number },
  rows: readonly { readonly row: number; readonly shown: string }[],
): number | Failure {
  const sheet = sheetById(sheetId);
  const rowCount = sheet?.size()?.lastRow ?? 0;
  const cells = (rowCount > 0 && sheet?.values(areaOf(1, productColumn, rowCount))) || [];
  const texts = cells.map(([cell]) => shownOf(cell));
  const isThere = ({ row, shown }: (typeof rows)[number]) => texts[row - 1] === shown;
  const moved = new Set(rows.filter((listed) => !isThere(listed)).map(({ shown }) => shown));
  const found = texts.flatMap((text, at) => (moved.has(text) ? [at + 1] : []));
  return showRows(sheet, [...rows.filter(isThere).map(({ row }) => row), ...found]);
}
