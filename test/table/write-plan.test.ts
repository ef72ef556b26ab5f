// Which rows and cells a write of results takes along with them, and what each cell is to hold.

import { describe, expect, it } from '@jest/globals';
import type { SheetCell } from '../../src/platform/ports';
import type { Analysis, Answer } from '../../src/product/analysis';
import type { ColumnKey, Layout } from '../../src/table/columns';
import { type Row, readRow } from '../../src/table/row';
import type { Block, Result } from '../../src/table/snapshot';
import { emptied, planWrites, resultOf } from '../../src/table/write-plan';
import { openly } from './status-cells';

/** A person's own column stands between ours. */
const LAYOUT: Layout = {
  headerRow: 1,
  columns: [
    { key: 'product', title: 'ASIN', column: 1 },
    { key: 'profit', title: 'Profit', column: 2 },
    { key: 'rank_drops_30d', title: 'Rank', column: 4 },
    { key: 'status', title: 'Analysis status', column: 5 },
    { key: 'at', title: 'Analyzed at', column: 6 },
  ],
  others: ['Note'],
};
/** The status is first, a market stands among the figures, and one column is unknown to this version. */
const STATUS_FIRST: Layout = {
  headerRow: 1,
  columns: [
    { key: 'status', title: 'Analysis status', column: 1 },
    { key: 'product', title: 'ASIN', column: 2 },
    { key: 'profit', title: 'Profit', column: 3 },
    { key: 'market', title: 'Market', column: 4 },
    { key: 'roi', title: 'ROI', column: 5 },
    { key: 'was_once_ours' as ColumnKey, title: 'Old', column: 6 },
  ],
  others: [],
};
/** Profit, eligible, status and time side by side, so that a row is one rectangle. */
const PLAIN: Layout = {
  headerRow: 1,
  columns: [
    { key: 'product', title: 'ASIN', column: 1 },
    { key: 'profit', title: 'Profit', column: 2 },
    { key: 'eligible', title: 'Eligible', column: 3 },
    { key: 'roi', title: 'ROI', column: 4 },
    { key: 'status', title: 'Analysis status', column: 5 },
    { key: 'at', title: 'Analyzed at', column: 6 },
  ],
  others: [],
};
const RULE = { kind: 'one', market: 'US' } as const;
const [A, B, C] = ['B07FZ8S74R', 'B0RYCXXWMG', 'B0VNPNQ00F'];
const [AT, NOW] = [new Date(0), new Date(9)];

const resultFor = (asin: string, cells: readonly (readonly [ColumnKey, SheetCell])[]): Result => ({
  identity: asin === '' ? '' : `${asin}|US`,
  cells: new Map(cells),
});

/** What is planned for rows from row 2 on. */
function planned(
  layout: Layout,
  values: readonly (readonly SheetCell[])[],
  results: ReadonlyMap<number, Result>,
  formulas: readonly (readonly string[])[] = values.map((row) => row.map(() => '')),
  isOpen: (row: Row) => boolean = () => true,
) {
  const area = { row: 2, column: 1, rowCount: values.length, columnCount: values[0]?.length ?? 0 };
  const block: Block = { area, values, formulas };
  return planWrites(block, layout, RULE, isOpen, results);
}

const places = ({ writes }: ReturnType<typeof planWrites>) =>
  writes.map(({ area: { row, column, rowCount, columnCount } }) => [
    ...[column, row],
    ...[columnCount, rowCount],
  ]);

const queued = (asin: string): readonly SheetCell[] => [asin, '', 'n', '', 'Queued (1)', ''];
const done = (asin: string) => resultFor(asin, [['status', `OK ${asin} US`]]);

const rowsWritten = (between: readonly SheetCell[]) => {
  const results = new Map([
    [2, done(A)],
    [4, done(C)],
  ]);
  return places(planned(LAYOUT, [queued(A), between, queued(C)], results)).map(
    ([column, row, , rows]) => [column, row, rows],
  );
};

