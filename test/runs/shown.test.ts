// What people see of a run: figures in the money of their market, and the rows that they want to see.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createCatalogue } from '../../playground/api/catalogue';
import { check, granted, runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from '../doors/bulk-list';
import { pass, schedule, worldWith } from '../doors/schedule-list';
import { createWorld, type World } from '../doors/world';

let world: World;

afterEach(() => world.stop());

// How figures are shown: in the money of their market, in rows that come later too, and as people chose.
describe('how figures are shown', () => {
  const LIST = US_ASINS.slice(700, 705);

  const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);

  const UK_LIST = [...asins.UK].slice(0, 5);

  /** In the columns that stand there. */
  const UK = { market: { kind: 'one', market: 'UK' }, apart: false };

  const listOf = (asins: readonly string[]) => sheetOf([['ASIN'], ...asins.map((asin) => [asin])]);

  const cellAt = (row: number, column: number, columnCount = 1) => ({
    ...{ row, column, rowCount: 1, columnCount },
  });

  /** From Profit to "Analyzed at". */
  const formatsIn = ({ grid, id }: Sheet, row: number) =>
    grid.numberFormats(id, cellAt(row, 2, 7))[0] ?? [];

  describe('rows that come later', () => {
    it('have the formats of those above', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet);
      await runAll(world);
      sheet.grid.write(sheet.id, 7, 1, [[US_ASINS[710] ?? '']]);
      await runAll(world, { rows: { kind: 'empty' } });
      expect(formatsIn(sheet, 7)).toEqual(formatsIn(sheet, 2));
    });

    it('have them by the clock, too', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet);
      await schedule(world);
      await pass(world, 24);
      sheet.grid.write(sheet.id, 7, 1, [[US_ASINS[710] ?? '']]);
      await pass(world, 24);
      expect(formatsIn(sheet, 7)).toEqual(formatsIn(sheet, 2));
    });
  });

  describe('a run for another market', () => {
    it('shows its currency, in its own rows', async () => {
      const sheet = listOf(UK_LIST);
      world = await worldWith(sheet);
      await runAll(world);
      const dollars = formatsIn(sheet, 2)[0];
      sheet.grid.select({ sheetId: sheet.id, rectangle: { ...cellAt(3, 1), rowCount: 2 } });
      await runAll(world, { ...UK, rows: { kind: 'selection' } });
      const shown = [2, 3, 4, 5].map((row) => formatsIn(sheet, row)[0]);
      expect(shown).toEqual([dollars, '[$£]#,##0.00', '[$£]#,##0.00', dollars]);
    });

    it('leaves the formats that somebody chose', async () => {
      const sheet = listOf(UK_LIST);
      world = await worldWith(sheet);
      await runAll(world);
      sheet.grid.setNumberFormats(sheet.id, 3, 2, [['0']]);
      await runAll(world, UK);
      expect([2, 3, 4].map((row) => formatsIn(sheet, row)[0])).toEqual([
        '[$£]#,##0.00',
        '0',
        '[$£]#,##0.00',
      ]);
    });
  });

  describe('a column that was there before', () => {
    it('gets the formats where it has none', async () => {
      const sheet = sheetOf([['ASIN', 'Profit'], ...LIST.map((asin) => [asin, ''])]);
      sheet.grid.setNumberFormats(sheet.id, 3, 2, [['0']]);
      world = await worldWith(sheet);
      await runAll(world);
      expect([2, 3].map((row) => formatsIn(sheet, row)[0])).toEqual(['[$$]#,##0.00', '0']);
    });
  });

  describe('ROI that is a fraction', () => {
    const PERCENT = '0.0%';
    const roiIn = (sheet: Sheet, rows: readonly number[]) =>
      rows.map((row) => formatsIn(sheet, row)[1]);
    /** Of a column that was made while nobody knew the unit. */
    const plain = (sheet: Sheet) => {
      for (const row of [2, 3, 4, 5, 6]) sheet.grid.setNumberFormats(sheet.id, row, 3, [['0.00']]);
    };

    it('is a percentage from the first run on, also before any check', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet);
      await runAll(world);
      expect(roiIn(sheet, [2, 3, 4, 5, 6])).toEqual(Array(5).fill(PERCENT));
      sheet.grid.write(sheet.id, 7, 1, [[US_ASINS[710] ?? '']]);
      await runAll(world, { rows: { kind: 'empty' } });
      expect(roiIn(sheet, [6, 7])).toEqual([PERCENT, PERCENT]);
    });

    it('is a percentage from the first run on after a check', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet);
      await world.rpc('connection.check');
      await runAll(world);
      expect(roiIn(sheet, [2, 3, 4, 5, 6])).toEqual(Array(5).fill(PERCENT));
    });

    it('is left a number as long as it comes as a percentage', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet, { sandbox: { dialect: 'percent' } });
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual(['0.00', '0.00']);
    });

    it('is mended where an earlier run made it a number, in rows of no further run as well', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet, { sandbox: { dialect: 'bare' } });
      await runAll(world);
      plain(sheet);
      await world.rpc('connection.save', {
        ...{ baseUrl: 'https://api.sandbox.example', apiKey: '', sharing: 'me' },
        ...{ quota: { calls: 5, perSeconds: 1, burst: 10 }, settings: { roiUnit: 'fraction' } },
      });
      sheet.grid.setNumberFormats(sheet.id, 4, 3, [['0.000']]);
      sheet.grid.select({ sheetId: sheet.id, rectangle: cellAt(2, 1) });
      await runAll(world, { rows: { kind: 'selection' } });
      expect(roiIn(sheet, [2, 3, 4, 5])).toEqual([PERCENT, PERCENT, '0.000', PERCENT]);
      await runAll(world);
      expect(roiIn(sheet, [2, 3, 4, 5])).toEqual([PERCENT, PERCENT, '0.000', PERCENT]);
    });

    it('is a number again in rows that are filled while its unit is open', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet, { sandbox: { dialect: 'percent' } });
      const settle = (settings: object) =>
        world.rpc('connection.save', {
          ...{ baseUrl: 'https://api.sandbox.example', apiKey: '', sharing: 'me' },
          ...{ quota: { calls: 5, perSeconds: 1, burst: 10 }, settings },
        });
      await settle({ roiUnit: 'percent' });
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual([PERCENT, PERCENT]);
      await settle({});
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual(['0.00', '0.00']);
      sheet.grid.setNumberFormats(sheet.id, 3, 3, [[PERCENT]]);
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual(['0.00', PERCENT]);
      await settle({ roiUnit: 'percent' });
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual([PERCENT, PERCENT]);
    });

    it('is a number again in rows that are filled with a key whose unit is open', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet, { sandbox: { dialect: 'percent' } });
      await world.rpc('connection.check');
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual([PERCENT, PERCENT]);
      await world.rpc('connection.clear');
      await world.connect();
      await runAll(world);
      expect(sheet.byHeader(4).ROI).toBeGreaterThan(10);
      expect(roiIn(sheet, [4])).toEqual(['0.00']);
    });

    it('stays as somebody shows it once it was a percentage', async () => {
      const sheet = listOf(LIST);
      world = await worldWith(sheet);
      await world.rpc('connection.check');
      await runAll(world);
      plain(sheet);
      await runAll(world);
      expect(roiIn(sheet, [2, 3])).toEqual(['0.00', '0.00']);
    });
  });
});

