// People who move rows while their formulas are refreshed: no formula and no cell of theirs is lost.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { BetweenCalls } from 'apps-script-host/bystanders';
import type { Act } from 'apps-script-host/sheet/acts';
import type { CellValue } from 'apps-script-host/sheet/model';
import { SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld, STAMP, withoutMoment } from '../doors/formulas-list';

const WISH = { notBeforeMs: 0 };
const COUNT = 12;
const ASINS = US_ASINS.slice(100, 100 + COUNT);

let world: FormulaWorld;
afterEach(() => world.stop());

/** Two headers, then products: half of the formulas name their row's cell, half their own product. */
const ROWS: readonly (readonly CellValue[])[] = [
  ['My list', '', '', ''],
  ['Note', 'ASIN', 'As of', 'Rank'],
  ...ASINS.map((asin, i) => [
    `note ${COUNT - i} of ${asin}`,
    asin,
    i % 2 === 0 ? `=ANALYZE(B${i + 3},"US","as_of")` : `=ANALYZE("${asin}","US","as_of")`,
    COUNT - i,
  ]),
  ['Total', '', 'mine, not yours', ''],
];

/** What is in the sheet, row by row, with each formula as its product. */
function shown(grid: FormulaWorld['grid'], sheetId: number): string[][] {
  const { lastRow: rowCount } = grid.size(sheetId);
  const area = { row: 1, column: 1, rowCount, columnCount: grid.size(sheetId).lastColumn };
  const formulas = grid.formulas(sheetId, area);
  return grid.values(sheetId, area).map((cells, down) =>
    cells.map((cell, right) => {
      const formula = formulas[down]?.[right] ?? '';
      const [, literal, letter = 'A', row] = /\((?:"(\w+)"|([A-Z])(\d+)),/.exec(formula) ?? [];
      const named = Number(row) === down + 1 && cells[letter.charCodeAt(0) - 65];
      return formula === '' ? String(cell) : `formula of ${literal ?? named}`;
    }),
  );
}

/** Does it once, just before a call of this name has its effect. */
function once(operation: string, acts: readonly Act[]): BetweenCalls {
  let isDone = false;
  return (coming) => {
    if (isDone || coming.operation !== operation) return [];
    isDone = true;
    return acts;
  };
}

async function refreshedWhile(operation: string, act: Act) {
  world = formulaWorld(ROWS, {
    sandbox: SANDBOX,
    host: { betweenCalls: once(operation, [act]) },
  });
  await world.connect();
  const report = await world.refresh(WISH);
  const alone = formulaWorld(ROWS, { sandbox: SANDBOX });
  alone.host.act(act);
  await alone.host.run();
  const expected = shown(alone.grid, alone.sheetId);
  await alone.stop();
  return { report, expected };
}

const list = { row: 3, column: 1, rowCount: COUNT, columnCount: 4 };
const SHEET = { sheetId: 0 };

describe.each([
  'spreadsheet.read.getProtections',
  'spreadsheet.write.setFormulas',
  'spreadsheet.read.getValues',
])('just before %s', (operation) => {
  it.each<[string, Act]>([
    ['a row comes above', { do: 'insertRows', ...SHEET, first: 1, count: 1 }],
    ['rows come in between', { do: 'insertRows', ...SHEET, first: 6, count: 3 }],
    ['a row goes', { do: 'deleteRows', ...SHEET, first: 5, count: 1 }],
    ['a header goes', { do: 'deleteRows', ...SHEET, first: 1, count: 1 }],
    [
      'the list is sorted',
      { do: 'sort', ...SHEET, rectangle: list, keys: [{ column: 4, ascending: true }] },
    ],
    ['a column comes before', { do: 'insertColumns', ...SHEET, first: 1, count: 1 }],
    ['columns come in between', { do: 'insertColumns', ...SHEET, first: 3, count: 2 }],
  ])('%s', async (_, act) => {
    const { report, expected } = await refreshedWhile(operation, act);
    expect(shown(world.grid, world.sheetId)).toEqual(expected);
    const last = await world.refresh(WISH);
    expect([report.left, last.left]).toEqual([0, 0]);
    const formulas = [3, 4, 5].flatMap((column) => world.formulas(column, COUNT + 4));
    const filled = formulas.filter((formula) => formula !== '');
    expect(filled.filter((formula) => !withoutMoment(formula).includes(STAMP))).toEqual([]);
    expect(filled.length).toBeGreaterThanOrEqual(COUNT - 1);
  });
});

it('a reference that names the formula’s own sheet follows its row', async () => {
  const rows = [
    ['Note', 'ASIN', 'As of', 'As of'],
    ...ASINS.slice(0, 4).map((asin, i) => [
      `note ${i}`,
      asin,
      `=ANALYZE(Sheet1!$B$${i + 2},"US","as_of")`,
      `=ANALYZE('Sheet1'!B${i + 2},"US","as_of")`,
    ]),
  ];
  const act: Act = { do: 'insertRows', ...SHEET, first: 2, count: 1 };
  world = formulaWorld(rows, {
    sandbox: SANDBOX,
    host: { betweenCalls: once('spreadsheet.write.setFormulas', [act]) },
  });
  await world.connect();
  await world.refresh(WISH);
  const area = { row: 3, column: 3, rowCount: 4, columnCount: 2 };
  const named = world.grid
    .formulas(world.sheetId, area)
    .map((texts) => texts.map((text) => /B\$?\d/.exec(text)?.[0].replace('$', '')));
  expect(named).toEqual([3, 4, 5, 6].map((row) => [`B${row}`, `B${row}`]));
});