describe('a result', () => {
  it('is not put into a row in which another product stands by now', () => {
    const results = new Map([
      [2, done(A)],
      [3, done(C)],
    ]);
    const plan = planned(LAYOUT, [queued(B), queued(C)], results);
    expect(plan).toMatchObject({ rows: [3], missed: [2] });
    expect(plan.writes.map((write) => write.area.row)).toEqual([3, 3]);
  });

  it('is not put into a row that is not open', () => {
    const results = new Map([[2, done(A)]]);
    const plan = planned(LAYOUT, [queued(A)], results, undefined, () => false);
    expect(plan).toEqual({ writes: [], rows: [], missed: [2], kept: 0 });
  });

  it('goes into our columns alone, the status behind the figures wherever it stands', () => {
    const cells = [
      ...([
        ['status', 'OK'],
        ['profit', 2],
        ['roi', 3],
        ['market', 'UK'],
      ] as const),
    ];
    const plan = planned(
      STATUS_FIRST,
      [['Queued (1)', A, '', 'US', '', 'text of theirs']],
      new Map([[2, resultFor(A, cells)]]),
    );
    expect(plan.writes).toEqual([
      { area: { row: 2, column: 3, rowCount: 1, columnCount: 1 }, cells: [[2]] },
      { area: { row: 2, column: 5, rowCount: 1, columnCount: 2 }, cells: [[3, '']] },
      { area: { row: 2, column: 1, rowCount: 1, columnCount: 1 }, cells: [['OK']] },
    ]);
  });

  it('empties what it has no value for', () => {
    const row = [A, 1, true, 2, 'Queued (1)', AT];
    const { writes } = planned(PLAIN, [row], new Map([[2, resultFor(A, [['profit', 4]])]]));
    expect(writes.map(({ cells }) => cells)).toEqual([[[4, '', '', '', '']]]);
  });
});

describe('a row between two with results', () => {
  it('is written back in all columns, its status among them', () => {
    expect(rowsWritten([B, 3, 'n', 7, `OK ${B} US`, AT])).toEqual([
      [2, 2, 3],
      [4, 2, 3],
    ]);
    const rows = [queued(A), [B, 3, 'n', 7, `OK ${B} US`, AT], queued(C)];
    const results = new Map([
      [2, done(A)],
      [4, done(C)],
    ]);
    expect(planned(LAYOUT, rows, results).writes.map(({ cells }) => cells[1])).toEqual([
      [3],
      [7, `OK ${B} US`, AT],
    ]);
  });

  it.each([
    ['it cannot be written back in one of them', [B, 3, 'n', '', `OK ${B} US`, AT]],
    ['its status tells of no product', [B, 3, 'n', 7, 'Queued (1)', AT]],
    ['a run failed there', [B, 3, 'n', 7, `[not-found ${B} US]`, AT]],
    ['it has no time', [B, 3, 'n', 7, `OK ${B} US`, 'later']],
  ])('is left alone in all columns if %s', (_, between) => {
    expect(rowsWritten(between)).toEqual([
      [2, 2, 1],
      [2, 4, 1],
      [4, 2, 1],
      [4, 4, 1],
    ]);
  });

  it('is left alone in all columns if a formula stands in one of them', () => {
    const rows = [queued(A), [B, 3, 'n', 7, `OK ${B} US`, AT], queued(C)];
    const formulas = rows.map((row) => row.map(() => ''));
    formulas[1] = ['', '=1+2', '', '', '', ''];
    const results = new Map([
      [2, done(A)],
      [4, done(C)],
    ]);
    expect(places(planned(LAYOUT, rows, results, formulas)).map(([, row]) => row)).toEqual([
      ...[2, 4],
      ...[2, 4],
    ]);
  });

  it.each([
    [8, [[2, 2, 5, 10]]],
    [
      9,
      [
        [2, 2, 5, 1],
        [2, 12, 5, 1],
      ],
    ],
  ])('is one of at most eight: with %i, writes are at %j', (count, expected) => {
    const old = [B, 3, true, 7, `OK ${B} US`, AT];
    const rows = [
      [A, '', '', '', 'Queued (1)', ''],
      ...Array.from({ length: count }, () => old),
      [C, '', '', '', 'Queued (1)', ''],
    ];
    const results = new Map([
      [2, done(A)],
      [3 + count, done(C)],
    ]);
    expect(places(planned(PLAIN, rows, results))).toEqual(expected);
  });

  it('is not written before the first nor after the last of them', () => {
    const old = [B, 3, true, 7, `OK ${B} US`, AT];
    const rows = [old, [A, '', '', '', 'Queued (1)', ''], old, ['', '', '', '', '', ''], old];
    expect(places(planned(PLAIN, rows, new Map([[3, done(A)]])))).toEqual([[2, 3, 5, 1]]);
  });

  it('counts anew behind each result', () => {
    const old = [B, 3, true, 7, `OK ${B} US`, AT];
    const queue = (asin: string) => [asin, '', '', '', 'Queued (1)', ''];
    const six = Array.from({ length: 6 }, () => old);
    const rows = [queue(A), ...six, queue(C), ...six, queue(B)];
    const results = new Map([
      [2, done(A)],
      [9, done(C)],
      [16, done(B)],
    ]);
    expect(places(planned(PLAIN, rows, results))).toEqual([[2, 2, 5, 15]]);
  });
});

