// A list that is analyzed once the job over another one has ended.

import { afterEach, describe, expect, test } from '@jest/globals';
import { atWork, granted, look, startJob, workOff } from '../doors/bulk-list';
import { ASINS, type JobWorld, jobWorld, listOf, waitFor } from './job-world';

let world: JobWorld;
afterEach(async () => world.stop());

const HOUR_MS = 3_600_000;

const corner = (sheetId: number) => ({
  sheetId,
  rectangle: { row: 1, column: 1, rowCount: 1, columnCount: 1 },
});

/** A job over the first sheet, and a second sheet that is to follow. */
async function queued() {
  world = await jobWorld(listOf(ASINS.slice(0, 12)));
  const { grid } = world.sheet;
  const first = await startJob(world);
  const { jobId } = first.status;
  const id = grid.addSheet('Second', grid.sheets().length);
  grid.write(id, 1, 1, listOf(ASINS.slice(12, 18)) as never);
  grid.select(corner(id));
  const { choice } = await look(world);
  const { status } = atWork(await world.rpc('jobs.queueNext', { jobId, choice }));
  expect(status).toMatchObject({ jobId, state: 'running', next: { sheetId: id, isMine: true } });
  const statusOf = () => world.rpc('jobs.status').then(granted);
  return { first, id, statusOf };
}

describe('a list that follows a job', () => {
  test('is analyzed by the clock, if nobody has the page open', async () => {
    const { first, id, statusOf } = await queued();
    expect(await workOff(world, first)).toMatchObject({ state: 'done', next: { sheetId: id } });
    expect(await look(world)).toMatchObject({ isNextDue: true });
    await waitFor(world, 2 * HOUR_MS);
    const status = await statusOf();
    expect(status).toMatchObject({ state: 'done', products: 6, sheet: { id, name: 'Second' } });
    expect(status.next).toBeUndefined();
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
    granted(await world.rpc('jobs.queueNext', { jobId, choice }));
    granted(await world.rpc('jobs.queueNext', { jobId, choice: null }));
    await workOff(world, second);
    expect(await world.rpc('jobs.beginNext')).toMatchObject({ ok: true, value: null });
    expect((await statusOf()).next).toBeUndefined();
  });

  test('is given up where its sheet is gone', async () => {
    const { first, id, statusOf } = await queued();
    world.sheet.grid.deleteSheet(id);
    await workOff(world, first);
    expect(await world.rpc('jobs.beginNext')).toMatchObject({ ok: false });
    expect((await statusOf()).next).toBeUndefined();
  });
});
