// One column of products, run for two markets: neither takes the figures of the other away unasked.

import { afterEach, describe, expect, it } from '@jest/globals';
import { createCatalogue } from '../../playground/api/catalogue';
import { check, granted, runAll, SANDBOX, type Sheet, sheetOf, startRun } from './bulk-list';
import { pass, schedule } from './schedule-list';
import { createWorld, type World } from './world';

let world: World;
afterEach(() => world.stop());

const { asins } = createCatalogue(SANDBOX.seed, SANDBOX.productsPerMarket);
const LIST = [...asins.UK].filter((asin) => asins.US.has(asin)).slice(0, 6);
const US = { market: { kind: 'one', market: 'US' } };
const UK = { market: { kind: 'one', market: 'UK' } };

async function analyzedIn(market: object): Promise<Sheet> {
  const sheet = sheetOf([['ASIN'], ...LIST.map((asin) => [asin])]);
  world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
  await world.connect();
  await runAll(world, market);
  return sheet;
}

const OF_UK = ['Profit (UK)', 'ROI (UK)', 'Analysis status (UK)', 'Analyzed at (UK)'];

describe('a list that was run for the US', () => {
  it('keeps its figures when it is run for the UK, which get columns of their own', async () => {
    const sheet = await analyzedIn(US);
    const before = sheet.values().map((row) => row.slice(0, 8));
    const { added, areApart, replaced } = await check(world, UK);
    expect(added).toEqual(expect.arrayContaining(OF_UK));
    expect({ areApart, replaced }).toEqual({ areApart: true, replaced: 0 });
    expect(await runAll(world, UK)).toMatchObject({ state: 'finished', rows: LIST.length });
    expect(sheet.values().map((row) => row.slice(0, 8))).toEqual(before);
    for (const [at, asin] of LIST.entries())
      expect(sheet.byHeader(at + 2)).toMatchObject({
        'Analysis status': `OK ${asin} US`,
        'Analysis status (UK)': `OK ${asin} UK`,
      });
  });

  it('is refreshed where its figures stand, whichever market comes next', async () => {
    const sheet = await analyzedIn(US);
    await runAll(world, UK);
    const titles = sheet.values()[0];
    expect(await check(world, US)).toMatchObject({ added: [], areApart: false, replaced: 0 });
    expect(await check(world, UK)).toMatchObject({ added: [], areApart: true, replaced: 0 });
    await runAll(world, US);
    await runAll(world, UK);
    expect(sheet.values()[0]).toEqual(titles);
  });

  it('has its figures replaced by who asks for that, and the check says how many rows', async () => {
    const sheet = await analyzedIn(US);
    const wish = { ...UK, apart: false };
    expect(await check(world, wish)).toMatchObject({ added: [], replaced: LIST.length });
    await runAll(world, wish);
    expect(sheet.byHeader(2)['Analysis status']).toBe(`OK ${LIST[0]} UK`);
    expect(await check(world, UK)).toMatchObject({ added: [], areApart: false, replaced: 0 });
  });

  it('that is partly of the UK by now says how many rows are replaced, or gets columns', async () => {
    const sheet = await analyzedIn(US);
    sheet.grid.select({
      sheetId: sheet.id,
      rectangle: { row: 2, column: 1, rowCount: 2, columnCount: 1 },
    });
    await runAll(world, { ...UK, apart: false, rows: { kind: 'selection' } });
    const all = { ...UK, rows: { kind: 'all' } };
    expect(await check(world, all)).toMatchObject({ areApart: false, replaced: LIST.length - 2 });
    expect(await check(world, { ...all, apart: true })).toMatchObject({
      areApart: true,
      replaced: 0,
      added: expect.arrayContaining(OF_UK),
    });
  });

  it('keeps its figures when a run for the UK was only begun', async () => {
    const sheet = await analyzedIn(US);
    const { jobId } = await startRun(world, { ...UK, apart: false });
    granted(await world.rpc('bulk.stop', { jobId }));
    expect(sheet.byHeader(2)['Analysis status']).toBe(`OK ${LIST[0]} US`);
    expect(await check(world, UK)).toMatchObject({ areApart: true });
  });

  it('keeps its figures beside a schedule for the UK', async () => {
    const sheet = await analyzedIn(US);
    await schedule(world, 's1', UK);
    await pass(world, 24);
    expect(sheet.byHeader(2)).toMatchObject({
      'Analysis status': `OK ${LIST[0]} US`,
      'Analysis status (UK)': `OK ${LIST[0]} UK`,
    });
  });
});

describe('two columns of products, each run for two markets', () => {
  it('have four sets of columns', async () => {
    const sheet = sheetOf([
      ['ASIN', 'Other'],
      ...LIST.map((asin, at) => [asin, LIST.at(at - 1) ?? '']),
    ]);
    world = createWorld({ sandbox: SANDBOX, host: { documents: [sheet.document] } });
    await world.connect();
    for (const productColumn of [1, 2])
      for (const market of [US, UK])
        expect(await runAll(world, { ...market, productColumn })).toMatchObject({ failed: 0 });
    const titles = sheet
      .values()[0]
      ?.filter((title) => String(title).startsWith('Analysis status'));
    expect(titles).toEqual([
      'Analysis status',
      'Analysis status (UK)',
      'Analysis status (Other)',
      'Analysis status (Other, UK)',
    ]);
  });
});
