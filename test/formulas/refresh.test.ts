// A refresh of formulas: their products are asked for once, and then one cell makes all of them calculate.

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CellValue } from 'apps-script-host/sheet/model';
import { arrivalsOf, callsByProduct, refusalsOf } from '../../playground/api/state';
import { granted, SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld } from '../doors/formulas-list';
import { BASE_URL, EDITOR, type WorldOptions } from '../doors/world';

const HOUR = 3_600_000;
const FAST = { apiKey: 'demo-key-20-per-second', quota: { calls: 20, perSeconds: 1, burst: 40 } };
const [MUG = '', BOX = '', CUP = '', PAN = '', POT = ''] = US_ASINS.slice(300);

let world: FormulaWorld;
afterEach(() => world.stop());

/** Before anybody has connected a key, every formula has failed. */
async function worldOf(
  rows: readonly (readonly CellValue[])[],
  options: WorldOptions = {},
  prepare: Parameters<typeof formulaWorld>[2] = () => {},
): Promise<void> {
  world = formulaWorld([['ASIN', 'Figure'], ...rows], { sandbox: SANDBOX, ...options }, prepare);
  world.live.all();
  await world.host.run();
}

const calls = () => arrivalsOf(world.service()).length;
const asked = () => [...callsByProduct(world.service()).keys()].sort();
const passTime = (hours: number) => world.wait(hours * HOUR);
const listOf = (asins: readonly string[], figure = 'as_of') =>
  asins.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","${figure}",ANALYZE_REFRESH)`]);

describe('formulas that name the refresh cell', () => {
  it('show figures after one refresh, with one call a product', async () => {
    const [cells, products] = [120, 40];
    const asins = Array.from({ length: cells }, (_, i) => US_ASINS[i % products] ?? '');
    await worldOf(listOf(asins));
    await world.connect(FAST);
    const before = world.formulas(2, cells);
    const startMs = world.host.nowMs();
    const executions = world.live.executions();
    expect(await world.refresh(true)).toMatchObject({
      ...{ refreshed: cells, failed: 0, left: 0, calls: products },
      ...{ lacking: 0, ownRefresh: 0 },
    });
    expect(calls()).toBe(products);
    const dates = world.column(2, cells).map(Number);
    expect(dates.every((atMs) => atMs >= startMs)).toBe(true);
    expect(world.refreshedMs()).toBeLessThanOrEqual(Math.min(...dates));
    expect(world.formulas(2, cells)).toEqual(before);
    // Once when the name comes to exist, once when it is set.
    expect(world.live.executions() - executions).toBeLessThanOrEqual(2 * cells);
    expect(refusalsOf(world.service())).toBe(0);
  });

  it('ask again for what is older than six hours, and for nothing else', async () => {
    await worldOf([
      ...listOf([MUG, BOX]),
      [CUP, '=ANALYZE(A4,"US","as_of","mine")'],
      [PAN, '=ANALYZE(A5,"US","as_of")'],
    ]);
    await world.connect(FAST);
    expect(await world.refresh()).toMatchObject({
      ...{ refreshed: 2, calls: 2, ownRefresh: 1, lacking: 1 },
    });
    const first = world.column(2, 2).map(Number);
    await passTime(5);
    await world.show('ANALYZE', MUG, 'US', 'as_of', 'other');
    expect(await world.refresh()).toMatchObject({ refreshed: 2, calls: 0 });
    const second = world.column(2, 2).map(Number);
    expect(second[0]).toBeGreaterThan(Number(first[0]));
    expect(second[1]).toBe(first[1]);
    await passTime(3);
    expect(await world.refresh()).toMatchObject({ refreshed: 2, calls: 1 });
    expect(asked()).toEqual([`US ${BOX}`, `US ${MUG}`].sort());
    // Pressed again and again, cells calculate each time, for nothing.
    const executions = world.live.executions();
    const held = [world.refreshedMs()];
    for (let presses = 1; presses <= 3; presses += 1) {
      expect(await world.refresh()).toMatchObject({ refreshed: 2, calls: 0 });
      expect(world.live.executions() - executions).toBe(2 * presses);
      held.push(world.refreshedMs());
    }
    expect(new Set(held).size).toBe(held.length);
  });

  it('keep what they show until all products are asked', async () => {
    const count = 80;
    await worldOf(listOf(US_ASINS.slice(0, count)));
    await world.connect(); // 5 calls a second
    await world.refresh();
    await passTime(7);
    const [before, setMs] = [world.column(2, count), world.refreshedMs()];
    const wish = { maxMs: 5_000, onlyFailed: false };
    const { left, refreshed } = granted(await world.rpc('formulas.refresh', wish));
    expect(refreshed).toBe(0);
    expect(Number(left)).toBeGreaterThan(20);
    expect(world.column(2, count)).toEqual(before);
    expect(world.refreshedMs()).toBe(setMs);
    expect(await world.refresh()).toMatchObject({ refreshed: count, left: 0, calls: left });
    expect(calls()).toBe(2 * count);
  });

  it('goes on where it was cut off, at whatever call, and pays for nothing twice', async () => {
    const asins = US_ASINS.slice(0, 60);
    await worldOf(listOf(asins));
    await world.connect(FAST);
    for (let killAtCall = 10; killAtCall < 60; killAtCall += 5) {
      const args = ['formulas.refresh', { maxMs: 30_000, onlyFailed: false }];
      void world.host.start({ functionName: 'rpc', args, door: 'sidebar', killAtCall });
      await world.host.run();
    }
    expect(await world.refresh()).toMatchObject({ refreshed: 60, left: 0 });
    expect(world.column(2, 60).every((shown) => shown instanceof Date)).toBe(true);
    // One wave may be lost with the script that was about to keep it.
    expect(calls()).toBeLessThanOrEqual(60 + 40);
  });

  it('get the cell again where a person has deleted the tab', async () => {
    await worldOf(listOf([MUG]));
    await world.connect(FAST);
    await world.refresh();
    const tab = world.grid.sheets().find(({ name }) => name === 'Analysis');
    world.grid.deleteSheet(tab?.id ?? -1);
    expect(world.refreshedMs()).toBeNaN();
    expect(await world.refresh()).toMatchObject({ refreshed: 1, calls: 0 });
    expect(world.refreshedMs()).toBeGreaterThan(0);
  });
});

