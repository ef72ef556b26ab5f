// Field names: ours, everybody else's, the ones that only look alike, and slips of the keyboard.

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import {
  type Analysis,
  fieldValue,
  readFieldNames,
  showAge,
  unknownField,
} from '../../src/product/analysis';
import {
  ALL_FIELDS,
  DEFAULT_FIELDS,
  FIELDS,
  fieldOfName,
  figuresBy,
} from '../../src/product/fields';

const NOW = 1_760_000_000_000;

const MUG: Analysis = {
  figures: {
    ...figuresBy(() => null),
    profit: 9.85,
    roi: 0.8565,
    fees: 11.64,
    eligible: true,
    rank_drops_30d: 66,
    buy_price: 11.5,
    sell_price: null,
  },
  extras: [
    ['currency', 'USD'],
    ['Sales Rank', 4_211],
    ['hazmat', false],
    ['brand', null],
    ['__proto__', 'only a name'],
  ],
  fetchedAtMs: NOW - 3 * 3_600_000,
};

describe('the fields', () => {
  it('are the five of the contract, unless others are asked for', () => {
    expect(DEFAULT_FIELDS).toEqual(['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d']);
    expect(FIELDS.slice(5)).toEqual(['buy_price', 'sell_price']);
    expect(ALL_FIELDS).toEqual([...FIELDS, 'age', 'as_of']);
  });
});

describe('a name', () => {
  it.each([
    ...['buy_price', 'buyPrice', 'Buy Price', 'BUY-PRICE', 'cost', 'cost_price', 'cogs', 'COG'],
    ...['product_cost', 'sourcePrice', 'purchase_price', 'purchasePrice', 'buy_cost'],
  ])('%s is what the product costs', (name) => {
    expect(fieldOfName(name)).toBe('buy_price');
  });

  it.each([
    ...['sell_price', 'sellPrice', 'selling_price', 'price', 'buyBoxPrice', 'bb_price'],
    ...['amazonPrice', 'sale_price', 'salePrice', 'buy_box_price', 'buybox', 'current_price'],
  ])('%s is what the product sells at', (name) => {
    expect(fieldOfName(name)).toBe('sell_price');
  });

  it.each([
    ['netProfit', 'profit'],
    ['net_profit', 'profit'],
    ['ROI', 'roi'],
    ['roi %', 'roi'],
    ['Return on Investment', 'roi'],
    ['totalFees', 'fees'],
    ['total_fees', 'fees'],
    ['can sell', 'eligible'],
    ['Eligibility', 'eligible'],
    ['rank_drops_30d', 'rank_drops_30d'],
    ['Rank drops 30d', 'rank_drops_30d'],
    ['Rank drops (30d)', 'rank_drops_30d'],
    ['salesRankDrops30', 'rank_drops_30d'],
  ])('%s is %s', (name, field) => {
    expect(fieldOfName(name)).toBe(field);
  });

  it.each([
    ...['buyer', 'buy_price_vat', 'price_history', 'profit_margin', 'margin', 'rank', 'fee_note'],
    ...['rank_drops_90d', 'salesRankDrops90', 'constructor', '__proto__', 'toString', '', ' '],
  ])('%p is none of ours', (name) => {
    expect(fieldOfName(name)).toBeUndefined();
  });
});

describe('a list of names', () => {
  it.each([
    ['commas', ['profit, roi'], ['profit', 'roi']],
    ['semicolons', ['profit;roi'], ['profit', 'roi']],
    ['lines', ['profit\nroi'], ['profit', 'roi']],
    ['other names', ['Cost, buyBoxPrice'], ['buy_price', 'sell_price']],
    ["the service's own names", ['currency, Sales Rank'], ['currency', 'Sales Rank']],
    ['one name', ['ROI'], ['roi']],
    ['the same name twice', ['roi, roi'], ['roi', 'roi']],
    ['header cells', ['Profit', 'Sell price'], ['profit', 'sell_price']],
    ['a blank header', ['Profit', '', null, 'ROI'], ['profit', '', '', 'roi']],
    ['a header with a comma', ['Profit, net', 'ROI'], ['Profit, net', 'roi']],
    ['a comma too many', ['profit,,roi'], ['profit', 'roi']],
    ['a comma at the end', ['profit, roi,'], ['profit', 'roi']],
  ])('with %s', (_, cells, names) => {
    expect(readFieldNames(cells)).toEqual(names);
  });

  it('of nothing is empty', () => {
    for (const cells of [[], [''], [' , '], [null], ['', '']])
      expect(readFieldNames(cells)).toEqual([]);
  });

  it('of "all" is every figure, in order, and then their age', () => {
    expect(readFieldNames(['all'])).toEqual([...FIELDS, 'age', 'as_of']);
    expect(readFieldNames([' ALL '])).toEqual(ALL_FIELDS);
  });
});

