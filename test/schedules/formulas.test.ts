// A schedule over the formulas of a spreadsheet: run by hand and by the clock, and put to an end.

import { afterEach, describe, expect, it } from '@jest/globals';
import { arrivalsOf, type SandboxOptions } from '../../playground/api/state';
import { granted, SANDBOX, US_ASINS } from '../doors/bulk-list';
import { type FormulaWorld, formulaWorld } from '../doors/formulas-list';
import { history, shownIn, shownNow, strike } from '../doors/schedule-list';
import { BASE_URL, EDITOR } from '../doors/world';

let world: FormulaWorld;

afterEach(() => world.stop());

// A schedule over the formulas of a spreadsheet: made as the page makes it, run by hand and by the clock.
describe('formulas that are kept fresh', () => {
  const ASINS = US_ASINS.slice(200, 230);

  const HOUR = 3_600_000;

  const SETTINGS = {
    task: { kind: 'formulas' },
    recurrence: { kind: 'daily', hour: 6 },
    maxAgeHours: 20,
    callsPerHour: null,
    quiet: null,
    rules: [],
  };

  function formulas(faults: SandboxOptions['faults'] = {}): void {
    const rows = ASINS.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of",ANALYZE_REFRESH)`]);
    world = formulaWorld([['ASIN', 'As of'], ...rows], { sandbox: { ...SANDBOX, faults } });
  }

  const calls = () => arrivalsOf(world.service()).length;

  const shown = () => world.column(2, ASINS.length).map(Number);

  const made = async (more: object = {}, userEmail?: string) => {
    const payload = { id: 's1', settings: { ...SETTINGS, ...more } };
    return shownIn(granted(await world.rpc('schedule.save', payload, userEmail)).schedules);
  };

  describe('a schedule over formulas', () => {
    it('is run by hand: cells show new figures, and the history tells of it', async () => {
      formulas();
      await world.connect();
      await made();
      const startMs = world.host.nowMs();
      const { run } = granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
      const did = { outcome: 'done', refreshed: ASINS.length, failed: 0, calls: ASINS.length };
      expect(run).toMatchObject({ ...did, byHand: true });
      expect(await history(world)).toMatchObject([{ ...did, byHand: true }]);
      expect(shown().every((atMs) => atMs >= startMs)).toBe(true);
      expect(calls()).toBe(ASINS.length);
      const again = granted(await world.rpc('schedule.run', { id: 's1', maxMs: 300_000 }));
      expect(again.run).toMatchObject({ outcome: 'done', refreshed: 0, calls: 0 });
    });

    it('is run by the clock every morning, at one call a product', async () => {
      formulas();
      await world.connect();
      expect((await made()).nextAtMs).toBe(Date.UTC(2026, 0, 6, 6));
      for (const day of [1, 2, 3]) {
        await world.pass(24);
        const morningMs = Date.UTC(2026, 0, 5 + day, 6);
        expect(calls()).toBe(day * ASINS.length);
        expect(shown().every((atMs) => atMs >= morningMs && atMs < morningMs + 2 * HOUR)).toBe(
          true,
        );
      }
      expect(await shownNow(world)).toMatchObject({
        isUnderWay: false,
        last: { outcome: 'done', refreshed: ASINS.length, calls: ASINS.length, byHand: false },
      });
      expect(await history(world)).toHaveLength(3);
    });

    it('goes on hour by hour where its calls are few, and asks nothing twice', async () => {
      formulas();
      await world.connect();
      await made({ callsPerHour: 12, recurrence: { kind: 'hourly' } });
      const sums: number[] = [];
      for (let hour = 0; hour < 8; hour += 1) {
        await world.pass(1);
        sums.push(calls());
      }
      expect([...new Set(sums)].filter((sum) => sum > 0)).toEqual([12, 24, ASINS.length]);
      expect(sums.slice(-3)).toEqual(Array(3).fill(ASINS.length));
      expect(shown().every((atMs) => atMs > 0)).toBe(true);
    });
  });

  describe('a product that the service stumbles over every hour', () => {
    it('is counted as failed, and keeps no other from being shown', async () => {
      formulas({ [ASINS[3] ?? '']: 'crash' });
      await world.connect();
      await made({ recurrence: { kind: 'daily', hour: 10 } });
      await world.pass(6);
      expect(shown().filter((atMs) => atMs > 0)).toHaveLength(ASINS.length - 1);
      const counts = { outcome: 'done', refreshed: ASINS.length - 1, failed: 1 };
      expect(await shownNow(world)).toMatchObject({ isUnderWay: false, last: counts });
      expect(await history(world)).toMatchObject([counts]);
    });
  });

  it('more products than the calls of five hours are not asked for, which is told', async () => {
    formulas();
    await world.connect();
    await made({ callsPerHour: 5 });
    await world.pass(24);
    expect(calls()).toBe(0);
    expect((await shownNow(world)).problem?.message).toContain('30 products');
  });

  describe('formulas that use the key of the owner alone', () => {
    it("are refreshed by the owner's clock, and by nobody else's", async () => {
      formulas();
      await world.connect({ sharing: 'me' });
      await world.show('ANALYZE', ASINS[0], 'US', 'profit');
      const quota = { calls: 20, perSeconds: 1, burst: 40 };
      const own = { baseUrl: BASE_URL, apiKey: 'demo-key-20-per-second', quota, sharing: 'me' };
      granted(await world.rpc('connection.save', own, EDITOR));
      await world.show('ANALYZE', ASINS[1], 'US', 'profit');
      await made({ recurrence: { kind: 'hourly' } }, EDITOR);
      await world.pass(2);
      await strike(world, { userEmail: EDITOR });
      expect(calls()).toBe(2);
      expect((await shownNow(world, 's1', EDITOR)).problem).toMatchObject({
        message: expect.stringContaining("use the owner's key"),
      });
      granted(await world.rpc('schedule.adopt', { id: 's1' }));
      await world.pass(2);
      expect(calls()).toBe(ASINS.length);
      expect((await shownNow(world)).problem).toBeUndefined();
    });
  });
});

