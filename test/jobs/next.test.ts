// A list that is analyzed once the job over another one has ended.

import { afterEach, describe, expect, test } from '@jest/globals';
import {
  ASINS,
  atWork,
  granted,
  type JobAtWork,
  type ListWorld,
  listWorld,
  look,
  startJob,
  workOff,
} from '../doors/bulk-list';

let world: ListWorld;
afterEach(async () => world.stop());

const corner = (sheetId: number) => ({
  sheetId,
  rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
});

/** A job over the first sheet, and a second sheet that is to follow. */
async function queued() {
  world = await listWorld(ASINS.slice(0, 12));
  const { grid } = world.sheet;
  const first = await startJob(world);
  const { jobId } = first.status;
  const id = grid.addSheet('Second', grid.sheets().length);
  grid.write(id, 1, 1, [['ASIN'], ...ASINS.slice(12, 18).map((asin) => [asin])]);
  grid.select(corner(id));
  const { choice } = await look(world);
  const choices = [choice];
  const { status } = atWork(await world.rpc('jobs.queueNext', { jobId, sheetId: id, choices }));
  const next = [{ sheetId: id, market: 'US', isMine: true }];
  expect(status).toMatchObject({ jobId, state: 'running', next });
  const statusOf = () => world.rpc('jobs.status').then(granted);
  return { first, id, statusOf };
}

/** Has the first list follow its own job for the other market. Returns its sheet. */
async function queueUk({ status: { jobId } }: JobAtWork): Promise<number> {
  const { grid, id: sheetId } = world.sheet;
  grid.select(corner(sheetId));
  const { choice } = await look(world);
  const uk = { ...Object(choice), market: { kind: 'one', market: 'UK' } };
  granted(await world.rpc('jobs.queueNext', { jobId, sheetId, choices: [uk] }));
  return sheetId;
}

describe('a list that follows a job', () => {
  test('is analyzed by the clock, if nobody has the page open', async () => {
    const { first, id, statusOf } = await queued();
    expect(await workOff(world, first)).toMatchObject({ state: 'done', next: [{ sheetId: id }] });
    expect(await look(world)).toMatchObject({ isNextDue: true });
    await world.pass(2);
    const status = await statusOf();
    expect(status).toMatchObject({ state: 'done', products: 6, sheet: { id, name: 'Second' } });
    expect(status.next).toEqual([]);
  });

  test('begins for the page that sees the end, and no longer once it is taken back', async () => {
    const { first, id, statusOf } = await queued();
    await world.rpc('jobs.beginNext').then((reply) => expect(reply).toMatchObject({ value: null }));
    await workOff(world, first);
    const second = atWork(await world.rpc('jobs.beginNext'));
    expect(second.status).toMatchObject({ state: 'running', sheet: { id } });
    const { jobId } = second.status;
    const { grid, id: firstId } = world.sheet;
    grid.select(corner(firstId));
    const { choice } = await look(world);
    for (const choices of [[choice], []])
      granted(await world.rpc('jobs.queueNext', { jobId, sheetId: firstId, choices }));
    await workOff(world, second);
    expect(await world.rpc('jobs.beginNext')).toMatchObject({ ok: true, value: null });
    expect((await statusOf()).next).toEqual([]);
  });

  /** Selects these rows of the second sheet, and queues them. */
  async function queueSelected(areas: readonly { row: number; rowCount: number }[], id: number) {
    const { grid } = world.sheet;
    const [rectangle, ...others] = areas.map((area) => ({ ...area, column: 1, columnCount: 1 }));
    if (rectangle === undefined) throw new Error('Nothing is selected.');
    grid.select({ sheetId: id, rectangle, others });
    const { choice } = await look(world);
    const { jobId } = granted(await world.rpc('jobs.status'));
    const selected = { ...Object(choice), rows: { kind: 'selection' } };
    return world.rpc('jobs.queueNext', { jobId, sheetId: id, choices: [selected] });
  }

  test('may be rows that were selected, wherever they are and whatever is selected by then', async () => {
    const { first, id } = await queued();
    const { grid } = world.sheet;
    const areas = [
      { row: 3, rowCount: 2 },
      { row: 6, rowCount: 1 },
    ];
    granted(await queueSelected(areas, id));
    grid.insertRows(id, 2, 3);
    grid.select({ sheetId: id, rectangle: { row: 2, column: 1, rowCount: 9, columnCount: 1 } });
    await workOff(world, first);
    const { status, queue } = atWork(await world.rpc('jobs.beginNext'));
    expect(status).toMatchObject({ rows: 3, products: 3, sheet: { id } });
    expect(queue).toEqual([13, 14, 16].map((at) => `${ASINS[at]}|US`));
  });

  test('may be no more selected rows than there is room for, and what waits stays', async () => {
    const { id, statusOf } = await queued();
    const { grid } = world.sheet;
    grid.write(
      id,
      2,
      1,
      ASINS.slice(12, 213).map((asin) => [asin]),
    );
    const before = (await statusOf()).next;
    expect(await queueSelected([{ row: 2, rowCount: 201 }], id)).toMatchObject({
      ok: false,
      failure: { message: 'At most 200 products of selected rows can wait. Choose other rows.' },
    });
    expect((await statusOf()).next).toEqual(before);
    granted(await queueSelected([{ row: 2, rowCount: 200 }], id));
  });

  test('is given up where its sheet is gone', async () => {
    const { first, id, statusOf } = await queued();
    world.sheet.grid.deleteSheet(id);
    await workOff(world, first);
    expect(await world.rpc('jobs.beginNext')).toMatchObject({ ok: false });
    expect((await statusOf()).next).toEqual([]);
  });

  test('may be the other market of the same list, wherever its column is by then, before other lists', async () => {
    const { first, statusOf } = await queued();
    const sheetId = await queueUk(first);
    await workOff(world, first);
    world.sheet.grid.insertColumns(sheetId, 1, 1);
    for (const [name, market] of [
      ['Second', 'US'],
      ['Sheet1', 'UK'],
    ]) {
      const begun = atWork(await world.rpc('jobs.beginNext'));
      expect(begun.status).toMatchObject({ state: 'running', sheet: { name } });
      expect(begun.queue.map((key) => key.slice(-2))).toEqual(begun.queue.map(() => market));
      await workOff(world, begun);
    }
    expect((await statusOf()).next).toEqual([]);
  });

  test('is not asked for in the other market once its run is stopped; other lists are', async () => {
    const { first, id } = await queued();
    await queueUk(first);
    const { jobId } = first.status;
    const { status } = atWork(await world.rpc('jobs.setState', { jobId, state: 'stopped' }));
    expect(status.next).toMatchObject([{ sheetId: id }]);
  });
});
