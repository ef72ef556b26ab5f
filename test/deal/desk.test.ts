// From a pasted list with costs to a shopping list, through the doors.

import { afterEach, describe, expect, it } from '@jest/globals';
import { buysOf, summaryOf } from '../../src/deal/summary';
import { granted, runAll, US_ASINS } from '../doors/bulk-list';
import { apply, type DealWorld, dealWorld, decided } from '../doors/deal-list';

let made: DealWorld;

afterEach(() => made.world.stop());

const LIST = (count: number) =>
  US_ASINS.slice(0, count).map((asin, at) => [asin, `Thing ${at}`, 4 + (at % 9), 1 + (at % 3)]);

describe('a list with costs', () => {
  it('is decided on after a run', async () => {
    made = await dealWorld([['ASIN', 'Title', 'Cost', 'Qty'], ...LIST(8)]);
    await runAll(made.world);
    console.log(JSON.stringify(await apply(made.world)));
    console.log(JSON.stringify(made.sheet.values().slice(0, 4)));
    const rows = await decided(made.world);
    console.log(JSON.stringify(summaryOf(rows)), buysOf(rows).length);
    expect(granted(await apply(made.world))).toMatchObject({ rows: 8, kept: 0, added: [] });
  });
});
