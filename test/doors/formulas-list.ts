// A spreadsheet of formulas that recalculate, and their refresh as the page calls it.

import { type Recalculation, recalculating } from 'apps-script-host/recalculation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { granted } from './bulk-list';
import { createWorld, documentOf, EDITOR, type World, type WorldOptions } from './world';

export interface FormulaWorld extends World {
  readonly grid: PlainGrid;
  readonly sheetId: number;
  readonly live: Recalculation;
  /** Cells of a column from row 2 on. */
  column(column: number, rows: number): CellValue[];
  formulas(column: number, rows: number): string[];
  /**
   * Refreshes as the page does: call after call while something is left and more time helps. Gives the
   * latest report, with the calls of all.
   */
  refresh(onlyFailed?: boolean, userEmail?: string): Promise<Report>;
  /** What the refresh cell holds, in ms; NaN where no cell has the name. */
  refreshedMs(): number;
}

type Report = Readonly<Record<string, unknown>> & { readonly calls: number };

/** More than any refresh here takes. */
const CALLS_OF_PAGE_MAX = 60;

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
  const world = createWorld({
    sandbox,
    host: {
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
    async refresh(onlyFailed = false, userEmail) {
      let calls = 0;
      for (let turn = 0; ; turn += 1) {
        const wish = { maxMs: 30_000, onlyFailed };
        const report = granted(await world.rpc('formulas.refresh', wish, userEmail));
        calls += Number(report.calls);
        const isOver = Number(report.left) === 0 || report.problem !== undefined;
        if (isOver || turn > CALLS_OF_PAGE_MAX) return { ...report, calls };
      }
    },
    refreshedMs() {
      const [cell] = featuresOf(grid)
        .names()
        .filter(({ name }) => name === 'ANALYZE_REFRESH');
      const value = cell?.rectangle && grid.values(cell.sheetId, cell.rectangle)[0]?.[0];
      return value instanceof Date ? value.getTime() : Number.NaN;
    },
  };
}
