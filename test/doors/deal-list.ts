// A list with costs in a spreadsheet that works out formulas, and what a person does with it on the page.

import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { ListView } from '../../src/deal/list';
import type { Offer } from '../../src/deal/offers';
import type { DealRules } from '../../src/deal/rules';
import type { LIST_SHOWS, ShownList } from '../../src/deal/shown-list';
import { type SumRole, sumOf } from '../../src/deal/sum';
import { type DecisionRole, decisionTitle } from '../../src/product/deal-formulas';
import type { Market } from '../../src/product/market';
import type { dealsApi } from '../../src/sidebar/api/deals';
import { openPageOver } from '../sidebar/page/open-page';
import {
  granted,
  type Sheet,
  type SheetOptions,
  sheetOf,
  startJob,
  workOff,
  worldWith,
} from './bulk-list';
import type { World, WorldOptions } from './world';

export interface DealSheet extends Sheet {
  readonly features: ReturnType<typeof featuresOf>;
  /** Of a row, by column of the decision. */
  decision(row: number): Readonly<Record<string, CellValue>>;
  type(row: number, column: number, value: CellValue): void;
}

export interface DealWorld {
  readonly world: World;
  readonly sheet: DealSheet;
}

const DECIDED = ['Landed cost', 'Net sale', 'My profit', 'My ROI', 'Max buy', 'Verdict', 'Why'];

export async function dealWorld(
  rows: readonly (readonly CellValue[])[],
  { sandbox = {}, host = {}, says, ...options }: WorldOptions & Omit<SheetOptions, 'nowMs'> = {},
): Promise<DealWorld> {
  let nowMs = () => 0;
  const list = sheetOf(rows, { ...options, nowMs: () => nowMs() });
  const { grid, id, byHeader, people } = list;
  const world = await worldWith(list, { sandbox, host, says });
  nowMs = world.host.nowMs;
  const sheet: DealSheet = {
    ...{ ...list, features: featuresOf(grid) },
    decision: (row) => {
      const all = byHeader(row);
      return Object.fromEntries(DECIDED.map((title) => [title, all[title] ?? '']));
    },
    type: (row, column, value) =>
      people({ do: 'edit', sheetId: id, row, column, contents: [[value]] }),
  };
  return { world, sheet };
}

/** A method of the page, as the page calls it. */
const call = (world: World, method: keyof typeof dealsApi, payload: object) =>
  world.rpc(method, payload);

/** The longest that a person watches one call, ms. */
const ASK_MS = 120_000;

/**
 * Analyzes the list of the active sheet from the click to the last row.
 *
 * @param wish what the person chose otherwise than the page offers.
 */
export async function analyze(world: World, wish: object = {}): Promise<void> {
  const begun = await startJob(world, { rows: { kind: 'all' }, ...wish });
  await workOff(world, begun, { maxMs: ASK_MS });
}

const NO_WISH = { list: null, market: null, cost: null };

/** What the page knows of the list after a look. */
export async function lookAt(
  world: World,
  market: Market | null = null,
  shows: (typeof LIST_SHOWS)[number] = 'totals',
): Promise<ShownList> {
  return granted(
    await call(world, 'deals.look', { ...NO_WISH, market, shows }),
  ) as unknown as ShownList;
}

/** The offers of the list in view, with the figures that a card shows. */
export const offersIn = async (
  world: World,
  market: Market | null = null,
): Promise<readonly Offer[]> => (await lookAt(world, market, 'offers')).offers;

/** What the tab of rules holds. */
export async function rulesIn(world: World): Promise<DealRules> {
  const { rules } = (await lookAt(world)).look;
  if (rules === null) throw new Error('There are no rules.');
  return rules;
}

/** Changes rules, as a person does on the page. */
export const changeRules = (world: World, change: object) => call(world, 'deals.rules', change);

type Call = (method: string, payload: object) => Promise<unknown>;

/** The List page, just opened, which calls this. */
const openList = (call: Call) =>
  openPageOver(
    (method, payload, onValue) => void call(method, payload).then(onValue),
    (): {
      readonly list: typeof import('../../src/sidebar/page/list/list');
      readonly analyze: typeof import('../../src/sidebar/page/list/analyze');
      readonly deals: typeof import('../../src/sidebar/page/list/deals');
      readonly product: typeof import('../../src/sidebar/page/list/product');
      readonly stages: typeof import('../../src/sidebar/page/list/stages');
    } => ({
      list: require('../../src/sidebar/page/list/list'),
      analyze: require('../../src/sidebar/page/list/analyze'),
      deals: require('../../src/sidebar/page/list/deals'),
      product: require('../../src/sidebar/page/list/product'),
      stages: require('../../src/sidebar/page/list/stages'),
    }),
  );

