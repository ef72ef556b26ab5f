// What people move and change under a run: columns, rows, cells, statuses, and the name of the sheet.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Act } from 'apps-script-host/sheet/acts';
import {
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
  worldMovedBy,
} from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';
import { okCell } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 60);

const list = () => sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, `note of ${asin}`])]);

async function meanwhile(sheet: Sheet, ...acts: readonly Act[]): Promise<void> {
  world = await worldMovedBy(sheet, acts);
}

// What people change in the sheet while a run is at work: its name, its headers, where its columns stand.
describe('what people change', () => {
  /** Each product's row holds its own figures, below the header. */
  function expectAllInPlace(sheet: Sheet, productColumn = 1): void {
    const rows = sheet.values().slice(1);
    const products = rows.map((row) => row[productColumn - 1]);
    expect(products).toEqual(LIST);
    expect(rows.map((row) => row[7])).toEqual(LIST.map((asin) => okCell(asin)));
    expect(rows.map((row) => row[1])).toEqual(LIST.map((asin) => `note of ${asin}`));
  }

  describe('the sheet', () => {
    it('may be renamed', async () => {
      const sheet = list();
      await meanwhile(sheet, { do: 'renameSheet', sheetId: sheet.id, name: 'Another name' });
      expect(await runAll(world)).toMatchObject({ state: 'finished', answered: 30, calls: 30 });
      expectAllInPlace(sheet);
    });

    it('when deleted ends the run in words, and a new one can be started elsewhere', async () => {
      const sheet = list();
      const other = sheet.grid.addSheet('Other', 2);
      sheet.grid.write(other, 1, 1, [['ASIN'], [LIST[0] ?? '']]);
      await meanwhile(sheet, { do: 'deleteSheet', sheetId: sheet.id });
      const { runId, ...end } = await runAll(world);
      const message = 'The sheet was deleted. Undo that to continue, or stop the run.';
      expect(end).toMatchObject({ state: 'stuck', problem: { kind: 'run', message } });
      granted(await world.rpc('bulk.stop', { runId }));
      expect(await look(world)).toMatchObject({ sheet: { id: other }, run: null });
      expect(await runAll(world)).toMatchObject({ state: 'finished', cached: 1, calls: 0 });
    });

    it('may lose all rows below the list and part of it: what went is told', async () => {
      const sheet = list();
      const { maxRows } = sheet.grid.size(sheet.id);
      const [first, count] = [12, maxRows - 11];
      await meanwhile(sheet, { do: 'deleteRows', sheetId: sheet.id, first, count });
      const end = await runAll(world);
      expect(end).toMatchObject({ state: 'finished', answered: 10, notPlaced: { count: 20 } });
      expect(sheet.values().map((row) => row[7])).toEqual([
        'Analysis status',
        ...LIST.slice(0, 10).map((asin) => okCell(asin)),
      ]);
    });
  });

  describe('a header', () => {
    const rename = (sheet: Sheet, column: number, title: string): Act => ({
      do: 'edit',
      sheetId: sheet.id,
      row: 1,
      column,
      contents: [[title]],
    });

    it.each([
      ['of the products', 1],
      ['of a figure', 4],
      ['of the status', 8],
    ])('%s may be renamed', async (_which, column) => {
      const sheet = list();
      await meanwhile(sheet, rename(sheet, column, 'Mine'));
      expect(await runAll(world)).toMatchObject({ state: 'finished', answered: 30, calls: 30 });
      expectAllInPlace(sheet);
      expect(sheet.values()[0]?.[column - 1]).toBe('Mine');
    });

    it('that was renamed is not looked for in a column of the user that has its old name', async () => {
      const sheet = sheetOf([['ASIN', 'Note', 'ROI'], ...LIST.map((asin) => [asin])]);
      sheet.grid.write(sheet.id, 1, 20, [['ROI'], ...LIST.map(() => ['my own'])]);
      await meanwhile(sheet, rename(sheet, 3, 'Mine'));
      expect(await runAll(world)).toMatchObject({ answered: 30, keptCells: 0 });
      expect(typeof sheet.byHeader(2).Mine).toBe('number');
      expect(sheet.byHeader(2).ROI).toBe('my own');
    });
  });

  describe('a column', () => {
    it.each([12, 25])('of products may be cut and pasted into column %i', async (column) => {
      const sheet = list();
      const from = { row: 1, column: 1, rowCount: 31, columnCount: 1 };
      await meanwhile(sheet, { do: 'cutPaste', sheetId: sheet.id, from, row: 1, column });
      const end = await runAll(world);
      expect(end).toMatchObject({ state: 'finished', answered: 30, notPlaced: { count: 0 } });
      expectAllInPlace(sheet, column);
    });

    it('of products that is deleted holds the run up until that is undone', async () => {
      const sheet = list();
      await meanwhile(sheet, { do: 'deleteColumns', sheetId: sheet.id, first: 1, count: 1 });
      const { runId } = await startRun(world);
      const stuck = await runOn(world, runId);
      expect(stuck).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
      expect(JSON.stringify(stuck.problem)).toContain('The column \\"ASIN\\" is no longer');
      world.host.act({ do: 'undo' });
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished', left: 0, failed: 0 });
      expectAllInPlace(sheet);
      expect(world.service().arrived).toBe(30);
    });
  });
});

