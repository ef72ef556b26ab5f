// What a run has not got to is left as it was, however the run ended: status, time, why it failed.

import { afterEach, describe, expect, it } from '@jest/globals';
import {
  check,
  choiceOf,
  granted,
  look,
  runAll,
  runOn,
  SANDBOX,
  type Sheet,
  sheetOf,
  startRun,
  US_ASINS,
} from './bulk-list';
import { createWorld, type World, type WorldOptions } from './world';

let world: World;
afterEach(() => world.stop());

const [DOWN = '', ...OTHERS] = US_ASINS.slice(30, 110);
const MISTYPED = 'B0-WRONG';
const SIX_HOURS_MS = 6 * 3_600_000;

/** Products that are answered, one that fails, one that cannot be read; run once, long ago. */
async function analyzed(
  lines: readonly string[] = [...OTHERS, DOWN, MISTYPED],
  sandbox: WorldOptions['sandbox'] = {},
): Promise<Sheet> {
  const sheet = sheetOf([['ASIN'], ...lines.map((asin) => [asin])]);
  world = createWorld({
    sandbox: { ...SANDBOX, faults: { [DOWN]: 'crash' }, ...sandbox },
    host: { documents: [sheet.document] },
  });
  await world.connect();
  await runAll(world);
  await world.host.run(world.host.nowMs() + SIX_HOURS_MS + 60_000);
  return sheet;
}

const rpc = (name: string, payload: object) =>
  ({ functionName: 'rpc', args: [name, payload], door: 'sidebar' }) as const;

const text = (sheet: Sheet) => sheet.values().map((row) => row.map(String).join(' | '));

describe('a run that is stopped', () => {
  it('before its first call leaves every row as it was', async () => {
    const sheet = await analyzed();
    const before = text(sheet);
    const { jobId } = await startRun(world);
    expect(text(sheet)).not.toEqual(before);
    granted(await world.rpc('bulk.stop', { jobId }));
    expect(text(sheet)).toEqual(before);
  });

  it('midway leaves the rows it has not got to, and they are found by what they were', async () => {
    const sheet = await analyzed();
    const before = text(sheet);
    const failed = await check(world, { rows: { kind: 'failed' } });
    expect(failed).toMatchObject({ rows: 2, products: 1 });
    const { jobId } = await startRun(world);
    const slice = world.host.start(rpc('bulk.run', { jobId, lane: 0, maxMs: 300_000 }));
    world.host.start(rpc('bulk.stop', { jobId }), world.host.nowMs() + 8_000);
    await world.host.run();
    await slice;
    const after = text(sheet);
    const changed = after.flatMap((row, at) => (row === before[at] ? [] : [at]));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(OTHERS.length);
    expect(Math.max(...changed)).toBe(changed.length);
    expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({
      rows: 2,
      products: 1,
    });
    expect(
      (await world.rpc('bulk.preflight', await choiceOf(world, { rows: { kind: 'empty' } })))
        .failure,
    ).toMatchObject({ message: 'Every row has its figures. Choose other rows.' });
  });

  it('gives back what stood in a row wherever the row is by now', async () => {
    const sheet = await analyzed();
    const before = text(sheet).slice(1).sort();
    const { jobId } = await startRun(world);
    sheet.grid.insertRows(sheet.id, 5, 2);
    sheet.grid.deleteRows(sheet.id, 2, 1);
    const width = sheet.values()[0]?.length ?? 0;
    const rows = sheet.values().slice(1);
    sheet.grid.write(
      sheet.id,
      2,
      1,
      [...rows].reverse().map((row) => row.slice(0, width)),
    );
    granted(await world.rpc('bulk.stop', { jobId }));
    const filled = text(sheet)
      .slice(1)
      .filter((row) => /[^ |]/.test(row));
    expect(filled.sort()).toEqual(before.filter((row) => !row.startsWith(String(OTHERS[0]))));
  });
});

describe('a run that an outage stops', () => {
  it('leaves what it has not got to, once somebody stops it', async () => {
    const outages = [{ fromMs: Date.UTC(2026, 0, 5, 12), toMs: Number.MAX_SAFE_INTEGER }];
    const sheet = await analyzed([...OTHERS, DOWN, MISTYPED], { outages });
    const before = text(sheet);
    const { jobId } = await startRun(world);
    const held = await runOn(world, jobId);
    expect(held).toMatchObject({ state: 'stuck', problem: { kind: 'run' } });
    // The product that cannot be read is told at once.
    const reached = Number(held.failed) - 1;
    expect(reached).toBeGreaterThan(0);
    expect(reached).toBeLessThan(OTHERS.length);
    granted(await world.rpc('bulk.stop', { jobId }));
    const figures = (lines: readonly string[]) => lines.map((row) => row.split(' | ').slice(0, 6));
    expect(text(sheet).slice(1 + reached)).toEqual(before.slice(1 + reached));
    // A row that was tried in vain says so, beside the figures that were there.
    expect(figures(text(sheet))).toEqual(figures(before));
    expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({ rows: reached + 2 });
  });
});

describe('a run that was cut off', () => {
  it.each([5, 20, 40, 60, 90])('at call %i and is given up leaves no mark', async (killAtCall) => {
    const sheet = await analyzed();
    const before = text(sheet);
    const { jobId } = await startRun(world);
    const slice = rpc('bulk.run', { jobId, lane: 0, maxMs: 300_000 });
    world.host.start({ ...slice, killAtCall });
    await world.host.run(world.host.nowMs() + 60_000);
    await world.host.run();
    granted(await world.rpc('bulk.stop', { jobId }));
    const after = text(sheet);
    expect(after.join()).not.toContain('Queued');
    const times = (lines: readonly string[]) =>
      lines.map((row) => row.split(' | ').slice(0, -1).join());
    // Figures are the same each time; only when they were fetched differs.
    expect(times(after).slice(0, -2)).toEqual(times(before).slice(0, -2));
    expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({ rows: 2 });
  });

  it('while its rows were marked is forgotten by the next run, which finds what failed', async () => {
    const sheet = await analyzed();
    const before = text(sheet);
    const choice = await choiceOf(world);
    for (let killAtCall = 20; !text(sheet).join().includes('Queued'); killAtCall += 1) {
      world.host.start({ ...rpc('bulk.start', choice), killAtCall });
      await world.host.run();
    }
    expect((await look(world)).run).toBeNull();
    expect(await check(world, { rows: { kind: 'failed' } })).toMatchObject({
      rows: 2,
      products: 1,
    });
    const { jobId, rows } = await startRun(world, { rows: { kind: 'failed' } });
    expect(rows).toBe(2);
    granted(await world.rpc('bulk.stop', { jobId }));
    expect(text(sheet)).toEqual(before);
  });
});

describe('a retry', () => {
  it('takes the rows that failed in the run, not those that failed long before it', async () => {
    await analyzed([...OTHERS.slice(0, 5), DOWN, DOWN]);
    const { jobId } = await startRun(world, { rows: { kind: 'failed' } });
    granted(await world.rpc('bulk.stop', { jobId }));
    const refused = await world.rpc('bulk.retry', { jobId, kinds: ['service-busy'] });
    expect(refused.failure).toMatchObject({ message: 'No row failed before. Choose other rows.' });
  });
});
