// A tab of ours: known by its tag, whatever people call it and wherever they move it, and made whole or
// not at all. One that a script left behind when it was cut off is finished by the next.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { areaOf } from '../google/cells';
import { copyAsValues, deleteNewTab, type MadeTab, makeTab, type NewTab } from '../google/new-tab';
import { type GrowthOutcome, NEW_SHEET, type Sheet, type SheetSize } from '../google/sheet';
import { activeSheet, addSheet, sheetById, sheetNamed, sheetsTagged } from '../google/spreadsheet';
import { refusalOf } from './refusal';

/** The key of all metadata of ours, in these tabs and in lists. */
export const METADATA_KEY = 'product-analysis';

export interface OwnTab {
  readonly tag: string;
  /** Of a new one; it gets a number if another sheet has it. */
  readonly title: string;
  /** From A1 to the right. */
  readonly titles: readonly string[];
}

/** The tab and its copies, in their order. */
export const ownTabs = ({ tag }: OwnTab): readonly Sheet[] => sheetsTagged(METADATA_KEY, tag);

/**
 * Makes the tab with its titles and then its tag, where there is none. Nothing is read of a new sheet: a
 * read would wait for what was written before, which otherwise reaches the sheet with the first rows.
 */
export function makeOwnTab({ tag, title, titles }: OwnTab): MadeOwnTab | GrowthRefusal {
  const named = sheetNamed(title);
  const left = named !== null && isLeftBehind(named, titles) ? named : null;
  const sheet = left ?? addSheet(title);
  if (typeof sheet === 'string') return sheet;
  const size = left === null ? NEW_SHEET : sheet.size();
  if (size === null) return 'gone';
  const lacking = titles.length - size.maxColumns;
  const grown = lacking > 0 ? sheet.addColumns(size.maxColumns, lacking) : 'written';
  if (grown !== 'written') return grown;
  const written = sheet.write(areaOf(1, 1, 1, titles.length), [titles]);
  if (written !== 'written') return written;
  const tagged = sheet.addMetadata(METADATA_KEY, { on: 'sheet', at: 0, value: tag });
  // Reading the name takes longer than knowing it.
  return tagged === 'written'
    ? { sheet, name: named === null ? title : (sheet.name() ?? '') }
    : tagged;
}

type GrowthRefusal = Exclude<GrowthOutcome, 'written'>;

interface MadeOwnTab {
  readonly sheet: Sheet;
  readonly name: string;
}

/** Whether a sheet is empty or begins with these titles, as one whose making was cut off. */
function isLeftBehind(sheet: Sheet, titles: readonly string[]): boolean {
  const size = sheet.size();
  if (size === null) return false;
  const [row = []] = sheet.values(areaOf(1, 1, 1, size.maxColumns)) ?? [];
  return lastFilled(sheet, size) === 0 || titles.every((text, at) => row[at] === text);
}

/** The last column with content; 0 in an empty sheet, whose only filled cell is A1 for Sheets. */
export function lastFilled(sheet: Sheet, { lastRow, lastColumn }: SheetSize): number {
  if (lastRow !== 1 || lastColumn !== 1) return lastColumn;
  const corner = sheet.values(areaOf(1, 1));
  return corner?.[0]?.[0] === '' ? 0 : lastColumn;
}

/** Adds a tab as it is described, unless one has the first of its names that it does not replace. */
export const addTab = (tab: NewTab): MadeTab | Failure => madeTab(makeTab(tab));

/** Notes in a tab what it was made of. Without that it is only not found again. */
export const tagTab = ({ sheetId }: MadeTab, value: string) =>
  sheetById(sheetId)?.addMetadata(METADATA_KEY, { on: 'sheet', at: 0, value });

/** Adds a tab and fills it; where that fails, it is taken away again. */
export function addFilledTab(
  tab: NewTab,
  fill: (made: MadeTab) => Failure | null,
): MadeTab | Failure {
  const onView = activeSheet().id;
  const made = addTab(tab);
  if (isFailure(made)) return made;
  const undo = () => deleteNewTab(made.sheetId, onView);
  try {
    const problem = fill(made);
    if (problem === null) return made;
    undo();
    return problem;
  } catch (error) {
    undo();
    throw error;
  }
}

/** A copy of a sheet to give away: plain values, and no list of ours. */
export const addCopyOfValues = (sheet: Sheet): MadeTab | Failure =>
  madeTab(copyAsValues(sheet, METADATA_KEY));

const madeTab = (made: MadeTab | 'protected' | 'full'): MadeTab | Failure =>
  typeof made === 'string' ? (refusalOf(made) ?? runProblem('sheet-gone')) : made;
