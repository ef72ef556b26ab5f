// What is somebody's own in the sheet of a run: formulas, texts, protection, data validation, merged cells.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { NewProtection } from 'apps-script-host/sheet/marks';
import type { CellValue } from 'apps-script-host/sheet/model';
import {
  check,
  choiceOf,
  granted,
  look,
  runAll,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import { history, pass, schedule, shownNow, worldWith } from '../doors/schedule-list';
import { createWorld, type World } from '../doors/world';
import { okCell, openly, statusCell } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 60);

// What a run does to a sheet in which others have formulas, texts and protection, and what becomes of its rows.
describe('what others have in the sheet', () => {
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
        'Analysis status': okCell(LIST[1]),
      });
      expect(
        sheet.grid.formulas(sheet.id, { row: 4, column: 3, rowCount: 1, columnCount: 1 }),
      ).toEqual([['=1+1']]);
      expect(typeof sheet.byHeader(2).Profit).toBe('number');
    });

    it('stay in their column where it is full of them: figures get one of their own', async () => {
      const sheet = sheetOf([
        ['ASIN', 'Profit'],
        ...LIST.slice(0, 5).map((asin, at) => [asin, at]),
      ]);
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
      expect(sheet.byHeader(4, 3)['Analysis status']).toBe(okCell(LIST[0]));
      expect(sheet.values()[0]?.[0]).toBe('My list');
    });

    it('without a header: it gets a row of them', async () => {
      const sheet = sheetOf(LIST.slice(0, 4).map((asin) => [asin]));
      await worldWith(sheet);
      expect(await runAll(world)).toMatchObject({ rows: 4, answered: 4 });
      expect(sheet.byHeader(2)).toMatchObject({
        ASIN: LIST[0],
        'Analysis status': okCell(LIST[0]),
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
      expect(openly(sheet.byHeader(2)['Analysis status'])).toBe('Not an ASIN‹[bad-asin]›');
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
      const { runId } = await startRun(world);
      sheet.grid.addSheet('Other', 1);
      sheet.grid.deleteSheet(sheet.id);
      const end = granted(await world.rpc('bulk.run', { runId, worker: 0, maxMs: 60_000 }));
      expect(end).toMatchObject({
        againInMs: null,
        status: { state: 'stuck', problem: { kind: 'run' } },
      });
    });
  });
});

