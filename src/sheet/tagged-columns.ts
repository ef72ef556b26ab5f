// The columns of a tab of ours: found by their tags wherever people moved them, added where they are
// missing, and finished where a script was cut off.

import { type Failure, isFailure, runProblem } from '../failures/failure';
import { type Area, areaOf, columnLetters } from '../google/cells';
import type { Metadata } from '../google/metadata';
import { coverByFilter } from '../google/presentation';
import type { Sheet, SheetSize } from '../google/sheet';
import { lastFilled, METADATA_KEY } from './own-tab';

export interface OwnColumns<Column extends string> {
  /** The tab, as messages name it. */
  readonly title: string;
  /** From left to right. */
  readonly columns: readonly Column[];
  readonly titleOf: (column: Column) => string;
  readonly formatOf: (column: Column) => string;
}

/** Columns by what they hold, and the block that they make up. */
export interface Layout<Column extends string = string> {
  readonly columns: ReadonlyMap<Column, number>;
  readonly first: number;
  readonly last: number;
  /** Right after the tab was made, its columns are known by their titles and not tagged yet. */
  readonly isRough?: true;
}

/**
 * Of several columns with one tag, the leftmost counts, and of several tags on one column, the one
 * of the column that stands further left in a new tab.
 */
function layoutOf<Column extends string>(
  { columns: all }: OwnColumns<Column>,
  metadata: readonly Metadata[],
): Layout<Column> {
  const columns = new Map<Column, number>();
  const taken = new Set<number>();
  for (const column of all) {
    const columnNumbers = metadata
      .filter(({ on, at, value }) => on === 'column' && value === column && !taken.has(at))
      .map(({ at }) => at);
    if (columnNumbers.length === 0) continue;
    columns.set(column, Math.min(...columnNumbers));
    taken.add(Math.min(...columnNumbers));
  }
  const columnNumbers = [...columns.values()];
  return { columns, first: Math.min(...columnNumbers), last: Math.max(...columnNumbers) };
}

export const isSameLayout = (a: Layout, b: Layout): boolean =>
  a.columns.size === b.columns.size &&
  [...a.columns].every(([column, at]) => b.columns.get(column) === at);

export const tabProtected = (title: string): Failure => runProblem('tab-protected', title);
export const tabKeepsChanging = (title: string): Failure =>
  runProblem('sheet-busy', `the tab "${title}"`);

/** Why rows cannot be written at once: a person's column stands between ours; null: they can. */
export function blockProblem({ columns, first, last }: Layout): Failure | null {
  const ours = new Set(columns.values());
  for (let column = first; column <= last; column += 1)
    if (!ours.has(column)) return runProblem('tab-columns', columnLetters(column));
  return null;
}

/** The layout of a tab that was made this moment. */
export const roughLayout = <Column extends string>(own: OwnColumns<Column>): Layout<Column> => ({
  ...layoutOf(own, tagsFrom(1, own.columns)),
  isRough: true,
});

const TRIES_MAX = 5;

/**
 * The layout with all columns; those that are missing are added at the right end of ours.
 *
 * @param finishes whether columns that have no more than their titles get formats and tags.
 */
export function completeColumns<Column extends string>(
  sheet: Sheet,
  own: OwnColumns<Column>,
  finishes = false,
): Layout<Column> | Failure {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const metadata = sheet.metadata(METADATA_KEY);
    if (metadata === null) return runProblem('sheet-gone');
    const layout = layoutOf(own, metadata);
    const missing = own.columns.filter((column) => !layout.columns.has(column));
    if (missing.length === 0) return layout;
    const titles = missing.map(own.titleOf);
    // Right after the tab was made; nothing else is measured then.
    const isNew = layout.columns.size === 0 && hasTitles(sheet, 1, titles);
    if (isNew && !finishes) return roughLayout(own);
    const size = sheet.size();
    if (size === null) return runProblem('sheet-gone');
    const first =
      titledAt(sheet, layout, titles, size) ?? addTitles(sheet, own, layout, titles, size);
    if (isFailure(first)) return first;
    finish(sheet, own, missing, first, size);
  }
  return tabKeepsChanging(own.title);
}

