// Formulas of unusual make, and people at work in the cells while these are refreshed.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { callsByProduct } from '../../playground/api/state';
import { SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld, STAMP, withoutMoment } from '../doors/formulas-list';
import type { WorldOptions } from '../doors/world';

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
    /** What the refresh cannot read, and the cell asks for by itself when it is worked out. */
    own?: readonly string[],
  ])[] = [
    [`=ANALYZE('My "odd" sheet'!A1)`, `=ANALYZE('My "odd" sheet'!A1,,,STAMP)`, [E]],
    [`=ANALYZE('It''s, (mine)'!$A$1,,"roi")`, `=ANALYZE('It''s, (mine)'!$A$1,,"roi",STAMP)`, [F]],
    ['=ANALYZE(B2:B,,"roi")', '=ANALYZE(B2:B,,"roi",STAMP)', [A, B, C]],
    ['=ARRAYFORMULA(ANALYZE(B3:B4))', '=ARRAYFORMULA(ANALYZE(B3:B4,,,STAMP))', [B, C]],
    ['=ANALYZE({"X","Y";"Z","W"},"US")', '=ANALYZE({"X","Y";"Z","W"},"US",,STAMP)', []],
    ['=LET(x,B2,ANALYZE(x,"US"))', '=LET(x,B2,ANALYZE(x,"US",,STAMP))', [], [A]],
    ['=MAP(B2:B4,LAMBDA(p,ANALYZE(p)))', '=MAP(B2:B4,LAMBDA(p,ANALYZE(p,,,STAMP)))', [], [A, B, C]],
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

  it.each(shapes)('%s', async (formula, stamped, products, own = []) => {
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
    expect(asked()).toEqual(us(...products, ...own));
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

it('formulas far apart in wide rows are refreshed together', async () => {
  const wide = (asin: string, row: number) => {
    const cells = Array<CellValue>(60).fill('');
    cells[0] = asin;
    for (const at of [1, 30, 58]) cells[at] = `=ANALYZE($A${row},,"as_of")`;
    return cells;
  };
  await worldOf([Array(60).fill('Title'), ...LIST.map((asin, i) => wide(asin, i + 2))]);
  expect(await world.refresh(WISH)).toMatchObject({ cells: 12, refreshed: 12, left: 0, calls: 4 });
});

describe.each(['spreadsheet.read.getProtections', 'spreadsheet.write.setFormulas'])(
  'a sheet that is deleted just before %s',
  (operation) => {
    it('takes its formulas along, and those of others are refreshed', async () => {
      const act: Act = { do: 'deleteSheet', sheetId: 0 };
      await worldOf(ROWS, { betweenCalls: once(operation, act) }, (grid) => {
        const other = grid.addSheet('Other', 2);
        grid.write(other, 1, 1, [
          ['ASIN', 'As of'],
          [E, { formula: '=ANALYZE(A2,,"as_of")' }],
        ]);
      });
      expect(await world.refresh(WISH)).toMatchObject({ cells: 1, left: 0, failed: 0 });
      const [other] = world.grid.sheets();
      const cell = { row: 2, column: 2, rowCount: 1, columnCount: 1 };
      expect(
        world.grid
          .formulas(other?.id ?? 0, cell)
          .flat()
          .map(withoutMoment),
      ).toEqual([`=ANALYZE(A2,,"as_of",${STAMP})`]);
    });
  },
);

describe('a list of which the service stumbles over one product', () => {
  it('shows what there is of the others, and is not through before that one is answered', async () => {
    world = formulaWorld(
      [['ASIN', 'As of'], [A, '=ANALYZE(A2:A5,,"as_of")'], ...[B, C, D].map((asin) => [asin, ''])],
      { sandbox: { ...SANDBOX, faults: { [C]: 'crash' } } },
    );
    await world.connect();
    const { left, calls } = await world.refresh(WISH);
    // The formula itself asks for nothing.
    expect({ left, arrived: world.service().arrived }).toEqual({ left: 1, arrived: calls });
    const dates = () => world.column(2, 4).map((cell) => cell instanceof Date);
    expect(dates()).toEqual([true, true, false, true]);
    const executions = world.live.executions();
    await world.host.run(world.host.nowMs() + 3_600_000);
    expect(await world.refresh(WISH)).toMatchObject({ left: 1 });
    // Nothing new is known of any of them.
    expect(world.live.executions()).toBe(executions);
  });
});
