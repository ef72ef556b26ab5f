// What a write that was refused is called.

import { type Failure, fail, runProblem } from '../failures/failure';
import { type Area, addressOf } from '../google/cells';
import type { GrowthOutcome } from '../google/sheet';

/** Why nothing was written; null: it was. @param area names the cells that may be protected. */
export function refusalOf(outcome: GrowthOutcome, area?: Area): Failure | null {
  if (outcome === 'protected')
    return fail({ kind: 'protected', ...(area && { cells: addressOf(area) }) });
  if (outcome === 'full') return runProblem('full');
  return outcome === 'gone' ? runProblem('sheet-gone') : null;
}
