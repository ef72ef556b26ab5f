// Cells that wait calculate again once their products are answered: by an open sidebar, and by the clock.

import { afterEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf } from '../../playground/api/state';
import { SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld } from '../doors/formulas-list';

const SLOW = { apiKey: 'demo-key-60-per-minute', quota: { calls: 60, perSeconds: 60, burst: 1 } };
const COUNT = 60;

let world: FormulaWorld;
afterEach(() => world.stop());

/** More cells than the key answers in 30 s, and a list of which the rest waits too. */
async function worldWaiting(): Promise<void> {
  const rows = US_ASINS.slice(0, COUNT).map((asin) => [asin, '']);
  world = formulaWorld([['ASIN', 'Profit'], ...rows], { sandbox: SANDBOX });
  await world.connect(SLOW);
  // A formula without a product brings the refresh cell, and uses no call.
  world.grid.write(world.sheetId, 2, 3, [[{ formula: '=ANALYZE(F2,,,ANALYZE_REFRESH)' }]]);
  await world.refresh();
  const formula = (i: number) => `=IFERROR(ANALYZE(A${i + 2},"US","as_of",ANALYZE_REFRESH),"")`;
  const cells = Array.from({ length: COUNT - 1 }, (_, i) => [{ formula: formula(i) }]);
  world.grid.write(world.sheetId, 2, 2, cells);
  const own = [[{ formula: `=ANALYZE(A${COUNT + 1},"US","as_of",$D$1)` }]];
  world.grid.write(world.sheetId, COUNT + 1, 2, own);
  await world.host.run();
}

const blanks = () => world.column(2, COUNT - 1).filter((shown) => !(shown instanceof Date)).length;

describe('cells that wait', () => {
  it('show their figures after an open sidebar asked for them, with no other call', async () => {
    await worldWaiting();
    const before = world.formulas(2, COUNT);
    const waiting = blanks();
    expect(waiting).toBeGreaterThan(0);
    for (let left = 1; left > 0; ) {
      const { value } = await world.rpc('waiting.work', { maxMs: 20_000 });
      left = Number(value?.left);
    }
    expect(blanks()).toBe(0);
    expect(arrivalsOf(world.service())).toHaveLength(COUNT);
    expect(world.formulas(2, COUNT)).toEqual(before);
    expect(await world.rpc('waiting.work', { maxMs: 20_000 })).toEqual({
      ok: true,
      value: { settled: 0, left: 0, isShown: false },
    });
  });

  it('are not shown where others would have to be asked for once more', async () => {
    await worldWaiting();
    await world.refresh();
    await world.pass(7);
    const [before, calls] = [world.refreshedMs(), arrivalsOf(world.service()).length];
    const list = US_ASINS.slice(COUNT, COUNT + 60).map((asin) => [asin]);
    await world.show('ANALYZE', list, 'US', 'as_of');
    const replies: unknown[] = [];
    for (let left = 1; left > 0; ) {
      const { value } = await world.rpc('waiting.work', { maxMs: 300_000 });
      left = Number(value?.left);
      replies.push(value?.isShown);
    }
    expect(replies.at(-1)).toBe(false);
    expect(world.refreshedMs()).toBe(before);
    expect(arrivalsOf(world.service())).toHaveLength(calls + 60);
  });

  it('are still waited for when a setting says how answers are to be read', async () => {
    await worldWaiting();
    const waiting = async () => (await world.rpc('connection.status')).value?.waiting;
    const before = await waiting();
    expect(before).toBeGreaterThan(0);
    await world.connect({ ...SLOW, apiKey: '', settings: { roiUnit: 'fraction' } });
    expect(await waiting()).toBe(before);
  });

  it('show them after the clock came by', async () => {
    await worldWaiting();
    for (let firing = 0; firing < 3; firing += 1) {
      void world.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
      await world.pass(1);
    }
    expect(blanks()).toBe(0);
    expect(arrivalsOf(world.service())).toHaveLength(COUNT);
  });
});