// Columns that move in the instant of a write: what was hit is put back by its title, or its cells are named.
describe('columns that move', () => {
  const LIST = US_ASINS.slice(60, 80);

  const HELPER = 'helper@example.com';

  const noteOf = (asin: string) => `note of ${asin}`;

  /** Older figures of the person's, which a time must not turn into dates. */
  const priceOf = (asin: string) => asin.charCodeAt(5) + 0.5;

  /** Their stock number, a text that would lose its zeros if it were typed again. */
  const remarkOf = (asin: string) => `00${asin.charCodeAt(5)}`;

  const list = (more: readonly (readonly string[])[] = []) =>
    sheetOf([
      ['Note', 'ASIN', 'Price', 'Remark'],
      ...LIST.map((asin) => [noteOf(asin), asin, priceOf(asin), remarkOf(asin)]),
      ...more,
    ]);

  /** These things are done just before the n-th write of cells: titles, marks, results, and what is put back then. */
  const WRITES = { titles: 1, marks: 2, results: 3, 'put back': 4, 'put back last': 10 };

  /** Of each write of cells, which call of its execution it is. */
  let callOfWrites: number[] = [];

  /** Or before the first formats, or before those that figures get which were met by dates. */
  type Doings = Partial<
    Readonly<Record<keyof typeof WRITES | 'formats' | 'undated', readonly Act[]>>
  >;

  async function atWrites(sheet: Sheet, doings: Doings): Promise<void> {
    let [writes, formats, undated] = [0, 0, 0];
    callOfWrites = [];
    world = createWorld({
      sandbox: SANDBOX,
      host: {
        documents: [{ ...sheet.document, editors: [HELPER] }],
        betweenCalls: ({ operation, number }) => {
          if (operation === 'spreadsheet.write.setNumberFormats') {
            formats += 1;
            if (writes >= WRITES.results) undated += 1;
            if (formats === 1) return doings.formats ?? [];
            // Some have their format by then, and others not.
            return undated === 3 ? (doings.undated ?? []) : [];
          }
          if (operation !== 'spreadsheet.write.setValues') return [];
          writes += 1;
          callOfWrites.push(number);
          const at = Object.entries(WRITES).find(([, number]) => number === writes)?.[0];
          return doings[at as keyof typeof WRITES] ?? [];
        },
      },
    });
    await world.connect();
  }

  const meanwhile = (sheet: Sheet, at: keyof Doings, ...acts: readonly Act[]) =>
    atWrites(sheet, { [at]: acts });

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
      expect([Note, Price, Remark]).toEqual([noteOf(asin), priceOf(asin), remarkOf(asin)]);
      expect(own['Analysis status']).toBe(okCell(asin));
      expect([typeof own.Profit, typeof own.Fees]).toEqual(['number', 'number']);
    }
    const untitled = titles.flatMap((title, at) => (title === '' ? [at] : []));
    expect(rows.flatMap((row) => untitled.map((at) => row[at] ?? '')).join('')).toBe('');
    expect(titles.filter((title) => title === 'Analysis status')).toHaveLength(1);
  }

  async function runAll() {
    const started = await world.rpc('bulk.start', await choiceOf(world));
    return runOn(world, granted(started).runId);
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
        ...[noteOf(asin), asin, priceOf(asin), remarkOf(asin)],
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

  it('columns that a start left, of which none has to be made, are followed by their titles', async () => {
    await meanwhile(list(), 'marks');
    await runAll();
    const killAtCall = callOfWrites[1] ?? 0;
    await world.stop();
    const sheet = list();
    let [locks, calls] = [Number.NEGATIVE_INFINITY, 0];
    world = createWorld({
      sandbox: SANDBOX,
      host: {
        documents: [sheet.document],
        betweenCalls: ({ operation }) => {
          if (operation === 'lock.tryLock') locks += 1;
          // Under the second lock the columns are settled: right after the look at them one comes in.
          if (locks !== 2 || (operation !== 'spreadsheet.read.getFormulas' && calls === 0))
            return [];
          calls += 1;
          return calls === 4 ? [insert(sheet, 1)] : [];
        },
      },
    });
    await world.connect();
    const args = ['bulk.start', await choiceOf(world)];
    const cut = world.host.start({ functionName: 'rpc', args, door: 'sidebar', killAtCall });
    await world.host.run();
    expect((await cut).ended).toBe('killed');
    const titles = sheet.values()[0] ?? [];
    expect(titles.slice(4)).toHaveLength(7);
    sheet.grid.write(sheet.id, 1, 7, [['My fees']]);
    await world.host.run(world.host.nowMs() + 120_000);
    const choice = await choiceOf(world);
    locks = 0;
    const { runId } = granted(await world.rpc('bulk.start', choice));
    expect(calls).toBeGreaterThan(4);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', answered: 20 });
    expect(sheet.values()[0]).toEqual(['', ...titles.with(6, 'My fees')]);
    for (const [at, asin] of LIST.entries()) {
      const row = sheet.byHeader(at + 2);
      expect(row).toMatchObject({ ASIN: asin, Note: noteOf(asin), Remark: remarkOf(asin) });
      expect(row['Analysis status']).toBe(okCell(asin));
      expect(typeof row['My fees']).toBe('number');
    }
  });

  it('figures of ours that times met are shown as numbers', async () => {
    const sheet = list();
    await meanwhile(sheet, 'results', ...drag(sheet, 5, 12));
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20 });
    expectWhole(sheet);
  });

  it('figures that move while they get their format are shown as numbers as well', async () => {
    const sheet = list();
    const above: Act = { do: 'insertRows', sheetId: sheet.id, first: 2, count: 1 };
    await atWrites(sheet, { results: drag(sheet, 5, 12), undated: [above] });
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20 });
    const rows = sheet.values().map((_, at) => sheet.byHeader(at + 1));
    const figures = rows.filter(({ ASIN }) => LIST.includes(String(ASIN)));
    expect(figures.map(({ Profit, Fees }) => [typeof Profit, typeof Fees])).toEqual(
      LIST.map(() => ['number', 'number']),
    );
  });

  it('cells are put back though the sheet has fewer columns by then', async () => {
    const sheet = list();
    const last = 14;
    const { maxColumns } = sheet.grid.size(sheet.id);
    const cut = { first: last + 1, count: maxColumns - last };
    await meanwhile(sheet, 'results', insert(sheet, 1), {
      ...{ do: 'deleteColumns', sheetId: sheet.id },
      ...cut,
    });
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20, calls: 20 });
    expectWhole(sheet);
  });

  it('formats that a column met are given back, and the figures get theirs', async () => {
    const sheet = list();
    await meanwhile(sheet, 'formats', insert(sheet, 1));
    expect(await runAll()).toMatchObject({ state: 'finished', answered: 20, calls: 20 });
    expectWhole(sheet);
    const first = { row: 2, column: 1, rowCount: 1, columnCount: 12 };
    const [formats = []] = sheet.grid.numberFormats(sheet.id, first);
    const [titles = []] = sheet.values();
    const formatOf = (title: string) => formats[titles.indexOf(title)];
    // "Automatic" is read as either, and written as the second.
    for (const title of ['Note', 'Price', 'Remark'])
      expect(['General', '0.###############']).toContain(formatOf(title));
    expect(['Profit', 'ROI', 'Fees'].map(formatOf)).toEqual([
      ...['[$$]#,##0.00', '0.0%', '[$$]#,##0.00'],
    ]);
  });

  describe('cells that cannot be put back', () => {
    const told = (cells: string) => ({
      kind: 'run',
      message: expect.stringMatching(
        new RegExp(`^Rows or columns moved while ${cells} were written, and not everything could`),
      ),
    });

    it('because rows moved as well: they are named, and nobody goes on by himself', async () => {
      const sheet = list();
      await meanwhile(sheet, 'results', insert(sheet, 1), sort(sheet));
      const { runId, ...end } = await runAll();
      expect(end).toMatchObject({ state: 'stuck', problem: told('E\\d+:K\\d+') });
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished' });
    });

    it('because there were formulas: they are named, and what they showed is there', async () => {
      const sheet = list();
      const formulas = LIST.map((_, at) => [{ formula: `=C${at + 2}*2` }]);
      sheet.grid.write(sheet.id, 2, 4, formulas);
      await meanwhile(sheet, 'results', insert(sheet, 1));
      expect(await runAll()).toMatchObject({ state: 'stuck', problem: told('E\\d+:E\\d+') });
    });

    it('because they are protected by then: they are named', async () => {
      const sheet = list();
      const rectangle = { row: 1, column: 5, rowCount: 100, columnCount: 1 };
      await atWrites(sheet, {
        results: [insert(sheet, 1)],
        'put back': [{ do: 'protect', sheetId: sheet.id, rectangle }],
      });
      const choice = granted(await world.rpc('bulk.look', {}, HELPER)).choice as object;
      const { runId } = granted(await world.rpc('bulk.start', choice, HELPER));
      const wish = { runId, worker: 0, maxMs: 300_000 };
      const { status } = granted(await world.rpc('bulk.run', wish, HELPER));
      expect(status).toMatchObject({ state: 'stuck', problem: told('E\\d+:E\\d+') });
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

    it('because the list was cleared, whose figures are the same as before: they are named', async () => {
      const analyzed = list();
      await meanwhile(analyzed, 'results');
      await runAll();
      await world.stop();
      const sheet = sheetOf(analyzed.values());
      const contents = sheet.values().map((row) => row.map(() => ''));
      const edit = { do: 'edit', sheetId: sheet.id, row: 1, column: 1, contents } as const;
      await meanwhile(sheet, 'results', edit);
      expect(await runAll()).toMatchObject({ state: 'stuck', problem: told('E\\d+:K\\d+') });
    });

    it('because rows moved before the last of them was put back: all are named', async () => {
      const sheet = list();
      await atWrites(sheet, { results: [insert(sheet, 10)], 'put back last': [sort(sheet)] });
      const { runId, ...end } = await runAll();
      expect(end).toMatchObject({ state: 'stuck', problem: told('E\\d+:K\\d+') });
      granted(await world.rpc('bulk.resume', { runId }));
      expect(await runOn(world, runId)).toMatchObject({ state: 'finished' });
    });

    it('because a column moved before the last of them was put back: all are named', async () => {
      const sheet = list();
      const acts = { results: [insert(sheet, 10)], 'put back last': [insert(sheet, 6)] };
      await atWrites(sheet, acts);
      expect(await runAll()).toMatchObject({ state: 'stuck', problem: told('E\\d+:K\\d+') });
    });

    it('because Google failed twice in a row while they were put back: they are named', async () => {
      await meanwhile(list(), 'results', insert(list(), 10));
      await runAll();
      const atCall = callOfWrites[WRITES['put back']] ?? 0;
      await world.stop();
      const sheet = list();
      await meanwhile(sheet, 'results', insert(sheet, 10));
      const { runId } = granted(await world.rpc('bulk.start', await choiceOf(world)));
      const slice = {
        functionName: 'rpc',
        args: ['bulk.run', { runId, worker: 0, maxMs: 300_000 }],
      };
      const faults = [{ atCall, when: 'before', times: 2 }];
      const struck = world.host.start({ ...slice, door: 'sidebar', faults } as never);
      await world.host.run();
      const { value } = (await struck).value as { value: { status: object } };
      expect(value.status).toMatchObject({ state: 'stuck', problem: told('F\\d+:F\\d+') });
    });

    it('because titles met rows and columns that moved: the start says so', async () => {
      const sheet = list();
      const rows = { do: 'insertRows', sheetId: sheet.id, first: 1, count: 1 } as const;
      await meanwhile(sheet, 'titles', insert(sheet, 1), rows);
      const { failure } = await world.rpc('bulk.start', await choiceOf(world));
      expect(failure).toMatchObject(told('E1:K1'));
    });
  });
});

