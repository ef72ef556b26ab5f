// Custom functions in cells: which arguments reach the script, and what its answers make of the sheet.
import { afterEach, describe, expect, it } from '@jest/globals';
import { withCommas } from 'apps-script-host/sheet/formula-separators';
import type { CellContent, Matrix } from 'apps-script-host/sheet/model';
import type { CellCall, CellOutcome } from '../../../playground/web/cell-call';
import { type LiveSheet, openLiveSheet } from '../../../playground/web/live-sheet';

const SHEET = 0;

type Execute = (call: CellCall) => Promise<CellOutcome>;

const opened: LiveSheet[] = [];

afterEach(() => {
  for (const sheet of opened.splice(0)) sheet.dispose();
});

/** A sheet with one custom function, F. */
function withFunction(execute: Execute) {
  const calls: CellCall[] = [];
  const first = { id: 'first', name: 'Sheet1', rowCount: 1000, columnCount: 26 };
  const sheet = openLiveSheet({
    data: { id: 'document', sheetOrder: ['first'], sheets: { first } },
    functionNames: ['F'],
    execute: (call) => {
      calls.push(call);
      return execute(call);
    },
  });
  opened.push(sheet);
  const { model } = sheet;
  const cells = (row: number, column: number, rowCount: number, columnCount: number) =>
    model.values(SHEET, { row, column, rowCount, columnCount });
  return {
    sheet,
    calls,
    cells,
    cell: (row: number, column: number) => cells(row, column, 1, 1)[0]?.[0],
    write: (row: number, column: number, contents: Matrix<CellContent>) =>
      model.write(SHEET, row, column, contents),
  };
}

const returns =
  (value: unknown): Execute =>
  () =>
    Promise.resolve({ kind: 'value', value });
const fails =
  (message: string): Execute =>
  () =>
    Promise.resolve({ kind: 'failure', message });
const echo: Execute = ({ args }) => Promise.resolve({ kind: 'value', value: `<${args[0]}>` });

/** The arguments that the script gets for a formula in D1, beside A1:B3. */
async function argumentsOf(formula: string, contents: Matrix<CellContent> = []) {
  const { sheet, calls, write } = withFunction(returns('done'));
  if (contents.length > 0) write(1, 1, contents);
  write(1, 4, [[{ formula }]]);
  await sheet.settled();
  return calls.map(({ args }) => args);
}

describe('what changed before', () => {
  it('is worked out once the sheet has caught up, also while a custom function is out', async () => {
    const { sheet, cell, write } = withFunction(() => new Promise(() => {}));
    write(1, 1, [[2, { formula: '=A1*10' }, { formula: '=F(A1)' }]]);
    await sheet.workbook.calculation.caughtUp();
    expect(cell(1, 2)).toBe(20);
    write(1, 1, [[3]]);
    expect(cell(1, 2)).toBe(20);
    await sheet.workbook.calculation.caughtUp();
    expect(cell(1, 2)).toBe(30);
  });
});

describe('arguments', () => {
  it.each<[string, unknown[]]>([
    ['=F()', []],
    ['=F("text",1.5,TRUE)', ['text', 1.5, true]],
    ['=F(A1)', ['x']],
    ['=F(A2)', ['']],
    [
      '=F(A1:B2)',
      [
        [
          ['x', 2],
          ['', 'y'],
        ],
      ],
    ],
    ['=F(A1:A1)', ['x']],
    ['=F(A1&"!")', ['x!']],
    ['=F({1,2})', [[[1, 2]]]],
    ['=F(1,,3)', [1, undefined, 3]],
  ])('of %s are %j', async (formula, expected) => {
    const contents = [
      ['x', 2],
      ['', 'y'],
    ];
    expect(await argumentsOf(formula, contents)).toEqual([expected]);
  });

  it('from a cell with a date are dates', async () => {
    const day = new Date('2026-01-05T00:00:00Z');
    expect(await argumentsOf('=F(A1)', [[day]])).toEqual([[day]]);
    expect(await argumentsOf('=F(A1:B1)', [[day, 5]])).toEqual([[[[day, 5]]]]);
  });

  it('that are errors are passed on without a call', async () => {
    const { sheet, calls, cell, write } = withFunction(echo);
    write(1, 1, [[{ formula: '=F(1/0)' }]]);
    await sheet.settled();
    expect([cell(1, 1), calls]).toEqual(['#DIV/0!', []]);
  });

  it('that another call still works out are waited for', async () => {
    const { sheet, calls, cell, write } = withFunction(echo);
    write(1, 1, [['x', { formula: '=F(F(A1))' }]]);
    await sheet.settled();
    expect(cell(1, 2)).toBe('<<x>>');
    expect(calls.map(({ args }) => args)).toEqual([['x'], ['<x>']]);
  });
});

