// Formulas without a refresh argument get it when a person wants that, and no edit of theirs is lost.

import { afterEach, expect, it } from '@jest/globals';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { arrivalsOf } from '../../playground/api/state';
import { granted, SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld } from '../doors/formulas-list';
import type { WorldOptions } from '../doors/world';
import { EDITOR } from '../doors/world';

const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };
const ASINS = US_ASINS.slice(100, 112);
const [MUG = '', BOX = '', CUP = ''] = ASINS;

let world: FormulaWorld;
afterEach(() => world.stop());

async function worldOf(
  rows: readonly (readonly CellValue[])[],
  host: WorldOptions['host'] = {},
  prepare: (grid: PlainGrid, sheetId: number) => void = () => {},
): Promise<void> {
  world = formulaWorld([['ASIN', 'As of'], ...rows], { sandbox: SANDBOX, host }, prepare);
  await world.connect(FAST);
}

/** As the page does it: call after call while something is left. */
async function addArguments(userEmail?: string) {
  for (let turn = 0; ; turn += 1) {
    const report = granted(await world.rpc('formulas.follow', { maxMs: 30_000 }, userEmail));
    if (Number(report.left) === 0 || turn > 40) return report;
  }
}

it('is added to those that lack it; a refresh argument of their own stays', async () => {
  await worldOf([
    [MUG, '=ANALYZE(A2,"US","as_of")'],
    [BOX, '=IFERROR(ANALYZE(A3),"none")'],
    ['', '=ANALYZE_WHAT_IF(A2,"US",ANALYZE_MAX_BUY(A3,"US",0.3))'],
    [CUP, '=ANALYZE(A5,,"as_of",$D$1)'],
    ['', '=ANALYZE_ASIN(A2)&"ANALYZE(A2)"'],
    ['', '=MAP(A2:A3,LAMBDA(p,ANALYZE(p)))'],
    ['', '=ARRAYFORMULA(ANALYZE(A2:A3))'],
  ]);
  expect(await world.refresh()).toMatchObject({ refreshed: 0, lacking: 3, ownRefresh: 1 });
  expect(arrivalsOf(world.service())).toHaveLength(0);
  expect(await addArguments()).toMatchObject({ added: 3, refused: 0, left: 0 });
  expect(world.formulas(2, 7)).toEqual([
    '=ANALYZE(A2,"US","as_of",ANALYZE_REFRESH)',
    '=IFERROR(ANALYZE(A3,,,ANALYZE_REFRESH),"none")',
    '=ANALYZE_WHAT_IF(A2,"US",ANALYZE_MAX_BUY(A3,"US",0.3,ANALYZE_REFRESH),,ANALYZE_REFRESH)',
    '=ANALYZE(A5,,"as_of",$D$1)',
    '=ANALYZE_ASIN(A2)&"ANALYZE(A2)"',
    '=MAP(A2:A3,LAMBDA(p,ANALYZE(p)))',
    '=ARRAYFORMULA(ANALYZE(A2:A3))',
  ]);
  const [first] = world.column(2, 1);
  expect(first).toBeInstanceOf(Date);
  expect(await world.refresh()).toMatchObject({ refreshed: 3, lacking: 0, calls: 0 });
});

it('is added once the products are asked for, so that no cell asks by itself', async () => {
  await worldOf(ASINS.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of")`]));
  expect(await addArguments()).toMatchObject({ calls: ASINS.length, added: ASINS.length });
  expect(arrivalsOf(world.service())).toHaveLength(ASINS.length);
  expect(world.column(2, ASINS.length).every((shown) => shown instanceof Date)).toBe(true);
});

it('is left out of cells that are protected, and those beside them get it', async () => {
  await worldOf(
    ASINS.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of")`]),
    {},
    (grid, sheetId) => {
      const rectangle = { row: 4, column: 1, rowCount: 3, columnCount: 2 };
      grid.protect({ sheetId, rectangle });
    },
  );
  expect(await addArguments(EDITOR)).toMatchObject({ added: 9, refused: 3, left: 0 });
  const lacking = world
    .formulas(2, ASINS.length)
    .flatMap((formula, at) => (formula.includes('ANALYZE_REFRESH') ? [] : [at + 2]));
  expect(lacking).toEqual([4, 5, 6]);
});

it('never replaces what a person types before a formula is read again', async () => {
  const edits = new Map<number, string>();
  let turn = 0;
  // A person types into one cell after the other, at every look that the script takes at the sheet.
  const betweenCalls: BetweenCalls = ({ operation }) => {
    if (operation !== 'spreadsheet.read.getFormulas') return [];
    const row = 2 + ((turn * 5) % ASINS.length);
    turn += 1;
    const typed = `="mine ${turn}"`;
    edits.set(row, typed);
    const contents = [[{ formula: typed }]];
    const act: Act = { do: 'edit', sheetId: world.sheetId, row, column: 2, contents };
    return [act];
  };
  await worldOf(
    ASINS.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of")`]),
    { betweenCalls },
  );
  await addArguments();
  expect(edits.size).toBeGreaterThan(3);
  const formulas = world.formulas(2, ASINS.length);
  for (const [row, typed] of edits) expect(formulas[row - 2]).toBe(typed);
  const others = formulas.filter((_, at) => !edits.has(at + 2));
  expect(others.every((formula) => formula.includes('ANALYZE_REFRESH'))).toBe(true);
});

it('goes to no other cell where rows move meanwhile', async () => {
  let turn = 0;
  // The sheet is read once for all formulas; a row is inserted before the first is read again.
  const betweenCalls: BetweenCalls = ({ operation }) => {
    if (operation !== 'spreadsheet.read.getFormulas') return [];
    turn += 1;
    const act: Act = { do: 'insertRows', sheetId: world.sheetId, first: 3, count: 1 };
    return turn === 2 ? [act] : [];
  };
  await worldOf(
    ASINS.map((asin) => [asin, `=ANALYZE("${asin}","US","as_of")`]),
    { betweenCalls },
  );
  expect(await addArguments()).toMatchObject({ left: 0 });
  const shown = world.formulas(2, ASINS.length + 1).filter((formula) => formula !== '');
  expect(shown).toEqual(ASINS.map((asin) => `=ANALYZE("${asin}","US","as_of",ANALYZE_REFRESH)`));
});