// What somebody wrote in the columns of a run: it is theirs in the first run and in every one after it.
describe('what somebody wrote in the columns of a run', () => {
  const LIST = US_ASINS.slice(30, 40);

  const DAY = new Date(Date.UTC(2026, 0, 5));

  const listWith = (title: string, cells: readonly CellValue[]): Sheet =>
    sheetOf([['ASIN', title], ...LIST.map((asin, at) => [asin, cells[at] ?? ''])]);

  describe('what somebody wrote in a column of figures', () => {
    it.each<[string, CellValue]>([
      ['Profit', 'my own'],
      ['Profit', 4.5],
      ['Profit', true],
      ['Eligible', 'asked them'],
    ])('%s %p: stays in a second run and a third', async (title, own) => {
      const sheet = listWith(title, ['', own]);
      world = await worldWith(sheet);
      for (let run = 0; run < 3; run += 1) {
        expect(await runAll(world)).toMatchObject({ state: 'finished', failed: 0, keptCells: 1 });
        expect(sheet.byHeader(3)[title]).toBe(own);
      }
      expect(String(sheet.byHeader(3)['Analysis status'])).toContain(okCell(LIST[1]));
      expect(sheet.byHeader(2)['Analysis status']).toBe(okCell(LIST[0]));
    });

    it('is told beside the status, for as long as it stands there', async () => {
      const sheet = listWith('Profit', ['', 4.5]);
      world = await worldWith(sheet);
      await runAll(world);
      expect(sheet.byHeader(3)['Analysis status']).toBe(`${okCell(LIST[1])}, kept: Profit`);
      sheet.grid.write(sheet.id, 3, 2, [['']]);
      expect(await runAll(world)).toMatchObject({ keptCells: 0 });
      expect(sheet.byHeader(3)).toMatchObject({
        'Analysis status': okCell(LIST[1]),
        Profit: expect.any(Number),
      });
    });

    it('stays through a run that was stopped, and goes where its row goes', async () => {
      const sheet = listWith('Profit', ['', 4.5]);
      world = await worldWith(sheet);
      await runAll(world);
      const { runId } = await startRun(world);
      expect(sheet.byHeader(3)['Analysis status']).toBe(
        `${statusCell('Waiting', `Queued (${runId}), before: OK ${LIST[1]} US`)}, kept: Profit`,
      );
      granted(await world.rpc('bulk.stop', { runId }));
      expect(sheet.byHeader(3)['Analysis status']).toBe(`${okCell(LIST[1])}, kept: Profit`);
      sheet.grid.insertRows(sheet.id, 2, 1);
      expect(await runAll(world)).toMatchObject({ keptCells: 1 });
      expect(sheet.byHeader(4).Profit).toBe(4.5);
    });

    it('typed over a figure between two runs: a note is theirs', async () => {
      const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
      world = await worldWith(sheet);
      await runAll(world);
      sheet.grid.write(sheet.id, 3, 2, [['too bulky, skip']]);
      expect(await runAll(world)).toMatchObject({ keptCells: 1 });
      expect(sheet.byHeader(3).Profit).toBe('too bulky, skip');
    });

    it('stays night after night', async () => {
      const sheet = listWith('Profit', ['', 4.5]);
      world = await worldWith(sheet);
      await schedule(world);
      for (let night = 0; night < 3; night += 1) {
        await pass(world, 24);
        expect(sheet.byHeader(3).Profit).toBe(4.5);
      }
      expect(world.service().arrived).toBe(3 * LIST.length);
    });
  });

  describe('a column of somebody’s own dates that is called as ours', () => {
    const dated = (dates: number) =>
      sheetOf([
        ['ASIN', 'Analyzed at', 'ROI'],
        ...LIST.map((asin, at) => [asin, at < dates ? DAY : '', `mine ${at}`]),
      ]);

    it.each([LIST.length, 1])(
      '%i of 10 filled: makes no figure ours, nor itself',
      async (dates) => {
        const sheet = dated(dates);
        world = await worldWith(sheet);
        const own = () => sheet.values().map((row) => row.slice(0, 3).map(String));
        const before = own();
        expect((await check(world)).added).toEqual(
          expect.arrayContaining(['ROI (analyzed)', 'Analysis status', 'Analyzed at (analyzed)']),
        );
        for (let run = 0; run < 2; run += 1) {
          expect(await runAll(world)).toMatchObject({ failed: 0, keptCells: 0 });
          expect(own()).toEqual(before);
        }
        expect(sheet.values()[0]).toHaveLength(3 + 7);
      },
    );
  });
});

