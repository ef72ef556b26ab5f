// XMATCH, XLOOKUP, INDEX and LET: what they find, and how little is worked out again after a change.

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calculating } from '../src/calculation';
import { featuresOf } from '../src/sheet/book-features';
import type { CellContent, Rectangle } from '../src/sheet/model';
import { createPlainGrid, type PlainGrid } from '../src/sheet/plain-grid';

const ONE = { rowCount: 1, columnCount: 1 };

const asTyped = (rows: readonly (readonly CellContent[])[]) =>
  rows.map((cells) =>
    cells.map((cell) =>
      typeof cell === 'string' && cell.startsWith('=') ? { formula: cell } : cell,
    ),
  );

/** A list in the first sheet, and beside it the tab "Keys" in which its formulas look. */
function book(keys: readonly (readonly CellContent[])[], list: readonly CellContent[][] = []) {
  const grid = createPlainGrid({ maxRows: 60 });
  const tab = grid.addSheet('Keys', 2);
  if (keys.length > 0) grid.write(tab, 1, 1, asTyped(keys));
  if (list.length > 0) grid.write(0, 1, 1, asTyped(list));
  return { grid, tab, calculation: calculating(grid, { nowMs: () => 0 }) };
}

const KEYS: readonly (readonly CellContent[])[] = [
  ['Key', 'Profit', 'ROI'],
  ['B1|US', 1, 0.1],
  ['b2|us', 2, 0.2],
  ['', 3, 0.3],
  [7, 4, 0.4],
  ['7', 5, 0.5],
  [true, 6, 0.6],
  ['B1|US', 7, ''],
  ['A*B', 8, 0.8],
  ['=1/0', 9, 0.9],
  [10, 10, 1],
];

