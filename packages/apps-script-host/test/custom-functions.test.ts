// Custom functions in cells: where their answers go, what their arguments may be, and when they are
// worked out again.

import { describe, expect, it } from '@jest/globals';
import { createHost } from '../src/project-host';
import { recalculating } from '../src/recalculation';
import { featuresOf } from '../src/sheet/book-features';
import { createPlainGrid } from '../src/sheet/plain-grid';

const files = {
  'Code.gs': `
    function DOUBLE(x) { return x * 2; }
    function TABLE(rows, columns) {
      return Array.from({ length: rows }, (_, down) =>
        Array.from({ length: columns }, (_, right) => (down + 1) * 10 + right + 1));
    }
    function SEEN(...args) { return JSON.stringify(args); }
    function BAD() { throw new Error('no'); }
    function ODD(kind) {
      return { number: NaN, object: { a: 1 }, nothing: [], long: 'x'.repeat(50001), ragged: [[1, 2], [3]] }[kind];
    }
    function HERE() {
      const range = SpreadsheetApp.getActiveRange();
      return range.getA1Notation() + ' ' + SpreadsheetApp.getActiveSheet().getName();
    }
    function names() {
      const book = SpreadsheetApp.getActive();
      book.setNamedRange('RATE_CELL', book.getSheets()[0].getRange('A1'));
    }`,
};

async function sheet(cells: readonly (readonly (string | number)[])[] = [['']]) {
  const host = createHost({ files, cells });
  await host.advance(60_000);
  const put = async (at: string, content: string | number) => {
    await host.edit(at, [[content]]);
    await host.advance(60_000);
  };
  return { host, put, shown: (at: string) => host.values(at) };
}

describe('a list that a custom function answers', () => {
  it('fills free cells alone, and is an error where there is no room', async () => {
    const { put, shown } = await sheet([['', 'keep']]);
    await put('A1', '=TABLE(2,2)');
    expect(shown('A1:B2')).toEqual([
      ['#REF!', 'keep'],
      ['', ''],
    ]);
    await put('B1', '');
    expect(shown('A1:B2')).toEqual([
      [11, 12],
      [21, 22],
    ]);
    await put('D5', '=TABLE(2000,1)');
    expect(shown('D5:D6')).toEqual([['#REF!'], ['']]);
  });

  it('belongs to its formula: it shrinks, gives way, and goes', async () => {
    const { put, shown } = await sheet([['=TABLE(2,3)', '', '', '', '=COUNTA(A1:C9)']]);
    expect(shown('E1')).toEqual([[6]]);
    await put('A1', '=TABLE(1,2)');
    expect(shown('A1:E2')).toEqual([
      [11, 12, '', '', 2],
      ['', '', '', '', ''],
    ]);
    await put('B1', 'typed');
    expect(shown('A1:C1')).toEqual([['#REF!', 'typed', '']]);
    // Deleting a cell that the formula has filled changes nothing.
    await put('B1', '');
    await put('B1', '');
    expect(shown('A1:C1')).toEqual([[11, 12, '']]);
    await put('A1', '');
    expect(shown('A1:E1')).toEqual([['', '', '', '', 0]]);
  });

  it('moves with its row and is filled again after a sort', async () => {
    const grid = createPlainGrid({ maxRows: 20 });
    const start = async () => ({ ok: true, value: [['a', 'b']] }) as never;
    recalculating({ start }, grid, (name) => name === 'F');
    grid.write(0, 1, 1, [[2], [1]]);
    grid.write(0, 2, 2, [[{ formula: '=F(A2)' }]]);
    await new Promise(setImmediate);
    const all = { row: 1, column: 1, rowCount: 4, columnCount: 3 };
    grid.insertRows(0, 1, 1);
    expect(grid.values(0, all)[2]).toEqual([1, 'a', 'b']);
    grid.sort(0, { ...all, row: 2, rowCount: 2 }, [{ column: 1, ascending: true }]);
    await new Promise(setImmediate);
    expect(grid.values(0, all).slice(1, 3)).toEqual([
      [1, 'a', 'b'],
      [2, '', ''],
    ]);
    grid.deleteColumns(0, 1, 1);
    expect(grid.values(0, { ...all, columnCount: 2 })[1]).toEqual(['a', 'b']);
  });

  it.each([
    ['number', [['#NUM!', '']]],
    ['object', [['#ERROR!', '']]],
    ['nothing', [['#ERROR!', '']]],
    ['long', [['#ERROR!', '']]],
    ['ragged', [[1, 2]]],
  ])('may be odd: %s', async (kind, expected) => {
    const { put, shown } = await sheet();
    await put('A1', `=ODD("${kind}")`);
    expect(shown('A1:B1')).toEqual(expected);
  });
});

