// The spreadsheet's lock held by somebody else for longer than a run waits for it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { BUILT } from '../build-once';
import { granted, runOn, SANDBOX, sheetOf, startRun, US_ASINS } from './bulk-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(100, 160);
const HELD_MS = 30_000;

/** As a crowd of cells does that all book at once. */
const HOLDING = `
function holdLock(ms) { LockService.getDocumentLock().tryLock(100); Utilities.sleep(ms); }`;

const built = (name: string) => readFileSync(join(BUILT, name), 'utf8');

async function startedRun(): Promise<unknown> {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  const dist = {
    code: built('Code.js') + HOLDING,
    html: { Sidebar: built('Sidebar.html') },
    manifest: built('appsscript.json'),
  };
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document], dist } });
  await world.connect();
  return (await startRun(world)).jobId;
}

/** The lock is held from so many ms on. */
function holdFrom(afterMs: number): void {
  const call = { functionName: 'holdLock', args: [HELD_MS], door: 'sidebar' } as const;
  void world.host.start(call, world.host.nowMs() + afterMs);
}

async function holdNow(): Promise<void> {
  holdFrom(0);
  await world.host.run(world.host.nowMs() + 3_000);
}

describe('a lock that is not had', () => {
  it('at the end of a slice loses no count, and the next slice is called for', async () => {
    const jobId = await startedRun();
    holdFrom(5_000);
    const { status, againInMs } = granted(
      await world.rpc('bulk.run', { jobId, lane: 0, maxMs: 5_000 }),
    );
    expect(againInMs).toBeGreaterThan(0);
    expect(status).toMatchObject({ rows: 60, answered: 24, left: 36, calls: 24 });
    const end = await runOn(world, jobId);
    expect(end).toMatchObject({ state: 'finished', rows: 60, answered: 60, calls: 60 });
    expect(world.service().arrived).toBe(60);
  });

  it.each(['bulk.pause', 'bulk.stop'])(
    'by %s is told as that, and the run goes on as if nobody had wished it',
    async (method) => {
      const jobId = await startedRun();
      await holdNow();
      const { failure } = await world.rpc(method, { jobId });
      expect(failure?.message).toBe(
        'Others are at work in this spreadsheet just now. Try again in a moment.',
      );
      expect(granted(await world.rpc('bulk.status'))).toMatchObject({ left: 60 });
      expect(await runOn(world, jobId)).toMatchObject({ state: 'finished', answered: 60 });
    },
  );

  it('by bulk.resume is told as that', async () => {
    const jobId = await startedRun();
    granted(await world.rpc('bulk.pause', { jobId }));
    await holdNow();
    const { failure } = await world.rpc('bulk.resume', { jobId });
    expect(failure?.message).toMatch(/^Others are at work/);
    expect(granted(await world.rpc('bulk.status'))).toMatchObject({ state: 'paused', left: 60 });
  });
});
