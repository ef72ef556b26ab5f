// Creates tabs of the spreadsheet from a description, and changes cells of a tab for the page.

import * as z from 'zod/mini';
import { type Failure, fail, runProblem } from '../failures/failure';
import { type Fits, lazySchema } from '../platform/lazy-schema';
import type { NewTab } from '../platform/new-tab';
import type { GrowthOutcome, Presentation, SheetPlatform } from '../platform/ports';
import {
  addressSchema,
  cellSchema,
  cellTextSchema,
  sheetIdSchema,
} from '../platform/sheet-schemas';

export interface DealPlatform extends SheetPlatform {
  readonly presentation: Presentation;
}

/** The failure of a write; null: it succeeded. */
export function refusalOf(outcome: GrowthOutcome): Failure | null {
  if (outcome === 'written') return null;
  if (outcome === 'protected') return fail({ kind: 'protected' });
  return outcome === 'full' ? runProblem('full') : runProblem('sheet-gone');
}

export interface MadeTab {
  readonly sheetId: number;
  readonly name: string;
}

/**
 * Creates a tab. If a tab already has the first of its names, that tab stays unless the new one is
 * to replace it.
 */
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

/** New values for a tab, applied only if other cells still hold what was seen. */
export const cellChangesSchema = lazySchema(() =>
  z.strictObject({
    sheetId: sheetIdSchema(),
    seen: z.array(z.strictObject({ at: addressSchema(), value: cellTextSchema() })),
    cells: z.array(z.strictObject({ at: addressSchema(), value: cellSchema() })),
  }),
);

export type CellChanges = Fits<typeof cellChangesSchema>;

export function changeCells(
  { presentation, spreadsheet }: DealPlatform,
  { sheetId, seen, cells }: CellChanges,
): Failure | null {
  const sheet = spreadsheet.sheet(sheetId);
  if (sheet === null) return runProblem('sheet-gone');
  const shown = presentation.shownIn(
    sheetId,
    seen.map(({ at }) => at),
  );
  const moved = seen.find(({ value }, at) => shown[at] !== value);
  if (moved !== undefined) return runProblem('look-again', moved.value);
  let rejected = '';
  const outcome = presentation.setCells(sheetId, cells, (cell) => {
    rejected = cell;
  });
  if (rejected !== '') return runProblem('rejected', rejected);
  return refusalOf(outcome);
}