// Runs of a person who may not edit all of the sheet: told before anything is written.
describe('a sheet that is protected', () => {
  const HELPER = 'helper@example.com';

  const PROTECTED = 'These cells are protected.';

  const list = () =>
    sheetOf([['ASIN', 'Note', 'Profit'], ...LIST.map((asin) => [asin, `note of ${asin}`])]);

  const area = (row: number, column: number, rowCount: number, columnCount: number) => ({
    row,
    column,
    rowCount,
    columnCount,
  });

  async function worldWith(
    sheet: Sheet,
    ...protections: readonly Omit<NewProtection, 'sheetId'>[]
  ) {
    for (const one of protections) sheet.grid.protect({ sheetId: sheet.id, ...one });
    let waves = 0;
    const later: NewProtection[] = [];
    const document = { ...sheet.document, editors: [HELPER] };
    world = createWorld({
      sandbox: SANDBOX,
      host: {
        documents: [document],
        betweenCalls: ({ operation }) => {
          waves += operation === 'urlFetch.fetchAll' ? 1 : 0;
          return waves === 3
            ? later.splice(0).map((one) => ({ do: 'protect' as const, ...one }))
            : [];
        },
      },
    });
    await world.connect();
    return later;
  }

  const asHelper = (method: string, payload: object = {}) => world.rpc(method, payload, HELPER);

  const choice = async () => granted(await asHelper('bulk.look')).choice as object;

  const runOnce = async (runId: unknown) =>
    granted(await asHelper('bulk.run', { runId, worker: 0, maxMs: 300_000 })).status as object;

  describe('protected against who runs it', () => {
    it.each<[string, Omit<NewProtection, 'sheetId'>]>([
      ['the whole sheet', { rectangle: null }],
      ['a column that is written', { rectangle: area(1, 3, 1_000, 1) }],
      ['some rows', { rectangle: area(10, 1, 3, 26) }],
      ['the header', { rectangle: area(1, 1, 1, 26) }],
      ['where new columns go', { rectangle: area(1, 6, 1_000, 1) }],
    ])('%s: the check says so, a start changes nothing', async (_what, protection) => {
      const sheet = list();
      await worldWith(sheet, protection);
      const before = sheet.values();
      const wish = await choice();
      const checked = granted(await asHelper('bulk.preflight', wish));
      expect(checked).toMatchObject({
        rows: 30,
        problem: { kind: 'protected', message: PROTECTED },
      });
      expect((await asHelper('bulk.start', wish)).failure?.message).toBe(PROTECTED);
      expect(sheet.values()).toEqual(before);
      expect(granted(await asHelper('bulk.look'))).toMatchObject({ run: null });
      expect(world.service().arrived).toBe(0);
    });

    it.each<[string, Omit<NewProtection, 'sheetId'>]>([
      ['only the products', { rectangle: area(1, 1, 1_000, 2) }],
      ['all but the columns of the run', { rectangle: null, unprotected: [area(1, 3, 1_000, 24)] }],
      ['what only warns', { rectangle: null, isWarningOnly: true }],
      ['what this person may edit', { rectangle: null, editors: [HELPER] }],
    ])('%s: the run is made', async (_what, protection) => {
      const sheet = list();
      await worldWith(sheet, protection);
      const wish = await choice();
      expect(granted(await asHelper('bulk.preflight', wish))).not.toHaveProperty('problem');
      const { runId } = granted(await asHelper('bulk.start', wish));
      expect(await runOnce(runId)).toMatchObject({ state: 'finished', answered: 30 });
    });
  });

  describe('rows that are protected while the run is at work', () => {
    it('hold it up in words; once they are open it goes on and asks nothing twice', async () => {
      const sheet = list();
      const later = await worldWith(sheet);
      const { runId } = granted(await asHelper('bulk.start', await choice()));
      later.push({ sheetId: sheet.id, rectangle: area(10, 1, 3, 26) });
      expect(await runOnce(runId)).toMatchObject({
        state: 'stuck',
        problem: { kind: 'protected', message: PROTECTED },
      });
      const { arrived } = world.service();
      const [protection] = sheet.grid.protections(sheet.id);
      sheet.grid.unprotect(sheet.id, protection?.id ?? 0);
      granted(await asHelper('bulk.resume', { runId }));
      expect(await runOnce(runId)).toMatchObject({ state: 'finished', left: 0, failed: 0 });
      expect(arrived).toBe(30);
      expect(world.service().arrived).toBe(30);
      const rows = sheet.values().slice(1);
      expect(rows.map((row) => row[7])).toEqual(LIST.map((asin) => okCell(asin)));
    });
  });
});

