// Decisions that come and go: nothing of theirs stays, and nothing of a person's is lost.
import { expect, it } from '@jest/globals';
import { MARKS } from '../../src/deal/decision-plan';
import { granted, US_ASINS } from '../doors/bulk-list';
import { analyze, dealWorld, decide, remove } from '../doors/deal-list';

const areaOf = (row: number, column: number, rowCount = 1, columnCount = 1) => ({
  ...{ row, column, rowCount, columnCount },
});

it('a list is as it was after being decided on and taken back a hundred times', async () => {
  const { world, sheet } = await dealWorld([
    ['ASIN', 'Title', 'Cost', 'Qty'],
    ...US_ASINS.slice(0, 2).map((asin, at) => [asin, `Thing ${at}`, 4 + at, 1]),
  ]);
  await analyze(world, {
    fields: ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d', 'sell_price'],
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
  expect(sheet.features.look(id).rules).toHaveLength(1 + MARKS.length);
  expect(sheet.features.look(id).rules[0]).toEqual(theirs);
  await world.stop();
}, 240_000);
