// The fields argument of a formula, and the header that goes with it.

import { describe, expect, it } from '@jest/globals';
import { ANALYZE_FIELDS } from '../../src/functions/analyze-fields';
import { fieldNamesOf } from '../../src/product/arguments';

const DEFAULT = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'];

describe('the fields of a formula', () => {
  it("are the contract's when none are named", () => {
    for (const fields of [undefined, null, '', [['']], [['', '']], ' ', ','])
      expect(fieldNamesOf(fields)).toEqual(DEFAULT);
  });

  it('are the ones that are named, in text or in headers across or down', () => {
    expect(fieldNamesOf('ROI, Cost')).toEqual(['roi', 'buy_price']);
    expect(fieldNamesOf([['ROI', 'Cost']])).toEqual(['roi', 'buy_price']);
    expect(fieldNamesOf([['ROI'], ['Cost']])).toEqual(['roi', 'buy_price']);
    expect(fieldNamesOf([['ROI', '', 'Cost']])).toEqual(['roi', '', 'buy_price']);
    const headers = ['ROI (%)', 'Fees ($)', 'Profit (UK)', 'Sell price (USD)', 'Price (old)'];
    expect(fieldNamesOf([headers])).toEqual(['roi', 'fees', 'profit', 'sell_price', 'Price (old)']);
  });
});

describe('the header', () => {
  it('is one row with a title for each column, by which the figures are found again', () => {
    expect(ANALYZE_FIELDS('profit, currency')).toEqual([['Profit', 'currency']]);
    expect(ANALYZE_FIELDS('as_of, verdict, why')).toEqual([['As of', 'Verdict', 'Why']]);
    const [all = []] = ANALYZE_FIELDS('all');
    expect(all.slice(0, 6)).toEqual([
      ...['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Buy price'],
    ]);
    expect(fieldNamesOf([all])).toEqual([...DEFAULT, 'buy_price', 'sell_price', 'age', 'as_of']);
    expect(ANALYZE_FIELDS()).toEqual([all.slice(0, 5)]);
  });
});
