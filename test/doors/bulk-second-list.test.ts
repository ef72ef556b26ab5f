// Two columns of products in one sheet: each keeps the figures that a run wrote for it.

import { afterEach, describe, expect, it } from '@jest/globals';
import { check, granted, runAll, sheetOf, startRun, US_ASINS } from './bulk-list';
import { worldWith } from './schedule-list';
import type { World } from './world';

let world: World;
afterEach(() => world.stop());

const LIST = US_ASINS.slice(30, 36);
const TITLES = ['Profit', 'ROI', 'Fees', 'Eligible', 'Rank drops 30d', 'Analysis status'];
const SECOND = [...TITLES, 'Analyzed at'].map((title) => `${title} (Parent ASIN)`);
const PARENT = { productColumn: 2 };

const family = () =>
  sheetOf([['ASIN', 'Parent ASIN'], ...LIST.map((asin, at) => [asin, US_ASINS[at] ?? ''])]);

describe('a second column of products', () => {
  it('gets columns of its own, and both are refreshed where they are', async () => {
    const sheet = family();
    world = await worldWith(sheet);
    await runAll(world);
    const first = sheet.values().map((row) => row.slice(0, 8));
    expect(await check(world, PARENT)).toMatchObject({ added: SECOND });
    expect(await runAll(world, PARENT)).toMatchObject({ answered: 6 });
    expect(sheet.values().map((row) => row.slice(0, 8))).toEqual(first);
    expect(sheet.byHeader(2)['Analysis status (Parent ASIN)']).toBe(`OK ${US_ASINS[0]} US`);
    for (const wish of [{ productColumn: 1 }, PARENT])
      expect(await runAll(world, wish)).toMatchObject({ cached: 6, keptCells: 0 });
    expect(sheet.byHeader(3)['Analysis status']).toBe(`OK ${LIST[1]} US`);
    expect(sheet.byHeader(3)['Analysis status (Parent ASIN)']).toBe(`OK ${US_ASINS[1]} US`);
    expect(sheet.values()[0]).toHaveLength(2 + 7 + 7);
  });

  it('keeps them when its run was stopped at once', async () => {
    const sheet = family();
    world = await worldWith(sheet);
    await runAll(world);
    const { jobId } = await startRun(world, PARENT);
    granted(await world.rpc('bulk.stop', { jobId }));
    expect(sheet.values()[0]?.slice(9)).toEqual(SECOND);
    expect(await check(world, PARENT)).toMatchObject({ added: [] });
  });
});
