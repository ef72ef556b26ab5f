// A world for the Analysis tab: a spreadsheet, the tab's code, and people who act between its calls.

import { join } from 'node:path';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import { createInlineHost, type InlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import type { CellValue, Matrix } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { buildSync } from 'esbuild';
import type { AnalysisRow, RecordedRow } from '../../src/analysis/analysis-row';
import type { DataChange } from './tab-script';

const OWNER = 'owner@example.com';

/** The script, and a global function for each of its doors, as Sheets calls them. */
function builtScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, 'tab-script.ts')],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const doors = ['open', 'isThere', 'record', 'read', 'tidy'];
  const functions = doors.map(
    (name) => `function ${name}(...args) { return tabDoors.${name}(...args); }`,
  );
  return [outputFiles[0]?.text ?? '', ...functions].join('\n');
}

let script: string | undefined;

const SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets.currentonly',
  'https://www.googleapis.com/auth/script.external_request',
  'https://www.googleapis.com/auth/script.container.ui',
  'https://www.googleapis.com/auth/script.scriptapp',
];

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
  script ??= builtScript();
  const grid = createPlainGrid({ sheetName: 'List', ...(maxRows !== undefined && { maxRows }) });
  const host = createInlineHost({
    dist: {
      code: script,
      html: {},
      manifest: JSON.stringify({ timeZone: 'Etc/UTC', oauthScopes: SCOPES }),
    },
    seed: 1,
    internet: createSandboxedInternet({}),
    documents: [{ id: 'doc', name: 'Products', ownerEmail: OWNER, editors: [], model: grid }],
    ...(betweenCalls !== undefined && { betweenCalls }),
  });
  const call: TabWorld['call'] = (functionName, ...args) => {
    const end = host.call({ functionName, args, door: 'menu' });
    if (end.ended !== 'returned') throw new Error(JSON.stringify(end));
    return end.value;
  };
  const sheetId = () => grid.sheets().find(({ name }) => name.startsWith('Analysis'))?.id ?? -1;
  return {
    host,
    grid,
    call,
    record: (...changes) => call('record', changes) as readonly RecordedRow[],
    read: () => new Map(call('read') as readonly (readonly [string, AnalysisRow])[]),
    sheetId,
    cells() {
      const { lastRow, lastColumn } = grid.size(sheetId());
      if (lastRow === 0) return [];
      return grid.values(sheetId(), {
        row: 1,
        column: 1,
        rowCount: lastRow,
        columnCount: lastColumn,
      });
    },
  };
}
