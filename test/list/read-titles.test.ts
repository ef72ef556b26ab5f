// The titles of 133 lists of sellers and their tools: a blank line between lists, then titles, what each column
// holds, and some of their rows. "?cost": only a person can say; "cost?": that, or a question; "!": it is named
// as not used; "-": nothing.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { offerColumns } from '../../src/list/offer-columns';
import { readTitles } from '../../src/list/read-titles';
import { readTitle, sideIn } from '../../src/list/title-words';
import type { VatSide } from '../../src/product/vat';

const listsIn = (file: string) =>
  readFileSync(`test/list/${file}.tsv`, 'utf8')
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const [titles = [], roles = [], ...rows] = block.split('\n').map((line) => line.split('\t'));
      const valuesAt = (at: number) => rows.map((row) => row[at] ?? '');
      return { roles, columns: titles.map((title, at) => ({ title, values: valuesAt(at) })) };
    });

const LISTS = listsIn('lists-of-sellers');

type Outcome = 'right' | 'asked' | 'missed' | 'wrong' | 'none';

/** @param meant "cost:unit:without", "?cost", "cost?", "-", "*" */
function outcome(
  meant: string,
  { role, asks, per }: ReturnType<typeof readTitles>[number],
): Outcome {
  if (meant === '*' || meant === '-') return role === null ? 'none' : 'wrong';
  if (meant.startsWith('?'))
    return asks !== undefined ? 'right' : role === null ? 'missed' : 'wrong';
  const [wanted, ofWhat] = meant.replace('?', '').split(':');
  if (role === null) return asks === undefined ? 'missed' : meant.endsWith('?') ? 'right' : 'asked';
  const isOther = /^(unit|case)$/.test(ofWhat ?? '') && per !== null && per !== ofWhat;
  return role === wanted && !(role === 'cost' && isOther) ? 'right' : 'wrong';
}

const OUTCOMES = LISTS.map(({ roles, columns }) => {
  const readings = readTitles(columns);
  return roles.map((meant, at) => outcome(meant, readings[at] ?? { role: null }));
});

describe('the columns of 133 lists', () => {
  const all = OUTCOMES.flat().filter((one) => one !== 'none');
  const share = (of: Outcome) => all.filter((one) => one === of).length / all.length;

  it('are never taken for what they are not', () => {
    expect(LISTS).toHaveLength(133);
    const wrong = LISTS.filter((_, at) => OUTCOMES[at]?.includes('wrong'));
    expect(wrong.map(({ columns }) => columns.map(({ title }) => title))).toEqual([]);
  });

  it('are read, in at least 85 of a hundred, and asked about in at most 15', () => {
    expect(share('right')).toBeGreaterThanOrEqual(0.85);
    expect(share('asked')).toBeLessThanOrEqual(0.15);
  });

  it('are asked about by one question a list first', () => {
    for (const { columns } of LISTS) {
      const own = columns.map((one, at) => ({ ...one, column: at + 1, letter: '' }));
      const { questions, costs } = offerColumns({ columns: own, products: 'ASIN' });
      if (costs.cost === undefined) expect(questions.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('what a buyer would count with', () => {
  it('is read, asked about or named as not used, in each of 96 lists', () => {
    for (const { roles, columns } of listsIn('lists-of-buyers')) {
      const own = columns.map((one, at) => ({ ...one, column: at + 1, letter: '' }));
      const market = columns.some(({ title }) => /£|vat/i.test(title)) ? 'UK' : 'US';
      const { unused } = offerColumns({ columns: own, market });
      const readings = readTitles(columns);
      const said = own.map(({ column, title }, at) => {
        const { role = null, asks } = readings[at] ?? {};
        const isNamed = unused.some((one) => one.column === column);
        return [title, isNamed ? '!' : (role ?? (asks ? `?${asks}` : '-'))];
      });
      expect(said).toEqual(own.map(({ title }, at) => [title, roles[at]]));
    }
  });
});

describe('what a title says of VAT', () => {
  it.each<[VatSide | null, ...string[]]>([
    ['Without VAT', 'Cost not inc VAT', 'Cost not including VAT', 'Cost excl. 20% VAT'],
    ['Without VAT', 'Cost + 20% VAT', 'Cost ex. V.A.T.', 'Net cost', 'CostExVAT', 'Trade (ex VAT)'],
    ['Without VAT', 'VAT free cost', 'Cost (VAT free)', 'Cost (VAT extra)', 'Cost, VAT not incl.'],
    ['With VAT', 'Cost inc VAT', 'Cost (inc. 20% VAT)', 'Cost VAT incl.', 'Gross cost'],
    ['With VAT', 'Cost inclusive of VAT at 20%', "Supplier's cost incl. VAT"],
    [null, 'Cost', 'Cost (net weight)', 'Net of discount'],
  ])('is %p in %p', (side, ...titles) => {
    for (const title of titles) expect([title, sideIn(readTitle(title))]).toEqual([title, side]);
  });
});

describe('a column beside costs', () => {
  it.each([
    ['Pack size (Amazon)', 'multipack'],
    ['Sold in packs of', 'multipack'],
    ['Amazon qty', '?multipack'],
    ['Set size', '?multipack'],
    ['# in set', '?multipack'],
    ['Multi', '?multipack'],
    ['Quantity to purchase', 'quantity'],
    ['Pcs', '?quantity'],
    ['Cash back', 'discount'],
    ['To order (cases)', 'quantity'],
    ['Bought', '?ordered'],
    ['Tax', '?salesTax'],
  ])('%s: %s', (title, meant) => {
    const values = ['3', '12', '1'];
    const [, , read] = readTitles([{ title: 'ASIN' }, { title: 'Cost' }, { title, values }]);
    expect(read?.asks ? `?${read.asks}` : read?.role).toBe(meant);
  });

  it.each(['Ordered?', 'Purchased', 'Already ordered'])(
    'says by ticks and dates what is ordered: %s',
    (title) => {
      const values = ['yes', '', new Date(0), true, 'no'];
      const [, read] = readTitles([{ title: 'ASIN' }, { title, values }]);
      expect(read?.role).toBe('ordered');
    },
  );

  it.each([
    ['is in the cost already', ['25', '6', '18'], null, undefined],
    ['comes off the cost', ['50', '12', '30'], 'discount', undefined],
    ['is in some of the costs', ['25', '12', '18'], null, 'discount'],
  ])('is a discount that %s, by what it retails at', (_, costs, role, asks) => {
    const readings = readTitles([
      { title: 'ASIN' },
      { title: 'RRP', values: ['50', '12', '30'] },
      { title: 'Discount', values: ['50%', '50%', '40%'] },
      { title: 'Wholesale', values: costs },
    ]);
    expect(readings[2]).toEqual(asks ? { role, asks } : { role });
  });

  it.each(['Handling', 'Surcharge', 'Polybag', 'Bag fee'])('is another cost: %s', (title) => {
    const [, , read] = readTitles([
      { title: 'ASIN' },
      { title: 'Cost' },
      { title, values: ['5', '3'] },
    ]);
    expect(read?.role).toBe('other');
  });

  it('is a question with the cost where it is what is left of it after a discount', () => {
    for (const [one, other] of [
      ['Cost', 'Discounted cost'],
      ['Buy price', 'Discounted price'],
      ['Cost', 'Cost after 10% off'],
    ] as const) {
      const readings = readTitles(['ASIN', one, other].map((title) => ({ title })));
      expect(readings.map(({ asks }) => asks)).toEqual([undefined, 'cost', 'cost']);
    }
  });
});