const FIGURES: readonly (readonly [ColumnKey, SheetCell])[] = [
  ['profit', 2],
  ['eligible', true],
  ['roi', 0.5],
  ['status', 'OK'],
  ['at', NOW],
];
const GIVEN = [2, true, 0.5, 'OK', NOW];

/** The one row that is written, hole for hole; null where a cell stays untouched. */
function rowAfter(there: readonly SheetCell[], cells = FIGURES, formulas: readonly string[] = []) {
  const row = [A, ...there];
  const own = row.map((_, at) => formulas[at - 1] ?? '');
  const plan = planned(PLAIN, [row], new Map([[2, resultFor(A, cells)]]), [own]);
  const line: (SheetCell | null)[] = there.map(() => null);
  for (const { area, cells: written } of plan.writes) {
    expect([area.row, area.rowCount, written.length]).toEqual([2, 1, 1]);
    expect(written[0]).toHaveLength(area.columnCount);
    written[0]?.forEach((cell, right) => {
      line[area.column - 2 + right] = cell;
    });
  }
  expect(plan.kept).toBe(line.filter((cell) => cell === null).length);
  return { line, pieces: plan.writes.map(({ area }) => [area.column, area.columnCount]) };
}

describe('a cell that somebody filled', () => {
  it.each<[string, readonly SheetCell[], readonly (SheetCell | null)[]]>([
    ['figures of an earlier run give way', [1, false, 7, 'Queued (1)', AT], GIVEN],
    ['our own words for what is not eligible, too', [1, 'needs approval', 7, '', AT], GIVEN],
    ['a text among figures stays', ['ask', true, 7, '', AT], [null, ...GIVEN.slice(1)]],
    ['a text where a flag belongs stays', [1, 'no', 7, '', AT], [2, null, 0.5, 'OK', NOW]],
    ['a number where a flag belongs stays', [1, 5, 7, '', AT], [2, null, 0.5, 'OK', NOW]],
    [
      'a text for a time stays, as all that stands in its row',
      [1, '', '', '', 'soon'],
      [...[null, true, 0.5], ...['OK, kept: Profit', null]],
    ],
    [
      'in a row without a time everything is theirs',
      [1, true, '', '', ''],
      [
        // What is to be written stands there already.
        ...[null, true, 0.5],
        ...['OK, kept: Profit', NOW],
      ],
    ],
    [
      'what a run has kept stays',
      [1, false, 7, `OK ${A} US, kept: Profit`, AT],
      [...[null, true, 0.5], ...['OK, kept: Profit', NOW]],
    ],
    [
      'what a run has kept in the row of another product gives way',
      [1, false, 7, `OK ${B} US, kept: Profit`, AT],
      GIVEN,
    ],
    ['the status is ours, whatever it says', [1, false, 7, 'mine', AT], GIVEN],
  ])('%s', (_, there, line) => {
    expect(rowAfter(there).line).toEqual(line);
  });

  it('is remembered only if the next run could take it for its own', () => {
    expect(rowAfter(['ask', 'no', 3, '', '']).line).toEqual([
      null,
      null,
      null,
      'OK, kept: ROI',
      NOW,
    ]);
  });

  it('is not remembered where the row gets no time: all in it is theirs then', () => {
    const failed: typeof FIGURES = [['status', '[not-found]']];
    expect(rowAfter([1, '', '', '', ''], failed).line).toEqual([null, '', '', '[not-found]', '']);
  });

  it('is remembered though the result says nothing of the status', () => {
    const figures = FIGURES.filter(([key]) => key !== 'status');
    expect(rowAfter([1, '', '', '', ''], figures).line).toEqual([
      ...[null, true, 0.5],
      ...['kept: Profit', NOW],
    ]);
  });

  it('is not touched where it is a formula, and not remembered: it is seen', () => {
    const { line, pieces } = rowAfter([1, '', 9, '', ''], FIGURES, [
      '=A1',
      '',
      '=A2',
      '',
      '=NOW()',
    ]);
    expect(line).toEqual([null, true, null, 'OK', null]);
    expect(pieces).toEqual([
      [3, 1],
      [5, 1],
    ]);
    // Nothing shows in it.
    expect(rowAfter(['', false, 7, '', AT], FIGURES, ['=""']).line).toEqual([
      null,
      ...GIVEN.slice(1),
    ]);
  });

  it('cuts the write of its row into pieces, not that of other rows', () => {
    const row = (asin: string, profit: SheetCell) => [asin, 1, true, profit, 'Queued (1)', AT];
    const rows = [row(A, 1), row(B, 'ask'), row(C, 1)];
    const results = new Map([A, B, C].map((asin, at) => [at + 2, resultFor(asin, FIGURES)]));
    const plan = planned(PLAIN, rows, results);
    expect(plan).toMatchObject({ kept: 1, rows: [2, 3, 4], missed: [] });
    expect(plan.writes).toEqual([
      { area: { row: 2, column: 2, rowCount: 1, columnCount: 5 }, cells: [GIVEN] },
      { area: { row: 3, column: 2, rowCount: 1, columnCount: 2 }, cells: [[2, true]] },
      { area: { row: 3, column: 5, rowCount: 1, columnCount: 2 }, cells: [['OK', NOW]] },
      { area: { row: 4, column: 2, rowCount: 1, columnCount: 5 }, cells: [GIVEN] },
    ]);
  });
});

