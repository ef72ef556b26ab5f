// A log: a tab of ours with one line in each row, the newest ones at the top. What else is in the sheet
// belongs to people.

import { areaOf, type SheetCell, stretches } from '../google/cells';
import type { GrowthOutcome, Sheet, SheetSize } from '../google/sheet';
import { isBlank } from '../product/asin';
import { makeOwnTab, type OwnTab, ownTabs } from './own-tab';

export interface LogTab extends OwnTab {
  /** Of the first column, in pixels. The others are as in any new sheet. */
  readonly firstWidth: number;
  /** Lines are deleted once there are more. */
  readonly linesMax: number;
  /** Those of the lines that stay then. */
  readonly staying: (lines: readonly LineCells[]) => ReadonlySet<LineCells>;
}

/** From the first column to the right, also what people have put beside the line. */
export type LineCells = readonly SheetCell[];

export interface NewLine {
  readonly cells: LineCells;
  readonly formats: readonly string[];
}

/** The number of rows that people may have inserted above the titles. */
const ABOVE_MAX = 10;

/** The log as it is in a sheet: the first row with its titles is followed by the lines. */
interface Log extends SheetSize {
  readonly sheet: Sheet;
  readonly titleRow: number;
}

/**
 * Adds lines right under the titles of the log, which is made with the first ones. The caller holds the
 * lease, since two executions that insert rows could overwrite each other's.
 */
export function addLines(tab: LogTab, lines: readonly NewLine[]): GrowthOutcome {
  const log = existingLog(tab) ?? makeLog(tab);
  if (typeof log === 'string') return log;
  const { sheet, titleRow, lastRow, maxRows } = log;
  const columnCount = tab.titles.length;
  const first = titleRow + 1;
  const below = areaOf(first, 1, Math.max(1, maxRows - titleRow), columnCount);
  if (!sheet.canEdit(below)) return 'protected';
  const area = { ...below, rowCount: lines.length };
  const steps = [
    () => sheet.insertRows(first, lines.length),
    () =>
      sheet.setFormats(
        area,
        lines.map(({ formats }) => formats),
      ),
    () =>
      sheet.write(
        area,
        lines.map(({ cells }) => cells),
      ),
  ];
  for (const step of steps) {
    const outcome = step();
    if (outcome !== 'written') return outcome;
  }
  // Only a read makes sure that buffered writes are carried out.
  if (sheet.values(areaOf(first, 1)) === null) return 'gone';
  const count = lastRow - titleRow + lines.length;
  if (count > tab.linesMax) trim(tab, log, count);
  return 'written';
}

/** The lines as they stand there, from the top; none if there is no log. */
export function readLines(tab: LogTab): readonly LineCells[] {
  const log = existingLog(tab);
  const rowCount = log === null ? 0 : log.lastRow - log.titleRow;
  if (log === null || rowCount <= 0) return [];
  const cells = log.sheet.values(areaOf(log.titleRow + 1, 1, rowCount, tab.titles.length));
  return cells?.filter(isLine) ?? [];
}

/** A line begins with the moment at which it was written: of what a cell can hold, only dates are objects. */
const isLine = ([when]: LineCells): boolean => typeof when === 'object';

/** A log that has lost its titles is left alone, and a new one is made. */
function existingLog(tab: LogTab): Log | null {
  for (const sheet of ownTabs(tab)) {
    const log = logIn(sheet, tab);
    if (log !== null) return log;
  }
  return null;
}

function makeLog(tab: LogTab): Log | Exclude<GrowthOutcome, 'written'> {
  const made = makeOwnTab(tab);
  if (typeof made === 'string') return made;
  // With the titles as their own model, only the width of the column changes, and their row is frozen.
  made.sheet.styleColumns(1, 1, [tab.firstWidth], 1);
  return logIn(made.sheet, tab) ?? 'gone';
}

function logIn(sheet: Sheet, { titles }: LogTab): Log | null {
  const size = sheet.size();
  if (size === null || size.maxColumns < titles.length) return null;
  const top = sheet.values(areaOf(1, 1, Math.min(ABOVE_MAX, size.maxRows), titles.length)) ?? [];
  const isTitled = (row: LineCells) =>
    titles.every((title, at) => String(row[at]).trim() === title);
  const titleRow = top.findIndex(isTitled) + 1;
  return titleRow === 0 ? null : { sheet, titleRow, ...size };
}

/**
 * Deletes lines that do not stay, and the rows that an execution left blank which was cut off before it
 * wrote. People may sort the log, so its order does not tell which lines are old.
 */
function trim(
  { titles, staying }: LogTab,
  { sheet, titleRow, lastColumn }: Log,
  count: number,
): void {
  const first = titleRow + 1;
  const rows = sheet.values(areaOf(first, 1, count, lastColumn)) ?? [];
  const stays = staying(rows.filter(isLine));
  const going = rows.flatMap((cells, at) => {
    const ownCells = isLine(cells) && !stays.has(cells) ? titles.length : 0;
    return cells.slice(ownCells).every(isBlank) ? [first + at] : [];
  });
  // From the bottom up, because rows below a deleted row move up.
  for (const [top, ...rest] of [...stretches(going, (row) => row)].reverse())
    sheet.deleteRows(top, rest.length + 1);
}