// Data validation that rejects what a run writes: told in words, and nothing is paid for twice.
describe('data validation', () => {
  const LIST = US_ASINS.slice(700, 800);

  /** A list with this dropdown over some of its cells. */
  function listWith(
    titles: readonly string[],
    rows: { readonly row: number; readonly column: number; readonly rowCount: number },
  ): Sheet {
    const at = titles.indexOf('ASIN');
    const lines = LIST.map((asin) => titles.map((_, column) => (column === at ? asin : '')));
    const sheet = sheetOf([titles, ...lines]);
    const options = ['buy', 'leave'];
    sheet.grid.setDropdowns(sheet.id, [{ rectangle: { ...rows, columnCount: 1 }, options }]);
    return sheet;
  }

  const statusOf = (sheet: Sheet, row: number) => String(sheet.byHeader(row)['Analysis status']);

  describe('a run', () => {
    it.each<[string, readonly string[]]>([
      ['in columns side by side', ['ASIN', 'Eligible']],
      ['in columns apart', ['Eligible', 'ASIN', 'Profit', 'Note', 'ROI']],
    ])('goes on beside the one cell, whose row says why, %s', async (_what, titles) => {
      const column = titles.indexOf('Eligible') + 1;
      const sheet = listWith(titles, { row: 12, column, rowCount: 1 });
      world = await worldWith(sheet);
      const end = await runAll(world);
      expect(end).toMatchObject({
        ...{ state: 'finished', answered: 99, failed: 1, calls: 100, keptCells: 0 },
        failures: [{ kind: 'run', rows: 1 }],
      });
      expect(statusOf(sheet, 12)).toMatch(/^Blocked by data validation/);
      expect(sheet.byHeader(12)).toMatchObject({ Eligible: '', Profit: '', 'Analyzed at': '' });
      const others = LIST.map((_, at) => statusOf(sheet, at + 2)).filter((_, at) => at !== 10);
      expect(others.filter((text) => !/^OK/.test(text))).toEqual([]);
      sheet.grid.setDropdowns(sheet.id, []);
      const again = await runAll(world, { rows: { kind: 'failed' } });
      expect(again).toMatchObject({ state: 'finished', rows: 1, cached: 1, calls: 0 });
      expect(statusOf(sheet, 12)).toMatch(/^OK/);
    });

    it('is stuck where many are rejected, and asks nothing twice when it goes on', async () => {
      const sheet = listWith(['ASIN', 'Eligible'], { row: 2, column: 2, rowCount: 100 });
      world = await worldWith(sheet);
      const { runId } = await startRun(world);
      const stuck = await runOn(world, runId);
      expect(stuck).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
      expect((stuck.problem as { message: string }).message).toMatch(/^Data validation blocks/);
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'stuck' });
      sheet.grid.setDropdowns(sheet.id, []);
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished', failed: 0 });
      expect(world.service().arrived).toBe(100);
    });

    it('is not started where its marks are rejected', async () => {
      const titles = ['ASIN', 'Analysis status'];
      const sheet = listWith(titles, { row: 2, column: 2, rowCount: 100 });
      world = await worldWith(sheet);
      const choice = granted(await world.rpc('bulk.look')).choice as object;
      const { failure } = await world.rpc('bulk.start', choice);
      expect(failure?.message).toContain('blocks B2');
      expect(world.service().arrived).toBe(0);
    });
  });

  describe('a schedule', () => {
    it('asks no product twice within its age, and says what is wrong', async () => {
      const sheet = listWith(['ASIN', 'Eligible'], { row: 2, column: 2, rowCount: 100 });
      world = await worldWith(sheet);
      await schedule(world, 's1', {}, { recurrence: { kind: 'hourly' }, maxAgeHours: 20 });
      await pass(world, 40);
      expect(world.service().arrived).toBeLessThanOrEqual(200);
      expect((await history(world)).length).toBeGreaterThan(0);
      expect((await shownNow(world)).problem?.message).toMatch(/^Data validation blocks/);
    });
  });
});