// Product cells that are cut and pasted into other rows, and cells that are merged, under a run.
describe('cells that are cut and pasted', () => {
  const cells = (row: number, rowCount: number, column = 1, columnCount = 1) => ({
    row,
    column,
    rowCount,
    columnCount,
  });

  describe('product cells that are cut and pasted into rows that no run wanted', () => {
    it('get their figures there, and the rows that they left stay empty', async () => {
      const sheet = list();
      const from = cells(20, 5);
      await meanwhile(sheet, { do: 'cutPaste', sheetId: sheet.id, from, row: 40, column: 1 });
      const end = await runAll(world);
      expect(end).toMatchObject({ answered: LIST.length, notPlaced: { count: 0 } });
      const moved = LIST.slice(18, 23);
      const statuses = (first: number) =>
        sheet
          .values()
          .slice(first - 1, first + 4)
          .map((row) => row[7]);
      expect(statuses(40)).toEqual(moved.map((asin) => okCell(asin)));
      expect(statuses(20)).toEqual(moved.map(() => ''));
    });
  });

  describe('cells that are merged while the run asks', () => {
    it('keep a note that has become one with a figure beside it', async () => {
      const sheet = list();
      await meanwhile(sheet, { do: 'merge', sheetId: sheet.id, rectangle: cells(20, 1, 2, 2) });
      await runAll(world);
      expect(sheet.values()[19]?.[1]).toBe(`note of ${LIST[18]}`);
    });

    it('keep the figure of their first row where they hold those of two', async () => {
      const sheet = list();
      await meanwhile(sheet, { do: 'merge', sheetId: sheet.id, rectangle: cells(20, 2, 3) });
      await runAll(world);
      const merged = sheet.values().slice(19, 21);
      const plain = await figuresOf(LIST[18] ?? '');
      expect(merged.map((row) => row[2])).toEqual([plain, '']);
    });
  });

  /** The first figure of a product in a list that nobody touches. */
  async function figuresOf(asin: string) {
    world.stop();
    const sheet = sheetOf([
      ['ASIN', 'Note'],
      [asin, ''],
    ]);
    await meanwhile(sheet);
    await runAll(world);
    return sheet.values()[1]?.[2];
  }
});

