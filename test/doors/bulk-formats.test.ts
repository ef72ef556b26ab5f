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
const UK = { market: { kind: 'one', market: 'UK' } };

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
