// A schedule over a list, as the clock fires: what it asks, writes, logs and tells.

import { afterEach, describe, expect, it } from '@jest/globals';
import { granted } from '../doors/bulk-list';
import { history, pass, schedule, shownNow, strike } from '../doors/schedule-list';
import { analyze } from '../jobs/driver';
import { ASINS, type JobWorld, jobWorld, listOf } from '../jobs/job-world';

let world: JobWorld;
afterEach(async () => world.stop());

describe('a schedule for every morning', () => {
  it('refreshes every product each morning, at one call each', async () => {
    world = await jobWorld(listOf(ASINS.slice(0, 20)));
    await analyze(world);
    await schedule(world);
    expect(world.asked()).toHaveLength(20);
    for (let i = 0; i < 24; i++) {
    await pass(world, 1);
    console.log(new Date(world.host.nowMs()).toISOString(), world.asked().length);
    }
    console.log(JSON.stringify(await shownNow(world)), JSON.stringify(await history(world)), world.tab().slice(0,3));
    console.log(world.sheet.grid.sheets());
    await strike(world);
    expect(world.asked()).toHaveLength(40);
  });
});