describe('answers', () => {
  it.each<[string, unknown, unknown]>([
    ['a text', 'text', 'text'],
    ['a number', 12.5, 12.5],
    ['a truth value', true, true],
    ['nothing', null, ''],
    ['no number', Number.NaN, '#NUM!'],
    ['a date', new Date('2026-01-05T00:00:00Z'), new Date('2026-01-05T00:00:00Z')],
  ])('that are %s are shown', async (_, value, shown) => {
    const { sheet, cell, write } = withFunction(returns(value));
    write(1, 1, [[{ formula: '=F()' }]]);
    await sheet.settled();
    expect(cell(1, 1)).toEqual(shown);
  });

  it('fill their neighbours, and formulas can use those', async () => {
    const { sheet, cells, cell, write } = withFunction(
      returns([
        [1, 'two', true],
        [4, null, 6],
      ]),
    );
    write(1, 1, [[{ formula: '=F()' }]]);
    write(5, 1, [[{ formula: '=SUM(A1:C2)' }]]);
    await sheet.settled();
    expect(cells(1, 1, 2, 3)).toEqual([
      [1, 'two', true],
      [4, '', 6],
    ]);
    expect(cell(5, 1)).toBe(11);
    expect(sheet.model.size(SHEET)).toMatchObject({ lastRow: 5, lastColumn: 3 });
  });

  it('overwrite nothing: the formula is an error instead, until the way is free', async () => {
    const { sheet, cells, write } = withFunction(returns([[1, 2]]));
    write(1, 2, [['in the way']]);
    write(1, 1, [[{ formula: '=F()' }]]);
    await sheet.settled();
    expect(cells(1, 1, 1, 2)).toEqual([['#SPILL!', 'in the way']]);
    expect(sheet.messages()[0]?.message).toMatch(/would overwrite/);
    write(1, 2, [['']]);
    await sheet.settled();
    expect(cells(1, 1, 1, 2)).toEqual([[1, 2]]);
  });

  it('that are failures show an error with its message, which IFERROR catches', async () => {
    const { sheet, cells, write } = withFunction(fails('Error: It said why.'));
    write(1, 1, [[{ formula: '=F()' }, { formula: '=IFERROR(F(),"caught")' }]]);
    await sheet.settled();
    expect(cells(1, 1, 1, 2)).toEqual([['#ERROR!', 'caught']]);
    expect(sheet.messages()).toEqual([
      { sheetId: 'first', row: 0, column: 0, message: 'Error: It said why.' },
    ]);
  });

  it('keep their messages when rows come before them', async () => {
    const { sheet, write } = withFunction(fails('Error: It said why.'));
    write(2, 1, [[{ formula: '=F()' }]]);
    await sheet.settled();
    sheet.model.insertRows(SHEET, 1, 3);
    await sheet.settled();
    expect(sheet.messages()).toMatchObject([{ row: 4, column: 0 }]);
  });
});

