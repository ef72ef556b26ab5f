// Where the products are found in what people keep in sheets.

import { describe, expect, it } from '@jest/globals';
import { findColumns } from '../../src/list/find-columns';

const A = 'B07FZ8S74R';
const B = 'B0RYCXXWMG';

describe('the column of products', () => {
  it('is found by its header and its values, whatever the order of columns', () => {
    const found = findColumns([
      ['Name', 'Country', 'ASIN'],
      ['Cup', 'US', A],
      ['Plate', 'UK', B],
    ]);
    expect(found).toEqual({ headerRow: 1, productColumn: 3, marketColumn: 2 });
  });

  it.each([
    ['links', [`https://www.amazon.com/dp/${A}`, `amazon.co.uk/dp/${B}`]],
    ['numbers that lost their zeros', [975124838, 306406152]],
    ['mixed with what names no product', [A, 'sold out', B]],
  ])('is found by values alone: %s', (_what, values) => {
    const found = findColumns(values.map((value, at) => [`thing ${at}`, value]));
    expect(found).toMatchObject({ headerRow: 0, productColumn: 2 });
  });

  it('is found under a header in row 3', () => {
    const found = findColumns([
      ['Stock of May', ''],
      ['', ''],
      ['Item', 'ASIN'],
      ['Cup', A],
    ]);
    expect(found).toMatchObject({ headerRow: 3, productColumn: 2 });
  });

  it('with the right header goes before one with more products', () => {
    const found = findColumns([
      ['ASIN', 'Link'],
      [A, `https://www.amazon.com/dp/${A}`],
      ['', `https://www.amazon.com/dp/${B}`],
    ]);
    expect(found).toMatchObject({ productColumn: 1 });
  });

  it('is not a column of prices; the nearest one is named', () => {
    const found = findColumns([
      ['Product id', 'Price'],
      ['abc', 12],
      ['def', 13],
    ]);
    expect(found).toEqual({ headerRow: 1, nearest: { column: 1, products: 0, sampled: 2 } });
  });

  it('is not a column of texts of which one happens to read like a product', () => {
    const found = findColumns([
      ['Note', 'Price'],
      ['call Ann', 12],
      [A, 13],
      ['ask again', 14],
    ]);
    expect(found).toMatchObject({ nearest: { column: 1, products: 1 } });
  });

  it('is none in an empty sheet', () => {
    expect(findColumns([])).toBeNull();
    expect(findColumns([['']])).toBeNull();
  });
});
