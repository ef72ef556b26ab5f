// The columns of a list of 10,000 rows: what making and changing them takes in the emulated host's time.
import { expect, it } from '@jest/globals';
import { FIELDS } from '../../src/product/fields';
import { createSheetWorld } from '../sheet/sheet-world';

const asinOf = (at: number) => `B${String(at).padStart(9, '0')}`;

it.each([
  [1_000, 12],
  [10_000, 25],
])('of %d rows are made and filled in within bounded time', (count, longest) => {
  const rows = Array.from({ length: count }, (_, at) => [asinOf(at)]);
  const world = createSheetWorld([['ASIN'], ...rows], { maxRows: count + 100 });
  const seconds = (work: () => unknown) => {
    const beginMs = world.host.nowMs();
    work();
    return Number(((world.host.nowMs() - beginMs) / 1_000).toFixed(1));
  };
  // The tab is made once for each spreadsheet, and is not what is measured here.
  world.fill({ key: `${asinOf(0)}|US` });
  let list = '';
  const figures = {
    rows: count,
    make: seconds(() => {
      list = world.ensure({ columns: FIELDS }).id;
    }),
    fillIn: seconds(() => world.call('fillIn', [world.id, list])),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  expect(world.formula(count + 1, 3)).toMatch(/^=/);
  expect(Math.max(figures.make, figures.fillIn)).toBeLessThan(longest);
});