// A schedule over formulas that somebody puts an end to while its run is under way: it makes no more calls.
describe('formulas whose schedule ends', () => {
  const ASINS = US_ASINS.slice(300, 800);

  const SETTINGS = { recurrence: { kind: 'hourly' }, maxAgeHours: 20, callsPerHour: null };

  const FORMULAS = { ...SETTINGS, task: { kind: 'formulas' }, quiet: null, rules: [] };

  /** What a wave or two may still bring: somebody is heard every few seconds, at five calls a second. */
  const CALLS_MORE = 50;

  async function made(): Promise<void> {
    const rows = ASINS.map((asin, i) => [asin, `=ANALYZE(A${i + 2},"US","as_of",ANALYZE_REFRESH)`]);
    world = formulaWorld([['ASIN', 'As of'], ...rows], { sandbox: SANDBOX });
    await world.connect();
    granted(await world.rpc('schedule.save', { id: 's1', settings: FORMULAS }));
  }

  /** The clock is at work on 500 formulas, and has begun to ask. */
  async function begun(): Promise<number> {
    await made();
    while (world.service().arrived < 20) await world.wait(10_000);
    return world.service().arrived;
  }

  it.each<[string, string, object]>([
    ['switched off', 'schedule.switch', { isOn: false }],
    ['removed', 'schedule.remove', {}],
    [
      'given other hours',
      'schedule.save',
      { settings: { ...FORMULAS, recurrence: { kind: 'monthly', hour: 3, day: 1 } } },
    ],
  ])('one that is %s', async (_, method, payload) => {
    const arrived = await begun();
    granted(await world.rpc(method, { id: 's1', ...payload }));
    await world.pass(3);
    expect(world.service().arrived).toBeLessThan(arrived + CALLS_MORE);
    // Answers that came before are kept for their cells, which were not made to recalculate any more.
    expect(world.refreshedMs()).toBeNaN();
  });

  it('one whose key is removed', async () => {
    const arrived = await begun();
    granted(await world.rpc('connection.clear', {}));
    await world.pass(3);
    expect(world.service().arrived).toBeLessThan(arrived + CALLS_MORE);
    expect((await shownNow(world)).problem?.message).toMatch(/key/);
  });

  it('one that is run by hand and switched on meanwhile goes on', async () => {
    await made();
    granted(await world.rpc('schedule.switch', { id: 's1', isOn: false }));
    const args = ['schedule.run', { id: 's1', maxMs: 300_000 }];
    void world.host.start({ functionName: 'rpc', args, door: 'sidebar' });
    await world.wait(20_000);
    granted(await world.rpc('schedule.switch', { id: 's1', isOn: true }));
    await world.pass(0.2);
    expect(await history(world)).toMatchObject([{ outcome: 'done', refreshed: ASINS.length }]);
  });
});
