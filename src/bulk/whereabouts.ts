// Where the columns of a view have come from since an earlier one, told by titles that stand there once. Pure.

import type { SheetCell } from '../platform/sheet-ports';
import type { View } from './view';

/** By present place the earlier one; what is new, or cannot be told, is not in it. */
export type Origins = ReadonlyMap<number, number>;

export type IsWritten = (row: number, column: number) => boolean;

const textOf = (cell: SheetCell | undefined) => String(cell ?? '').trim();

/** Titles by column; '' where there is none, or a write has gone over it. */
function titlesOf({ top }: View, headerRow: number, width: number, isWritten: IsWritten) {
  return Array.from({ length: width }, (_, at) =>
    isWritten(headerRow, at + 1) ? '' : textOf(top[headerRow - 1]?.[at]),
  );
}

/** What stands in the first rows beside the title, by column, in whatever order. */
function cellsOf({ top }: View, headerRow: number, width: number) {
  const rows = top.filter((_, at) => at + 1 !== headerRow);
  return Array.from({ length: width }, (_, at) =>
    rows
      .map((row) => textOf(row[at]))
      .sort()
      .join('\n')
      .trim(),
  );
}

const widthOf = ({ top }: View) => Math.max(0, ...top.map((row) => row.length));

const NOT_WRITTEN: IsWritten = () => false;

/**
 * A column without a title, or whose title was written over, is known by the cells below it. Where
 * all others stand where they stood, one of another title was renamed.
 */
export function columnOrigins(
  before: View,
  after: View,
  headerRow: number,
  isWritten = NOT_WRITTEN,
): Origins {
  const width = Math.max(widthOf(before), widthOf(after));
  const titles = titlesOf(after, headerRow, width, isWritten);
  const oldTitles = titlesOf(before, headerRow, width, NOT_WRITTEN);
  const [cells, oldCells] = [after, before].map((view) => cellsOf(view, headerRow, width));
  const origins = new Map<number, number>();
  const match = (now: readonly string[] = [], was: readonly string[] = [], at: number) => {
    const text = now[at] ?? '';
    const isOnce = [now, was].every((all) => all.indexOf(text) === all.lastIndexOf(text));
    if (text !== '' && isOnce && was.includes(text)) origins.set(at + 1, was.indexOf(text) + 1);
  };
  titles.forEach((title, at) => {
    if (title === '') match(cells, oldCells, at);
    else match(titles, oldTitles, at);
  });
  if ([...origins].some(([to, from]) => to !== from)) return origins;
  titles.forEach((title, at) => {
    const old = oldTitles[at] ?? '';
    const isRenamed = !titles.includes(old) && !oldTitles.includes(title);
    if (title !== '' && old !== '' && (title === old || isRenamed)) origins.set(at + 1, at + 1);
  });
  return origins;
}

/** Whether all columns with a title, or without a header with anything, stand where they stood. */
export function areStill(
  before: View,
  after: View,
  headerRow: number,
  isWritten = NOT_WRITTEN,
): boolean {
  const origins = columnOrigins(before, after, headerRow, isWritten);
  const known =
    headerRow === 0
      ? cellsOf(before, headerRow, widthOf(before))
      : titlesOf(before, headerRow, widthOf(before), isWritten);
  return known.every((text, at) => text === '' || origins.get(at + 1) === at + 1);
}
