// Where the columns of a view have come from since an earlier one, told by what stands in them. Pure.

import type { SheetCell } from '../platform/sheet-ports';
import { cellKey, columnsOf, isWithin, rowsOf, type View, valueAt } from './view';

/** By present place the earlier one; what is new, or cannot be told, is not in it. */
export type Origins = ReadonlyMap<number, number>;

export type IsWritten = (row: number, column: number) => boolean;

/** What speaks for two columns being one: points, of which a pair needs more than two gaps cost. */
const SAME_TITLE = 6;
const BOTH_UNTITLED = 1;
const OTHER_TITLE = -0.75;
const SAME_CELLS = 4;
const OTHER_CELLS = -1;
const GAP = -1;

/** A column dragged elsewhere is only known by more than half of its cells, or by its title. */
const DRAGGED_MIN = 2.5;

const isBlank = (cell: SheetCell) => String(cell).trim() === '';

/** A list without a header has blank ones. */
const titlesOf = ({ top }: View, headerRow: number): readonly SheetCell[] =>
  top[headerRow - 1] ?? (top[0] ?? []).map(() => '');

/** The row of titles: where it was, unless another has more of them. */
export function titleRowIn({ top }: View, headerRow: number, like: readonly SheetCell[]) {
  const wanted = new Set(like.filter((cell) => !isBlank(cell)).map(cellKey));
  const hits = (row: number) => (top[row - 1] ?? []).filter((cell) => wanted.has(cellKey(cell)));
  const rows = [headerRow, ...top.map((_, at) => at + 1)];
  return rows.reduce((best, row) => (hits(row).length > hits(best).length ? row : best), headerRow);
}

/**
 * Columns in their old order are paired by titles and cells, as texts are by a comparison; what is
 * left over was dragged, or is new. Cells that were written meanwhile say nothing.
 */
export function columnOrigins(
  before: View,
  after: View,
  headerRow: number,
  isWritten: IsWritten,
): Origins {
  const oldTitles = titlesOf(before, headerRow);
  const newRow = titleRowIn(after, headerRow, oldTitles);
  const newTitles = titlesOf(after, newRow);
  const cellsOf = cellsByColumn(before, after, isWritten);
  const score = (from: number, to: number) => {
    const cells = cellsOf(from, to);
    if (isWritten(newRow, to)) return cells;
    const [one, other] = [oldTitles[from - 1] ?? '', newTitles[to - 1] ?? ''];
    if (isBlank(one) && isBlank(other)) return BOTH_UNTITLED + cells;
    return (cellKey(one) === cellKey(other) ? SAME_TITLE : OTHER_TITLE) + cells;
  };
  const pairs = aligned(oldTitles.length, newTitles.length, score);
  const taken = new Set(pairs.values());
  for (let to = 1; to <= newTitles.length; to += 1) {
    if (pairs.has(to)) continue;
    const rest = oldTitles.map((_, at) => at + 1).filter((from) => !taken.has(from));
    const fit = rest.find((from) => score(from, to) >= DRAGGED_MIN);
    if (fit === undefined) continue;
    pairs.set(to, fit);
    taken.add(fit);
  }
  return pairs;
}

/** How far the cells of two columns are the same, whatever rows they are in by now. */
function cellsByColumn(before: View, after: View, isWritten: IsWritten) {
  const inside = (column: number, { block: { area } }: View) => isWithin(area, area.row, column);
  const rows = rowsOf(after.block.area);
  const seen = new Map<number, readonly number[]>();
  const rowsLeft = (column: number) => {
    const left = seen.get(column) ?? rows.filter((row) => !isWritten(row, column));
    seen.set(column, left);
    return left;
  };
  return (from: number, to: number): number => {
    if (!inside(from, before) || !inside(to, after)) return 0;
    const counts = new Map<string, number>();
    let [oldCount, newCount, both] = [0, 0, 0];
    for (const row of rowsLeft(to)) {
      const cell = valueAt(before.block, row, from);
      if (isBlank(cell)) continue;
      oldCount += 1;
      counts.set(cellKey(cell), (counts.get(cellKey(cell)) ?? 0) + 1);
    }
    for (const row of rowsLeft(to)) {
      const cell = valueAt(after.block, row, to);
      if (isBlank(cell)) continue;
      newCount += 1;
      const left = counts.get(cellKey(cell)) ?? 0;
      if (left > 0) both += 1;
      counts.set(cellKey(cell), left - 1);
    }
    const all = Math.max(oldCount, newCount);
    return all === 0 ? 0 : Math.max(OTHER_CELLS, SAME_CELLS * ((2 * both) / all - 1));
  };
}

/** The pairing in order with the most points: the usual table of best beginnings. */
function aligned(
  oldCount: number,
  newCount: number,
  score: (from: number, to: number) => number,
): Map<number, number> {
  const points = Array.from({ length: oldCount + 1 }, (_, from) =>
    Array.from({ length: newCount + 1 }, (_, to) =>
      from === 0 || to === 0 ? GAP * (from + to) : 0,
    ),
  );
  const at = (from: number, to: number) => points[from]?.[to] ?? 0;
  const pairScores = new Map<number, number>();
  const pairScore = (from: number, to: number) => {
    const key = from * (newCount + 1) + to;
    const known = pairScores.get(key) ?? score(from, to);
    pairScores.set(key, known);
    return known;
  };
  for (let from = 1; from <= oldCount; from += 1)
    for (let to = 1; to <= newCount; to += 1) {
      const gap = GAP + Math.max(at(from - 1, to), at(from, to - 1));
      (points[from] ?? [])[to] = Math.max(gap, at(from - 1, to - 1) + pairScore(from, to));
    }
  const pairs = new Map<number, number>();
  let [from, to] = [oldCount, newCount];
  while (from > 0 && to > 0) {
    // Of equal columns at the right, those furthest right are the new ones.
    if (at(from, to) === GAP + at(from, to - 1)) to -= 1;
    else if (at(from, to) === GAP + at(from - 1, to)) from -= 1;
    else {
      pairs.set(to, from);
      [from, to] = [from - 1, to - 1];
    }
  }
  return pairs;
}

/** Whether a column is not where it was. */
export function haveMoved(origins: Origins): boolean {
  return [...origins].some(([to, from]) => to !== from);
}

/**
 * Headers that were only remembered may have changed before the block was read or after it: the view
 * before with those headers that make its cells more like the present ones.
 */
export function datedBack(
  before: View,
  after: View,
  headerRow: number,
  isWritten: IsWritten,
): View {
  const likeness = (view: View) => {
    const columns = columnOrigins(view, after, headerRow, isWritten);
    const { area } = after.block;
    return rowsOf(area).reduce(
      (sum, row) =>
        sum +
        columnsOf(area).filter((column) => {
          const [cell, from] = [valueAt(after.block, row, column), columns.get(column)];
          if (isWritten(row, column) || isBlank(cell) || from === undefined) return false;
          return cellKey(cell) === cellKey(valueAt(before.block, row, from));
        }).length,
      0,
    );
  };
  const later = { ...before, top: after.top };
  return likeness(later) > likeness(before) ? later : before;
}
