// What changed between two runs, as it stands in the change log and in the marks: through the adapters, in the host.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChangeRule } from '../../src/schedules/changes';
import { MOMENT_WIDTH } from '../../src/table/output-columns';
import { ANN, type ChangesWorld, createChangesWorld } from './changes-world';

const LOG = 'Analysis changes';
const HEADERS = ['When', 'ASIN', 'Market', 'Figure', 'Before', 'After', 'Marked'];
const A = 'B07FZ8S74R|US';
/** All digits, as older books have them. */
const BOOK = '0123456789|UK';
const RULES: readonly ChangeRule[] = [
  { kind: 'no-longer-eligible' },
  { kind: 'fell-under', field: 'roi', bound: 0.2 },
];

let world: ChangesWorld;
beforeEach(async () => {
  world = await createChangesWorld();
});
afterEach(() => world.stop());

const many = (profit: number, count: number) =>
  Array.from(
    { length: count },
    (_, at) => [`B0${String(at).padStart(8, '0')}|US`, { profit }] as const,
  );
const logId = () => world.grid.sheets()[1]?.id ?? -1;
const lines = () =>
  world
    .cells()
    .slice(1)
    .map((row) => row.slice(1));

describe('the change log', () => {
  it('is a sheet of its own, made with the first change, with the figures as the sheet shows them', async () => {
    await world.know([
      [A, { profit: 5, roi: 0.25, eligible: true, rank_drops_30d: 4 }],
      [BOOK, { profit: 3 }],
    ]);
    expect((await world.hear([[BOOK, { profit: 3 }]])).changes).toBe(0);
    expect(world.tabs()).toEqual(['List']);
    const { changes } = await world.hear(
      [
        [A, { profit: 4.5, roi: 0.15, eligible: 'needs approval', rank_drops_30d: 4 }],
        [BOOK, { profit: 3.2 }],
      ],
      RULES,
    );
    expect(changes).toBe(4);
    expect(world.tabs()).toEqual(['List', LOG]);
    expect(world.cells()[0]).toEqual(HEADERS);
    expect(world.grid.frozenRows(logId())).toBe(1);
    expect(world.grid.columnWidth(logId(), 1)).toBeGreaterThanOrEqual(MOMENT_WIDTH);
    expect(lines()).toEqual([
      ['B07FZ8S74R', 'US', 'Profit', 5, 4.5, ''],
      ['B07FZ8S74R', 'US', 'ROI', 0.25, 0.15, 'ROI fell under 20%'],
      ['B07FZ8S74R', 'US', 'Eligible', true, 'needs approval', 'No longer eligible'],
      ['0123456789', 'UK', 'Profit', 3, 3.2, ''],
    ]);
    const area = { row: 2, column: 1, rowCount: 4, columnCount: 7 };
    const shown = world.grid.displayValues(logId(), area);
    expect(shown[0]?.[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    expect(shown.map((row) => row[5])).toEqual(['$4.50', '15.0%', 'needs approval', '£3.20']);
    expect(world.grid.selection().sheetId).toBe(0);
  });

  it('tells nothing of a product that was not known, and all of it of one that was, once', async () => {
    await world.know([[A, { profit: 5 }]]);
    await world.hear([
      [A, { profit: 6 }],
      [BOOK, { profit: 1 }],
    ]);
    expect(lines()).toEqual([['B07FZ8S74R', 'US', 'Profit', 5, 6, '']]);
    expect(
      (
        await world.hear([
          [A, { profit: 6 }],
          [BOOK, { profit: 1 }],
        ])
      ).changes,
    ).toBe(0);
    expect(lines()).toHaveLength(1);
  });

  it('compares with the last figure there was, however many answers came without it', async () => {
    await world.know([[A, { profit: 5, roi: 0.3, eligible: true, rank_drops_30d: 4 }]]);
    await world.hear([[A, { profit: 6, rank_drops_30d: 4 }]], RULES);
    await world.hear([[A, { profit: 6, rank_drops_30d: 4 }]], RULES);
    const before = lines().length;
    const { changes, marks } = await world.hear(
      [[A, { profit: 6, roi: 0.05, eligible: false, rank_drops_30d: 4 }]],
      RULES,
    );
    expect(changes).toBe(2);
    expect(lines().slice(0, lines().length - before)).toEqual([
      ['B07FZ8S74R', 'US', 'ROI', 0.3, 0.05, 'ROI fell under 20%'],
      ['B07FZ8S74R', 'US', 'Eligible', true, false, 'No longer eligible'],
    ]);
    expect(marks[0]).toMatch(/^No longer eligible; ROI fell under 20% · /);
  });

  it('tells once that a figure is gone, and nothing when it comes back as it was', async () => {
    await world.know([[A, { profit: 5, roi: 0.3 }]]);
    await world.hear([[A, { profit: 5 }]], RULES);
    expect(lines()).toEqual([['B07FZ8S74R', 'US', 'ROI', 0.3, '', '']]);
    await world.hear([[A, { profit: 5 }]], RULES);
    await world.hear([[A, { profit: 5, roi: 0.3 }]], RULES);
    expect(lines()).toHaveLength(1);
  });

  it('costs a run few property calls, however many products changed', async () => {
    await world.know(many(1, 100));
    await world.hear(many(2, 100));
    const { changes, propertyCalls } = await world.hear(many(3, 100));
    expect(changes).toBe(100);
    // One for what was known before and one for the log; the save between them is the run's, of two.
    expect(propertyCalls).toBe(4);
  });

  it('has the newest on top, and no more than 2,000 lines', async () => {
    await world.know(many(1, 1_500));
    await world.hear(many(2, 1_500));
    await world.hear(many(3, 700));
    expect(lines()).toHaveLength(2_000);
    expect(lines()[0]?.slice(2)).toEqual(['Profit', 2, 3, '']);
    expect(lines()[699]?.slice(2)).toEqual(['Profit', 2, 3, '']);
    expect(lines()[700]?.slice(2)).toEqual(['Profit', 1, 2, '']);
  });

  it('gives up the oldest lines wherever somebody has sorted them to', async () => {
    await world.know(many(1, 1_500));
    await world.hear(many(2, 1_500));
    await world.hear(many(3, 400));
    const sorted = world.cells().slice(1).reverse();
    world.grid.write(logId(), 2, 1, sorted);
    await world.hear(many(4, 200));
    const now = lines().map((row) => row[4]);
    expect(now).toHaveLength(2_000);
    expect([4, 3, 2].map((figure) => now.filter((one) => one === figure).length)).toEqual([
      200, 400, 1_400,
    ]);
  });

  it('has room for what a rule marked, however much changed', async () => {
    await world.know([[A, { eligible: true }], ...many(1, 2_100)]);
    const { changes } = await world.hear([[A, { eligible: false }], ...many(2, 2_100)], RULES);
    expect(changes).toBe(2_000);
    expect(lines().filter((row) => row[5] !== '')).toEqual([
      ['B07FZ8S74R', 'US', 'Eligible', true, false, 'No longer eligible'],
    ]);
  });

  it('leaves what somebody wrote below its lines or beside them', async () => {
    await world.know(many(1, 1_500));
    await world.hear(many(2, 1_500));
    world.grid.write(logId(), 2_200, 10, [['far below']]);
    world.grid.write(logId(), 2_300, 1, [['my list', 'of things']]);
    world.grid.write(logId(), 1_200, 9, [['look at this']]);
    await world.hear(many(3, 3));
    expect(world.cells().filter(([when]) => when instanceof Date)).toHaveLength(1_503);
    await world.hear(many(4, 1_000));
    expect(world.cells().flat()).toEqual(
      expect.arrayContaining(['far below', 'my list', 'of things', 'look at this']),
    );
    expect(world.cells().find((row) => row[8] === 'look at this')?.[0]).toBeInstanceOf(Date);
    // The oldest lines went, but for the one with a note.
    expect(world.cells().filter(([when]) => when instanceof Date)).toHaveLength(2_001);
  });

  it('is found under another name and below rows of somebody’s own', async () => {
    await world.know([[A, { profit: 5 }]]);
    await world.hear([[A, { profit: 6 }]]);
    world.grid.renameSheet(logId(), 'News');
    world.grid.insertRows(logId(), 1, 2);
    await world.hear([[A, { profit: 7 }]]);
    expect(world.tabs()).toEqual(['List', 'News']);
    expect(
      world
        .cells('News')
        .slice(2)
        .map((row) => row[5]),
    ).toEqual(['After', 7, 6]);
  });

  it('is made anew when it was deleted, or has lost its headers', async () => {
    await world.know([[A, { profit: 5 }]]);
    await world.hear([[A, { profit: 6 }]]);
    world.grid.deleteSheet(logId());
    await world.hear([[A, { profit: 7 }]]);
    expect(lines().map((row) => row[4])).toEqual([7]);
    world.grid.write(logId(), 1, 1, [['mine']]);
    await world.hear([[A, { profit: 8 }]]);
    expect(world.tabs()).toEqual(['List', LOG, `${LOG} 2`]);
  });

  it('leaves a sheet alone that somebody else called so, in whatever case', async () => {
    const own = world.grid.addSheet('ANALYSIS changes', 2);
    world.grid.write(own, 1, 1, [['When', 'What I did']]);
    await world.know([[A, { profit: 5 }]]);
    await world.hear([[A, { profit: 6 }]]);
    expect(world.cells('ANALYSIS changes')).toEqual([['When', 'What I did']]);
    expect(world.cells(`${LOG} 2`)[1]?.[5]).toBe(6);
  });

  it('is taken on in a copy, which does not remember it', async () => {
    const own = world.grid.addSheet(LOG, 2);
    world.grid.write(own, 1, 1, [HEADERS, ['', 'B0', 'US', 'Profit', 1, 2, '']]);
    await world.know([[A, { profit: 5 }]]);
    await world.hear([[A, { profit: 6 }]]);
    expect(lines().map((row) => row[4])).toEqual([6, 2]);
  });

  it('keeps the lines of two runs that end at the same moment', async () => {
    await world.know([
      [A, { profit: 5 }],
      [BOOK, { profit: 1 }],
    ]);
    await world.hear([[A, { profit: 6 }]]);
    const noted = await world.hearAtOnce([[A, { profit: 7 }]], [[BOOK, { profit: 2 }]]);
    expect(noted.map(({ changes }) => changes)).toEqual([1, 1]);
    expect([...lines()].map((row) => row[4]).sort()).toEqual([2, 6, 7]);
  });

  it('that is protected is told of, and the run keeps all else', async () => {
    await world.know([[A, { profit: 5, eligible: true }]]);
    await world.hear([[A, { profit: 6, eligible: true }]]);
    world.grid.protect({ sheetId: logId(), rectangle: null });
    const { changes, marked, marks, problem } = await world.hear(
      [[A, { profit: 7, eligible: false }]],
      RULES,
      ANN,
    );
    expect(changes).toBe(0);
    expect(problem).toMatchObject({ kind: 'run', why: 'log-protected', what: LOG });
    expect(marked).toEqual({ 'No longer eligible': 1 });
    expect(marks[0]).toMatch(/^No longer eligible · \d{1,2} [A-Z][a-z]{2} \d\d:\d\d$/);
    expect(lines()).toHaveLength(1);
  });
});
