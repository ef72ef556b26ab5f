// What people do in a scheduled list between firings and during them, and a count of its products.

import type { Random } from 'apps-script-host/random';
import type { Act } from 'apps-script-host/sheet/acts';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { noteOf, remarkOf } from '../bulk-world';
import type { SeenRow } from './rows';

export interface People {
  /** What somebody does next. */
  readonly next: (grid: PlainGrid) => readonly Act[];
  /** How often each product must be in the list after people's changes. */
  readonly there: ReadonlyMap<string, number>;
  /**
   * Products typed over others; until they are analyzed, the other product's figures are beside
   * them.
   */
  readonly typed: ReadonlySet<string>;
  /**
   * Products whose row got a star since the last `settle`; the row may no longer exist when it is
   * examined.
   */
  readonly starred: ReadonlySet<string>;
  /**
   * Called when something begins. Products that were typed in count as ordinary ones once their
   * rows show nothing else.
   */
  readonly settle: (rows: readonly SeenRow[]) => void;
}

const SHEET = 0;
const [NOTE_COLUMN, ASIN_COLUMN, STAR_COLUMN] = [1, 2, 4];

/** @param others products that people type in; some of them are in the list already. */
export function createPeople(
  random: Random,
  asins: readonly string[],
  others: readonly string[],
): People {
  const there = new Map(asins.map((asin) => [asin, 1]));
  const typed = new Set<string>();
  const starred = new Set<string>();
  const add = (asin: string, count: number) => there.set(asin, (there.get(asin) ?? 0) + count);
  const asinIn = (grid: PlainGrid, row: number) => {
    const cell = { row, column: ASIN_COLUMN, rowCount: 1, columnCount: 1 };
    return String(grid.values(SHEET, cell)[0]?.[0] ?? '');
  };
  const anyRow = (grid: PlainGrid) => random.integer(2, Math.max(2, grid.size(SHEET).lastRow));

  const typeOver = (grid: PlainGrid): readonly Act[] => {
    const row = anyRow(grid);
    const [before, asin] = [asinIn(grid, row), random.pick(others)];
    if (before !== '') add(before, -1);
    add(asin, 1);
    typed.add(asin);
    const contents = [[noteOf(asin), asin, remarkOf(asin)]];
    return [{ do: 'edit', sheetId: SHEET, row, column: NOTE_COLUMN, contents }];
  };
  const remove = (grid: PlainGrid): readonly Act[] => {
    const row = anyRow(grid);
    const asin = asinIn(grid, row);
    if (grid.size(SHEET).lastRow < 10) return [];
    if (asin !== '') add(asin, -1);
    return [{ do: 'deleteRows', sheetId: SHEET, first: row, count: 1 }];
  };
  const sort = (grid: PlainGrid): readonly Act[] => {
    const { lastRow, lastColumn } = grid.size(SHEET);
    const rectangle = { row: 2, column: 1, rowCount: lastRow - 1, columnCount: lastColumn };
    const keys = [{ column: random.integer(1, lastColumn), ascending: random.chance(0.5) }];
    return [{ do: 'sort', sheetId: SHEET, rectangle, keys }];
  };
  const insert = (grid: PlainGrid): readonly Act[] => [
    { do: 'insertRows', sheetId: SHEET, first: anyRow(grid), count: random.integer(1, 2) },
  ];
  const star = (grid: PlainGrid): readonly Act[] => {
    const [isGiven, row] = [random.chance(0.5), anyRow(grid)];
    if (isGiven) starred.add(asinIn(grid, row));
    const contents = [[isGiven ? 'x' : '']];
    return [{ do: 'edit', sheetId: SHEET, row, column: STAR_COLUMN, contents }];
  };
  const cutPaste = (grid: PlainGrid): readonly Act[] => {
    const { lastRow, lastColumn, maxRows } = grid.size(SHEET);
    const row = anyRow(grid);
    if (lastRow + 1 > maxRows || row === lastRow) return [];
    const from = { row, column: 1, rowCount: 1, columnCount: lastColumn };
    return [{ do: 'cutPaste', sheetId: SHEET, from, row: lastRow + 1, column: 1 }];
  };
  const kinds = [typeOver, typeOver, remove, sort, insert, star, cutPaste];
  const settle = (rows: readonly SeenRow[]) => {
    starred.clear();
    for (const asin of typed) {
      const own = rows.filter((row) => row.asin === asin);
      if (own.every(({ status }) => status.kind !== 'ok' || status.asin === asin))
        typed.delete(asin);
    }
  };
  return { next: (grid) => random.pick(kinds)(grid), there, typed, starred, settle };
}
