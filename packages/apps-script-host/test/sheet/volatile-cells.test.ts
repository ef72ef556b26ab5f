// Custom functions and functions that change by themselves: refused as Sheets refuses them, also through helper cells.

import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/host-contract';
import { recalculating } from '../../src/recalculation';
import { createPlainGrid } from '../../src/sheet/plain-grid';
import { refersToVolatile } from '../../src/sheet/volatile-cells';

function sheet(cells: readonly (readonly [row: number, column: number, formula: string])[]) {
  const grid = createPlainGrid();
  const id = grid.sheets()[0]?.id ?? 0;
  const other = grid.addSheet('My, list', 2);
  grid.write(other, 1, 1, [[{ formula: '=NOW()' }]]);
  for (const [row, column, formula] of cells) grid.write(id, row, column, [[{ formula }]]);
  return { grid, id };
}

describe('a formula that changes by itself', () => {
  const { grid, id } = sheet([
    [1, 1, '=TODAY()'],
    [2, 1, '=A1+1'],
    [3, 1, '=SUM(A2:A2)'],
    [4, 1, '=B1*2'],
    [5, 1, '=A5'],
  ]);

  it.each([
    ['A1,"US"', true],
    ['$A$2', true],
    ['A3', true],
    ['A2:A', true],
    ['rand()', true],
    ['RANDBETWEEN(1,2)', true],
    ["'My, list'!A1", true],
    ['A4', false],
    ['A5', false],
    ['B1:B9', false],
    ['"NOW()"', false],
    ['"A1"', false],
    ['BRAND(B1)', false],
  ])('is in %s: %s', (text, is) => {
    expect(refersToVolatile(grid, id, text)).toBe(is);
  });
});

describe('a custom function that refers to one', () => {
  it('is never called, and shows an error, or what IFERROR has for it', async () => {
    const { grid, id } = sheet([[1, 1, '=NOW()']]);
    const started: string[] = [];
    const start = ({ args }: { readonly args?: readonly unknown[] }) => {
      started.push(String(args?.[0]));
      return Promise.resolve({ ok: true, value: 'figures' } as Outcome);
    };
    const live = recalculating({ start }, grid, (name) => name === 'F');
    grid.write(id, 1, 2, [[{ formula: '=F("one",A1)' }]]);
    grid.write(id, 2, 2, [[{ formula: '=IFERROR(F("two",A1),"none")' }]]);
    grid.write(id, 3, 2, [[{ formula: '=F("three",C1)' }]]);
    await Promise.resolve();
    const shown = grid.values(id, { row: 1, column: 2, rowCount: 3, columnCount: 1 }).flat();
    expect(shown).toEqual(['#ERROR!', 'none', 'figures']);
    expect(started).toEqual(['three']);
    expect(live.executions()).toBe(1);
  });
});
