// What titles and cells together make of a list's costs, where one word or one cell would turn the sum round.
import { describe, expect, it } from '@jest/globals';
import type { ColumnValues } from '../../src/list/column-values';
import { offerColumns } from '../../src/list/cost-columns';
import { readTitle, sideIn } from '../../src/list/title-words';

const offerOf = (columns: Readonly<Record<string, ColumnValues>>) => {
  const { costs, included, unused, questions } = offerColumns({
    columns: Object.entries(columns).map(([title, values], at) => ({
      ...{ column: at + 2, letter: 'BCDEFG'[at] ?? '', title, values },
    })),
  });
  return {
    costs: Object.fromEntries(Object.entries(costs).map(([key, one]) => [key, one?.title])),
    ...{ included, questions },
    unused: unused.map(({ title }) => title),
  };
};

describe('what a title says of VAT', () => {
  it.each([
    ['Price incl VAT (excl shipping)', 'With VAT'],
    ['Cost inc VAT, ex delivery', 'With VAT'],
    ['Net cost inc VAT', 'With VAT'],
    ['Cost ex VAT incl delivery', 'Without VAT'],
    ['Cost VAT excl', 'Without VAT'],
    ['Net cost', 'Without VAT'],
  ])('is, in %p, %p', (title, side) => {
    expect(sideIn(readTitle(title))).toBe(side);
  });
});

describe('a cost', () => {
  it('that has delivery in it gets prep on top, and no shipping', () => {
    expect(offerOf({ 'Cost incl delivery': [8], Prep: [0.5], Shipping: [3] })).toEqual({
      ...{ costs: { cost: 'Cost incl delivery', prep: 'Prep' }, included: ['shipping'] },
      ...{ questions: [], unused: ['Shipping'] },
    });
  });

  it('that is landed gets nothing on top', () => {
    expect(offerOf({ 'Landed cost': [8], Prep: [0.5] })).toMatchObject({
      ...{ costs: { cost: 'Landed cost' }, unused: ['Prep'] },
      included: ['prep', 'shipping', 'other'],
    });
  });
});

describe('a column beside the cost', () => {
  it('counts where half of it can be read: the other rows are to be checked', () => {
    const Cost = [4, 4, 4, 4];
    expect(offerOf({ Cost, Prep: [0.5, 0.5, 'tbc', 0.5] }).costs).toMatchObject({ prep: 'Prep' });
    expect(offerOf({ Cost, Shipping: ['free', 'free', 3, 4] }).costs).toMatchObject({
      shipping: 'Shipping',
    });
  });

  it.each<[string, ColumnValues]>([
    ['Multipack', ['2 pack', '2 pack', '3 pack', 1]],
    ['Prep and shipping', [1, 1, 1, 1]],
  ])('%p is named as not used where it cannot be', (title, cells) => {
    expect(offerOf({ Cost: [4, 4, 4, 4], [title]: cells })).toMatchObject({
      ...{ costs: { cost: 'Cost' }, unused: [title] },
    });
  });

  it.each<[string, ColumnValues]>([
    ['Delivery', ['FBA', 'FBM']],
    ['Shipping weight', [1.2, 3]],
  ])('%p of words, or of something else, is none', (title, cells) => {
    expect(offerOf({ Cost: [4, 4], [title]: cells })).toMatchObject({ unused: [] });
  });
});
