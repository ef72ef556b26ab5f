// What the List page says and reads: sums, passes, numbers as people type them.
import { describe, expect, it } from '@jest/globals';
import type { DealSummary } from '../../../../src/deal/offers';
import { RULES } from '../../../../src/deal/rules-tab';
import { moneyText, toBuyText } from '../../../../src/sidebar/page/list/decided';
import { typedNumber } from '../../../../src/sidebar/page/list/rules';

const summary = (buys: number, rows: number, undecided = 0): DealSummary => ({
  ...{ rows, undecided, money: [], reasons: [] },
  verdicts: { Buy: buys, Maybe: 0, Skip: rows - undecided - buys, 'No verdict': 0 },
});

describe('what a list comes to', () => {
  it.each([
    [summary(14, 57), '14 of 57 to buy'],
    [summary(1, 57), '1 of 57 to buy'],
    [summary(0, 3), '0 of 3 to buy'],
    // Rows that wait for their figures have not failed.
    [summary(2, 10, 6), '2 of 4 to buy'],
    [summary(0, 10, 10), 'No decisions yet'],
  ])('%j reads %j', (given, words) => {
    expect(toBuyText(given)).toBe(words);
  });

  it('is said in one currency, a loss with its sign', () => {
    const money = { sign: '£' };
    expect(moneyText({ ...money, outlay: 1240.4, profit: 512.2 })).toBe(
      'Outlay £1,240 · profit £512',
    );
    expect(moneyText({ ...money, outlay: 80, profit: -12 })).toBe('Outlay £80 · profit −£12');
  });
});

describe('a target as it is typed', () => {
  it.each([
    ['minProfit', '3', 3],
    ['minProfit', ' $3.50 ', 3.5],
    ['minProfit', '3,50', 3.5],
    ['minDrops', '1,200', 1200],
    ['minProfit', '£1,234.50', 1234.5],
    ['minProfit', '', null],
    ['minProfit', '-1', undefined],
    ['minProfit', 'many', undefined],
    ['minRoi', '30', 0.3],
    ['minRoi', '12.5%', 0.125],
    ['staleDays', '7', 7],
  ] as const)('%s %j is %j', (key, typed, value) => {
    const { kind } = RULES.find((one) => one.key === key) ?? { kind: 'flag' };
    expect(typedNumber({ kind }, typed)).toBe(value);
  });
});
