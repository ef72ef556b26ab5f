// Where the Analysis tab, its columns and the cell that formulas name are by now: metadata and a name
// find them wherever people moved them.

import { HOUR } from '../failures/duration';
import { type Failure, fail, isFailure, runProblem } from '../failures/failure';
import { type Area, areaOf, columnLetters } from '../google/cells';
import { coverByFilter } from '../google/presentation';
import type { Metadata, Sheet, SheetSize, WriteOutcome } from '../google/sheet';
import { nameCell, namedCell } from '../google/spreadsheet';
import { MOMENT } from '../product/cell-formats';
import { lastFilled, METADATA_KEY, makeOwnTab, type OwnTab, ownTabs } from '../sheet/own-tab';
import { TAB_COLUMNS, type TabColumn, tabFormat, tabTitle } from './analysis-row';

const TAB: OwnTab = {
  mark: 'analysis',
  title: 'Analysis',
  titles: TAB_COLUMNS.map(tabTitle),
};

const WARNING = 'The add-on writes this tab. What you type here may be overwritten.';

/** Columns by what they hold, and the block that they make up. */
export interface Layout {
  readonly columns: ReadonlyMap<TabColumn, number>;
  readonly first: number;
  readonly last: number;
  /** Right after the tab was made, its columns are known by their titles: see `finishTab`. */
  readonly isRough?: true;
}

/**
 * Of several columns with one mark, the leftmost counts, and of several marks on one column, the one
 * of the column that stands further left in a new tab.
 */
function layoutOf(noted: readonly Metadata[]): Layout {
  const columns = new Map<TabColumn, number>();
  const taken = new Set<number>();
  for (const column of TAB_COLUMNS) {
    const places = noted
      .filter(({ on, at, value }) => on === 'column' && value === column && !taken.has(at))
      .map(({ at }) => at);
    if (places.length === 0) continue;
    columns.set(column, Math.min(...places));
    taken.add(Math.min(...places));
  }
  const places = [...columns.values()];
  return { columns, first: Math.min(...places), last: Math.max(...places) };
}

export const isSameLayout = (one: Layout, other: Layout): boolean =>
  TAB_COLUMNS.every((column) => one.columns.get(column) === other.columns.get(column));

/** The first column of a person's between ours; null: ours stand side by side. */
function columnBetween({ columns, first, last }: Layout): number | null {
  const ours = new Set(columns.values());
  for (let column = first; column <= last; column += 1) if (!ours.has(column)) return column;
  return null;
}

export const tabProtected = (): Failure => runProblem('tab-protected', TAB.title);
export const tabFull = (): Failure => runProblem('full');
export const tabGone = (): Failure => runProblem('sheet-gone');
export const tabRejects = (cell: string): Failure => runProblem('rejected', `${TAB.title}!${cell}`);
export const tabKeepsChanging = (): Failure => runProblem('sheet-busy', `the tab "${TAB.title}"`);

/** Of the tab and its copies, the first. */
export const markedTab = (): Sheet | null => ownTabs(TAB)[0] ?? null;

/** What only looks good may be done once the figures are in the sheet. */
export type Later = (chore: () => void) => void;

export const AT_ONCE: Later = (chore) => chore();

/** A tab that was made this moment. */
interface NewTab {
  readonly sheet: Sheet;
  readonly name: string;
  readonly layout: Layout;
}

/** Makes the tab. `finishTab` comes later, since it reads. */
export function addTab(): NewTab | Failure {
  const made = makeOwnTab(TAB);
  if (made === 'full') return tabFull();
  if (made === 'protected') return fail({ kind: 'protected' });
  if (made === 'gone') return tabGone();
  return { ...made, layout: roughLayout(1, TAB_COLUMNS) };
}

/** Gives a new tab what only looks good, and its columns their formats and marks. */
export function finishTab(sheet: Sheet): void {
  completeLayout(sheet, true);
  sheet.freezeDownTo(1);
  sheet.warnBeforeEdits(WARNING);
}