describe('an argument', () => {
  it('is anything that a formula can hold', async () => {
    const { host, put, shown } = await sheet([[4], ['x']]);
    await host.run('names');
    await put('D1', '=SEEN(TRUE,10%,-1e3,{1,2},1+1,TRIM(" a "),rate_cell,A9,,A1:A2,"q""")');
    const seen = [true, 0.1, -1000, [[1, 2]], 2, 'a', 4, '', null, [[4], ['x']], 'q"'];
    expect(JSON.parse(String(shown('D1')[0]?.[0]))).toEqual(seen);
  });

  it('that a formula has worked out as a date is a date', async () => {
    const { put, shown } = await sheet();
    await put('D1', '=SEEN(DATE(2026,1,31),EDATE(DATE(2026,1,31),1),DATE(2026,1,1)+1)');
    const days = ['2026-01-31', '2026-02-28', '2026-01-02'].map((day) => `${day}T00:00:00.000Z`);
    expect(JSON.parse(String(shown('D1')[0]?.[0]))).toEqual(days);
  });

  it.each([
    ['=SEEN(NA())', '#N/A'],
    ['=SEEN(A5000)', '#REF!'],
    ['=SEEN(1,AAA1)', '#REF!'],
    ["=SEEN('No such'!A1)", '#REF!'],
    ['=IFERROR(SEEN(A5000),"none")', 'none'],
  ])(
    'that is an error is the result, and the function does not run: %s',
    async (formula, error) => {
      const { put, shown } = await sheet();
      await put('D1', formula);
      expect(shown('D1')).toEqual([[error]]);
    },
  );

  it('that is a name in another tab is read anew when its cell changes, or the name moves', async () => {
    const grid = createPlainGrid();
    const tab = grid.addSheet('Analysis', 2);
    const calls: unknown[] = [];
    const start = async ({ args }: { readonly args: readonly unknown[] }) => {
      calls.push(args);
      return { ok: true, value: calls.length } as never;
    };
    grid.write(tab, 1, 2, [['first', 'other']]);
    const cell = { row: 1, column: 2, rowCount: 1, columnCount: 1 };
    const named = (column: number) =>
      featuresOf(grid).setNames([
        { name: 'ANALYZE_REFRESH', sheetId: tab, rectangle: { ...cell, column } },
      ]);
    named(2);
    const live = recalculating({ start }, grid, (name) => name === 'F');
    grid.write(0, 1, 1, [['p']]);
    grid.write(0, 1, 2, [[{ formula: '=F(A1,analyze_refresh)' }, { formula: '=F(A1)' }]]);
    await new Promise(setImmediate);
    expect(calls).toEqual([['p', 'first'], ['p']]);
    grid.write(tab, 1, 2, [['second']]);
    await new Promise(setImmediate);
    expect(calls.slice(2)).toEqual([['p', 'second']]);
    grid.write(tab, 5, 2, [['elsewhere']]);
    grid.insertColumns(tab, 1, 1);
    grid.write(tab, 1, 3, [['third']]);
    await new Promise(setImmediate);
    expect(calls.slice(3)).toEqual([['p', 'third']]);
    named(4);
    await new Promise(setImmediate);
    expect(calls.slice(4)).toEqual([['p', 'other']]);
    expect(live.executions()).toBe(5);
  });
});

it('a function finds its own cell active, whatever a person has selected', async () => {
  const { host, put, shown } = await sheet();
  await host.run('names');
  await put('C7', '=HERE()');
  expect(shown('C7')).toEqual([['C7 Sheet1']]);
  expect((await host.cell('=HERE()')).value).toBe('A8 Sheet1');
});

describe('within functions of Sheets', () => {
  it.each<[string, unknown]>([
    ['=IF(A1=4,DOUBLE(5),BAD())', 10],
    ['=IF(A1=5,BAD(),"none")', 'none'],
    ['=DOUBLE(DOUBLE(3))+1', 13],
    ['=IFERROR(BAD(),DOUBLE(2))', 4],
    ['=IFERROR(BAD()&"","caught")', 'caught'],
    ['=BAD()&""', '#ERROR!'],
    ['=SUM(TABLE(2,2))', 66],
    ['=INDEX(TABLE(3,3),2,3)', 23],
    ['=IF(DOUBLE(1)=2,DOUBLE(4),0)', 8],
    ['=IFERROR(DOUBLE(NOW()),"refused")', 'refused'],
    ['=NOPE(DOUBLE(1))', '#NAME?'],
    ['="=DOUBLE(1)"', '=DOUBLE(1)'],
  ])('%s', async (formula, result) => {
    const { put, shown } = await sheet([[4]]);
    await put('D1', formula);
    expect(shown('D1')).toEqual([[result]]);
  });

  it('is worked out again when a cell changes that any part of the formula reads', async () => {
    const { put, shown } = await sheet([[4, '=IF(A1=4,"four",DOUBLE(A1))']]);
    expect(shown('B1')).toEqual([['four']]);
    await put('A1', 6);
    expect(shown('B1')).toEqual([[12]]);
  });
});

it('a formula at which the engine fails is an error, and all others go on', async () => {
  const { put, shown } = await sheet([[1, '=A1+1', '=REGEXEXTRACT("ab","(a)(b)")']]);
  expect(shown('C1:D1')).toEqual([['a', 'b']]);
  for (const formula of ['=SWITCH()', '=LAMBDA({1;2},"x")']) {
    await put('F1', formula);
    expect(shown('F1')).toEqual([['#ERROR!']]);
  }
  await put('A1', 5);
  expect(shown('B1')).toEqual([[6]]);
});
