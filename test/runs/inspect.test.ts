// What a run is started over: the first look at a sheet, the rows that people choose, and how many they are.

import { afterEach, describe, expect, it } from '@jest/globals';
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
import { createWorld, type World } from '../doors/world';
import { okCell, saidIn } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 42);

async function worldWith(sheet: Sheet): Promise<void> {
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
}

// A run over a list, from the first look to the last row, as the sidebar's page drives it.
describe('a run from the first look to the last row', () => {
  const LIST = US_ASINS.slice(20, 320);

  async function worldWith(sheet: Sheet): Promise<World> {
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    return world;
  }

  describe('a run over 300 rows', () => {
    it('looks, checks, starts and writes every row with its own figures', async () => {
      const sheet = sheetOf([['ASIN', 'Note'], ...LIST.map((asin, i) => [asin, `note ${i}`])]);
      await worldWith(sheet);
      expect(await look(world)).toMatchObject({
        choice: { headerRow: 1, productColumn: 1, market: { kind: 'one', market: 'US' } },
        listRows: 300,
        run: null,
      });
      const check = granted(await world.rpc('bulk.preflight', await choiceOf(world)));
      expect(check).toMatchObject({ rows: 300, products: 300, fresh: 0, calls: 300 });
      const { runId, rows } = await startRun(world);
      expect(rows).toBe(300);
      const end = await runOn(world, runId);
      expect(end).toMatchObject({ state: 'finished', rows: 300, left: 0 });
    });
  });
});

// The first look at a sheet, and what is told of it where the list is not as it should be.
describe('the first look', () => {
  const USUAL = ['profit', 'roi', 'fees', 'eligible', 'rank_drops_30d'];

  describe('a sheet without a column of products', () => {
    /** One product in four rows: too few to be taken by itself. */
    const mixed = () =>
      sheetOf([
        ['Goods of March', '', ''],
        ['Item', 'Code', 'Profit'],
        ['Cup', 'C-1', ''],
        ['Plate', LIST[0] ?? '', ''],
        ['Bowl', 'C-3', ''],
        ['Fork', 'C-4', ''],
      ]);

    it('is told with its titles, and with all that goes with a column picked by hand', async () => {
      const sheet = mixed();
      await worldWith(sheet);
      const seen = await look(world);
      const byHand = {
        sheetId: sheet.id,
        headerRow: 2,
        market: { kind: 'one', market: 'US' },
        rows: { kind: 'all' },
        fields: USUAL,
      };
      expect(seen).toMatchObject({ choice: null, byHand, listRows: 4 });
      expect(seen.nearest).toMatchObject({ title: 'Code', products: 1, sampled: 5 });
      const titles = (seen.columns as { title: string }[]).map(({ title }) => title);
      expect(titles).toEqual(['Item', 'Code', 'Profit']);
      const fields = seen.fields as { name: string; chosen: boolean; column: object | null }[];
      expect(fields.filter(({ chosen }) => chosen).map(({ name }) => name)).toEqual(USUAL);
      expect(fields[0]?.column).toMatchObject({ letter: 'C', title: 'Profit' });
    });

    it('can be gone on with once a person has picked it', async () => {
      const sheet = mixed();
      await worldWith(sheet);
      const { byHand } = await look(world);
      const choice = { ...(byHand as object), productColumn: 2 };
      expect(granted(await world.rpc('bulk.preflight', choice))).toMatchObject({
        rows: 4,
        products: 1,
        unreadable: { count: 3 },
        added: ['ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status', 'Analyzed at'],
      });
      const { runId } = granted(await world.rpc('bulk.start', choice));
      expect(await runOn(world, runId)).toMatchObject({ answered: 1, failed: 3 });
      expect(sheet.byHeader(4, 2)['Analysis status']).toBe(okCell(LIST[0]));
      expect(sheet.values()[0]?.slice(0, 4)).toEqual(['Goods of March', '', '', '']);
    });

    it('and without titles: the first row is none', async () => {
      await worldWith(
        sheetOf([
          ['Cup', 3],
          ['Plate', 4],
          ['Bowl', 5],
        ]),
      );
      expect(await look(world)).toMatchObject({
        choice: null,
        byHand: { headerRow: 0 },
        listRows: 3,
      });
    });
  });

  describe('a sheet with nothing to analyze', () => {
    it('is empty: no columns, no rows, nothing to pick', async () => {
      await worldWith(sheetOf([]));
      const seen = await look(world);
      expect(seen).toMatchObject({ choice: null, columns: [], listRows: 0 });
      expect(seen).not.toHaveProperty('byHand');
      expect(seen).not.toHaveProperty('nearest');
    });

    it('has a title and no rows yet: its column is known, and a run is not started', async () => {
      await worldWith(sheetOf([['Note', 'ASIN']]));
      const { choice, listRows } = await look(world);
      expect(listRows).toBe(0);
      expect(choice).toMatchObject({ headerRow: 1, productColumn: 2 });
      const { failure } = await world.rpc('bulk.start', choice);
      expect(failure?.message).toBe(
        'These rows have no products. Choose other rows or another column.',
      );
    });
  });

  describe('what is selected', () => {
    it('counts as far as it is part of the list, each row once', async () => {
      const sheet = sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin])]);
      await worldWith(sheet);
      const whole = { row: 1, column: 1, rowCount: 1_000, columnCount: 1 };
      sheet.grid.select({ sheetId: sheet.id, rectangle: whole });
      expect(await look(world)).toMatchObject({ selectedRows: 12, listRows: 12 });
      const cell = (row: number, column: number) => ({ row, column, rowCount: 1, columnCount: 1 });
      sheet.grid.select({
        sheetId: sheet.id,
        rectangle: cell(1, 1),
        others: [cell(4, 1), cell(4, 2), { ...cell(6, 1), rowCount: 2 }],
      });
      expect(await look(world)).toMatchObject({ selectedRows: 3 });
    });
  });
});