/** The List page over a list with costs, without its looks: what it knows, and what can be pressed. */
export function dealsPage(world: World) {
  const { list, analyze, deals, stages } = openList(world.rpc as Call);
  return {
    actions: { ...deals, refresh: list.refresh },
    notice: () => list.notice.value,
    failure: () => list.failure.value,
    /** The list as the page shows it. */
    list(): ShownList {
      if (list.list.value === null) throw new Error('There is no list.');
      return list.list.value;
    },
    /** Looks at the list, and names the one filled button, or what it waits for. */
    async primary(): Promise<string> {
      await list.load();
      await analyze.count();
      const { primary, cost = '' } = stages.stageNow().buttons;
      return primary.isWaiting === true ? cost : primary.label;
    },
    /** The lines that nobody has answered yet, of the first product. */
    unsure(): readonly SumRole[] {
      if (list.list.value === null) throw new Error('There is no list.');
      const { look, samples } = list.list.value;
      const market = look.market === 'column' ? 'US' : look.market;
      return sumOf(list.list.value, samples[0]?.offer ?? null, market, null)
        .filter(({ isUnsure }) => isUnsure)
        .map(({ role }) => role);
    },
  };
}

const wishIn = ({ sheet, listId, market }: ListView) => ({
  ...{ list: { sheetId: sheet.id, listId }, market, cost: null },
});

/** The step in which time passes while the page works on a job, ms. */
const STEP_MS = 50;

/** The selected row, without its looks. */
export function productPage(world: World) {
  const { host } = world;
  const page = openList((method, payload) =>
    host
      .start({ functionName: 'rpc', args: [method, payload], door: 'sidebar' })
      .then(({ value }) => value),
  );
  // The browser's clock is the world's.
  Object.assign(globalThis, {
    setTimeout: (wake: () => void, ms = 0) => host.at(host.nowMs() + ms, wake),
    performance: { timeOrigin: 0, now: () => host.nowMs() },
  });
  return {
    ...page.product,
    /** Lets time pass until an action is over and the page waits for nothing. */
    async over(action: Promise<unknown>): Promise<void> {
      let isOver = false;
      const end = action.finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await host.run(host.nowMs() + STEP_MS);
        await new Promise((next) => setImmediate(next));
      }
      await end;
    },
  };
}

/** One press of Add decisions. */
export async function decide(world: World, seen?: ShownList) {
  return call(world, 'deals.decide', wishIn((seen ?? (await lookAt(world))).look));
}

export async function remove(world: World) {
  return call(world, 'deals.remove', wishIn((await lookAt(world)).look).list);
}

/** @param only the verdict to show; null: all rows. */
export async function filter(world: World, only: string | null) {
  return call(world, 'deals.filter', { ...wishIn((await lookAt(world)).look), only });
}

/** How many rows are selected. @param words their verdict or a reason; null: rows without a decision. */
export async function showCounted(world: World, words: string | null): Promise<number> {
  const wish = { ...wishIn((await lookAt(world)).look), words };
  return granted(await call(world, 'deals.showCounted', wish)) as unknown as number;
}

export async function sort(world: World) {
  return call(world, 'deals.sort', wishIn((await lookAt(world)).look));
}

/** The list of which a tab was made comes into view again. */
export async function shop(world: World) {
  const wish = wishIn((await lookAt(world)).look);
  const reply = await call(world, 'deals.shop', wish);
  granted(await world.rpc('list.showSheet', { sheetId: wish.list.sheetId }));
  return reply;
}

export async function summarize(world: World, user?: string) {
  return world.rpc('deals.summarize', wishIn((await lookAt(world)).look), user);
}

/** Where a decision stands under its own title, or one that tells it from a person's. */
export function columnOf({ sheet }: DealWorld, role: DecisionRole): number {
  const title = decisionTitle(role);
  const titles = sheet.values()[0]?.map(String) ?? [];
  const at = [`${title} (deal)`, title].map((one) => titles.indexOf(one)).find((one) => one >= 0);
  if (at === undefined) throw new Error(`There is no column for ${role}.`);
  return at + 1;
}
