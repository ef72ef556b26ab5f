// Which rows a job takes, and what becomes of lists and tabs that people change meanwhile.

import { afterEach, describe, expect, test } from '@jest/globals';
import {
  ASINS,
  choiceOf,
  granted,
  type ListWorld,
  listWorld,
  preview,
  runAll,
  startJob,
  workOff,
} from '../doors/bulk-list';

let world: ListWorld;
afterEach(async () => world.stop());

const DAY_MS = 24 * 3_600_000;
const LIST = ASINS.slice(0, 8);
const [A = '', B = '', C = ''] = ASINS;

/** The rows of the list that show figures. */
const rowsWithFigures = () =>
  LIST.flatMap((_, at) => (typeof world.shown(at + 2).Profit === 'number' ? [at + 2] : []));

const area = (row: number, rowCount: number) => ({ row, rowCount, column: 1, columnCount: 1 });

describe('a job takes rows', () => {
  test('that are selected, of several ranges', async () => {
    world = await listWorld(LIST);
    const { grid, id } = world.sheet;
    grid.select({ sheetId: id, rectangle: area(7, 2), others: [area(1, 2), area(4, 1)] });
    const rows = { kind: 'selection' };
    expect(await preview(world, { rows })).toMatchObject({ rows: 4, calls: 4 });
    await runAll(world, { rows });
    expect(rowsWithFigures()).toEqual([2, 4, 7, 8]);
  });

  test('that neither a person nor a filter hides', async () => {
    world = await listWorld(LIST);
    world.sheet.grid.hideRows(world.sheet.id, 4, 3);
    await runAll(world, { rows: { kind: 'visible' } });
    expect(rowsWithFigures()).toEqual([2, 3, 7, 8, 9]);
  });

  test('that have no figures, that failed, or that are older than some days', async () => {
    world = await listWorld([A, 'B000000000', B, C]);
    const { grid, id } = world.sheet;
    grid.select({ sheetId: id, rectangle: area(2, 2) });
    await runAll(world, { rows: { kind: 'selection' } });
    const of = async (rows: object) => (await preview(world, { rows })).rows;

    expect(await of({ kind: 'empty' })).toBe(2);
    expect(await of({ kind: 'failed' })).toBe(1);
    expect(await of({ kind: 'older', days: 1 })).toBe(3);
    await runAll(world, { rows: { kind: 'empty' } });
    await world.wait(2 * DAY_MS);
    expect(await of({ kind: 'older', days: 1 })).toBe(4);
    expect(await of({ kind: 'older', days: 3 })).toBe(1);
    const none = await world.rpc(
      'jobs.preview',
      await choiceOf(world, { rows: { kind: 'empty' } }),
    );
    expect(none.failure?.message).toBe('Every row has its figures. Choose other rows.');
  });

  test('and shows those that could not be read, whatever their status says', async () => {
    world = await listWorld([A, 'Warehouse', '4006381333931', 'B000000000']);
    const { jobId } = await runAll(world);
    const shown = async (...kinds: readonly string[]) =>
      granted(await world.rpc('jobs.showFailed', { jobId, kinds })).rows;
    expect([3, 4, 5].map((row) => world.shown(row)['Analysis status'])).toEqual([
      ...['Not an ASIN', 'Which product?', 'Not found'],
    ]);
    expect(await shown('bad-asin')).toBe(2);
    expect(await shown('not-found')).toBe(1);
  });

  test('of one product, which is asked again whatever is known', async () => {
    world = await listWorld([A, B, A]);
    await runAll(world);
    const again = await runAll(world, { rows: { kind: 'product', product: `${A}|US` } });
    expect(again).toMatchObject({ rows: 2, products: 1, answered: 1 });
    expect(world.asked()).toEqual([A, B, A]);
  });
});

describe('a job counts', () => {
  test('each product once, also if its answer is sent twice', async () => {
    world = await listWorld(LIST);
    const { status, queue } = await startJob(world);
    const { jobId } = status;
    const products = queue.slice(0, 4);
    const { answers } = granted(await world.rpc('jobs.ask', { jobId, products, maxMs: 9_000 }));
    await world.rpc('jobs.record', { jobId, answers, calls: 4 });
    const twice = granted(await world.rpc('jobs.record', { jobId, answers, calls: 0 }));
    expect(twice).toMatchObject({ state: 'running', answered: 4, left: 4, calls: 4 });
    const rest = { jobId, products: queue.slice(4), maxMs: 9_000 };
    const { answers: last } = granted(await world.rpc('jobs.ask', rest));
    const end = granted(await world.rpc('jobs.record', { jobId, answers: last, calls: 4 }));
    expect(end).toMatchObject({ state: 'done', answered: 8, left: 0 });
  });

  test('what was answered before it began as needing no call', async () => {
    world = await listWorld(LIST);
    await world.show('ANALYZE', A, 'US', 'profit');
    expect(await preview(world)).toMatchObject({ products: 8, fresh: 1, calls: 7 });
    expect(await runAll(world)).toMatchObject({ answered: 7, cached: 1, calls: 7 });
  });
});