describe('a lookup', () => {
  const { grid } = book(KEYS, [['B2|us', 7, '7', '', 'q']]);
  const NUMBERS = '{10;20;20;30}';
  it.each<[string, CellContent | readonly CellContent[]]>([
    // Exact: regardless of case, without wildcards, and no text equals a number.
    ['=XMATCH(A1,Keys!A:A,0)', 3],
    ['=XMATCH("B2|US",Keys!$A$2:$A$9)', 2],
    ['=XMATCH(B1,Keys!A:A)', 5],
    ['=XMATCH(C1,Keys!A:A)', 6],
    ['=XMATCH(TRUE,Keys!A:A)', 7],
    ['=XMATCH("TRUE",Keys!A:A)', '#N/A'],
    ['=XMATCH("B*",Keys!A:A,0)', '#N/A'],
    ['=XMATCH("A*B",Keys!A:A,0)', 9],
    ['=XMATCH(E1,Keys!A:A)', '#N/A'],
    // Neither a blank cell nor an empty text is found, nor an error.
    ['=XMATCH(D1,Keys!A:A)', '#N/A'],
    ['=XMATCH("",Keys!A:A)', '#N/A'],
    ['=XMATCH(1/0,Keys!A:A)', '#DIV/0!'],
    ['=IFNA(XMATCH(E1,Keys!A:A),"none")', 'none'],
    // From the last, by wildcards, next smaller and larger, by halves.
    ['=XMATCH("b1|us",Keys!A:A,0,-1)', 8],
    ['=XMATCH("b?|*",Keys!A:A,2)', 2],
    ['=XMATCH("b?|*",Keys!A:A,2,-1)', 8],
    ['=XMATCH("a~*b",Keys!A:A,2)', 9],
    ['=XMATCH(9,Keys!A:A,-1)', 5],
    ['=XMATCH(9,Keys!A:A,1)', 11],
    ['=XMATCH(5,Keys!A:A,-1)', '#N/A'],
    [`=XMATCH(20,${NUMBERS},0,2)`, 2],
    [`=XMATCH(25,${NUMBERS},-1,2)`, 3],
    [`=XMATCH(25,${NUMBERS},1,2)`, 4],
    [`=XMATCH(25,${NUMBERS},0,2)`, '#N/A'],
    ['=XMATCH(25,{30;20;10},-1,-2)', 2],
    ['=XMATCH(25,{30;20;10},1,-2)', 1],
    ['=XMATCH("x",{"w","x"})', 2],
    // What cannot be asked.
    ['=XMATCH(A1,Keys!A:B)', '#VALUE!'],
    ['=XMATCH(A1,Keys!A:A,3)', '#VALUE!'],
    ['=XMATCH(A1,Keys!A:A,0,0)', '#VALUE!'],
    ['=XMATCH("b*",Keys!A:A,2,2)', '#VALUE!'],
    ['=XMATCH(A1:B1,Keys!A:A)', '#VALUE!'],
    ['=XMATCH(A1,Gone!A:A)', '#REF!'],
    ['=XLOOKUP(A1,Keys!A:A,Keys!B:B)', 2],
    ['=XLOOKUP(A1,Keys!A:A,Keys!B:C)', [2, 0.2]],
    ['=XLOOKUP(E1,Keys!A:A,Keys!B:C)', '#N/A'],
    ['=XLOOKUP(E1,Keys!A:A,Keys!B:B,"new")', 'new'],
    ['=XLOOKUP(E1,Keys!A:A,Keys!B:B,,-1)', 'Profit'],
    ['=XLOOKUP("ROI",Keys!1:1,Keys!3:3)', 0.2],
    ['=XLOOKUP("B1|US",Keys!A:A,Keys!C:C,0,0,-1)', ''],
    ['=XLOOKUP(A1,Keys!A1:A9,Keys!B1:B8)', '#VALUE!'],
    ['=INDEX(Keys!B:B,3)', 2],
    ['=INDEX(Keys!C:C,8)', ''],
    ['=INDEX(Keys!A:C,3,0)', ['b2|us', 2, 0.2]],
    ['=INDEX(Keys!A1:C1,2)', 'Profit'],
    ['=INDEX(Keys!A1:C3,2,3)', 0.1],
    ['=INDEX({1,2;3,4},2,1)', 3],
    ['=INDEX(Keys!B1:B3,4)', '#REF!'],
    ['=INDEX(Keys!B:B,-1)', '#VALUE!'],
    ['=INDEX(Keys!B:B,"x")', '#VALUE!'],
    ['=INDEX(Keys!B:B,NA())', '#N/A'],
    ['=SUM(INDEX(Keys!B2:C3,0,1))', 3],
    ['=LET(x,B1,x+1)', 8],
    ['=LET(x,B1,y,x*2,x+y)', 21],
    ['=LET(row,XMATCH(A1,Keys!A:A),IF(row>2,INDEX(Keys!B:B,row),"no"))', 2],
    ['=IF(A1="","",IFNA(INDEX(Keys!B:B,XMATCH(E1,Keys!A:A)),""))', ''],
    // A blank cell comes through as a blank, which shows nothing, equals "" and counts as 0.
    ['=IF(A1="","",IFNA(INDEX(Keys!C:C,8),""))', ''],
    ['=IFNA(INDEX(Keys!C:C,8),"")=""', true],
    ['=IFNA(INDEX(Keys!C:C,8),"")+1', 1],
  ])('%s', (formula, result) => {
    grid.write(0, 20, 1, [[{ formula }]]);
    const expected = [result].flat() as CellContent[];
    const place = { row: 20, column: 1, rowCount: 1, columnCount: expected.length };
    expect(grid.values(0, place)).toEqual([expected]);
    grid.write(0, 20, 1, [['']]);
  });

  it('gives a position for each of several keys in an array formula', () => {
    const { grid } = book(KEYS, [['7', 'q', '=ARRAYFORMULA(XMATCH(A1:B1,Keys!A:A))']]);
    expect(grid.values(0, { row: 1, column: 3, rowCount: 1, columnCount: 2 })).toEqual([
      [6, '#N/A'],
    ]);
  });

  it('is circular where it stands in what it looks through', () => {
    const { grid } = book([], [['=INDEX(A:A,3)'], [''], [5]]);
    expect(grid.values(0, { row: 1, column: 1, rowCount: 1, columnCount: 1 })).toEqual([['#REF!']]);
  });
});