// Rows that come in while a run writes: another product's figures are gone from a row in moments, not at the end.
describe('rows that come in', () => {
  const LIST = US_ASINS.slice(1_400, 1_440);

  /** Somebody reads the sheet in the midst of the run, this long after the rows came in. */
  const SOON_MS = 3_000;

  it.each([2, 3, 4, 5, 6])('before write %d', async (at) => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    let writes = Number.NEGATIVE_INFINITY;
    let insertedMs = Number.POSITIVE_INFINITY;
    const shown: string[] = [];
    const wrongRows = () =>
      sheet.values().filter(([asin = '', ...cells]) => {
        const status = String(cells[5] ?? '');
        return status.startsWith('OK') && status !== okCell(asin);
      });
    const betweenCalls = ({ operation }: { readonly operation: string }) => {
      const nowMs = world.host.nowMs();
      if (nowMs > insertedMs + SOON_MS) shown.push(...wrongRows().map(String));
      writes += operation === 'spreadsheet.write.setValues' ? 1 : 0;
      if (writes !== at || insertedMs < Number.POSITIVE_INFINITY) return [];
      insertedMs = nowMs;
      return [{ do: 'insertRows' as const, sheetId: sheet.id, first: 2, count: 1 }];
    };
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], betweenCalls } });
    // A slow key: some ten rows a minute.
    await world.connect({ quota: { calls: 10, perSeconds: 60, burst: 1 } });
    const { runId } = await startRun(world);
    writes = 0;
    granted(await world.rpc('bulk.run', { runId, worker: 0, maxMs: 90_000 }));
    expect(insertedMs).toBeLessThan(world.host.nowMs());
    expect(wrongRows()).toEqual([]);
    expect(shown).toEqual([]);
  });
});