const roughLayout = (first: number, columns: readonly TabColumn[]): Layout => ({
  ...layoutOf(marksFrom(first, columns)),
  isRough: true,
});

const TRIES_MAX = 5;

/**
 * The layout with all columns; those that are missing are added at the right end of ours.
 *
 * @param finishes whether columns that have no more than their titles get formats and marks.
 */
export function completeLayout(sheet: Sheet, finishes = false): Layout | Failure {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const noted = sheet.metadata(METADATA_KEY);
    if (noted === null) return tabGone();
    const layout = layoutOf(noted);
    const missing = TAB_COLUMNS.filter((column) => !layout.columns.has(column));
    if (missing.length === 0) return layout;
    // Right after the tab was made; nothing else is measured then.
    const isNew = layout.columns.size === 0 && hasTitles(sheet, 1, missing);
    if (isNew && !finishes) return roughLayout(1, missing);
    const size = sheet.size();
    if (size === null) return tabGone();
    const first = titledAt(sheet, layout, missing, size) ?? addTitles(sheet, layout, missing, size);
    if (isFailure(first)) return first;
    finish(sheet, missing, first, size);
  }
  return tabKeepsChanging();
}

/** Why rows cannot be written at once: a person's column stands between ours. */
export function blockProblem(layout: Layout): Failure | null {
  const between = columnBetween(layout);
  return between === null ? null : runProblem('tab-columns', columnLetters(between));
}

/** Where columns that are not marked stand with their titles; null: they do not. */
function titledAt(
  sheet: Sheet,
  { columns, last }: Layout,
  missing: readonly TabColumn[],
  size: SheetSize,
): number | null {
  const first = columns.size === 0 ? lastFilled(sheet, size) + 1 - missing.length : last + 1;
  const isInside = first >= 1 && first + missing.length - 1 <= size.maxColumns;
  return isInside && hasTitles(sheet, first, missing) ? first : null;
}

/** Adds columns with titles. @returns the number of the first. */
function addTitles(
  sheet: Sheet,
  { columns, last }: Layout,
  missing: readonly TabColumn[],
  size: SheetSize,
): number | Failure {
  const first = columns.size === 0 ? lastFilled(sheet, size) + 1 : last + 1;
  const more = columns.size === 0 ? first + missing.length - 1 - size.maxColumns : missing.length;
  const added =
    more > 0 ? sheet.addColumns(columns.size === 0 ? size.maxColumns : last, more) : 'written';
  if (added === 'full') return tabFull();
  if (added === 'protected') return tabProtected();
  if (added === 'gone') return tabGone();
  return sheet.write(titlesAt(first, missing), [missing.map(tabTitle)]) === 'protected'
    ? tabProtected()
    : first;
}

/** Formats, then marks: where that is cut off, it is done again. */
function finish(
  sheet: Sheet,
  missing: readonly TabColumn[],
  first: number,
  { maxRows }: SheetSize,
): void {
  const titles = titlesAt(first, missing);
  const formats = Array.from({ length: maxRows }, () => missing.map(tabFormat));
  sheet.setFormats({ ...titles, rowCount: maxRows }, formats);
  sheet.makeBold(titles);
  for (const mark of marksFrom(first, missing)) sheet.addMetadata(METADATA_KEY, mark);
  moveMarks(sheet, missing);
  // Sorted by a filter over all columns, rows stay whole.
  coverByFilter(sheet, { ...titles, rowCount: maxRows }, missing.length === TAB_COLUMNS.length);
}

/**
 * Columns that a person moved meanwhile may have got a neighbour's mark and format. Their titles were
 * written at once, so each column is what its title says.
 */
