// What a run does to a sheet in which others have formulas, texts and protection, and what becomes of its rows.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  choiceOf,
  granted,
  look,
  runAll,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 60);
const rows = (count: number) => LIST.slice(0, count).map((asin) => [asin, `note of ${asin}`]);

async function worldWith(sheet: Sheet): Promise<World> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
  return world;
}

describe('cells of the user', () => {
  it('are left alone where they stand in a column that the run writes', async () => {
    const sheet = sheetOf([['ASIN', 'Note', 'Profit'], ...rows(6)]);
    sheet.grid.write(sheet.id, 3, 3, [['my own']]);
    sheet.grid.write(sheet.id, 4, 3, [[{ formula: '=1+1' }]]);
    await worldWith(sheet);
    const end = await runAll(world);
    expect(end).toMatchObject({ state: 'finished', answered: 6, keptCells: 2 });
    expect(sheet.byHeader(3)).toMatchObject({
      Profit: 'my own',
      'Analysis status': `OK ${LIST[1]} US`,
    });
    expect(
      sheet.grid.formulas(sheet.id, { row: 4, column: 3, rowCount: 1, columnCount: 1 }),
    ).toEqual([['=1+1']]);
    expect(typeof sheet.byHeader(2).Profit).toBe('number');
  });

  it('stay in their column where it is full of them: figures get one of their own', async () => {
    const sheet = sheetOf([['ASIN', 'Profit'], ...LIST.slice(0, 5).map((asin, at) => [asin, at])]);
    await worldWith(sheet);
    await runAll(world);
    expect(sheet.values().map((row) => row[1])).toEqual(['Profit', 0, 1, 2, 3, 4]);
    expect(typeof sheet.byHeader(2)['Profit (analyzed)']).toBe('number');
  });

  it('and protected ones: the run is not started, in words', async () => {
    const sheet = sheetOf([['ASIN', 'Note'], ...rows(3)]);
    sheet.grid.protect({ sheetId: sheet.id, rectangle: null });
    const document = { ...sheet.document, editors: ['other@example.com'] };
    world = createWorld({ sandbox: SANDBOX, host: { documents: [document] } });
    await world.connect();
    const { failure } = await world.rpc('bulk.start', await choiceOf(world), 'other@example.com');
    expect(failure?.kind).toBe('protected');
    expect(sheet.values()[0]).toEqual(['ASIN', 'Note']);
  });
});

describe('where the list stands', () => {
  it('under a header in row 3, with what is above left as it is', async () => {
    const sheet = sheetOf([
      ['My list', ''],
      ['', ''],
      ['Note', 'ASIN'],
      ...rows(4).map(([a, n]) => [n ?? '', a ?? '']),
    ]);
    await worldWith(sheet);
    expect(await runAll(world)).toMatchObject({ answered: 4 });
    expect(sheet.byHeader(4, 3)['Analysis status']).toBe(`OK ${LIST[0]} US`);
    expect(sheet.values()[0]?.[0]).toBe('My list');
  });

  it('without a header: it gets a row of them', async () => {
    const sheet = sheetOf(LIST.slice(0, 4).map((asin) => [asin]));
    await worldWith(sheet);
    expect(await runAll(world)).toMatchObject({ rows: 4, answered: 4 });
    expect(sheet.byHeader(2)).toMatchObject({
      ASIN: LIST[0],
      'Analysis status': `OK ${LIST[0]} US`,
    });
  });

  it('nowhere: the nearest column is named', async () => {
    const sheet = sheetOf([
      ['Name', 'Price'],
      ['Cup', 3],
      ['Plate', 4],
    ]);
    await worldWith(sheet);
    expect(await look(world)).toMatchObject({ choice: null, nearest: { products: 0 } });
  });
});

describe('rows', () => {
  it('that name one product are all filled with one call', async () => {
    const asin = LIST[0] ?? '';
    const sheet = sheetOf([['ASIN'], [asin], [LIST[1] ?? ''], [asin]]);
    await worldWith(sheet);
    expect(await runAll(world)).toMatchObject({ calls: 2, answered: 2, cached: 1 });
    expect(sheet.byHeader(4).Profit).toBe(sheet.byHeader(2).Profit);
  });

  it('that name none say why, and the run goes on', async () => {
    const sheet = sheetOf([['ASIN'], ['no product'], [LIST[0] ?? '']]);
    await worldWith(sheet);
    const end = await runAll(world);
    expect(end).toMatchObject({
      answered: 1,
      failed: 1,
      failures: [{ kind: 'bad-asin', rows: 1 }],
    });
    expect(String(sheet.byHeader(2)['Analysis status'])).toMatch(/^Not analyzed: .*\[bad-asin\]$/);
  });

  it('that were deleted before their answer came are told with their product', async () => {
    const sheet = sheetOf([['ASIN'], ...LIST.slice(0, 20).map((asin) => [asin])]);
    let isDone = false;
    world = createWorld({
      sandbox: SANDBOX,
      host: {
        documents: [sheet.document],
        betweenCalls: ({ operation }) => {
          if (isDone || operation !== 'urlFetch.fetchAll') return [];
          isDone = true;
          return [{ do: 'deleteRows', sheetId: sheet.id, first: 2, count: 1 }];
        },
      },
    });
    await world.connect();
    const end = await runAll(world);
    expect(end).toMatchObject({
      state: 'finished',
      answered: 19,
      notPlaced: { count: 1, products: [{ asin: LIST[0], market: 'US' }] },
    });
  });
});

describe('a column that came between the check and the start', () => {
  it('does not lead the run into the wrong one', async () => {
    const sheet = sheetOf([['ASIN', 'Note'], ...rows(4)]);
    await worldWith(sheet);
    const choice = await choiceOf(world);
    sheet.grid.insertColumns(sheet.id, 1, 1);
    sheet.grid.write(sheet.id, 2, 1, [['mine']]);
    const { failure } = await world.rpc('bulk.start', choice);
    expect(failure?.kind).toBe('run');
    expect(sheet.values()[0]).toEqual(['', 'ASIN', 'Note']);
  });
});

describe('a sheet that is deleted', () => {
  it('ends the run in words', async () => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    await worldWith(sheet);
    const { jobId } = await startRun(world);
    sheet.grid.addSheet('Other', 1);
    sheet.grid.deleteSheet(sheet.id);
    const end = granted(await world.rpc('bulk.run', { jobId, lane: 0, maxMs: 60_000 }));
    expect(end).toMatchObject({
      againInMs: null,
      status: { state: 'stuck', problem: { kind: 'run' } },
    });
  });
});