describe('formulas of every kind', () => {
  const ROWS = [MUG, BOX, CUP, PAN];
  it.each<[formula: string, products: readonly string[]]>([
    ['=ANALYZE(B2,,"profit",ANALYZE_REFRESH)', [MUG]],
    [`=IFERROR(ANALYZE("${POT}";"US";"profit";analyze_refresh);"none")`, [POT]],
    ['=ANALYZE(\'It\'\'s, (mine)\'!$A$1:A2,"US","profit",ANALYZE_REFRESH)', [POT]],
    ['=ANALYZE(B2:B,,"roi",ANALYZE_REFRESH)', ROWS],
    ['=ANALYZE(TRIM(B3),,"roi",ANALYZE_REFRESH)', [BOX]],
    ['=ANALYZE_WHAT_IF(B2:B3,,C2:C3,,ANALYZE_REFRESH)', [MUG]],
    ['=IFERROR(ANALYZE(B2,"US",,ANALYZE_REFRESH),"ANALYZE(B3)")', [MUG]],
    ['=ANALYZE({"X","Y"},"US",,ANALYZE_REFRESH)', []],
    // Only Sheets can work these out, so their cells ask by themselves.
    ['=MAP(B2:B3,LAMBDA(p,ANALYZE(p,,,ANALYZE_REFRESH)))', [MUG, BOX]],
  ])('%s', async (formula, products) => {
    world = formulaWorld(
      [
        ['Formula', 'ASIN', 'Price'],
        [formula, MUG, 12],
        ...ROWS.slice(1).map((asin) => ['', asin, '']),
      ],
      { sandbox: SANDBOX },
      (grid) => grid.write(grid.addSheet("It's, (mine)", 2), 1, 1, [[POT]]),
    );
    await world.connect(FAST);
    expect(await world.refresh()).toMatchObject({ left: 0, lacking: 0, ownRefresh: 0 });
    expect(asked()).toEqual(products.map((asin) => `US ${asin}`).sort());
    expect(world.formulas(1, 1)).toEqual([formula]);
  });

  it('with a product that the service does not know are calculated, and counted as failed', async () => {
    await worldOf(listOf(['B000000000', MUG]));
    await world.connect(FAST);
    expect(await world.refresh()).toMatchObject({ refreshed: 1, failed: 1, left: 0, calls: 2 });
    await passTime(1);
    expect(await world.refresh()).toMatchObject({ refreshed: 1, failed: 1, calls: 0 });
    expect(calls()).toBe(2);
  });
});

