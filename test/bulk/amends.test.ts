// What is put back when a write met other cells than it was meant for.

import { describe, expect, it } from '@jest/globals';
import { amendsFor, NO_DEBTS, putBacks } from '../../src/bulk/amends';
import { movedFormula } from '../../src/bulk/moved-formula';
import type { View } from '../../src/bulk/view';
import type { SheetCell } from '../../src/platform/sheet-ports';

const [A, B, C] = ['B07FZ8S74R', 'B0RYCXXWMG', 'B0ZFJSWW4G'];

function view(
  rows: readonly (readonly SheetCell[])[],
  formulas: Record<string, string> = {},
): View {
  const columnCount = rows[0]?.length ?? 0;
  const area = { row: 1, column: 1, rowCount: rows.length, columnCount };
  const texts = rows.map((cells, down) =>
    cells.map((_, at) => formulas[`${down + 1},${at + 1}`] ?? ''),
  );
  return { top: rows, block: { area, values: rows, formulas: texts } };
}

const BEFORE = [
  ['ASIN', 'Remark', 'Profit', ''],
  [A, 'good', '', ''],
  [B, 'bad', '', ''],
  [C, 'late', '', ''],
];
const WRITTEN = [{ row: 2, column: 3, rowCount: 2, columnCount: 1 }];

const putBackAfter = (rows: readonly (readonly SheetCell[])[], formulas = {}) => {
  const amends = amendsFor(view(BEFORE, formulas), NO_DEBTS, WRITTEN, view(rows), 1);
  return { puts: putBacks(amends), strangers: amends.strangers, unseen: [...amends.unseen] };
};

describe('what a write met', () => {
  it('is put back where a column came in on the left', () => {
    const { puts } = putBackAfter([
      ['', 'ASIN', 'Remark', 'Profit'],
      ['', A, 7, ''],
      ['', B, 8, ''],
      ['', C, 'late', ''],
    ]);
    expect(puts).toEqual([
      {
        area: { row: 2, column: 3, rowCount: 2, columnCount: 1 },
        cells: [[{ value: 'good', formula: '' }], [{ value: 'bad', formula: '' }]],
      },
    ]);
  });

  it('follows rows that were sorted in the same instant', () => {
    const { puts } = putBackAfter([
      ['', 'ASIN', 'Remark', 'Profit'],
      ['', C, 7, ''],
      ['', B, 8, ''],
      ['', A, 'good', ''],
    ]);
    expect(puts[0]?.cells.map(([cell]) => cell?.value)).toEqual(['late', 'bad']);
  });

  it('has its formula again, with the columns it names where they went', () => {
    const { puts } = putBackAfter(
      [
        ['', 'ASIN', 'Remark', 'Profit'],
        ['', A, 7, ''],
        ['', B, 8, ''],
        ['', C, 'late', ''],
      ],
      { '2,2': '=LEN(A2)' },
    );
    expect(puts[0]?.cells[0]?.[0]?.formula).toBe('=LEN(B2)');
  });

  it('is emptied in a new column, and told of where a row was never seen', () => {
    const { puts, strangers } = putBackAfter([
      ['ASIN', 'Remark', '', 'Profit'],
      [A, 'good', 7, ''],
      ['B0NEVERSEE', 'new', 8, ''],
      [C, 'late', '', ''],
    ]);
    expect(puts[0]?.cells).toEqual([[{ value: '', formula: '' }], [{ value: '', formula: '' }]]);
    expect(strangers).toEqual([]);
    const other = putBackAfter([
      ['', 'ASIN', 'Remark', 'Profit'],
      ['', A, 7, ''],
      ['', 'B0NEVERSEE', 8, ''],
      ['', C, 'late', ''],
    ]);
    expect(other.strangers).toEqual([3]);
    expect(other.unseen).toEqual([3]);
  });
});

describe('what stands between rows that were met', () => {
  it('is not written: somebody may be typing there', () => {
    const areas = [2, 4].map((row) => ({ row, column: 3, rowCount: 1, columnCount: 1 }));
    const after = [
      ['', 'ASIN', 'Remark', 'Profit'],
      ['', A, 7, ''],
      ['', B, 'bad', ''],
      ['', C, 9, ''],
    ];
    const puts = putBacks(amendsFor(view(BEFORE), NO_DEBTS, areas, view(after), 1));
    expect(puts.map(({ area, cells }) => [area.row, cells[0]?.[0]?.value])).toEqual([
      [2, 'good'],
      [4, 'late'],
    ]);
  });
});

describe('a formula', () => {
  it('follows columns and its row; texts, other sheets and names stay', () => {
    const right = (column: number) => column + 1;
    const row = { from: 2, to: 5 };
    expect(movedFormula('=A2&"A2"&$B$2&C9', right, row)).toBe('=B5&"A2"&$C$2&D9');
    expect(movedFormula("=Old!A2+'My list'!B2+LOG10(A2)+SUM(A:B)", right, row)).toBe(
      "=Old!A2+'My list'!B2+LOG10(B5)+SUM(B:C)",
    );
  });
});