describe('people', () => {
  test('delete the tab while it works: it is made again and asked again for nothing', async () => {
    world = await listWorld(LIST);
    const { status, queue } = await startJob(world);
    const { jobId } = status;
    const asked = granted(await world.rpc('jobs.ask', { jobId, products: queue, maxMs: 9_000 }));
    const { grid } = world.sheet;
    const tab = grid.sheets().find(({ name }) => name === 'Analysis');
    world.people({ do: 'deleteSheet', sheetId: tab?.id ?? -1 });
    const { answers, calls } = asked;
    await world.rpc('jobs.record', { jobId, answers, calls });
    await world.rpc('jobs.setState', { jobId, state: 'running' });

    expect(await runAll(world)).toMatchObject({ state: 'done' });

    expect(rowsWithFigures()).toHaveLength(LIST.length);
    expect(world.asked()).toHaveLength(LIST.length);
  });

  test('delete the tab between two records: the new one has its columns marked at once', async () => {
    world = await listWorld(LIST);
    const { status, queue } = await startJob(world);
    const { jobId } = status;
    const { grid } = world.sheet;
    const tabId = () => Number(grid.sheets().find(({ name }) => name === 'Analysis')?.id);
    const recordNext = async (products: readonly string[]) => {
      const asked = granted(await world.rpc('jobs.ask', { jobId, products, maxMs: 9_000 }));
      const { answers, calls } = asked;
      return granted(await world.rpc('jobs.record', { jobId, answers, calls }));
    };
    expect(await recordNext(queue.slice(0, 4))).toMatchObject({ calls: 4 });
    world.people({ do: 'deleteSheet', sheetId: tabId() });
    await recordNext(queue.slice(4));
    // A column without a mark is known by its title alone, and would be added once more.
    const { lastColumn } = grid.size(tabId());
    grid.write(tabId(), 1, 5, [['Gain']]);

    granted(await world.rpc('jobs.setState', { jobId, state: 'stopped' }));

    expect(grid.size(tabId()).lastColumn).toBe(lastColumn);
  });

  test('delete the list while it works: the job ends, and the answers are in the tab', async () => {
    world = await listWorld(LIST);
    const begun = await startJob(world);
    world.sheet.grid.addSheet('Other', 2);
    world.people({ do: 'deleteSheet', sheetId: world.sheet.id });
    expect(await workOff(world, begun)).toMatchObject({ state: 'done', answered: LIST.length });
    expect(world.tab().every((row) => row.Status === 'OK')).toBe(true);
  });

  test('sort the list and type over products while it works: each row shows its own', async () => {
    world = await listWorld(LIST);
    const begun = await startJob(world);
    const rectangle = { row: 2, column: 1, rowCount: LIST.length, columnCount: 12 };
    const { id: sheetId } = world.sheet;
    world.people({ do: 'sort', sheetId, rectangle, keys: [{ column: 1, ascending: false }] });
    const other = String(ASINS[20]);
    world.people({ do: 'edit', sheetId, row: 3, column: 1, contents: [[other]] });
    await workOff(world, begun);
    const byAsin = new Map(world.tab().map((row) => [row.ASIN, row.Profit]));
    for (let row = 2; row < 2 + LIST.length; row += 1) {
      const shown = world.shown(row);
      expect(shown.Profit).toBe(byAsin.get(shown.ASIN ?? '') ?? '');
    }
    expect(world.shown(3)).toMatchObject({ ASIN: other, Profit: '', 'Analysis status': '' });
  });

  test('type over a figure in the tab: the list shows what was recorded, and so does the tab after the next analysis', async () => {
    world = await listWorld([A]);
    await runAll(world);
    const own = world.shown(2).Profit;
    world.typeInTab(`${A}|US`, 'Profit', 1_000_000);
    expect(world.shown(2).Profit).toBe(own);
    await runAll(world, { rows: { kind: 'product', product: `${A}|US` } });
    expect([world.shown(2).Profit, world.tab()[0]?.Profit]).toEqual([own, own]);
  });

  test('merge two product cells: the first row is a product, and the second is listed as left out', async () => {
    world = await listWorld([A, B, C]);
    const rectangle = { row: 2, column: 1, rowCount: 2, columnCount: 1 };
    world.people({ do: 'merge', sheetId: world.sheet.id, rectangle });
    const why = expect.stringContaining('stands in a cell that is merged over several rows.');
    expect(await preview(world)).toMatchObject({
      unreadable: { count: 1, rows: [{ row: 3, shown: A, why }] },
    });
    expect(await runAll(world)).toMatchObject({ rows: 2, products: 2 });
    expect(typeof world.shown(2).Profit).toBe('number');
    expect(world.shown(3).Profit).toBe('');
    expect(typeof world.shown(4).Profit).toBe('number');
  });
});

