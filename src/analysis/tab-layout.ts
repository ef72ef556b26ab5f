// Where the Analysis tab and its columns are by now: metadata finds them wherever people moved them.

import { type Failure, fail, runProblem } from '../failures/failure';
import {
  columnLetters,
  type Later,
  type Metadata,
  NEW_SHEET,
  type Sheet,
  type SheetPlatform,
  type SheetSize,
} from '../platform/ports';
import { TAB_COLUMNS, type TabColumn, tabFormat, tabTitle } from './analysis-row';

/** The key of all metadata of ours, in this tab and in lists. */
export const METADATA_KEY = 'product-analysis';

/** What the tab's sheet is marked with. */
const TAB_MARK = 'analysis';

const TITLE = 'Analysis';

const WARNING = 'The add-on writes this tab. What you type here may be overwritten.';

/** Columns by what they hold, and the block that they make up. */
export interface Layout {
  readonly columns: ReadonlyMap<TabColumn, number>;
  readonly first: number;
  readonly last: number;
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

export const tabProtected = (): Failure => runProblem('tab-protected', TITLE);
export const tabFull = (): Failure => runProblem('full');
export const tabGone = (): Failure => runProblem('sheet-gone');
export const tabRejects = (cell: string): Failure => runProblem('rejected', `${TITLE}!${cell}`);
export const tabKeepsChanging = (): Failure => runProblem('sheet-busy', `the tab "${TITLE}"`);

/** Of the tab and its copies, the first. */
export const markedTab = ({ spreadsheet }: Pick<SheetPlatform, 'spreadsheet'>): Sheet | null =>
  spreadsheet
    .withMetadata(METADATA_KEY)
    .find((sheet) =>
      sheet.metadata(METADATA_KEY)?.some(({ on, value }) => on === 'sheet' && value === TAB_MARK),
    ) ?? null;

/** The sheet if it is empty, as one that was added and not marked because the script was cut off. */
export function emptyTab(sheet: Sheet | null): Sheet | null {
  const size = sheet?.size() ?? null;
  return sheet !== null && size !== null && lastFilled(sheet, size) === 0 ? sheet : null;
}

/** A tab that was made this moment. */
interface NewTab {
  readonly sheet: Sheet;
  readonly name: string;
  readonly layout: Layout;
}

/**
 * Makes the tab. Nothing is read of it: a read waits for all that was written before, which then
 * reaches the sheet together with the first rows. For the same reason titles and formats come last.
 */
export function addTab(
  { spreadsheet }: Pick<SheetPlatform, 'spreadsheet'>,
  later: Later,
): NewTab | Failure {
  const left = emptyTab(spreadsheet.named(TITLE));
  const sheet = left ?? spreadsheet.add(TITLE);
  if (sheet === 'full') return tabFull();
  if (sheet === 'protected') return fail({ kind: 'protected' });
  const marked = sheet.addMetadata(METADATA_KEY, { on: 'sheet', at: 0, value: TAB_MARK });
  const name = sheet.name();
  if (marked !== 'written' || name === null) return tabGone();
  const problem = addColumns(
    sheet,
    layoutOf([]),
    TAB_COLUMNS,
    left === null ? NEW_SHEET : left.size(),
  );
  if (problem !== null) return problem;
  sheet.makeBold({ row: 1, column: 1, rowCount: 1, columnCount: TAB_COLUMNS.length });
  later(() => {
    sheet.freezeDownTo(1);
    sheet.warnBeforeEdits(WARNING);
  });
  const columns = new Map(TAB_COLUMNS.map((column, at) => [column, at + 1] as const));
  return { sheet, name, layout: { columns, first: 1, last: TAB_COLUMNS.length } };
}

const TRIES_MAX = 5;

/** The layout with all columns; those that are missing are added at the right end of ours. */
export function completeLayout(sheet: Sheet): Layout | Failure {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const noted = sheet.metadata(METADATA_KEY);
    if (noted === null) return tabGone();
    const layout = layoutOf(noted);
    const missing = TAB_COLUMNS.filter((column) => !layout.columns.has(column));
    if (missing.length === 0) return layout;
    const problem = addColumns(sheet, layout, missing);
    if (problem !== null) return problem;
  }
  return tabKeepsChanging();
}

/** Why rows cannot be written at once: a person's column stands between ours. */
export function blockProblem(layout: Layout): Failure | null {
  const between = columnBetween(layout);
  return between === null ? null : runProblem('tab-columns', columnLetters(between));
}

function addColumns(
  sheet: Sheet,
  { columns, last }: Layout,
  missing: readonly TabColumn[],
  size = sheet.size(),
): Failure | null {
  if (size === null) return tabGone();
  const first = columns.size === 0 ? lastFilled(sheet, size) + 1 : last + 1;
  // Marked last: where this was cut off before, the columns stand there with their titles.
  const before = columns.size === 0 ? first - missing.length : first;
  if (hasTitles(sheet, size, before, missing)) return markColumns(sheet, before, missing);
  const more = columns.size === 0 ? first + missing.length - 1 - size.maxColumns : missing.length;
  const added =
    more > 0 ? sheet.addColumns(columns.size === 0 ? size.maxColumns : last, more) : 'written';
  if (added === 'full') return tabFull();
  if (added === 'protected') return tabProtected();
  if (added !== 'written') return null;
  const titles = { row: 1, column: first, rowCount: 1, columnCount: missing.length };
  if (sheet.write(titles, [missing.map(tabTitle)]) === 'protected') return tabProtected();
  const formats = Array.from({ length: size.maxRows }, () => missing.map(tabFormat));
  sheet.setFormats({ ...titles, rowCount: size.maxRows }, formats);
  return markColumns(sheet, first, missing);
}

function markColumns(sheet: Sheet, first: number, missing: readonly TabColumn[]): null {
  for (const [right, value] of missing.entries())
    sheet.addMetadata(METADATA_KEY, { on: 'column', at: first + right, value });
  return null;
}

function hasTitles(
  sheet: Sheet,
  { maxColumns }: SheetSize,
  column: number,
  missing: readonly TabColumn[],
): boolean {
  if (column < 1 || column + missing.length - 1 > maxColumns) return false;
  const area = { row: 1, column, rowCount: 1, columnCount: missing.length };
  const [titles = []] = sheet.values(area) ?? [];
  return missing.every((one, at) => titles[at] === tabTitle(one));
}

/** The last column with content; 0 in an empty sheet, whose only filled cell is A1 for Sheets. */
function lastFilled(sheet: Sheet, { lastRow, lastColumn }: SheetSize): number {
  if (lastRow !== 1 || lastColumn !== 1) return lastColumn;
  const corner = sheet.values({ row: 1, column: 1, rowCount: 1, columnCount: 1 });
  return corner?.[0]?.[0] === '' ? 0 : lastColumn;
}
