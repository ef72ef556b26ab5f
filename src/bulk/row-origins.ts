// Where the rows of a view have come from since an earlier one, told by what stands in them. Pure.

import { cellKey, columnsOf, isWithin, rowsOf, type View, valueAt } from './view';
import type { IsWritten, Origins } from './whereabouts';

/** Rows that are compared one with another, in pairs: some 50 ms. */
const COMPARED_MAX = 50_000;

/** A column of both views. */
interface Pair {
  readonly from: number;
  readonly to: number;
}

/**
 * Rows by what stands in them beside the written cells: where they were, else any that is the same,
 * else any of which half is, else by those above and below. Rows that are alike are not told apart.
 */
export function rowOrigins(
  before: View,
  after: View,
  columns: Origins,
  isWritten: IsWritten,
): Origins {
  const origins = new Map<number, number>();
  const oldRows = new Set(rowsOf(before.block.area));
  const pairs = columnsOf(after.block.area).flatMap((to): readonly Pair[] => {
    const from = columns.get(to);
    const isSeen = from !== undefined && isWithin(before.block.area, before.block.area.row, from);
    return isSeen ? [{ from, to }] : [];
  });
  const cell = (row: number, { to }: Pair) => valueAt(after.block, row, to);
  const oldCell = (row: number, { from }: Pair) => valueAt(before.block, row, from);
  const all = rowsOf(after.block.area);
  const unwritten = new Map(
    all.map((row) => [row, pairs.filter(({ to }) => !isWritten(row, to))] as const),
  );
  const seenIn = (row: number) => unwritten.get(row) ?? [];
  const filledIn = (row: number) =>
    seenIn(row).filter((pair) => String(cell(row, pair)).trim() !== '');
  const alike = (row: number, old: number, seen: readonly Pair[]) =>
    seen.filter((pair) => cellKey(cell(row, pair)) === cellKey(oldCell(old, pair))).length;
  const isSame = (row: number, old: number) => {
    const seen = seenIn(row);
    return oldRows.has(old) && alike(row, old, seen) === seen.length;
  };
  const assign = (row: number, old: number) => {
    origins.set(row, old);
    oldRows.delete(old);
  };

  const open = () => all.filter((row) => !origins.has(row));
  const filled = () => open().filter((row) => filledIn(row).length > 0);
  for (const row of filled()) if (isSame(row, row)) assign(row, row);

  const places = new Map<string, Map<string, number[]>>();
  for (const row of filled()) {
    const seen = seenIn(row);
    const pattern = seen.map(({ to }) => to).join();
    const known = places.get(pattern) ?? placesOf([...oldRows], (old) => keyOf(seen, old, oldCell));
    places.set(pattern, known);
    const old = known.get(keyOf(seen, row, cell))?.find((place) => oldRows.has(place));
    if (old !== undefined) assign(row, old);
  }

  const lost = filled();
  const isManageable = lost.length * oldRows.size <= COMPARED_MAX;
  for (const row of lost) {
    const seen = filledIn(row);
    const there = [row, ...(isManageable ? oldRows : [])].filter((old) => oldRows.has(old));
    const likeness = new Map(there.map((old) => [old, alike(row, old, seen)]));
    const most = Math.max(0, ...likeness.values());
    const best = there.find((old) => likeness.get(old) === most);
    if (best !== undefined && most * 2 >= seen.length) assign(row, best);
  }

  // Nothing is left to know the others by: blank ones, and those that were typed over.
  for (const row of open()) {
    const [old, below] = [(origins.get(row - 1) ?? row - 1) + 1, origins.get(row + 1) ?? null];
    const isBetween = below === null || below === old + 1;
    const isBlank = filledIn(row).length === 0;
    if (isBlank ? isSame(row, old) : oldRows.has(old) && isBetween) assign(row, old);
  }
  return origins;
}

const keyOf = (
  seen: readonly Pair[],
  row: number,
  cell: (row: number, pair: Pair) => Parameters<typeof cellKey>[0],
): string => seen.map((pair) => cellKey(cell(row, pair))).join('\u0001');

function placesOf(rows: readonly number[], key: (row: number) => string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const row of rows) {
    const there = places.get(key(row));
    if (there === undefined) places.set(key(row), [row]);
    else there.push(row);
  }
  return places;
}
