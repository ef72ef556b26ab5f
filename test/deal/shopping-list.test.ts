// The shopping list as a file for other spreadsheet programs.

import { describe, expect, it } from '@jest/globals';
import { offerIn } from '../../src/deal/offers';
import { shoppingCsv } from '../../src/deal/shopping-list';

describe('a shopping list as a file', () => {
  const buyOf = (asin: string, name: string) => {
    const product = { asin, market: 'US' } as const;
    const row = { row: 2, shown: asin, key: '', tabRow: undefined };
    const cells: Readonly<Record<string, string | number>> = { name, cost: 4, quantity: 2 };
    const terms = {
      inUse: {},
      currency: undefined,
      side: null,
      caseSize: null,
      included: [],
      discountAs: null,
      ratesOf: null,
      rate: 1,
    };
    const content = { kind: 'product', product, repair: null } as const;
    return { ...offerIn({ ...row, content }, (key) => cells[key], terms, true), product };
  };

  it.each([
    ['0306406152', 'Atlas', '"=""0306406152""",Atlas,US,2,'],
    ['B00EXAMPLE', '2026', 'B00EXAMPLE,"=""2026""",US,2,'],
    ['B00EXAMPLE', '=IMAGE("x")', `B00EXAMPLE,"'=IMAGE(""x"")",US,2,`],
    ['B00EXAMPLE', '-20 °C, red', `B00EXAMPLE,"'-20 °C, red",US,2,`],
  ])('keeps what another program would read otherwise: %s, %s', (asin, name, line) => {
    const csv = shoppingCsv([buyOf(asin, name)], '2026-01-05');
    expect(csv.split('\r\n')[1]?.slice(0, line.length)).toBe(line);
  });
});
