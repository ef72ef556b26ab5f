// A list in a spreadsheet for runs over it: rows of products, and what a person does with a run.

import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { createWorld, documentOf, type Envelope, type World } from './world';

/** The catalogue of a sandbox with these options. */
export const SANDBOX = { seed: 1, productsPerMarket: 2_500 };
export const US_ASINS: readonly string[] = [
  ...createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket).asins.US,
];

export interface Sheet {
  readonly grid: PlainGrid;
  readonly document: ReturnType<typeof documentOf>;
  readonly id: number;
  /** Values from the first row and column on. */
  values(): CellValue[][];
  /** Values of one row under its headers. */
  byHeader(row: number, headerRow?: number): Readonly<Record<string, CellValue>>;
}

/** A document whose first sheet has these rows. */
export function sheetOf(rows: readonly (readonly CellValue[])[]): Sheet {
  const width = Math.max(...rows.map((row) => row.length), 1);
  const grid = createPlainGrid({
    maxRows: Math.max(1_000, rows.length + 50),
    maxColumns: Math.max(26, width + 10),
  });
  const id = grid.sheets()[0]?.id ?? 0;
  const filled = rows.map((row) => [...row, ...Array<CellValue>(width - row.length).fill('')]);
  if (filled.length > 0) grid.write(id, 1, 1, filled);
  const document = { ...documentOf('sheet-1'), model: grid };
  const values = () => {
    const { lastRow, lastColumn } = grid.size(id);
    const area = {
      row: 1,
      column: 1,
      rowCount: Math.max(1, lastRow),
      columnCount: Math.max(1, lastColumn),
    };
    return grid.values(id, area);
  };
  return {
    grid,
    document,
    id,
    values,
    byHeader(row, headerRow = 1) {
      const all = values();
      const titles = all[headerRow - 1] ?? [];
      const cells = all[row - 1] ?? [];
      return Object.fromEntries(titles.map((title, at) => [String(title), cells[at] ?? '']));
    },
  };
}

type Value = Readonly<Record<string, unknown>>;

export function granted({ ok, value, failure }: Envelope): Value {
  if (!ok || value === undefined) throw new Error(`It failed: ${JSON.stringify(failure)}`);
  return value;
}

export async function look(world: World): Promise<Value> {
  return granted(await world.rpc('bulk.look'));
}

export async function choiceOf(world: World, wish: object = {}): Promise<object> {
  const { choice } = await look(world);
  return { ...(choice as object), ...wish };
}

export async function check(world: World, wish: object = {}): Promise<Value> {
  return granted(await world.rpc('bulk.preflight', await choiceOf(world, wish)));
}

export async function startRun(world: World, wish: object = {}): Promise<Value> {
  return granted(await world.rpc('bulk.start', await choiceOf(world, wish)));
}

/** Calls slice after slice, as an open sidebar does, until there is nothing to call for. */
export async function runOn(world: World, runId: unknown, maxMs = 300_000): Promise<Value> {
  for (let calls = 0; calls < 200; calls += 1) {
    const { status, againInMs } = granted(await world.rpc('bulk.run', { runId, worker: 0, maxMs }));
    if (againInMs === null) return status as Value;
  }
  throw new Error('The run does not end.');
}

/** Starts a run and goes on with it to its end. */
export async function runAll(world: World, wish: object = {}): Promise<Value> {
  const { runId } = await startRun(world, wish);
  return runOn(world, runId);
}

/** A world in which these things are done while the run's third wave of calls is on its way. */
export async function worldMovedBy(sheet: Sheet, acts: readonly Act[]): Promise<World> {
  let waves = 0;
  const world = createWorld({
    sandbox: SANDBOX,
    host: {
      documents: [sheet.document],
      betweenCalls: ({ operation }) => {
        if (operation !== 'urlFetch.fetchAll') return [];
        waves += 1;
        return waves === 3 ? acts : [];
      },
    },
  });
  await world.connect();
  return world;
}
