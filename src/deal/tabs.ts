// Adds a tab to the spreadsheet, or says why not.

import { type Failure, runProblem } from '../failures/failure';
import { type MadeTab, makeTab, type NewTab } from '../google/new-tab';
import { refusalOf } from '../list/our-cells';

/** See `makeTab`. */
export function addTab(tab: NewTab): MadeTab | Failure {
  const made = makeTab(tab);
  return typeof made === 'string' ? (refusalOf(made) ?? runProblem('sheet-gone')) : made;
}