// A run over a sheet in which cells are merged: nothing lands in a cell that is not its own.
describe('merged cells', () => {
  const LIST = US_ASINS.slice(30, 36);

  const noted = LIST.map((asin) => [asin, `note of ${asin}`]);

  interface Merge {
    readonly row: number;
    readonly column: number;
    readonly rowCount: number;
    readonly columnCount: number;
  }

  async function worldWith(sheet: Sheet, ...merges: readonly Merge[]): Promise<void> {
    for (const merge of merges) sheet.grid.merge(sheet.id, merge);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
  }

  describe('merged cells in a column that the run writes', () => {
    it('leave their rows out, which the check tells, and the others are run', async () => {
      const sheet = sheetOf([['ASIN', 'Note', 'Profit', 'Analysis status'], ...noted]);
      await worldWith(sheet, { row: 3, column: 3, rowCount: 2, columnCount: 2 });
      const rows = [3, 4].map((row) => ({ row, shown: LIST[row - 2], isMerged: true }));
      expect(await check(world)).toMatchObject({ products: 4, calls: 4, kept: { count: 2, rows } });
      expect(await runAll(world)).toMatchObject({ state: 'finished', rows: 4, answered: 4 });
      const written = sheet.values().map((row) => row[3]);
      expect(written.slice(2, 4)).toEqual(['', '']);
      expect(written.slice(4)).toEqual(LIST.slice(3).map((asin) => okCell(asin)));
    });

    it('together with a note beside it: the note stays, whatever is run around it', async () => {
      const sheet = sheetOf([['ASIN', 'Note', 'Profit'], ...noted]);
      await worldWith(sheet);
      await runAll(world);
      sheet.grid.merge(sheet.id, { row: 4, column: 2, rowCount: 1, columnCount: 2 });
      await runAll(world);
      expect(sheet.values().map((row) => row[1])).toEqual([
        'Note',
        ...noted.map(([, note]) => note),
      ]);
      expect(typeof sheet.byHeader(5).Profit).toBe('number');
    });
  });

  describe('merged cells elsewhere', () => {
    it('in the product column: the rows without a product of their own are not in the list', async () => {
      const sheet = sheetOf([['ASIN', 'Note'], ...noted]);
      await worldWith(sheet, { row: 3, column: 1, rowCount: 2, columnCount: 1 });
      expect(await check(world)).toMatchObject({ rows: 5, calls: 5, kept: { count: 0 } });
      expect(await runAll(world)).toMatchObject({ answered: 5 });
      expect(sheet.byHeader(3)['Analysis status']).toBe(okCell(LIST[1]));
      expect(sheet.byHeader(4)['Analysis status']).toBe('');
    });

    it('in the header: new columns begin beside them', async () => {
      const sheet = sheetOf([['ASIN', 'Figures', '', ''], ...LIST.map((asin) => [asin])]);
      await worldWith(sheet, { row: 1, column: 2, rowCount: 1, columnCount: 3 });
      expect(await runAll(world)).toMatchObject({ answered: 6 });
      expect(sheet.values()[0]?.slice(0, 6)).toEqual(['ASIN', 'Figures', '', '', 'Profit', 'ROI']);
    });

    it('in a title above a header in row 3, all of it frozen: nothing changes there', async () => {
      const sheet = sheetOf([['My list of March'], [], ['ASIN', 'Note', 'Profit'], ...noted]);
      sheet.grid.setFrozenRows(sheet.id, 3);
      await worldWith(sheet, { row: 1, column: 1, rowCount: 1, columnCount: 12 });
      expect(await runAll(world)).toMatchObject({ answered: 6 });
      expect(sheet.values()[0]).toEqual(['My list of March', ...Array(8).fill('')]);
      expect(sheet.values()[2]?.slice(0, 4)).toEqual(['ASIN', 'Note', 'Profit', 'ROI']);
      expect(sheet.grid.frozenRows(sheet.id)).toBe(3);
    });

    it('over groups of columns, with the titles in the row below: those are found', async () => {
      const groups = ['Product', '', 'Money', ''];
      const sheet = sheetOf([groups, ['ASIN', 'Note', 'Profit', 'ROI'], ...noted]);
      const pair = { row: 1, rowCount: 1, columnCount: 2 };
      await worldWith(sheet, { ...pair, column: 1 }, { ...pair, column: 3 });
      expect(await runAll(world)).toMatchObject({ answered: 6 });
      expect(sheet.values()[0]?.slice(0, 5)).toEqual([...groups, '']);
      expect(sheet.byHeader(3, 2)).toMatchObject({ 'Analysis status': okCell(LIST[0]) });
      expect(typeof sheet.byHeader(3, 2).ROI).toBe('number');
    });
  });
});
