// A list with costs in a spreadsheet that works out formulas, and what a person does with it on the Deals page.

import { type Calculation, calculating } from 'apps-script-host/calculation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { costColumnsOf, decisionColumnsOf, decisionsFor } from '../../src/deal/decision-plan';
import type { ListInspection, ListRow } from '../../src/deal/list';
import { newRulesTab, readRules } from '../../src/deal/rules-tab';
import { askedColumns, type DecidedRow, decidedRows } from '../../src/deal/summary';
import type { DealColumn } from '../../src/product/deal-formulas';
import type { dealsApi } from '../../src/sidebar/api/deals';
import { buttonsOf, createDealsActions } from '../../src/sidebar/page/deals/actions';
import { createDealDesk } from '../../src/sidebar/page/deals/desk';
import { type DealsState, firstState, step } from '../../src/sidebar/page/deals/state';
import { choiceOf, granted, SANDBOX, type Sheet } from './bulk-list';
import { createWorld, documentOf, type World, type WorldOptions } from './world';

export interface DealSheet extends Sheet {
  readonly people: ReturnType<typeof createPeople>;
  readonly features: ReturnType<typeof featuresOf>;
  /** Of a row, by column of the decision. */
  decision(row: number): Readonly<Record<string, CellValue>>;
  type(row: number, column: number, value: CellValue): void;
  /** What a formula draws in its cell. */
  readonly sparkline: Calculation['sparkline'];
}

export interface DealWorld {
  readonly world: World;
  readonly sheet: DealSheet;
}

export async function dealWorld(
  rows: readonly (readonly CellValue[])[],
  {
    locale = 'en_US',
    maxRows = Math.max(1_000, rows.length + 50),
    quote = () => null,
    ...options
  }: WorldOptions & {
    readonly locale?: string;
    readonly maxRows?: number;
    /** What GOOGLEFINANCE says. */
    readonly quote?: (symbol: string) => number | null;
  } = {},
): Promise<DealWorld> {
  const width = Math.max(...rows.map((row) => row.length));
  const grid = createPlainGrid({ locale, maxRows });
  const id = grid.sheets()[0]?.id ?? 0;
  grid.write(
    id,
    1,
    1,
    rows.map((row) => [...row, ...Array<CellValue>(width - row.length).fill('')]),
  );
  const document = { ...documentOf('sheet-1'), model: grid };
  const world = createWorld({
    sandbox: { ...SANDBOX, ...options.sandbox },
    host: { documents: [document], ...options.host },
  });
  const { sparkline } = calculating(grid, { nowMs: () => world.host.nowMs(), quote });
  granted(await world.connect());
  const people = createPeople(grid);
  const values = () => {
    const { lastRow, lastColumn } = grid.size(id);
    return grid.values(id, { row: 1, column: 1, rowCount: lastRow, columnCount: lastColumn });
  };
  const byHeader = (row: number, headerRow = 1) => {
    const all = values();
    const titles = all[headerRow - 1] ?? [];
    return Object.fromEntries(titles.map((title, at) => [String(title), all[row - 1]?.[at] ?? '']));
  };
  const decided = ['My profit', 'My ROI', 'Max buy', 'Verdict', 'Why'];
  const sheet: DealSheet = {
    ...{ grid, document, id, values, byHeader, people, sparkline },
    features: featuresOf(grid),
    decision: (row) => {
      const all = byHeader(row);
      return Object.fromEntries(decided.map((title) => [title, all[title] ?? '']));
    },
    type: (row, column, value) =>
      people({ do: 'edit', sheetId: id, row, column, contents: [[value]] }),
  };
  return { world, sheet };
}

const placeOf = (choice: object) => {
  const { sheetId, headerRow, productColumn, market } = choice as Readonly<Record<string, unknown>>;
  return { sheetId, headerRow, productColumn, market };
};

/** A method of the Deals page, as the page calls it. */
const call = (world: World, method: keyof typeof dealsApi, payload: object) =>
  world.rpc(method, payload);

/** What the page knows of the list after a look. */
export interface Looked {
  readonly look: ListInspection;
  /** What is sent with whatever is done with the list. */
  readonly place: object;
}

export async function lookAt(world: World): Promise<Looked> {
  const place = placeOf(await choiceOf(world));
  const look = granted(await call(world, 'deals.look', place)) as unknown as ListInspection;
  return { look, place: { ...place, titles: look.titles } };
}

/** The page's own way to lists, in this world. */
export const deskOf = (world: World) => createDealDesk(world.rpc as never);

/** The Deals page in this world, without its looks: what it knows, and what can be pressed. */
export function dealsPage(world: World) {
  let state: DealsState = firstState({ chosen: null, isNewWished: false });
  const dispatch = (event: Parameters<typeof step>[1]) => {
    state = step(state, event);
  };
  const noop = () => {};
  const actions = createDealsActions(world.rpc as never, dispatch, {
    stateNow: () => state,
    show: noop,
    connectionChanged: noop,
  });
  const effects = () => ({ state, actions, dispatch, toAnalyze: noop, isKeyMissing: false });
  return {
    actions,
    stateNow: () => state,
    /** Looks at the list, and names the one filled button. */
    async primary(): Promise<string> {
      await actions.load();
      return buttonsOf(effects()).primary.label;
    },
  };
}

/** Makes the rules where they are missing, and writes the decisions, as one press does. */
export async function apply(world: World, seen?: Looked) {
  const { look, place } = seen ?? (await lookAt(world));
  if (look.rules === null) granted(await call(world, 'deals.tab', newRulesTab(look.roiScale)));
  const sent = { ...place, ...decisionsFor(look, costColumnsOf(look)) };
  return call(world, 'deals.apply', sent);
}

export async function remove(world: World) {
  const { look, place } = await lookAt(world);
  return call(world, 'deals.remove', { ...place, ...decisionsFor(look, costColumnsOf(look)) });
}

export async function decided(world: World): Promise<readonly DecidedRow[]> {
  const { look, place } = await lookAt(world);
  const asked = askedColumns(look, costColumnsOf(look));
  const { rows } = granted(await call(world, 'deals.rows', { ...place, columns: asked.columns }));
  const inUse = look.rules === null ? {} : readRules(look.rules).inUse;
  return decidedRows(rows as readonly ListRow[], asked, inUse);
}

export async function columnOf(world: World, key: DealColumn): Promise<number> {
  const column = decisionColumnsOf((await lookAt(world)).look)[key]?.column;
  if (column === undefined) throw new Error(`There is no column for ${key}.`);
  return column;
}
