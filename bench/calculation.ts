// Measures what the guards of formulas cost: a list with decisions is calculated with them and without, in turns.

import { calculating } from 'apps-script-host/calculation';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import { moveDown } from 'apps-script-host/sheet/formula-references';
import type { CellContent, CellValue } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { TAB_COLUMNS, type TabColumn } from '../src/analysis/analysis-row';
import { createList, workOff } from './bulk/bulk-cases';
import type { Bundles } from './bundles';

const LIST = 0;
const MADE_ROWS = 3;
const ROUNDS = 2;

/** A test of a row, a column or the titles. */
const TEST = String.raw`(?:(?:ROW|COLUMN)\([^)]*\)=(?:ROW|COLUMN)\([^)]*\)|\$?[A-Z]+\$1="OK")`;

/** What guards formulas, and what they would be without it. */
const GUARDS: readonly (readonly [guard: RegExp, instead: string])[] = [
  // The helper: it names its row, and the record in the tab's row names the key.
  [
    /^=IF\(AND\(.*?,(\$?[A-Z]+\d+)<>""\),LET\(k,(.*),n,(XMATCH\(.*,0\)),IF\(RIGHT.*$/,
    '=IF($1="","",LET(k,$2,$3))',
  ],
  // A cost reader.
  [/IFS\(AND\(ROW\([^)]*\)=ROW\(\).*?=COLUMN\(\)\),(LET\(x,.*)\),("Check [a-z]+"\))$/, '$1,$2'],
  // What a decision reads: row, column, titles, and whether the cells are ours.
  [/IFS\(ROW\([^)]*\)=ROW\(\),(.*"No verdict"\))\)/, '$1'],
  [/IFS\(\$?[A-Z]+\$1="OK",(.*\))\),"Check columns"/, '$1,"Check columns"'],
  [new RegExp(`\\(${TEST}\\)\\*|\\*\\(${TEST}\\)`, 'g'), ''],
  [/\*ISFORMULA\([^)]*\)/g, ''],
];

/** A figure: its helper's row of the tab, if that is this row's, and its part of the record there. */
const FIGURE =
  /^=IFERROR\(REGEXEXTRACT\(INDEX\(('[^']+'!)[^,]+,\((\$?[A-Z]+\d+)\+1000000\).*"¦(\w+)=\(.*$/;

/** Without guards, a figure is whatever the column of the tab that shows it has in that row. */
const unguarded = (formula: string): string =>
  GUARDS.reduce((text, [guard, instead]) => text.replace(guard, instead), formula).replace(
    FIGURE,
    (_, tab: string, helper: string, role: string) => {
      const column = columnLetters(TAB_COLUMNS.indexOf(role as TabColumn) + 1);
      return `=IFERROR(INDEX(${tab}$${column}:$${column},${helper}))`;
    },
  );

interface Sheet {
  readonly grid: PlainGrid;
  readonly tab: number;
  readonly formulas: readonly string[];
  readonly asin: string;
}

/** A list of a few products with decisions, made by the add-on. */
function madeList(bundles: Bundles): Sheet {
  const list = createList(bundles, 1, MADE_ROWS);
  const { grid, rpc } = list;
  grid.write(LIST, 1, 3, [['Cost'], ...Array.from({ length: MADE_ROWS }, () => [4])]);
  workOff(list, MADE_ROWS);
  const { look } = rpc('deals.look', { list: null, market: null, cost: null, shows: 'totals' });
  const { sheet, listId, market } = look as {
    readonly sheet: { readonly id: number };
    readonly listId: string;
    readonly market: unknown;
  };
  rpc('deals.decide', { list: { sheetId: sheet.id, listId }, market, cost: null });
  const tab = grid.sheets().find(({ name }) => name === 'Analysis')?.id ?? 0;
  const formulas = grid.formulas(LIST, firstRow(grid, LIST))[0] ?? [];
  return { grid, tab, formulas, asin: String(valuesIn(grid, LIST)[0]) };
}

const firstRow = (grid: PlainGrid, sheetId: number) => ({
  ...{ row: 2, column: 1, rowCount: 1 },
  columnCount: grid.size(sheetId).lastColumn,
});

const valuesIn = (grid: PlainGrid, sheetId: number): readonly CellValue[] =>
  grid.values(sheetId, firstRow(grid, sheetId))[0] ?? [];

const productOf = (at: number) => `B0${String(10_000_000 + at)}`;

/** Fills list and tab down to so many products. */
function grow({ grid, tab, asin }: Sheet, rows: number): void {
  for (const id of [LIST, tab]) {
    const { maxRows } = grid.size(id);
    if (maxRows < rows + 10) grid.insertRows(id, maxRows + 1, rows + 10 - maxRows);
  }
  const kept = valuesIn(grid, tab);
  const of = (at: number) => (cell: CellValue) =>
    typeof cell === 'string' ? cell.replaceAll(asin, productOf(at)) : cell;
  const each = Array.from({ length: rows }, (_, at) => at);
  grid.write(
    tab,
    2,
    1,
    each.map((at) => kept.map(of(at))),
  );
  const typed = each.map((at) => [productOf(at), '', 2 + (at % 20)]);
  grid.write(LIST, 2, 1, typed);
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function timed(act: () => void): number {
  const begun = cpuMs();
  act();
  return cpuMs() - begun;
}

/** Calculates all of the list, and what a row inserted on top makes new. */
function measured({ grid, formulas }: Sheet, rows: number, way: (formula: string) => string) {
  const first = formulas.findIndex((formula) => formula !== '');
  const own = formulas.slice(first).map(way);
  const contents = Array.from({ length: rows }, (_, at): CellContent[] =>
    own.map((formula) => (formula === '' ? '' : { formula: moveDown(formula, at) })),
  );
  grid.write(LIST, 2, first + 1, contents);
  const { all } = calculating(grid, { nowMs: () => 0 });
  const whole = timed(all);
  const helper = formulas.findIndex((formula) => formula.includes('XMATCH'));
  const shown = valuesIn(grid, LIST).filter((_, column) => column !== helper);
  const inserted = timed(() => grid.insertRows(LIST, 3, 1));
  return { shown: shown.join(), ms: { whole, inserted } };
}

/** Prints how long both ways take, the least of some rounds, and the ratio of the two. */
export function tellCalculation(bundles: Bundles, rows: number): string {
  const least: Record<string, number> = {};
  const all = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, way] of [
      ['guarded', (formula: string) => formula],
      ['plain', unguarded],
    ] as const) {
      const sheet = madeList(bundles);
      grow(sheet, rows);
      const { shown, ms: took } = measured(sheet, rows, way);
      all.add(shown);
      for (const [what, ms] of Object.entries(took))
        least[`${what} ${name}`] = Math.min(least[`${what} ${name}`] ?? Number.MAX_VALUE, ms);
    }
  if (all.size > 1)
    throw new Error(`Without guards, the list shows something else: ${[...all].join(' | ')}`);
  const line = (title: string, what: string) => {
    const [guarded = 0, plain = 1] = [least[`${what} guarded`], least[`${what} plain`]];
    const seconds = [guarded, plain].map((ms) => (ms / 1_000).toFixed(2));
    return `| ${[title, ...seconds, (guarded / plain).toFixed(2)].join(' | ')} |`;
  };
  return [
    '| formulas | CPU s | without guards | ratio |\n| --- | --- | --- | --- |',
    line(`all of ${rows} rows`, 'whole'),
    line('a row inserted on top', 'inserted'),
  ].join('\n');
}
