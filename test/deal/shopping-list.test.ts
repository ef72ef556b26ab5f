// The shopping list as a file for other spreadsheet programs.

import { describe, expect, it } from '@jest/globals';
import { shoppingCsv } from '../../src/deal/shopping-list';

describe('a shopping list as a file', () => {
  const buy = {
    ...{ row: 2, verdict: 'Buy' as const, reasons: [], myProfit: 3, landedCost: 4 },
    ...{ cost: 4, quantity: 2, pack: 1, multipack: 1 },
  };

  it.each([
    ['0306406152', 'Atlas', '"=""0306406152""",Atlas,US,2,'],
    ['B00EXAMPLE', '2026', 'B00EXAMPLE,"=""2026""",US,2,'],
    ['B00EXAMPLE', '=IMAGE("x")', `B00EXAMPLE,"'=IMAGE(""x"")",US,2,`],
    ['B00EXAMPLE', '-20 °C, red', `B00EXAMPLE,"'-20 °C, red",US,2,`],
  ])('keeps what another program would read otherwise: %s, %s', (asin, name, line) => {
    const csv = shoppingCsv([{ ...buy, product: { asin, market: 'US' }, name }]);
    expect(csv.split('\r\n')[1]?.slice(0, line.length)).toBe(line);
  });
});
