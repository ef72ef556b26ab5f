// A spreadsheet that calculates, the Analysis tab and lists with their columns, and people who act between
// calls.

import { join } from 'node:path';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import { calculating } from 'apps-script-host/calculation';
import { createInlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import type { Act } from 'apps-script-host/sheet/acts';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { buildSync } from 'esbuild';
import type { RecordedRow } from '../../src/analysis/analysis-row';
import type { AnalysisRow } from '../../src/analysis/row-record';
import type { WantedColumns } from '../../src/list/choice';
import type { DataChange, DOORS, ListData, PlaceData } from './sheet-script';

const OWNER = 'owner@example.com';
export const GUEST = 'guest@example.com';

const SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets.currentonly',
  'https://www.googleapis.com/auth/script.external_request',
  'https://www.googleapis.com/auth/script.container.ui',
  'https://www.googleapis.com/auth/script.scriptapp',
];

type Doors = typeof DOORS;
type Door = keyof Doors;

let built: string | undefined;

/** The script, and a global function for its doors, as Sheets calls them. */
function script(): string {
  built ??= buildSync({
    entryPoints: [join(__dirname, 'sheet-script.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    footer: { js: 'function door(name, args) { return doors[name](...args); }' },
  }).outputFiles[0]?.text;
  return built ?? '';
}

/** What most tests ask for. */
export const WANTED: WantedColumns = {
  market: 'US',
  defaultMarket: 'US',
  columns: ['profit', 'roi', 'eligible'],
  roiIsFraction: true,
};

export interface SheetWorldOptions {
  readonly locale?: string;
  readonly timeZone?: string;
  readonly maxRows?: number;
  readonly maxColumns?: number;
  /** What people do all the time; for one act at a certain call there is `actAt`. */
  readonly betweenCalls?: BetweenCalls;
}

/** Somebody who acts once: just before the call of this number, of those that are meant. */
function createPerson() {
  let plan: { readonly operation: RegExp; left: number; readonly acts: readonly Act[] } | null =
    null;
  return {
    betweenCalls: (({ operation }) => {
      if (plan === null || !plan.operation.test(operation)) return [];
      plan.left -= 1;
      if (plan.left > 0) return [];
      const { acts } = plan;
      plan = null;
      return acts;
    }) satisfies BetweenCalls,
    /** From now on. @returns whether it has happened. */
    actAt(operation: RegExp, number: number, ...acts: readonly Act[]): () => boolean {
      const mine = { operation, left: number, acts };
      plan = mine;
      return () => plan !== mine;
    },
  };
}

export type SheetWorld = ReturnType<typeof createSheetWorld>;

const asCell = (cell: CellValue): CellContent =>
  typeof cell === 'string' && cell.startsWith('=') ? { formula: cell } : cell;

/** @param rows the first sheet; a text that begins with "=" is a formula. */
export function createSheetWorld(
  rows: readonly (readonly CellValue[])[] = [[]],
  { betweenCalls, ...size }: SheetWorldOptions = {},
) {
  const person = createPerson();
  const grid = createPlainGrid({ sheetName: 'List', ...size });
  const id = grid.sheets()[0]?.id ?? 0;
  const width = Math.max(...rows.map((row) => row.length));
  const filled = rows.map((row) => [...row, ...Array<CellValue>(width - row.length).fill('')]);
  if (width > 0)
    grid.write(
      id,
      1,
      1,
      filled.map((row) => row.map(asCell)),
    );
  const host = createInlineHost({
    dist: {
      code: script(),
      html: {},
      manifest: JSON.stringify({ timeZone: 'Etc/UTC', oauthScopes: SCOPES }),
    },
    seed: 1,
    internet: createSandboxedInternet({}),
    documents: [{ id: 'doc', name: 'Products', ownerEmail: OWNER, editors: [GUEST], model: grid }],
    betweenCalls: betweenCalls ?? person.betweenCalls,
  });
  const calculation = calculating(grid, { nowMs: host.nowMs });
  const people = createPeople(grid);

  function call<Name extends Door>(
    name: Name,
    args: Parameters<Doors[Name]> | readonly [] = [],
    userEmail = OWNER,
  ): ReturnType<Doors[Name]> {
    const end = host.call({ functionName: 'door', args: [name, args], door: 'menu', userEmail });
    if (end.ended !== 'returned') throw new Error(JSON.stringify(end));
    return end.value as ReturnType<Doors[Name]>;
  }

  function cells(sheetId = id) {
    const { lastRow, lastColumn } = grid.size(sheetId);
    if (lastRow === 0) return [];
    const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
    return grid.values(sheetId, area);
  }

  const place: PlaceData = { sheetId: id, headerRow: 1, productColumn: 1, marketColumn: null };
  const sheetNamed = (name: string) => grid.sheets().find((tab) => tab.name === name)?.id ?? -1;
  /** The Analysis tab, whatever people have called it since. */
  const tabId = () => grid.sheets().find(({ name }) => name.startsWith('Analysis'))?.id ?? -1;
  const at = (row: number, column: number) => ({ row, column, rowCount: 1, columnCount: 1 });
  const record = (...changes: readonly DataChange[]) =>
    call('record', [changes]) as readonly RecordedRow[];

  return {
    ...{ grid, id, people, call, cells, place, sheetNamed, calculation, host, tabId, record },
    actAt: person.actAt,
    features: featuresOf(grid),
    tabCells: () => cells(tabId()),
    read: () => new Map(call('read') as readonly (readonly [string, AnalysisRow])[]),
    /** Puts whole rows into the Analysis tab. */
    fill(...added: readonly (DataChange['becomes'] & { readonly key: string })[]) {
      const recorded = record(
        ...added.map((row) => ({ meant: { key: row.key }, becomes: { status: 'OK', ...row } })),
      );
      if (recorded.length !== added.length) throw new Error(JSON.stringify(recorded));
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