// Which rows a run takes, as people choose them: on view, selected, never analyzed, failed, old.
describe('which rows', () => {
  const DAY_MS = 86_400_000;

  /** Every second row is odd, from row 3 on. */
  const list = () =>
    sheetOf([['ASIN', 'Kind'], ...LIST.map((asin, at) => [asin, at % 2 === 0 ? 'even' : 'odd'])]);

  async function worldWith(sheet: Sheet, faults: Readonly<Record<string, 'crash'>> = {}) {
    world = createWorld({ sandbox: { ...SANDBOX, faults }, host: { documents: [sheet.document] } });
    await world.connect();
  }

  const area = (row: number, column: number, rowCount: number, columnCount: number) => ({
    row,
    column,
    rowCount,
    columnCount,
  });

  /** Rows with a status of this run. */
  const analyzed = (sheet: Sheet) =>
    sheet.values().flatMap((row, at) => (String(row[7]).startsWith('OK') ? [at + 1] : []));

  const NO_ROWS = 'These rows have no products. Choose other rows or another column.';

  describe('rows on view', () => {
    it('are those that neither a person nor a filter hides', async () => {
      const sheet = list();
      await worldWith(sheet);
      sheet.grid.hideRows(sheet.id, 4, 3);
      const rectangle = area(1, 1, 13, 2);
      sheet.grid.setFilter(sheet.id, { rectangle, hiddenTexts: [{ column: 2, texts: ['odd'] }] });
      const rows = { kind: 'visible' };
      expect(await check(world, { rows })).toMatchObject({ rows: 4, calls: 4 });
      expect(await runAll(world, { rows })).toMatchObject({ rows: 4, answered: 4 });
      expect(analyzed(sheet)).toEqual([2, 8, 10, 12]);
      expect(world.service().arrived).toBe(4);
    });

    it('are none where all are hidden, which is said', async () => {
      const sheet = list();
      await worldWith(sheet);
      sheet.grid.hideRows(sheet.id, 2, 12);
      await expect(check(world, { rows: { kind: 'visible' } })).rejects.toThrow(NO_ROWS);
    });
  });

  describe('rows by what became of them', () => {
    it('are none where nothing failed, or nothing is missing or old, and that is said', async () => {
      await worldWith(list());
      await expect(check(world, { rows: { kind: 'failed' } })).rejects.toThrow(
        'No row failed before. Choose other rows.',
      );
      await runAll(world);
      await expect(check(world, { rows: { kind: 'empty' } })).rejects.toThrow(
        'Every row has its figures. Choose other rows.',
      );
      await expect(check(world, { rows: { kind: 'older', days: 1 } })).rejects.toThrow(
        'No row was analyzed so long ago. Choose other rows.',
      );
    });
  });

  describe('selected rows', () => {
    it('may be several ranges, over any columns, meeting each other and the header', async () => {
      const sheet = list();
      await worldWith(sheet);
      const rectangle = area(9, 2, 2, 1);
      const others = [area(1, 1, 2, 1), area(4, 1, 1, 5), area(4, 2, 2, 1)];
      sheet.grid.select({ sheetId: sheet.id, rectangle, others });
      const rows = { kind: 'selection' };
      expect(await check(world, { rows })).toMatchObject({ rows: 5, calls: 5 });
      await runAll(world, { rows });
      expect(analyzed(sheet)).toEqual([2, 4, 5, 9, 10]);
    });

    it('may be the whole column', async () => {
      const sheet = list();
      await worldWith(sheet);
      sheet.grid.select({ sheetId: sheet.id, rectangle: area(1, 1, 1_000, 1) });
      expect(await check(world, { rows: { kind: 'selection' } })).toMatchObject({ rows: 12 });
    });

    it('of another sheet than the one chosen are none', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { choice } = granted(await world.rpc('bulk.look'));
      const other = sheet.grid.addSheet('Other', 2);
      sheet.grid.select({ sheetId: other, rectangle: area(2, 1, 5, 1) });
      const wish = { ...(choice as object), rows: { kind: 'selection' } };
      expect((await world.rpc('bulk.start', wish)).failure?.message).toBe(NO_ROWS);
    });
  });

  describe('rows by their state', () => {
    it('are never analyzed, failed before, or older than some days', async () => {
      const sheet = list();
      const [first = '', second = ''] = LIST;
      await worldWith(sheet, { [first]: 'crash', [second]: 'crash' });
      sheet.grid.write(sheet.id, 4, 1, [['no product']]);
      sheet.grid.select({ sheetId: sheet.id, rectangle: area(2, 1, 6, 1) });
      expect(await runAll(world, { rows: { kind: 'selection' } })).toMatchObject({
        answered: 3,
        failed: 3,
      });
      const rowsOf = async (rows: object) => (await check(world, { rows })).rows;
      expect(await rowsOf({ kind: 'empty' })).toBe(6);
      expect(await rowsOf({ kind: 'failed' })).toBe(3);
      expect(await rowsOf({ kind: 'all' })).toBe(12);
      // Rows that have no figures at all are older than anything.
      expect(await rowsOf({ kind: 'older', days: 2 })).toBe(9);
      await world.host.run(world.host.nowMs() + 3 * DAY_MS);
      expect(await rowsOf({ kind: 'older', days: 2 })).toBe(12);
      expect(await rowsOf({ kind: 'older', days: 4 })).toBe(9);
    });

    it('have no figures where those beside them are of the list that stood there before', async () => {
      const sheet = list();
      await worldWith(sheet);
      await runAll(world);
      const news = US_ASINS.slice(130, 136).map((asin) => [asin]);
      sheet.grid.write(sheet.id, 2, 1, news);
      for (const rows of [{ kind: 'empty' }, { kind: 'older', days: 1 }])
        expect(await check(world, { rows })).toMatchObject({ rows: 6, calls: 6 });
      expect(await runAll(world, { rows: { kind: 'empty' } })).toMatchObject({ answered: 6 });
      const statuses = sheet
        .values()
        .slice(1)
        .map((row) => row[7]);
      expect(statuses.slice(0, 6)).toEqual(news.map(([asin]) => okCell(asin)));
      expect(statuses.slice(6)).toEqual(LIST.slice(6).map((asin) => okCell(asin)));
    });

    it('that failed are run again alone, and the others keep what they have', async () => {
      const sheet = list();
      await worldWith(sheet);
      sheet.grid.write(sheet.id, 3, 1, [['no product']]);
      expect(await runAll(world)).toMatchObject({ answered: 11, failed: 1 });
      sheet.grid.write(sheet.id, 3, 1, [[LIST[1] ?? '']]);
      const before = sheet.values().filter((_, at) => at !== 2);
      expect(await runAll(world, { rows: { kind: 'failed' } })).toMatchObject({
        rows: 1,
        calls: 1,
      });
      expect(sheet.byHeader(3)['Analysis status']).toBe(okCell(LIST[1]));
      expect(sheet.values().filter((_, at) => at !== 2)).toEqual(before);
    });
  });
});

