// A spreadsheet in the emulated host in which changes are noted, through the add-on's own adapters.

import { join } from 'node:path';
import type { HostDocument } from 'apps-script-host/document';
import { createHost, type Execution, type Host } from 'apps-script-host/host';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import type { HostLimits } from 'apps-script-host/limits';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { build } from 'esbuild';
import type { ChangeRule } from '../../src/schedules/changes';
import type { Known, Noted, script } from './changes-script';

const OWNER = 'owner@example.com';
export const ANN = 'ann@example.com';

async function scriptCode(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, 'changes-script.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'Script',
    target: 'es2019',
  });
  // The clock hands over its event first.
  const names: readonly FunctionName[] = ['know', 'hear', 'ran', 'look', 'putAway', 'show'];
  const globals = names.map(
    (name) => `function ${name}(event, ...args) { return Script.script.${name}(...args); }`,
  );
  return [outputFiles[0]?.text ?? '', ...globals].join('\n');
}

let code: Promise<string> | undefined;

type Functions = typeof script;
type FunctionName = keyof Functions;
type By = Pick<Execution, 'userEmail' | 'documentId'>;

export interface ChangesWorld {
  readonly grid: PlainGrid;
  readonly host: Host;
  /** Runs a function of the script by the clock, in the first spreadsheet if none is named. */
  call<Name extends FunctionName>(
    functionName: Name,
    args: Parameters<Functions[Name]>,
    by?: By,
  ): Promise<ReturnType<Functions[Name]>>;
  know(known: Known): Promise<void>;
  hear(heard: Known, rules?: readonly ChangeRule[], userEmail?: string): Promise<Noted>;
  /** Several runs that begin at the same moment. */
  hearAtOnce(...heard: readonly Known[]): Promise<readonly Noted[]>;
  /** Names of the tabs. */
  tabs(): readonly string[];
  /** All cells of the sheet of this name. */
  cells(name?: string): readonly (readonly CellValue[])[];
  stop(): Promise<void>;
}

export async function createChangesWorld(limits: Partial<HostLimits> = {}): Promise<ChangesWorld> {
  const grid = createPlainGrid({ sheetName: 'List' });
  const documentOf = (id: string, name: string, model: PlainGrid): HostDocument => ({
    ...{ id, name, ownerEmail: OWNER, editors: [ANN], model },
  });
  const documents = [
    documentOf('sheet-1', 'Products', grid),
    documentOf('sheet-2', 'Other\nproducts', createPlainGrid()),
  ];
  const oauthScopes = [
    'https://www.googleapis.com/auth/spreadsheets.currentonly',
    'https://www.googleapis.com/auth/script.scriptapp',
    'https://www.googleapis.com/auth/script.send_mail',
    'https://www.googleapis.com/auth/userinfo.email',
  ];
  const manifest = JSON.stringify({ timeZone: 'Etc/UTC', oauthScopes });
  code ??= scriptCode();
  const dist = { code: await code, html: {}, manifest };
  const internet = createSandboxedInternet({});
  const host = createHost({
    dist,
    documents,
    limits,
    internet,
    clock: 'virtual',
    seed: 1,
    workers: 4,
  });

  function start<Name extends FunctionName>(
    functionName: Name,
    args: Parameters<Functions[Name]>,
    by: By = {},
  ): Promise<ReturnType<Functions[Name]>> {
    const who = { userEmail: OWNER, ...by };
    const execution = host.start({ functionName, args, door: 'clock', ...who });
    return execution.then(({ ok, value, error }) => {
      if (!ok) throw new Error(`${functionName} threw ${error?.name}: ${error?.message}`);
      return value as ReturnType<Functions[Name]>;
    });
  }
  async function done<T>(results: Promise<T>): Promise<T> {
    await host.run();
    return results;
  }

  return {
    grid,
    host,
    call: (functionName, args, by) => done(start(functionName, args, by)),
    know: (known) => done(start('know', [known])),
    hear: (heard, rules = [], userEmail = OWNER) =>
      done(start('hear', [heard, rules], { userEmail })),
    hearAtOnce: (...heard) => done(Promise.all(heard.map((one) => start('hear', [one, []])))),
    tabs: () => grid.sheets().map(({ name }) => name),
    cells(name = 'Analysis changes') {
      const id = grid.sheets().find((tab) => tab.name === name)?.id ?? Number.NaN;
      const { lastRow, lastColumn } = grid.size(id);
      return grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
    },
    stop: host.stop,
  };
}
