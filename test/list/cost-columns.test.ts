// What titles and cells together make of a list's costs, where one word or one cell would turn the sum round.
import { describe, expect, it } from '@jest/globals';
import type { ColumnValues } from '../../src/list/column-values';
import { offerColumns } from '../../src/list/offer-columns';
import { includedIn } from '../../src/list/read-titles';
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

  it.each([
    ['Cost incl VAT & delivery', ['shipping']],
    ['Cost incl. delivery and VAT', ['shipping']],
    ['Unit cost (incl. prep & shipping)', ['prep', 'shipping']],
    ['Cost including shipping + prep', ['prep', 'shipping']],
    ['Cost incl prep', ['prep']],
  ])('has in it what its title says: %s', (title, extras) => {
    expect(includedIn(readTitle(title))).toEqual(extras);
  });

  it.each<[string, number | string, boolean]>([
    ['Sales tax %', 8.25, false],
    ['Sales tax', '8.25%', false],
    ['Sales tax', 8.25, true],
  ])('of 99 has no dollars of tax where %p is %p', (title, tax, isPercent) => {
    const columns = [
      { column: 2, letter: 'B', title: 'Cost', values: [99] },
      { column: 3, letter: 'C', title, values: [tax], arePercent: () => [isPercent] },
    ];
    const { costs, unused } = offerColumns({ columns, market: 'US' });
    expect([costs.salesTax, unused.map((one) => one.title)]).toEqual([undefined, [title]]);
  });

  it('of a unit makes no total with a number of cases', () => {
    const ofUnits = { 'Unit cost': [5], 'Case size': [6], 'Cases to buy': [2] };
    expect(offerOf(ofUnits)).toMatchObject({
      costs: { cost: 'Unit cost' },
      unused: ['Cases to buy'],
    });
    expect(offerOf({ ...ofUnits, 'Case cost': [30] }).costs).toEqual({
      ...{ cost: 'Case cost', pack: 'Case size', quantity: 'Cases to buy' },
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
    ['Multipack', ['yes', 'no', 'yes', 1]],
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

describe('what a person would have to be asked about', () => {
  it.each<[string, Readonly<Record<string, ColumnValues>>, string]>([
    ['a price of one, or of the case', { 'Cost each (case of 6)': [8, 9] }, 'cost'],
    ['a measure of cases alone', { Cost: [8, 9], UOM: ['CS', 'CS'] }, 'cost'],
    ['what it is sold by', { Cost: [8, 9], 'Sold by': ['case of 12', 'case of 6'] }, 'cost'],
    ['inner and outer in one', { Cost: [8, 9], 'Inner/Outer': ['6/24', '12/48'] }, 'cost'],
    ['a tray', { Cost: [8, 9], 'Each per tray': [12, 24] }, 'cost'],
    ['two costs, one landed', { Cost: [5, 6], 'Total landed': [8, 9] }, 'cost'],
    ['a set', { Cost: [8, 9], 'ASIN qty': [2, 1] }, 'multipack'],
    ['what is needed', { Cost: [8, 9], Need: [3, 2] }, 'quantity'],
  ])('is asked: %s', (_, columns, role) => {
    expect(offerOf(columns).questions).toMatchObject([{ role }]);
  });

  it.each<[string, ColumnValues]>([
    ['Discount £', [1, 2]],
    ['Discount', ['10 off', '5+5']],
    ['% off RRP', [50, 40]],
    ['Duty %', ['5%', '8%']],
    ['Packing cost', [0.4, 0.4]],
    ['VATable', ['Y', 'N']],
  ])('is named as not used: %s', (title, cells) => {
    const read = offerColumns({
      market: 'UK',
      columns: ([['Cost', [8, 9]] as const, [title, cells] as const] as const).map(
        ([name, values], at) => ({ column: at + 2, letter: '', title: name, values }),
      ),
    });
    expect([read.questions, read.unused]).toMatchObject([[], [{ title }]]);
  });

  it.each<[string, ColumnValues, string]>([
    ['Ship cost', [1, 2], 'shipping'],
    ['P&P', [1, 2], 'shipping'],
    ['Labels', [0.2, 0.2], 'prep'],
    ['Tariff', [0.5, 0.4], 'other'],
    ['% off', [10, 5], 'discount'],
    ['Discount', ['-10%', '-5%'], 'discount'],
  ])('counts: %s of %j', (title, cells, role) => {
    expect(offerOf({ Cost: ['£1.234,50', 9], [title]: cells }).costs).toEqual({
      ...{ cost: 'Cost', [role]: title },
    });
  });

  it('is a duty in cells that show percentages, which is no amount', () => {
    const column = { column: 3, letter: 'C', title: 'Duty', values: [0.05, 0.08] };
    const { costs, unused } = offerColumns({
      columns: [
        { column: 2, letter: 'B', title: 'Cost', values: [8, 9] },
        { ...column, arePercent: () => [true, true] },
      ],
    });
    expect([costs.other, unused]).toMatchObject([undefined, [{ title: 'Duty' }]]);
  });
});
