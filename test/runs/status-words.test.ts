// The status column as a person reads it, and what a run reads behind its words.

import { afterEach, describe, expect, it } from '@jest/globals';
import { calculating } from 'apps-script-host/calculation';
import { columnLetters } from 'apps-script-host/sheet/a1-notation';
import type { CellContent } from 'apps-script-host/sheet/model';
import type { PlainGrid } from 'apps-script-host/sheet/plain-grid';
import {
  check,
  choiceOf,
  granted,
  runAll,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from '../doors/bulk-list';
import { createWorld, type World } from '../doors/world';
import { okCell, openly, saidIn } from '../table/status-cells';

let world: World;

afterEach(() => world.stop());

const LIST = US_ASINS.slice(1_200, 1_220);
const STATUS = 'Analysis status';

/** What nobody sees is taken out, as by a tool that keeps what is printed alone. */
const seen = (text: unknown) => openly(text).replace(/‹[^›]*›/, '');
const rowsOf = (sheet: Sheet) => sheet.values().slice(1);
const columnOf = (sheet: Sheet) => Number(sheet.values()[0]?.indexOf(STATUS)) + 1;
const statuses = (sheet: Sheet) => rowsOf(sheet).map((row) => row[columnOf(sheet) - 1]);

function rewrite(sheet: Sheet, change: (status: unknown) => string): void {
  const cells = statuses(sheet).map((status) => [change(status)]);
  sheet.grid.write(sheet.id, 2, columnOf(sheet), cells);
}

async function worldWith(sheet: Sheet, faults: Record<string, 'crash'> = {}): Promise<void> {
  world = createWorld({ sandbox: { ...SANDBOX, faults }, host: { documents: [sheet.document] } });
  await world.connect();
}

const listOf = (products: readonly (string | undefined)[]) =>
  sheetOf([['ASIN'], ...products.map((asin) => [asin ?? ''])]);

describe('the status column', () => {
  it('says in a word or two what came of each row', async () => {
    const [fine = '', down = ''] = LIST;
    const sheet = sheetOf([
      ['ASIN', 'Market'],
      [fine, 'US'],
      ['B0NOTFOUND', 'US'],
      ['no product', 'US'],
      [fine, 'Mars'],
      [down, 'US'],
    ]);
    await worldWith(sheet, { [down]: 'crash' });
    const { runId } = await startRun(world);
    expect(new Set(statuses(sheet).map(seen))).toEqual(new Set(['Waiting']));
    await runOn(world, runId);
    expect(statuses(sheet).map(seen)).toEqual([
      'OK',
      'Not found',
      'Not an ASIN',
      'Unknown market',
      'No answer',
    ]);
  });

  it('is counted by the word that it begins with', async () => {
    const sheet = listOf([...LIST, 'no product']);
    await worldWith(sheet);
    await runOn(world, (await startRun(world)).runId);
    calculating(sheet.grid, { nowMs: () => world.host.nowMs() });
    const letters = columnLetters(columnOf(sheet));
    const besides = columnOf(sheet) + 3;
    const counts = ['OK*', 'Not an ASIN*', 'OK'].map((word) => ({
      formula: `=COUNTIF($${letters}$1:$${letters}$50;"${word}")`,
    }));
    sheet.grid.write(sheet.id, 1, besides, [counts]);
    expect(sheet.values()[0]?.slice(besides - 1)).toEqual([LIST.length, 1, 0]);
  });

  it('is read where an earlier version wrote it in the open, also in the midst of a run', async () => {
    const sheet = listOf([...LIST, 'no product', 'B0NOTFOUND']);
    await worldWith(sheet);
    await runAll(world);
    rewrite(sheet, (status) => {
      const said = saidIn(status);
      return said.startsWith('[') ? `Not analyzed: the cell says “why”. Mend it ${said}` : said;
    });
    expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({ rows: 2 });
    const rows = { rows: { kind: 'all' } };
    const { runId } = await startRun(world, rows);
    expect(saidIn(statuses(sheet).at(-1))).toMatch(
      /^Queued \(\w+\), before: \[not-found B0NOTFOUND/,
    );
    rewrite(sheet, saidIn);
    expect(await runOn(world, runId)).toMatchObject({ state: 'finished', cached: LIST.length });
    expect(statuses(sheet).slice(0, LIST.length)).toEqual(LIST.map((asin) => okCell(asin)));
  });

  it('gives back the words of rows that a run in the open did not get to', async () => {
    const sheet = listOf([...LIST, 'no product', 'B0NOTFOUND']);
    await worldWith(sheet);
    await runAll(world);
    const before = statuses(sheet);
    const { runId } = await startRun(world);
    rewrite(sheet, (status) =>
      saidIn(status).replace('before: [', 'before: Not analyzed: it failed. Try again ['),
    );
    granted(await world.rpc('bulk.stop', { runId }));
    expect(statuses(sheet)).toEqual(before);
  });

  it('that lost what no one sees is filled anew; with words of somebody it stays', async () => {
    const sheet = listOf([...LIST, 'B0NOTFOUND']);
    await worldWith(sheet);
    await runAll(world);
    rewrite(sheet, seen);
    expect(await runAll(world)).toMatchObject({ state: 'finished', cached: LIST.length });
    expect(statuses(sheet).slice(0, LIST.length)).toEqual(LIST.map((asin) => okCell(asin)));
    const [first = ''] = statuses(sheet).map(String);
    const own = first.replace('OK', 'OK, call Ann');
    sheet.grid.write(sheet.id, 2, columnOf(sheet), [[own]]);
    await runAll(world);
    expect(statuses(sheet)[0]).toBe(own);
  });

  it('tells from it that another product was typed beside the figures', async () => {
    const sheet = listOf(LIST);
    await worldWith(sheet);
    await runAll(world);
    sheet.grid.write(sheet.id, 5, 1, [[US_ASINS[1_300] ?? '']]);
    expect(await check(world, { rows: { kind: 'empty' } })).toMatchObject({ rows: 1 });
  });
});

describe('a sheet that keeps no invisible characters', () => {
  it('ends a start in words instead of a run that forgets its rows', async () => {
    const sheet = listOf(LIST);
    const { write } = sheet.grid;
    const strip = (cell: CellContent) => (typeof cell === 'string' ? seen(cell) : cell);
    const writeSeen: PlainGrid['write'] = (id, row, column, contents) =>
      write(
        id,
        row,
        column,
        contents.map((line) => line.map(strip)),
      );
    Object.assign(sheet.grid, { write: writeSeen });
    await worldWith(sheet);
    const { failure } = await world.rpc('bulk.start', await choiceOf(world));
    expect(failure).toMatchObject({ kind: 'run' });
    expect(world.service().arrived).toBe(0);
  });
});
