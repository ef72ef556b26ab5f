// How figures are shown: in the money of their market, in rows that come later too, and as people chose.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createCatalogue } from '../../playground/api/catalogue';
import { runAll, SANDBOX, type Sheet, sheetOf, US_ASINS } from './bulk-list';
import { pass, schedule, worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

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