// Marks carry what stood in the status before, and rows may move in the instant in which they are written.
describe('rows that move while they are marked', () => {
  const STATUS_COLUMN = 7;
  const DELETED_ROW = 4;

  /** A list that was analyzed; then row 4 got another product. At the next write of marks it is deleted. */
  async function markedAsRowIsDeleted(rows: object) {
    let isArmed = false;
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    const act: Act = { do: 'deleteRows', sheetId: sheet.id, first: DELETED_ROW, count: 1 };
    const betweenCalls = ({ operation }: { readonly operation: string }) => {
      if (!isArmed || operation !== 'spreadsheet.write.setValues') return [];
      isArmed = false;
      return [act];
    };
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], betweenCalls } });
    await world.connect();
    await runAll(world);
    sheet.grid.write(sheet.id, DELETED_ROW, 1, [[US_ASINS[70] ?? '']]);
    const choice = await choiceOf(world, { rows });
    isArmed = true;
    const started = await world.rpc('bulk.start', choice);
    expect(isArmed).toBe(false);
    const left = LIST.filter((_, at) => at !== DELETED_ROW - 2);
    const expectOwn = () =>
      expect(sheet.values().map((row) => row[STATUS_COLUMN - 1])).toEqual([
        'Analysis status',
        ...left.map((asin) => okCell(asin)),
      ]);
    return { started, expectOwn };
  }

  it('leave no mark and no status of another product on a row that was not chosen', async () => {
    const { started, expectOwn } = await markedAsRowIsDeleted({ kind: 'empty' });
    expect(started.failure).toMatchObject({ kind: 'run', why: 'no-matching-rows' });
    expectOwn();
  });

  it('have their own status again where the run is stopped before it has asked', async () => {
    const { started, expectOwn } = await markedAsRowIsDeleted({ kind: 'all' });
    granted(await world.rpc('bulk.stop', { runId: granted(started).runId }));
    expectOwn();
  });
});