describe('after a change', () => {
  const ROWS = 1_000;
  const FIGURES = 'BCDEFGHI'.split('');
  const key = (at: number) => `B${String(at).padStart(9, '0')}`;
  const figures = (at: number) => [`${key(at)}|US`, ...FIGURES.map((_, place) => at + place)];
  const count = (grid: PlainGrid, work: () => { formulas: number; indexes: number }) => {
    let before = work();
    return {
      grid,
      since: () => {
        const now = work();
        const made = {
          formulas: now.formulas - before.formulas,
          indexes: now.indexes - before.indexes,
        };
        before = now;
        return made;
      },
    };
  };
  /** A list with a search and eight figures in each row, over a tab with twice as many keys. */
  function list() {
    const grid = createPlainGrid({ maxRows: ROWS + 10 });
    const tab = grid.addSheet('Analysis', 2);
    grid.insertRows(tab, 1_000, ROWS * 2);
    grid.write(
      tab,
      1,
      1,
      Array.from({ length: ROWS * 2 }, (_, at) => figures(at)),
    );
    const products = Array.from({ length: ROWS }, (_, at) => [key((at * 7) % (ROWS * 2))]);
    grid.write(0, 1, 1, products);
    const { work } = calculating(grid, { nowMs: () => 0 });
    const counted = count(grid, work);
    const formulas = products.map((_, down) => [
      { formula: `=IF(A${down + 1}="","",XMATCH(A${down + 1}&"|US",Analysis!A:A,0))` },
      ...FIGURES.map((letter) => ({
        formula: `=IF($A${down + 1}="","",IFNA(INDEX(Analysis!${letter}:${letter},$B${down + 1}),""))`,
      })),
    ]);
    grid.write(0, 1, 2, formulas);
    return { ...counted, tab };
  }
  const { grid, tab, since } = list();
  const row = (at: number) =>
    grid.values(0, { row: at, column: 1, rowCount: 1, columnCount: 10 })[0];

  it('of all formulas, each is calculated once, over one index', () => {
    expect(since()).toEqual({ formulas: ROWS * 9, indexes: 1 });
    expect(row(3)).toEqual([key(14), 15, ...FIGURES.map((_, place) => 14 + place)]);
  });

  it('of figures, only the cells that show them are calculated, and no key is searched', () => {
    grid.write(tab, 15, 2, [[99]]);
    expect(since()).toEqual({ formulas: 1, indexes: 0 });
    // A row that is written whole, with its key.
    grid.write(tab, 15, 1, [figures(14)]);
    expect(since()).toEqual({ formulas: 8, indexes: 0 });
    expect(row(3)?.[2]).toBe(14);
  });

  it('of a product, only its own row is calculated', () => {
    grid.write(0, 3, 1, [[key(15)]]);
    expect(since()).toEqual({ formulas: 9, indexes: 0 });
    expect(row(3)).toEqual([key(15), 16, ...FIGURES.map((_, place) => 15 + place)]);
  });

  it('of keys, only what asks for them is calculated', () => {
    const absent = key(ROWS * 2 + 1);
    grid.write(0, 5, 1, [[absent]]);
    expect(row(5)).toEqual([absent, '#N/A', ...FIGURES.map(() => '')]);
    since();
    grid.write(tab, ROWS * 2 + 5, 1, [
      [`${absent}|us`, 5],
      [`${key(ROWS * 2 + 2)}|US`, 6],
    ]);
    expect(since()).toEqual({ formulas: 9, indexes: 0 });
    expect(row(5)?.slice(0, 3)).toEqual([absent, ROWS * 2 + 5, 5]);
  });

  it('of rows that come beside, nothing is calculated, nor for new rows below the keys', () => {
    grid.insertRows(0, 2, 1);
    expect(since()).toEqual({ formulas: 0, indexes: 1 });
    grid.insertRows(tab, grid.size(tab).maxRows + 1, 500);
    expect(since()).toEqual({ formulas: 0, indexes: 1 });
    const { maxRows } = grid.size(tab);
    grid.write(0, 7, 1, [['late']]);
    since();
    grid.write(tab, maxRows, 1, [['LATE|us', 4]]);
    expect(since()).toEqual({ formulas: 9, indexes: 0 });
    expect(row(7)?.slice(0, 3)).toEqual(['late', maxRows, 4]);
    grid.deleteRows(0, 2, 1);
    grid.write(0, 6, 1, [[key(35)]]);
    grid.clearContents(tab, { row: maxRows, column: 1, rowCount: 1, columnCount: 2 });
    since();
  });

  it('of a name, only the formulas that have it are calculated', () => {
    const { names, setNames } = featuresOf(grid);
    const named = { name: 'Rate', sheetId: 0, rectangle: { row: 1, column: 3, ...ONE } };
    setNames([...names(), named]);
    expect(since().formulas).toBe(0);
    grid.write(0, 1, 12, [[{ formula: '=Rate+1' }, { formula: '=LEN("Rate")' }]]);
    since();
    setNames([named]);
    expect(since().formulas).toBe(0);
    setNames([{ ...named, name: 'RATE', rectangle: { row: 3, column: 3, ...ONE } }]);
    expect(since()).toEqual({ formulas: 1, indexes: 0 });
    expect(grid.readCell(0, 1, 12)).toBe(Number(row(3)?.[2]) + 1);
    setNames([]);
    expect(grid.readCell(0, 1, 12)).toBe('#NAME?');
    grid.clearContents(0, { row: 1, column: 12, rowCount: 1, columnCount: 2 });
    since();
  });

  it('of the order of all keys, each is found in its new place', () => {
    const all: Rectangle = { row: 1, column: 1, rowCount: ROWS * 2 + 6, columnCount: 9 };
    grid.sort(tab, all, [{ column: 1, ascending: false }]);
    expect(since()).toEqual({ formulas: ROWS * 9, indexes: 0 });
    expect(row(3)?.slice(2)).toEqual(FIGURES.map((_, place) => 15 + place));
  });
});

