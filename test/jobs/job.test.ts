// A job through the page's methods: what is asked, what stands in the tab, and what lists show.

import { afterEach, describe, expect, test } from '@jest/globals';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import {
  ASINS,
  granted,
  type ListWorld,
  listWorld,
  preview,
  runAll,
  setState,
  startJob,
  workOff,
} from '../doors/bulk-list';
import { EDITOR } from '../doors/world';

let world: ListWorld;
afterEach(async () => world.stop());

const unique = (list: readonly unknown[]) => [...new Set(list)];

describe('a list that is analyzed', () => {
  test('shows the figures of every product beside it, and asks each once', async () => {
    world = await listWorld([...ASINS.slice(0, 12), String(ASINS[3])]);

    const status = await runAll(world);

    expect(status).toMatchObject({ state: 'done', rows: 13, products: 12, answered: 12, left: 0 });
    expect([...world.asked()].sort()).toEqual(ASINS.slice(0, 12).sort());
    for (let row = 2; row <= 14; row += 1)
      expect(world.shown(row)).toMatchObject({
        'Analysis status': 'OK',
        Profit: expect.any(Number),
        'Analyzed at': expect.anything(),
      });
    expect(world.shown(14).Profit).toBe(world.shown(5).Profit);
    expect(world.tab()).toHaveLength(12);
  });

  test('makes the cell that formulas name, also where a person deleted its name', async () => {
    world = await listWorld(ASINS.slice(0, 2));
    const book = featuresOf(world.sheet.grid);
    const named = () => book.names().filter(({ name }) => name === 'ANALYZE_REFRESH');
    await runAll(world);
    expect(named()).toHaveLength(1);
    book.setNames([]);
    await runAll(world, { rows: { kind: 'product', product: `${ASINS[0]}|US` } });
    expect(named()).toHaveLength(1);
  });

  test('is not paid for again while its figures are fresh', async () => {
    world = await listWorld(ASINS.slice(0, 5));
    await runAll(world);
    world.host.stores.cache.wipe();

    const again = await runAll(world);

    expect(again).toMatchObject({ state: 'done', cached: 5, answered: 0, calls: 0 });
    expect(world.asked()).toHaveLength(5);
  });

  test('is asked again once another key is in use', async () => {
    world = await listWorld(ASINS.slice(0, 3));
    await runAll(world);
    await world.connect({ apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1 } });

    const again = await runAll(world);

    expect(again).toMatchObject({ state: 'done', answered: 3 });
  });

  test('has rows for what cannot be read, with the reason', async () => {
    world = await listWorld([String(ASINS[0]), 'Warehouse', 'B000000000']);

    const status = await runAll(world);

    expect(status).toMatchObject({ state: 'done', products: 2, answered: 1, failed: 1 });
    expect([2, 3, 4].map((row) => world.shown(row)['Analysis status'])).toEqual([
      'OK',
      'Not an ASIN',
      'Not found',
    ]);
    expect(world.shown(4).Profit).toBe('');
  });

  test('names the product of a barcode where a person typed it', async () => {
    const barcode = '4006381333931';
    world = await listWorld([barcode, String(ASINS[1])]);
    await runAll(world);
    expect(world.shown(2)['Analysis status']).toBe('Which product?');
    world.typeInTab(`${barcode}|US`, 'ASIN', String(ASINS[0]));

    await runAll(world);

    expect(world.shown(2)['Analysis status']).toBe('OK');
    expect(unique(world.asked()).sort()).toEqual([ASINS[0], ASINS[1]].sort());
  });
});