describe('the value of a field', () => {
  it('is the figure, by any of its names', () => {
    expect(fieldValue(MUG, 'profit', NOW)).toBe(9.85);
    expect(fieldValue(MUG, 'Buy price', NOW)).toBe(11.5);
    expect(fieldValue(MUG, 'eligible', NOW)).toBe(true);
  });

  it('is null for a figure that is not known', () => {
    expect(fieldValue(MUG, 'sell_price', NOW)).toBeNull();
  });

  it("is that of the service's own field, without regard to case, spaces and dashes", () => {
    expect(fieldValue(MUG, 'currency', NOW)).toBe('USD');
    expect(fieldValue(MUG, 'sales-rank', NOW)).toBe(4_211);
    expect(fieldValue(MUG, 'hazmat', NOW)).toBe(false);
    expect(fieldValue(MUG, 'brand', NOW)).toBeNull();
    expect(fieldValue(MUG, '__proto__', NOW)).toBe('only a name');
  });

  it('is a blank column for a blank name', () => {
    expect(fieldValue(MUG, '', NOW)).toBeNull();
  });

  it('is its age in days, as sheets count time, or the moment it was fetched', () => {
    expect(fieldValue(MUG, 'Age', NOW)).toBe(0.125);
    expect(fieldValue(MUG, 'as of', NOW)).toEqual(new Date(NOW - 3 * 3_600_000));
    expect(fieldValue(MUG, 'age', NOW - 86_400_000)).toBe(0);
  });

  it('is never taken from the service where it has a meaning here', () => {
    const sent: Analysis = {
      ...MUG,
      extras: [
        ['age', 'new'],
        ['as_of', 'today'],
      ],
    };
    expect(fieldValue(sent, 'age', NOW)).toBe(0.125);
    expect(fieldValue(sent, 'as_of', NOW)).toBeInstanceOf(Date);
  });

  it('shows the age if it is asked for in any way', () => {
    for (const name of ['age', 'As of', 'as_of', 'AGE']) expect(showAge(['roi', name])).toBe(true);
    expect(showAge(['profit', 'agent', ''])).toBe(false);
  });

  it('does not exist for a name that the service did not send', () => {
    for (const name of ['profitt', 'constructor', 'toString', 'length', 'hasOwnProperty'])
      expect(fieldValue(MUG, name, NOW)).toBeUndefined();
  });
});

describe('a slip', () => {
  it.each([
    ['profitt', 'profit'],
    ['prfit', 'profit'],
    ['elligible', 'eligible'],
    ['rank_drop_30d', 'rank_drops_30d'],
    ['sel price', 'sell_price'],
    ['curency', 'currency'],
    ['feees', 'fees'],
    ['Hazmatt', 'hazmat'],
  ])('%s: did you mean %s?', (name, nearest) => {
    expect(unknownField(name, [MUG])).toEqual({ kind: 'bad-field', input: name, nearest });
  });

  it('far from every name is given none', () => {
    expect(unknownField('velocity', [MUG])).toEqual({ kind: 'bad-field', input: 'velocity' });
  });

  it('of any length is shown in 40 characters, and found quickly', () => {
    const input = 'p'.repeat(100_000);
    expect(unknownField(input, [MUG])).toMatchObject({ input: 'p'.repeat(40) });
  });

  it('of one letter in a long name is always understood', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELDS), fc.nat(20), (field, at) => {
        const cut = at % field.length;
        const slip = `${field.slice(0, cut)}q${field.slice(cut + 1)}`;
        const short = field.length <= 3;
        if (short || slip === field) return;
        expect(unknownField(slip, [])).toMatchObject({ nearest: field });
      }),
    );
  });
});