// How many rows there are is one number: in the choice of rows, in the check and at the end.
describe('how many rows', () => {
  const LIST = US_ASINS.slice(30, 40);

  describe('a list with gaps, repeats, what cannot be read, and a line of totals', () => {
    const rows = [...LIST, '', LIST[0] ?? '', 'no product', '', ''];
    const sheetNow = () =>
      sheetOf([['Title', 'ASIN'], ...rows.map((asin) => ['a mug', asin]), ['Total', '']]);

    it('has as many rows in the choice, the check and the end', async () => {
      await worldWith(sheetNow());
      expect(await look(world)).toMatchObject({ listRows: 12 });
      const found = await check(world);
      expect(found).toMatchObject({ rows: 12, products: 10, duplicates: { count: 1 } });
      const end = await runAll(world);
      expect(end).toMatchObject({ rows: 12, failed: 1, leftOut: 0 });
      expect(Number(end.answered) + Number(end.cached) + Number(end.failed)).toBe(12);
    });

    it('counts of what is selected the rows that a run would take', async () => {
      const sheet = sheetNow();
      await worldWith(sheet);
      sheet.grid.select({
        sheetId: sheet.id,
        rectangle: { row: 9, column: 1, rowCount: 6, columnCount: 2 },
      });
      const { selectedRows } = await look(world);
      expect(selectedRows).toBe((await check(world, { rows: { kind: 'selection' } })).rows);
    });

    it('tells in the end of rows that were left out', async () => {
      const sheet = sheetNow();
      await worldWith(sheet);
      await runAll(world);
      const status = sheet.values()[0]?.indexOf('Analysis status') ?? 0;
      sheet.grid.write(sheet.id, 3, status + 1, [['ask Ann']]);
      expect(await check(world)).toMatchObject({ rows: 12, kept: { count: 1 } });
      const end = await runAll(world);
      expect(end).toMatchObject({ rows: 11, leftOut: 1 });
    });
  });

  describe('a list longer than what is looked at first', () => {
    it('is counted as a whole', async () => {
      const asins = US_ASINS.slice(0, 400).flatMap((asin, at) =>
        at % 4 === 0 ? ['', asin] : [asin],
      );
      await worldWith(sheetOf([['ASIN'], ...asins.map((asin) => [asin])]));
      expect(await look(world)).toMatchObject({ listRows: 400 });
      expect(await check(world)).toMatchObject({ rows: 400 });
    });
  });

  describe('a list without a readable product', () => {
    it('is told as that', async () => {
      const sheet = sheetOf([['ASIN'], ['tea'], ['mug']]);
      await worldWith(sheet);
      const { byHand } = await look(world);
      const choice = { ...(byHand as object), productColumn: 1 };
      expect(granted(await world.rpc('bulk.preflight', choice))).toMatchObject({
        ...{ rows: 2, products: 0, calls: 0, unreadable: { count: 2 } },
        problem: {
          message: 'These rows have no products. Choose other rows or another column.',
        },
      });
    });
  });

  describe('a check of one sheet while another is in view', () => {
    it('says which sheet is in view, and checks nothing', async () => {
      const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
      await worldWith(sheet);
      const choice = await choiceOf(world);
      const other = sheet.grid.addSheet('Clearance', 2);
      sheet.grid.select({
        sheetId: other,
        rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
      });
      const { ok, failure } = await world.rpc('bulk.preflight', choice);
      expect(ok).toBe(false);
      expect(failure?.message).toBe(
        '"Clearance" is in view now, and this was chosen for another sheet. Look again.',
      );
    });
  });
});