test('a list with more products than were counted starts nothing, and is counted anew', async () => {
  world = await listWorld(LIST);
  const choice = await choiceOf(world);
  const { products } = await preview(world);
  const titles = world.shown(1);
  const { id: sheetId } = world.sheet;
  const contents = [[ASINS[20] ?? '']];
  world.people({ do: 'edit', sheetId, row: LIST.length + 2, column: 1, contents });
  const failure = { why: 'list-changed', message: expect.stringContaining('9 products') };
  const start = (counted: unknown) => world.rpc('jobs.start', { ...choice, products: counted });
  expect(await start(products)).toMatchObject({ ok: false, failure });
  expect(world.shown(1)).toEqual(titles);
  expect(await start((await preview(world)).products)).toMatchObject({ ok: true });
});

test('a column that moved since it was chosen is looked for again, and no other is marked', async () => {
  world = await listWorld(LIST);
  const choice = await choiceOf(world);
  const { id: sheetId } = world.sheet;
  world.people({ do: 'insertColumns', sheetId, first: 1, count: 1 });
  world.people({ do: 'edit', sheetId, row: 1, column: 1, contents: [['Parent ASIN'], [C]] });
  const failure = { why: 'look-again', message: expect.stringContaining('"ASIN"') };
  expect(await world.rpc('jobs.start', choice)).toMatchObject({ ok: false, failure });
  expect(await runAll(world)).toMatchObject({ state: 'done', answered: LIST.length });
});

test('a column of markets that moved since it was chosen is looked for again, too', async () => {
  const rows = LIST.map((asin) => [asin, 'US', 'UK']);
  world = await listWorld([['ASIN', 'Market', 'Shop'], ...rows]);
  const choice = await choiceOf(world);
  expect(choice).toMatchObject({ market: { kind: 'column', column: 2, title: 'Market' } });
  world.people({ do: 'moveColumns', sheetId: world.sheet.id, first: 2, count: 1, before: 4 });
  const failure = { why: 'look-again', message: expect.stringContaining('"Market"') };
  expect(await world.rpc('jobs.start', choice)).toMatchObject({ ok: false, failure });
  expect(await runAll(world)).toMatchObject({ state: 'done', answered: LIST.length });
  expect(world.shown(2)).toMatchObject({ Market: 'US', 'Analysis status': 'OK' });
});

test('the next start leaves no row waiting after one that was cut off, and marks the columns of the tab', async () => {
  const operations: string[] = [];
  const observe = ({ operation, args }: { operation: string; args: readonly unknown[] }) =>
    void operations.push(`${operation} ${String(args[1])}`);
  world = await listWorld(LIST, { host: { observe } });
  operations.length = 0;
  const choice = await choiceOf(world);
  const looked = operations.length;
  granted(await world.rpc('jobs.start', choice));
  const killAtCall = operations.indexOf('properties.set job') - looked + 1;
  await world.stop();

  world = await listWorld(LIST);
  const args = ['jobs.start', await choiceOf(world)];
  const cut = await world.run({ functionName: 'rpc', args, door: 'sidebar', killAtCall });
  expect(cut.ended).toBe('killed');
  expect(world.tab().map((row) => row.Status)).toEqual(LIST.map(() => 'Waiting'));
  world.sheet.grid.select({ sheetId: world.sheet.id, rectangle: area(2, 1) });

  await runAll(world, { rows: { kind: 'selection' } });

  expect(world.tab().map((row) => row.Status)).toEqual(['OK', ...LIST.slice(1).map(() => '')]);
  const { grid } = world.sheet;
  const tabId = Number(grid.sheets().find(({ name }) => name === 'Analysis')?.id);
  const { lastColumn } = grid.size(tabId);
  grid.write(tabId, 1, 5, [['Gain']]);
  await runAll(world);
  expect(grid.size(tabId).lastColumn).toBe(lastColumn);
});

describe('a job leaves out and names', () => {
  test('the rows under another row of titles, also beside decisions', async () => {
    world = await listWorld([
      ['ASIN', 'Cost', 'Qty'],
      ...[
        [A, 4, 6],
        ['ASIN', 'Cost', 'Qty'],
        [B, 4, 6],
        ['asin ', 'Qty', 'Cost'],
        [C, 6, 4],
        [A, 40, 6],
      ],
    ]);
    expect((await preview(world)).unreadable).toMatchObject({
      count: 3,
      rows: [{ row: 3 }, { row: 6, why: expect.stringContaining('row 5') }, { row: 7 }],
    });
    await runAll(world);
    expect(world.asked()).toEqual([A, B]);
    expect([2, 4, 6, 7].map((row) => typeof world.shown(row).Profit)).toEqual([
      ...['number', 'number', 'string', 'string'],
    ]);
    expect(granted(await world.rpc('list.look', {}))).toMatchObject({ newRows: 0 });
  });

  test('two products in one cell, and barcodes without an ASIN', async () => {
    world = await listWorld([
      ['ASIN', 'EAN'],
      [`${A} / ${B}`, ''],
      [C, 4006381333931],
      ['', '4006381333931'],
      ['', ''],
      ['', 'to come'],
    ]);
    expect((await preview(world)).unreadable).toEqual({
      count: 2,
      rows: [
        { row: 2, shown: expect.any(String), why: expect.stringContaining('names two products') },
        { row: 4, shown: '', why: expect.stringContaining('no ASIN') },
      ],
    });
  });
});