describe('calls', () => {
  it('show "Loading..." until they are answered', async () => {
    const held: ((outcome: CellOutcome) => void)[] = [];
    const { sheet, cell, write } = withFunction(() => new Promise((resolve) => held.push(resolve)));
    write(1, 1, [[{ formula: '=F()' }]]);
    await sheet.workbook.calculation.settled();
    expect([cell(1, 1), sheet.pendingCount()]).toEqual(['Loading...', 1]);
    held[0]?.({ kind: 'value', value: 7 });
    await sheet.settled();
    expect([cell(1, 1), sheet.pendingCount()]).toEqual([7, 0]);
  });

  it('are made once for equal arguments, and again for a cell that changed', async () => {
    const { sheet, calls, cells, write } = withFunction(echo);
    write(1, 1, [
      ['x', { formula: '=F(A1)' }],
      ['x', { formula: '=F(A2)' }],
    ]);
    await sheet.settled();
    write(2, 1, [['y']]);
    await sheet.settled();
    expect(cells(1, 2, 2, 1)).toEqual([['<x>'], ['<y>']]);
    expect(calls.map(({ args }) => args)).toEqual([['x'], ['y']]);
  });

  it('come in the same order every time', async () => {
    const orders = new Set<string>();
    for (let time = 0; time < 5; time += 1) {
      const { sheet, calls, write } = withFunction(echo);
      const rows = Array.from({ length: 300 }, (_, at) => [
        `p${at}`,
        { formula: `=F(A${at + 1})` },
      ]);
      write(1, 1, rows);
      await sheet.settled();
      orders.add(calls.map(({ args }) => args[0]).join(' '));
    }
    expect(orders.size).toBe(1);
  });

  it('that failed are made again when the file is opened again, others are not', async () => {
    let healthy = false;
    const { sheet, calls, cells, write } = withFunction(({ args }) =>
      Promise.resolve(
        healthy || args[0] === 1
          ? { kind: 'value', value: 'fine' }
          : { kind: 'failure', message: 'Error: Not yet.' },
      ),
    );
    write(1, 1, [[{ formula: '=F(1)' }], [{ formula: '=F(2)' }]]);
    await sheet.settled();
    healthy = true;
    sheet.reopen();
    await sheet.settled();
    expect(cells(1, 1, 2, 1)).toEqual([['fine'], ['fine']]);
    expect(calls.map(({ args }) => args[0])).toEqual([1, 2, 2]);
  });
});

describe('a custom function beside a formula that changes by itself', () => {
  it('is refused, also through a helper cell, and never called', async () => {
    const { sheet, calls, cell, write } = withFunction(echo);
    write(1, 1, [[{ formula: '=NOW()' }, { formula: '=A1+1' }, 'still']]);
    write(2, 1, [[{ formula: '=F(A1)' }, { formula: '=F(B1)' }, { formula: '=F(C1)' }]]);
    await sheet.settled();
    expect([cell(2, 1), cell(2, 2), cell(2, 3)]).toEqual(['#ERROR!', '#ERROR!', '<still>']);
    expect(calls).toHaveLength(1);
    const messages = sheet.messages().map(({ message }) => message);
    expect(messages).toEqual(Array(2).fill(expect.stringContaining('not allowed to reference')));
  });
});

it('passes on the fourth argument where the second and third are left out', async () => {
  const { sheet, calls, write } = withFunction(() => Promise.resolve({ kind: 'value', value: 1 }));
  write(1, 1, [['x', { formula: withCommas('=F(A1;;;"since Monday")') }]]);
  await sheet.settled();
  const [{ args = [] } = {}] = calls;
  expect([args[0], args[3]]).toEqual(['x', 'since Monday']);
});

it('reads a range without a last row down to the end of a sheet that grows', async () => {
  const { sheet, cells, cell, write } = withFunction(echo);
  write(1, 1, [[100], [1], ['x'], [3]]);
  write(1, 3, [[{ formula: "=SUM('Sheet1'!$A$2:$A)" }, { formula: '=COUNT(A1:A)' }]]);
  write(2, 3, [[{ formula: '=COUNTIF(A2:A,"x")' }, { formula: '="A2:A"' }]]);
  await sheet.settled();
  expect(cells(1, 3, 2, 2)).toEqual([
    [4, 3],
    [1, 'A2:A'],
  ]);
  sheet.model.insertRows(SHEET, 1001, 1);
  write(1001, 1, [[7]]);
  await sheet.settled();
  expect(cell(1, 3)).toBe(11);
});
