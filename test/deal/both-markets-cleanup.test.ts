// The column of products of a list with the figures of both markets is cleaned up on the Analyze page, and taken back.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { createCatalogue } from '../../playground/api/catalogue';
import type { Market } from '../../src/product/market';
import type { Choice } from '../../src/runs/run';
import { createAnalyzeActions, leave } from '../../src/sidebar/page/analyze/actions';
import { createRunFollower } from '../../src/sidebar/page/analyze/run-follower';
import { type AnalyzeState, firstState, step } from '../../src/sidebar/page/analyze/state';
import { noticeText } from '../../src/sidebar/page/analyze/texts';
import { runAll, SANDBOX } from '../doors/bulk-list';
import { type DealWorld, dealsPage, dealWorld } from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const SHARED = [...asins.US].filter((asin) => asins.UK.has(asin));
const [A = '', B = '', C = '', D = ''] = SHARED;
const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];
const link = (asin: string, host: string) => `https://www.amazon.${host}/dp/${asin}?th=1`;
const CELLS = [A, link(B, 'com'), link(C, 'co.uk'), ` ${D.toLowerCase()}`];
const CLEAN = [A, B, C, D];

const analyze = (market: Market) =>
  runAll(made.world, { market: { kind: 'one', market }, fields: FIELDS, apart: true });

const all = () => made.sheet.values();
const products = () =>
  all()
    .slice(1)
    .map(([cell]) => cell);
/** All but the column of products. */
const beside = () => all().map((row) => row.slice(1));

/** A list that was analyzed for both markets, and decided on. */
async function bothOf(cells: readonly CellValue[] = CELLS): Promise<void> {
  const rows = cells.map((cell, at) => [cell, 4 + at]);
  made = await dealWorld([['ASIN', 'Cost'], ...rows], { quote: () => 1.25 });
  await analyze('US');
  await analyze('UK');
  await decide();
}

async function decide(): Promise<void> {
  const page = dealsPage(made.world);
  await page.primary();
  await page.actions.chooseCurrency('USD');
  await page.actions.decide();
  expect(all()[0]).toEqual(expect.arrayContaining(['Verdict (US)', 'Verdict (UK)']));
}

/** The Analyze page without its looks. */
async function analyzePage() {
  const { world } = made;
  const kept = { draft: null, seenRun: null, ran: null, undo: null, both: null, pair: null };
  let state: AnalyzeState = firstState(kept);
  const dispatch = (event: Parameters<typeof step>[1]) => {
    state = step(state, event);
  };
  const follower = createRunFollower(
    world.rpc as never,
    dispatch,
    async () => {},
    () => world.host.nowMs(),
  );
  const actions = createAnalyzeActions(world.rpc as never, dispatch, follower);
  await actions.load(null);
  const cleanup = () => {
    const { view } = state;
    if (view.at !== 'cleanup' || view.found === null) throw new Error(JSON.stringify(view));
    return { ...view, found: view.found };
  };
  return {
    stateNow: () => state,
    /** Chooses US and UK, and asks what there is to clean up. */
    async tidy() {
      const { view } = state;
      if (view.at !== 'choosing' || view.choice === null) throw new Error(JSON.stringify(view));
      const market = { kind: 'one', market: 'US' } as const;
      const choice: Choice = { ...view.choice, market };
      dispatch({ type: 'chosen', choice, isForBoth: true });
      await actions.tidy(choice);
      return cleanup().found;
    },
    async cleanUp() {
      const { choice, found } = cleanup();
      const changes = found.changes.map(({ row, seen, put, format }) => ({
        row,
        seen,
        put,
        format,
      }));
      const { sheetId, headerRow, productColumn, market } = choice;
      const place = { sheetId, headerRow, productColumn, market, titles: found.titles };
      await actions.cleanUp(choice, { ...place, changes, isTrial: false }, false);
    },
    async undo() {
      const { undo } = state;
      if (undo === null) throw new Error('There is nothing to take back.');
      await actions.cleanUp(cleanup().choice, undo, true);
    },
    leave: () => leave({ state, actions, dispatch } as never),
  };
}

describe('a list with the figures of both markets', () => {
  it('is cleaned up without a change to either, and taken back', async () => {
    await bothOf();
    const before = all();
    const page = await analyzePage();
    const found = await page.tidy();
    // No link is to another market than the list's: it has both.
    expect(found.changes.map(({ row, put, why, isUnsure }) => [row, put, why, isUnsure])).toEqual([
      [3, B, 'link', false],
      [4, C, 'link', false],
      [5, D, 'typed', false],
    ]);
    await page.cleanUp();
    expect(noticeText(page.stateNow().notice)).toBe('3 cells cleaned up.');
    expect(products()).toEqual(CLEAN);
    expect(beside()).toEqual(before.map((row) => row.slice(1)));
    await page.undo();
    expect(noticeText(page.stateNow().notice)).toBe('3 cells put back as before.');
    expect(page.stateNow().undo).toBeNull();
    expect(all()).toEqual(before);
  });

  it('keeps its figures for the next run of either, which asks for nothing again', async () => {
    await bothOf();
    const before = beside();
    const page = await analyzePage();
    await page.tidy();
    await page.cleanUp();
    for (const market of ['US', 'UK'] as const)
      expect(await analyze(market)).toMatchObject({ calls: 0, failed: 0 });
    expect(beside()).toEqual(before);
  });

  it('is put back after the second market was analyzed and decided on, and its rows were sorted', async () => {
    made = await dealWorld([['ASIN', 'Cost'], ...CELLS.map((cell, at) => [cell, 9 - at])], {
      quote: () => 1.25,
    });
    await analyze('US');
    const page = await analyzePage();
    await page.tidy();
    await page.cleanUp();
    expect(products()).toEqual(CLEAN);
    await analyze('UK');
    await decide();
    const { sheet } = made;
    const rectangle = { row: 2, column: 1, rowCount: 4, columnCount: all()[0]?.length ?? 0 };
    const keys = [{ column: 2, ascending: true }];
    sheet.people({ do: 'sort', sheetId: sheet.id, rectangle, keys });
    expect(products()).toEqual([...CLEAN].reverse());
    const figures = beside();
    await page.undo();
    expect(noticeText(page.stateNow().notice)).toBe('3 cells put back as before.');
    expect(products()).toEqual([...CELLS].reverse());
    expect(beside()).toEqual(figures);
  });
});
