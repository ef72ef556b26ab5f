// A spreadsheet of formulas that recalculate, and their refresh as the clock would call it.

import { type Recalculation, recalculating } from 'apps-script-host/recalculation';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { buildSync } from 'esbuild';
import { BUILT, distIn } from '../build-once';
import { createWorld, documentOf, type World, type WorldOptions } from './world';

export const REFRESH = 'refreshNow';

let code: string | undefined;

/** The add-on as it is pushed, and after it one more global that refreshes its formulas. */
export function codeWithRefresh(): string {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import { refreshFormulas } from '../../src/formulas/refresh';
        import { appsScriptPlatform } from '../../src/platform/apps-script/services';
        import { appsScriptSpreadsheet } from '../../src/platform/apps-script/spreadsheet';
        export const refresh = (wish) =>
          refreshFormulas(
            { ...appsScriptPlatform(), spreadsheet: appsScriptSpreadsheet() },
            { ...wish, untilMs: () => wish.untilMs },
          );`,
      resolveDir: __dirname,
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'Refresh',
    target: 'es2021',
    define: { __LOOPBACK_ALLOWED__: 'false' },
  });
  const { code: own } = distIn(BUILT);
  const door = `function ${REFRESH}(wish) { return Refresh.refresh(wish); }`;
  return [own, outputFiles[0]?.text, door].join('\n');
}

/** What a refresh tells, as far as tests work with it. */
export interface Report {
  readonly left: number;
  readonly calls: number;
}

export interface FormulaWorld extends World {
  readonly grid: PlainGrid;
  readonly sheetId: number;
  readonly live: Recalculation;
  /** Cells of a column from row 2 on. */
  column(column: number, rows: number): CellValue[];
  formulas(column: number, rows: number): string[];
  /** One call as the clock makes it, and everything that follows from it. */
  refresh(wish: Wish): Promise<Report>;
}

export interface Wish {
  readonly notBeforeMs: number;
  /** Left out: now. */
  readonly sinceMs?: number;
  readonly callsMax?: number | null;
  readonly workMs?: number;
  readonly killAtCall?: number;
  /** Left out: the owner of the spreadsheet. */
  readonly userEmail?: string;
}

/** A formula with its stamp, whatever moment that tells, as `STAMP`. */
export const STAMP = '"refreshed"';
export const withoutMoment = (formula: string): string =>
  formula.replace(/"refreshed \d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/g, STAMP);

/** Somebody who may edit the spreadsheet but for what is protected. */
export const EDITOR = 'editor@example.com';

/** The first row is the header; whatever begins with "=" is a formula. */
export function formulaWorld(
  rows: readonly (readonly CellValue[])[],
  { sandbox = {}, host = {} }: WorldOptions = {},
  prepare: (grid: PlainGrid, sheetId: number) => void = () => {},
): FormulaWorld {
  const grid = createPlainGrid({
    maxRows: rows.length + 20,
    maxColumns: Math.max(26, ...rows.map((row) => row.length + 5)),
  });
  const sheetId = grid.sheets()[0]?.id ?? 0;
  const content = (cell: CellValue): CellContent =>
    typeof cell === 'string' && cell.startsWith('=') ? { formula: cell } : cell;
  grid.write(
    sheetId,
    1,
    1,
    rows.map((row) => row.map(content)),
  );
  prepare(grid, sheetId);
  code ??= codeWithRefresh();
  const world = createWorld({
    sandbox,
    host: {
      dist: { ...distIn(BUILT), code },
      documents: [{ ...documentOf('sheet-1'), editors: [EDITOR], model: grid }],
      observe: () => {},
      ...host,
    },
  });
  const live = recalculating(world.host, grid, (name) => name.startsWith('ANALYZE'));
  const area = (column: number, rowCount: number) => ({ row: 2, column, rowCount, columnCount: 1 });
  return {
    ...world,
    grid,
    sheetId,
    live,
    column: (column, count) => grid.values(sheetId, area(column, count)).flat(),
    formulas: (column, count) => grid.formulas(sheetId, area(column, count)).flat(),
    async refresh({ workMs = 285_000, callsMax = null, killAtCall, userEmail, ...wish }) {
      const untilMs = world.host.nowMs() + workMs;
      const outcome = world.host.start({
        functionName: REFRESH,
        args: [{ sinceMs: world.host.nowMs(), ...wish, callsMax, untilMs }],
        door: 'sidebar',
        ...(killAtCall === undefined ? {} : { killAtCall }),
        ...(userEmail === undefined ? {} : { userEmail }),
      });
      await world.host.run();
      const { value, error } = await outcome;
      if (error !== undefined) throw new Error(`${error.name}: ${error.message}`);
      return value as Report;
    },
  };
}
