// A schedule that is run while it is at work already: from two tabs, and by hand while its clock strikes.

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { granted, runOn, type Sheet, sheetOf, startRun, US_ASINS } from './bulk-list';
import { history, pass, schedule, shownNow, strike, worldWith } from './schedule-list';
import type { World } from './world';

const ROWS = 60;

let world: World;
let sheet: Sheet;
beforeEach(async () => {
  sheet = sheetOf([['ASIN'], ...US_ASINS.slice(700, 700 + ROWS).map((asin) => [asin])]);
  world = await worldWith(sheet);
  await schedule(world);
});
afterEach(() => world.stop());

const runNow = () =>
  world.host.start({
    ...{ functionName: 'rpc', door: 'sidebar' },
    args: ['schedule.run', { id: 's1', maxMs: 300_000 }],
  });
const wait = (ms: number) => world.host.run(world.host.nowMs() + ms);
const digest = async () => granted(await world.rpc('schedule.look')).digest;

describe('a schedule that is at work', () => {
  it.each([0, 300, 1_000, 3_000, 8_000])(
    'is not run a second time %d ms after the first',
    async (ms) => {
      const first = runNow();
      await wait(ms);
      const second = runNow();
      await world.host.run();
      const replies = [(await first).value, (await second).value];
      expect(replies).toContainEqual(
        expect.objectContaining({
          ok: false,
          failure: expect.objectContaining({
            kind: 'schedule',
            message: expect.stringMatching(/at work already/),
          }),
        }),
      );
      expect(replies).toContainEqual(expect.objectContaining({ ok: true }));
      expect(world.service().arrived).toBe(ROWS);
      expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: ROWS }]);
      const shown = await shownNow(world);
      expect(shown).toMatchObject({ isUnderWay: false, last: { refreshed: ROWS } });
      expect(shown).not.toHaveProperty('problem');
      expect(await digest()).toBeNull();
    },
  );

  it('goes on undisturbed when its clock strikes', async () => {
    await pass(world, 21);
    world.host.stores.cache.wipe();
    const byHand = runNow();
    await wait(3_000);
    await strike(world);
    await byHand;
    const runs = await history(world);
    expect(runs.every(({ outcome }) => outcome === 'done')).toBe(true);
  });
});

describe('a schedule that a paused run holds up', () => {
  it('says so in the digest, which has nothing else', async () => {
    const { jobId } = await startRun(world);
    granted(await world.rpc('bulk.pause', { jobId }));
    await runOn(world, jobId);
    await pass(world, 24);
    expect(await digest()).toMatchObject({
      ...{ refreshed: 0, changes: 0, marked: [] },
      problem: { kind: 'schedule', message: expect.stringMatching(/a run over a list is paused/i) },
    });
  });

  it('is no news to who has just run it by hand', async () => {
    const { jobId } = await startRun(world);
    granted(await world.rpc('bulk.pause', { jobId }));
    await runOn(world, jobId);
    const byHand = runNow();
    await world.host.run(world.host.nowMs() + 60_000);
    expect(await byHand).toMatchObject({ value: { value: { run: { outcome: 'failed' } } } });
    expect(await digest()).toBeNull();
  });
});
