// Adds a tab to the spreadsheet, or says why not.

import { METADATA_KEY } from '../analysis/tab-layout';
import { type Failure, runProblem } from '../failures/failure';
import { copyAsValues, type MadeTab, makeTab, type NewTab } from '../google/new-tab';
import type { Sheet } from '../google/sheet';
import { refusalOf } from '../list/our-cells';

/** See `makeTab`. */
export const addTab = (tab: NewTab): MadeTab | Failure => madeTab(makeTab(tab));

/** A copy of a list's sheet to give away: plain values, and no list of ours. See `copyAsValues`. */
export const addCopyOfValues = (sheet: Sheet): MadeTab | Failure =>
  madeTab(copyAsValues(sheet, METADATA_KEY));

const madeTab = (made: MadeTab | 'protected' | 'full'): MadeTab | Failure =>
  typeof made === 'string' ? (refusalOf(made) ?? runProblem('sheet-gone')) : made;
