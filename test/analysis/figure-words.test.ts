// Rules in words: one wording for the page, the sheet, the digest and the mail.

import { describe, expect, it } from '@jest/globals';
import { ruleWords, type WordedRule } from '../../src/product/fields';

describe('the words of a rule', () => {
  it.each<[string, WordedRule]>([
    ['No longer eligible', { kind: 'no-longer-eligible' }],
    ['ROI fell under 20 %', { kind: 'fell-under', field: 'roi', bound: 0.2 }],
    // 0.07 * 100 is 7.000000000000001
    ['ROI rose over 7 %', { kind: 'rose-over', field: 'roi', bound: 0.07 }],
    ['Profit fell under 2.50', { kind: 'fell-under', field: 'profit', bound: 2.5 }],
    ['Sell price rose over 30', { kind: 'rose-over', field: 'sell_price', bound: 30 }],
    ['Rank drops doubled', { kind: 'doubled', field: 'rank_drops_30d' }],
    ['Rank drops fell under 4', { kind: 'fell-under', field: 'rank_drops_30d', bound: 4 }],
  ])('%s', (words, rule) => {
    expect(ruleWords(rule)).toBe(words);
  });
});