describe('what came of a row', () => {
  const cellsOfRow = (product: SheetCell, market?: string) =>
    readRow(
      2,
      { product, market, status: '', statusFormula: '', at: '' },
      market === undefined ? RULE : { kind: 'cell', fallback: 'US' },
    );
  const analysis = {
    figures: { profit: 4.5, roi: null },
    extras: [],
    fetchedAtMs: 60_000,
  } as unknown as Analysis;
  const heldBy = ({ cells }: Result) => ({
    ...Object.fromEntries(cells),
    status: openly(cells.get('status')),
  });

  it('is its figures, the time of the answer, and a status that names its product', () => {
    const result = resultOf(cellsOfRow(A), { ok: true, analysis } as Answer, 90_000);
    expect(result.identity).toBe(`${A}|US`);
    expect(heldBy(result)).toMatchObject({
      ...{ profit: 4.5, roi: '', at: new Date(60_000) },
      status: `OK‹OK ${A} US›`,
    });
    expect(result.cells.has('change')).toBe(false);
  });

  it('brings along the news that there are', () => {
    const answer = { ok: true, analysis } as Answer;
    expect(resultOf(cellsOfRow(A), answer, 90_000, 'ROI fell').cells.get('change')).toBe(
      'ROI fell',
    );
  });

  it('is nothing but its failure and when it was tried', () => {
    const answer = { ok: false, failure: { kind: 'not-found' } } as Answer;
    const result = resultOf(cellsOfRow(A), answer, 90_000);
    expect(heldBy(result)).toMatchObject({
      ...{ profit: '', roi: '', at: '' },
      status: `Not found‹[not-found ${A} US 1970-01-01 00:01]›`,
    });
  });

  it('is a failure beside what was known last, with its own time', () => {
    const answer = { ok: false, failure: { kind: 'not-found' }, last: analysis } as Answer;
    expect(heldBy(resultOf(cellsOfRow(A), answer, 90_000))).toMatchObject({
      ...{ profit: 4.5, at: new Date(60_000) },
      status: `Not found‹[not-found ${A} US 1970-01-01 00:01]›`,
    });
  });

  it('names no product where the row names none', () => {
    const [mug, blank] = [cellsOfRow('a mug'), cellsOfRow('')];
    const failure = { kind: 'bad-asin', input: 'a mug', why: 'shape' };
    const failed = resultOf(mug, { ok: false, failure } as Answer, 90_000);
    expect(failed.identity).toBe('?a mug');
    expect(openly(failed.cells.get('status'))).toMatch(/‹\[bad-asin\]›$/);
    expect(resultOf(blank, { ok: true, analysis } as Answer, 0).cells.get('status')).toBe('');
  });

  it('empties all our columns in a row in which nothing stands', () => {
    const { identity, cells } = emptied(cellsOfRow(''));
    expect(identity).toBe('');
    expect(cells.get('at')).toBe('');
    expect(cells.has('profit') && cells.has('change') && cells.has('status')).toBe(true);
    expect(new Set(cells.values())).toEqual(new Set(['']));
  });
});
