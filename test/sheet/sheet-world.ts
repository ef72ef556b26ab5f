// A spreadsheet with code of ours in it that a test calls by its doors, and people who act between calls.

import type { BetweenCalls } from 'apps-script-host/bystanders';
import { createInlineHost } from 'apps-script-host/inline/inline-host';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { buildSync } from 'esbuild';

const OWNER = 'owner@example.com';
export const GUEST = 'guest@example.com';

const SCOPES = [
  'https://www.googleapis.com/auth/spreadsheets.currentonly',
  'https://www.googleapis.com/auth/script.external_request',
  'https://www.googleapis.com/auth/script.container.ui',
  'https://www.googleapis.com/auth/script.scriptapp',
];

export interface DoorsScript {
  /** The file that puts the doors into a global object of this name. */
  readonly entry: string;
  readonly global: string;
  readonly doors: readonly string[];
}

const built = new Map<string, string>();

/** The script, and a global function for each of its doors, as Sheets calls them. */
function scriptOf({ entry, global, doors }: DoorsScript): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2020',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const functions = doors.map(
    (name) => `function ${name}(...args) { return ${global}.${name}(...args); }`,
  );
  return [outputFiles[0]?.text ?? '', ...functions].join('\n');
}

export function createSheetWorld(
  script: DoorsScript,
  grid: PlainGrid,
  betweenCalls?: BetweenCalls,
) {
  const code = built.get(script.entry) ?? scriptOf(script);
  built.set(script.entry, code);
  const manifest = JSON.stringify({ timeZone: 'Etc/UTC', oauthScopes: SCOPES });
  const host = createInlineHost({
    dist: { code, html: {}, manifest },
    seed: 1,
    internet: createSandboxedInternet({}),
    documents: [{ id: 'doc', name: 'Products', ownerEmail: OWNER, editors: [GUEST], model: grid }],
    ...(betweenCalls !== undefined && { betweenCalls }),
  });
  return {
    host,
    call(functionName: string, args: readonly unknown[], userEmail = OWNER): unknown {
      const end = host.call({ functionName, args, door: 'menu', userEmail });
      if (end.ended !== 'returned') throw new Error(JSON.stringify(end));
      return end.value;
    },
    cells(sheetId: number) {
      const { lastRow, lastColumn } = grid.size(sheetId);
      if (lastRow === 0) return [];
      const area = { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn };
      return grid.values(sheetId, area);
    },
  };
}
