// Where keys stand in the tab, before a write and after it, and what has to be written again. Pure.

import type { AnalysisRow } from './analysis-row';

/** The folded key of each row from the first one on; '' where a row has none. */
export type Keys = readonly string[];

/** The rows of each key, from 1. */
export function rowsByKey(keys: Keys): ReadonlyMap<string, readonly number[]> {
  const rows = new Map<string, number[]>();
  keys.forEach((key, at) => {
    if (key === '') return;
    const there = rows.get(key);
    if (there === undefined) rows.set(key, [at + 1]);
    else there.push(at + 1);
  });
  return rows;
}

/** A row of the tab and what it is to hold. */
export interface PlacedRow {
  readonly row: number;
  readonly key: string;
  readonly data: AnalysisRow;
}

/**
 * A row for each place of a key, from the top down, so that rows with one key are equal. A key that
 * has none gets a row that another of these keys has too many: a write that met another row left
 * both, and would else leave more copies each time. Otherwise it gets one below the last row.
 */
export function placeRows(
  rows: ReadonlyMap<string, AnalysisRow>,
  keys: Keys,
  lastRow: number,
): readonly PlacedRow[] {
  const there = rowsByKey(keys);
  const surplus = [...rows.keys()].flatMap((key) => there.get(key)?.slice(1) ?? []);
  // Rows may have been deleted since the keys were read.
  let free = keys.reduce((last, key, at) => (key === '' ? last : Math.max(last, at + 1)), lastRow);
  const homes = new Map<string, number>();
  for (const key of rows.keys()) if (!there.has(key)) homes.set(key, surplus.shift() ?? ++free);
  const given = new Set(homes.values());
  const placesOf = (key: string) =>
    there.get(key)?.filter((row) => !given.has(row)) ?? [homes.get(key) ?? 0];
  const placed = [...rows].flatMap(([key, data]) =>
    placesOf(key).map((row) => ({ row, key, data })),
  );
  return placed.sort((one, other) => one.row - other.row);
}

/** Groups of consecutive rows, in which no row is left out for more than `gap` rows. */
export function stretchesOf<One extends { readonly row: number }>(
  rows: readonly One[],
  gap = 0,
): readonly (readonly [One, ...One[]])[] {
  const stretches: [One, ...One[]][] = [];
  for (const one of rows) {
    const stretch = stretches[stretches.length - 1];
    const end = stretch?.[stretch.length - 1]?.row;
    if (stretch !== undefined && end !== undefined && one.row <= end + 1 + gap) stretch.push(one);
    else stretches.push([one]);
  }
  return stretches;
}

/** A write, with the keys that stood in the tab before it and stand there after it. */
export interface Write {
  readonly before: Keys;
  readonly placed: readonly PlacedRow[];
  readonly after: Keys;
  /** Columns moved meanwhile, so that the write may have met others. */
  readonly hasShifted: boolean;
}

/**
 * The keys that have to be written again because a person moved rows or columns meanwhile: those
 * written that have more or fewer rows than were written, and others that have become fewer, because
 * the write may have hit their rows.
 */
export function keysToRepeat({ before, placed, after, hasShifted }: Write): ReadonlySet<string> {
  const now = rowsByKey(after);
  const again = new Set<string>();
  const written = new Map<string, number>();
  for (const { key } of placed) written.set(key, (written.get(key) ?? 0) + 1);
  for (const [key, rows] of written)
    if (hasShifted || now.get(key)?.length !== rows) again.add(key);
  for (const [key, rows] of rowsByKey(before))
    if (!written.has(key) && (now.get(key)?.length ?? 0) < rows.length) again.add(key);
  if (hasShifted) for (const { row } of placed) again.add(after[row - 1] ?? '');
  again.delete('');
  return again;
}
