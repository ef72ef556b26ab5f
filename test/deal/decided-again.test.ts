// Decisions that come and go: nothing of theirs stays, and nothing of a person's is lost.
import { describe, expect, it } from '@jest/globals';
import { HIGHLIGHTS } from '../../src/deal/decision-plan';
import { granted, US_ASINS } from '../doors/bulk-list';
import { analyze, dealWorld, decide, lookAt, remove } from '../doors/deal-list';

const FIELDS = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'];

const areaOf = (row: number, column: number, rowCount = 1, columnCount = 1) => ({
  ...{ row, column, rowCount, columnCount },
});

it('a list is as it was after being decided on and taken back a hundred times', async () => {
  const { world, sheet } = await dealWorld([
    ['ASIN', 'Title', 'Cost', 'Qty'],
    ...US_ASINS.slice(0, 2).map((asin, at) => [asin, `Thing ${at}`, 4 + at, 1]),
  ]);
  await analyze(world, {
    fields: FIELDS,
  });
  const own = { criteria: 'TEXT_EQUAL_TO', values: ['Buy'], format: { background: '#ff0000' } };
  const theirs = { ...own, rectangles: [areaOf(2, 1, 3)] };
  sheet.features.setLook(sheet.id, { rules: [theirs] });
  const { grid, id } = sheet;
  const all = areaOf(1, 1, 6, 26);
  const state = () => ({
    values: grid.values(id, all),
    formulas: grid.formulas(id, all),
    weights: grid.fontWeights(id, all),
    rules: sheet.features.look(id).rules,
    widths: Array.from({ length: 26 }, (_, at) => grid.columnWidth(id, at + 1)),
    size: grid.size(id).maxColumns,
    tabs: grid.sheets().length,
  });
  const before = state();
  for (let round = 0; round < 100; round += 1) {
    granted(await decide(world));
    granted(await remove(world));
    // The rules stay for the next time.
    if (round === 0) before.tabs += 1;
    if (round % 20 === 0) expect(state()).toEqual(before);
  }
  expect(state()).toEqual(before);
  granted(await decide(world));
  granted(await decide(world));
  expect(sheet.features.look(id).rules).toHaveLength(1 + HIGHLIGHTS.length);
  expect(sheet.features.look(id).rules[0]).toEqual(theirs);
  await world.stop();
}, 240_000);

describe('columns that had no look yet when Google failed', () => {
  /** Decides, with a fault at this call of the execution, and once more where that failed. */
  async function decided(atCall: number | null) {
    const { world, sheet } = await dealWorld([
      ['ASIN', 'Title', 'Cost', 'Qty'],
      ...US_ASINS.slice(0, 8).map((asin, at) => [asin, `Thing ${at}`, 4 + at, 1]),
    ]);
    await analyze(world, { fields: FIELDS });
    granted(await decide(world));
    granted(await remove(world));
    const { sheet: active, listId, market } = (await lookAt(world)).look;
    const selection = { list: { sheetId: active.id, listId }, market, cost: null };
    const outcome = world.host.start({
      functionName: 'rpc',
      args: ['deals.decide', selection],
      door: 'sidebar',
      userEmail: 'owner@example.com',
      faults: atCall === null ? [] : [{ atCall, when: 'before', times: 2 }],
    });
    await world.host.run();
    const { ok } = (await outcome).value as { readonly ok: boolean };
    const trace = world.host.trace();
    if (!ok) granted(await decide(world));
    await world.stop();
    const { lastColumn } = sheet.grid.size(sheet.id);
    const row = { row: 2, column: 1, rowCount: 1, columnCount: lastColumn };
    const { hiddenColumns } = sheet.features.look(sheet.id);
    return { ok, trace, hiddenColumns, formats: sheet.grid.numberFormats(sheet.id, row) };
  }

  it('get it by the next decision', async () => {
    const { trace, ...usual } = await decided(null);
    const execution = /#\d+ /.exec(trace[trace.length - 1] ?? '')?.[0] ?? '';
    const calls = trace.filter((line) => line.includes(`${execution}call `));
    const atCall = calls.findLastIndex((line) => line.includes('setNumberFormats')) + 1;
    const { trace: _, ...after } = await decided(atCall);
    expect(after).toEqual({ ...usual, ok: false });
  });
});
