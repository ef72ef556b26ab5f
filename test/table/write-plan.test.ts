// Which rows and cells a write of results takes along with them.

import { describe, expect, it } from '@jest/globals';
import type { SheetCell } from '../../src/platform/ports';
import type { Layout } from '../../src/table/columns';
import type { Block } from '../../src/table/snapshot';
import { planWrites } from '../../src/table/write-plan';

/** A person's own column stands between ours. */
const LAYOUT: Layout = {
  headerRow: 1,
  columns: [
    { key: 'product', title: 'ASIN', column: 1 },
    { key: 'profit', title: 'Profit', column: 2 },
    { key: 'rank_drops_30d', title: 'Rank', column: 4 },
    { key: 'status', title: 'Analysis status', column: 5 },
    { key: 'at', title: 'Analyzed at', column: 6 },
  ],
  others: ['Note'],
};
const [A, B, C] = ['B07FZ8S74R', 'B0RYCXXWMG', 'B0VNPNQ00F'];
const AT = new Date(0);

const rowsWritten = (between: readonly SheetCell[]) => {
  const queued = (asin: string): readonly SheetCell[] => [asin, '', 'n', '', 'Queued (1)', ''];
  const values = [queued(A), between, queued(C)];
  const area = { row: 2, column: 1, rowCount: 3, columnCount: 6 };
  const block: Block = { area, values, formulas: values.map((row) => row.map(() => '')) };
  const resultFor = (asin: string) => ({
    identity: `${asin}|US`,
    cells: new Map([['status', `OK ${asin} US`] as const]),
  });
  const results = new Map([
    [2, resultFor(A)],
    [4, resultFor(C)],
  ]);
  const { writes } = planWrites(block, LAYOUT, { kind: 'one', market: 'US' }, () => true, results);
  return writes.map(({ area: { row, column, rowCount } }) => [column, row, rowCount]);
};

describe('a result', () => {
  it('is not put into a row in which another product stands by now', () => {
    const area = { row: 2, column: 1, rowCount: 2, columnCount: 6 };
    const values = [B, C].map((asin) => [asin, '', 'n', '', 'Queued (1)', '']);
    const block: Block = { area, values, formulas: values.map((row) => row.map(() => '')) };
    const cells = new Map([['status', 'OK'] as const]);
    const results = new Map([
      [2, { identity: `${A}|US`, cells }],
      [3, { identity: `${C}|US`, cells }],
    ]);
    const rule = { kind: 'one', market: 'US' } as const;
    const plan = planWrites(block, LAYOUT, rule, () => true, results);
    expect(plan).toMatchObject({ rows: [3], missed: [2] });
    expect(plan.writes.map((write) => write.area.row)).toEqual([3, 3]);
  });
});

describe('a row between two with results', () => {
  it('is written back in all columns, its status among them', () => {
    expect(rowsWritten([B, 3, 'n', 7, `OK ${B} US`, AT])).toEqual([
      [2, 2, 3],
      [4, 2, 3],
    ]);
  });

  it('is left alone in all columns if it cannot be written back in one of them', () => {
    expect(rowsWritten([B, 3, 'n', '', `OK ${B} US`, AT])).toEqual([
      [2, 2, 1],
      [2, 4, 1],
      [4, 2, 1],
      [4, 4, 1],
    ]);
  });
});