// Rows that a person wants to see: selected in the sheet, wherever they are by now.
describe('rows that are shown', () => {
  const GOOD = US_ASINS.slice(30, 35);

  async function worldWith(sheet: Sheet): Promise<void> {
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
  }

  const list = () =>
    sheetOf([['ASIN', 'Note'], ...['nothing', ...GOOD, 'neither'].map((text) => [text, 'x'])]);

  /** Rows that are selected: the active one, to which Sheets scrolls, first. */
  function selected({ grid }: Sheet): readonly (readonly [first: number, last: number])[] {
    const { rectangle, others = [] } = grid.selection();
    return [rectangle, ...others].map(({ row, rowCount }) => [row, row + rowCount - 1]);
  }

  const show = async (payload: object) => granted(await world.rpc('bulk.show', payload)).shown;

  /** The rows of a check whose column of products is the first. */
  const checked = ({ id, grid }: Sheet, rows: readonly number[]): object => {
    const cell = (row: number) => ({ row, column: 1, rowCount: 1, columnCount: 1 });
    const shownIn = (row: number) => String(grid.values(id, cell(row))[0]?.[0] ?? '');
    return {
      ...{ sheetId: id, productColumn: 1 },
      rows: rows.map((row) => ({ row, shown: shownIn(row) })),
    };
  };

  describe('rows of a check', () => {
    it('are selected in order, once each', async () => {
      const sheet = list();
      await worldWith(sheet);
      expect(await show(checked(sheet, [7, 3, 4, 4]))).toBe(3);
      expect(selected(sheet)).toEqual([
        [3, 4],
        [7, 7],
      ]);
    });

    it('are counted as far as they are selected: so many areas are the most at once', async () => {
      const sheet = sheetOf([['ASIN'], ...Array.from({ length: 400 }, () => [GOOD[0] ?? ''])]);
      await worldWith(sheet);
      const rows = Array.from({ length: 150 }, (_, at) => 2 * at + 2);
      expect(await show(checked(sheet, rows))).toBe(100);
      expect(selected(sheet)[0]).toEqual([2, 2]);
      expect(selected(sheet)).toHaveLength(100);
    });

    it('are found after the list was sorted and rows came in', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { rows } = (await check(world)).unreadable as {
        rows: readonly { row: number; shown: string }[];
      };
      expect(rows.map(({ shown }) => shown)).toEqual(['nothing', 'neither']);
      const rectangle = { row: 2, column: 1, rowCount: 7, columnCount: 2 };
      sheet.grid.sort(sheet.id, rectangle, [{ column: 1, ascending: true }]);
      sheet.grid.insertRows(sheet.id, 2, 3);
      const listed = rows.map(({ row, shown }) => ({ row, shown }));
      expect(await show({ sheetId: sheet.id, productColumn: 1, rows: listed })).toBe(2);
      expect(selected(sheet)).toEqual([[10, 11]]);
    });

    it('that were deleted are not shown', async () => {
      const sheet = list();
      await worldWith(sheet);
      const wanted = checked(sheet, [2]);
      sheet.grid.deleteRows(sheet.id, 2, 1);
      expect(await show(wanted)).toBe(0);
      expect(
        await show({ sheetId: sheet.id, productColumn: 700, rows: [{ row: 2, shown: 'x' }] }),
      ).toBe(0);
    });

    it('of a sheet that is gone are not shown, in words', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { failure } = await world.rpc('bulk.show', { ...checked(sheet, [2]), sheetId: 99 });
      expect(failure?.message).toMatch(/^The sheet was deleted/);
    });

    it('bring their sheet into view', async () => {
      const sheet = list();
      const other = sheet.grid.addSheet('Other', 2);
      await worldWith(sheet);
      sheet.grid.select({
        sheetId: other,
        rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
      });
      expect(await show(checked(sheet, [2]))).toBe(1);
      expect(sheet.grid.selection().sheetId).toBe(sheet.id);
    });
  });

  describe('rows that failed', () => {
    it('are found after the list was sorted and rows came in', async () => {
      const sheet = list();
      await worldWith(sheet);
      const { runId } = await runAll(world);
      const failed = { runId, failed: 'bad-asin' };
      expect(await show(failed)).toBe(2);
      expect(selected(sheet)).toEqual([
        [2, 2],
        [8, 8],
      ]);
      const rectangle = { row: 2, column: 1, rowCount: 7, columnCount: 9 };
      sheet.grid.sort(sheet.id, rectangle, [{ column: 1, ascending: true }]);
      sheet.grid.insertRows(sheet.id, 2, 3);
      expect(await show(failed)).toBe(2);
      expect(selected(sheet)).toEqual([[10, 11]]);
      expect(await show({ runId, failed: 'not-found' })).toBe(0);
    });

    it('of another run than the last one are not looked for', async () => {
      const sheet = list();
      await worldWith(sheet);
      await runAll(world);
      const { failure } = await world.rpc('bulk.show', { runId: 'other', failed: 'bad-asin' });
      expect(failure?.message).toBe('This run has ended. Start a new one.');
    });
  });
});
