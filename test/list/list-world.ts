// A world for the columns of lists: a spreadsheet that calculates, our code, and people.

import { join } from 'node:path';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import { calculating } from 'apps-script-host/calculation';
import type { Act } from 'apps-script-host/sheet/acts';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { WantedColumns } from '../../src/list/choice';
import { createSheetWorld } from '../sheet/sheet-world';
import type { DOORS, ListData, PlaceData, RowData } from './list-script';

const SCRIPT = {
  entry: join(__dirname, 'list-script.ts'),
  global: 'listDoors',
  doors: ['record', 'ensure', 'decide', 'titles', 'lists', 'fillIn'],
};

type Doors = typeof DOORS;

/** What most tests ask for. */
export const WANTED: WantedColumns = {
  market: 'US',
  defaultMarket: 'US',
  columns: ['profit', 'roi', 'eligible'],
  roiIsFraction: true,
};

export interface ListWorldOptions {
  readonly locale?: string;
  readonly maxRows?: number;
  readonly maxColumns?: number;
  readonly betweenCalls?: BetweenCalls;
}

const asCell = (cell: CellValue): CellContent =>
  typeof cell === 'string' && cell.startsWith('=') ? { formula: cell } : cell;

/** @param rows the first sheet; a text that begins with "=" is a formula. */
export function createListWorld(
  rows: readonly (readonly CellValue[])[],
  { betweenCalls, ...size }: ListWorldOptions = {},
) {
  const grid = createPlainGrid({ sheetName: 'List', ...size });
  const id = grid.sheets()[0]?.id ?? 0;
  const width = Math.max(...rows.map((row) => row.length));
  grid.write(
    id,
    1,
    1,
    rows.map((row) => [...row, ...Array<CellValue>(width - row.length).fill('')].map(asCell)),
  );
  const world = createSheetWorld(SCRIPT, grid, betweenCalls);
  const { host } = world;
  const calculation = calculating(grid, { nowMs: host.nowMs });
  const perform = createPeople(grid);
  const people = (act: Act) => perform(act);

  const call = <Name extends keyof Doors>(
    name: Name,
    args: Parameters<Doors[Name]>,
    userEmail?: string,
  ) => world.call(name, args, userEmail) as ReturnType<Doors[Name]>;
  const place: PlaceData = { sheetId: id, headerRow: 1, productColumn: 1, marketColumn: null };
  const sheetNamed = (name: string) => grid.sheets().find((tab) => tab.name === name)?.id ?? -1;
  const cells = (sheetId = id) => world.cells(sheetId);
  const at = (row: number, column: number) => ({ row, column, rowCount: 1, columnCount: 1 });

  return {
    ...{ grid, id, people, call, cells, place, sheetNamed, calculation, host },
    features: featuresOf(grid),
    /** Puts rows into the Analysis tab. */
    record(...data: readonly RowData[]) {
      const recorded = call('record', [data]);
      if (recorded !== data.length) throw new Error(JSON.stringify(recorded));
    },
    /** Makes the columns of the list. Fails if they cannot be made. */
    ensure(wanted: Partial<WantedColumns> = {}, where: Partial<PlaceData> = {}): ListData {
      const list = call('ensure', [
        { ...place, ...where },
        { ...WANTED, ...wanted },
      ]);
      if ('kind' in list) throw new Error(JSON.stringify(list));
      return list;
    },
    formula: (row: number, column: number, sheetId = id) =>
      grid.formulas(sheetId, at(row, column))[0]?.[0] ?? '',
    /** A row under its titles. */
    row(row: number, headerRow = 1, sheetId = id): Readonly<Record<string, CellValue>> {
      const all = cells(sheetId);
      const titles = all[headerRow - 1] ?? [];
      return Object.fromEntries(
        titles.map((title, column) => [title, all[row - 1]?.[column] ?? '']),
      );
    },
    type: (row: number, column: number, ...contents: readonly CellValue[]) =>
      people({ do: 'edit', sheetId: id, row, column, contents: [contents.map(asCell)] }),
  };
}

export type ListWorld = ReturnType<typeof createListWorld>;
