// Two shapes of a live decision, tried in the host's grid: a formula in each row, or one that spills from the header.
import { describe, expect, it } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { CellContent } from 'apps-script-host/sheet/model';
import { createPeople } from 'apps-script-host/sheet/people';
import { createPlainGrid } from 'apps-script-host/sheet/plain-grid';
import { DEAL_TITLES, type DealCells, dealFormulas } from '../../src/product/deal-formulas';
import { RULE_NAMES } from '../../src/product/deal-rules';

const LIST = [
  ['ASIN', 'Fees', 'Sell price', 'Cost'],
  ['B1', 8, 30, 15],
  ['B2', 5, 20, 10],
  ['B3', 9, 40, 12],
] as const;
/** Fees, sell price and cost stand in B, C and D; My profit in E. */
const NOT_THERE = {
  ...{ profit: null, roi: null, eligible: null, drops: null, buyPrice: null, analyzedAt: null },
  ...{ pack: null, multipack: null, discount: null, vat: null, prep: null, shipping: null },
};
const OWN = { myProfit: 'E2', myRoi: 'F2' };
const profitOf = (cells: Pick<DealCells, 'fees' | 'sellPrice' | 'cost'>) =>
  dealFormulas({ ...NOT_THERE, ...cells }, OWN).myProfit;

type Shape = 'each row' | 'header';

function sheet(shape: Shape) {
  const grid = createPlainGrid({ maxRows: 100 });
  const rules = grid.addSheet('Deal rules', 2);
  const names = Object.values(RULE_NAMES);
  featuresOf(grid).setNames(
    names.map((name, at) => ({
      ...{ name, sheetId: rules },
      rectangle: { row: at + 1, column: 2, rowCount: 1, columnCount: 1 },
    })),
  );
  grid.write(
    0,
    1,
    1,
    LIST.map((row) => [...row]),
  );
  calculating(grid, { nowMs: () => 0 });
  const formula = (text: string): CellContent => ({ formula: text });
  if (shape === 'header') {
    const body = profitOf({ fees: 'fee_', sellPrice: 'sell_', cost: 'paid_' }).slice(1);
    const rows = `MAP(B2:B;C2:C;D2:D;LAMBDA(fee_;sell_;paid_;${body}))`;
    grid.write(0, 1, 5, [[formula(`={"${DEAL_TITLES.myProfit}";${rows}}`)]]);
  } else {
    const rowOf = (row: number) => ({ fees: `B${row}`, sellPrice: `C${row}`, cost: `D${row}` });
    const below = [2, 3, 4].map((row) => [formula(profitOf(rowOf(row)))]);
    grid.write(0, 1, 5, [[DEAL_TITLES.myProfit], ...below]);
  }
  const people = createPeople(grid);
  const cells = (row: number, rowCount: number, column = 5) => ({
    ...{ row, column, rowCount },
    columnCount: 1,
  });
  return {
    grid,
    people,
    products: () => grid.values(0, cells(2, 4, 1)).flat(),
    profits: () => grid.values(0, cells(2, 4)).flat(),
    type: (row: number, column: number, ...row_: readonly CellContent[]) =>
      people({ do: 'edit', sheetId: 0, row, column, contents: [row_] }),
  };
}

/** What the column shows afterwards, for B1, B2 and B3 7, 5 and 19 where all is well. */
const TRIED: readonly {
  readonly what: string;
  readonly act: (made: ReturnType<typeof sheet>) => void;
  readonly row: readonly unknown[];
  readonly header: readonly unknown[];
}[] = [
  { what: 'nothing', act: () => {}, row: [7, 5, 19, ''], header: [7, 5, 19, ''] },
  {
    what: 'a cost is edited',
    act: ({ type }) => type(3, 4, 11),
    row: [7, 4, 19, ''],
    header: [7, 4, 19, ''],
  },
  {
    what: 'the rows are sorted, descending by cost',
    act: ({ people }) =>
      people({
        ...{ do: 'sort', sheetId: 0 },
        rectangle: { row: 2, column: 1, rowCount: 3, columnCount: 5 },
        keys: [{ column: 4, ascending: false }],
      }),
    row: [7, 19, 5, ''],
    header: [7, 19, 5, ''],
  },
  {
    what: 'a row is deleted',
    act: ({ people }) => people({ do: 'deleteRows', sheetId: 0, first: 3, count: 1 }),
    row: [7, 19, '', ''],
    header: [7, 19, '', ''],
  },
  {
    what: 'a row comes in the middle and is filled in',
    act: ({ people, type }) => {
      people({ do: 'insertRows', sheetId: 0, first: 3, count: 1 });
      type(3, 1, 'B9', 1, 10, 2);
    },
    row: [7, '', 5, 19],
    header: [7, 7, 5, 19],
  },
  {
    // The range begins where its first row went: all profits stand a row too high.
    what: 'a row comes right below the header and is filled in',
    act: ({ people, type }) => {
      people({ do: 'insertRows', sheetId: 0, first: 2, count: 1 });
      type(2, 1, 'B9', 1, 10, 2);
    },
    row: ['', 7, 5, 19],
    header: [7, 5, 19, ''],
  },
  {
    what: 'a product is added at the end',
    act: ({ type }) => type(5, 1, 'B9', 1, 10, 2),
    row: [7, 5, 19, ''],
    header: [7, 5, 19, 7],
  },
  {
    what: 'somebody types over one decision',
    act: ({ type }) => type(3, 5, 'mine'),
    row: [7, 'mine', 19, ''],
    header: ['', 'mine', '', ''],
  },
  {
    what: 'somebody clears one decision',
    act: ({ type }) => type(3, 5, ''),
    row: [7, '', 19, ''],
    header: [7, 5, 19, ''],
  },
  {
    what: 'somebody renames the column',
    act: ({ type }) => type(1, 5, 'Gain'),
    row: [7, 5, 19, ''],
    header: ['', '', '', ''],
  },
  {
    what: 'the header is sorted along with the rows',
    act: ({ people }) =>
      people({
        ...{ do: 'sort', sheetId: 0 },
        rectangle: { row: 1, column: 1, rowCount: 4, columnCount: 5 },
        keys: [{ column: 1, ascending: false }],
      }),
    row: [5, 7, 'My profit', ''],
    header: ['', '', 'My profit', ''],
  },
];

describe.each<Shape>(['each row', 'header'])('a formula in %s', (shape) => {
  it.each(TRIED)('when $what', ({ act, row, header }) => {
    const made = sheet(shape);
    act(made);
    expect(made.profits()).toEqual(shape === 'header' ? header : row);
  });

  it('leaves the end of the list where it is, or takes every row of the sheet for it', () => {
    const { lastRow } = sheet(shape).grid.size(0);
    expect(lastRow).toBe(shape === 'header' ? 100 : 4);
  });
});
