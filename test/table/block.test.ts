// What is seen when a run looks back at what it wrote.

import { describe, expect, it } from '@jest/globals';
import type { SheetCell } from '../../src/platform/ports';
import type { Layout } from '../../src/table/columns';
import { arrivalOf, type Block } from '../../src/table/snapshot';

const LAYOUT: Layout = {
  headerRow: 1,
  columns: [
    { key: 'product', title: 'ASIN', column: 1 },
    { key: 'status', title: 'Analysis status', column: 2 },
    { key: 'at', title: 'Analyzed at', column: 3 },
  ],
  others: [],
};
const [A, B] = ['B07FZ8S74R', 'B0RYCXXWMG'];
const AT = new Date(0);

function block(values: readonly (readonly SheetCell[])[]): Block {
  const area = { row: 2, column: 1, rowCount: values.length, columnCount: 3 };
  return { area, values, formulas: values.map((row) => row.map(() => '')) };
}

const look = (before: Block, back: Block) =>
  arrivalOf(back, before, LAYOUT, { kind: 'one', market: 'US' }, [], new Map());

describe('a row that was written', () => {
  const before = block([
    [A, 'Queued (1)', ''],
    [B, 'Queued (1)', ''],
  ]);
  const resultOf = (asin = '') => ({
    identity: `${asin}|US`,
    cells: new Map([['status', `OK ${asin} US`] as const]),
  });
  const results = new Map([
    [2, resultOf(A)],
    [3, resultOf(B)],
  ]);
  const failedIn = (...back: readonly (readonly SheetCell[])[]) =>
    arrivalOf(block(back), before, LAYOUT, { kind: 'one', market: 'US' }, [2, 3], results).failed;

  it('has arrived where it stands beside its own product', () => {
    expect(failedIn([A, `OK ${A} US`, AT], [B, `OK ${B} US`, AT])).toEqual([]);
  });

  it('has not where another product stands by now, or where the cells took nothing', () => {
    expect(failedIn([B, `OK ${A} US`, AT], [A, `OK ${B} US`, AT])).toEqual([2, 3]);
    expect(failedIn([A, `OK ${A} US`, AT], [B, 'Queued (1)', ''])).toEqual([3]);
  });
});

describe('a row that was only written back', () => {
  const before = block([
    [A, `OK ${A} US`, AT],
    [B, 'Queued (1)', ''],
  ]);

  it('is missed when it moved away and left its figures to a blank row or to another product', () => {
    expect(
      look(
        before,
        block([
          ['', `OK ${A} US`, AT],
          [A, `OK ${A} US`, AT],
        ]),
      ).hasStrays,
    ).toBe(true);
    expect(
      look(
        before,
        block([
          [B, `OK ${A} US`, AT],
          [A, '', ''],
        ]),
      ).hasStrays,
    ).toBe(true);
  });

  it('is not missed where it stands, nor are figures that were another product’s before', () => {
    expect(look(before, before).hasStrays).toBe(false);
    const stale = block([[B, `OK ${A} US`, AT]]);
    expect(look(stale, stale).hasStrays).toBe(false);
  });
});