// What the check says of a key that does not answer at present, before a run is started with it.
describe('the check before a run', () => {
  const LIST = US_ASINS.slice(30, 70);

  async function worldWith(apiKey: string) {
    const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect({ apiKey });
    return sheet;
  }

  describe('a plan', () => {
    it('is not told of before the service says that it is used up, and then as nothing left', async () => {
      const sheet = await worldWith('demo-key-plan-of-25');
      expect(await check(world)).toMatchObject({ calls: 40, planCallsLeft: null });
      expect(await runAll(world)).toMatchObject({
        state: 'stuck',
        answered: 25,
        left: 15,
        problem: { kind: 'plan-used-up' },
      });
      expect(await check(world)).toMatchObject({ fresh: 25, calls: 15, planCallsLeft: 0 });
      const statuses = sheet.values().map((row) => saidIn(row[6]).replace(/ .*/, ''));
      expect(statuses.filter((text) => text === 'OK')).toHaveLength(25);
      expect(statuses.filter((text) => text === 'Queued')).toHaveLength(15);
    });
  });

  describe('a key that the service refused', () => {
    it('cannot start a run that has to ask, which the check says', async () => {
      await worldWith('no-such-key-at-all');
      expect(await check(world)).not.toHaveProperty('problem');
      expect(await runAll(world)).toMatchObject({
        state: 'stuck',
        problem: { kind: 'key-refused' },
      });
      expect(await check(world)).toMatchObject({ calls: 40, problem: { kind: 'key-refused' } });
      await world.connect();
      expect(await check(world)).not.toHaveProperty('problem');
    });
  });

  describe('a choice whose columns are gone from the sheet since', () => {
    it('is told, not read from elsewhere', async () => {
      const sheet = await worldWith('demo-key-5-per-second');
      const choice = await choiceOf(world);
      sheet.grid.deleteColumns(sheet.id, 1, 1);
      const { failure } = await world.rpc('bulk.preflight', choice);
      expect(failure?.message).toBe(
        'These rows have no products. Choose other rows or another column.',
      );
    });
  });

  describe('rows whose market cell is blank', () => {
    it('are told with the market that they take', async () => {
      const [first = '', second = '', third = ''] = LIST;
      const sheet = sheetOf([
        ['ASIN', 'Market'],
        [first, 'US'],
        [second, ''],
        [third, ' '],
      ]);
      world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
      await world.connect();
      const { repaired } = await check(world, { market: { kind: 'column', column: 2 } });
      expect(repaired).toMatchObject({
        count: 2,
        rows: [
          { row: 3, repair: 'no-market', asin: second, market: 'US' },
          { row: 4, repair: 'no-market', asin: third, market: 'US' },
        ],
      });
      const one = await check(world, { market: { kind: 'one', market: 'US' } });
      expect(one.repaired).toMatchObject({ count: 0 });
    });
  });
});
