// What every sheet model has to do, whatever is behind it: one suite, run on each of them.

import { describe } from '@jest/globals';
import type { SheetModel } from '../../src/sheet/model';
import { describeContents, describeFormats, describeLimits } from './sheet-model/contents';
import {
  describeDropdowns,
  describeFilters,
  describeHiding,
  describeMerges,
  describeMissing,
  describeNotesAndLinks,
  describeProtection,
  type Missing,
} from './sheet-model/marks';
import {
  describeEdges,
  describeFormulasThatFollow,
  describeMoves,
  describeSorting,
} from './sheet-model/moves';
import { describeListening, describeTabs } from './sheet-model/tabs';

/** `missing` is what the model does without. `create` makes a new spreadsheet in UTC with one empty sheet, Sheet1, of 1,000 × 26 cells. */
export function describeSheetModel(
  name: string,
  create: () => SheetModel,
  missing: readonly Missing[] = [],
): void {
  describe(name, () => {
    describeTabs(create);
    describeContents(create);
    describeLimits(create);
    describeFormats(create);
    describeMoves(create);
    describeEdges(create);
    describeFormulasThatFollow(create);
    describeSorting(create);
    describeListening(create);
    describeHiding(create);
    describeMerges(create);
    describeFilters(create);
    describeDropdowns(create);
    if (!missing.includes('protection')) describeProtection(create);
    if (!missing.includes('notes') && !missing.includes('links')) describeNotesAndLinks(create);
    if (missing.length > 0) describeMissing(create, missing);
  });
}
