// A spreadsheet in the emulated host in which changes are noted, through the add-on's own adapters.

import { join } from 'node:path';
import { build } from 'esbuild';
import type { HostDocument } from '../../../playground/host/document';
import type { CellValue } from '../../../playground/host/sheet/model';
import { createPlainGrid, type PlainGrid } from '../../../playground/host/sheet/plain-grid';
import type { ChangeRule } from '../../../src/bulk/schedule/changes';
import { hostOf } from '../../playground/host/script-host';
import type { Known, Noted } from './changes-script';

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
  const globals = ['know', 'hear'].map(
    (name) => `function ${name}(event, ...args) { return Script.${name}(...args); }`,
  );
  return [outputFiles[0]?.text ?? '', ...globals].join('\n');
}

let code: Promise<string> | undefined;

export interface ChangesWorld {
  readonly grid: PlainGrid;
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

export async function createChangesWorld(): Promise<ChangesWorld> {
  const grid = createPlainGrid({ sheetName: 'List' });
  const document: HostDocument = {
    id: 'sheet-1',
    name: 'Products',
    ownerEmail: OWNER,
    editors: [ANN],
    model: grid,
  };
  code ??= scriptCode();
  const host = hostOf(await code, { documents: [document] });

  function start<T>(functionName: string, args: readonly unknown[], userEmail = OWNER): Promise<T> {
    const execution = host.start({ functionName, args, door: 'clock', userEmail });
    return execution.then(({ ok, value, error }) => {
      if (!ok) throw new Error(`${functionName} threw ${error?.name}: ${error?.message}`);
      return value as T;
    });
  }
  async function done<T>(results: Promise<T>): Promise<T> {
    await host.run();
    return results;
  }

  return {
    grid,
    know: (known) => done(start('know', [known])),
    hear: (heard, rules = [], userEmail = OWNER) =>
      done(start<Noted>('hear', [heard, rules], userEmail)),
    hearAtOnce: (...heard) =>
      done(Promise.all(heard.map((one) => start<Noted>('hear', [one, []])))),
    tabs: () => grid.sheets().map(({ name }) => name),
    cells(name = 'Analysis changes') {
      const id = grid.sheets().find((tab) => tab.name === name)?.id ?? Number.NaN;
      const { lastRow, lastColumn } = grid.size(id);
      return grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
    },
    stop: host.stop,
  };
}
