// What people change in the sheet while a run is at work: its name, its headers, where its columns stand.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { Act } from '../../playground/host/sheet/acts';
import {
  granted,
  look,
  runAll,
  runOn,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
  worldMovedBy,
} from './bulk-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 60);
const list = () => sheetOf([['ASIN', 'Note'], ...LIST.map((asin) => [asin, `note of ${asin}`])]);

async function meanwhile(sheet: Sheet, ...acts: readonly Act[]): Promise<void> {
  world = await worldMovedBy(sheet, acts);
}

/** Each product's row holds its own figures, below the header. */
function expectAllInPlace(sheet: Sheet, productColumn = 1): void {
  const rows = sheet.values().slice(1);
  const products = rows.map((row) => row[productColumn - 1]);
  expect(products).toEqual(LIST);
  expect(rows.map((row) => row[7])).toEqual(LIST.map((asin) => `OK ${asin} US`));
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
    const { jobId, ...end } = await runAll(world);
    const message = 'The sheet was deleted. Undo that to go on, or stop the run.';
    expect(end).toMatchObject({ state: 'stuck', problem: { kind: 'run', message } });
    granted(await world.rpc('bulk.stop', { jobId }));
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
      ...LIST.slice(0, 10).map((asin) => `OK ${asin} US`),
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
    const { jobId } = await startRun(world);
    const stuck = await runOn(world, jobId);
    expect(stuck).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
    expect(JSON.stringify(stuck.problem)).toContain('The column \\"ASIN\\" is no longer');
    world.host.act({ do: 'undo' });
    granted(await world.rpc('bulk.resume', { jobId }));
    expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', left: 0, failed: 0 });
    expectAllInPlace(sheet);
    expect(world.service().arrived).toBe(30);
  });
});
