// A list in a spreadsheet, and what a person does with it on the List page.

import { calculating } from 'apps-script-host/calculation';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { documentOf, type Envelope, type World } from './world';

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

export interface SheetOptions {
  /** For formulas that read the clock. */
  readonly nowMs?: () => number;
  readonly locale?: string;
  readonly maxRows?: number;
  /** What GOOGLEFINANCE says. */
  readonly quote?: (symbol: string) => number | null;
}

/** A document whose first sheet has these rows, and which works out formulas, as Sheets does. */
export function sheetOf(
  rows: readonly (readonly CellValue[])[],
  {
    nowMs = () => 0,
    locale = 'en_US',
    maxRows = Math.max(1_000, rows.length + 50),
    quote = () => null,
  }: SheetOptions = {},
): Sheet {
  const width = Math.max(...rows.map((row) => row.length), 1);
  const grid = createPlainGrid({ locale, maxRows, maxColumns: Math.max(26, width + 10) });
  calculating(grid, { nowMs, quote });
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

export const look = async (world: World, user?: string): Promise<Value> =>
  granted(await world.rpc('list.look', {}, user));

export async function choiceOf(world: World, wish: object = {}, user?: string): Promise<object> {
  const { choice } = await look(world, user);
  return { ...(choice as object), ...wish };
}

export const preview = async (world: World, wish: object = {}): Promise<Value> =>
  granted(await world.rpc('jobs.preview', await choiceOf(world, wish)));

export interface JobStatus extends Value {
  readonly jobId: string;
  readonly state: string;
  readonly left: number;
}

/** A job and the products that are left of it. */
export interface JobAtWork {
  readonly status: JobStatus;
  readonly queue: readonly string[];
}

/** A job that a method of the page has begun or continued. */
export const atWork = (envelope: Envelope) => granted(envelope) as unknown as JobAtWork;

export const startJob = async (
  world: World,
  wish: object = {},
  user?: string,
): Promise<JobAtWork> =>
  atWork(await world.rpc('jobs.start', await choiceOf(world, wish, user), user));

export const setState = async (
  world: World,
  jobId: string,
  state: string,
  user?: string,
): Promise<JobAtWork> => atWork(await world.rpc('jobs.setState', { jobId, state }, user));

/** Asks and records in turn, as an open sidebar does, until the job does not run any more. */
export async function workOff(
  world: World,
  { status, queue }: JobAtWork,
  { maxMs = 20_000, user }: { readonly maxMs?: number; readonly user?: string } = {},
): Promise<JobStatus> {
  const { jobId } = status;
  let now = status;
  let left = queue;
  for (let rounds = 0; now.state === 'running'; rounds += 1) {
    if (rounds === 200) throw new Error('The job does not end.');
    if (left.length === 0) {
      const rest = await setState(world, jobId, 'running', user);
      now = rest.status;
      left = rest.queue;
      continue;
    }
    const asked = granted(await world.rpc('jobs.ask', { jobId, products: left, maxMs }, user));
    const { answers, calls } = asked;
    const recorded = await world.rpc('jobs.record', { jobId, answers, calls }, user);
    now = granted(recorded) as JobStatus;
    left = asked.left as readonly string[];
  }
  return now;
}

/** Starts a job over the active sheet and works it off. */
export const runAll = async (world: World, wish: object = {}): Promise<JobStatus> =>
  workOff(world, await startJob(world, wish));