describe('what stands in the way', () => {
  it('is told where there is no key', async () => {
    await worldOf(listOf([MUG]));
    const { failure } = await world.rpc('formulas.refresh', { maxMs: 30_000, onlyFailed: false });
    expect(failure?.kind).toBe('no-connection');
  });

  it("is told where formulas have made their calls of the day, which are the owner's to set", async () => {
    await worldOf(listOf(US_ASINS.slice(0, 12)));
    await world.connect({ ...FAST, cellsPerDay: 5 });
    expect(await world.refresh()).toMatchObject({
      ...{ refreshed: 0, calls: 5, problem: { kind: 'cells-limit' } },
    });
    expect(world.refreshedMs()).toBeNaN();
  });

  it('is told where the tab is protected', async () => {
    await worldOf(listOf([MUG]));
    await world.connect(FAST);
    await world.refresh();
    await passTime(1);
    const tab = world.grid.sheets().find(({ name }) => name === 'Analysis');
    world.grid.protect({ sheetId: tab?.id ?? -1, rectangle: null });
    const wish = { maxMs: 30_000, onlyFailed: false };
    const { failure } = await world.rpc('formulas.refresh', wish, EDITOR);
    expect(failure?.message).toContain('Analysis');
  });
});

describe('a connection', () => {
  it('that is made shows figures where there were none, and asks nothing where all show some', async () => {
    await worldOf([...listOf([MUG, '']), [BOX, '=ANALYZE(A4,"US","profit",$D$1)']]);
    await world.connect(FAST);
    expect(await world.refresh(true)).toMatchObject({ refreshed: 2, calls: 1, ownRefresh: 1 });
    await passTime(7);
    world.grid.write(world.sheetId, 3, 2, [['']]);
    expect(await world.refresh(true)).toMatchObject({ refreshed: 0, calls: 0 });
  });

  it('of samples shows these, and nobody is asked', async () => {
    await worldOf(listOf(['B0SAMPLE01', MUG], 'profit'));
    await world.rpc('demo.start');
    expect(await world.refresh(true)).toMatchObject({ refreshed: 1, failed: 1, left: 0 });
    expect(world.column(2, 2)).toEqual([9.85, '#ERROR!']);
    expect(calls()).toBe(0);
  });

  it('with another key replaces one that was refused', async () => {
    await worldOf(listOf([MUG]));
    await world.connect({ ...FAST, apiKey: 'demo-key-of-nobody' });
    expect(await world.refresh(true)).toMatchObject({ problem: { kind: 'key-refused' } });
    await world.connect(FAST);
    expect(await world.refresh(true)).toMatchObject({ refreshed: 1, left: 0 });
    expect(world.column(2, 1)).toEqual([expect.any(Date)]);
  });

  it('of the owner alone serves formulas, and those of somebody else cost them nothing', async () => {
    const own = { ...FAST, sharing: 'me' } as const;
    await worldOf(listOf(US_ASINS.slice(0, 40)));
    granted(await world.rpc('connection.save', { baseUrl: BASE_URL, ...own }, EDITOR));
    const wish = { maxMs: 30_000, onlyFailed: true };
    const { failure } = await world.rpc('formulas.refresh', wish, EDITOR);
    expect(failure?.message).toContain("use the owner's key");
    expect(calls()).toBe(0);
    await world.connect(own);
    expect(await world.refresh(true)).toMatchObject({ left: 0, failed: 0 });
    expect(world.column(2, 40).every((shown) => shown instanceof Date)).toBe(true);
    expect(calls()).toBe(40);
  });
});