describe('any sequence of changes', () => {
  const ROWS = 8;
  const formulas = (row: number) =>
    fc.constantFrom(
      `=XMATCH($A${row},Keys!A:A)`,
      `=XMATCH(A${row},Keys!$A$2:$A$6,0,-1)`,
      `=XMATCH(A${row},Keys!A1:A8,-1)`,
      `=INDEX(Keys!B:B,$C${row})`,
      `=INDEX(Keys!A1:B8,2,0)`,
      `=XLOOKUP($A${row},Keys!A:A,Keys!B:B,"none")`,
      `=IFNA(INDEX(Keys!B:B,XMATCH($A${row},Keys!A:A)),"")`,
      `=SUM(Keys!B:B)+N(C${row})`,
      `=IF(A${row}="a",B${row},C${row})`,
      `=Keys!A${row}`,
    );
  const cell = fc.constantFrom<CellContent>('a', 'B', 'b', '', 1, 2, 3, true);
  const place = fc.integer({ min: 1, max: ROWS });
  const change = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('write' as const),
        tab: fc.boolean(),
        row: place,
        column: fc.integer({ min: 1, max: 2 }),
        cell,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ row: place, column: fc.integer({ min: 3, max: 5 }) }).chain((at) =>
        fc.record({
          do: fc.constant('formula' as const),
          at: fc.constant(at),
          formula: formulas(at.row),
        }),
      ),
    },
    // Keys may be formulas, too.
    fc.record({ do: fc.constant('key' as const), row: place, of: place }),
    fc.record({ do: fc.constant('sort' as const), tab: fc.boolean(), ascending: fc.boolean() }),
    fc.record({
      do: fc.constant('insert' as const),
      tab: fc.boolean(),
      row: fc.integer({ min: 1, max: ROWS + 1 }),
    }),
    fc.record({ do: fc.constant('delete' as const), tab: fc.boolean(), row: place }),
    fc.record({
      do: fc.constant('column' as const),
      tab: fc.boolean(),
      column: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ do: fc.constant('move' as const), tab: fc.boolean(), row: place, before: place }),
  );
  type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;
  const sheetOf = (one: { readonly tab: boolean }) => Number(one.tab);

  function apply(grid: PlainGrid, one: Change): void {
    if (one.do === 'write') grid.write(sheetOf(one), one.row, one.column, [[one.cell]]);
    else if (one.do === 'formula')
      grid.write(0, one.at.row, one.at.column, [[{ formula: one.formula }]]);
    else if (one.do === 'key') grid.write(1, one.row, 1, [[{ formula: `=Sheet1!A${one.of}&""` }]]);
    else if (one.do === 'insert') grid.insertRows(sheetOf(one), one.row, 1);
    else if (one.do === 'delete') {
      grid.deleteRows(sheetOf(one), one.row, 1);
      grid.insertRows(sheetOf(one), grid.size(sheetOf(one)).maxRows + 1, 1);
    } else if (one.do === 'column') grid.insertColumns(sheetOf(one), one.column, 1);
    else if (one.do === 'move') grid.moveRows(sheetOf(one), one.row, 1, one.before);
    else {
      const rows = { row: 1, column: 1, rowCount: ROWS, columnCount: one.tab ? 2 : 5 };
      grid.sort(sheetOf(one), rows, [{ column: 1, ascending: one.ascending }]);
    }
  }

  it('leaves what working everything out anew gives', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 25 }), (changes) => {
        const grid = createPlainGrid({ maxRows: ROWS, maxColumns: 8 });
        const tab = grid.addSheet('Keys', 2);
        grid.deleteRows(tab, ROWS + 1, 1_000 - ROWS);
        grid.write(tab, 1, 1, [
          ['a', 1],
          ['b', 2],
          ['', 3],
          [2, 4],
        ]);
        const live = calculating(grid, { nowMs: () => 0 });
        for (const one of changes) {
          apply(grid, one);
          const { maxRows, maxColumns } = grid.size(0);
          const all = { row: 1, column: 1, rowCount: maxRows, columnCount: maxColumns };
          const shown = grid.values(0, all);
          live.all();
          expect(grid.values(0, all)).toEqual(shown);
        }
      }),
      { numRuns: 600, seed: 33 },
    );
  });
});
