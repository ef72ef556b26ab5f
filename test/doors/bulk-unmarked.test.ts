// People change statuses and rows of products that are being asked for: each is told of in the end.

import { afterEach, expect, it } from '@jest/globals';
import type { Act } from '../../playground/host/sheet/acts';
import { runOn, sheetOf, startRun, US_ASINS, worldMovedBy } from './bulk-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 60);
const STATUS_COLUMN = 7;

type Rows = readonly [first: number, count: number];

const filled = (sheetId: number, [row, count]: Rows, column: number, text: string): Act => {
  const contents = Array.from({ length: count }, () => [text]);
  return { do: 'edit', sheetId, row, column, contents };
};

it.each<[string, (id: number) => Act, number]>([
  ['a status is typed over', (id) => filled(id, [25, 1], STATUS_COLUMN, 'skip'), 1],
  ['a status is cleared', (id) => filled(id, [25, 1], STATUS_COLUMN, ''), 1],
  ['all statuses are cleared', (id) => filled(id, [2, 30], STATUS_COLUMN, ''), 30],
  ['a product is cleared', (id) => filled(id, [25, 1], 1, ''), 1],
  ['rows are deleted', (sheetId) => ({ do: 'deleteRows', sheetId, first: 25, count: 3 }), 3],
  ['rows come in', (sheetId) => ({ do: 'insertRows', sheetId, first: 10, count: 3 }), 0],
])('%s', async (_what, act, lost) => {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  world = await worldMovedBy(sheet, [act(sheet.id)]);
  const { jobId } = await startRun(world);
  const end = await runOn(world, jobId);
  expect(end).toMatchObject({
    ...{ state: 'finished', rows: 30, answered: 30 - lost, failed: 0, left: 0, calls: 30 },
    notPlaced: { count: lost },
  });
  const written = sheet.values().filter((row) => String(row[STATUS_COLUMN - 1]).startsWith('OK '));
  expect(written).toHaveLength(30 - lost);
});

it('a product that stands in two rows, of which one loses its mark, has its answer in the other', async () => {
  const sheet = sheetOf([['ASIN'], ...[...LIST, LIST[23]].map((asin) => [asin ?? ''])]);
  world = await worldMovedBy(sheet, [filled(sheet.id, [25, 1], STATUS_COLUMN, '')]);
  const { jobId } = await startRun(world);
  const end = await runOn(world, jobId);
  expect(end).toMatchObject({ state: 'finished', answered: 30, notPlaced: { count: 0 } });
});
