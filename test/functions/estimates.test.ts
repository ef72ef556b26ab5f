// =ANALYZE_MAX_BUY and =ANALYZE_WHAT_IF: rounded to the penny, for one product or a range, and what is missing said.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type LatencyLaw, MODELLED_LATENCY } from 'apps-script-host/latency';
import { callsByProduct } from '../../playground/api/state';
import { US_ASINS } from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';

const MUG = 'B0XKT7M4QN';
const BOX = 'B0RWD92FHC';

let world: World;

beforeEach(async () => {
  world = createWorld();
  await world.connect();
});

afterEach(() => world.stop());

const value = async (...call: Parameters<World['show']>) => (await world.show(...call)).value;
const text = async (...call: Parameters<World['show']>) =>
  (await world.show(...call)).error?.message;
const asked = () => Object.fromEntries(callsByProduct(world.service()));

describe('the most to pay', () => {
  it('is rounded down to the penny, so that it makes the target', async () => {
    // (32.99 - 11.64) ÷ 1.3 = 16.4230…; at 16.43 it would be less than 30 %.
    expect(await value('ANALYZE_MAX_BUY', MUG, 'US', 0.3)).toBe(16.42);
    // 32.99 - 11.64 - 3, the least profit; a computer may hold 21.35 as 21.349999….
    expect(await value('ANALYZE_MAX_BUY', MUG, 'US', 0)).toBe(18.35);
  });

  it('takes a range: one row each, blanks blank, each product asked once, failures in their rows', async () => {
    const range = [[MUG], [''], [BOX], ['nonsense'], [MUG], ['B000000000']];
    const rows = await value('ANALYZE_MAX_BUY', range, 'US', 0.3);
    expect(rows).toEqual([
      [16.42],
      [null],
      [expect.any(Number)],
      [expect.stringMatching(/^Not analyzed: "nonsense" is not an ASIN/)],
      [16.42],
      [expect.stringMatching(/^Not analyzed: \w{10} is not sold on Amazon/)],
    ]);
    expect(asked()).toEqual({ [`US ${MUG}`]: 1, [`US ${BOX}`]: 1, 'US B000000000': 1 });
  });

  it('takes a market and a target for each row; a wrong one is told there and asks nothing', async () => {
    const rows = await value(
      'ANALYZE_MAX_BUY',
      [[MUG], [MUG], [MUG], [BOX]],
      [['US'], ['UK'], [''], ['US']],
      [['100%'], [''], [0.3], ['much']],
    );
    expect(rows).toEqual([
      [10.67],
      [expect.stringMatching(/^Not analyzed: VAT not set\. On the List page, choose/)],
      [16.42],
      ['Not analyzed: "much" is not a target ROI. Use a percentage, such as 30%'],
    ]);
    expect(asked()).toEqual({ [`US ${MUG}`]: 1, [`UK ${MUG}`]: 1 });
  });
});

describe('other prices', () => {
  it('are taken row by row, a row without a buy price staying blank and free', async () => {
    const rows = await value(
      'ANALYZE_WHAT_IF',
      [[MUG], [BOX], [MUG], ['']],
      'US',
      [[10], [''], ['cheap'], [5]],
      [[''], [20], [20], [20]],
    );
    expect(rows).toEqual([
      [expect.closeTo(11.35, 9), expect.closeTo(1.135, 9)],
      [null, null],
      ['Not analyzed: "cheap" is not a buy price. Use a number above 0', null],
      [null, null],
    ]);
    expect(asked()).toEqual({ [`US ${MUG}`]: 1 });
  });

  it('may be one price for all rows', async () => {
    const rows = await value('ANALYZE_WHAT_IF', [[MUG], [MUG]], 'US', 10, 30);
    expect(rows).toEqual(Array(2).fill([expect.closeTo(8.36, 9), expect.closeTo(0.836, 9)]));
  });

  it('in another currency than that of the row’s market are refused and ask nothing', async () => {
    const refused = (typed: string, name: string) => [
      `Not analyzed: "${typed}" is not a ${name} price. Use a number above 0`,
      null,
    ];
    const rows = await value(
      'ANALYZE_WHAT_IF',
      [[MUG], [MUG], [BOX], [`https://www.amazon.co.uk/dp/${MUG}`]],
      [['US'], ['US'], ['US'], ['']],
      [['$10'], ['£10'], [10], ['US$10']],
      [[30], [30], ['30 GBP'], ['']],
    );
    expect(rows).toEqual([
      [expect.closeTo(8.36, 9), expect.closeTo(0.836, 9)],
      refused('£10', 'buy'),
      refused('30 GBP', 'sell'),
      refused('US$10', 'buy'),
    ]);
    expect(asked()).toEqual({ [`US ${MUG}`]: 1 });
  });

  it('of another height are refused before anything is asked', async () => {
    const range = [[MUG], [BOX]];
    expect(await text('ANALYZE_WHAT_IF', range, 'US', [[1], [2], [3]])).toBe(
      'Not analyzed: there are 2 cells of ASINs, but 3 of buy prices',
    );
    expect(await text('ANALYZE_MAX_BUY', MUG, 'US', [[0.1], [0.2]])).toBe(
      'Not analyzed: there is 1 cell of ASINs, but 2 of target ROIs',
    );
    expect(asked()).toEqual({});
  });
});

describe('a function without what it needs', () => {
  it.each([
    ['ANALYZE', [], 'the product is missing. Name its cell, as in =ANALYZE(A2)'],
    ['ANALYZE_ASIN', [], 'the product is missing. Name its cell, as in =ANALYZE_ASIN(A2)'],
    ['ANALYZE_MAX_BUY', [], 'the product is missing. Name its cell, as in =ANALYZE_MAX_BUY(A2)'],
    [
      'ANALYZE_WHAT_IF',
      [],
      'the product is missing. Its cell comes first, then the market and the buy price',
    ],
    ['ANALYZE_WHAT_IF', [MUG, 'US'], 'the buy price is missing. It comes third, after the market'],
  ])('%s%j says what is missing', async (name, args, what) => {
    expect(await text(name, ...args)).toBe(`Not analyzed: ${what}`);
  });

  it('is not one whose cell is blank', async () => {
    for (const name of ['ANALYZE', 'ANALYZE_ASIN', 'ANALYZE_MAX_BUY', 'ANALYZE_WHAT_IF'])
      expect(await value(name, '')).toBeNull();
    expect(asked()).toEqual({});
  });
});

/** Google needs seconds to say where the rules stand. */
const SLOW_RULES: LatencyLaw = {
  ...MODELLED_LATENCY,
  callMs: (operation, random, cells) =>
    operation === 'spreadsheet.read.getNamedRanges'
      ? 6_000
      : MODELLED_LATENCY.callMs(operation, random, cells),
};

describe('the rules', () => {
  it.each([
    ['ANALYZE_MAX_BUY', ['US']],
    ['ANALYZE', ['US', 'verdict']],
  ])(
    'take their time from that of asking, so that %s ends before Google ends it',
    async (name, more) => {
      await world.stop();
      world = createWorld({ host: { latency: SLOW_RULES } });
      await world.connect();
      const { ok, value: rows } = await world.show(
        name,
        US_ASINS.map((asin) => [asin]),
        ...more,
      );
      expect(ok).toBe(true);
      expect(rows).toHaveLength(US_ASINS.length);
    },
  );
});