// People change statuses and rows of products that are being asked for: each is told of in the end.
describe('statuses that people change', () => {
  const STATUS_COLUMN = 7;

  type Rows = readonly [first: number, count: number];

  const filled = (sheetId: number, [row, count]: Rows, column: number, text: string): Act => {
    const contents = Array.from({ length: count }, () => [text]);
    return { do: 'edit', sheetId, row, column, contents };
  };

  it.each<[string, (id: number) => Act, number]>([
    ['a status is typed over', (id) => filled(id, [25, 1], STATUS_COLUMN, 'skip'), 1],
    ['a status is cleared', (id) => filled(id, [25, 1], STATUS_COLUMN, ''), 1],
    ['all that wait are cleared', (id) => filled(id, [10, 22], STATUS_COLUMN, ''), 22],
    ['a product is cleared', (id) => filled(id, [25, 1], 1, ''), 1],
    ['rows are deleted', (sheetId) => ({ do: 'deleteRows', sheetId, first: 25, count: 3 }), 3],
    ['rows come in', (sheetId) => ({ do: 'insertRows', sheetId, first: 10, count: 3 }), 0],
  ])('%s', async (_what, act, lost) => {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = await worldMovedBy(sheet, [act(sheet.id)]);
    const { runId } = await startRun(world);
    const end = await runOn(world, runId);
    expect(end).toMatchObject({
      ...{ state: 'finished', rows: 30, answered: 30 - lost, failed: 0, left: 0, calls: 30 },
      notPlaced: { count: lost },
    });
    const written = sheet.values().filter((row) => String(row[STATUS_COLUMN - 1]).startsWith('OK'));
    expect(written).toHaveLength(30 - lost);
  });

  it('a product that stands in two rows, of which one loses its mark, has its answer in the other', async () => {
    const sheet = sheetOf([['ASIN'], ...[...LIST, LIST[23]].map((asin) => [asin ?? ''])]);
    world = await worldMovedBy(sheet, [filled(sheet.id, [25, 1], STATUS_COLUMN, '')]);
    const { runId } = await startRun(world);
    const end = await runOn(world, runId);
    expect(end).toMatchObject({ state: 'finished', answered: 30, notPlaced: { count: 0 } });
  });
});