function moveMarks(sheet: Sheet, missing: readonly TabColumn[]): void {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const noted = sheet.metadata(METADATA_KEY) ?? [];
    const size = sheet.size();
    const [titles = []] = (size && sheet.values(areaOf(1, 1, 1, size.maxColumns))) ?? [];
    const astray = missing.flatMap((column) => {
      const mark = noted.find(({ on, value }) => on === 'column' && value === column);
      const at = titles.indexOf(tabTitle(column)) + 1;
      const isHere = at === 0 || mark === undefined || titles[mark.at - 1] === tabTitle(column);
      return isHere ? [] : [{ column, mark, at }];
    });
    if (size === null || astray.length === 0) return;
    for (const { column, mark, at } of astray) {
      sheet.removeMetadata(METADATA_KEY, mark);
      sheet.addMetadata(METADATA_KEY, { ...mark, at });
      sheet.setFormat(areaOf(1, at, size.maxRows, 1), tabFormat(column));
    }
  }
}

const titlesAt = (column: number, { length }: readonly TabColumn[]): Area =>
  areaOf(1, column, 1, length);

/** The marks of columns side by side. */
const marksFrom = (first: number, columns: readonly TabColumn[]): readonly Metadata[] =>
  columns.map((value, right) => ({ on: 'column', at: first + right, value }));

function hasTitles(sheet: Sheet, column: number, missing: readonly TabColumn[]): boolean {
  const [titles = []] = sheet.values(titlesAt(column, missing)) ?? [];
  return missing.every((one, at) => titles[at] === tabTitle(one));
}

/**
 * What formulas call the cell that they name as their refresh argument. It says how old their figures
 * may be, and when it changes, they are all calculated again: =ANALYZE(A2;"US";;ANALYZE_REFRESH)
 */
export const REFRESH_NAME = 'ANALYZE_REFRESH';

const REFRESH_LABEL = 'Formulas show figures since';

/** A blank column keeps it out of a filter over the rows. */
const GAP_COLUMNS = 1;

export interface RefreshCell {
  /** ms since 1970; null: it was never set, or a person has typed something that is no date. */
  atMs(): number | null;
  set(atMs: number): WriteOutcome;
}

/** Finds the cell by its name; null: it was never made, or a person has deleted it. */
export function findRefreshCell(): RefreshCell | null {
  const place = namedCell(REFRESH_NAME);
  if (place === null) return null;
  const { sheet, area } = place;
  const cell = areaOf(area.row, area.column);
  const atMs = () => {
    const shown = sheet.values(cell)?.[0]?.[0];
    return shown instanceof Date ? shown.getTime() : null;
  };
  const write = (ms: number) => sheet.write(cell, [[new Date(ms)]]);
  return {
    atMs,
    set(ms) {
      const outcome = write(ms);
      // In the hour that the clocks repeat, a cell may show the later of two moments, for which no
      // answer would be recent enough.
      return Number(atMs()) > ms ? write(ms - HOUR) : outcome;
    },
  };
}

/**
 * Puts it into the first row of the Analysis tab, which people neither sort nor delete, if no cell has
 * its name. Where the tab is protected or full, it stays missing.
 */
export function ensureRefreshCell(sheet: Sheet): void {
  if (findRefreshCell() !== null) return;
  const size = sheet.size();
  if (size === null) return;
  const place = (column: number) => areaOf(1, column);
  const last = lastFilled(sheet, size);
  // A label without its cell was left by a script that was cut off.
  const isLabelled = last > 0 && sheet.values(place(last))?.[0]?.[0] === REFRESH_LABEL;
  const column = isLabelled ? last : last + GAP_COLUMNS + 1;
  const missing = column + 1 - size.maxColumns;
  if (missing > 0 && sheet.addColumns(size.maxColumns, missing) !== 'written') return;
  if (sheet.write(place(column), [[REFRESH_LABEL]]) !== 'written') return;
  sheet.setFormat(place(column + 1), MOMENT);
  nameCell(REFRESH_NAME, sheet, place(column + 1));
}
