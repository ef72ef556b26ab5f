// A wave that Google throws away as a whole, because one of its products is never answered.

import { afterEach, describe, expect, test } from '@jest/globals';
import { ASINS, type ListWorld, listWorld, runAll } from '../doors/bulk-list';

let world: ListWorld;
afterEach(async () => world.stop());

const TWENTY = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };

/** A job over 60 products in waves of 20, of which the one at this place breaks its wave. */
async function run(breaking: string, at: number) {
  const list = ASINS.slice(0, 59);
  world = await listWorld([...list.slice(0, at), breaking, ...list.slice(at)], TWENTY);
  const job = await runAll(world);
  return { job, status: world.tab()[at]?.Status, calls: world.asked().length };
}

describe.each([
  // Two more tries of the product alone, or none.
  ['is never answered', 'B0SILENCE0', 2],
  ['breaks the connection', 'B0RESET000', 0],
])('one of 60 products that %s', (_, breaking, more) => {
  test.each([0, 33, 59])('costs no more than its wave once more (at %d)', async (at) => {
    const { job, status, calls } = await run(breaking, at);
    expect(job).toMatchObject({ state: 'done', answered: 59, failed: 1, left: 0 });
    expect(status).toBe('No answer');
    // The wave of 20 that was lost is asked once more.
    expect(calls).toBeLessThanOrEqual(60 + 20 + more);
  });

  test('goes alone in the next run, and costs one call', async () => {
    const { calls } = await run(breaking, 33);
    const job = await runAll(world);
    expect(job).toMatchObject({ state: 'done', failed: 1, left: 0 });
    expect(world.asked().length - calls).toBe(1);
  });
});

test('a formula over 60 products with one that is never answered pays for no wave again and again', async () => {
  const list = [...ASINS.slice(0, 20), 'B0SILENCE0', ...ASINS.slice(20, 59)];
  world = await listWorld(list, TWENTY);
  const range = list.map((asin) => [asin]);
  const shown = async () => {
    const { value } = await world.show('ANALYZE', range, 'US', 'eligible');
    return (value as readonly (readonly unknown[])[]).flat();
  };
  await shown();
  // As the open page does, and the formula calculated once more.
  await world.rpc('waiting.work', { maxMs: 120_000 });
  const cells = await shown();
  expect(cells.filter((cell) => typeof cell === 'boolean').length).toBeGreaterThanOrEqual(55);
  expect(cells[20]).toContain('Not analyzed');
  // The wave of twenty that was lost is asked once more, and the one alone.
  expect(world.asked().length).toBeLessThanOrEqual(60 + 20 + 3);
});

test('what a cell has just fetched is fresh for a list as well', async () => {
  const list = ASINS.slice(0, 12);
  world = await listWorld(list);
  await world.show(
    'ANALYZE',
    list.map((asin) => [asin]),
    'US',
    'profit',
  );
  expect(world.asked().length).toBe(12);
  expect(await runAll(world)).toMatchObject({ state: 'done', failed: 0, calls: 0 });
  expect(world.asked().length).toBe(12);
  expect(world.tab().map(({ Status }) => Status)).toEqual(list.map(() => 'OK'));
});
