// Formulas of unusual make, and people at work in the cells while these are refreshed.

import { afterEach, describe, expect, it } from '@jest/globals';
import { callsByProduct } from '../../playground/api/state';
import type { BetweenCalls } from '../../playground/host/bystanders';
import type { Act } from '../../playground/host/sheet/acts';
import type { CellValue } from '../../playground/host/sheet/model';
import type { PlainGrid } from '../../playground/host/sheet/plain-grid';
import { SANDBOX, US_ASINS } from './bulk-list';
import { type FormulaWorld, formulaWorld, STAMP, withoutMoment } from './formulas-list';
import type { WorldOptions } from './world';

const [A = '', B = '', C = '', D = '', E = '', F = ''] = US_ASINS.slice(1_100);
const WISH = { notBeforeMs: 0 };

let world: FormulaWorld;
afterEach(() => world.stop());

async function worldOf(
  rows: readonly (readonly CellValue[])[],
  host: WorldOptions['host'] = {},
  prepare: (grid: PlainGrid, sheetId: number) => void = () => {},
): Promise<void> {
  world = formulaWorld(rows, { sandbox: SANDBOX, host }, prepare);
  await world.connect();
}

const asked = () => [...callsByProduct(world.service()).keys()].sort();
const us = (...asins: readonly string[]) => asins.map((asin) => `US ${asin}`).sort();

describe('arguments', () => {
  const shapes: readonly (readonly [
    formula: string,
    stamped: string,
    products: readonly string[],
  ])[] = [
    [`=ANALYZE('My "odd" sheet'!A1)`, `=ANALYZE('My "odd" sheet'!A1,,,STAMP)`, [E]],
    [`=ANALYZE('It''s, (mine)'!$A$1,,"roi")`, `=ANALYZE('It''s, (mine)'!$A$1,,"roi",STAMP)`, [F]],
    ['=ANALYZE(B2:B,,"roi")', '=ANALYZE(B2:B,,"roi",STAMP)', [A, B, C]],
    ['=ARRAYFORMULA(ANALYZE(B3:B4))', '=ARRAYFORMULA(ANALYZE(B3:B4,,,STAMP))', [B, C]],
    ['=ANALYZE({"X","Y";"Z","W"},"US")', '=ANALYZE({"X","Y";"Z","W"},"US",,STAMP)', []],
    ['=LET(x,B2,ANALYZE(x,"US"))', '=LET(x,B2,ANALYZE(x,"US",,STAMP))', []],
    ['=MAP(B2:B4,LAMBDA(p,ANALYZE(p)))', '=MAP(B2:B4,LAMBDA(p,ANALYZE(p,,,STAMP)))', []],
    ['=ANALYZE(MyProducts)', '=ANALYZE(MyProducts,,,STAMP)', []],
    ['=ANALYZE(INDIRECT("B"&ROW()))', '=ANALYZE(INDIRECT("B"&ROW()),,,STAMP)', []],
    [
      `=ANALYZE("${D}",,"say ""no"", please;)")`,
      `=ANALYZE("${D}",,"say ""no"", please;)",STAMP)`,
      [D],
    ],
    [
      '=IFERROR(ANALYZE(B2,"US"),"ANALYZE(B3)")',
      '=IFERROR(ANALYZE(B2,"US",,STAMP),"ANALYZE(B3)")',
      [A],
    ],
    [
      '=ANALYZE_WHAT_IF(B2,,ANALYZE_MAX_BUY(B3,,0.3))',
      '=ANALYZE_WHAT_IF(B2,,ANALYZE_MAX_BUY(B3,,0.3,STAMP),,STAMP)',
      [A, B],
    ],
  ];

  it.each(shapes)('%s', async (formula, stamped, products) => {
    await worldOf(
      [
        ['Formula', 'ASIN'],
        [formula, A],
        ['', B],
        ['', C],
      ],
      {},
      (grid) => {
        grid.write(grid.addSheet('My "odd" sheet', 2), 1, 1, [[E]]);
        grid.write(grid.addSheet("It's, (mine)", 3), 1, 1, [[F]]);
      },
    );
    expect(await world.refresh(WISH)).toMatchObject({ cells: 1, left: 0, calls: products.length });
    expect(asked()).toEqual(us(...products));
    expect(world.formulas(1, 1).map(withoutMoment)).toEqual([stamped.replaceAll('STAMP', STAMP)]);
  });
});

/** Does it once, just before a call of this name has its effect. */
function once(operation: string, act: Act): BetweenCalls {
  let isDone = false;
  return (coming) => {
    if (isDone || coming.operation !== operation) return [];
    isDone = true;
    return [act];
  };
}

const LIST = [A, B, C, D];
const ROWS = [['ASIN', 'As of'], ...LIST.map((asin, i) => [asin, `=ANALYZE(A${i + 2},,"as_of")`])];

describe('a formula that somebody changes meanwhile', () => {
  it.each<[string, CellValue | { formula: string }, string]>([
    ['another formula', { formula: `=ANALYZE("${E}",,"roi")` }, `=ANALYZE("${E}",,"roi",${STAMP})`],
    ['a formula of theirs', { formula: '=1+1' }, '=1+1'],
    ['a value', 'mine', ''],
    ['nothing', '', ''],
  ])('into %s', async (_, content, expected) => {
    const edit: Act = { do: 'edit', sheetId: 0, row: 3, column: 2, contents: [[content]] };
    await worldOf(ROWS, { betweenCalls: once('spreadsheet.read.getProtections', edit) });
    const first = await world.refresh(WISH);
    const second = await world.refresh(WISH);
    expect([first.left, second.left]).toEqual([0, 0]);
    const others = [2, 4, 5].map((row) => `=ANALYZE(A${row},,"as_of",${STAMP})`);
    expect(world.formulas(2, 4).map(withoutMoment)).toEqual([
      others[0],
      expected,
      ...others.slice(1),
    ]);
  });
});

it('formulas in merged cells are refreshed, each in its first cell', async () => {
  const rows = LIST.flatMap((asin, i) => [
    [asin, `=ANALYZE(A${2 * i + 2},,"as_of")`],
    ['', ''],
  ]);
  await worldOf([['ASIN', 'As of'], ...rows], {}, (grid, sheetId) => {
    for (const row of [2, 4, 6, 8])
      grid.merge(sheetId, { row, column: 2, rowCount: 2, columnCount: 1 });
  });
  expect(await world.refresh(WISH)).toMatchObject({ cells: 4, refreshed: 4, left: 0, calls: 4 });
  expect(world.formulas(2, 8).map(withoutMoment)).toEqual(
    LIST.flatMap((_, i) => [`=ANALYZE(A${2 * i + 2},,"as_of",${STAMP})`, '']),
  );
});
