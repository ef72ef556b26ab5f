// Tabs of the spreadsheet that are made of a description, and cells that a page changes in them.

import { type Failure, runProblem } from '../failures/failure';
import type { NewTab } from '../platform/ports';
import { type DealPlatform, type Done, refusalOf } from './list';

export interface MadeTab {
  readonly sheetId: number;
  readonly name: string;
}

/** The tab that has the first of its names already stays as it is, unless it is to be replaced. */
export function makeTab(
  { spreadsheet, presentation }: DealPlatform,
  tab: NewTab,
): MadeTab | Failure {
  const [first] = tab.names;
  const there = first ? presentation.sheetOfName(first.name) : null;
  if (there !== null && !tab.replaces)
    return { sheetId: there, name: spreadsheet.sheet(there)?.name() ?? '' };
  const made = presentation.add(tab, there);
  return typeof made === 'string' ? (refusalOf(made) ?? runProblem('sheet-gone')) : made;
}

/** Cells of a tab that get new values or new rows, if others still hold what was seen in them. */
export interface CellChanges {
  readonly sheetId: number;
  readonly seen: readonly { readonly at: string; readonly value: string }[];
  readonly cells: readonly { readonly at: string; readonly value: string | number | boolean }[];
  /** All of one length, from the first column on: they come in below the first row. */
  readonly rows?: readonly (readonly (string | number | boolean)[])[];
}

export function changeCells(
  { presentation, spreadsheet }: DealPlatform,
  { sheetId, seen, cells, rows = [] }: CellChanges,
): Done | Failure {
  const sheet = spreadsheet.sheet(sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const shown = presentation.shownIn(
    sheetId,
    seen.map(({ at }) => at),
  );
  const moved = seen.find(({ value }, at) => shown[at] !== value);
  if (moved !== undefined) return runProblem('look-again', moved.value);
  const rowCount = rows.length;
  if (rowCount > 0) {
    const inserted = sheet.insertRows(2, rowCount);
    const area = { row: 2, column: 1, rowCount, columnCount: rows[0]?.length ?? 1 };
    const problem = refusalOf(inserted === 'written' ? sheet.write(area, rows) : inserted);
    if (problem !== null) return problem;
  }
  let rejected = '';
  const outcome = presentation.setCells(sheetId, cells, (cell) => {
    rejected = cell;
  });
  if (rejected !== '') return runProblem('rejected', rejected);
  return refusalOf(outcome) ?? { rows: cells.length };
}
