// A plan that is true for the sheet as it is: what it was read from has not moved meanwhile.

import { type Failure, isFailure } from '../analysis/failure';
import type { SheetPlatform } from '../platform/sheet-ports';
import type { Choice } from './choice';
import { headersOf } from './format-columns';
import type { Layout } from './our-columns';
import { type Plan, planOf, type RowPicker } from './preflight';
import { columnsThere, movedChoice } from './prepare-columns';
import { runProblem } from './problem';
import { productOf } from './result';
import type { View } from './view';
import { areStill, columnOrigins } from './whereabouts';

/** Columns that move while a list is read: more often than this they hardly will. */
const PLANS_MAX = 5;

/** A plan, and the choice it is true for in the sheet as it was seen right after. */
export interface Settled {
  readonly plan: Plan;
  readonly choice: Choice;
  readonly seen: View;
  /** Its columns, if none has to be made. */
  readonly there: Layout | Failure | null;
}

/** Columns may move while the list is read: then they are followed, and it is read again. */
export function settledPlan(
  platform: SheetPlatform,
  first: Choice,
  fallback: 'US' | 'UK',
  pick: RowPicker | undefined,
): Settled | Failure {
  const sheet = platform.spreadsheet.sheet(first.sheetId);
  let choice = first;
  for (let tries = 0; tries < PLANS_MAX; tries += 1) {
    const size = sheet?.size();
    const before = sheet && headersOf(sheet, choice.headerRow, size);
    const plan = planOf(platform, choice, fallback, pick, size);
    const seen = sheet && headersOf(sheet, choice.headerRow, size);
    if (before === null || seen === null) return isFailure(plan) ? plan : runProblem('sheet-gone');
    if (areStill(before, seen, choice.headerRow)) return checked(plan, choice, seen);
    choice = movedChoice(choice, columnOrigins(before, seen, choice.headerRow)) ?? choice;
  }
  return runProblem('restless', 'the headers');
}

/** The column was chosen a while ago: where nothing can be read, another one stands there by now. */
function checked(plan: Plan | Failure, choice: Choice, seen: View): Settled | Failure {
  if (isFailure(plan)) return plan;
  if (!plan.rows.some((row) => productOf(row) !== null)) return runProblem('no-rows');
  return { plan, choice, seen, there: columnsThere(choice, plan, seen) };
}
