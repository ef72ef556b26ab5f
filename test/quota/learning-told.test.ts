// What a service says of its quota: how it is kept, corrected, and no longer believed.

import { describe, expect, it } from '@jest/globals';
import {
  describeLearned,
  firstLearned,
  type Learned,
  type LearningEvent,
  learn,
  learnedPace,
} from '../../src/quota/learn-rate';
import { openWorld } from './gate-world';

const NOW = 1_760_000_000_000;

const rateOf = (state: Learned) => 1_000 / learnedPace(state).intervalMs;

const refused = (state: Learned, nowMs: number) =>
  learn(state, { kind: 'refused', waitMs: 1_000 }, nowMs);

describe('a quota that is told', () => {
  const tell = (state: Learned, signal: Extract<LearningEvent, { kind: 'signal' }>['signal']) =>
    learn(state, { kind: 'signal', signal }, NOW);

  it.each([
    ['a short window, as a bucket', { calls: 10, perSeconds: 2, burst: 10 }, 200, 8],
    ['a long one, as a window', { calls: 60, perSeconds: 60, burst: 60 }, 1_005, 1],
    ['a long one, in waves', { calls: 600, perSeconds: 60, burst: 600 }, 60_300 / 592, 8],
    ['a rate alone, a little under', { calls: 5, perSeconds: 1 }, 1_000 / 4.85, 4],
  ])('is kept: %s', (_, signal, intervalMs, burst) => {
    const pace = learnedPace(tell(firstLearned(), signal));
    expect(pace.intervalMs).toBeCloseTo(intervalMs);
    expect(pace.burst).toBe(burst);
  });

  it('leaves the state as it is when it is told again', () => {
    const signal = { calls: 10, perSeconds: 2, burst: 10, remaining: 4, resetMs: 2_000 };
    const state = tell(firstLearned(), signal);
    expect(tell(state, signal)).toBe(state);
  });

  it('is followed at once when another is told', () => {
    const five = tell(firstLearned(), { calls: 10, perSeconds: 2, burst: 10 });
    expect(rateOf(tell(five, { calls: 10, perSeconds: 5, burst: 10 }))).toBe(2);
  });

  it('is corrected by a reset that could not come so soon: seconds are said rounded up', () => {
    // 8 a second fill 10 calls in 1.25 s, said as 2: five a second. Eight missing ones need 1 s.
    const signal = { calls: 10, perSeconds: 2, burst: 10 };
    const state = tell(tell(firstLearned(), signal), { ...signal, remaining: 2, resetMs: 1_000 });
    expect(rateOf(state)).toBeCloseTo(7);
  });

  it('is read as a window, then not believed, when it is refused all the same', () => {
    const signal = { calls: 10, perSeconds: 2, burst: 10 };
    const window = refused(tell(firstLearned(), signal), NOW);
    expect(rateOf(window)).toBeCloseTo(8 / 2.3);
    const alone = refused(window, NOW + 10_000);
    expect(rateOf(alone)).toBeCloseTo(0.85 * 5);
    expect(tell(alone, signal)).toBe(alone);
    expect(describeLearned(alone).sure).toBe(false);
  });

  it('is what a person is shown', () => {
    const state = tell(firstLearned(), { calls: 300, perSeconds: 60 });
    expect(describeLearned(state)).toEqual({
      ...{ calls: 300, perSeconds: 60, sure: true },
      toldUntilMs: NOW + 6 * 3_600_000,
    });
  });

  it('holds for six hours, and is heard again when it is told again', () => {
    const signal = { calls: 1, perSeconds: 86_400, burst: 1 };
    const told = tell(firstLearned(), signal);
    const used = (hours: number) =>
      learn(told, { kind: 'accepted', count: 1 }, NOW + hours * 3_600_000);
    expect(rateOf(used(5.9))).toBeLessThan(1 / 80_000);
    expect(rateOf(used(6))).toBe(1);
    expect(rateOf(learn(used(6), { kind: 'signal', signal }, NOW + 7 * 3_600_000))).toBeLessThan(
      1 / 80_000,
    );
  });

  it('is not believed where it is slower than a call a day, or faster than any service', () => {
    const unknown = firstLearned();
    for (const signal of [
      { calls: 1, perSeconds: 31_536_000 },
      { calls: 1, perSeconds: 86_401, burst: 1 },
      { calls: 10_001, perSeconds: 1 },
      { calls: 1e300, perSeconds: 1 },
      { calls: 0, perSeconds: 1 },
    ])
      expect(tell(unknown, signal).told).toBeUndefined();
    expect(tell(unknown, { calls: 1, perSeconds: 86_400 }).told).toBeDefined();
  });

  it('ends when a person saves or checks the connection', () => {
    const world = openWorld();
    const cell = world.execution('cell', { quota: null });
    cell.hear({ calls: 1, perSeconds: 86_400, burst: 1 });
    const toldUntilMs = world.nowMs + 6 * 3_600_000;
    expect(cell.learned()).toEqual({ calls: 1, perSeconds: 86_400, sure: true, toldUntilMs });
    world.execution('check', { quota: null }).reopen();
    expect(cell.learned()).toEqual({ calls: 1, perSeconds: 1, sure: false });
  });

  describe('once a call was booked at it, a day ahead', () => {
    const HOUR_MS = 3_600_000;
    const opened = () => {
      const world = openWorld();
      const ask = (name: string) => {
        world.nowMs += 10_000;
        const execution = world.execution(name, { quota: null });
        return execution.book([name], world.nowMs + 24_000).kind;
      };
      world.execution('first', { quota: null }).hear({ calls: 1, perSeconds: 86_400, burst: 1 });
      expect([ask('a'), ask('b')]).toEqual(['go', 'late']);
      return { world, ask };
    };

    it('holds no call back after a person asked for another try', () => {
      const { world, ask } = opened();
      world.execution('check', { quota: null }).reopen();
      expect([ask('c'), ask('d')]).toEqual(['go', 'go']);
    });

    it('is not shown after its six hours, though nobody has called since', () => {
      const { world } = opened();
      world.nowMs += 6 * HOUR_MS;
      const shown = world.execution('status', { quota: null }).learned();
      expect(shown).toEqual({ calls: 1, perSeconds: 1, sure: false });
    });

    it('holds no call back after its six hours, though cells ask all the time', () => {
      const { world, ask } = opened();
      for (let hour = 1; hour < 6; hour += 1) {
        world.nowMs = NOW + hour * HOUR_MS;
        expect(ask(`hour ${hour}`)).toBe('late');
      }
      world.nowMs += HOUR_MS;
      expect([ask('c'), ask('d')]).toEqual(['go', 'go']);
    });
  });
});