test('the preview counts what a job would do, and lists what needs attention', async () => {
  const link = `https://www.amazon.com/dp/${ASINS[2]}`;
  world = await listWorld([...ASINS.slice(0, 2), link, String(ASINS[0]), 'Warehouse']);
  await runAll(world, { rows: { kind: 'product', product: `${ASINS[0]}|US` } });

  const seen = await preview(world);

  expect(seen).toMatchObject({
    ...{ rows: 5, products: 3, fresh: 1, calls: 2, added: [] },
    unreadable: { count: 1, rows: [{ row: 6, shown: 'Warehouse' }] },
    repaired: { count: 1, rows: [{ row: 4, repair: 'link', asin: ASINS[2] }] },
    duplicates: { count: 1, rows: [{ row: 5, first: 2 }] },
  });
  expect(seen.problem).toBeUndefined();
});

describe('a job that a person interrupts', () => {
  test('goes on where it was paused, and asks for nothing twice', async () => {
    world = await listWorld(ASINS.slice(0, 30));
    const begun = await startJob(world);
    const { jobId } = begun.status;
    const asked = granted(
      await world.rpc('jobs.ask', { jobId, products: begun.queue, maxMs: 2_000 }),
    );
    await setState(world, jobId, 'paused');
    const refused = await world.rpc('jobs.ask', { jobId, products: asked.left, maxMs: 2_000 });
    expect(granted(refused)).toMatchObject({ answers: [], status: { state: 'paused' } });

    const rest = await setState(world, jobId, 'running');
    const status = await workOff(world, rest);

    // Another window that still works on it sees that it was continued, and ends.
    expect([begun, rest].map(({ status: { continued } }) => continued)).toEqual([0, 1]);
    expect(status).toMatchObject({ state: 'done', products: 30, left: 0, continued: 1 });
    expect(world.asked()).toHaveLength(30);
  });

  test('begins with the figures of the products that were asked ahead', async () => {
    world = await listWorld(ASINS.slice(0, 12));
    await world.rpc('jobs.askAhead', {
      products: ASINS.slice(0, 5).map((asin) => `${asin}|US`),
      maxMs: 4_000,
    });

    const begun = await startJob(world);

    expect(begun.queue).toHaveLength(7);
    expect(world.shown(2)).toMatchObject({ 'Analysis status': 'OK', Profit: expect.any(Number) });
    expect(world.shown(13)['Analysis status']).toBe('Waiting');
    expect(await workOff(world, begun)).toMatchObject({ state: 'done', products: 12, left: 0 });
    expect(world.asked()).toHaveLength(12);
  });

  test('leaves no row waiting once it was stopped', async () => {
    world = await listWorld(ASINS.slice(0, 30));
    const { status, queue } = await startJob(world);
    expect(world.shown(2)['Analysis status']).toBe('Waiting');
    const { jobId } = status;
    const asked = granted(await world.rpc('jobs.ask', { jobId, products: queue, maxMs: 1_000 }));

    await setState(world, jobId, 'stopped');
    await world.rpc('jobs.record', { jobId, answers: asked.answers, calls: 1 });

    const statuses = unique(world.tab().map((row) => row.Status));
    expect(statuses.sort()).toEqual(['', 'OK']);
    expect(world.tab().every((row) => row['Wanted since'] === '')).toBe(true);
  });

  test('is continued by somebody else with their own key', async () => {
    world = await listWorld(ASINS.slice(0, 10));
    const { status } = await startJob(world);
    const { jobId } = status;
    const looked = granted(await world.rpc('list.look', {}, EDITOR));
    expect(looked.job).toMatchObject({ jobId, isMine: false, isWorkedOn: true });
    const refused = await world.rpc('jobs.start', looked.choice as object, EDITOR);
    expect(refused.failure).toMatchObject({ kind: 'run' });

    const rest = await setState(world, jobId, 'running', EDITOR);
    const lost = await world.rpc('jobs.ask', { jobId, products: rest.queue, maxMs: 1_000 });
    expect(granted(lost)).toMatchObject({ answers: [], status: { isMine: false } });
    const ended = await workOff(world, rest, { user: EDITOR });

    expect(ended).toMatchObject({ state: 'done', isMine: true });
  });
});
