// A world for the Analysis tab: a spreadsheet, the tab's code, and people who act between its calls.

import { join } from 'node:path';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { InlineHost } from 'apps-script-host/inline/inline-host';
import type { CellValue, Matrix } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import type { AnalysisRow, RecordedRow } from '../../src/analysis/analysis-row';
import { createSheetWorld } from '../sheet/sheet-world';
import type { DataChange } from './tab-script';

const SCRIPT = {
  entry: join(__dirname, 'tab-script.ts'),
  global: 'tabDoors',
  doors: ['open', 'isThere', 'record', 'read', 'tidy'],
};

export interface TabWorld {
  readonly host: InlineHost;
  readonly grid: PlainGrid;
  call(door: 'open' | 'isThere' | 'record' | 'read' | 'tidy', ...args: readonly unknown[]): unknown;
  record(...changes: readonly DataChange[]): readonly RecordedRow[];
  read(): ReadonlyMap<string, AnalysisRow>;
  /** The tab's sheet. */
  sheetId(): number;
  /** All that stands in the tab. */
  cells(): Matrix<CellValue>;
}

export interface TabWorldOptions {
  readonly betweenCalls?: BetweenCalls;
  readonly maxRows?: number;
}

export function createTabWorld({ betweenCalls, maxRows }: TabWorldOptions = {}): TabWorld {
  const grid = createPlainGrid({ sheetName: 'List', ...(maxRows !== undefined && { maxRows }) });
  const world = createSheetWorld(SCRIPT, grid, betweenCalls);
  const call: TabWorld['call'] = (door, ...args) => world.call(door, args);
  const sheetId = () => grid.sheets().find(({ name }) => name.startsWith('Analysis'))?.id ?? -1;
  return {
    ...{ host: world.host, grid, call, sheetId },
    record: (...changes) => call('record', changes) as readonly RecordedRow[],
    read: () => new Map(call('read') as readonly (readonly [string, AnalysisRow])[]),
    cells: () => world.cells(sheetId()),
  };
}
