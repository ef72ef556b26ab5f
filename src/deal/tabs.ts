// Creates tabs of the spreadsheet from a description, and changes cells of a tab for the page.

import * as z from 'zod/mini';
import { type Failure, runProblem } from '../failures/failure';
import { addNewTab, type NewTab } from '../google/new-tab';
import { addressSchema, cellSchema, cellTextSchema, sheetIdSchema } from '../google/sheet-schemas';
import { namedCell, sheetById } from '../google/spreadsheet';
import { refusalOf } from '../list/lookup-cells';
import { type Fits, lazySchema } from '../schema/stored-record';

export interface MadeTab {
  readonly sheetId: number;
  readonly name: string;
}

/**
 * Creates a tab. If a tab already has the first of its names, that tab stays unless the new one is
 * to replace it.
 */
export function makeTab(tab: NewTab): MadeTab | Failure {
  const [first] = tab.names;
  const there = (first && namedCell(first.name)?.sheet) ?? null;
  if (there !== null && !tab.replaces) return { sheetId: there.id, name: there.name() ?? '' };
  const made = addNewTab(tab, there?.id ?? null);
  return typeof made === 'string' ? (refusalOf(made) ?? runProblem('sheet-gone')) : made;
}

/** New values for a tab, applied only if other cells still hold what was seen. */
export const cellChangesSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    seen: z.array(z.strictObject({ at: addressSchema(), value: cellTextSchema() })),
    cells: z.array(z.strictObject({ at: addressSchema(), value: cellSchema() })),
  }),
);

export type CellChanges = Fits<typeof cellChangesSchema>;

export function changeCells({ sheetId, seen, cells }: CellChanges): Failure | null {
  const sheet = sheetById(sheetId);
  const shown = sheet?.shownAt(seen.map(({ at }) => at)) ?? null;
  if (sheet === null || shown === null) return runProblem('sheet-gone');
  const moved = seen.find(({ value }, at) => shown[at] !== value);
  if (moved !== undefined) return runProblem('look-again', moved.value);
  const outcome = sheet.writeAt(cells);
  const rejected = sheet.rejected();
  return rejected === null ? refusalOf(outcome) : runProblem('rejected', rejected);
}
