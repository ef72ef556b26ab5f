// The column "What changed": written when there is news, left alone when there is none, never over words of a person.

import { describe, expect, it } from '@jest/globals';
import type { SheetCell } from '../../src/platform/ports';
import { existingColumns, type Layout, newTitle } from '../../src/table/columns';
import { readRow } from '../../src/table/row';
import type { Block, Result } from '../../src/table/snapshot';
import { emptied, planWrites } from '../../src/table/write-plan';

const LAYOUT: Layout = {
  headerRow: 1,
  columns: [
    { key: 'product', title: 'ASIN', column: 1 },
    { key: 'profit', title: 'Profit', column: 2 },
    { key: 'change', title: 'What changed', column: 3 },
    { key: 'status', title: 'Analysis status', column: 4 },
    { key: 'at', title: 'Analyzed at', column: 5 },
  ],
  others: [],
};
const RULE = { kind: 'one', market: 'US' } as const;
const [A, B] = ['B07FZ8S74R', 'B0RYCXXWMG'];
const OLD = 'No longer eligible · 2 Nov 06:00';
const NEW = 'ROI fell under 20% · 21 Nov 06:04';

function result(asin: string, change?: string): Result {
  const cells = new Map<'profit' | 'status' | 'at' | 'change', SheetCell>([
    ['profit', 2],
    ['status', `OK ${asin} US`],
    ['at', new Date(9)],
  ]);
  if (change !== undefined) cells.set('change', change);
  return { identity: `${asin}|US`, cells };
}

/** What is written for rows from row 2 on: one rectangle, or pieces. */
function written(
  values: readonly (readonly SheetCell[])[],
  results: readonly Result[],
  formulas: readonly (readonly string[])[] = values.map((row) => row.map(() => '')),
) {
  const area = { row: 2, column: 1, rowCount: values.length, columnCount: 5 };
  const block: Block = { area, values, formulas };
  const byRow = new Map(results.map((one, at) => [at + 2, one]));
  return planWrites(block, LAYOUT, RULE, () => true, byRow);
}

const changeOf = (there: SheetCell, one: Result, asin = A, status = 'Queued (1)') =>
  written([[asin, 1, there, status, new Date(1)]], [one]).writes[0]?.cells[0]?.[1];

describe('the column "What changed"', () => {
  it('gets news in the write of the figures, and keeps what it has where there is none', () => {
    const rows = [
      [A, 1, OLD, 'Queued (1)', new Date(1)],
      [B, '', '', 'Queued (1)', ''],
    ];
    const { writes, kept } = written(rows, [result(A), result(B, NEW)]);
    expect(writes).toHaveLength(1);
    expect(writes[0]?.cells.map((row) => row[1])).toEqual([OLD, NEW]);
    expect(kept).toBe(0);
  });

  it('gives way to the next news, also where the try in between failed', () => {
    expect(changeOf(OLD, result(A, NEW))).toBe(NEW);
    const failed = [[A, '', OLD, 'Queued (1)', '']];
    expect(written(failed, [result(A, NEW)]).writes[0]?.cells[0]?.[1]).toBe(NEW);
  });

  it('loses a mark that belongs to another product, not the words of a person', () => {
    expect(changeOf(OLD, result(A), A, `OK ${B} US`)).toBe('');
    expect(changeOf('call Ann', result(A), A, `OK ${B} US`)).toBe('call Ann');
  });

  it('never takes news over the words or the formula of a person', () => {
    const own = [[A, 1, 'call Ann', 'Queued (1)', new Date(1)]];
    const { writes, kept } = written(own, [result(A, NEW)]);
    expect(writes.map(({ area }) => [area.column, area.columnCount])).toEqual([
      [2, 1],
      [4, 2],
    ]);
    expect(kept).toBe(1);
    const formula = [['', '', '=1+1', '', '']];
    const beside = written([[A, 1, 2, 'Queued (1)', new Date(1)]], [result(A, NEW)], formula);
    expect(beside.writes.map(({ area }) => area.column)).toEqual([2, 4]);
  });

  it('is emptied with a row in which nothing stands any more', () => {
    const cells = { product: '', market: undefined, status: `OK ${A} US`, at: new Date(1) };
    const row = readRow(2, { ...cells, statusFormula: '' }, RULE);
    const blank = [['', 1, OLD, `OK ${A} US`, new Date(1)]];
    const { writes } = written(blank, [emptied(row)]);
    expect(writes[0]?.cells).toEqual([['', '', '', '']]);
  });

  it('is known by its header, and never doubled', () => {
    const titles = ['ASIN', 'what changed'];
    expect(existingColumns(titles, ['change'], () => true).get('change')).toMatchObject({
      column: 2,
    });
    expect(newTitle('change', titles)).toBe('What changed');
  });
});
