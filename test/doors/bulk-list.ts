// A list in a spreadsheet that calculates, people who work in it, and what they do on the List page.

import { calculating } from 'apps-script-host/calculation';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { createCatalogue } from '../../playground/api/catalogue';
import { TAB_COLUMNS, tabTitle } from '../../src/analysis/analysis-row';
import {
  createWorld,
  documentOf,
  EDITOR,
  type Envelope,
  type World,
  type WorldOptions,
} from './world';

/** The catalogue of a sandbox with these options. */
export const SANDBOX = { seed: 1, productsPerMarket: 2_500 };
export const US_ASINS: readonly string[] = [
  ...createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket).asins.US,
];
/** Those that are ASINs and no ISBNs. */
export const ASINS: readonly string[] = US_ASINS.filter((asin) => /^B0/.test(asin));

export interface Sheet {
  readonly grid: PlainGrid;
  readonly document: ReturnType<typeof documentOf>;
  readonly id: number;
  readonly people: ReturnType<typeof createPeople>;
  /** Values from the first row and column on, of this sheet or another one. */
  values(sheetId?: number): CellValue[][];
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

const underTitles = (titles: readonly CellValue[], row: readonly CellValue[] = []) =>
  Object.fromEntries(titles.map((title, at) => [String(title), row[at] ?? '']));

/** Rows with their titles, or products that stand below the title "ASIN". */
type List = readonly string[] | readonly (readonly CellValue[])[];

const rowsOf = (list: List): readonly (readonly CellValue[])[] =>
  [...(typeof list[0] === 'string' ? ['ASIN'] : []), ...list].map((row) =>
    typeof row === 'string' ? [row] : row,
  );

/** A document whose first sheet has this list, and which works out formulas, as Sheets does. */
export function sheetOf(
  list: List,
  {
    nowMs = () => 0,
    locale = 'en_US',
    maxRows = Math.max(1_000, list.length + 50),
    quote = () => null,
  }: SheetOptions = {},
): Sheet {
  const rows = rowsOf(list);
  const width = Math.max(...rows.map((row) => row.length), 1);
  const grid = createPlainGrid({ locale, maxRows, maxColumns: Math.max(26, width + 10) });
  calculating(grid, { nowMs, quote });
  const id = grid.sheets()[0]?.id ?? 0;
  const filled = rows.map((row) => [...row, ...Array<CellValue>(width - row.length).fill('')]);
  if (filled.length > 0) grid.write(id, 1, 1, filled);
  const document = { ...documentOf('sheet-1'), model: grid };
  const values = (sheetId = id) => {
    const { lastRow, lastColumn } = grid.size(sheetId);
    const area = {
      row: 1,
      column: 1,
      rowCount: Math.max(1, lastRow),
      columnCount: Math.max(1, lastColumn),
    };
    return grid.values(sheetId, area);
  };
  return {
    grid,
    document,
    id,
    people: createPeople(grid),
    values,
    byHeader(row, headerRow = 1) {
      const all = values();
      return underTitles(all[headerRow - 1] ?? [], all[row - 1]);
    },
  };
}

/** A world with this sheet and a connection that formulas share. */
export async function worldWith(
  sheet: Pick<Sheet, 'document'>,
  { sandbox, host, ...options }: WorldOptions = {},
  draft: object = {},
): Promise<World> {
  const world = createWorld({
    sandbox: { ...SANDBOX, ...sandbox },
    host: { documents: [sheet.document], ...host },
    ...options,
  });
  granted(await world.connect(draft));
  return world;
}

export interface ListWorld extends World {
  readonly sheet: Sheet;
  readonly people: Sheet['people'];
  /** What the list shows in a row, by title. */
  readonly shown: Sheet['byHeader'];
  /** The rows of the Analysis tab by their titles; empty if there is none. */
  tab(): readonly Readonly<Record<string, CellValue>>[];
  /** Types into a cell of the Analysis tab, in the row with this key. */
  typeInTab(key: string, title: string, value: CellValue): void;
  /** The products that the service was asked for, each as often as it was. */
  asked(): readonly string[];
}

const TAB_TITLES: readonly string[] = TAB_COLUMNS.map(tabTitle);

/** A world with a list, which an editor may change as well. */
export async function listWorld(
  list: List,
  {
    sandbox = {},
    says,
    host = {},
    ...draft
  }: WorldOptions & Readonly<Record<string, unknown>> = {},
): Promise<ListWorld> {
  let nowMs = () => 0;
  const sheet = sheetOf(list, { nowMs: () => nowMs() });
  const { people } = sheet;
  const document = { ...sheet.document, editors: [EDITOR] };
  const options = { sandbox, host, says };
  const world = await worldWith({ document }, options, draft);
  nowMs = () => world.host.nowMs();
  // A start that was cut off may have left an empty tab of the same name.
  const tabId = () =>
    sheet.grid.sheets().findLast(({ name }) => /^Analysis( \d)?$/.test(name))?.id ?? null;
  const tab = () => {
    const id = tabId();
    const [, ...rows] = id === null ? [] : sheet.values(id);
    return rows.map((row) => underTitles(TAB_TITLES, row));
  };
  return {
    ...{ ...world, sheet, people, shown: sheet.byHeader, tab },
    typeInTab(key, title, value) {
      const at = tab().findIndex((row) => row.Key === key);
      const column = TAB_TITLES.indexOf(title) + 1;
      if (at < 0 || column === 0) throw new Error(`The tab has no ${title} of ${key}.`);
      people({ do: 'edit', sheetId: tabId() ?? -1, row: at + 2, column, contents: [[value]] });
    },
    asked: () => world.requests.map(({ body }) => String(new URLSearchParams(body).get('asin'))),
  };
}

type Value = Readonly<Record<string, unknown>>;

export function granted({ ok, value, failure }: Envelope): Value {
  if (!ok || value === undefined) throw new Error(`It failed: ${JSON.stringify(failure)}`);
  return value;
}

/** What the page offers for products in the first column of the first sheet. */
export const CHOICE = {
  ...{ sheetId: 0, headerRow: 1, productColumn: 1, market: { kind: 'one', market: 'US' } },
  ...{ fields: ['profit'], rows: { kind: 'all' } },
};

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
