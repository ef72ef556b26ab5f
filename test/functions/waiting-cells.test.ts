// Cells that wait are woken once their products are answered: by an open sidebar, and by the clock.

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
  const formula = (i: number) => `=IFERROR(ANALYZE(A${i + 2},"US","as_of"),"")`;
  const cells = Array.from({ length: COUNT - 1 }, (_, i) => [{ formula: formula(i) }]);
  world.grid.write(world.sheetId, 2, 2, cells);
  const own = [[{ formula: `=ANALYZE(A${COUNT + 1},"US","as_of",$D$1)` }]];
  world.grid.write(world.sheetId, COUNT + 1, 2, own);
  await world.host.run();
}

const blanks = () => world.column(2, COUNT - 1).filter((shown) => !(shown instanceof Date)).length;

describe('cells that wait', () => {
  it('show their figures after an open sidebar asked for them, and no others are touched', async () => {
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
    const after = world.formulas(2, COUNT);
    const changed = after.filter((formula, i) => formula !== before[i]);
    expect(changed).toHaveLength(waiting);
    expect(changed.filter((formula) => !formula.includes('"refreshed 2026-'))).toEqual([]);
    expect(await world.rpc('waiting.work', { maxMs: 20_000 })).toEqual({
      ok: true,
      value: { settled: 0, left: 0 },
    });
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
      await world.host.run(world.host.nowMs() + 3_600_000);
    }
    expect(blanks()).toBe(0);
    expect(arrivalsOf(world.service())).toHaveLength(COUNT);
  });
});
