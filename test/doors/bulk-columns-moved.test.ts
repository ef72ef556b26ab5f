// Columns that move in the instant of a write: what was hit is put back by its title, or its cells are named.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Act } from '../../playground/host/sheet/acts';
import { choiceOf, granted, runOn, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(60, 80);
const noteOf = (asin: string) => `note of ${asin}`;
/** Older figures of the person's, which a time must not turn into dates. */
const priceOf = (asin: string) => asin.charCodeAt(5) + 0.5;

const list = (more: readonly (readonly string[])[] = []) =>
  sheetOf([
    ['Note', 'ASIN', 'Price', 'Remark'],
    ...LIST.map((asin) => [noteOf(asin), asin, priceOf(asin), `remark on ${asin}`]),
    ...more,
  ]);

/** These things are done just before the n-th write of cells: titles, marks, then results. */
const WRITES = { titles: 1, marks: 2, results: 3 };

async function meanwhile(sheet: Sheet, at: keyof typeof WRITES, ...acts: readonly Act[]) {
  let writes = 0;
  world = createWorld({
    sandbox: SANDBOX,
    host: {
      documents: [sheet.document],
      betweenCalls: ({ operation }) => {
        if (operation !== 'spreadsheet.write.setValues') return [];
        writes += 1;
        return writes === WRITES[at] ? acts : [];
      },
    },
  });
  await world.connect();
}

const insert = (sheet: Sheet, first: number): Act => ({
  ...{ do: 'insertColumns', sheetId: sheet.id, first, count: 1 },
});

const drag = (sheet: Sheet, column: number, to: number): readonly Act[] => {
  const from = { row: 1, column, rowCount: LIST.length + 1, columnCount: 1 };
  return [
    { do: 'cutPaste', sheetId: sheet.id, from, row: 1, column: to },
    { do: 'deleteColumns', sheetId: sheet.id, first: column, count: 1 },
  ];
};

const sort = (sheet: Sheet): Act => ({
  do: 'sort',
  sheetId: sheet.id,
  rectangle: { row: 2, column: 1, rowCount: LIST.length, columnCount: 14 },
  keys: [{ column: 3, ascending: false }],
});

/** Nothing but what belongs there, and nothing without a title. */
function expectWhole(sheet: Sheet): void {
  const [titles = [], ...rows] = sheet.values();
  for (const [down] of rows.entries()) {
    const { ASIN, Note, Price, Remark, ...own } = sheet.byHeader(down + 2);
    const asin = String(ASIN);
    expect([Note, Price, Remark]).toEqual([noteOf(asin), priceOf(asin), `remark on ${asin}`]);
    expect(own['Analysis status']).toBe(`OK ${asin} US`);
    expect([typeof own.Profit, typeof own.Fees]).toEqual(['number', 'number']);
  }
  const untitled = titles.flatMap((title, at) => (title === '' ? [at] : []));
  expect(rows.flatMap((row) => untitled.map((at) => row[at] ?? '')).join('')).toBe('');
  expect(titles.filter((title) => title === 'Analysis status')).toHaveLength(1);
}

async function runAll() {
  const started = await world.rpc('bulk.start', await choiceOf(world));
  return runOn(world, granted(started).jobId);
}

describe.each(['titles', 'marks', 'results'] as const)('before the %s are written', (at) => {
  it.each([1, 2, 3, 4])('a column may come in before column %i', async (first) => {
    const sheet = list();
    await meanwhile(sheet, at, insert(sheet, first));
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20, calls: 20 });
    expectWhole(sheet);
  });

  it.each([
    [1, 5],
    [4, 1],
  ])('column %i may be dragged to %i', async (column, to) => {
    const sheet = list();
    await meanwhile(
      sheet,
      at,
      insert(sheet, to),
      ...drag(sheet, column + (to <= column ? 1 : 0), to),
    );
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20, calls: 20 });
    expectWhole(sheet);
  });

  it('a header may be renamed', async () => {
    const sheet = list();
    const edit = {
      do: 'edit',
      sheetId: sheet.id,
      row: 1,
      column: 2,
      contents: [['Code']],
    } as const;
    await meanwhile(sheet, at, edit);
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20, calls: 20 });
    expect(sheet.values()[0]?.slice(0, 4)).toEqual(['Note', 'Code', 'Price', 'Remark']);
    expect(sheet.values()[0]).toHaveLength(11);
  });
});

it('numbers that times were written over are numbers again', async () => {
  const own = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status'];
  const sheet = sheetOf([
    ['Note', 'ASIN', 'Price', 'Remark', ...own, 'Analyzed at', 'Mine'],
    ...LIST.map((asin, at) => [
      ...[noteOf(asin), asin, priceOf(asin), `remark on ${asin}`],
      ...Array<string>(7).fill(''),
      at + 0.5,
    ]),
  ]);
  // Without titles to be written the second write is that of results; the times meet "Mine".
  await meanwhile(sheet, 'marks', ...drag(sheet, 1, 13));
  expect(await runAll()).toMatchObject({ state: 'finished', answered: 20, calls: 20 });
  expectWhole(sheet);
  const mine = LIST.map((_, at) => sheet.byHeader(at + 2).Mine);
  expect(mine).toEqual(LIST.map((_, at) => at + 0.5));
});

describe('cells that cannot be put back', () => {
  const told = (cells: string) => ({
    kind: 'run',
    message: expect.stringMatching(
      new RegExp(`^Columns were moved while ${cells} were written, and not everything could`),
    ),
  });

  it('because rows moved as well: they are named, and nobody goes on by himself', async () => {
    const sheet = list();
    await meanwhile(sheet, 'results', insert(sheet, 1), sort(sheet));
    const { jobId, ...end } = await runAll();
    expect(end).toMatchObject({ state: 'stuck', problem: told('E\\d+:K\\d+') });
    granted(await world.rpc('bulk.resume', { jobId }));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished' });
  });

  it('because there were formulas: they are named, and what they showed is there', async () => {
    const sheet = list();
    const formulas = LIST.map((_, at) => [{ formula: `=C${at + 2}*2` }]);
    sheet.grid.write(sheet.id, 2, 4, formulas);
    await meanwhile(sheet, 'results', insert(sheet, 1));
    expect(await runAll()).toMatchObject({ state: 'stuck', problem: told('E\\d+:E\\d+') });
  });

  it('because the column that came in has a title: they are named', async () => {
    const sheet = list();
    const edit = {
      do: 'edit',
      sheetId: sheet.id,
      row: 1,
      column: 5,
      contents: [['Mine']],
    } as const;
    await meanwhile(sheet, 'results', insert(sheet, 5), edit);
    expect(await runAll()).toMatchObject({ state: 'stuck', problem: told('E\\d+:E\\d+') });
  });

  it('because titles met rows and columns that moved: the start says so', async () => {
    const sheet = list();
    const rows = { do: 'insertRows', sheetId: sheet.id, first: 1, count: 1 } as const;
    await meanwhile(sheet, 'titles', insert(sheet, 1), rows);
    const { failure } = await world.rpc('bulk.start', await choiceOf(world));
    expect(failure).toMatchObject(told('E1:K1'));
  });
});