/** Where columns that are not tagged stand with their titles; null: they do not. */
function titledAt(
  sheet: Sheet,
  { columns, last }: Layout,
  titles: readonly string[],
  size: SheetSize,
): number | null {
  const first = columns.size === 0 ? lastFilled(sheet, size) + 1 - titles.length : last + 1;
  const isInside = first >= 1 && first + titles.length - 1 <= size.maxColumns;
  return isInside && hasTitles(sheet, first, titles) ? first : null;
}

/** Adds columns with titles. @returns the number of the first. */
function addTitles(
  sheet: Sheet,
  { title }: Pick<OwnColumns<string>, 'title'>,
  { columns, last }: Layout,
  titles: readonly string[],
  size: SheetSize,
): number | Failure {
  const isBare = columns.size === 0;
  const first = (isBare ? lastFilled(sheet, size) : last) + 1;
  const more = isBare ? first + titles.length - 1 - size.maxColumns : titles.length;
  const added = more > 0 ? sheet.addColumns(isBare ? size.maxColumns : last, more) : 'written';
  if (added === 'full') return runProblem('full');
  if (added === 'gone') return runProblem('sheet-gone');
  const written = added === 'written' ? sheet.write(titlesAt(first, titles), [titles]) : added;
  return written === 'protected' ? tabProtected(title) : first;
}

/** Formats, then tags: where that is cut off, it is done again. */
function finish<Column extends string>(
  sheet: Sheet,
  own: OwnColumns<Column>,
  missing: readonly Column[],
  first: number,
  { maxRows }: SheetSize,
): void {
  const titles = titlesAt(first, missing);
  const formats = Array.from({ length: maxRows }, () => missing.map(own.formatOf));
  sheet.setFormats({ ...titles, rowCount: maxRows }, formats);
  sheet.makeBold(titles);
  for (const tag of tagsFrom(first, missing)) sheet.addMetadata(METADATA_KEY, tag);
  moveTags(sheet, own, missing);
  // Sorted by a filter over all columns, rows stay whole.
  coverByFilter(sheet, { ...titles, rowCount: maxRows }, missing.length === own.columns.length);
}

/**
 * Columns that a person moved meanwhile may have got a neighbour's tag and format. Their titles were
 * written at once, so each column is what its title says.
 */
function moveTags<Column extends string>(
  sheet: Sheet,
  { titleOf, formatOf }: OwnColumns<Column>,
  missing: readonly Column[],
): void {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const metadata = sheet.metadata(METADATA_KEY) ?? [];
    const size = sheet.size();
    const [titles = []] = (size && sheet.values(areaOf(1, 1, 1, size.maxColumns))) ?? [];
    const astray = missing.flatMap((column) => {
      const tag = metadata.find(({ on, value }) => on === 'column' && value === column);
      const at = titles.indexOf(titleOf(column)) + 1;
      const isHere = at === 0 || tag === undefined || titles[tag.at - 1] === titleOf(column);
      return isHere ? [] : [{ column, tag, at }];
    });
    if (size === null || astray.length === 0) return;
    for (const { column, tag, at } of astray) {
      sheet.removeMetadata(METADATA_KEY, tag);
      sheet.addMetadata(METADATA_KEY, { ...tag, at });
      sheet.setFormat(areaOf(1, at, size.maxRows, 1), formatOf(column));
    }
  }
}

const titlesAt = (column: number, { length }: readonly unknown[]): Area =>
  areaOf(1, column, 1, length);

/** The tags of columns side by side. */
const tagsFrom = (first: number, columns: readonly string[]): readonly Metadata[] =>
  columns.map((value, right) => ({ on: 'column', at: first + right, value }));

function hasTitles(sheet: Sheet, column: number, titles: readonly string[]): boolean {
  const [row = []] = sheet.values(titlesAt(column, titles)) ?? [];
  return titles.every((title, at) => row[at] === title);
}
